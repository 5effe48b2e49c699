/** What one check found. `remedy` says what to do, and stands beside everything but `ok`. */
export type Finding =
  | { readonly level: "ok"; readonly what: string }
  | { readonly level: "warning" | "fault"; readonly what: string; readonly remedy: string };

export const ok = (what: string): Finding => ({ level: "ok", what });
/** The service runs, but not as it should. */
export const warning = (what: string, remedy: string): Finding => ({
  level: "warning",
  what,
  remedy,
});
/** The service does not start, or fails its users. */
export const fault = (what: string, remedy: string): Finding => ({ level: "fault", what, remedy });

/** The innermost cause of an error of viem: the outer ones say only that a request failed. */
export function nodeReason(error: unknown, redact: (text: string) => string): string {
  let inner = error as {
    readonly cause?: unknown;
    readonly status?: number;
  };
  let status: number | undefined;
  for (let next: unknown = inner; typeof next === "object" && next !== null; ) {
    inner = next as typeof inner;
    status ??= inner.status;
    next = inner.cause;
  }
  return status === undefined ? reason(inner, redact) : `HTTP status ${status}`;
}

/** The first line of an error, without the secrets that a driver may have put into it. */
export function reason(error: unknown, redact: (text: string) => string): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  // Several addresses of one host give an error without a message of its own.
  const text = message || code || String(error);
  return redact(text.split("\n", 1)[0] ?? "");
}
