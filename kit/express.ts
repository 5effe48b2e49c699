import { admission, assertDemand, type Demand } from "./admission.ts";
import type { SignedInAgent } from "./agent.ts";

/** What is used of a request of Express, Connect or Node. */
export interface RequestLike {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Who was let in. */
  agent?: SignedInAgent;
}

/** What is used of a response. */
export interface ResponseLike {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * Express-style middleware that lets in who presents a good token of at least `minTier`, and tells the handler who it is:
 * `req.agent`. Others get 401 or 403, and 503 when nobody can tell, with a body that holds an `error`.
 *
 * @throws Error for a tier that there is none of.
 */
export function requireTierExpress(demand: Demand) {
  assertDemand(demand);
  return async (req: RequestLike, res: ResponseLike, next: () => unknown): Promise<void> => {
    // Whatever an earlier handler, or the request itself, put there was not checked here.
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
