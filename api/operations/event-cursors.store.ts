import { and, eq } from "drizzle-orm";
import type { Executor } from "../platform/database/connect.ts";
import { eventCursor } from "./tables.ts";

/** Where a follower continues: everything up to and with this event has been handled. */
export interface EventCursor {
  readonly block: bigint;
  /** Of the event within its block; empty before the first one. */
  readonly key: string;
}

const START: EventCursor = { block: 0n, key: "" };

/** How far events of the index were followed; the start, when nothing was followed yet. */
export async function cursorOf(db: Executor, name: string): Promise<EventCursor> {
  const [row] = await db.select().from(eventCursor).where(eq(eventCursor.name, name));
  return row ? { block: row.block, key: row.key } : START;
}

/** Advances a cursor. False when another process has: then its events are handled already. */
export async function moveCursor(
  tx: Executor,
  name: string,
  { from, to }: { readonly from: EventCursor; readonly to: EventCursor },
): Promise<boolean> {
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
}
