import { and, asc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database, Executor } from "../database/connect.ts";
import type { Content, SignedItem } from "./ans104.ts";
import { dataHash } from "./ans104.ts";
import type { EarlierTries, ItemFacts, ItemState, TryFailure, UploadStage } from "./items.ts";
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

/** The service's own copies of items, and the state of their uploads, in Postgres. Every function is atomic. */
export function createStorageItems(db: Database, clock: () => Date) {
  return { ...copies(db, clock), ...uploads(db, clock), ...claims(db, clock) };
}
export type StorageItems = ReturnType<typeof createStorageItems>;

const after = (clock: () => Date, ms: number) => new Date(clock().getTime() + ms);

function copies(db: Database, clock: () => Date) {
  const read = db
    .select({ bytes: storageItem.bytes })
    .from(storageItem)
    .leftJoin(storageUpload, eq(storageUpload.id, storageItem.id))
    .where(and(eq(storageItem.id, sql.placeholder("id")), announced))
    .prepare("storage_item_announced");

  return {
    /** Stores an item that needs no upload. An existing item is never replaced. */
    async keep(item: SignedItem, content: Content): Promise<void> {
      await db.transaction(async (tx) => {
        await insert(tx, item, content, clock());
        await tx
          .delete(storageUpload)
          .where(and(eq(storageUpload.id, item.id), isNull(storageUpload.acknowledgedAt)));
      });
    },

    /** An announced item; unchecked. */
    async readAnnounced(id: string): Promise<SignedItem | null> {
      const [row] = await read.execute({ id });
      return row ? { id, bytes: row.bytes } : null;
    },

    /** An item in any state; unchecked. */
    async readAny(id: string): Promise<SignedItem | null> {
      const [row] = await db
        .select({ bytes: storageItem.bytes })
        .from(storageItem)
        .where(eq(storageItem.id, id));
      return row ? { id, bytes: row.bytes } : null;
    },

    /** Facts of an announced item; null when it is unknown or has none. */
    async factsOf(id: string): Promise<ItemFacts | null> {
      const [row] = await db
        .select({ dataHash: storageItem.dataHash, contentType: storageItem.contentType })
        .from(storageItem)
        .leftJoin(storageUpload, eq(storageUpload.id, storageItem.id))
        .where(and(eq(storageItem.id, id), announced));
      return row ?? null;
    },

    /** Replaces damaged bytes with intact ones. */
    async replace({ id, bytes }: SignedItem, content: Content): Promise<void> {
      await db
        .update(storageItem)
        .set({ bytes, dataHash: dataHash(content.data), contentType: content.contentType })
        .where(eq(storageItem.id, id));
    },

    /** Every item, in the order of ids, a page in memory at a time. */
    async *states(): AsyncGenerator<ItemState, void> {
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
  };
}

/** Whether the item is new. */
async function insert(tx: Executor, { id, bytes }: SignedItem, content: Content, createdAt: Date) {
  const { data, contentType } = content;
  const { rowCount } = await tx
    .insert(storageItem)
    .values({ id, bytes, contentType, dataHash: dataHash(data), createdAt })
    .onConflictDoNothing();
  return rowCount === 1;
}

function uploads(db: Database, clock: () => Date) {
  const unacknowledged = (id: string) =>
    and(eq(storageUpload.id, id), isNull(storageUpload.acknowledgedAt));

  return {
    /** Stores an item before its upload, and returns whether it must still be uploaded. */
    keepForUpload(item: SignedItem, content: Content) {
      return db.transaction(async (tx) => keepForUpload(tx, item, content, clock));
    },

    /** Records the start of an attempt. Resolves to the outcome of earlier attempts. */
    async begin(id: string): Promise<EarlierTries> {
      const { openTries, tries, lastFailure } = storageUpload;
      const [row] = await db
        .update(storageUpload)
        .set({
          openTries: sql`${openTries} + 1`,
          tries: sql`${tries} + 1`,
          touchedAt: clock(),
          nextLookAt: after(clock, LEASE_MS),
        })
        .where(unacknowledged(id))
        .returning({ openTries, lastFailure });
      // There is no row to start: the upload was acknowledged.
      if (row === undefined) return "open";
      return row.openTries > 1 && row.lastFailure !== "wrong_answer" ? "open" : "none";
    },

    /** Records a failed attempt. One that cannot have stored anything does not count. */
    async failed(id: string, { failure, message, outcome }: TryFailure): Promise<void> {
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
        .where(unacknowledged(id));
    },

    /** Records that the bundler has the item. */
    async acknowledged(id: string, receipt: object): Promise<void> {
      const now = clock();
      const receiptFields = {
        openTries: 0,
        lastFailure: null,
        lastMessage: null,
        receipt,
        touchedAt: now,
        nextLookAt: after(clock, MINUTE_MS),
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

    /** Started uploads with an unknown result. */
    async countUnsettled() {
      return db.$count(
        storageUpload,
        and(isNull(storageUpload.acknowledgedAt), gt(storageUpload.openTries, 0)),
      );
    },
  };
}

async function keepForUpload(
  tx: Executor,
  item: SignedItem,
  content: Content,
  clock: () => Date,
): Promise<"unacknowledged" | "acknowledged"> {
  const { id } = item;
  const isNew = await insert(tx, item, content, clock());
  if (!isNew) {
    const [acknowledged] = await tx
      .select({ id: storageUpload.id })
      .from(storageUpload)
      .where(and(eq(storageUpload.id, id), isNotNull(storageUpload.acknowledgedAt)));
    if (acknowledged) return "acknowledged";
  }
  const now = clock();
  const added = tx.insert(storageUpload).values({
    id,
    wasOnlyHere: !isNew,
    openTries: 0,
    tries: 0,
    touchedAt: now,
    nextLookAt: now,
  });
  await (isNew
    ? added
    : added.onConflictDoUpdate({
        target: storageUpload.id,
        set: { touchedAt: now },
        setWhere: isNull(storageUpload.acknowledgedAt),
      }));
  return "unacknowledged";
}

function claims(db: Database, clock: () => Date) {
  /** Claims uploads, so that another process claims others. */
  async function claim(which: SQL, limit: number): Promise<{ id: string; since: Date }[]> {
    const { rows } = await db.execute<{ id: string; since: string | Date }>(sql`
      update ${storageUpload} set next_look_at = ${after(clock, LEASE_MS)} where id in (
        select id from ${storageUpload} where ${which} and next_look_at <= ${clock()}
        order by next_look_at limit ${limit} for update skip locked
      ) returning id, touched_at as since`);
    return rows.map(({ id, since }) => ({ id, since: new Date(since) }));
  }

  return {
    /**
     * Claims ids for a limited time: of due uploads with an unknown result, and of due items that
     * exist only here.
     */
    async claimUnsettled(limit: number): Promise<readonly string[]> {
      const claimed = await claim(
        sql`acknowledged_at is null and (open_tries > 0 or was_only_here)`,
        limit,
      );
      return claimed.map(({ id }) => id);
    },

    /**
     * The same for acknowledged items that no gateway has served, with the time of the last upload.
     */
    claimUnseen: (limit: number) =>
      claim(sql`acknowledged_at is not null and seen_at is null`, limit),

    /**
     * Ids of items of the embedded driver that were never claimed, oldest first. Each is claimed
     * once. Afterwards it waits among the unsettled uploads, so that refused items do not delay
     * others.
     */
    async claimOnlyHere(limit: number): Promise<readonly string[]> {
      const { rows } = await db.execute<{ id: string }>(sql`
        insert into ${storageUpload} (id, was_only_here, open_tries, tries, touched_at, next_look_at)
        select id, true, 0, 0, ${clock()}::timestamptz, ${after(clock, LEASE_MS)}::timestamptz
        from ${storageItem} as item
        where not exists (select from ${storageUpload} as upload where upload.id = item.id)
        order by created_at limit ${limit}
        on conflict do nothing returning id`);
      return rows.map(({ id }) => id);
    },

    /** Records that a gateway serves the intact item. */
    async seen(id: string): Promise<void> {
      await db
        .update(storageUpload)
        .set({ seenAt: clock() })
        .where(and(eq(storageUpload.id, id), isNull(storageUpload.seenAt)));
    },

    /** Records that no gateway serves it yet: a later round checks again. */
    async notSeen(id: string): Promise<void> {
      // The wait doubles with the time since the upload: gateways need minutes to hours.
      await db
        .update(storageUpload)
        .set({
          nextLookAt: sql`${clock()}::timestamptz + least(greatest(${clock()}::timestamptz - touched_at, interval '1 minute'), interval '6 hours')`,
        })
        .where(eq(storageUpload.id, id));
    },

    /**
     * Deletes items that were never announced, that no bundler can have, and that were not requested
     * since `before`. Resolves to how many.
     */
    async forgetNeverSent(before: Date): Promise<number> {
      const { rowCount } = await db.execute(sql`
        delete from ${storageItem} where id in (
          select id from ${storageUpload}
          where acknowledged_at is null and open_tries = 0 and not was_only_here and touched_at < ${before}
          for update)`);
      return rowCount ?? 0;
    },
  };
}

function stateOf(
  id: string,
  createdAt: Date,
  upload: typeof storageUpload.$inferSelect | null,
): ItemState {
  return {
    id,
    stage: stageOf(upload),
    createdAt,
    acknowledgedAt: upload?.acknowledgedAt ?? null,
    lastMessage: upload?.lastMessage ?? null,
    touchedAt: upload?.touchedAt ?? createdAt,
    lastFailure: upload?.lastFailure ?? null,
  };
}

function stageOf(upload: typeof storageUpload.$inferSelect | null): UploadStage {
  if (upload === null) return "only_here";
  if (upload.acknowledgedAt !== null) return upload.seenAt === null ? "acknowledged" : "seen";
  if (upload.wasOnlyHere) return "only_here";
  return upload.openTries > 0 ? "uploading" : "kept";
}
