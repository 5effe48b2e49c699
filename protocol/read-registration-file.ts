import { base64 } from "@scure/base";
import { type Address, getAddress, type Hex, isAddress } from "viem";
import { type AgentTypeIndex, parseAgentType } from "./agent-type.ts";
import { isHash } from "./bytes.ts";
import { SERVICE_SEGMENT } from "./constants.ts";
import { ProtocolError } from "./errors.ts";
import { isPlainObject, isWellFormed } from "./json.ts";

/** Bounds of a file that anyone can publish. Longer texts read as null, longer lists are cut. */
export const REGISTRATION_FILE_LIMITS = {
  /** UTF-8 bytes of the whole file. */
  bytes: 1024 * 1024,
  /** UTF-16 units of one text; an image may be a data URI. */
  text: 8 * 1024,
  image: 256 * 1024,
  entries: 100,
} as const;

/** The text is not JSON, or too large. */
export class UnreadableFileError extends ProtocolError {
  override readonly name = "UnreadableFileError";
  readonly code = "unreadable_file";

  constructor(readonly reason: "size" | "syntax") {
    super(
      reason === "size"
        ? `A registration file has at most ${REGISTRATION_FILE_LIMITS.bytes} bytes.`
        : "The registration file is not JSON.",
    );
  }
}

export interface ReadService {
  name: string;
  endpoint: string;
  version: string | null;
}

export interface ReadRegistration {
  agentId: bigint;
  chainId: number;
  registry: Address;
}

export interface ReadSoulEntry {
  chainId: number | null;
  tokenId: bigint | null;
  soulHash: Hex | null;
  did: string | null;
  agentType: AgentTypeIndex | null;
}

/**
 * What a registration file claims. Nothing in it is verified and every text can be hostile: show it
 * escaped and base no decision on it. Null: absent, of the wrong type, too long, or not storable as
 * text.
 */
export interface ReadRegistrationFile {
  type: string | null;
  name: string | null;
  description: string | null;
  image: string | null;
  services: ReadService[];
  x402Support: boolean | null;
  active: boolean | null;
  registrations: ReadRegistration[];
  supportedTrust: string[];
  soul: ReadSoulEntry | null;
}

/**
 * Reads a registration file of any author, including older forms (`endpoints`, `x402support`).
 * Invalid members are left out and are not errors.
 * @throws UnreadableFileError when the text is not JSON or too large.
 */
export function parseRegistrationFile(text: string): ReadRegistrationFile {
  const file = object(json(text)) ?? {};
  const services = file.services ?? file.endpoints;
  return {
    type: string(file.type),
    name: string(file.name),
    description: string(file.description),
    image: string(file.image, REGISTRATION_FILE_LIMITS.image),
    services: entries(services, service),
    x402Support: boolean(file.x402Support ?? file.x402support),
    active: boolean(file.active),
    registrations: entries(file.registrations, registration),
    supportedTrust: entries(file.supportedTrust, (entry) => string(entry)),
    soul: soul(file[SERVICE_SEGMENT]),
  };
}

const DATA_URI = /^data:application\/json(?:;charset=utf-8)?(;base64)?,(.*)$/is;

/**
 * The text of a JSON file in a data URI (RFC 2397); null for any other URI, and for invalid UTF-8.
 */
export function textOfDataUri(uri: string): string | null {
  const [match, isBase64, content = ""] = DATA_URI.exec(uri) ?? [];
  if (match === undefined) return null;
  try {
    if (isBase64 === undefined) return decodeURIComponent(content);
    return new TextDecoder("utf-8", { fatal: true }).decode(base64.decode(content));
  } catch {
    return null;
  }
}

function json(text: string): unknown {
  const { bytes } = REGISTRATION_FILE_LIMITS;
  if (text.length > bytes || new TextEncoder().encode(text).length > bytes) {
    throw new UnreadableFileError("size");
  }
  try {
    // The engine's parser instead of the strict one: a repeated key or rounded number must not hide
    // the rest of the file. It does not recurse, so depth needs no bound.
    return JSON.parse(text);
  } catch {
    throw new UnreadableFileError("syntax");
  }
}

/** Own properties only: the file may hold a key like `constructor`, or lack an inherited one. */
function object(value: unknown): Record<string, unknown> | null {
  return isPlainObject(value) ? Object.assign(Object.create(null), value) : null;
}

function string(value: unknown, maxLength: number = REGISTRATION_FILE_LIMITS.text): string | null {
  // Lone surrogates have no UTF-8 form, and database text cannot hold NUL.
  const isText = typeof value === "string" && value.length <= maxLength;
  return isText && isWellFormed(value) && !value.includes("\0") ? value : null;
}

function boolean(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function entries<Entry>(value: unknown, read: (entry: unknown) => Entry | null): Entry[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, REGISTRATION_FILE_LIMITS.entries)
    .map(read)
    .filter((entry) => entry !== null);
}

function service(value: unknown): ReadService | null {
  const entry = object(value);
  const name = string(entry?.name);
  const endpoint = string(entry?.endpoint);
  if (name === null || endpoint === null) return null;
  return { name, endpoint, version: string(entry?.version) };
}

function registration(value: unknown): ReadRegistration | null {
  const entry = object(value);
  const agentId = id(entry?.agentId);
  const [, chain, address] =
    /^eip155:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/.exec(string(entry?.agentRegistry) ?? "") ??
    [];
  const chainId = positive(Number(chain));
  if (agentId === null || chainId === null || !address) return null;
  if (!isAddress(address, { strict: false })) return null;
  return { agentId, chainId, registry: getAddress(address) };
}

function soul(value: unknown): ReadSoulEntry | null {
  const entry = object(value);
  if (!entry) return null;
  return {
    chainId: positive(entry.chainId),
    tokenId: id(entry.tokenId),
    soulHash: isHash(entry.soulHash) ? (entry.soulHash.toLowerCase() as Hex) : null,
    did: string(entry.did),
    agentType: agentType(entry.agentType),
  };
}

/**
 * An id as a JSON integer or as decimal digits. A number that JSON rounded is invalid: it could be
 * the id of another agent.
 */
function id(value: unknown): bigint | null {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  }
  if (typeof value !== "string" || !/^(?:0|[1-9][0-9]{0,77})$/.test(value)) return null;
  const parsed = BigInt(value);
  return parsed < 2n ** 256n ? parsed : null;
}

function positive(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function agentType(value: unknown): AgentTypeIndex | null {
  if (typeof value !== "number") return null;
  try {
    return parseAgentType(value);
  } catch {
    return null;
  }
}
