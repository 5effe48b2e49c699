import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { DisclosurePolicy } from "../../../protocol/index.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import type { DisclosureContext } from "./context.ts";
import { disclosurePolicy } from "./tables.ts";

const ofSoul = ({ tokenId, epoch }: SoulEpoch) =>
  and(eq(disclosurePolicy.tokenId, tokenId), eq(disclosurePolicy.epoch, epoch));

const isActive = isNull(disclosurePolicy.endedAt);

/** The policy that decides now, read with `from`; null for none. */
export async function activePolicy(
  from: Executor,
  soul: SoulEpoch,
): Promise<DisclosurePolicy | null> {
  const [row] = await from
    .select({ policy: disclosurePolicy.policy })
    .from(disclosurePolicy)
    .where(and(ofSoul(soul), isActive));
  return row?.policy ?? null;
}

/** Policies in Postgres. */
export function createPolicyStore(db: Database): DisclosureContext["policies"] {
  return {
    active: (soul, from = db) => activePolicy(from, soul),

    replace: (soul, { id, policy, createdAt }) =>
      db.transaction(async (tx) => {
        const lock = `disclosure policy ${soul.tokenId}`;
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
        const known = await tx
          .select({ id: disclosurePolicy.id })
          .from(disclosurePolicy)
          .where(eq(disclosurePolicy.id, id));
        if (known.length > 0) return;
        await tx
          .update(disclosurePolicy)
          .set({ endedAt: createdAt })
          .where(and(ofSoul(soul), isActive));
        await tx.insert(disclosurePolicy).values({
          id,
          tokenId: soul.tokenId,
          epoch: soul.epoch,
          name: policy.name,
          policy,
          createdAt,
        });
      }),

    async list(soul, limit) {
      return (
        db
          .select()
          .from(disclosurePolicy)
          .where(ofSoul(soul))
          // The clocks of two servers may differ, and the active policy must be in the list.
          .orderBy(desc(isActive), desc(disclosurePolicy.createdAt), desc(disclosurePolicy.id))
          .limit(limit)
      );
    },

    async end(soul, policyId, at) {
      const [row] = await db
        .update(disclosurePolicy)
        .set({
          endedAt: sql`coalesce(${disclosurePolicy.endedAt}, ${at.toISOString()}::timestamptz)`,
        })
        .where(and(ofSoul(soul), eq(disclosurePolicy.id, policyId)))
        .returning();
      return row ?? null;
    },
  };
}
