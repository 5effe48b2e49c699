import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { SERVICE_LABEL } from "../../../protocol/constants.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { IndexedPoint, IndexProgress } from "../../soul/index-reads.ts";
import type { AppEnv, BodyAt } from "./env.ts";

/** Names the last block whose events the answer reflects. */
export const INDEXED_BLOCK_HEADER = `X-${SERVICE_LABEL}-Block`;

/**
 * How many blocks the index is behind the chain's head. Only on answers that are older than the
 * service allows for decisions.
 */
export const INDEX_LAG_HEADER = `X-${SERVICE_LABEL}-Index-Lag`;

/**
 * Sets the indexed block in the answer's header.
 *
 * @param bodyAt What the body would be if the index had reached another block in which nothing changed.
 * Left out where it may depend on the block or its time: the answer is then kept for this block alone.
 */
export function reflectsBlock(c: Context<AppEnv>, at: IndexedPoint, bodyAt?: BodyAt): void {
  c.set("indexedAt", at);
  if (bodyAt !== undefined) c.set("bodyAt", bodyAt);
  c.header(INDEXED_BLOCK_HEADER, at.block.toString());
}

/** The query of what {@link minBlock} makes wait, which reads and checks it. */
export const MinBlockQuery = z.object({
  minBlock: z.string().optional().openapi({
    description:
      "Wait until this block is indexed, a bounded time; then 503. A block that the chain does not have yet is refused.",
  }),
});

/** The caller's node may be this many blocks ahead of the service's. */
const NODE_LEAD_BLOCKS = 2n;

/**
 * Middleware of every read of the index: `?minBlock=<block>` makes it wait, at most `maxWaitMs`
 * milliseconds, until that block is indexed. A caller that knows its transaction's block thus reads
 * its own write.
 *
 * Answers INVALID_REQUEST for an invalid block number and, at once, for a block beyond the
 * chain's head; REGISTRY_PENDING with the indexed block after the time limit.
 */
export function minBlock(index: IndexProgress, maxWaitMs: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const asked = c.req.queries("minBlock");
    if (asked !== undefined) await reach(index, blockNumber(asked), maxWaitMs, c.get("gate")?.age);
    await next();
  };
}

async function reach(
  index: IndexProgress,
  block: bigint,
  maxWaitMs: number,
  age: Pick<IndexAge, "headFor"> | undefined,
): Promise<void> {
  if ((await index.waitForBlock(block, 0)) >= block) return;
  const head = (await age?.headFor(block)) ?? null;
  if (head !== null && block > head + NODE_LEAD_BLOCKS) {
    throw new ApiError("INVALID_REQUEST", {
      details: {
        issues: [{ path: "minBlock", message: `The chain's latest block is ${head}` }],
        chainBlock: Number(head),
      },
    });
  }
  const reached = await index.waitForBlock(block, maxWaitMs);
  if (reached >= block) return;
  throw new ApiError("REGISTRY_PENDING", {
    details: { minBlock: block, indexedBlock: reached },
  });
}

function blockNumber(asked: readonly string[]): bigint {
  const [text = ""] = asked;
  if (asked.length === 1 && /^(?:0|[1-9][0-9]{0,15})$/.test(text)) return BigInt(text);
  throw badRequest("minBlock", "Not a block number");
}
