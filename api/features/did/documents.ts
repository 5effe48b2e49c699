import {
  agentDidDocument,
  archiveIdOf,
  currentKeys,
  type DidDocument,
  didOf,
  InvalidDidError,
  isStorageId,
  isValidName,
  parseDid,
  parsePassportName,
} from "../../../protocol/index.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type {
  IndexedAgents,
  IndexedPassport,
  PassportReads,
  Reading,
} from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { byName, byPassport, byTokenId, noSuchSoul } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";
import type { RegistrationFiles } from "../passports/index.ts";
import type { KeySets } from "./key-sets.ts";
import type { ArchivedDidRecord, DidArchiveHolder, DidRecords } from "./records.ts";

/** Most versions that are walked back to an older one. */
const MAX_STEPS = 1_000;
/** Longest time for that walk, in milliseconds: an owner can make the chain of records as long as it likes. */
const MAX_WALK_MS = 5_000;

/** A DID document and what DID Core says beside it. */
export interface DidResolution {
  readonly document: DidDocument;
  readonly metadata: {
    readonly created?: Date | undefined;
    /** Present, and true, once the agent is burned. */
    readonly deactivated?: true | undefined;
    /** Storage id of the record that the document was made with. */
    readonly versionId?: string | undefined;
    /** Storage id of the record after it; present where an older version was asked for. */
    readonly nextVersionId?: string | undefined;
  };
  /** Whether the soul's seal is valid. */
  readonly isValid: boolean;
}

/** What DID documents are made from. */
export interface DidDocuments {
  readonly chainId: number;
  readonly reads: IndexedAgents & PassportReads;
  readonly records: DidRecords;
  readonly keySets: Pick<KeySets, "inEpoch">;
  readonly files: RegistrationFiles;
  /** Present time, where a test sets it. */
  readonly now?: Date;
  /** Longest time in milliseconds that the walk back to an older version may take; 5 seconds by default. */
  readonly walkMs?: number;
}

/**
 * The document of an agent, or of a passport by its own name `agent-<id>`, as last indexed.
 *
 * @param reference A name, a token id, `did:svc:<name>` or `did:svc:<chain>:<name>`.
 * @param versionId Storage id of an older record of the present epoch; owner, operator and services are those of now.
 * @throws ApiError INVALID_NAME; INVALID_REQUEST for what is no DID or one of another chain; NOT_FOUND, before the claim too, since
 * a DID begins with its registration on chain; STORAGE_UNAVAILABLE.
 */
export async function resolveDid(
  dids: DidDocuments,
  reference: string,
  versionId?: string,
): Promise<Reading<DidResolution>> {
  // All digits is always a token id: no agent has such a name.
  if (/^[0-9]+$/.test(reference)) {
    return ofSoul(dids, byTokenId(tokenIdIn(reference)), versionId);
  }
  const name = nameIn(dids, reference);
  const passportId = parsePassportName(name);
  if (passportId === null) return ofSoul(dids, byName(name), versionId);
  // A passport's own document has nothing that is archived.
  if (versionId !== undefined) throw unknownVersion(versionId);
  return ofPassport(dids, name, passportId);
}

/** The name in a reference, refused as `resolveDid` does. */
export function nameIn({ chainId }: Pick<DidDocuments, "chainId">, reference: string): string {
  if (!reference.startsWith("did:")) {
    const name = reference.toLowerCase();
    if (isValidName(name) || parsePassportName(name) !== null) return name;
    throw new ApiError("INVALID_NAME", { details: { name: reference } });
  }
  try {
    const named = parseDid(reference, chainId);
    if (named.chainId === chainId) return named.name;
    throw refused(`Only agents of chain ${chainId} are known here`);
  } catch (error) {
    if (error instanceof InvalidDidError) throw refused(error.message);
    throw error;
  }
}

