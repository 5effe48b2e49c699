import type { Database } from "../platform/database/connect.ts";
import type { Transaction } from "../platform/database/transaction.ts";
import type { JobHandler } from "../platform/jobs/ports.ts";
import { cursorOf, type EventCursor, moveCursor } from "./event-cursors.store.ts";

export type { EventCursor };

/** Events of the index, and what follows from each. */
export interface FollowedEvents<Event extends EventCursor = EventCursor> {
  /** Stored with the cursor: never renamed. */
  readonly name: string;
  /** The first `limit` events after a cursor, up to and with block `upTo`, in order of block and key. */
  page(after: EventCursor, upTo: bigint, limit: number): Promise<readonly Event[]>;
  /** Within the transaction that advances the cursor. It must be idempotent: an index that is rebuilt may repeat an event. */
  handle(transaction: Transaction, event: Event): Promise<void>;
}

/** Events handled in one transaction. */
const PAGE = 100;

/**
 * Makes the job that handles events of the index, each once and in their order, at a depth at which they are final.
 *
 * @param confirmations Blocks until something counts; 1 means included.
 */
export function createEventFollower(
  db: Database,
  index: { indexedBlock(): Promise<bigint> },
  confirmations: number,
) {
  return <Event extends EventCursor>({ name, page, handle }: FollowedEvents<Event>): JobHandler =>
    async (_data, signal) => {
      const settled = (await index.indexedBlock()) - BigInt(confirmations - 1);
      while (!signal.aborted) {
        const from = await cursorOf(db, name);
        const events = await page(from, settled, PAGE);
        const last = events.at(-1);
        if (last === undefined) return;
        const to = { block: last.block, key: last.key };
        const isMoved = await db.transaction(async (tx) => {
          if (!(await moveCursor(tx, name, { from, to }))) return false;
          for (const event of events) await handle(tx, event);
          return true;
        });
        if (!isMoved || events.length < PAGE) return;
      }
    };
}
