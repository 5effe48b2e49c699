import type { SQL } from "drizzle-orm";
import { and, arrayContains, count, desc, eq, gt, gte, isNull, or, sql } from "drizzle-orm";
import type { Field } from "../../../protocol/index.ts";
import { pageOf } from "../../kernel/list-pages.ts";
import type { Database } from "../../platform/database/connect.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import type { DisclosureRecord, DisclosureStore } from "./context.ts";
import { disclosure } from "./tables.ts";

const ofSoul = ({ tokenId, epoch }: SoulEpoch): SQL | undefined =>
  and(eq(disclosure.tokenId, tokenId), eq(disclosure.epoch, epoch));

const positionOf = ({ issuedAt, id }: DisclosureRecord) => ({ issuedAt, id });

/** Records of disclosures in Postgres. */
export function createDisclosureStore(db: Database): DisclosureStore {
  return {
    inTransaction: (work) => db.transaction(work),

    async add(tx, { recipient, fields, ...record }) {
      await tx.insert(disclosure).values({
        ...record,
        fields: [...fields],
        recipientTokenId: recipient?.tokenId ?? null,
        recipientDid: recipient?.did ?? null,
        recipientName: recipient?.name ?? null,
      });
    },

    async lock(tx, soul, id) {
      const [row] = await tx
        .select()
        .from(disclosure)
        .where(and(ofSoul(soul), eq(disclosure.id, id)))
        .for("update");
      return row ? toRecord(row) : null;
    },

    async revoke(tx, id, at, reason) {
      await tx
        .update(disclosure)
        .set({ revokedAt: at, revokeReason: reason })
        .where(eq(disclosure.id, id));
    },

    async history(soul, { recipientDid, field, since }, { limit, offset, after }) {
      const isFound = and(
        ofSoul(soul),
        recipientDid === undefined ? undefined : eq(disclosure.recipientDid, recipientDid),
        field === undefined ? undefined : arrayContains(disclosure.fields, [field]),
        since === undefined ? undefined : gte(disclosure.issuedAt, since),
      );
      const isAfter = rowsAfter(after, "desc", (last) => [
        [disclosure.issuedAt, last.issuedAt],
        [disclosure.id, last.id],
      ]);
      const [totals, rows] = await Promise.all([
        db.select({ total: count() }).from(disclosure).where(isFound),
        db
          .select()
          .from(disclosure)
          .where(and(isFound, isAfter))
          .orderBy(desc(disclosure.issuedAt), desc(disclosure.id))
          .limit(limit + 1)
          .offset(offset),
      ]);
      const { entries, next } = pageOf(rows.map(toRecord), limit, positionOf);
      return { total: totals[0]?.total ?? 0, records: entries, next };
    },

    async publicFields(soul, at) {
      // In the database: an agent may have any number of disclosures, and a soul has 12 fields.
      const rows = await db
        .selectDistinct({ field: sql<Field>`unnest(${disclosure.fields})` })
        .from(disclosure)
        .where(
          and(
            ofSoul(soul),
            isNull(disclosure.recipientDid),
            eq(disclosure.trigger, "manual"),
            isNull(disclosure.revokedAt),
            or(isNull(disclosure.expiresAt), gt(disclosure.expiresAt, at)),
          ),
        );
      return rows.map(({ field }) => field);
    },
  };
}

function toRecord({
  recipientTokenId: tokenId,
  recipientDid: did,
  recipientName: name,
  revokeReason: _reason,
  ...record
}: typeof disclosure.$inferSelect): DisclosureRecord {
  return { ...record, recipient: did === null || name === null ? null : { tokenId, did, name } };
}
