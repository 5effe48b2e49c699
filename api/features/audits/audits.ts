import type { Address } from "viem";
import type { OffChainMessage } from "../../../protocol/index.ts";
import { AUDIT_UPLOAD_MS } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { type PostgresOperation, requiredAs } from "../../operations/operation.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { ActiveSoul, ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { EventSink } from "../webhooks/index.ts";

/** Archives the record of a completed audit, where its upload did not. */
export const AUDIT_ARCHIVE_JOB = "audits.archive";

export const AUDIT_KINDS = ["regulatory", "organization"] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Who audits, and what for. */
export interface AuditTerms {
  readonly regulatoryBody: string;
  readonly regulatoryDid: string;
  readonly scope: string;
  readonly auditReference: string;
}

/** An audit as it was signed. */
export interface Audit extends AuditTerms {
  readonly id: string;
  readonly kind: AuditKind;
  /** Null, like its epoch, for an organization. */
  readonly tokenId: bigint | null;
  readonly epoch: number | null;
  /** Null for a single agent. */
  readonly organizationId: bigint | null;
  readonly signer: Address;
  readonly createdAt: Date;
  readonly uploadExpiresAt: Date;
  /** Null until an upload was verified. */
  readonly completedAt: Date | null;
  /** Of its record on permanent storage; null until that is stored. */
  readonly archiveId: string | null;
}

/** An organization and its live members, all of one block. */
export interface OrganizationFacts {
  readonly block: bigint;
  /** Null when there is no such organization. */
  readonly admin: Address | null;
  readonly members: readonly ChainSoul[];
}

/** Reads organizations from the chain. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface OrganizationChain {
  /** @param tokenIds Agents that may be members: those that are not live members are left out. */
  organization(organizationId: bigint, tokenIds: readonly bigint[]): Promise<OrganizationFacts>;
}

/** A recorded member of an organization. */
export interface IndexedMember {
  readonly tokenId: bigint;
  readonly name: string;
  readonly epoch: number;
  readonly sealer: Address;
}

export type MembersOf = (organizationId: bigint) => Promise<readonly IndexedMember[]>;

interface RegulatoryAuditRequest extends AuditTerms {
  readonly tokenId: bigint;
}

interface OrganizationAuditRequest extends AuditTerms {
  readonly organizationId: bigint;
}

/** Stored with the signed request, and what the signer is answered. */
interface AuditPayload {
  readonly auditId: string;
  readonly agentCount: number;
  readonly createdAt: string;
  readonly uploadExpiresAt: string;
}

export interface AuditRequestDeps {
  readonly souls: ChainSouls;
  readonly chain: OrganizationChain;
  readonly membersOf: MembersOf;
  readonly add: (transaction: Transaction, audit: Audit) => Promise<void>;
  readonly events: EventSink;
  readonly clock: () => Date;
  readonly newId: () => string;
}

function newPayload({ clock, newId }: AuditRequestDeps, agentCount: number): AuditPayload {
  const createdAt = clock();
  return {
    auditId: newId(),
    agentCount,
    createdAt: createdAt.toISOString(),
    uploadExpiresAt: new Date(createdAt.getTime() + AUDIT_UPLOAD_MS).toISOString(),
  };
}

function announce({ events }: AuditRequestDeps, tx: Transaction, audit: Audit, tokenId: bigint) {
  return events.emit(tx, {
    event: "audit.requested",
    tokenId,
    registrationId: null,
    key: audit.id,
    data: {
      auditId: audit.id,
      kind: audit.kind,
      tokenId: Number(tokenId),
      organizationId: audit.organizationId === null ? null : Number(audit.organizationId),
      ...termsOf(audit),
      uploadExpiresAt: audit.uploadExpiresAt.toISOString(),
    },
  });
}

