import type { Address } from "viem";
import { DISCLOSURE_DOCUMENT } from "../../../kit/disclosure/document.ts";
import { canonicalJson } from "../../../protocol/index.ts";
import type { AuditedField } from "../../soul/text/soul-tasks.ts";
import { type Audit, type AuditKind, type AuditTerms, termsOf } from "./audits.ts";
import type { AuditVerification, ChronicleTally, SoulHashes } from "./verification.ts";

/** Version tags of what is archived, and of what regulators receive. */
export const AUDIT_RECORD = "svc-audit-record/1";
export const AUDIT_PACKAGE = "svc-audit-package/1";

/** Why nothing was verified of a live member of an audited organization. */
export const UNVERIFIED_REASONS = ["file_missing", "salt_missing"] as const;
export type UnverifiedReason = (typeof UNVERIFIED_REASONS)[number];

/** One agent of an audit. */
export type AuditedAgent = {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly agentName: string;
} & SoulHashes &
  (
    | {
        readonly status: "verified";
        readonly verification: AuditVerification;
        readonly chronicles: ChronicleTally;
      }
    | { readonly status: "not_verified"; readonly reason: UnverifiedReason }
  );

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
  readonly agents: readonly RecordedAgent[];
}

interface RecordedAgent extends SoulHashes {
  readonly tokenId: string;
  readonly epoch: number;
  readonly agentName: string;
  readonly status: AuditedAgent["status"];
  readonly reason: UnverifiedReason | null;
  readonly verification: AuditVerification | null;
  readonly chronicles: ChronicleTally | null;
}

/** What an audit found, and when. */
export interface AuditFinding {
  readonly block: bigint;
  readonly issuedAt: Date;
  readonly expiresAt: Date | null;
  readonly agents: readonly AuditedAgent[];
}

export interface AuditPlace {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly soulView: Address;
}

export function auditRecord(
  audit: Audit,
  { block, issuedAt, expiresAt, agents }: AuditFinding,
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
    agents: agents.map(recordedAgent),
  };
}

function recordedAgent(agent: AuditedAgent): RecordedAgent {
  const isVerified = agent.status === "verified";
  return {
    tokenId: agent.tokenId.toString(),
    epoch: agent.epoch,
    agentName: agent.agentName,
    soulHash: agent.soulHash,
    soulMerkleRoot: agent.soulMerkleRoot,
    status: agent.status,
    reason: isVerified ? null : agent.reason,
    verification: isVerified ? agent.verification : null,
    chronicles: isVerified ? agent.chronicles : null,
  };
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
