import { admission, assertDemand, type Demand } from "./admission.ts";
import type { SignedInAgent } from "./agent.ts";

/**
 * Protects a handler that takes a `Request` and answers a `Response`: a route handler of Next, a
 * Worker, Deno, Bun. It admits callers with a valid token of at least `minTier`, and hands the
 * agent to the handler. Other callers get 401 or 403, and 503 when the check fails, with a body
 * that holds an `error`.
 *
 * @param handler Gets the agent second, and then the server's further arguments.
 * @throws Error for an unknown tier.
 */
export function requireTierFetch<Incoming extends Request, Rest extends unknown[]>(
  demand: Demand,
  handler: (request: Incoming, agent: SignedInAgent, ...rest: Rest) => Response | Promise<Response>,
): (request: Incoming, ...rest: Rest) => Promise<Response> {
  assertDemand(demand);
  return async (request, ...rest) => {
    const decision = await admission(request.headers.get("authorization") ?? undefined, demand);
    if (decision.admitted) return handler(request, decision.agent, ...rest);
    const { status, body, headers } = decision.refusal;
    return Response.json(body, { status, headers });
  };
}
