import type { Address } from "viem";
import { DISCLOSURE_DOCUMENT } from "../../../kit/disclosure/document.ts";
import { canonicalJson } from "../../../protocol/index.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import type { AuditedField } from "../../soul/text/soul-tasks.ts";
import { type Audit, type AuditKind, type AuditTerms, termsOf } from "./audits.ts";
import type { AuditVerification, ChronicleTally, SoulHashes } from "./verification.ts";

/** Version tags of what is archived, and of what regulators receive. */
export const AUDIT_RECORD = "svc-audit-record/1";
export const AUDIT_PACKAGE = "svc-audit-package/1";

/** Why nothing was verified of a live member of an audited organization. */
export const UNVERIFIED_REASONS = ["file_missing", "salt_missing"] as const;
type UnverifiedReason = (typeof UNVERIFIED_REASONS)[number];

/** An audit's metadata and results, as they are archived for ever. It has no content of a soul. */
export interface AuditRecord extends AuditTerms {
  readonly format: typeof AUDIT_RECORD;
  readonly auditId: string;
  readonly kind: AuditKind;
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly organizationId: string | null;
  readonly signedBy: Address;
  /** Everything was read from the chain as of this block. */
  readonly block: string;
  readonly issuedAt: string;
  readonly expiresAt: string | null;
  readonly agents: readonly AuditedAgent[];
}

/** One agent of an audit. */
export interface AuditedAgent extends SoulHashes {
  readonly tokenId: string;
  readonly epoch: number;
  readonly agentName: string;
  readonly status: "verified" | "not_verified";
  /** Null for one that is verified. Its results are null for one that is not. */
  readonly reason: UnverifiedReason | null;
  readonly verification: AuditVerification | null;
  readonly chronicles: ChronicleTally | null;
}

export interface AuditPlace {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly soulView: Address;
}

/** @param agents By their token ids. */
export function auditRecord(
  audit: Audit,
  block: bigint,
  issuedAt: Date,
  expiresAt: Date | null,
  agents: readonly AuditedAgent[],
  { chainId, soulRegistry }: AuditPlace,
): AuditRecord {
  return {
    format: AUDIT_RECORD,
    auditId: audit.id,
    kind: audit.kind,
    chainId,
    soulRegistry,
    organizationId: audit.organizationId?.toString() ?? null,
    ...termsOf(audit),
    signedBy: audit.signer,
    block: block.toString(),
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    agents,
  };
}

/** What an audit says of an agent: its results, or why it has none. */
export function auditedAgent(
  { tokenId, epoch, name: agentName, soulHash, soulMerkleRoot }: ChainSoul,
  result: UnverifiedReason | Pick<AuditedAgent, "verification" | "chronicles">,
): AuditedAgent {
  const agent = { tokenId: tokenId.toString(), epoch, agentName, soulHash, soulMerkleRoot };
  return typeof result === "string"
    ? { ...agent, status: "not_verified", reason: result, verification: null, chronicles: null }
    : { ...agent, status: "verified", reason: null, ...result };
}

/** A record as the bytes that are archived: the same record always has the same. */
export function auditRecordContent(record: AuditRecord) {
  return {
    data: new TextEncoder().encode(canonicalJson(record)),
    contentType: "application/json",
  };
}

/** The fields that the regulator receives of one agent. */
export interface ReleasedFields {
  readonly tokenId: bigint;
  readonly fields: readonly AuditedField[];
}

/**
 * What the regulator and the uploader receive. A single agent's fields are a disclosure document,
 * which proves itself. Of an organization's agents it has the proofs, which check the files, and no
 * values. A proof has its leaf's blinding, with which a likely value can be tried.
 */
export function auditPackage(
  record: AuditRecord,
  arweaveAuditTxId: string | null,
  released: readonly ReleasedFields[],
  { soulView }: AuditPlace,
) {
  const { format: _format, agents, ...metadata } = record;
  const fieldsOf = new Map(released.map(({ tokenId, fields }) => [tokenId.toString(), fields]));
  return {
    format: AUDIT_PACKAGE,
    ...metadata,
    soulView,
    arweaveAuditTxId,
    agents: agents.map((agent) => ({
      ...agent,
      fields: (fieldsOf.get(agent.tokenId) ?? []).map(({ field, merkleProof }) => ({
        field,
        merkleProof: [...merkleProof],
      })),
    })),
    document: record.kind === "regulatory" ? documentOf(record, fieldsOf, soulView) : null,
  };
}

export type AuditPackage = ReturnType<typeof auditPackage>;

/** Null when the agent's policy releases no field to audits. */
function documentOf(
  { agents: [agent], chainId, regulatoryDid, issuedAt, expiresAt }: AuditRecord,
  fieldsOf: ReadonlyMap<string, readonly AuditedField[]>,
  soulView: Address,
) {
  const fields = fieldsOf.get(agent?.tokenId ?? "") ?? [];
  if (agent === undefined || fields.length === 0) return null;
  return {
    format: DISCLOSURE_DOCUMENT,
    chainId,
    soulView,
    agentName: agent.agentName,
    tokenId: Number(agent.tokenId),
    disclosures: fields.map(({ field, value, merkleProof }) => ({
      field,
      value,
      merkleProof: [...merkleProof],
      merkleRoot: agent.soulMerkleRoot,
    })),
    issuedTo: regulatoryDid,
    issuedAt,
    expiresAt,
  };
}
