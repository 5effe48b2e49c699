import type { Address } from "viem";
import {
  type AgentMessageFields,
  agentMessage,
  InvalidSignInMessageError,
  type WalletMessageFields,
  walletMessage,
} from "./sign-in-message.ts";

// Strict readers of the two messages, for whoever runs a sign-in of its own. A text is taken only when the builder, given the
// fields that were read, writes that very text: so there is one spelling of everything, and what the builder refuses is refused.

/** Longest text looked at, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 8_192;

const ENDING = (account: "Ethereum" | "Agent") =>
  ` wants you to sign in with your ${account} account:`;

/**
 * The fields of an EIP-4361 message, which is well-formed, names nothing twice and nothing unknown, and is version 1.
 *
 * Says nothing about whether it is meant for you, or still good: see `readWalletMessage`.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function parseWalletMessage(text: string): WalletMessageFields {
  const lines = new Lines(text, "Ethereum");
  const head = lines.head();
  const uri = lines.required("URI", "uri");
  lines.version();
  const fields: WalletMessageFields = {
    ...head,
    uri,
    chainId: lines.chainId(),
    nonce: lines.required("Nonce", "nonce"),
    issuedAt: lines.required("Issued At", "issuedAt"),
  };
  const expirationTime = lines.optional("Expiration Time");
  if (expirationTime !== undefined) fields.expirationTime = expirationTime;
  const notBefore = lines.optional("Not Before");
  if (notBefore !== undefined) fields.notBefore = notBefore;
  const requestId = lines.optional("Request ID");
  if (requestId !== undefined) fields.requestId = requestId;
  const resources = lines.resources();
  if (resources !== undefined) fields.resources = resources;
  lines.end();
  return rewritten(text, fields, walletMessage(fields));
}

/**
 * The fields of a SIWA message; as `parseWalletMessage`, and registry and message name one chain. The id is exact, whatever its
 * size.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function parseAgentMessage(text: string): AgentMessageFields {
  const lines = new Lines(text, "Agent");
  const { statement, ...head } = lines.head();
  if (statement === undefined) throw new InvalidSignInMessageError("statement", "is missing");
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
    ...head,
    ...{ statement, uri, chainId },
    agentId: BigInt(agentId),
    registry: registry as Address,
    nonce: lines.required("Nonce", "nonce"),
    issuedAt: lines.required("Issued At", "issuedAt"),
    expirationTime: lines.required("Expiration Time", "expirationTime"),
  };
  lines.end();
  return rewritten(text, fields, agentMessage(fields));
}

/** What you issued, or know. Nothing here is optional: a check that is left out is one that always passes. */
export interface ExpectedWalletMessage {
  readonly domain: string;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly at: Date;
  /** Seconds after its issue that a message is taken, whatever expiry it names. */
  readonly maxAgeSeconds: number;
}

export interface ExpectedAgentMessage extends ExpectedWalletMessage {
  /** The one registry that you believe, not one that the signer chose. */
  readonly registry: Address;
}

/**
 * A message that is well-formed, meant for you, and in time. Who signed it is for you to check.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function readWalletMessage(
  text: string,
  expected: ExpectedWalletMessage,
): WalletMessageFields {
  const message = parseWalletMessage(text);
  assertExpected(message, expected);
  return message;
}

/**
 * As `readWalletMessage`, for SIWA. Who owns the passport is for you to check, too.
 * @throws InvalidSignInMessageError naming the first field that is wrong.
 */
export function readAgentMessage(text: string, expected: ExpectedAgentMessage): AgentMessageFields {
  const message = parseAgentMessage(text);
  assertExpected(message, expected);
  if (message.registry.toLowerCase() !== expected.registry.toLowerCase()) {
    throw new InvalidSignInMessageError("registry", "is another one");
  }
  return message;
}

function assertExpected(message: WalletMessageFields, expected: ExpectedWalletMessage): void {
  for (const field of ["domain", "uri", "chainId", "nonce"] as const) {
    if (message[field] !== expected[field]) {
      throw new InvalidSignInMessageError(field, "is another one");
    }
  }
  const now = expected.at.getTime();
  const issued = Date.parse(message.issuedAt);
  // Written as "is inside", so that a time that cannot be read is refused.
  if (!(issued <= now)) throw new InvalidSignInMessageError("issuedAt", "is in the future");
  if (!(now - issued <= expected.maxAgeSeconds * 1000)) {
    throw new InvalidSignInMessageError("issuedAt", "is too long ago");
  }
  const { expirationTime, notBefore } = message;
  if (expirationTime !== undefined && !(now < Date.parse(expirationTime))) {
    throw new InvalidSignInMessageError("expirationTime", "has passed");
  }
  if (notBefore !== undefined && !(now >= Date.parse(notBefore))) {
    throw new InvalidSignInMessageError("notBefore", "has not come");
  }
}

const REGISTRY = /^eip155:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/;

/** The lines of one message, taken in the order that the standard gives. */
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
    const domain = first.slice(0, -ending.length);
    // The line of the statement is empty where there is none; one that is there is followed by an empty line.
    const hasStatement = next !== "";
    if (hasStatement && rest.shift() !== "") {
      throw new InvalidSignInMessageError(
        "statement",
        "must be one line, and an empty one after it",
      );
    }
    this.#rest = rest;
    return {
      domain,
      address: address as Address,
      ...(hasStatement ? { statement: next } : {}),
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
      throw new InvalidSignInMessageError(field, "is missing, repeated or out of place");
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
        "has a line that is unknown, repeated or out of place",
      );
    }
  }
}

/** All that the builder writes in another way than it was given is how addresses are spelled. */
function rewritten<Fields extends { readonly address: Address }>(
  text: string,
  fields: Fields,
  canonical: string,
): Fields {
  if (text === canonical) return fields;
  const field = canonical.includes(`\n${fields.address}\n`) ? "registry" : "address";
  throw new InvalidSignInMessageError(field, "must be in its EIP-55 form");
}
