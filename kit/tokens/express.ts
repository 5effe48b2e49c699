import { admission, assertDemand, type Demand } from "./admission.ts";
import type { SignedInAgent } from "./agent.ts";

/** The members used of a request of Express, Connect or Node. */
export interface RequestLike {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The admitted agent. */
  agent?: SignedInAgent;
}

/** The members used of a response. */
export interface ResponseLike {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * Express-style middleware that admits callers with a valid token of at least `minTier`, and sets
 * `req.agent`. Other callers get 401 or 403, and 503 when the check fails, with a body that holds
 * an `error`.
 *
 * @throws Error for an unknown tier.
 */
export function requireTierExpress(demand: Demand) {
  assertDemand(demand);
  return async (req: RequestLike, res: ResponseLike, next: () => unknown): Promise<void> => {
    // Earlier handlers, or the request itself, may have set an unchecked value.
    delete req.agent;
    const decision = await admission(req.headers.authorization, demand);
    if (decision.admitted) {
      req.agent = decision.agent;
      next();
      return;
    }
    const { status, body, headers } = decision.refusal;
    res.statusCode = status;
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    res.setHeader("Content-Type", "application/json");
    res.end(JSON.stringify(body));
  };
}
