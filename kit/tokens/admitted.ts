import type { SignedInAgent } from "./agent.ts";

/**
 * The agent that `requireTierExpress` or `requireTierFastify` admitted, with its type.
 *
 * @throws Error on a route that neither protects.
 */
export function admittedAgent(request: object): SignedInAgent {
  const { agent } = request as { readonly agent?: SignedInAgent };
  if (agent !== undefined) return agent;
  throw new Error("No agent was admitted: protect this route with requireTier.");
}
