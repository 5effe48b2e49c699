import { admission, assertDemand, type Demand } from "./admission.ts";
import type { SignedInAgent } from "./agent.ts";

/** The members used of a request of Fastify. */
export interface FastifyRequestLike {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The admitted agent. */
  agent?: SignedInAgent;
}

/** The members used of a reply. */
export interface FastifyReplyLike {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body: unknown): unknown;
}

/**
 * A hook of Fastify, for `onRequest` or `preHandler`, that admits callers with a valid token of at
 * least `minTier`, and sets `request.agent`. Other callers get 401 or 403, and 503 when the check
 * fails, with a body that holds an `error`.
 *
 * @throws Error for an unknown tier.
 */
export function requireTierFastify(demand: Demand) {
  assertDemand(demand);
  return async (request: FastifyRequestLike, reply: FastifyReplyLike): Promise<unknown> => {
    // An earlier hook may have set an unchecked value.
    delete request.agent;
    const decision = await admission(request.headers.authorization, demand);
    if (decision.admitted) {
      request.agent = decision.agent;
      return undefined;
    }
    const { status, body, headers } = decision.refusal;
    reply.code(status);
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    reply.send(body);
    // Fastify runs no handler after a hook that answered and returns the reply.
    return reply;
  };
}