/** A single agent's audit: its owner signs. */
export function regulatoryAuditOperation(
  deps: AuditRequestDeps,
): PostgresOperation<RegulatoryAuditRequest, ActiveSoul, AuditPayload, AuditPayload> {
  return {
    kind: "regulatory_audit",
    settlement: "postgres",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "RegulatoryAudit" } },
    requestJson: ({ tokenId, ...terms }) => ({ tokenId: tokenId.toString(), ...terms }),
    read: ({ tokenId }) => requireSoul(deps.souls, tokenId, "active"),
    signatures: (_request, { owner }) => [{ role: "owner", signer: owner }],
    subjects: (_request, { tokenId, epoch }) => [{ kind: "soul", id: tokenId, epoch }],
    async plan(request, { tokenId, epoch }) {
      return {
        messages: { owner: { tokenId, epoch, ...termsOf(request) } },
        payload: newPayload(deps, 1),
        secrets: null,
        items: [],
      };
    },
    settle: async (_request, _soul, { payload }) => payload,
    repeat: async ({ payload }) => payload,
    async onAccept(tx, { payload, signatures }, { tokenId, epoch }) {
      const signed = requiredAs<OffChainMessage<"RegulatoryAudit">>(signatures, "owner");
      const audit: Audit = {
        ...newAudit(payload, signed),
        kind: "regulatory",
        tokenId,
        epoch,
        organizationId: null,
      };
      await deps.add(tx, audit);
      await announce(deps, tx, audit, tokenId);
    },
  };
}

/** An organization's audit: its admin signs. */
export function organizationAuditOperation(
  deps: AuditRequestDeps,
): PostgresOperation<
  OrganizationAuditRequest,
  OrganizationFacts & { readonly admin: Address },
  AuditPayload,
  AuditPayload
> {
  return {
    kind: "organization_audit",
    settlement: "postgres",
    messageTypes: { admin: { contract: "SoulRegistry", primaryType: "OrganizationAudit" } },
    requestJson: ({ organizationId, ...terms }) => ({
      organizationId: organizationId.toString(),
      ...terms,
    }),
    async read({ organizationId }) {
      const recorded = await deps.membersOf(organizationId);
      const tokenIds = recorded.map(({ tokenId }) => tokenId);
      const { admin, ...facts } = await deps.chain.organization(organizationId, tokenIds);
      if (admin === null) {
        throw new ApiError("NOT_FOUND", {
          message: `There is no organization ${organizationId}.`,
        });
      }
      return { ...facts, admin };
    },
    signatures: (_request, { admin }) => [{ role: "admin", signer: admin }],
    subjects: ({ organizationId }) => [{ kind: "organization", id: organizationId, epoch: null }],
    async plan(request, { members }) {
      if (members.length === 0) {
        throw new ApiError("FORBIDDEN", {
          message: "The organization has no live member that could be audited.",
        });
      }
      const { organizationId } = request;
      return {
        messages: { admin: { organizationId, ...termsOf(request) } },
        payload: newPayload(deps, members.length),
        secrets: null,
        items: [],
      };
    },
    settle: async (_request, _facts, { payload }) => payload,
    repeat: async ({ payload }) => payload,
    async onAccept(tx, { payload, signatures }, { members }) {
      const signed = requiredAs<OffChainMessage<"OrganizationAudit">>(signatures, "admin");
      const audit: Audit = {
        ...newAudit(payload, signed),
        kind: "organization",
        tokenId: null,
        epoch: null,
        organizationId: signed.message.organizationId,
      };
      await deps.add(tx, audit);
      for (const { tokenId } of members) await announce(deps, tx, audit, tokenId);
    },
  };
}

function newAudit(
  payload: AuditPayload,
  { signer, message }: { readonly signer: Address; readonly message: AuditTerms },
) {
  return {
    id: payload.auditId,
    signer,
    ...termsOf(message),
    createdAt: new Date(payload.createdAt),
    uploadExpiresAt: new Date(payload.uploadExpiresAt),
    completedAt: null,
    archiveId: null,
  };
}

/** The terms alone. */
export function termsOf(terms: AuditTerms): AuditTerms {
  const { regulatoryBody, regulatoryDid, scope, auditReference } = terms;
  return { regulatoryBody, regulatoryDid, scope, auditReference };
}