async function ofSoul(
  dids: DidDocuments,
  reference: SoulRef,
  versionId: string | undefined,
): Promise<Reading<DidResolution>> {
  const { chainId, reads, keySets, files } = dids;
  const { at, value: agent } = await requireAgent(reads, reference);
  const { soul, passport } = agent;
  const isBurned = soul.status === "BURNED";
  const isValid = validityOf(agent) === "valid";
  const [archived, keySet, file] = await Promise.all([
    archivedOf(dids, soul, isValid, versionId),
    isValid ? keySets.inEpoch(soul) : null,
    isBurned ? null : fileOf(files, passport),
  ]);
  const document = agentDidDocument({
    chainId,
    name: soul.name,
    alsoKnownAs: [],
    passportOwner: passport?.owner ?? null,
    soul: { status: soul.status, isValid, operator: soul.operator },
    addresses: archived?.record.addresses ?? [],
    keys: keySet === null ? [] : currentKeys(keySet.set, (dids.now ?? new Date()).getTime() / 1000),
    services: file?.services ?? [],
  });
  const metadata = {
    created: dateOf(soul.mintTimestamp),
    deactivated: isBurned ? (true as const) : undefined,
    versionId: archived?.id,
    nextVersionId: archived?.next ?? undefined,
  };
  return { at, value: { document, metadata, isValid } };
}

/** The record in force, or the older one that was asked for; nothing that an owner listed counts while the seal is not valid. */
async function archivedOf(
  { records, walkMs = MAX_WALK_MS }: DidDocuments,
  soul: DidArchiveHolder,
  isValid: boolean,
  versionId: string | undefined,
): Promise<(ArchivedDidRecord & { readonly next: string | null }) | null> {
  if (versionId !== undefined && !isStorageId(versionId)) throw unknownVersion(versionId);
  let archived = isValid ? await records.of(soul) : null;
  let next: string | null = null;
  const deadline = performance.now() + walkMs;
  for (let step = 0; step < MAX_STEPS && versionId !== undefined; step += 1) {
    if (archived === null || archived.id === versionId) break;
    if (performance.now() > deadline) throw new ApiError("STORAGE_UNAVAILABLE");
    const { previous } = archived.record;
    next = archived.id;
    archived =
      previous === null ? null : await records.of({ ...soul, didArchiveId: archiveIdOf(previous) });
  }
  if (versionId === undefined || archived?.id === versionId) {
    return archived === null ? null : { ...archived, next };
  }
  throw unknownVersion(versionId);
}

async function ofPassport(
  { chainId, reads, files }: DidDocuments,
  name: string,
  passportId: bigint,
): Promise<Reading<DidResolution>> {
  const bound = await reads.agent(byPassport(passportId));
  const { at, value: passport } = bound.value?.passport
    ? { at: bound.at, value: bound.value.passport }
    : await reads.passport(passportId);
  if (passport === null || passport.owner === null) throw noSuchSoul(byName(name));
  const file = await fileOf(files, passport);
  const document = agentDidDocument({
    chainId,
    name,
    soul: null,
    addresses: [],
    passportOwner: passport.owner,
    services: file?.services ?? [],
    alsoKnownAs: bound.value === null ? [] : [didOf(chainId, bound.value.soul.name)],
  });
  const { registeredAt } = passport;
  const created = registeredAt === null ? undefined : dateOf(registeredAt);
  return { at, value: { document, metadata: { created }, isValid: false } };
}

async function fileOf(files: RegistrationFiles, passport: IndexedPassport | null) {
  return passport?.uri == null ? null : files.read(passport.uri);
}

/** @throws ApiError INVALID_REQUEST */
function tokenIdIn(digits: string): bigint {
  const tokenId = Number(digits);
  if (/^[1-9]/.test(digits) && Number.isSafeInteger(tokenId)) return BigInt(tokenId);
  throw refused("Not a token id");
}

function unknownVersion(versionId: string): ApiError {
  return new ApiError("NOT_FOUND", {
    message: "The document has no version with this id in the agent's present epoch.",
    details: { versionId },
  });
}

function refused(message: string): ApiError {
  return badRequest("name", message);
}
