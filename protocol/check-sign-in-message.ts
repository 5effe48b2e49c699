import type { Address } from "viem";
import {
  type AgentMessageFields,
  agentMessage,
  InvalidSignInMessageError,
  type WalletMessageFields,
  walletMessage,
} from "./sign-in-message.ts";

// Strict parsers of the two messages, for services that verify sign-ins themselves. A text is
// accepted only when the builder writes the same text from the parsed fields. So each message has
// one spelling, and the builder's checks apply to parsing too.

/** Longest accepted text, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 8_192;

const ENDING = (account: "Ethereum" | "Agent") =>
  ` wants you to sign in with your ${account} account:`;

/**
 * The fields of an EIP-4361 message of version 1. It is well-formed and has no repeated or unknown
 * lines.
 *
 * Does not check domain, nonce or validity in time: see `readWalletMessage`.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function parseWalletMessage(text: string): WalletMessageFields {
  const lines = new Lines(text, "Ethereum");
  const { origin, address, statement } = lines.head();
  const { scheme, domain } = schemeAndDomain(origin);
  const uri = lines.required("URI", "uri");
  lines.version();
  const fields: WalletMessageFields = {
    scheme,
    domain,
    address,
    statement,
    uri,
    chainId: lines.chainId(),
    nonce: lines.required("Nonce", "nonce"),
    issuedAt: lines.required("Issued At", "issuedAt"),
    expirationTime: lines.optional("Expiration Time"),
    notBefore: lines.optional("Not Before"),
    requestId: lines.optional("Request ID"),
    resources: lines.resources(),
  };
  lines.end();
  return rewritten(text, fields, walletMessage(fields));
}

/**
 * The fields of a SIWA message. Grammar and checks are those of `parseWalletMessage`, without
 * scheme and resources. Registry and message must name the same chain. The id is exact at any size.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function parseAgentMessage(text: string): AgentMessageFields {
  const lines = new Lines(text, "Agent");
  const { origin, address, statement } = lines.head();
  const uri = lines.required("URI", "uri");
  lines.version();
  const agentId = lines.required("Agent ID", "agentId");
  if (!/^(?:0|[1-9][0-9]{0,77})$/.test(agentId)) {
    throw new InvalidSignInMessageError("agentId", "must be a decimal integer");
  }
  const [, chain, registry] = REGISTRY.exec(lines.required("Agent Registry", "registry")) ?? [];
  if (registry === undefined) {
    throw new InvalidSignInMessageError("registry", "must be eip155:<chain id>:<address>");
  }
  const chainId = lines.chainId();
  if (chain !== String(chainId)) {
    throw new InvalidSignInMessageError("registry", "must be on the message's chain");
  }
  const fields: AgentMessageFields = {
    domain: origin,
    address,
    statement,
    uri,
    chainId,
    agentId: BigInt(agentId),
    registry: registry as Address,
    nonce: lines.required("Nonce", "nonce"),
    issuedAt: lines.required("Issued At", "issuedAt"),
    expirationTime: lines.optional("Expiration Time"),
    notBefore: lines.optional("Not Before"),
    requestId: lines.optional("Request ID"),
  };
  lines.end();
  return rewritten(text, fields, agentMessage(fields));
}

/** What the service issued or knows. No member is optional: an omitted check would always pass. */
interface ExpectedMessage {
  readonly domain: string;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly at: Date;
  /** Greatest age in seconds, also for messages with an expiry. */
  readonly maxAgeSeconds: number;
}

export interface ExpectedWalletMessage extends ExpectedMessage {
  /**
   * The URI scheme that the site is served with, such as `https`. A message that names a scheme
   * must name this one.
   */
  readonly scheme: string;
}

export interface ExpectedAgentMessage extends ExpectedMessage {
  /** The one registry that the service trusts. Never take it from the message. */
  readonly registry: Address;
}

