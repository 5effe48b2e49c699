import type { Hex } from "viem";
import type { AgentTypeIndex } from "../../../protocol/index.ts";
import { isPlainObject, storageIdIn, textOfDataUri } from "../../../protocol/index.ts";
import {
  ARCHIVE_KEY,
  CLEARED_METADATA,
  namesSoul,
  serviceMetadata,
} from "../../../protocol/service-metadata.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ArchivedItem } from "../../platform/storage/stored-content.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import type {
  IndexedAgent,
  IndexedAgents,
  OriginalSoul,
  Reading,
  SoulOrigin,
  UnclaimedAgent,
  UnclaimedReads,
} from "../../soul/index-reads.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { noSuchSoul } from "../../soul/soul-ref.ts";
import type { ValidityStatus } from "../../soul/validity.ts";
import { validityOf } from "../../soul/validity.ts";
import { SUSPENDED_UNTIL_RESEAL } from "../../soul/with-sealer.ts";
import type { FileDeps, LooseFile, MetadataUpdates } from "../passports/index.ts";
import { describesSoul, metadataUpdates } from "../passports/index.ts";
import { type ArchivedClaim, readArchivedSoul } from "./archived-soul.ts";

export type CheckStatus = "valid" | "invalid" | "pending";

/** A check and its result. */
export interface Check {
  readonly status: CheckStatus;
  /** A sentence for readers. */
  readonly details: string;
}

export interface Verification {
  readonly agentName: string;
  /** Null before claim. */
  readonly tokenId: bigint | null;
  /** Null before claim. */
  readonly erc8004AgentId: bigint | null;
  readonly checks: {
    /** The chain's soul hash, against the archived record. */
    readonly soulHash: Check & { readonly txHash: Hex | null };
    /** The archive, read again and hashed. */
    readonly arweave: Check & { readonly txId: string | null };
    /** The transaction that registered the soul. */
    readonly baseTx: Check & { readonly txHash: Hex | null; readonly timestamp: Date | null };
    readonly sealed: {
      readonly status: "sealed" | "provisional";
      readonly timestamp: Date | null;
    };
    readonly soulValidity: { readonly status: ValidityStatus; readonly reason: string };
    /**
     * The service's metadata on the passport and the registration file, against the current soul.
     */
    readonly passport: Check & MetadataUpdates & { readonly needsAgentUriUpdate: boolean };
  };
  readonly overallStatus: "verified" | "partial" | "failed";
  /**
   * The soul that had its hash or Merkle root first, as last indexed; null for none. It does not
   * change the status.
   */
  readonly duplicateOf: OriginalSoul | null;
}

/** The chain's data on a soul's passport, all of one block. */
export interface VerifiedPassport {
  /** Token id of the soul that it carries; 0 for none. */
  readonly carried: bigint;
  readonly uri: string;
  readonly humanVerified: boolean;
  /** Whether the passport writer may write to the passport. */
  readonly isApproved: boolean;
  /** Whether the soul registry has the id of the soul's archive. */
  readonly hasArchive: boolean;
  /** In the order of the requested keys; `0x` for no value. */
  readonly metadata: readonly Hex[];
}

export interface VerificationChain {
  /** The passport of a soul, with its metadata under `keys`. */
  passport(passportId: bigint, tokenId: bigint, keys: readonly string[]): Promise<VerifiedPassport>;
  /** A transaction's effect on a soul; null when the chain has no such transaction. */
  registration(
    txHash: Hex,
    tokenId: bigint,
  ): Promise<{ readonly registered: boolean; readonly timestamp: Date } | null>;
}

export interface VerificationDeps {
  readonly reads: IndexedAgents & { soulOrigin(tokenId: bigint): Promise<SoulOrigin | null> };
  /** Agents that are not on chain yet. */
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly souls: ChainSouls;
  readonly chain: VerificationChain;
  readonly inspect: (id: string) => Promise<ArchivedItem>;
  readonly context: FileDeps["context"];
}

