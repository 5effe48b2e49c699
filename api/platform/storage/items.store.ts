import { and, asc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database, Executor } from "../database/connect.ts";
import type { Content, SignedItem } from "./ans104.ts";
import { dataHash } from "./ans104.ts";
import type { ItemState, StorageItems, UploadStage } from "./items.ts";
import { storageItem, storageUpload } from "./tables.ts";

const MINUTE_MS = 60_000;
/** How long a process holds the upload of an item. After a crash another process continues. */
const LEASE_MS = 2 * MINUTE_MS;
/** Doublings of a minute until the longest wait, an hour. */
const MAX_DOUBLINGS = 6;
/** Items per page of an audit, without their bytes. */
const PAGE = 200;

/**
 * An item without an unfinished upload: announced to a caller, or stored by the embedded driver.
 */
const announced = or(
  isNull(storageUpload.id),
  storageUpload.wasOnlyHere,
  isNotNull(storageUpload.acknowledgedAt),
) as SQL;

const NEVER_TRIED = { openTries: 0, tries: 0 };

/** The service's copies of its items and the state of their uploads, in Postgres. */
export function createStorageItems(db: Database, clock: () => Date): StorageItems {
  const after = (ms: number) => new Date(clock().getTime() + ms);
  const read = db
    .select({ bytes: storageItem.bytes })
    .from(storageItem)
    .leftJoin(storageUpload, eq(storageUpload.id, storageItem.id))
    .where(and(eq(storageItem.id, sql.placeholder("id")), announced))
    .prepare("storage_item_announced");

  /** Whether the item is new. */
  async function insert(tx: Executor, { id, bytes }: SignedItem, content: Content) {
    const { rowCount } = await tx
      .insert(storageItem)
      .values({
        id,
        bytes,
        contentType: content.contentType,
        dataHash: dataHash(content.data),
        createdAt: clock(),
      })
      .onConflictDoNothing();
    return rowCount === 1;
  }

  /** Claims uploads, so that another process claims others. */
  async function claim(which: SQL, limit: number): Promise<{ id: string; since: Date }[]> {
    const { rows } = await db.execute<{ id: string; since: string | Date }>(sql`
      update ${storageUpload} set next_look_at = ${after(LEASE_MS)} where id in (
        select id from ${storageUpload} where ${which} and next_look_at <= ${clock()}
        order by next_look_at limit ${limit} for update skip locked
      ) returning id, touched_at as since`);
    return rows.map(({ id, since }) => ({ id, since: new Date(since) }));
  }

  return {
    async keep(item, content) {
      await db.transaction(async (tx) => {
        await insert(tx, item, content);
        await tx
          .delete(storageUpload)
          .where(and(eq(storageUpload.id, item.id), isNull(storageUpload.acknowledgedAt)));
      });
    },

    keepForUpload(item, content) {
      return db.transaction(async (tx) => {
        const isNew = await insert(tx, item, content);
        if (isNew) {
          const now = clock();
          await tx
            .insert(storageUpload)
            .values({ ...NEVER_TRIED, id: item.id, touchedAt: now, nextLookAt: now });
          return "unacknowledged";
        }
        const [acknowledged] = await tx
          .select({ id: storageUpload.id })
          .from(storageUpload)
          .where(and(eq(storageUpload.id, item.id), isNotNull(storageUpload.acknowledgedAt)));
        if (acknowledged) return "acknowledged";
        const now = clock();
        await tx
          .insert(storageUpload)
          .values({
            ...NEVER_TRIED,
            id: item.id,
            wasOnlyHere: true,
            touchedAt: now,
            nextLookAt: now,
          })
          .onConflictDoUpdate({
            target: storageUpload.id,
            set: { touchedAt: now },
            setWhere: isNull(storageUpload.acknowledgedAt),
          });
        return "unacknowledged";
      });
    },

    async begin(id) {
      const rows = await db
        .update(storageUpload)
        .set({
          openTries: sql`${storageUpload.openTries} + 1`,
          tries: sql`${storageUpload.tries} + 1`,
          touchedAt: clock(),
          nextLookAt: after(LEASE_MS),
        })
        .where(and(eq(storageUpload.id, id), isNull(storageUpload.acknowledgedAt)))
        .returning({
          openTries: storageUpload.openTries,
          lastFailure: storageUpload.lastFailure,
        });
      const [row] = rows;
      // There is no row to start: the upload was acknowledged.
      if (row === undefined) return "open";
      return row.openTries > 1 && row.lastFailure !== "wrong_answer" ? "open" : "none";
    },

    async failed(id, { failure, message, outcome }) {
      const closed = outcome === "not_stored" ? 1 : 0;
      const minutes = sql`power(2, least(${storageUpload.tries}, ${MAX_DOUBLINGS}))`;
      await db
        .update(storageUpload)
        .set({
          openTries: sql`greatest(${storageUpload.openTries} - ${closed}, 0)`,
          lastFailure: failure,
          lastMessage: message,
          touchedAt: clock(),
          nextLookAt: sql`${clock()}::timestamptz + ${minutes} * interval '1 minute'`,
        })
        .where(and(eq(storageUpload.id, id), isNull(storageUpload.acknowledgedAt)));
    },

    async acknowledged(id, receipt) {
      const now = clock();
      const receiptFields = {
        openTries: 0,
        lastFailure: null,
        lastMessage: null,
        receipt,
        touchedAt: now,
        nextLookAt: after(MINUTE_MS),
      };
      await db
        .insert(storageUpload)
        .values({ id, tries: 1, ...receiptFields, acknowledgedAt: now })
        .onConflictDoUpdate({
          target: storageUpload.id,
          // The first time stays: a repeated acknowledgement must not restart the wait for an item
          // that never appears.
          set: {
            ...receiptFields,
            acknowledgedAt: sql`coalesce(${storageUpload.acknowledgedAt}, excluded.acknowledged_at)`,
          },
        });
    },

    async seen(id) {
      await db
        .update(storageUpload)
        .set({ seenAt: clock() })
        .where(and(eq(storageUpload.id, id), isNull(storageUpload.seenAt)));
    },

    async notSeen(id) {
      // The wait doubles with the time since the upload: gateways need minutes to hours.
      await db
        .update(storageUpload)
        .set({
          nextLookAt: sql`${clock()}::timestamptz + least(greatest(${clock()}::timestamptz - touched_at, interval '1 minute'), interval '6 hours')`,
        })
        .where(eq(storageUpload.id, id));
    },

    async claimUnsettled(limit) {
      const claimed = await claim(
        sql`acknowledged_at is null and (open_tries > 0 or was_only_here)`,
        limit,
      );
      return claimed.map(({ id }) => id);
    },
    claimUnseen: (limit) => claim(sql`acknowledged_at is not null and seen_at is null`, limit),

    async claimOnlyHere(limit) {
      const { rows } = await db.execute<{ id: string }>(sql`
        insert into ${storageUpload} (id, was_only_here, open_tries, tries, touched_at, next_look_at)
        select id, true, 0, 0, ${clock()}::timestamptz, ${after(LEASE_MS)}::timestamptz
        from ${storageItem} as item
        where not exists (select from ${storageUpload} as upload where upload.id = item.id)
        order by created_at limit ${limit}
        on conflict do nothing returning id`);
      return rows.map(({ id }) => id);
    },

    async forgetNeverSent(before) {
      const { rowCount } = await db.execute(sql`
        delete from ${storageItem} where id in (
          select id from ${storageUpload}
          where acknowledged_at is null and open_tries = 0 and not was_only_here and touched_at < ${before}
          for update)`);
      return rowCount ?? 0;
    },

    async readAnnounced(id) {
      const [row] = await read.execute({ id });
      return row ? { id, bytes: row.bytes } : null;
    },

    async readAny(id) {
      const [row] = await db
        .select({ bytes: storageItem.bytes })
        .from(storageItem)
        .where(eq(storageItem.id, id));
      return row ? { id, bytes: row.bytes } : null;
    },

    async factsOf(id) {
      const [row] = await db
        .select({ dataHash: storageItem.dataHash, contentType: storageItem.contentType })
        .from(storageItem)
        .leftJoin(storageUpload, eq(storageUpload.id, storageItem.id))
        .where(and(eq(storageItem.id, id), announced));
      return row ?? null;
    },

    async replace({ id, bytes }, content) {
      await db
        .update(storageItem)
        .set({ bytes, dataHash: dataHash(content.data), contentType: content.contentType })
        .where(eq(storageItem.id, id));
    },

    async *states() {
      let last = "";
      for (;;) {
        const rows = await db
          .select({ id: storageItem.id, createdAt: storageItem.createdAt, upload: storageUpload })
          .from(storageItem)
          .leftJoin(storageUpload, eq(storageUpload.id, storageItem.id))
          .where(gt(storageItem.id, last))
          .orderBy(asc(storageItem.id))
          .limit(PAGE);
        for (const { id, createdAt, upload } of rows) yield stateOf(id, createdAt, upload);
        const end = rows.at(-1);
        if (end === undefined || rows.length < PAGE) return;
        last = end.id;
      }
    },

    count: () => db.$count(storageItem),

    async countUnsettled() {
      return db.$count(
        storageUpload,
        and(isNull(storageUpload.acknowledgedAt), gt(storageUpload.openTries, 0)),
      );
    },
  };
}

function stateOf(
  id: string,
  createdAt: Date,
  row: typeof storageUpload.$inferSelect | null,
): ItemState {
  const { acknowledgedAt, seenAt, openTries, touchedAt, lastMessage, wasOnlyHere } =
    row ?? NO_UPLOAD;
  let stage: UploadStage = openTries > 0 ? "uploading" : "kept";
  if (acknowledgedAt !== null) stage = seenAt === null ? "acknowledged" : "seen";
  else if (wasOnlyHere) stage = "only_here";
  return {
    id,
    stage,
    createdAt,
    acknowledgedAt,
    lastMessage,
    touchedAt: touchedAt ?? createdAt,
    lastFailure: row?.lastFailure ?? null,
  };
}

const NO_UPLOAD = {
  acknowledgedAt: null,
  seenAt: null,
  openTries: 0,
  touchedAt: null,
  lastMessage: null,
  wasOnlyHere: true,
};