/**
 * The fields of a message that is well-formed, addressed to this service, and valid now. The caller
 * checks the signature.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function readWalletMessage(
  text: string,
  expected: ExpectedWalletMessage,
): WalletMessageFields {
  const message = parseWalletMessage(text);
  if (
    message.scheme !== undefined &&
    message.scheme.toLowerCase() !== expected.scheme.toLowerCase()
  ) {
    throw new InvalidSignInMessageError("scheme", "is not the expected one");
  }
  assertExpected(message, expected);
  return message;
}

/**
 * As `readWalletMessage`, for SIWA. The caller checks the signature and the passport's owner.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function readAgentMessage(text: string, expected: ExpectedAgentMessage): AgentMessageFields {
  const message = parseAgentMessage(text);
  assertExpected(message, expected);
  if (message.registry.toLowerCase() !== expected.registry.toLowerCase()) {
    throw new InvalidSignInMessageError("registry", "is not the expected one");
  }
  return message;
}

function assertExpected(
  message: WalletMessageFields | AgentMessageFields,
  expected: ExpectedMessage,
): void {
  for (const field of ["domain", "uri", "chainId", "nonce"] as const) {
    if (message[field] !== expected[field]) {
      throw new InvalidSignInMessageError(field, "is not the expected one");
    }
  }
  const now = expected.at.getTime();
  const issued = Date.parse(message.issuedAt);
  // Each comparison states the requirement, so that an invalid date fails it.
  if (!(issued <= now)) throw new InvalidSignInMessageError("issuedAt", "is in the future");
  if (!(now - issued <= expected.maxAgeSeconds * 1000)) {
    throw new InvalidSignInMessageError("issuedAt", "is too long ago");
  }
  const { expirationTime, notBefore } = message;
  if (expirationTime !== undefined && !(now < Date.parse(expirationTime))) {
    throw new InvalidSignInMessageError("expirationTime", "has passed");
  }
  if (notBefore !== undefined && !(now >= Date.parse(notBefore))) {
    throw new InvalidSignInMessageError("notBefore", "is in the future");
  }
}

const REGISTRY = /^eip155:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/;

/** The lines of one message, read in the order of the standard. */
class Lines {
  #rest: string[];
  readonly #account: "Ethereum" | "Agent";

  constructor(text: string, account: "Ethereum" | "Agent") {
    if (text.length > MAX_MESSAGE_LENGTH) {
      throw new InvalidSignInMessageError("text", "is too long");
    }
    this.#rest = text.split("\n");
    this.#account = account;
  }

  head() {
    const [first = "", address = "", empty, next, ...rest] = this.#rest;
    const ending = ENDING(this.#account);
    if (!first.endsWith(ending)) {
      throw new InvalidSignInMessageError("text", `must begin with <domain>${ending}`);
    }
    if (empty !== "" || next === undefined) {
      throw new InvalidSignInMessageError("text", "must have an empty line after the address");
    }
    // Without a statement its line is empty. A statement is followed by an empty line.
    const hasStatement = next !== "";
    if (hasStatement && rest.shift() !== "") {
      throw new InvalidSignInMessageError(
        "statement",
        "must be one line, followed by an empty line",
      );
    }
    this.#rest = rest;
    return {
      origin: first.slice(0, -ending.length),
      address: address as Address,
      statement: hasStatement ? next : undefined,
    };
  }

  optional(label: string): string | undefined {
    const prefix = `${label}: `;
    if (!this.#rest[0]?.startsWith(prefix)) return undefined;
    return this.#rest.shift()?.slice(prefix.length);
  }

  required(label: string, field: string): string {
    const value = this.optional(label);
    if (value === undefined) {
      throw new InvalidSignInMessageError(field, "is missing, repeated or misplaced");
    }
    return value;
  }

  version(): void {
    if (this.required("Version", "version") !== "1") {
      throw new InvalidSignInMessageError("version", "must be 1");
    }
  }

  chainId(): number {
    const digits = this.required("Chain ID", "chainId");
    const chainId = /^[1-9][0-9]{0,15}$/.test(digits) ? Number(digits) : Number.NaN;
    if (!Number.isSafeInteger(chainId)) {
      throw new InvalidSignInMessageError("chainId", "must be a positive integer");
    }
    return chainId;
  }

  resources(): string[] | undefined {
    if (this.#rest[0] !== "Resources:") return undefined;
    this.#rest.shift();
    const resources: string[] = [];
    while (this.#rest[0]?.startsWith("- ")) resources.push(this.#rest.shift()?.slice(2) ?? "");
    return resources;
  }

  end(): void {
    if (this.#rest.length > 0) {
      throw new InvalidSignInMessageError(
        "text",
        "has a line that is unknown, repeated or misplaced",
      );
    }
  }
}

function schemeAndDomain(origin: string): { scheme: string | undefined; domain: string } {
  const [scheme, ...rest] = origin.split("://");
  return rest.length === 0
    ? { scheme: undefined, domain: origin }
    : { scheme, domain: rest.join("://") };
}

/** The builder changes only the spelling of addresses. */
function rewritten<Fields extends { readonly address: Address }>(
  text: string,
  fields: Fields,
  canonical: string,
): Fields {
  if (text === canonical) return fields;
  const field = canonical.includes(`\n${fields.address}\n`) ? "registry" : "address";
  throw new InvalidSignInMessageError(field, "must be in its EIP-55 form");
}
