import { and, asc, between, desc, ne } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { chainViews, readable } from "../../api/soul/index-views.store.ts";
import type { SitemapReads } from "./sitemap.ts";

/** Reads ranges of the primary key: every part costs the same, however many there are. */
export function createSitemapReads(pool: Pool): SitemapReads {
  const db = drizzle(pool);
  const { soul } = chainViews;
  return {
    async highestTokenId() {
      const [last] = await readable(() =>
        db.select({ tokenId: soul.tokenId }).from(soul).orderBy(desc(soul.tokenId)).limit(1),
      );
      return last?.tokenId ?? 0n;
    },
    async namesBetween(first, last) {
      const rows = await readable(() =>
        db
          .select({ name: soul.name })
          .from(soul)
          .where(and(between(soul.tokenId, first, last), ne(soul.status, "BURNED")))
          .orderBy(asc(soul.tokenId)),
      );
      return rows.map(({ name }) => name);
    },
  };
}
