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

/** Class 53, insufficient resources: Postgres has no disk space or memory. 53300 is among SERVER_STATES. */
const NO_ROOM = /^53/;
/** Codes of the operating system for a full disk. */
const DISK_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Postgres's code for a statement that was cancelled, as by `statement_timeout`. */
const CANCELLED = "57014";

/** Whether an error, or its cause, says that a statement took longer than one may. */
export function isStatementLimit(error: unknown): boolean {
  return someCause(error, ({ code }) => code === CANCELLED);
}

/**
 * Whether an error, or its cause, means that Postgres is unreachable. A rejected statement does
 * not.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return someCause(error, (link) => {
    const { code } = link;
    if (link instanceof DatabaseUnavailableError || DRIVER_MESSAGES.has(link.message)) return true;
    return SYSTEM_CODES.has(code) || (typeof code === "string" && SERVER_STATES.test(code));
  });
}

/** Whether an error, or its cause, says that a disk is full, or that Postgres has no memory left. */
export function isOutOfRoom(error: unknown): boolean {
  return someCause(
    error,
    ({ code }) => DISK_CODES.has(code) || (typeof code === "string" && NO_ROOM.test(code)),
  );
}

/** Whether `is` holds for an error or one of its causes. Bounded: a cause may point back. */
function someCause(
  error: unknown,
  is: (link: Error & { readonly code?: unknown }) => boolean,
): boolean {
  let link = error;
  for (let depth = 0; link instanceof Error && depth < 8; depth += 1) {
    if (is(link)) return true;
    link = link.cause;
  }
  return false;
}
