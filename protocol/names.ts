import { ProtocolError } from "./errors.ts";

/** Form of a given name: 3 to 32 characters, lower-case letters, digits and inner hyphens. */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;

const MAX_LENGTH = 32;

/** Names that are API routes: an agent with such a name could not be reached by it. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(["request", "calculate"]);

/**
 * Why a name is invalid. `format`: see {@link NAME_PATTERN}; `encoded`: it has the hyphens that mark
 * encoded names in DNS (RFC 5890, section 2.3.1); `digits`: it would be read as a token id;
 * `passport`: it would be read as the name of a passport without a soul; `reserved`: it is a route.
 */
export type InvalidNameReason = "format" | "encoded" | "digits" | "passport" | "reserved";

const REASONS: Record<InvalidNameReason, string> = {
  format:
    "a name has 3 to 32 characters: lower-case letters, digits and hyphens, no hyphen first or last",
  encoded: "two hyphens as third and fourth character mark encoded names, such as xn--",
  digits: "a name of digits only would be read as a token id",
  passport: "agent-<number> is reserved for passports without a soul",
  reserved: "this word is part of the API's own addresses",
};

/** The name is not allowed for an agent. */
export class InvalidNameError extends ProtocolError {
  override readonly name = "InvalidNameError";
  readonly code = "invalid_name";

  constructor(
    readonly agentName: string,
    readonly reason: InvalidNameReason,
  ) {
    super(`This name is not allowed: ${REASONS[reason]}.`);
  }
}

/** Why `name` is not allowed, or null when it is. The contract library `Names` decides the same. */
export function nameProblem(name: string): InvalidNameReason | null {
  if (!NAME_PATTERN.test(name)) return "format";
  if (name.slice(2, 4) === "--") return "encoded";
  if (/^[0-9]+$/.test(name)) return "digits";
  if (/^agent-[0-9]+$/.test(name)) return "passport";
  if (RESERVED_NAMES.has(name)) return "reserved";
  return null;
}

/** Whether `name` is allowed for an agent. It may already be taken. */
export function isValidName(name: string): boolean {
  return nameProblem(name) === null;
}

/** @throws InvalidNameError with the reason, when `name` is not allowed for an agent. */
export function assertValidName(name: string): void {
  const reason = nameProblem(name);
  if (reason !== null) throw new InvalidNameError(name, reason);
}

/**
 * A valid name close to `name` and different from it: its valid form, or the same name with the
 * next number. When the suggestion is taken, call again with the suggestion. Accepts any string.
 */
export function suggestName(name: string): string {
  const candidate = isValidName(name) ? withNextNumber(name) : simplified(name);
  return isValidName(candidate) ? candidate : withSuffix(candidate, "soul");
}

/**
 * The valid name for a title such as "Ada Lovelace" (`ada-lovelace`), or null when there is no such
 * name.
 */
export function legalName(title: string): string | null {
  const name = simplified(title);
  return isValidName(name) ? name : null;
}

function simplified(name: string): string {
  // Cutting bounds the work on hostile input; one character gives at most 4 in the result.
  const ascii = name
    .slice(0, 4 * MAX_LENGTH)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return cut(ascii, MAX_LENGTH);
}

function withNextNumber(name: string): string {
  const numbered = /^(.+)-([1-9][0-9]{0,5})$/.exec(name);
  return numbered
    ? withSuffix(numbered[1] ?? "", String(Number(numbered[2]) + 1))
    : withSuffix(name, "2");
}

function withSuffix(name: string, suffix: string): string {
  const stem = cut(name, MAX_LENGTH - suffix.length - 1);
  return stem === "" ? suffix : `${stem}-${suffix}`;
}

/** At most `length` characters, without hyphens at the ends. */
function cut(name: string, length: number): string {
  return name.replace(/^-+/, "").slice(0, length).replace(/-+$/, "");
}

/** The name of a passport without a soul: `agent-<id>`. No agent can be given such a name. */
export function passportName(agentId: bigint): string {
  return `agent-${agentId}`;
}

/** The passport id in a name of {@link passportName}'s form, or null for any other string. */
export function parsePassportName(name: string): bigint | null {
  // At most 78 digits: the decimal length of the largest uint256.
  const match = /^agent-(0|[1-9][0-9]{0,77})$/.exec(name);
  if (!match?.[1]) return null;
  const id = BigInt(match[1]);
  return id < 2n ** 256n ? id : null;
}
