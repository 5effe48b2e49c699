import type { Context } from "hono";
import { SERVICE_LABEL } from "../../../protocol/constants.ts";
import { parsePositionToken } from "../database/positions.ts";
import type { ReadAfter } from "../database/replica.ts";
import { headersOfAnswer } from "./answers/answer-body.ts";
import type { AppEnv, Gate } from "./env.ts";
import type { OperationRules } from "./operations.ts";

/**
 * Names how far the database's log of writes has come. Answers of writes carry it where reads may go
 * to a replica; a client sends the last one back with its reads.
 */
export const POSITION_HEADER = `X-${SERVICE_LABEL}-Position`;

/** A position that no server has: what names it is read from the primary. */
const UNKNOWN_POSITION = `w${"f".repeat(16)}`;

/** Runs the operation where its rules permit: only some reads may be answered by a replica. */
export function withReads(
  c: Context<AppEnv>,
  { reads }: Pick<Gate, "reads">,
  rules: OperationRules,
  work: () => Promise<void>,
): Promise<void> {
  const after = rules.reads === "replica" ? readAfter(c) : null;
  const done = after === null ? work() : reads.within(after, work);
  return rules.effect === "writes" ? done.then(() => namePosition(c, reads)) : done;
}

/** What the answer must contain; null when only the primary can tell. */
function readAfter(c: Context<AppEnv>): ReadAfter | null {
  // The wait for a block asks the primary's index.
  if (c.req.query("minBlock") !== undefined) return null;
  const token = c.req.header(POSITION_HEADER);
  if (token === undefined) return "recent";
  const position = parsePositionToken(token);
  return position === null ? null : { position };
}

async function namePosition(c: Context<AppEnv>, reads: Gate["reads"]): Promise<void> {
  const position = await reads.position().catch((error: unknown) => {
    c.get("log")().warn({ err: error }, "the position of a write could not be read");
    return UNKNOWN_POSITION;
  });
  if (position !== null) headersOfAnswer(c).set(POSITION_HEADER, position);
}
