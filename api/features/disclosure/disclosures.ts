import { didOf } from "../../../protocol/did.ts";
import type {
  DisclosureExpiry,
  DisclosurePolicy,
  Field,
  FieldAvailability,
} from "../../../protocol/index.ts";
import {
  disclosureExpiresAt,
  FALLBACK_EXPIRY,
  fieldAvailability,
  InvalidDidError,
  parseDid,
} from "../../../protocol/index.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { ListPage } from "../../kernel/list-pages.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { IndexedAgents } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import { byName, type SoulEpoch } from "../../soul/soul-ref.ts";
import type { EventSink } from "../webhooks/index.ts";
import { authoriseInEpoch } from "./acting.ts";
import type { FieldProver, ProvenField, StatedField } from "./proving.ts";

/** What made a disclosure. */
export const DISCLOSURE_TRIGGERS = [
  "manual",
  "policy_auto",
  "disclosure_request",
  "disclosure_request_p2p",
  "regulatory_audit",
  "org_audit",
] as const;
export type DisclosureTrigger = (typeof DISCLOSURE_TRIGGERS)[number];

/** Who received values: an agent, or a regulator. */
export interface Recipient {
  /** Null for a regulator. */
  readonly tokenId: bigint | null;
  readonly did: string;
  readonly name: string;
}

/** That fields were disclosed: never their values. */
export interface DisclosureRecord extends SoulEpoch {
  readonly id: string;
  readonly agentName: string;
  readonly fields: readonly Field[];
  /** Null for the public. */
  readonly recipient: Recipient | null;
  readonly trigger: DisclosureTrigger;
  readonly issuedAt: Date;
  /** Null for never. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface HistoryFilter {
  readonly recipientDid?: string | undefined;
  readonly field?: Field | undefined;
  readonly since?: Date | undefined;
}

/** Where a disclosure is in its agent's history. */
export type DisclosurePosition = Pick<DisclosureRecord, "issuedAt" | "id">;

/** Records of disclosures. @typeParam Transaction the database module's transaction. */
export interface DisclosureStore {
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  add(transaction: Transaction, record: DisclosureRecord): Promise<void>;
  /** Locked until the transaction's end; null when the epoch has no such disclosure. */
  lock(transaction: Transaction, soul: SoulEpoch, id: string): Promise<DisclosureRecord | null>;
  revoke(transaction: Transaction, id: string, at: Date, reason: string | null): Promise<void>;
  /** The newest first. */
  history(
    soul: SoulEpoch,
    filter: HistoryFilter,
    page: ListPage<DisclosurePosition>,
  ): Promise<{
    readonly total: number;
    readonly records: readonly DisclosureRecord[];
    /** Where the next page begins; null on the last page. */
    readonly next: DisclosurePosition | null;
  }>;
  /** Fields that are disclosed to the public now, beside the published ones. */
  publicFields(soul: SoulEpoch, at: Date): Promise<readonly Field[]>;
}

export interface DisclosureDeps {
  readonly store: DisclosureStore;
  readonly activePolicy: (
    transaction: Transaction,
    soul: SoulEpoch,
  ) => Promise<DisclosurePolicy | null>;
  readonly prover: FieldProver;
  readonly souls: ChainSouls;
  readonly agents: IndexedAgents;
  readonly events: EventSink;
  /** Whether a webhook of the agent is sent this event. */
  readonly isSubscribed: (event: "disclosure.revoked", tokenId: bigint) => Promise<boolean>;
  readonly chainId: number;
  readonly clock: () => Date;
  readonly newId: () => string;
}

/** The state of a disclosure now. What was revoked stays so after its expiry. */
export function disclosureStatus(
  { revokedAt, expiresAt }: Pick<DisclosureRecord, "revokedAt" | "expiresAt">,
  now: Date,
): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}

export type Disclosures = ReturnType<typeof createDisclosures>;

