import { ApiError, badRequest } from "../../kernel/errors.ts";

/** Longest name of a query parameter that an error repeats. */
const MAX_SHOWN_NAME = 64;

/**
 * Rejects unknown parameters: a misspelled filter would otherwise be ignored.
 *
 * @throws ApiError INVALID_REQUEST
 */
export function refuseUnknownParameters(url: string, accepted: readonly string[]): void {
  if (!url.includes("?")) return;
  const sent = new Set(new URL(url).searchParams.keys());
  const unknown = [...sent].filter((name) => !accepted.includes(name));
  if (unknown.length === 0) return;
  const takes = accepted.length === 0 ? "none" : accepted.join(", ");
  const issues = unknown.map((name) => ({
    path: shownName(name),
    message: `Unknown query parameter. This operation accepts: ${takes}.`,
  }));
  throw new ApiError("INVALID_REQUEST", { details: { issues, acceptedParameters: accepted } });
}

/**
 * A body may repeat the token id of the path, and then must say the same.
 *
 * @throws ApiError INVALID_REQUEST
 */
export function assertSameAgent(inPath: bigint, inBody: bigint | undefined): void {
  if (inBody === undefined || inBody === inPath) return;
  throw badRequest("tokenId", `The path says ${inPath}`);
}

/** The name of a parameter as an error repeats it. */
export function shownName(name: string): string {
  return name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
}
