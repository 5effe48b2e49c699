import { and, eq } from "drizzle-orm";
import type { Database, Executor } from "../platform/database/connect.ts";
import type { EventPlaces } from "./event-follower.ts";
import { eventPlace } from "./tables.ts";

const START = { block: 0n, key: "" };

/** How far the index was followed, in Postgres. */
export function createEventPlaces(db: Database): EventPlaces<Executor> {
  return {
    async place(name) {
      const [row] = await db.select().from(eventPlace).where(eq(eventPlace.name, name));
      return row ? { block: row.block, key: row.key } : START;
    },

    inTransaction: (work) => db.transaction(work),

    async move(tx, name, { from, to }) {
      await tx
        .insert(eventPlace)
        .values({ name, ...START })
        .onConflictDoNothing();
      const moved = await tx
        .update(eventPlace)
        .set({ block: to.block, key: to.key })
        .where(
          and(
            eq(eventPlace.name, name),
            eq(eventPlace.block, from.block),
            eq(eventPlace.key, from.key),
          ),
        )
        .returning({ name: eventPlace.name });
      return moved.length === 1;
    },
  };
}
