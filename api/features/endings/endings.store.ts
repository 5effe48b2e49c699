import { and, asc, count, eq, gt, gte, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { type Address, getAddress, type Hex } from "viem";
import { dateOf } from "../../kernel/chain-time.ts";
import type { EventCursor } from "../../operations/event-follower.ts";
import type { Executor } from "../../platform/database/connect.ts";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import { soulSecret } from "../../soul/tables.ts";
import { apiKey } from "../keys/index.ts";
import { webhook } from "../webhooks/index.ts";

const { soul, soulRevision, membership, binding, agentKeys, allowance } = chainViews;

/** The contract's TrustLevel up to which a binding has no effect. */
const REVOKED = 1;

interface Ended extends EventCursor {
  readonly tokenId: bigint;
  readonly name: string;
  readonly passportId: bigint;
  /** The epoch that begins with a reseal, or that ended for good. */
  readonly epoch: number;
  readonly owner: Address;
  readonly txHash: Hex;
  readonly at: Date;
}

/** An epoch or a life that ended, as the index has it. */
export type EndedEpoch =
  | (Ended & {
      readonly kind: "resealed";
      readonly soulHash: Hex;
      readonly previousSoulHash: Hex | null;
      readonly archiveId: string | null;
    })
  | (Ended & {
      readonly kind: "burned";
      /** Whether a passport's new owner ended it. */
      readonly isReleased: boolean;
      readonly reasonHash: Hex | null;
    });

/** What was granted in an epoch, and ends with it. Public facts and numbers only. */
export interface EndedGrants {
  readonly epoch: number;
  /** API keys that worked. */
  readonly apiKeys: number;
  readonly webhooks: number;
  /** Null when the owner acted for the agent. */
  readonly operator: Address | null;
  /** Whether the agent could spend from its owner's wallet. */
  readonly allowance: boolean;
  /** Null for an agent without one. */
  readonly organizationId: number | null;
  /** Bindings that were not revoked. */
  readonly bindings: { readonly outbound: number; readonly inbound: number };
  /** Whether public keys were set for the agent. */
  readonly agentKeys: boolean;
  /** Whether the owner had listed addresses in the DID document. */
  readonly didAddresses: boolean;
}

export type EndedReads = ReturnType<typeof createEndedReads>;

/** What the index knows of the soul that a reseal or an end replaces. */
export interface ReplacedSoul {
  readonly archiveId: string | null;
  /** The adapter that attested the sealer, in this epoch. */
  readonly humanVerifier: Address | null;
  readonly parentTokenId: bigint;
}

/** What the index and the database know of an epoch that ends. */
export function createEndedReads(db: NodePgDatabase, clock: () => Date) {
  return {
    /** What stands in an epoch now, as last indexed. */
    async grantsOf(
      tokenId: bigint,
      epoch: number,
    ): Promise<Omit<EndedGrants, "epoch" | "operator" | "didAddresses">> {
      const isLive = gt(binding.trustLevel, REVOKED);
      const counted = (table: Counted, where: SQL | undefined) => countOf(db, table, where);
      const [keys, webhooks, outbound, inbound] = [
        await counted(
          apiKey,
          and(
            eq(apiKey.tokenId, tokenId),
            eq(apiKey.epoch, epoch),
            or(isNull(apiKey.revokedAt), gt(apiKey.revokedAt, clock())),
          ),
        ),
        await counted(
          webhook,
          and(eq(webhook.tokenId, tokenId), eq(webhook.epoch, epoch), isNull(webhook.endedAt)),
        ),
        await counted(
          binding,
          and(eq(binding.fromTokenId, tokenId), eq(binding.epoch, epoch), isLive),
        ),
        await counted(
          binding,
          and(eq(binding.toTokenId, tokenId), eq(binding.toEpoch, epoch), isLive),
        ),
      ];
      const [granted] = await readable(() =>
        db
          .select({
            organizationId: membership.organizationId,
            hasKeys: sql<boolean>`${agentKeys.keysHash} is not null`,
            allowance: sql<boolean>`coalesce(${allowance.active}, false)`,
          })
          .from(soul)
          .leftJoin(
            membership,
            and(eq(membership.tokenId, soul.tokenId), eq(membership.epoch, epoch)),
          )
          .leftJoin(agentKeys, and(eq(agentKeys.tokenId, soul.tokenId), eq(agentKeys.epoch, epoch)))
          .leftJoin(allowance, and(eq(allowance.tokenId, soul.tokenId), eq(allowance.epoch, epoch)))
          .where(eq(soul.tokenId, tokenId)),
      );
      const organizationId = granted?.organizationId ?? null;
      return {
        apiKeys: keys,
        webhooks,
        allowance: granted?.allowance ?? false,
        organizationId: organizationId === null ? null : Number(organizationId),
        bindings: { outbound, inbound },
        agentKeys: granted?.hasKeys ?? false,
      };
    },
  };
}

type Counted = typeof binding | typeof apiKey | typeof webhook;

async function countOf(db: NodePgDatabase, table: Counted, where: SQL | undefined) {
  const [row] = await readable(() => db.select({ count: count() }).from(table).where(where));
  return row?.count ?? 0;
}

export async function replacedSoul(db: NodePgDatabase, tokenId: bigint): Promise<ReplacedSoul> {
  const [row] = await readable(() =>
    db
      .select({
        archiveId: soul.archiveId,
        humanVerifier: soul.humanVerifier,
        parentTokenId: soul.parentTokenId,
      })
      .from(soul)
      .where(eq(soul.tokenId, tokenId)),
  );
  return {
    archiveId: row?.archiveId ?? null,
    humanVerifier: row?.humanVerifier ? getAddress(row.humanVerifier) : null,
    parentTokenId: row?.parentTokenId ?? 0n,
  };
}

/** The first `limit` reseals and ends after a cursor, up to and with a block, in order. */
export async function ends(
  db: NodePgDatabase,
  after: EventCursor,
  upTo: bigint,
  limit: number,
): Promise<readonly EndedEpoch[]> {
  const found = [
    ...(await reseals(db, after, upTo, limit)),
    ...(await burns(db, after, upTo, limit)),
  ];
  return found.sort(inOrder).slice(0, limit);
}

async function reseals(
  db: NodePgDatabase,
  after: EventCursor,
  upTo: bigint,
  limit: number,
): Promise<EndedEpoch[]> {
  const resealKey = sql<string>`('reseal:' || ${soulRevision.tokenId} || ':' || ${soulRevision.revision}) collate "C"`;
  const rows = await readable(() =>
    db
      .select({ key: resealKey, revision: soulRevision, soul })
      .from(soulRevision)
      .innerJoin(soul, eq(soul.tokenId, soulRevision.tokenId))
      .where(
        and(
          eq(soulRevision.kind, "RESEAL"),
          gte(soulRevision.block, after.block),
          sql`(${soulRevision.block}, ${resealKey}) > (${after.block.toString()}, ${after.key})`,
          lte(soulRevision.block, upTo),
        ),
      )
      .orderBy(asc(soulRevision.block), asc(resealKey))
      .limit(limit),
  );
  return rows.map(({ key, revision, soul: of }) => ({
    kind: "resealed",
    block: revision.block,
    key,
    tokenId: of.tokenId,
    name: of.name,
    passportId: of.passportId,
    epoch: revision.epoch,
    owner: getAddress(revision.owner),
    soulHash: revision.soulHash,
    previousSoulHash: revision.previousSoulHash,
    archiveId: revision.archiveId,
    txHash: revision.tx,
    at: dateOf(revision.timestamp),
  }));
}

async function burns(
  db: NodePgDatabase,
  after: EventCursor,
  upTo: bigint,
  limit: number,
): Promise<EndedEpoch[]> {
  const burnKey = sql<string>`('burn:' || ${soul.tokenId}) collate "C"`;
  const rows = await readable(() =>
    db
      .select({ key: burnKey, soul })
      .from(soul)
      .where(
        and(
          gte(soul.burnBlock, after.block),
          sql`(${soul.burnBlock}, ${burnKey}) > (${after.block.toString()}, ${after.key})`,
          lte(soul.burnBlock, upTo),
        ),
      )
      .orderBy(asc(soul.burnBlock), asc(burnKey))
      .limit(limit),
  );
  return rows.map(({ key, soul: of }) => ({
    kind: "burned",
    block: of.burnBlock ?? 0n,
    key,
    tokenId: of.tokenId,
    name: of.name,
    passportId: of.passportId,
    epoch: of.epoch,
    owner: getAddress(of.releasedBy ?? of.sealer),
    isReleased: of.releasedBy !== null,
    reasonHash: of.burnReasonHash,
    txHash: of.burnTx ?? "0x",
    at: dateOf(of.burnedAt ?? 0n),
  }));
}

/** Revokes the keys of epochs before `epoch`. */
export async function endKeys(
  tx: Executor,
  { tokenId, epoch }: { readonly tokenId: bigint; readonly epoch: number },
  at: Date,
): Promise<void> {
  const earlier = and(eq(apiKey.tokenId, tokenId), lt(apiKey.epoch, epoch));
  await tx
    .update(apiKey)
    .set({ revokedAt: at })
    // A grace period can be cut short, never prolonged.
    .where(and(earlier, or(isNull(apiKey.revokedAt), gt(apiKey.revokedAt, at))));
}

/** Stores a new soul's salt, leaves and published values. */
export async function storeSecret(
  tx: Executor,
  secret: typeof soulSecret.$inferInsert,
): Promise<void> {
  const { soulHash, saltEncrypted, leaves, publicFields } = secret;
  await tx
    .insert(soulSecret)
    .values(secret)
    .onConflictDoUpdate({
      target: [soulSecret.tokenId, soulSecret.epoch],
      set: { soulHash, saltEncrypted, leaves, publicFields },
    });
}

/** As the database orders them: by bytes. */
function inOrder(one: EventCursor, other: EventCursor): number {
  if (one.block !== other.block) return one.block < other.block ? -1 : 1;
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}
