import type { ErrorHandler, MiddlewareHandler } from "hono";
import type { HTTPResponseError } from "hono/types";
import { ApiError } from "../../../kernel/errors.ts";
import { indexUse, notingIndexUse } from "../../../kernel/index-use.ts";
import type { IndexAge } from "../../../soul/index-age.ts";
import type { AppEnv } from "../env.ts";

/** Of every request: {@link withAgedAbsence} needs to know which reads of the index an answer rests on. */
export function notesIndexUse(): MiddlewareHandler<AppEnv> {
  return (_c, next) => notingIndexUse(next);
}

/**
 * Absence has an age, like every fact of the index: what a late or incomplete index does not have may be on chain, and so may what
 * a reorganization took out of it. A request that read it then answers INDEX_BEHIND instead of NOT_FOUND.
 */
export function withAgedAbsence(
  age: Pick<IndexAge, "isFresh" | "behind" | "standing">,
  answer: ErrorHandler<AppEnv>,
): ErrorHandler<AppEnv> {
  function judged(error: Error | HTTPResponseError): Error | HTTPResponseError {
    const use = indexUse();
    if (use === undefined || !(error instanceof ApiError) || error.type !== "NOT_FOUND") {
      return error;
    }
    const { isComplete, indexedBlock } = age.standing();
    const block = use.oldest ?? indexedBlock ?? 0n;
    const isCertain = isComplete && !use.isTakenBack && age.isFresh({ block });
    return isCertain ? error : age.behind({ block }, error);
  }
  return (error, c) => answer(judged(error), c);
}
