import { sql } from "drizzle-orm";
import type { PublicClient } from "viem";
import type { Database } from "../../platform/database/connect.ts";
import { databaseStanding } from "../../platform/database/migrate.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import { NotReadyError } from "./readiness.ts";

/** The real checks behind `/ready`, by their public names. */
export function readinessChecks(parts: {
  readonly db: Database;
  readonly chain: PublicClient;
  readonly chainId: number;
  readonly age: Pick<IndexAge, "standing">;
}): Record<string, () => Promise<void>> {
  const { db, chain, chainId, age } = parts;
  return {
    async postgres() {
      await db.execute(sql`select 1`);
    },
    async schema() {
      const standing = await databaseStanding(db);
      if (standing === "behind") throw new NotReadyError("migrations have not run");
      if (standing === "contracted")
        throw new NotReadyError("this version is too old for the database");
    },
    async chain() {
      const answered = await chain.getChainId();
      if (answered !== chainId) {
        throw new NotReadyError(`the node serves chain ${answered} instead of ${chainId}`);
      }
    },
    async indexer() {
      const views = await db.execute(sql`select to_regclass('chain._ponder_meta') as name`);
      if (views.rows[0]?.name == null) throw new NotReadyError("has not created its views");
      const meta = await db.execute(
        sql`select (value ->> 'is_ready')::int as ready from chain._ponder_meta where key = 'app'`,
      );
      if (meta.rows[0]?.ready !== 1) throw new NotReadyError("is still reading history");
      const { behind, lagBlocks } = age.standing();
      if (!behind) return;
      throw new NotReadyError(
        lagBlocks === null
          ? "is of unknown age: the chain's head cannot be read"
          : `is behind the chain (lag in blocks: ${lagBlocks})`,
      );
    },
  };
}
