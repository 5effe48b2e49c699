import { base64urlnopad } from "@scure/base";
import { type Address, getAddress, type Hex, sha256 } from "viem";
import { bytes32OfBase64url, utf8 } from "./bytes.ts";
import { isEd25519Key, isP256Point } from "./curves.ts";
import { ProtocolError } from "./errors.ts";
import { canonicalJson, isPlainObject, type JsonValue, parseJsonStrict } from "./json.ts";

/** Most keys of one agent. */
export const MAX_AGENT_KEYS = 16;

/**
 * What a key is for (RFC 7517, section 4.2): to check signatures, or to encrypt to. An Ed25519 key
 * only signs.
 */
export const KEY_USES = ["sig", "enc"] as const;
export type KeyUse = (typeof KEY_USES)[number];

interface CommonMembers {
  /** RFC 7638 thumbprint (SHA-256, base64url): never chosen. */
  readonly kid: string;
  readonly use: KeyUse;
  /** Unix seconds; the key is invalid from then on. */
  readonly exp: number;
  /** Base64url of 32 bytes. */
  readonly x: string;
}

/** A P-256 public key as a JWK (RFC 7518, section 6.2). */
export interface P256Jwk extends CommonMembers {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly y: string;
}

/** An Ed25519 public key as a JWK (RFC 8037). */
export interface Ed25519Jwk extends CommonMembers {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
}

export type AgentKey = P256Jwk | Ed25519Jwk;

/** The agent that a key set is of. */
export interface KeySetAgent {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly tokenId: bigint;
}

/** A JWK Set (RFC 7517, section 5) in its only form: keys in the order of their kids. */
export interface AgentKeySet {
  /** Its agent, so that a copy is refused for another one; absent in sets of the first form. */
  readonly agent?: {
    readonly chainId: number;
    readonly soulRegistry: Address;
    readonly tokenId: string;
  };
  readonly keys: readonly AgentKey[];
}