export type VerificationService = ReturnType<typeof createVerificationService>;

/** Checks of agents against chain and permanent storage. */
export const createVerificationService = (deps: VerificationDeps) => ({
  verify: (agent: SoulRef) => verify(deps, agent),
});

/**
 * Checks an agent anew at every call, without trusting the service's own records.
 *
 * @throws ApiError NOT_FOUND
 */
async function verify(deps: VerificationDeps, agent: SoulRef): Promise<Reading<Verification>> {
  const { reads, unclaimed, souls } = deps;
  const { at, value } = await reads.agent(agent);
  if (value === null) {
    const waiting = agent.kind === "name" ? await unclaimed(agent.name) : null;
    if (waiting === null) throw noSuchSoul(agent);
    return { at, value: unclaimedVerification(waiting) };
  }
  const { soul } = value;
  const [origin, live] = await Promise.all([
    reads.soulOrigin(soul.tokenId),
    unlessSilent(() => souls.soul(soul.tokenId)),
  ]);
  const file = registrationFileOf(deps, value);
  // Some checks do not wait for it.
  file.catch(() => {});
  const [archived, baseTx, passport] = await Promise.all([
    checkArchive(deps, value, origin, file),
    checkRegistration(deps, value),
    checkPassport(deps, value, live, file),
  ]);
  const checks = {
    soulHash: {
      ...checkSoulHash(value, at.block, live, archived.claim),
      txHash: origin?.tx ?? soul.sealTx,
    },
    arweave: { ...archived.check, txId: storageIdIn(`ar://${soul.archiveId}`) },
    baseTx,
    sealed: {
      status: soul.sealedAt === null ? "provisional" : "sealed",
      timestamp: soul.sealedAt === null ? null : dateOf(soul.sealedAt),
    },
    soulValidity: checkValidity(value, live),
    passport,
  } as const;
  return {
    at,
    value: {
      agentName: soul.name,
      tokenId: soul.tokenId,
      erc8004AgentId: soul.passportId,
      checks,
      overallStatus: overall(Object.values(checks).map(({ status }) => status)),
      duplicateOf: value.duplicateOf,
    },
  };
}

/**
 * The passport's file on permanent storage; null when it is elsewhere, or while storage does not
 * answer.
 */
async function registrationFileOf(
  { inspect }: VerificationDeps,
  { passport }: IndexedAgent,
): Promise<ArchivedItem | null> {
  const id = storageIdIn(passport?.uri ?? "");
  return id === null ? null : unlessSilent(() => inspect(id));
}

async function checkArchive(
  { inspect }: VerificationDeps,
  { soul, passport }: IndexedAgent,
  origin: SoulOrigin | null,
  registrationFile: Promise<ArchivedItem | null>,
): Promise<{ check: Check; claim: ArchivedClaim | null }> {
  if (soul.sealedAt === null) return { check: pending("Nothing is sealed yet."), claim: null };
  const id = storageIdIn(`ar://${soul.archiveId}`);
  if (id === null) {
    return { check: invalid("The chain names no archive that can be read."), claim: null };
  }
  const item = await unlessSilent(() => inspect(id));
  const problem = missingOrAltered(item, "The archived soul");
  if (problem || item?.state !== "intact") {
    return { check: problem ?? pending("Permanent storage does not answer."), claim: null };
  }
  const claim = readArchivedSoul(item.data, origin);
  if (typeof claim === "string") return { check: invalid(claim), claim: null };

  const fileId = storageIdIn(passport?.uri ?? "");
  if (fileId !== null) {
    const wrong = missingOrAltered(await registrationFile, "The registration file");
    if (wrong) return { check: wrong, claim };
  }
  return {
    check: valid(
      "The archived soul and the registration file were read again: signatures, ids and hashes are right.",
    ),
    claim,
  };
}

/**
 * Whether the passport matches the current soul. The passport of a burned soul does not name it,
 * and its file is inactive.
 */
