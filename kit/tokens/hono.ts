import type { MiddlewareHandler } from "hono";
import { admission, assertDemand, type Demand } from "./admission.ts";
import type { SignedInAgent } from "./agent.ts";

/**
 * Hono middleware that admits callers with a valid token of at least `minTier`, and sets
 * `c.get("agent")`. Other callers get 401 or 403, and 503 when the check fails, with a body that
 * holds an `error`.
 *
 * @throws Error for an unknown tier.
 */
export function requireTier(
  demand: Demand,
): MiddlewareHandler<{ Variables: { agent: SignedInAgent } }> {
  assertDemand(demand);
  return async (c, next) => {
    const decision = await admission(c.req.header("authorization"), demand);
    if (!decision.admitted) {
      const { status, body, headers } = decision.refusal;
      return c.json(body, status, { ...headers });
    }
    c.set("agent", decision.agent);
    return next();
  };
}
