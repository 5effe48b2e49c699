import { LRUCache } from "lru-cache";
import type { DestinationStream, Logger } from "pino";
import { pino } from "pino";
import { SERVICE_SEGMENT } from "../../../protocol/constants.ts";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const REDACTED = "[redacted]";

/**
 * Fields that are never logged, wherever they sit. `code` and `value` are sign-in codes and
 * disclosed values.
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  "authorization",
  "body",
  "code",
  "cookie",
  "password",
  "proof",
  "query",
  "salt",
  "signature",
  "soulsalt",
  "systemprompt",
  "value",
]);
const SECRET_SUFFIX = /(?:secrets?|keys?|token|salt|password)$/;

/**
 * Patterns of secrets inside text: API keys, access tokens, and all parts of a URL that may be a
 * credential. Each pattern matches forward without searching for an end, so that the work is
 * linear: log lines quote what clients send.
 */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b${SERVICE_SEGMENT}_(?:live|provisional)_[0-9A-Za-z]+`, "g"), REDACTED],
  [/\bwhsec_[\w+/=-]+/g, REDACTED],
  [/\beyJ[\w.-]+/g, REDACTED],
  [/\b(Bearer\s+)[\w.~+/=-]+/gi, `$1${REDACTED}`],
  [/:\/\/(?:[^\s"'\\/@]+@)?([^\s"'\\/?#]+)[^\s"'\\]*/g, "://$1/…"],
];

/** Every text that one of these patterns finds holds a part of this. Most lines hold none. */
const SUSPECT_TEXT = /_live_|_provisional_|whsec_|eyj|bearer|:\/\//i;

/** Lines are written when there are so many bytes of them, and after so many milliseconds. */
const WRITTEN_BYTES = 4_096;
const WRITTEN_AFTER_MS = 20;

/**
 * Enough for what is logged; deeper parts are left out, so that a cycle cannot hang the process.
 */
const MAX_DEPTH = 8;

/**
 * The application's logger: one JSON line per entry, with secrets removed by field name at any
 * depth, and by form in text, error messages and stacks included. Node providers put the API key
 * into the URL, and their errors quote it.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: currentTime(),
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (entry: Record<string, unknown>) => redactFields(entry, 0),
    },
    hooks: { streamWrite: redactText },
  };
  if (destination !== undefined) return pino(options, destination);
  // Avoids a system call per line: lines are written together, and the rest when the process exits.
  const output = pino.destination({ dest: 1, sync: false, minLength: WRITTEN_BYTES });
  let isWaiting = false;
  const writeWaiting = () => {
    isWaiting = false;
    output.flush();
  };
  const streamWrite = (line: string) => {
    if (!isWaiting) setTimeout(writeWaiting, WRITTEN_AFTER_MS).unref();
    isWaiting = true;
    return redactText(line);
  };
  return pino({ ...options, hooks: { streamWrite } }, output);
}

/** The time as pino writes it, made once for all lines of a millisecond. */
function currentTime(): () => string {
  let last = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now === last) return text;
    last = now;
    text = `,"time":"${new Date(now).toISOString()}"`;
    return text;
  };
}

/** `text` without the secrets that have a recognizable form. */
export function redactText(text: string): string {
  if (!SUSPECT_TEXT.test(text)) return text;
  return SECRET_TEXT.reduce((clean, [pattern, by]) => clean.replace(pattern, by), text);
}

function redactFields(fields: object, depth: number): Record<string, unknown> {
  if (needsNoRedaction(fields)) return fields;
  const clean: [string, unknown][] = [];
  for (const [key, value] of Object.entries(fields)) {
    clean.push([key, isSecretField(key) ? REDACTED : redactValue(value, depth + 1)]);
  }
  return Object.fromEntries(clean);
}

/** Whether no field is secret by its name, and each is a value that holds no others. */
function needsNoRedaction(fields: object): fields is Record<string, unknown> {
  for (const key in fields) {
    if (isSecretField(key)) return false;
    const value = (fields as Record<string, unknown>)[key];
    const kind = typeof value;
    if (kind === "object" ? value !== null : kind === "bigint") return false;
  }
  return true;
}

/** Of names that were seen: the same few are in every line. */
const judged = new LRUCache<string, boolean>({ max: 1_000 });

function isSecretField(key: string): boolean {
  const known = judged.get(key);
  if (known !== undefined) return known;
  const name = key.toLowerCase();
  const isSecret = SECRET_FIELDS.has(name) || SECRET_SUFFIX.test(name);
  judged.set(key, isSecret);
  return isSecret;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[deep]";
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value;
  // Bytes are keys, salts or ciphertext here: their length is all a log needs.
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return redactFields(value, depth);
}

/** Only fields known to be safe: others may hold query parameters or request bodies. */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: error.message,
    errorCode: typeof code === "string" ? code : undefined,
    stack: error.stack,
    cause:
      error.cause instanceof Error && depth < MAX_DEPTH
        ? describeError(error.cause, depth + 1)
        : undefined,
  };
}