async function checkPassport(
  { chain, context }: VerificationDeps,
  record: IndexedAgent,
  live: ChainSoul | null,
  registrationFile: Promise<ArchivedItem | null>,
): Promise<Verification["checks"]["passport"]> {
  const { soul } = record;
  const { passportId, tokenId } = soul;
  const isBurned = soul.status === "BURNED";
  if (live === null) return passportCheck(pending("The chain does not answer."));
  const expected = expectedMetadata(soul, live);
  const keys = expected.map(([key]) => key);
  const passport = await unlessSilent(() => chain.passport(passportId, tokenId, keys));
  if (passport === null) return passportCheck(pending("The chain does not answer."));
  if (isBurned && passport.carried !== 0n) {
    return passportCheck(valid("The soul is burned, and its passport carries another one."));
  }
  const { isApproved, hasArchive, metadata } = passport;
  // `sync` clears for the last sealer only, and has no archive id of a batch.
  const isSynced = (key: string) =>
    isBurned ? live.passportOwner === live.sealer : hasArchive || key !== ARCHIVE_KEY;
  const left = isBurned && !namesSoul(metadata, tokenId) ? [] : expected;
  const updates = metadataUpdates(left, metadata, {
    passportId,
    tokenId,
    isApproved,
    isSynced,
    context,
  });
  const file = await fileState(context, record, live, passport, registrationFile);
  const needsAgentUriUpdate = file !== null;
  const problems = [
    ...updates.pendingMetadata.map(({ key }) => `The passport's ${key} is not the soul's.`),
    ...(file === null ? [] : [file]),
  ];
  const check =
    problems.length === 0
      ? valid("The passport's metadata and registration file match the soul.")
      : pending(`${problems.join(" ")} Its owner can update them.`);
  return { ...check, ...updates, needsAgentUriUpdate };
}

/**
 * The problem of the registration file; null when it describes the soul, or another owner answers
 * for it.
 */
async function fileState(
  context: VerificationDeps["context"],
  { soul, passport: indexed }: IndexedAgent,
  live: ChainSoul,
  { uri, humanVerified }: VerifiedPassport,
  registrationFile: Promise<ArchivedItem | null>,
): Promise<string | null> {
  if (live.validity === "suspended") return null;
  if (uri !== indexed?.uri) return "The passport's URI is newer than the index.";
  const file = inlineFile(uri) ?? parsedFile(await registrationFile);
  if (file === null) return "The registration file cannot be read from permanent storage.";
  const agentType = soul.agentType as AgentTypeIndex;
  const stated = { ...soul, agentType, humanVerified, soulHash: live.soulHash };
  const active = soul.status !== "BURNED";
  return describesSoul(file, stated, { active, context })
    ? null
    : "The registration file does not describe the current soul.";
}

async function checkRegistration(
  { chain }: VerificationDeps,
  { soul }: IndexedAgent,
): Promise<Verification["checks"]["baseTx"]> {
  const txHash = soul.mintTx;
  let found: Awaited<ReturnType<VerificationChain["registration"]>>;
  try {
    found = await chain.registration(txHash, soul.tokenId);
  } catch (error) {
    if (!isSilence(error)) throw error;
    return { ...pending("The chain does not answer."), txHash, timestamp: null };
  }
  if (found === null) {
    return { ...pending("The chain does not have this transaction."), txHash, timestamp: null };
  }
  const check = found.registered
    ? valid("The transaction registered this soul.")
    : invalid("The transaction did not register this soul.");
  return { ...check, txHash, timestamp: found.timestamp };
}

function passportCheck(check: Check): Verification["checks"]["passport"] {
  return { ...check, pendingMetadata: [], approvalTransaction: null, needsAgentUriUpdate: false };
}

