import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { DeclaredIdentity } from "../../soul/declared-identity.ts";
import { DEFAULT_DISPLAY, type DisplaySettings } from "../../soul/display-settings.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import type { DerivedChronicleStore } from "../chronicles/index.ts";
import { displaySetting, publicIdentity } from "./tables.ts";

/** What agents say of themselves, in Postgres. */
export function createPublicIdentityStore({
  db,
  derived,
}: {
  readonly db: Database;
  readonly derived: Pick<DerivedChronicleStore, "add">;
}) {
  return {
    /**
     * Replaces the identity, and notes the chronicle of it in the same transaction, under
     * `derivedKey`. What is the same already stays as it is: then there is nothing to record.
     */
    replace: (
      { tokenId, epoch }: SoulEpoch,
      identity: DeclaredIdentity,
      at: Date,
    ): Promise<{ readonly updatedAt: Date; readonly derivedKey: string | null }> =>
      db.transaction(async (tx) => {
        const { version } = publicIdentity;
        const [changed] = await tx
          .insert(publicIdentity)
          .values({ tokenId, epoch, version: 1, identity, updatedAt: at })
          .onConflictDoUpdate({
            target: [publicIdentity.tokenId, publicIdentity.epoch],
            set: { version: sql`${version} + 1`, identity, updatedAt: at },
            setWhere: sql`${publicIdentity.identity} <> excluded.identity`,
          })
          .returning({ version });
        if (changed) {
          const derivedKey = `public-identity:${tokenId}:${epoch}:${changed.version}`;
          await derived.add(tx, {
            key: derivedKey,
            tokenId,
            category: "other",
            data: {
              changeType: "public_identity_updated",
              publicIdentity: identity,
              version: changed.version,
              epoch,
            },
          });
          return { updatedAt: at, derivedKey };
        }
        const [same] = await tx
          .select({ updatedAt: publicIdentity.updatedAt })
          .from(publicIdentity)
          .where(and(eq(publicIdentity.tokenId, tokenId), eq(publicIdentity.epoch, epoch)));
        if (!same) throw new Error("An identity that stayed the same is not there.");
        return { updatedAt: same.updatedAt, derivedKey: null };
      }),
  };
}

/** Settings to change; what is left out stays as it is. */
export type DisplayChange = {
  readonly [Key in keyof DisplaySettings]?: DisplaySettings[Key] | undefined;
};

/** Changes what is named and leaves the rest. */
export async function storeDisplay(
  db: Database,
  { tokenId, epoch }: SoulEpoch,
  settings: DisplayChange,
  at: Date,
): Promise<{ readonly settings: DisplaySettings; readonly updatedAt: Date }> {
  const named = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as Partial<DisplaySettings>;
  const [row] = await db
    .insert(displaySetting)
    .values({ tokenId, epoch, ...DEFAULT_DISPLAY, ...named, updatedAt: at })
    .onConflictDoUpdate({
      target: [displaySetting.tokenId, displaySetting.epoch],
      set: { ...named, updatedAt: at },
    })
    .returning();
  if (!row) throw new Error("An upsert returned nothing.");
  const { tokenId: _soul, epoch: _its, updatedAt, ...identity } = row;
  return { settings: identity, updatedAt };
}
