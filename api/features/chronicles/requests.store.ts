import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { ChronicleRequestStore } from "./requests.ts";
import { chronicleRequest as table } from "./tables.ts";

/** Requests for owners' signatures, in Postgres. */
export function createChronicleRequestStore(db: Database): ChronicleRequestStore {
  return {
    async insert(request) {
      const [added] = await db.insert(table).values(request).onConflictDoNothing().returning();
      const [row] = added
        ? [added]
        : await db.select().from(table).where(eq(table.operationKey, request.operationKey));
      if (!row) throw new Error("A request was neither added nor there.");
      return row;
    },

    async find(id) {
      const [row] = await db.select().from(table).where(eq(table.id, id));
      return row ?? null;
    },

    async markSubmitted(id, at) {
      await db
        .update(table)
        .set({ submittedAt: at, saltEncrypted: null })
        .where(and(eq(table.id, id), isNull(table.submittedAt)));
    },
  };
}
