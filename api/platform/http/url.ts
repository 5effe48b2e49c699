import type { Context, ErrorHandler } from "hono";
import { ApiError, type RequestIssue } from "../../kernel/errors.ts";
import type { RequestPart } from "./answers/every-request.ts";
import type { AppEnv } from "./env.ts";
import { caught } from "./error-handler.ts";
import { countUnmatched } from "./guard.ts";
import { shownName } from "./parameters.ts";

/**
 * Part of every request, the last one: refuses a path or query that does not decode to text. Broken percent-encoding and broken
 * UTF-8 would reach handlers undecoded, and PostgreSQL cannot store U+0000.
 */
export function decodableUrl(onError: ErrorHandler<AppEnv>): RequestPart {
  return {
    before(c) {
      const issues = undecodable(c.req.url);
      return issues.length === 0 ? undefined : caught(() => refuse(c, issues), onError)(c);
    },
  };
}

/** Counted first: a caller past its limit gets that error. */
async function refuse(c: Context<AppEnv>, issues: readonly RequestIssue[]): Promise<never> {
  await countUnmatched(c);
  throw new ApiError("INVALID_REQUEST", { details: { issues } });
}

/** What is wrong with the encoding of a URL's path and query; one issue for each parameter that is wrong. */
function undecodable(url: string): RequestIssue[] {
  // The URL's own parser has percent-encoded every other character that needs it.
  if (!url.includes("%")) return [];
  const { pathname, search } = new URL(url);
  const issues: RequestIssue[] = [];
  const inPath = problemOf(pathname);
  if (inPath !== null) issues.push({ path: "", message: `The path ${inPath}.` });
  for (const pair of search.slice(1).split("&")) {
    const problem = problemOf(pair);
    if (problem === null) continue;
    const [name = ""] = pair.split("=", 1);
    const path = problemOf(name) === null ? shownName(decodeURIComponent(name)) : "";
    issues.push({ path, message: `The query ${problem}.` });
  }
  return issues;
}

function problemOf(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded).includes("\u0000") ? "contains U+0000" : null;
  } catch {
    return "is not percent-encoded UTF-8";
  }
}
