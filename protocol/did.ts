import { SERVICE_SEGMENT } from "./constants.ts";
import { ProtocolError } from "./errors.ts";
import { isValidName, parsePassportName } from "./names.ts";

const PREFIX = `did:${SERVICE_SEGMENT}:`;

/** The text or its parts are not a DID of this service. */
export class InvalidDidError extends ProtocolError {
  override readonly name = "InvalidDidError";
  readonly code = "invalid_did";

  constructor(readonly did: string) {
    super(`A DID of this service has the form ${PREFIX}<chain id>:<agent name>.`);
  }
}

export interface ParsedDid {
  chainId: number;
  name: string;
}

/**
 * The DID of the agent `name` on chain `chainId`: `did:svc:<chain id>:<agent name>`.
 * @param name A given name, or `agent-<id>` for a passport without a soul.
 * @throws InvalidDidError when the name or the chain id could not be parsed again.
 */
export function didOf(chainId: number, name: string): string {
  const did = `${PREFIX}${chainId}:${name}`;
  if (!isChainId(chainId) || !isDidName(name)) throw new InvalidDidError(did);
  return did;
}

/**
 * Reads a DID with or without its chain id.
 * @param defaultChainId The chain of a DID without a chain id.
 * @throws InvalidDidError for anything else, DID URLs (with path, query or fragment) included.
 */
export function parseDid(did: string, defaultChainId: number): ParsedDid {
  if (!did.startsWith(PREFIX)) throw new InvalidDidError(did);
  const parts = did.slice(PREFIX.length).split(":");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2 || !isDidName(name)) throw new InvalidDidError(did);
  if (parts.length === 1) return { chainId: defaultChainId, name };

  const digits = parts[0] ?? "";
  const chainId = /^[1-9][0-9]{0,15}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!isChainId(chainId)) throw new InvalidDidError(did);
  return { chainId, name };
}

function isChainId(chainId: number): boolean {
  return Number.isSafeInteger(chainId) && chainId > 0;
}

function isDidName(name: string): boolean {
  return isValidName(name) || parsePassportName(name) !== null;
}
