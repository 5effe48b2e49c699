import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, gte, inArray, lt, lte, or, sql } from "drizzle-orm";
import type { Address } from "viem";
import {
  type CheckedEndpoint,
  type EndpointCheckStatement,
  type EndpointState,
  gradeAgent,
} from "../../../protocol/endpoints/index.ts";
import { serviceMetadata } from "../../../protocol/service-metadata.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { IndexedAgent, IndexedAgents, Reading } from "../../soul/index-reads.ts";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";
import {
  type AgentCheck,
  type CheckedDay,
  ENDPOINT_CHECK_JOBS,
  factsOf,
  type SignedCheck,
} from "./checks.ts";
import { endpointCheck, endpointCheckSet, endpointWatch } from "./tables.ts";

const { soul, passportMetadata } = chainViews;

/** No agent's endpoints are asked more often. */
const PAUSE_MS = 15 * 60 * 1000;
/** As long as results are kept. */
const HISTORY_MS = 90 * 24 * 60 * 60 * 1000;

const NO_STATES: Readonly<Record<EndpointState, number>> = {
  answers: 0,
  silent: 0,
  domain_not_proven: 0,
  not_checked: 0,
};

/** What is stored and known of checks, for those who ask for one or read its result. */
export function createEndpointChecks(context: {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly agents: IndexedAgents;
  readonly statements: { readonly signer: Address };
  /** As registration files name it. */
  readonly registry: string;
  readonly clock: () => Date;
}) {
  const { db, jobs, agents, statements, registry, clock } = context;

  async function requireLiving(ref: SoulRef): Promise<Reading<IndexedAgent>> {
    const reading = await requireAgent(agents, ref);
    if (reading.value.soul.status === "BURNED") throw noSuchSoul(ref);
    return reading;
  }

  return {
    /**
     * Has an agent checked as soon as it may be.
     *
     * @throws ApiError NOT_FOUND, also for a burned agent.
     */
    async request(ref: SoulRef) {
      const { value } = await requireLiving(ref);
      const { tokenId, passportId, name: agentName } = value.soul;
      const checkAt = await db.transaction(async (tx) => {
        const at = await makeDue(tx, tokenId, clock());
        await enqueueCheck(jobs, tx, tokenId, at);
        return at;
      });
      return { agentName, tokenId, passportId, checkAt };
    },

    /**
     * The last check of an agent that began before a time (null: now), with what it leads to.
     *
     * @throws ApiError NOT_FOUND, also for a burned agent.
     */
    async of(ref: SoulRef, before: Date | null): Promise<Reading<AgentCheck>> {
      const { at, value: agent, checkedAt } = await requireLiving(ref);
      const { tokenId, name, passportId } = agent.soul;
      const now = clock();
      const [{ last, dueAt }, days] = await Promise.all([
        lastCheck(db, tokenId, before),
        checkedDays(db, tokenId, new Date(now.getTime() - HISTORY_MS)),
      ]);
      const check = last && signedCheck(last, statements.signer);
      return {
        at,
        checkedAt,
        value: {
          agentName: name,
          tokenId,
          passport: { registry, agentId: passportId },
          validity: validityOf(agent),
          check,
          nextCheckAt: dueAt,
          report:
            check && gradeAgent(factsOf(agent, check, await isMetadataCurrent(db, agent), now)),
          days,
        },
      };
    },

    /** The last check alone; null without one. */
    async last(tokenId: bigint): Promise<SignedCheck | null> {
      const { last } = await lastCheck(db, tokenId, null);
      return last && signedCheck(last, statements.signer);
    },
  };
}

/** Queues the check of an agent: one waits at most. */
export function enqueueCheck(jobs: JobQueue, tx: Transaction, tokenId: bigint, startAfter: Date) {
  const id = tokenId.toString();
  const options = { startAfter, singletonKey: id };
  return jobs.send(tx, ENDPOINT_CHECK_JOBS.check, { tokenId: id }, options);
}

/** Puts the next souls of the index on the list, due at once. @returns how many. */
export async function enrol(db: Database, limit: number, now: Date): Promise<number> {
  // Token ids only grow: everything up to the largest one is on the list.
  const added = await readable(() =>
    db.execute(sql`insert into ${endpointWatch} (token_id, due_at)
      select ${soul.tokenId}, ${now}::timestamptz from ${soul}
      where ${soul.tokenId} > (select coalesce(max(token_id), 0) from ${endpointWatch})
      order by ${soul.tokenId} limit ${limit}
      on conflict do nothing`),
  );
  return added.rowCount ?? 0;
}

