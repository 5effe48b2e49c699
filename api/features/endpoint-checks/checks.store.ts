import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, gte, inArray, lt, lte, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import type { Hex } from "viem";
import type { EndpointState } from "../../../protocol/endpoints/index.ts";
import type { Database } from "../../platform/database/connect.ts";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import type { CheckedDay, CheckResults, CheckSchedule, PassportMetadata } from "./ports.ts";
import { endpointCheck, endpointCheckSet, endpointWatch } from "./tables.ts";

const { soul, passportMetadata } = chainViews;

const NO_STATES: Readonly<Record<EndpointState, number>> = {
  answers: 0,
  silent: 0,
  domain_not_proven: 0,
  not_checked: 0,
};

/** When agents are checked, in Postgres. */
export function createCheckSchedule(db: Database): CheckSchedule {
  return {
    transaction: (work) => db.transaction(work),

    async enrol(limit, now) {
      // Token ids only grow: everything up to the largest one is on the list.
      const added = await readable(() =>
        db.execute(sql`insert into ${endpointWatch} (token_id, due_at)
          select ${soul.tokenId}, ${now}::timestamptz from ${soul}
          where ${soul.tokenId} > (select coalesce(max(token_id), 0) from ${endpointWatch})
          order by ${soul.tokenId} limit ${limit}
          on conflict do nothing`),
      );
      return added.rowCount ?? 0;
    },

    async takeDue(tx, limit, now, again) {
      // Those of another process are left to it.
      const due = tx
        .select({ tokenId: endpointWatch.tokenId })
        .from(endpointWatch)
        .where(lte(endpointWatch.dueAt, now))
        .orderBy(asc(endpointWatch.dueAt))
        .limit(limit)
        .for("update", { skipLocked: true });
      const taken = await tx
        .update(endpointWatch)
        .set({ dueAt: again })
        .where(inArray(endpointWatch.tokenId, due))
        .returning({ tokenId: endpointWatch.tokenId });
      return taken.map(({ tokenId }) => tokenId);
    },

    async request(tx, tokenId, now, pauseMs) {
      await tx.insert(endpointWatch).values({ tokenId, dueAt: now }).onConflictDoNothing();
      const [row] = await tx
        .select({ startedAt: endpointWatch.startedAt })
        .from(endpointWatch)
        .where(eq(endpointWatch.tokenId, tokenId))
        .for("update");
      const from = (row?.startedAt?.getTime() ?? 0) + pauseMs;
      const dueAt = new Date(Math.max(now.getTime(), from));
      await tx.update(endpointWatch).set({ dueAt }).where(eq(endpointWatch.tokenId, tokenId));
      return dueAt;
    },

    async begin(tokenId, now, pauseMs) {
      const begun = await db
        .update(endpointWatch)
        .set({ startedAt: now, dueAt: new Date(now.getTime() + pauseMs) })
        .where(
          and(
            eq(endpointWatch.tokenId, tokenId),
            or(
              sql`${endpointWatch.startedAt} is null`,
              lte(endpointWatch.startedAt, new Date(now.getTime() - pauseMs)),
            ),
          ),
        )
        .returning({ tokenId: endpointWatch.tokenId });
      return begun.length === 1;
    },

    async postpone(tokenId, dueAt) {
      await db
        .update(endpointWatch)
        .set({ dueAt, answering: false })
        .where(eq(endpointWatch.tokenId, tokenId));
    },
  };
}

/** Results of checks, in Postgres. */
export function createCheckResults(db: Database): CheckResults {
  return {
    async finish({ tokenId, startedAt, statement, signature, endpoints, dueAt }) {
      await db.transaction(async (tx) => {
        const id = randomUUID();
        await tx.insert(endpointCheckSet).values({ id, tokenId, startedAt, statement, signature });
        const rows = endpoints.flatMap((checked, position) => {
          const { kind, endpoint, state, latencyMs, certificateEnds } = checked;
          if (kind === null) return [];
          const ends = certificateEnds === null ? null : new Date(certificateEnds);
          const of = { setId: id, position, tokenId, startedAt };
          return [{ ...of, kind, endpoint, state, latencyMs, certificateEnds: ends }];
        });
        if (rows.length > 0) await tx.insert(endpointCheck).values(rows);
        await tx
          .update(endpointWatch)
          .set({ dueAt, answering: endpoints.some(({ answers }) => answers === true) })
          .where(eq(endpointWatch.tokenId, tokenId));
      });
    },

    async checks(tokenId, before) {
      const [row] = await db
        .select({
          dueAt: endpointWatch.dueAt,
          startedAt: endpointCheckSet.startedAt,
          statement: endpointCheckSet.statement,
          signature: endpointCheckSet.signature,
        })
        .from(endpointWatch)
        .leftJoin(
          endpointCheckSet,
          and(
            eq(endpointCheckSet.tokenId, endpointWatch.tokenId),
            before === null ? undefined : lt(endpointCheckSet.startedAt, before),
          ),
        )
        .where(eq(endpointWatch.tokenId, tokenId))
        .orderBy(desc(endpointCheckSet.startedAt))
        .limit(1)
        .prepare(before === null ? "endpoint_checks_last" : "endpoint_checks_before")
        .execute();
      if (row === undefined) return { last: null, dueAt: null };
      const { dueAt, startedAt, statement, signature } = row;
      const isStored = startedAt !== null && statement !== null && signature !== null;
      return { last: isStored ? { startedAt, statement, signature } : null, dueAt };
    },

    async days(tokenId, since) {
      const day = sql<string>`to_char(${endpointCheck.startedAt} at time zone 'utc', 'YYYY-MM-DD')`;
      const rows = await db
        .select({ day, state: endpointCheck.state, count: sql<number>`count(*)::int` })
        .from(endpointCheck)
        .where(and(eq(endpointCheck.tokenId, tokenId), gte(endpointCheck.startedAt, since)))
        .groupBy(sql`1`, endpointCheck.state)
        .orderBy(sql`1`);
      const days = new Map<string, CheckedDay>();
      for (const { day: of, state, count } of rows) {
        const states = days.get(of)?.states ?? NO_STATES;
        days.set(of, { day: of, states: { ...states, [state]: count } });
      }
      return [...days.values()];
    },
  };
}

/** Passports' metadata as the index has it. */
export function createPassportMetadata(pool: Pool): PassportMetadata {
  const db = drizzle(pool);
  return {
    async of(passportId, keys) {
      const rows = await readable(() =>
        db
          .select({ key: passportMetadata.key, value: passportMetadata.value })
          .from(passportMetadata)
          .where(
            and(
              eq(passportMetadata.passportId, passportId),
              inArray(passportMetadata.key, [...keys]),
            ),
          ),
      );
      return new Map(
        rows.flatMap(({ key, value }): [string, Hex][] => (value === null ? [] : [[key, value]])),
      );
    },
  };
}
