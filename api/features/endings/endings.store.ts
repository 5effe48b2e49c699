import { and, asc, count, eq, gt, gte, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { getAddress } from "viem";
import { dateOf } from "../../kernel/chain-time.ts";
import type { EventCursor } from "../../operations/event-follower.ts";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import { apiKey } from "../keys/index.ts";
import { webhook } from "../webhooks/index.ts";
import type { EndedReads } from "./ended-grants.ts";
import type { EndedEpoch } from "./ending-events.ts";
import type { ReplacedSoul } from "./reseal.ts";

const { soul, soulRevision, membership, binding, agentKeys, allowance } = chainViews;

/** The contract's TrustLevel up to which a binding has no effect. */
const REVOKED = 1;

/** What the index and the database know of epochs and lives that end. */
export function createEndingReads(pool: Pool, clock: () => Date) {
  const db = drizzle(pool);

  async function counted(
    table: typeof binding | typeof apiKey | typeof webhook,
    where: SQL | undefined,
  ) {
    const [row] = await readable(() => db.select({ count: count() }).from(table).where(where));
    return row?.count ?? 0;
  }

  const ended: EndedReads = {
    async grantsOf(tokenId, epoch) {
      const isLive = gt(binding.trustLevel, REVOKED);
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

  return {
    ended,

    /** The soul as last indexed; nothing is known of one that the index has not seen. */
    async replaced(tokenId: bigint): Promise<ReplacedSoul> {
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
    },

    /** The first `limit` reseals and ends after a cursor, up to and with a block, in order. */
    async ends(after: EventCursor, upTo: bigint, limit: number): Promise<readonly EndedEpoch[]> {
      const position = { block: after.block.toString(), key: after.key };
      const resealKey = sql<string>`('reseal:' || ${soulRevision.tokenId} || ':' || ${soulRevision.revision}) collate "C"`;
      const burnKey = sql<string>`('burn:' || ${soul.tokenId}) collate "C"`;
      const reseals = await readable(() =>
        db
          .select({ key: resealKey, revision: soulRevision, soul })
          .from(soulRevision)
          .innerJoin(soul, eq(soul.tokenId, soulRevision.tokenId))
          .where(
            and(
              eq(soulRevision.kind, "RESEAL"),
              gte(soulRevision.block, after.block),
              sql`(${soulRevision.block}, ${resealKey}) > (${position.block}, ${position.key})`,
              lte(soulRevision.block, upTo),
            ),
          )
          .orderBy(asc(soulRevision.block), asc(resealKey))
          .limit(limit),
      );
      const burns = await readable(() =>
        db
          .select({ key: burnKey, soul })
          .from(soul)
          .where(
            and(
              gte(soul.burnBlock, after.block),
              sql`(${soul.burnBlock}, ${burnKey}) > (${position.block}, ${position.key})`,
              lte(soul.burnBlock, upTo),
            ),
          )
          .orderBy(asc(soul.burnBlock), asc(burnKey))
          .limit(limit),
      );
      const found: EndedEpoch[] = [
        ...reseals.map(({ key, revision, soul: of }) => ({
          kind: "resealed" as const,
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
        })),
        ...burns.map(({ key, soul: of }) => ({
          kind: "burned" as const,
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
        })),
      ];
      return found.sort(inOrder).slice(0, limit);
    },
  };
}

/** As the database orders them: by bytes. */
function inOrder(one: EventCursor, other: EventCursor): number {
  if (one.block !== other.block) return one.block < other.block ? -1 : 1;
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}
