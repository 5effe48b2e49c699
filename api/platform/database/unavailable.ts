/** Postgres did not answer within the time limit. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  constructor() {
    super("The database does not answer.");
  }
}

/** Connection exceptions; a server that shuts down, crashed or starts; too many connections. */
const SERVER_STATES = /^(?:08...|57P0[123]|53300)$/;

/** Codes of the operating system's network errors. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
]);

/** Messages of the driver without a code. */
const DRIVER_MESSAGES: ReadonlySet<string> = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
]);

/** Postgres's code for a statement that was cancelled, as by `statement_timeout`. */
const CANCELLED = "57014";

/** Whether an error, or its cause, says that a statement took longer than one may. */
export function isStatementLimit(error: unknown): boolean {
  let link = error;
  for (let depth = 0; link instanceof Error && depth < 8; depth += 1) {
    if ((link as { code?: unknown }).code === CANCELLED) return true;
    link = link.cause;
  }
  return false;
}

/**
 * Whether an error, or its cause, means that Postgres is unreachable. A rejected statement does
 * not.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  let link = error;
  // Bounded: a cause may point back.
  for (let depth = 0; link instanceof Error && depth < 8; depth += 1) {
    if (link instanceof DatabaseUnavailableError || DRIVER_MESSAGES.has(link.message)) return true;
    const { code } = link as { code?: unknown };
    if (SYSTEM_CODES.has(code)) return true;
    if (typeof code === "string" && SERVER_STATES.test(code)) return true;
    link = link.cause;
  }
  return false;
}
