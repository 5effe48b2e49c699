import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { DisplaySettings } from "../../soul/display-settings.ts";
import type { DerivedChronicleStore } from "../chronicles/index.ts";
import type { DisplayStore } from "./display.ts";
import { DEFAULT_DISPLAY } from "./display.ts";
import type { PublicIdentityStore } from "./public-identity.ts";
import { displaySetting, publicIdentity } from "./tables.ts";

export interface PublicIdentityStoreOptions {
  readonly db: Database;
  readonly derived: Pick<DerivedChronicleStore, "add">;
}

/** What agents say of themselves, in Postgres. */
export function createPublicIdentityStore(
  options: PublicIdentityStoreOptions,
): PublicIdentityStore {
  const { db, derived } = options;
  return {
    replace: ({ tokenId, epoch }, identity, at) =>
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

/** What agents' profiles show, in Postgres. */
export function createDisplayStore(db: Database): DisplayStore {
  return {
    async change({ tokenId, epoch }, settings, at) {
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
    },
  };
}