/** Disclosures that an owner makes of its own accord, and the record of all. */
export function createDisclosures(deps: DisclosureDeps) {
  const { store, prover, souls, agents, chainId, clock } = deps;

  /** @throws ApiError INVALID_REQUEST for a DID of another service or chain; NOT_FOUND. */
  async function recipientOf(did: string): Promise<Recipient> {
    const name = nameIn(did, chainId);
    const { value } = await requireAgent(agents, byName(name));
    return { tokenId: value.soul.tokenId, did: didOf(chainId, name), name };
  }

  return {
    /**
     * Proves values to a recipient, or to the public. The caller passes the answer on.
     *
     * @throws ApiError of the caller's access; FORBIDDEN for a field that the policy discloses
     * never, or to audits only; of `FieldProver.prove`.
     */
    async disclose(
      caller: Caller,
      wish: {
        readonly tokenId: bigint;
        readonly disclosures: readonly StatedField[];
        readonly recipientDid: string | undefined;
        readonly expiresIn: DisclosureExpiry | undefined;
      },
    ): Promise<{
      readonly record: DisclosureRecord;
      readonly passportId: bigint;
      readonly proven: readonly ProvenField[];
    }> {
      const { tokenId, disclosures, recipientDid } = wish;
      assertDifferent(disclosures);
      const soul = await requireSoul(souls, tokenId, "registered");
      authoriseInEpoch(soul, caller, "writes");
      assertSoul(soul, "active");
      const recipient = recipientDid === undefined ? null : await recipientOf(recipientDid);
      const proven = await prover.prove(soul, disclosures);
      const fields = disclosures.map(({ field }) => field);
      const record = await store.inTransaction(async (tx) => {
        const policy = await deps.activePolicy(tx, soul);
        assertOpen(policy, fields);
        const issuedAt = clock();
        const expiresIn = wish.expiresIn ?? policy?.defaultExpiry ?? FALLBACK_EXPIRY;
        const made: DisclosureRecord = {
          id: deps.newId(),
          tokenId,
          epoch: soul.epoch,
          agentName: soul.name,
          fields,
          recipient,
          trigger: "manual",
          issuedAt,
          expiresAt: disclosureExpiresAt(expiresIn, issuedAt),
          revokedAt: null,
        };
        await store.add(tx, made);
        return made;
      });
      return { record, passportId: soul.passportId, proven };
    },

    /** @throws ApiError of the caller's access; INVALID_REQUEST for a foreign DID. */
    async history(
      caller: Caller,
      tokenId: bigint,
      filter: HistoryFilter,
      page: ListPage<DisclosurePosition>,
    ) {
      const soul = await requireSoul(souls, tokenId, "registered");
      authoriseInEpoch(soul, caller, "reads");
      const { recipientDid: did } = filter;
      const recipientDid = did === undefined ? undefined : didOf(chainId, nameIn(did, chainId));
      const found = await store.history(soul, { ...filter, recipientDid }, page);
      return { agentName: soul.name, passportId: soul.passportId, now: clock(), ...found };
    },

    /**
     * Revokes a disclosure. Its proof stays right: what was shown cannot be taken back. Doing it
     * again changes nothing.
     *
     * @throws ApiError of the caller's access; NOT_FOUND; GONE when it has expired.
     */
    async revoke(
      caller: Caller,
      {
        tokenId,
        id,
        reason,
      }: {
        readonly tokenId: bigint;
        readonly id: string;
        readonly reason: string | null;
      },
    ): Promise<{ readonly revokedAt: Date; readonly webhookSent: boolean }> {
      const soul = await requireSoul(souls, tokenId, "registered");
      authoriseInEpoch(soul, caller, "writes");
      return store.inTransaction(async (tx) => {
        const record = await store.lock(tx, soul, id);
        if (record === null) {
          throw new ApiError("NOT_FOUND", {
            message: `The agent with token id ${tokenId} made no disclosure with this id.`,
          });
        }
        if (record.revokedAt !== null) return { revokedAt: record.revokedAt, webhookSent: false };
        const revokedAt = clock();
        if (disclosureStatus(record, revokedAt) === "expired") {
          throw new ApiError("GONE", { message: "This disclosure has expired already." });
        }
        await store.revoke(tx, id, revokedAt, reason);
        const { recipient } = record;
        if (recipient === null || recipient.tokenId === null) {
          return { revokedAt, webhookSent: false };
        }
        await deps.events.emit(tx, {
          event: "disclosure.revoked",
          tokenId: recipient.tokenId,
          registrationId: null,
          key: id,
          data: {
            disclosureId: id,
            targetAgent: record.agentName,
            fields: record.fields,
            reason,
            revokedAt: revokedAt.toISOString(),
          },
        });
        const webhookSent = await deps.isSubscribed("disclosure.revoked", recipient.tokenId);
        return { revokedAt, webhookSent };
      });
    },
  };
}

/** @throws ApiError INVALID_REQUEST for a field that is stated twice. */
export function assertDifferent(stated: readonly StatedField[]): void {
  const seen = new Set<Field>();
  for (const [index, { field }] of stated.entries()) {
    if (seen.has(field)) throw badRequest(`disclosures.${index}.field`, "Appears twice");
    seen.add(field);
  }
}

/** Conditions that no agent meets, and so not the public either. */
const CLOSED: ReadonlySet<FieldAvailability> = new Set(["never", "regulatory"]);

/**
 * The other conditions of a policy are about who asks. Here the owner chooses the recipient itself.
 */
function assertOpen(policy: DisclosurePolicy | null, fields: readonly Field[]): void {
  const kept = fields.filter((field) =>
    CLOSED.has(fieldAvailability(policy, { field, published: false })),
  );
  if (kept.length === 0) return;
  throw new ApiError("FORBIDDEN", {
    message:
      "The agent's active policy discloses these fields never, or to audits only. Replace the policy first.",
    details: { fields: kept },
  });
}

function nameIn(did: string, chainId: number): string {
  try {
    const parsed = parseDid(did, chainId);
    if (parsed.chainId === chainId) return parsed.name;
  } catch (error) {
    if (!(error instanceof InvalidDidError)) throw error;
  }
  throw badRequest("recipientDid", "Not a DID of this service and its chain");
}
