import type { Address, Hex } from "viem";
import { isAddressEqual } from "viem";
import type { DisclosurePolicy, Field } from "../../../protocol/index.ts";
import {
  auditUploadText,
  decideField,
  disclosureExpiresAt,
  FALLBACK_EXPIRY,
  FIELDS,
} from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { MessageSignatures } from "../../kernel/signatures.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { ownerOf } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import type { AuditedFile, SoulReader } from "../../soul/text/soul-tasks.ts";
import type { DisclosureStore } from "../disclosure/index.ts";
import type { ArchivedClaim } from "../verification/index.ts";
import type { Audit, AuditKind, IndexedMember, MembersOf, OrganizationChain } from "./audits.ts";
import { type ReadFile, readUpload, type UploadPart } from "./files.ts";
import type {
  AuditedAgent,
  AuditPackage,
  AuditPlace,
  AuditRecord,
  ReleasedFields,
} from "./records.ts";
import { auditedAgent, auditPackage, auditRecord, auditRecordContent } from "./records.ts";
import { type ChronicleTally, compareSoul, verifyAudit } from "./verification.ts";

/** How often a file may be compared with one agent's soul, for one audit. */
const MAX_TRIES = 3;
/** Most files of one upload. */
export const MAX_FILES = 1_000;

/** Audits. */
export interface AuditStore {
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  add(transaction: Transaction, audit: Audit): Promise<void>;
  find(id: string): Promise<Audit | null>;
  /** Locked until the transaction's end. */
  lock(transaction: Transaction, id: string): Promise<Audit | null>;
  /** Counts one try for each agent. Resolves to those that have had `max` already: not counted. */
  takeTries(
    transaction: Transaction,
    auditId: string,
    tokenIds: readonly bigint[],
    max: number,
  ): Promise<readonly bigint[]>;
  /** Writes the end, with the job that archives the record. */
  complete(
    transaction: Transaction,
    id: string,
    record: AuditRecord,
    completedAt: Date,
  ): Promise<void>;
  /** The record of a completed audit that is not archived yet; null for any other audit. */
  unarchived(id: string): Promise<AuditRecord | null>;
  archived(id: string, archiveId: string): Promise<void>;
  delivered(id: string, deliveredTo: string): Promise<void>;
}

/** The parts of an audit that need neither its file nor its signer. */
export interface AuditedHistory {
  /**
   * What the archive says of a soul; null when it is missing, altered or no record of a soul.
   *
   * @throws ApiError STORAGE_UNAVAILABLE, INDEX_BEHIND
   */
  archivedClaim(soul: ChainSoul): Promise<ArchivedClaim | null>;
  /** Checks all chronicles of a soul as of its block. */
  chronicles(soul: ChainSoul): Promise<ChronicleTally>;
}

/** What is stored of souls, and who may see which of their fields. */
export interface AuditedSecrets {
  /** The stored salt of a soul; null for none. */
  salt(soul: SoulEpoch): Promise<Hex | null>;
  /** The active policy, by default outside of a transaction. */
  policy(soul: SoulEpoch, transaction?: Transaction): Promise<DisclosurePolicy | null>;
}

/** Sends a package once. Resolves to the origin that took it; null when none did. */
export type DeliverPackage = (
  regulatoryDid: string,
  auditPackage: AuditPackage,
) => Promise<string | null>;

export interface AuditUploadDeps {
  readonly store: AuditStore;
  readonly disclosures: Pick<DisclosureStore, "add">;
  readonly souls: ChainSouls;
  readonly chain: OrganizationChain;
  readonly membersOf: MembersOf;
  readonly history: AuditedHistory;
  readonly secrets: AuditedSecrets;
  readonly reader: SoulReader;
  readonly signatures: MessageSignatures;
  readonly archive: {
    archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
  };
  readonly deliver: DeliverPackage;
  readonly place: AuditPlace;
  readonly log: { warn(details: object, message: string): void };
  readonly clock: () => Date;
  readonly newId: () => string;
}

/** A completed audit. The package alone holds values, and it is not stored. */
export interface CompletedAudit {
  readonly audit: Audit;
  readonly record: AuditRecord;
  readonly package: AuditPackage;
  /** Null while permanent storage does not answer: a job archives the record later. */
  readonly archiveId: string | null;
  /** Origin of the endpoint that took the package; null when none did. */
  readonly deliveredTo: string | null;
}

/** A file, and the soul with which it is compared. */
interface Match {
  readonly soul: ChainSoul;
  readonly part: string;
  readonly file: NonNullable<AuditedFile["soul"]>;
}

