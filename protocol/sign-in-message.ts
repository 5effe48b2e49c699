import { type Address, getAddress, isAddress } from "viem";
import { ProtocolError } from "./errors.ts";

/** The field would make the message ambiguous or invalid. */
export class InvalidSignInMessageError extends ProtocolError {
  override readonly name = "InvalidSignInMessageError";
  readonly code = "invalid_sign_in_message";

  constructor(
    /** The field's name; list entries as `resources[1]`. */
    readonly field: string,
    readonly problem: string,
  ) {
    super(`The sign-in message's ${field} ${problem}.`);
  }
}

interface CommonFields {
  /** The requesting site as a URL host: lower case, with a port other than 443. No user or path. */
  domain: string;
  /** The signer. Written in its EIP-55 form. */
  address: Address;
  /** One line, only of the characters RFC 3986 reserves or leaves free, and spaces. */
  statement?: string | undefined;
  /** The subject of signing in: an RFC 3986 URI. */
  uri: string;
  chainId: number;
  /** At least 8 letters and digits. */
  nonce: string;
  /** RFC 3339. */
  issuedAt: string;
  /** RFC 3339, later than `issuedAt`. */
  expirationTime?: string | undefined;
  /** RFC 3339. */
  notBefore?: string | undefined;
  /** RFC 3986 path characters. */
  requestId?: string | undefined;
}

/** Fields of an EIP-4361 message. */
export interface WalletMessageFields extends CommonFields {
  /** URI scheme of the requesting site, written before the domain, such as `https`. */
  scheme?: string | undefined;
  /** RFC 3986 URIs. */
  resources?: readonly string[] | undefined;
}

/** Fields of a SIWA message. */
export interface AgentMessageFields extends CommonFields {
  /** The ERC-8004 passport; 0 is a real one. */
  agentId: bigint;
  /** The ERC-8004 identity registry on `chainId`. */
  registry: Address;
}

/**
 * The Sign-In with Ethereum message (EIP-4361), with LF line ends and none at the end. An undefined
 * optional field is left out; any other value that is not text, including null, is rejected.
 * @throws InvalidSignInMessageError
 */
export function walletMessage(fields: WalletMessageFields): string {
  return build("Ethereum", fields, []);
}

/**
 * The Sign In With Agent message, with LF line ends and none at the end. Registry and message name
 * the same chain.
 * @throws InvalidSignInMessageError
 */
export function agentMessage(fields: AgentMessageFields): string {
  if (
    !(typeof fields.agentId === "bigint" && fields.agentId >= 0n && fields.agentId < 2n ** 256n)
  ) {
    throw new InvalidSignInMessageError("agentId", "must fit 256 bits");
  }
  const registry = checksummed("registry", fields.registry);
  return build("Agent", fields, [
    ["Agent ID", fields.agentId.toString()],
    ["Agent Registry", `eip155:${chain(fields.chainId)}:${registry}`],
  ]);
}

function build(
  account: "Ethereum" | "Agent",
  fields: WalletMessageFields,
  agentLines: [string, string][],
): string {
  const { scheme, statement, expirationTime, notBefore, requestId, resources } = fields;
  const origin = scheme === undefined ? "" : `${schemeName(scheme)}://`;
  const issuedAt = time("issuedAt", fields.issuedAt);
  const lines: [string, string][] = [
    ["URI", uri("uri", fields.uri)],
    ["Version", "1"],
    ...agentLines,
    ["Chain ID", chain(fields.chainId)],
    ["Nonce", matching("nonce", fields.nonce, NONCE, "must be 8 or more letters and digits")],
    ["Issued At", issuedAt],
  ];
  if (expirationTime !== undefined) {
    lines.push(["Expiration Time", time("expirationTime", expirationTime)]);
    if (!(Date.parse(expirationTime) > Date.parse(issuedAt))) {
      throw new InvalidSignInMessageError("expirationTime", "must be later than issuedAt");
    }
  }
  if (notBefore !== undefined) lines.push(["Not Before", time("notBefore", notBefore)]);
  if (requestId !== undefined) {
    lines.push([
      "Request ID",
      matching("requestId", requestId, REQUEST_ID, "must be RFC 3986 path characters"),
    ]);
  }
  // Without a statement two empty lines remain, as EIP-4361's grammar requires.
  return [
    `${origin}${domain(fields.domain)} wants you to sign in with your ${account} account:`,
    checksummed("address", fields.address),
    "",
    ...(statement === undefined ? [] : [statementLine(statement)]),
    "",
    ...lines.map(([label, value]) => `${label}: ${value}`),
    ...resourceLines(resources),
  ].join("\n");
}

