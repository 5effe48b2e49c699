// Written by `npm run generate` from deployments/.

/** By chain id. */
export const deployments = {} as const;
