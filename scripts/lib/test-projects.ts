/** Vitest's projects that `npm test` runs as suites of their own. */

/** The two halves of the service's tests. Only one service sends its traces. */
export const TRACED = "service, traced";
export const UNTRACED = "service";

/** End-to-end tests that start stacks, and those of the stack that a whole run starts first. */
export const STACKS = "stacks";
export const LASTING = "lasting stack";