interface Compared extends Match {
  /** The fields that may be released, as long as the agent's policy still lets an audit have them. */
  readonly kept: readonly Field[];
}

export type AuditUploads = ReturnType<typeof createAuditUploads>;

/**
 * Uploads of the files of audits. An upload is verified as a whole, and completes its audit in one
 * transaction: of two at once, one does. A refused one changes nothing but the number of tries.
 */
export function createAuditUploads(deps: AuditUploadDeps) {
  return {
    /**
     * Verifies the file of a single agent's audit.
     *
     * @throws ApiError NOT_FOUND, GONE; of `readUpload`; INVALID_SIGNATURE; of `requireSoul`;
     * NOT_OWNER; RATE_LIMIT_EXCEEDED; HASH_MISMATCH; STORAGE_UNAVAILABLE, INDEX_BEHIND.
     */
    async regulatory(auditId: string, parts: AsyncIterable<UploadPart>): Promise<CompletedAudit> {
      const audit = await openAudit(deps, auditId, "regulatory");
      const subject = subjectOf(audit);
      const stored = await deps.secrets.salt(subject);
      const kept = releasedFields(await deps.secrets.policy(subject));
      const upload = await readUpload(withSalt(parts, stored), deps.reader, {
        salts: {},
        caller: auditId,
        valuesOf: kept,
        partOf: () => "file",
        maxFiles: 1,
      });
      await assertSigned(deps, audit, upload.files, upload.signature);
      const [{ soul: file, part }] = upload.files as readonly [ReadFile];
      if (file === null) {
        throw badRequest("salt", "The service has no salt of this soul: send it");
      }
      const soul = await requireSoul(deps.souls, subject.tokenId, "active");
      if (soul.epoch !== subject.epoch) {
        throw new ApiError("GONE", {
          message: "This audit ended: the agent was resealed. Its new owner signs a new one.",
        });
      }
      if (!isAddressEqual(soul.owner, audit.signer)) throw new ApiError("NOT_OWNER");
      return conclude(deps, audit, soul.block, [{ soul, part, file, kept }], []);
    },

    /**
     * Verifies the files of an organization's audit. Agents without a file, or without a salt that
     * may be used, are not verified.
     *
     * @throws ApiError as `regulatory` does.
     */
    async organization(auditId: string, parts: AsyncIterable<UploadPart>): Promise<CompletedAudit> {
      const audit = await openAudit(deps, auditId, "organization");
      const organizationId = audit.organizationId as bigint;
      const recorded = await deps.membersOf(organizationId);
      const upload = await readUpload(parts, deps.reader, {
        salts: await saltsOf(deps, recorded, audit.signer),
        caller: auditId,
        valuesOf: [],
        partOf: (index) => `files.${index}`,
        maxFiles: MAX_FILES,
      });
      await assertSigned(deps, audit, upload.files, upload.signature);
      const tokenIds = recorded.map(({ tokenId }) => tokenId);
      const { admin, block, members } = await deps.chain.organization(organizationId, tokenIds);
      if (admin === null || !isAddressEqual(admin, audit.signer)) {
        throw new ApiError("NOT_OWNER", {
          message: "The signer of this audit is not the organization's admin any more.",
        });
      }
      const { matches, unverified } = matched(upload.files, members, audit.signer);
      const compared = matches.map(
        ({ soul, part, file }): Compared => ({ soul, part, file, kept: FIELDS }),
      );
      return conclude(deps, audit, block, compared, unverified);
    },

    /** Archives the record of a completed audit, where its upload did not. */
    archiveRecord: (auditId: string) => archiveRecord(deps, auditId),
  };
}

async function openAudit(
  { store, clock }: AuditUploadDeps,
  id: string,
  kind: AuditKind,
): Promise<Audit> {
  const audit = await store.find(id);
  if (audit?.kind !== kind) throw noSuchAudit();
  assertOpen(audit, clock());
  return audit;
}

/** @throws ApiError INVALID_SIGNATURE, CHAIN_UNAVAILABLE */
async function assertSigned(
  deps: AuditUploadDeps,
  { id, signer }: Audit,
  files: readonly ReadFile[],
  signature: Hex,
): Promise<void> {
  const text = auditUploadText(
    id,
    files.map(({ hash }) => hash),
  );
  await deps.signatures.assertSigned(signer, text, signature);
}

/**
 * Counts a try for each agent before any comparison is answered, also that of a parallel upload.
 *
 * @throws ApiError of `assertOpen`; RATE_LIMIT_EXCEEDED.
 */