function resourceLines(resources: readonly string[] | undefined): string[] {
  if (resources === undefined) return [];
  if (!Array.isArray(resources)) {
    throw new InvalidSignInMessageError("resources", "must be a list of URIs");
  }
  return [
    "Resources:",
    ...resources.map((resource, index) => `- ${uri(`resources[${index}]`, resource)}`),
  ];
}

// Every pattern below is anchored with $ and lacks the m flag, and none matches a line end.
const NONCE = /^[A-Za-z0-9]{8,}$/;
const REQUEST_ID = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/;
const STATEMENT = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/;
/**
 * A run of hyphens matches in one way only. Otherwise the time to reject a domain would double with
 * every second hyphen.
 */
const DOMAIN = /^(?:[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[0-9]{1,5})?$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const URI = uriPattern();
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * RFC 3986, section 3: the rule `URI`, part by part. Each alternative begins with a different
 * character, so matching takes linear time.
 */
function uriPattern(): RegExp {
  const unreserved = "[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2}";
  const pchar = `(?:${unreserved}|[:@])`;
  const host = `(?:\\[[0-9A-Fa-f:.]+\\]|(?:${unreserved})*)`;
  const authority = `(?:(?:${unreserved}|:)*@)?${host}(?::[0-9]*)?`;
  const hierarchy = `(?://${authority}(?:/${pchar}*)*|/?(?:${pchar}(?:${pchar}|/)*)?)`;
  const tail = `(?:${pchar}|[/?])*`;
  return new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${hierarchy}(?:\\?${tail})?(?:#${tail})?$`);
}

/** A pattern alone would match `undefined` and `null` as words. */
function matching(field: string, value: unknown, pattern: RegExp, problem: string): string {
  if (typeof value !== "string" || !pattern.test(value)) {
    throw new InvalidSignInMessageError(field, problem);
  }
  return value;
}

function schemeName(value: string): string {
  return matching("scheme", value, SCHEME, "must be a URI scheme, without ://");
}

function domain(value: string): string {
  const problem = "must be a host name in lower case, with a port or without";
  matching("domain", value, DOMAIN, problem);
  // The URL parser rewrites spellings of other hosts (2130706433, 127.1). Only a host that it
  // leaves unchanged is accepted.
  if (!URL.canParse(`https://${value}/`) || new URL(`https://${value}/`).host !== value) {
    throw new InvalidSignInMessageError("domain", problem);
  }
  return value;
}

function statementLine(value: string): string {
  return matching(
    "statement",
    value,
    STATEMENT,
    "must be one line of letters, digits, spaces and URI punctuation",
  );
}

function uri(field: string, value: string): string {
  const problem = "must be an RFC 3986 URI";
  matching(field, value, URI, problem);
  if (!URL.canParse(value)) throw new InvalidSignInMessageError(field, problem);
  return value;
}

function time(field: string, value: string): string {
  const problem = "must be an RFC 3339 date and time";
  matching(field, value, TIME, problem);
  const [, year, month, day] = TIME.exec(value)?.map(Number) ?? [];
  // Date reads 30 February as a day in March; the month then differs.
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  if (date.getUTCMonth() + 1 !== month) throw new InvalidSignInMessageError(field, problem);
  return value;
}

function chain(chainId: number): string {
  if (!Number.isSafeInteger(chainId) || chainId <= 0) {
    throw new InvalidSignInMessageError("chainId", "must be a positive integer");
  }
  return String(chainId);
}

function checksummed(field: string, value: unknown): Address {
  if (typeof value !== "string" || !isAddress(value, { strict: false })) {
    throw new InvalidSignInMessageError(field, "must be an address");
  }
  return getAddress(value);
}
