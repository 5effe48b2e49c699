import { setTimeout as delay } from "node:timers/promises";
import { CHRONICLE_JOBS } from "../../api/features/chronicles/job-names.ts";
import { createEventSink } from "../../api/features/webhooks/event-sink.store.ts";
import { WEBHOOK_JOBS } from "../../api/features/webhooks/job-names.ts";
import { createWebhookStore } from "../../api/features/webhooks/webhooks.store.ts";
import { runAndWait } from "../../api/platform/jobs/admin.ts";
import type { Done, WorkSide } from "../lib/rounds.ts";
import type { World } from "./world.ts";

type Sides = readonly [ours: WorkSide, bare: WorkSide];

const POLL_MS = 100;
const JOB_MS = 300_000;
const TRANSACTION = 200;
const HASH = `0x${"5c".repeat(32)}`;

/** Anchoring `count` queued chronicles as one batch. */
export function batchSides({ ours, bare, pool, db, jobs }: World, count: number): Sides {
  const queue = async () => {
    // Events about the batch before it, which no webhook receives.
    await pool.query("truncate app.webhook_event cascade");
    await pool.query(QUEUE_CHRONICLES, [count]);
    await pool.query("analyze app.chronicle, app.chronicle_state");
  };
  const assertAnchored = async () => {
    const { rows } =
      await pool.query(`select leaf_count, stage, announced_at is not null as announced,
      (select count(*)::int from app.chronicle_state s where s.batch_id = b.id and s.proof is not null) as proven
      from app.chronicle_batch b order by id desc limit 1`);
    const [{ leaf_count, stage, announced, proven }] = rows;
    if (leaf_count === count && proven === count && stage === "confirmed" && announced) return;
    throw new Error(`The last batch is not as expected: ${JSON.stringify(rows)}`);
  };
  return [
    {
      name: "ours",
      pid: ours.pid,
      prepare: queue,
      async work() {
        const startedAt = performance.now();
        await runAndWait(db, jobs, CHRONICLE_JOBS.batch, JOB_MS);
        const seconds = (performance.now() - startedAt) / 1_000;
        await assertAnchored();
        return { count, seconds };
      },
    },
    {
      name: "bare loop",
      pid: bare.pid,
      prepare: queue,
      async work() {
        const done = await bare.load.post("/anchor", {});
        await assertAnchored();
        return done as unknown as Done;
      },
    },
  ];
}

const QUEUE_CHRONICLES = `
  with queued as (
    insert into app.chronicle (token_id, chronicle_id, epoch, category, change_type, recorded_at,
      data, content_hash, archive_id, leaf, authority, operation_key)
    select soul.token_id, coalesce(before.last_id, 0) + k, 1, 'achievement', 'task_completed', now(), jsonb_build_object('title', 'Counted the herons'),
      '0x' || encode(sha256(uuid_send(gen_random_uuid())), 'hex'),
      left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 43),
      sha256(uuid_send(gen_random_uuid())), 'api_key', gen_random_uuid()::text
    from (select token_id, row_number() over (order by token_id) as place,
        count(*) over () as souls from chain.soul) soul
    left join (select token_id, max(chronicle_id) as last_id from app.chronicle group by token_id)
      before on before.token_id = soul.token_id
    cross join lateral generate_series(1, ($1::int - soul.place + soul.souls) / soul.souls) k
    returning token_id, chronicle_id, leaf
  )
  insert into app.chronicle_state (token_id, chronicle_id, leaf) select * from queued`;

/** Delivering `count` events, each to one of the agents' webhooks. */
export function deliverySides(world: World, count: number): Sides {
  const { ours, bare, receiver, pool } = world;
  const arrived = async () =>
    JSON.parse((await receiver.load.send({ path: "/arrived" })).body) as {
      readonly requests: number;
      readonly deliveries: number;
      readonly seconds: number;
    };
  const reset = async () => {
    await pool.query("truncate app.webhook_event cascade");
    await pool.query(`delete from jobs.job where name = '${WEBHOOK_JOBS.deliver}'`);
    await receiver.load.post("/reset", {});
    await writeEvents(world, count);
  };
  const assertArrived = async (schema: "app" | "bench"): Promise<number> => {
    const { requests, deliveries, seconds } = await arrived();
    const { rows } = await pool.query(
      `select count(*)::int as delivered from ${schema}.webhook_delivery where state = 'delivered'`,
    );
    const delivered = rows[0]?.delivered;
    if (requests === count && deliveries === count && delivered === count) return seconds;
    throw new Error(`${requests} requests, ${deliveries} arrived, ${delivered} delivered.`);
  };
  return [
    {
      name: "ours",
      pid: ours.pid,
      async prepare() {
        await reset();
        await pool.query("update app.webhook_delivery set next_try_at = now()");
        await pool.query("vacuum analyze app.webhook_event, app.webhook_delivery, jobs.job");
        await pool.query(
          `update jobs.job set start_after = now() where name = '${WEBHOOK_JOBS.deliver}'`,
        );
      },
      async work() {
        for (;;) {
          const { rows } = await pool.query(
            "select exists (select 1 from app.webhook_delivery where state = 'pending') as pending",
          );
          if (!rows[0]?.pending) break;
          await delay(POLL_MS);
        }
        return { count, seconds: await assertArrived("app") };
      },
    },
    {
      name: "bare loop",
      pid: bare.pid,
      async prepare() {
        await reset();
        await pool.query(`drop schema if exists bench cascade`);
        await pool.query("create schema bench");
        for (const table of ["webhook_event", "webhook_delivery", "webhook_try"]) {
          await pool.query(`create table bench.${table} (like app.${table} including all)`);
          await pool.query(`insert into bench.${table} select * from app.${table}`);
          await pool.query(`vacuum analyze bench.${table}`);
        }
        await pool.query("truncate app.webhook_event cascade");
        await pool.query(`delete from jobs.job where name = '${WEBHOOK_JOBS.deliver}'`);
      },
      async work() {
        await bare.load.post("/deliver", {});
        return { count, seconds: await assertArrived("bench") };
      },
    },
  ];
}

/** Events as their causes write them, with the deliveries and their jobs. All are due in an hour. */
async function writeEvents({ db, jobs, agents }: World, count: number): Promise<void> {
  const sink = createEventSink({
    store: createWebhookStore(db),
    queue: jobs,
    clock: () => new Date(Date.now() + 3_600_000),
  });
  for (let from = 0; from < count; from += TRANSACTION) {
    await db.transaction(async (tx) => {
      for (let index = from; index < Math.min(from + TRANSACTION, count); index += 1) {
        const tokenId = agents[index % agents.length]?.tokenId ?? 0;
        await sink.emit(tx, {
          event: "chronicle.recorded",
          tokenId: BigInt(tokenId),
          registrationId: null,
          key: `chronicle:${tokenId}:${index + 1}`,
          data: {
            tokenId,
            chronicleId: index + 1,
            category: "achievement",
            changeType: "task_completed",
            contentHash: HASH,
            chronicleHash: HASH,
            arweaveTxId: "A".repeat(43),
            batchId: 1,
            txHash: HASH,
            recordedAt: new Date().toISOString(),
          },
        });
      }
    });
  }
}