async function takeTries(
  { store, clock }: AuditUploadDeps,
  { id }: Audit,
  compared: readonly Compared[],
): Promise<void> {
  await store.inTransaction(async (tx) => {
    assertOpen(await store.lock(tx, id), clock());
    const tokenIds = compared.map(({ soul }) => soul.tokenId);
    const exhausted = await store.takeTries(tx, id, tokenIds, MAX_TRIES);
    if (exhausted.length === 0) return;
    const parts = compared
      .filter(({ soul }) => exhausted.includes(soul.tokenId))
      .map(({ part }) => part);
    throw new ApiError("RATE_LIMIT_EXCEEDED", {
      message: `An audit takes ${MAX_TRIES} files of one agent, and these agents have had theirs. Leave them out, or sign a new audit.`,
      details: { parts, maxTries: MAX_TRIES },
    });
  });
}

/**
 * Compares, records and sends. Everything about the chain is of the block of the souls. The tries
 * are counted first, because they bound the work, too.
 */
async function conclude(
  deps: AuditUploadDeps,
  audit: Audit,
  block: bigint,
  compared: readonly Compared[],
  unverified: readonly AuditedAgent[],
): Promise<CompletedAudit> {
  const { store, history, secrets, clock } = deps;
  await takeTries(deps, audit, compared);
  assertMatches(compared);
  const agents: AuditedAgent[] = [...unverified];
  for (const { soul, file } of compared) {
    const archived = await history.archivedClaim(soul);
    const chronicles = await history.chronicles(soul);
    const verification = verifyAudit(file, soul, archived, chronicles);
    agents.push(auditedAgent(soul, { verification, chronicles }));
  }
  agents.sort((a, b) => Number(BigInt(a.tokenId) - BigInt(b.tokenId)));

  const issuedAt = clock();
  const expiresAt = disclosureExpiresAt(FALLBACK_EXPIRY, issuedAt);
  const record = auditRecord(audit, block, issuedAt, expiresAt, agents, deps.place);
  const fields = await store.inTransaction(async (tx) => {
    assertOpen(await store.lock(tx, audit.id), issuedAt);
    await store.complete(tx, audit.id, record, issuedAt);
    const releases: ReleasedFields[] = [];
    for (const { soul, file, kept } of compared) {
      // The owner may have changed the policy while the files arrived.
      const allowed = releasedFields(await secrets.policy(soul, tx));
      const released = kept.filter((field) => allowed.includes(field));
      releases.push({
        tokenId: soul.tokenId,
        fields: file.fields.filter(({ field }) => released.includes(field)),
      });
      await deps.disclosures.add(tx, {
        id: deps.newId(),
        tokenId: soul.tokenId,
        epoch: soul.epoch,
        agentName: soul.name,
        fields: released,
        recipient: { tokenId: null, did: audit.regulatoryDid, name: audit.regulatoryBody },
        trigger: audit.kind === "regulatory" ? "regulatory_audit" : "org_audit",
        issuedAt,
        expiresAt,
        revokedAt: null,
      });
    }
    return releases;
  });
  return handOver(deps, audit, record, fields);
}

/** The audit is complete, and only this answer has the package: no failure may lose it. */
async function handOver(
  deps: AuditUploadDeps,
  audit: Audit,
  record: AuditRecord,
  fields: readonly ReleasedFields[],
): Promise<CompletedAudit> {
  const { id, regulatoryDid } = audit;
  const archiveId = await orNull(deps, id, "archived", () => archiveRecord(deps, id));
  const made = auditPackage(record, archiveId, fields, deps.place);
  const deliveredTo = await orNull(deps, id, "sent", () => deps.deliver(regulatoryDid, made));
  if (deliveredTo !== null) {
    await orNull(deps, id, "marked as sent", () => deps.store.delivered(id, deliveredTo));
  }
  return { audit, record, package: made, archiveId, deliveredTo };
}

/** Logs the name of an error alone: its text could hold a value. */
async function orNull<T>(
  { log }: AuditUploadDeps,
  auditId: string,
  done: string,
  work: () => Promise<T>,
) {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.name : typeof error;
    log.warn({ auditId, reason }, `a completed audit could not be ${done}`);
    return null;
  }
}

/** The same record always gets the same id, so that archiving it again stores nothing. */
async function archiveRecord(
  { store, archive }: AuditUploadDeps,
  auditId: string,
): Promise<string | null> {
  const record = await store.unarchived(auditId);
  if (record === null) return (await store.find(auditId))?.archiveId ?? null;
  const archiveId = await archive.archive(auditRecordContent(record));
  await store.archived(auditId, archiveId);
  return archiveId;
}