function expectedMetadata(soul: IndexedAgent["soul"], live: ChainSoul) {
  if (soul.status === "BURNED") return CLEARED_METADATA;
  const isProvisional = soul.status === "PROVISIONAL";
  const ofSealed = live.validity === "suspended" ? "SUSPENDED" : "SEALED";
  return serviceMetadata({
    tokenId: soul.tokenId,
    soulHash: live.soulHash,
    archiveId: soul.archiveId,
    status: isProvisional ? "PENDING" : ofSealed,
  });
}

function inlineFile(uri: string): LooseFile | null {
  const text = textOfDataUri(uri);
  return text === null
    ? null
    : parsedFile({ state: "intact", data: new TextEncoder().encode(text) });
}

function parsedFile(item: ArchivedItem | null): LooseFile | null {
  if (item?.state !== "intact") return null;
  try {
    const file: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(item.data));
    return isPlainObject(file) ? file : null;
  } catch {
    return null;
  }
}

function checkSoulHash(
  { soul }: IndexedAgent,
  indexedBlock: bigint,
  live: ChainSoul | null,
  claim: ArchivedClaim | null,
): Check {
  if (soul.sealedAt === null) return pending("The soul is not sealed.");
  if (live === null) return pending("The chain does not answer.");
  if (live.soulHash !== soul.soulHash || live.soulMerkleRoot !== soul.soulMerkleRoot) {
    return live.block > indexedBlock
      ? pending("The chain has a newer soul than the index.")
      : invalid("The chain has another soul than the index.");
  }
  if (claim === null)
    return valid("The chain has this soul hash; the archive does not confirm it.");
  return claim.soulHash === live.soulHash && claim.soulMerkleRoot === live.soulMerkleRoot
    ? valid("The chain has this soul hash and Merkle root, and the archive says the same.")
    : invalid("The archive is about another soul than the chain.");
}

/** There is nothing to check yet. */
function unclaimedVerification({ name }: UnclaimedAgent): Verification {
  const waiting = pending("The agent waits for its owner to claim it.");
  const checks = {
    soulHash: { ...waiting, txHash: null },
    arweave: { ...waiting, txId: null },
    baseTx: { ...waiting, txHash: null, timestamp: null },
    sealed: { status: "provisional", timestamp: null },
    soulValidity: { status: "not_linked", reason: REASONS.not_linked },
    passport: passportCheck(waiting),
  } as const;
  return {
    agentName: name,
    tokenId: null,
    erc8004AgentId: null,
    checks,
    overallStatus: "partial",
    duplicateOf: null,
  };
}

const REASONS: Readonly<Record<ValidityStatus, string>> = {
  valid: "The sealer owns the passport.",
  suspended: SUSPENDED_UNTIL_RESEAL,
  not_linked: "The soul is not sealed, is burned, or its passport does not exist.",
};

function checkValidity(agent: IndexedAgent, live: ChainSoul | null) {
  const status = live?.validity ?? validityOf(agent);
  const since = live === null ? " As last indexed: the chain does not answer." : "";
  return { status, reason: `${REASONS[status]}${since}` };
}

function overall(statuses: readonly string[]): Verification["overallStatus"] {
  const some = (...which: string[]) => statuses.some((status) => which.includes(status));
  if (some("invalid", "suspended")) return "failed";
  return some("pending", "provisional", "not_linked") ? "partial" : "verified";
}

function missingOrAltered(item: ArchivedItem | null, what: string): Check | null {
  if (item === null) return pending("Permanent storage does not answer.");
  if (item.state === "missing") return pending(`${what} is not found on permanent storage.`);
  return item.state === "altered" ? invalid(`${what} was altered since it was signed.`) : null;
}

/** The answer, or null when the chain or the storage does not answer. */
async function unlessSilent<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isSilence(error)) return null;
    throw error;
  }
}

function isSilence(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.type === "CHAIN_UNAVAILABLE" || error.type === "STORAGE_UNAVAILABLE")
  );
}

const valid = (details: string): Check => ({ status: "valid", details });
const invalid = (details: string): Check => ({ status: "invalid", details });
const pending = (details: string): Check => ({ status: "pending", details });
