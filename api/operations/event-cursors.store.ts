import { and, eq } from "drizzle-orm";
import type { Database } from "../platform/database/connect.ts";
import type { EventCursors } from "./event-follower.ts";
import { eventCursor } from "./tables.ts";

const START = { block: 0n, key: "" };

/** How far the index was followed, in Postgres. */
export function createEventCursors(db: Database): EventCursors {
  return {
    async cursor(name) {
      const [row] = await db.select().from(eventCursor).where(eq(eventCursor.name, name));
      return row ? { block: row.block, key: row.key } : START;
    },

    inTransaction: (work) => db.transaction(work),

    async move(tx, name, { from, to }) {
      await tx
        .insert(eventCursor)
        .values({ name, ...START })
        .onConflictDoNothing();
      const moved = await tx
        .update(eventCursor)
        .set({ block: to.block, key: to.key })
        .where(
          and(
            eq(eventCursor.name, name),
            eq(eventCursor.block, from.block),
            eq(eventCursor.key, from.key),
          ),
        )
        .returning({ name: eventCursor.name });
      return moved.length === 1;
    },
  };
}