/** The stored salts of the members that the signer sealed, by name, as the index has them. */
async function saltsOf(
  { secrets }: AuditUploadDeps,
  members: readonly IndexedMember[],
  signer: Address,
): Promise<Record<string, Hex>> {
  const salts: Record<string, Hex> = {};
  for (const member of members) {
    if (!isAddressEqual(member.sealer, signer)) continue;
    const salt = await secrets.salt(member);
    if (salt !== null) salts[member.name] = salt;
  }
  return salts;
}

/** The upload's own salt wins over the stored one, which serves the owner who signed the audit. */
async function* withSalt(
  parts: AsyncIterable<UploadPart>,
  stored: Hex | null,
): AsyncGenerator<UploadPart> {
  let hasSalt = stored === null;
  for await (const part of parts) {
    if (part.kind === "salt") hasSalt = true;
    if (part.kind === "file" && !hasSalt) yield { kind: "salt", value: stored as Hex };
    yield part;
  }
}

/**
 * Which file is compared with which member.
 *
 * @throws ApiError INVALID_REQUEST for a file of no live member, and when nothing can be compared.
 */
function matched(files: readonly ReadFile[], members: readonly ChainSoul[], signer: Address) {
  const byName = new Map(members.map((soul) => [soul.name, soul]));
  const matches: Match[] = [];
  const unverified: AuditedAgent[] = [];
  const seen = new Set<bigint>();
  for (const { agentName, part, hasOwnSalt, soul: file } of files) {
    const soul = agentName === null ? undefined : byName.get(agentName);
    if (soul === undefined) {
      throw badRequest(part, "No live member of this organization has the name that it states");
    }
    seen.add(soul.tokenId);
    const owner = ownerOf(soul);
    const isOwn = owner !== null && isAddressEqual(owner, signer);
    if (file !== null && (hasOwnSalt || isOwn)) matches.push({ soul, part, file });
    else unverified.push(auditedAgent(soul, "salt_missing"));
  }
  if (matches.length === 0) {
    throw badRequest(
      "salt",
      "No file can be compared. Send the salt before the file of an agent that you do not own",
    );
  }
  for (const soul of members) {
    if (seen.has(soul.tokenId)) continue;
    unverified.push(auditedAgent(soul, "file_missing"));
  }
  return { matches, unverified };
}

/** @throws ApiError HASH_MISMATCH naming every file that is not the soul on chain. */
function assertMatches(compared: readonly Match[]): void {
  const files = compared.flatMap(({ soul, part, file }) => {
    const comparison = compareSoul(file, soul);
    const isMatch = comparison.soulHashMatch && comparison.merkleRootMatch;
    return isMatch ? [] : [{ part, agentName: soul.name, ...comparison }];
  });
  if (files.length === 0) return;
  throw new ApiError("HASH_MISMATCH", {
    message:
      "These files are not the souls that are sealed, or their salts are wrong. Nothing was recorded but the try.",
    details: { files },
  });
}

/** The fields that a policy lets an audit have. */
function releasedFields(policy: DisclosurePolicy | null): Field[] {
  return FIELDS.filter(
    (field) => decideField(policy, { field, published: false }, AN_AUDIT).outcome !== "refused",
  );
}

const AN_AUDIT = {
  purpose: "audit",
  requester: null,
  binding: { trustLevel: "none", authority: "NONE", live: false },
  targetOrganization: 0n,
  requesterOrganization: 0n,
  hasEndpoint: false,
} as const;

function subjectOf({ tokenId, epoch }: Audit) {
  if (tokenId === null || epoch === null) throw new Error("A regulatory audit is of one agent.");
  return { tokenId, epoch };
}

/** @throws ApiError GONE */
function assertOpen(audit: Audit | null, now: Date): asserts audit is Audit {
  if (audit === null) throw noSuchAudit();
  if (audit.completedAt !== null) {
    const { archiveId: arweaveAuditTxId, completedAt } = audit;
    throw new ApiError("GONE", {
      message: "The files of this audit were verified already.",
      details: { completedAt: completedAt.toISOString(), arweaveAuditTxId },
    });
  }
  if (audit.uploadExpiresAt <= now) {
    throw new ApiError("GONE", { message: "This upload URL has expired. Sign a new audit." });
  }
}

function noSuchAudit(): ApiError {
  return new ApiError("NOT_FOUND", { message: "There is no audit with this id." });
}