/** The keys are not a valid key set; `path` names the member. */
export class InvalidKeySetError extends ProtocolError {
  override readonly name = "InvalidKeySetError";
  readonly code = "invalid_key_set";

  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${path === "" ? "The key set" : path}: ${reason}.`);
  }
}

/** 9999-12-31T23:59:59Z: the last time that every date format can express. */
const LATEST_END = 253_402_300_799;

const LIMITS = { maxDepth: 4, maxBytes: 16 * 1024 } as const;

/** Members that hold private or symmetric keys (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * The set of the given public keys of an agent in its canonical form; see {@link publicKeys}.
 *
 * @throws InvalidKeySetError
 */
export function agentKeySet(keys: unknown, agent: KeySetAgent): AgentKeySet {
  const { chainId, soulRegistry, tokenId } = agent;
  return {
    agent: { chainId, soulRegistry: getAddress(soulRegistry), tokenId: tokenId.toString() },
    keys: publicKeys(keys),
  };
}

/**
 * The given public keys in the order of a set. Each has `kty`, `crv`, `x`, `use` and `exp`, P-256
 * keys `y` too; `kid` may be left out.
 *
 * @throws InvalidKeySetError
 */
export function publicKeys(keys: unknown): readonly AgentKey[] {
  if (!Array.isArray(keys)) throw new InvalidKeySetError("keys", "not an array");
  if (keys.length === 0) throw new InvalidKeySetError("keys", "empty");
  if (keys.length > MAX_AGENT_KEYS) {
    throw new InvalidKeySetError("keys", `more than ${MAX_AGENT_KEYS} keys`);
  }
  const parsed = keys.map((key, index) => agentKey(key, `keys[${index}]`));
  parsed.forEach(({ kid }, index) => {
    if (parsed.findIndex((other) => other.kid === kid) !== index) {
      throw new InvalidKeySetError(`keys[${index}]`, "the same key as one before it");
    }
  });
  return parsed.sort((a, b) => (a.kid < b.kid ? -1 : 1));
}

/** The set as RFC 8785 canonical JSON: the bytes that are archived and hashed. */
export function agentKeySetJson(set: AgentKeySet): string {
  return canonicalJson(set);
}

/** What `AgentKeys.keysOf` answers for a set: SHA-256 of its canonical JSON. */
export function agentKeysHash(set: AgentKeySet): Hex {
  return sha256(utf8(agentKeySetJson(set)));
}

/**
 * Reads the set of an agent as it is archived. Only the canonical bytes are accepted, so that one
 * set has one hash. A set that names no agent is one of the first form: it may be a copy.
 *
 * @throws InvalidKeySetError, also for a set that names another agent
 */
export function parseAgentKeySet(text: string, agent: KeySetAgent): AgentKeySet {
  const value = jsonIn(text);
  if (!isPlainObject(value)) throw new InvalidKeySetError("", "not an object");
  const { agent: named, keys, ...others } = value;
  const [extra] = Object.keys(others);
  if (extra !== undefined) throw new InvalidKeySetError(extra, "unknown member");
  const set = named === undefined ? { keys: publicKeys(keys) } : agentKeySet(keys, agent);
  if (named !== undefined && canonicalJson(named) !== canonicalJson({ ...set.agent })) {
    throw new InvalidKeySetError("agent", "the keys of another agent");
  }
  if (agentKeySetJson(set) !== text) throw new InvalidKeySetError("", "not in canonical form");
  return set;
}

/** The keys of a set that have not ended at `time`, in Unix seconds. */
export function currentKeys(set: AgentKeySet, time: number): readonly AgentKey[] {
  return set.keys.filter(({ exp }) => time < exp);
}

function jsonIn(text: string): JsonValue {
  try {
    return parseJsonStrict(text, LIMITS);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new InvalidKeySetError("", error.message.replace(/\.$/, ""));
  }
}

function agentKey(value: unknown, path: string): AgentKey {
  if (!isPlainObject(value)) throw new InvalidKeySetError(path, "not an object");
  const refuse = (member: string, reason: string) =>
    new InvalidKeySetError(`${path}.${member}`, reason);
  const secret = PRIVATE_MEMBERS.find((member) => Object.hasOwn(value, member));
  if (secret !== undefined) throw refuse(secret, "a private key: send the public one only");
  const { kty, crv, x, y, use, exp, kid, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse(unknown, "unknown member");
  if (use !== "sig" && use !== "enc") throw refuse("use", 'neither "sig" nor "enc"');
  if (typeof exp !== "number" || !Number.isInteger(exp) || exp <= 0 || exp > LATEST_END) {
    throw refuse("exp", "not a time in Unix seconds up to the year 9999");
  }
  const coordinate = (member: string, text: unknown): [string, Uint8Array] => {
    const bytes = typeof text === "string" ? bytes32OfBase64url(text) : null;
    if (bytes === null) throw refuse(member, "not 32 bytes in base64url without padding");
    return [text as string, bytes];
  };
  const key = (): AgentKey => {
    if (kty === "EC") {
      if (crv !== "P-256") throw refuse("crv", "not P-256");
      const [xText, xBytes] = coordinate("x", x);
      const [yText, yBytes] = coordinate("y", y);
      if (!isP256Point(xBytes, yBytes)) throw refuse("x", "with y not a point of the curve");
      const members = { kty: "EC", crv: "P-256", x: xText, y: yText } as const;
      return { ...members, use, exp, kid: thumbprint(members) };
    }
    if (kty !== "OKP") throw refuse("kty", 'neither "EC" nor "OKP"');
    if (crv !== "Ed25519") throw refuse("crv", "not Ed25519");
    if (y !== undefined) throw refuse("y", "unknown member");
    const [text, bytes] = coordinate("x", x);
    if (!isEd25519Key(bytes)) throw refuse("x", "not a point of the curve, or of small order");
    if (use !== "sig") throw refuse("use", "an Ed25519 key only signs");
    const members = { kty: "OKP", crv: "Ed25519", x: text } as const;
    return { ...members, use, exp, kid: thumbprint(members) };
  };
  const made = key();
  if (kid !== undefined && kid !== made.kid) throw refuse("kid", "not the key's thumbprint");
  return made;
}

/** RFC 7638: SHA-256 of the required members as canonical JSON. */
function thumbprint(members: Readonly<Record<string, string>>): string {
  return base64urlnopad.encode(sha256(utf8(canonicalJson(members)), "bytes"));
}
