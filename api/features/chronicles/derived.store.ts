import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { DerivedChronicleStore } from "./derived.ts";
import { DERIVE_JOB } from "./derived.ts";
import { derivedChronicle } from "./tables.ts";

/** Left to the request that added it, which mostly records it at once. */
const HEAD_START_MS = 15_000;

/** Chronicles that are due, in Postgres. */
export function createDerivedChronicleStore({
  db,
  jobs,
  clock,
}: {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly clock: () => Date;
}): DerivedChronicleStore {
  return {
    async add(tx, { key, tokenId, category, data }) {
      const createdAt = clock();
      await tx.insert(derivedChronicle).values({ key, tokenId, category, data, createdAt });
      const startAfter = new Date(createdAt.getTime() + HEAD_START_MS);
      await jobs.send(tx, DERIVE_JOB, { key }, { startAfter, singletonKey: key });
    },

    async due(key) {
      const [row] = await db
        .select()
        .from(derivedChronicle)
        .where(and(eq(derivedChronicle.key, key), isNull(derivedChronicle.chronicleId)));
      if (!row) return null;
      const { tokenId, category, data } = row;
      return { key, tokenId, category, data };
    },

    async recorded(key, chronicleId) {
      await db.update(derivedChronicle).set({ chronicleId }).where(eq(derivedChronicle.key, key));
    },
  };
}
