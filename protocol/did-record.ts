import { type Address, getAddress, isAddress } from "viem";
import {
  accountId,
  type ChainAddress,
  InvalidChainAddressError,
  isNameOfChain,
  parseChainAddress,
} from "./chain-address.ts";
import { didOf } from "./did.ts";
import { ProtocolError } from "./errors.ts";
import { canonicalJson, isPlainObject, type JsonValue, parseJsonStrict } from "./json.ts";
import { isStorageId } from "./storage-id.ts";

/** Format tag of the archived part of a DID document; raise it when any rule below changes. */
export const DID_RECORD_FORMAT = "svc-did/1";

/** Most addresses of one agent. */
export const MAX_DID_ADDRESSES = 20;

const LIMITS = { maxDepth: 4, maxBytes: 64 * 1024 } as const;

/** The soul that a record belongs to. */
export interface DidSubject {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly name: string;
  readonly tokenId: bigint;
  /** A new owner starts with an empty list. */
  readonly epoch: number;
}

/**
 * What an owner adds to the agent's DID document beyond the data on chain. It is archived on
 * permanent storage, and the soul registry holds its id. It holds no time: the same change always
 * gives the same bytes, so the owner can sign the id in advance.
 */
export interface DidRecord extends DidSubject {
  /** Counts the records of the epoch, from 1. */
  readonly version: number;
  /** Storage id of the previous record of the epoch; null for the first. */
  readonly previous: string | null;
  readonly addresses: readonly ChainAddress[];
}

/** The bytes are not a record, or are the record of another agent. */
export class InvalidDidRecordError extends ProtocolError {
  override readonly name = "InvalidDidRecordError";
  readonly code = "invalid_did_record";

  constructor(readonly reason: string) {
    super(`This is not the archived DID record of the agent: ${reason}.`);
  }
}

/** The address list cannot be changed in this way. */
export class DidChangeError extends ProtocolError {
  override readonly name = "DidChangeError";
  readonly code = "did_change";

  constructor(readonly reason: "listed" | "absent" | "full") {
    super(CHANGE_REASONS[reason]);
  }
}

const CHANGE_REASONS = {
  listed: "The address is in the document already.",
  absent: "The address is not in the document.",
  full: `A document holds at most ${MAX_DID_ADDRESSES} addresses.`,
} as const;

export type DidChange =
  | { readonly kind: "add"; readonly address: ChainAddress }
  | { readonly kind: "remove"; readonly chain: string; readonly address: string };

/**
 * The record that follows `current`.
 *
 * @param current The record in force and its storage id; null when the epoch has none.
 * @throws DidChangeError
 */
export function nextDidRecord(
  subject: DidSubject,
  current: { readonly id: string; readonly record: DidRecord } | null,
  change: DidChange,
): DidRecord {
  const { chainId, soulRegistry, name, tokenId, epoch } = subject;
  return {
    chainId,
    soulRegistry,
    name,
    tokenId,
    epoch,
    version: (current?.record.version ?? 0) + 1,
    previous: current?.id ?? null,
    addresses: changed(current?.record.addresses ?? [], change),
  };
}

function changed(addresses: readonly ChainAddress[], change: DidChange): readonly ChainAddress[] {
  if (change.kind === "remove") {
    const left = addresses.filter((entry) => accountId(entry) !== accountId(change));
    if (left.length === addresses.length) throw new DidChangeError("absent");
    return left;
  }
  const { address } = change;
  if (addresses.some((entry) => accountId(entry) === accountId(address))) {
    throw new DidChangeError("listed");
  }
  if (addresses.length >= MAX_DID_ADDRESSES) throw new DidChangeError("full");
  return [...addresses, address];
}

/** The record as it is archived: canonical JSON. */
export function didRecordJson(record: DidRecord): string {
  return canonicalJson({
    format: DID_RECORD_FORMAT,
    did: didOf(record.chainId, record.name),
    soulRegistry: getAddress(record.soulRegistry),
    tokenId: record.tokenId.toString(),
    epoch: record.epoch,
    version: record.version,
    previous: record.previous,
    addresses: record.addresses.map(({ chain, sentChain, address, label, keyType }) => {
      const entry = { chain, address, label, keyType };
      return sentChain === undefined ? entry : { ...entry, sentChain };
    }),
  });
}

/**
 * Reads an archived record. The owner put its id on chain, but no contract checks its content: a
 * record of another agent or epoch, and any other format, is rejected.
 *
 * @throws InvalidDidRecordError
 */
export function parseDidRecord(text: string, subject: DidSubject): DidRecord {
  const json = parsedJson(text);
  const { format, soulRegistry, addresses, previous, version } = json;
  if (format !== DID_RECORD_FORMAT) throw new InvalidDidRecordError("its format is unknown");
  const isOfSubject =
    json.did === didOf(subject.chainId, subject.name) &&
    typeof soulRegistry === "string" &&
    isAddress(soulRegistry) &&
    getAddress(soulRegistry) === getAddress(subject.soulRegistry) &&
    json.tokenId === subject.tokenId.toString() &&
    json.epoch === subject.epoch;
  if (!isOfSubject) throw new InvalidDidRecordError("it is of another agent or epoch");
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) {
    throw new InvalidDidRecordError("its version is not a number from 1");
  }
  if (previous !== null && (typeof previous !== "string" || !isStorageId(previous))) {
    throw new InvalidDidRecordError("its predecessor is not a storage id");
  }
  if ((previous === null) !== (version === 1)) {
    throw new InvalidDidRecordError("only the first version has no predecessor");
  }
  if (!Array.isArray(addresses) || addresses.length > MAX_DID_ADDRESSES) {
    throw new InvalidDidRecordError(`it has no list of at most ${MAX_DID_ADDRESSES} addresses`);
  }
  const read = addresses.map(parsedEntry);
  if (new Set(read.map(accountId)).size !== read.length) {
    throw new InvalidDidRecordError("an address is listed twice");
  }
  return { ...subject, version, previous, addresses: read };
}

function parsedJson(text: string): Record<string, JsonValue> {
  let json: JsonValue;
  try {
    json = parseJsonStrict(text, LIMITS);
  } catch {
    throw new InvalidDidRecordError("it is not JSON");
  }
  if (!isPlainObject(json)) throw new InvalidDidRecordError("it is not an object");
  return json as Record<string, JsonValue>;
}

function parsedEntry(entry: JsonValue): ChainAddress {
  const fields = isPlainObject(entry) ? (entry as Record<string, JsonValue>) : {};
  const { chain, address, label, keyType } = fields;
  const areTexts = [chain, address, label, keyType].every((field) => typeof field === "string");
  if (!areTexts) throw new InvalidDidRecordError("an address lacks a field");
  try {
    const stored = { chain, address, label, keyType } as Record<keyof ChainAddress, string>;
    // The name is shown instead of the id, so it must be a name of that chain.
    const sent = fields.sentChain;
    if (sent !== undefined && (typeof sent !== "string" || !isNameOfChain(sent, stored.chain))) {
      throw new InvalidDidRecordError("an address has the name of another chain");
    }
    const parsed = parseChainAddress(stored);
    // Only the stored form is accepted: another spelling would count as a second account.
    if (parsed.chain === chain && parsed.address === address) {
      return sent === undefined ? parsed : { ...parsed, sentChain: sent };
    }
    throw new InvalidDidRecordError("an address is not in its stored form");
  } catch (error) {
    if (!(error instanceof InvalidChainAddressError)) throw error;
    throw new InvalidDidRecordError(`an address is invalid (${error.message})`);
  }
}