/** Takes agents whose check is due, and makes them due again after the pause if nothing comes of it. */
export async function takeDue(tx: Transaction, limit: number, now: Date): Promise<bigint[]> {
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
    .set({ dueAt: new Date(now.getTime() + PAUSE_MS) })
    .where(inArray(endpointWatch.tokenId, due))
    .returning({ tokenId: endpointWatch.tokenId });
  return taken.map(({ tokenId }) => tokenId);
}

/** Makes an agent due, at the earliest one pause after its last check began. @returns when. */
async function makeDue(tx: Transaction, tokenId: bigint, now: Date): Promise<Date> {
  await tx.insert(endpointWatch).values({ tokenId, dueAt: now }).onConflictDoNothing();
  const [row] = await tx
    .select({ startedAt: endpointWatch.startedAt })
    .from(endpointWatch)
    .where(eq(endpointWatch.tokenId, tokenId))
    .for("update");
  const from = (row?.startedAt?.getTime() ?? 0) + PAUSE_MS;
  const dueAt = new Date(Math.max(now.getTime(), from));
  await tx.update(endpointWatch).set({ dueAt }).where(eq(endpointWatch.tokenId, tokenId));
  return dueAt;
}

/** Whether a check may begin now: of any number of processes one may. */
export async function begin(db: Database, tokenId: bigint, now: Date): Promise<boolean> {
  const begun = await db
    .update(endpointWatch)
    .set({ startedAt: now, dueAt: new Date(now.getTime() + PAUSE_MS) })
    .where(
      and(
        eq(endpointWatch.tokenId, tokenId),
        or(
          sql`${endpointWatch.startedAt} is null`,
          lte(endpointWatch.startedAt, new Date(now.getTime() - PAUSE_MS)),
        ),
      ),
    )
    .returning({ tokenId: endpointWatch.tokenId });
  return begun.length === 1;
}

/** Ends a check without a result. Null: the agent is never checked again. */
export async function postpone(db: Database, tokenId: bigint, dueAt: Date | null): Promise<void> {
  await db
    .update(endpointWatch)
    .set({ dueAt, answering: false })
    .where(eq(endpointWatch.tokenId, tokenId));
}

/** Stores a result and when the agent is checked next, both or neither. */
export async function finish(
  db: Database,
  stored: Omit<typeof endpointCheckSet.$inferInsert, "id">,
  endpoints: readonly CheckedEndpoint[],
  dueAt: Date,
): Promise<void> {
  const { tokenId, startedAt } = stored;
  await db.transaction(async (tx) => {
    const id = randomUUID();
    await tx.insert(endpointCheckSet).values({ id, ...stored });
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
}

/**
 * The newest check that began before a time, of all for null, and when the next one is due: both
 * null for none.
 */
async function lastCheck(db: Database, tokenId: bigint, before: Date | null) {
  const [row] = await db
    .select({ dueAt: endpointWatch.dueAt, last: endpointCheckSet })
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
  return row ?? { last: null, dueAt: null };
}

function signedCheck(
  { startedAt, statement, signature }: typeof endpointCheckSet.$inferSelect,
  signer: Address,
): SignedCheck {
  const { file, endpoints } = JSON.parse(statement) as EndpointCheckStatement;
  return { checkedAt: startedAt, file, endpoints, statement, signature, signer };
}

/** Days with a check, the oldest first. */
async function checkedDays(db: Database, tokenId: bigint, since: Date): Promise<CheckedDay[]> {
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
}

/** Whether the passport says of a valid soul what the soul is, as the index has both. */
async function isMetadataCurrent(db: Database, agent: IndexedAgent): Promise<boolean> {
  const { tokenId, soulHash, passportId } = agent.soul;
  if (soulHash === null || validityOf(agent) !== "valid") return false;
  const expected = serviceMetadata({ tokenId, soulHash, archiveId: null, status: "SEALED" });
  const { key, value } = passportMetadata;
  const rows = await readable(() =>
    db
      .select({ key, value })
      .from(passportMetadata)
      .where(
        and(
          eq(passportMetadata.passportId, passportId),
          inArray(
            key,
            expected.map(([name]) => name),
          ),
        ),
      ),
  );
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  return expected.every(([name, wanted]) => stored.get(name) === wanted);
}
