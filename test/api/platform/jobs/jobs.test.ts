import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { TestClock } from "pg-boss";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import type { JobHandler } from "../../../../api/platform/jobs/ports.ts";
import { type Jobs, openJobs } from "../../../../api/platform/jobs/queue.ts";
import {
  type JobOutcome,
  type JobWorker,
  startWorker,
} from "../../../../api/platform/jobs/worker.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { readable } from "../../../../api/soul/index-views.store.ts";
import { jobClock } from "../../../fixtures/job-clock.ts";
import { TEST_RULES } from "../../../fixtures/job-rules.ts";
import { asAdmin, createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { capturedLog } from "../../helpers.ts";

const WORKER = fileURLToPath(new URL("../../../fixtures/job-worker.ts", import.meta.url));
const SOON = { timeout: 20_000, interval: 20 };
const log = createLog("silent");
const idle: JobHandler = async () => {};

/** A promise that the test resolves. */
function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

let database: TestDatabase;
let connection: DatabaseConnection;
let clock: TestClock;
let closers: (() => Promise<unknown>)[];

beforeEach(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, log);
  clock = jobClock();
  closers = [database.drop, connection.close];
  await connection.db.execute(
    sql`create table public.job_tries (name text, key text, process int)`,
  );
  await connection.db.execute(sql`create table public.job_release (key text)`);
  await connection.db.execute(sql`create table public.job_done (key text, process int)`);
  await connection.db.execute(sql`create table public.thing (name text)`);
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

async function open(purpose: "send" | "work", on: TestClock | undefined = clock): Promise<Jobs> {
  const jobs = await openJobs({
    databaseUrl: database.url,
    log,
    rules: TEST_RULES,
    purpose,
    ...(on && { clock: on }),
  });
  closers.push(() => jobs.close(1_000));
  return jobs;
}

async function work(
  handlers: Partial<Record<keyof typeof TEST_RULES, JobHandler>>,
  options: { observe?: (name: string, outcome: JobOutcome) => void; log?: typeof log } = {},
): Promise<JobWorker & { jobs: Jobs }> {
  const jobs = await open("work");
  const worker = await startWorker({
    jobs,
    db: connection.db,
    log,
    ...options,
    handlers: { "test.once": idle, "test.round": idle, ...handlers },
  });
  closers.push(() => worker.stop(1_000));
  return { jobs, ...worker };
}

const send = (jobs: Jobs, data: Record<string, string>, options = {}) =>
  connection.db.transaction((tx) => jobs.send(tx, "test.once", data, options));

const states = async (name = "test.once") =>
  (
    await connection.db.execute<{ state: string; n: number }>(
      sql`select state, count(*)::int as n from jobs.job where name = ${name} group by state order by state::text`,
    )
  ).rows;

describe("sending a job", () => {
  it("enqueues the job in the same transaction as its cause, or not at all", async () => {
    const jobs = await open("send");
    await connection.db.transaction(async (tx) => {
      await tx.execute(sql`insert into public.thing values ('kept')`);
      await jobs.send(tx, "test.once", { key: "kept" });
    });
    await expect(
      connection.db.transaction(async (tx) => {
        await tx.execute(sql`insert into public.thing values ('lost')`);
        await jobs.send(tx, "test.once", { key: "lost" });
        throw new Error("the last step failed");
      }),
    ).rejects.toThrow("the last step failed");

    const things = await connection.db.execute(sql`select name from public.thing`);
    expect(things.rows).toEqual([{ name: "kept" }]);
    const sent = await connection.db.execute(
      sql`select name, data, state, retry_limit, heartbeat_seconds, dead_letter from jobs.job`,
    );
    expect(sent.rows).toEqual([
      {
        name: "test.once",
        data: { key: "kept" },
        state: "created",
        retry_limit: 2,
        heartbeat_seconds: 20,
        dead_letter: "dead-letters",
      },
    ]);
  });

  it("keeps one pending job per key, and any number without a key", async () => {
    const jobs = await open("send");
    await send(jobs, { key: "a" }, { singletonKey: "one" });
    await send(jobs, { key: "b" }, { singletonKey: "one" });
    await send(jobs, { key: "c" }, { singletonKey: "two" });
    await send(jobs, { key: "d" });
    await send(jobs, { key: "e" });
    const { rows } = await connection.db.execute(
      sql`select data ->> 'key' as key from jobs.job order by key`,
    );
    expect(rows.map(({ key }) => key)).toEqual(["a", "c", "d", "e"]);
  });

  it("postpones and withdraws the pending jobs with some keys", async () => {
    const jobs = await open("send");
    for (const key of ["a", "b", "c"]) await send(jobs, { key }, { singletonKey: key });
    const until = new Date(clock.now() + 60_000);
    await connection.db.transaction(async (tx) => {
      expect(await jobs.postpone(tx, "test.once", ["a", "c", "x"], until)).toEqual(
        new Set(["a", "c"]),
      );
      expect(await jobs.postpone(tx, "test.other", ["a"], until)).toEqual(new Set());
      await jobs.withdraw(tx, "test.once", ["c", "x"]);
    });
    const { rows } = await connection.db.execute(
      sql`select data ->> 'key' as key, start_after = ${until} as postponed from jobs.job order by key`,
    );
    expect(rows).toEqual([
      { key: "a", postponed: true },
      { key: "b", postponed: false },
    ]);
  });

  it("refuses an unknown job name", async () => {
    const jobs = await open("send");
    await expect(
      connection.db.transaction((tx) => jobs.send(tx, "test.unknown", {})),
    ).rejects.toThrow(new Error("There is no job named test.unknown."));
  });
});

describe("a worker", () => {
  it("does not run a job before its time", async () => {
    const ran = vi.fn(idle);
    const { jobs } = await work({ "test.once": ran });
    const startAfter = new Date(clock.now() + 600_000);
    await send(jobs, { key: "later" }, { startAfter });
    await send(jobs, { key: "now" });
    await vi.waitUntil(() => ran.mock.calls.length > 0, SOON);
    await clock.tick(590_000);
    expect(ran.mock.calls.map(([data]) => data)).toEqual([{ key: "now" }]);

    await clock.tick(20_000);
    await vi.waitUntil(() => ran.mock.calls.length === 2, SOON);
    expect(ran.mock.calls[1]?.[0]).toEqual({ key: "later" });
  });

  it("retries a failed job with growing delays, and leaves a dead letter with the last error", async () => {
    const observe = vi.fn();
    const failing = vi.fn<JobHandler>(async () => {
      throw new Error(`try ${failing.mock.calls.length} failed`, {
        cause: new Error("at https://node.example/secret-path?key=1\nRequest body: {}"),
      });
    });
    const captured = capturedLog();
    const { jobs } = await work({ "test.once": failing }, { observe, log: captured.log });
    await send(jobs, { key: "doomed" });

    const tries = (count: number) =>
      vi.waitUntil(() => failing.mock.calls.length === count, SOON).then(() => settled(count));
    // The failure is written after the handler has ended.
    const settled = (count: number) =>
      vi.waitFor(async () => {
        const [row] = await states();
        expect(row?.state).toBe(count === 3 ? "failed" : "retry");
      }, SOON);
    await tries(1);
    await clock.tick(4_000);
    expect(failing).toHaveBeenCalledTimes(1);
    await clock.tick(16_000);
    await tries(2);
    await clock.tick(45_000);
    await tries(3);

    const { rows } = await connection.db.execute(
      sql`select name, data, source_name, output, state from jobs.job where name = 'dead-letters'`,
    );
    expect(rows).toEqual([
      {
        name: "dead-letters",
        data: { key: "doomed" },
        source_name: "test.once",
        output: {
          name: "Error",
          message: "try 3 failed <- at https://node.example/…",
        },
        state: "created",
      },
    ]);
    await clock.tick(300_000);
    expect(failing).toHaveBeenCalledTimes(3);
    // The first round and the first try start together: either may end first.
    const observed = (name: string) => observe.mock.calls.filter(([job]) => job === name);
    const rounds = observed("test.round");
    expect(rounds.length).toBeGreaterThan(0);
    expect(rounds).toEqual(rounds.map(() => ["test.round", "done"]));
    expect(observed("test.once")).toEqual(Array(3).fill(["test.once", "failed"]));
    expect(observe).toHaveBeenCalledTimes(rounds.length + 3);
    expect(
      captured
        .entries()
        .filter(({ job }) => job === "test.once")
        .map(({ level, msg }) => [level, msg]),
    ).toEqual([
      ["warn", "a job failed; it will be tried again"],
      ["warn", "a job failed; it will be tried again"],
      ["warn", "a job failed; it was the last try"],
    ]);
  });

  it("shares the jobs with a second worker, and each job runs once", async () => {
    const seen: string[] = [];
    const by =
      (worker: string): JobHandler =>
      async ({ key }) => {
        seen.push(`${key}`);
        await connection.db.execute(
          sql`insert into public.job_tries (name, key) values (${worker}, ${key})`,
        );
      };
    const first = await work({ "test.once": by("first") });
    await work({ "test.once": by("second") });
    const keys = Array.from({ length: 60 }, (_, index) => `job ${String(index).padStart(2, "0")}`);
    await Promise.all(keys.map((key) => send(first.jobs, { key })));
    await vi.waitUntil(() => seen.length >= keys.length, SOON);
    await vi.waitFor(async () => {
      expect(await states()).toEqual([{ state: "completed", n: 60 }]);
    }, SOON);

    expect(seen.toSorted()).toEqual(keys);
    const { rows } = await connection.db.execute(
      sql`select distinct name from public.job_tries order by name`,
    );
    expect(rows).toEqual([{ name: "first" }, { name: "second" }]);
  });

  it("finishes its running job on shutdown, and leaves the rest to other workers", async () => {
    const release = gate();
    const running = vi.fn<JobHandler>(() => release.promise);
    const { jobs, stop } = await work({ "test.once": running });
    await send(jobs, { key: "running" });
    await vi.waitUntil(() => running.mock.calls.length === 1, SOON);
    const stopped = stop(10_000);
    // Until then it may take a further job.
    const isClosed = () => jobs.boss.getWipData().every(({ state }) => state !== "active");
    await vi.waitUntil(isClosed, SOON);
    await send(await open("send"), { key: "left" });
    release.resolve();
    await stopped;
    expect(running).toHaveBeenCalledTimes(1);
    expect(await states()).toEqual([
      { state: "completed", n: 1 },
      { state: "created", n: 1 },
    ]);
  });

  it("aborts a job that does not end on shutdown, so that it is retried", async () => {
    const aborted = vi.fn();
    const endless = vi.fn<JobHandler>(
      (_data, signal) =>
        new Promise(() => signal.addEventListener("abort", aborted, { once: true })),
    );
    const { jobs, stop } = await work({ "test.once": endless });
    await send(jobs, { key: "endless" });
    await vi.waitUntil(() => endless.mock.calls.length === 1, SOON);
    await stop(1_000);
    expect(aborted).toHaveBeenCalledTimes(1);
    expect(await states()).toEqual([{ state: "retry", n: 1 }]);
  });

  it("requires exactly one handler for each kind of job", async () => {
    const jobs = await open("work");
    await expect(
      startWorker({ jobs, db: connection.db, log, handlers: { "test.once": idle, other: idle } }),
    ).rejects.toThrow(
      new Error("Jobs are [test.once, test.round], but handlers [other, test.once]."),
    );
  });
});

describe("a job that is sent before the index has views", () => {
  it("is retried", async () => {
    const readIndex = vi.fn(() => readable(() => connection.pool.query("select from chain.soul")));
    const captured = capturedLog();
    const { jobs } = await work(
      { "test.once": async () => void (await readIndex()) },
      { log: captured.log },
    );
    await send(jobs, { key: "early" });
    await vi.waitFor(async () => expect(await states()).toEqual([{ state: "retry", n: 1 }]), SOON);
    expect(captured.entries().map(({ level, job, msg }) => [level, job, msg])).toEqual([
      ["warn", "test.once", "a job failed; it will be tried again"],
    ]);

    await connection.pool.query("create schema chain; create table chain.soul ()");
    await clock.tick(21_000);
    await vi.waitFor(
      async () => expect(await states()).toEqual([{ state: "completed", n: 1 }]),
      SOON,
    );
    expect(readIndex).toHaveBeenCalledTimes(2);
  });
});

describe("recurring work", () => {
  /**
   * Each poll takes a moment of real time and plans the next poll only then. A long tick may miss
   * it.
   */
  const untilRun = (times: number, round: ReturnType<typeof vi.fn>) =>
    vi.waitUntil(async () => {
      await clock.tick(100);
      return round.mock.calls.length === times;
    }, SOON);

  it("runs at the start, and then once in each round, however many processes there are", async () => {
    const round = vi.fn(idle);
    await work({ "test.round": round });
    await vi.waitUntil(() => round.mock.calls.length === 1, SOON);
    await work({ "test.round": round });
    // A previous process may have left work undone, so each process looks at its start.
    await vi.waitUntil(() => round.mock.calls.length === 2, SOON);
    for (let rounds = 3; rounds <= 6; rounds += 1) {
      await clock.tick(40_000);
      expect(round).toHaveBeenCalledTimes(rounds - 1);
      await clock.tick(24_000);
      await untilRun(rounds, round);
    }
  });

  it("continues with the next round after a failed one, without a dead letter", async () => {
    const round = vi.fn<JobHandler>(async () => {
      throw new Error("not now");
    });
    await work({ "test.round": round });
    await vi.waitUntil(() => round.mock.calls.length === 1, SOON);
    await clock.tick(62_000);
    await untilRun(2, round);
    expect(await states("dead-letters")).toEqual([]);
  });

  it("waits without a warning until the index has views, and fails when they are gone later", async () => {
    const readIndex = () => readable(() => connection.pool.query("select from chain.soul"));
    const settled = vi.fn();
    const round = vi.fn<JobHandler>(() => readIndex().then(settled));
    const observe = vi.fn();
    const captured = capturedLog();
    await work({ "test.round": round }, { observe, log: captured.log });
    const nextRound = async (times: number, expected: Awaited<ReturnType<typeof states>>) => {
      if (times > 1) await clock.tick(62_000);
      await untilRun(times, round);
      await vi.waitFor(async () => expect(await states("test.round")).toEqual(expected), SOON);
    };
    await nextRound(1, [{ state: "completed", n: 1 }]);
    await nextRound(2, [{ state: "completed", n: 2 }]);
    expect(observe).not.toHaveBeenCalled();
    const logged = () => captured.entries().map(({ level, job, msg }) => [level, job, msg]);
    const waits = [
      "info",
      undefined,
      "the index has no tables yet; recurring jobs that read it wait",
    ];
    expect(logged()).toEqual([waits]);

    await connection.pool.query("create schema chain; create table chain.soul ()");
    await nextRound(3, [{ state: "completed", n: 3 }]);
    expect(settled).toHaveBeenCalledTimes(1);
    await connection.pool.query("drop schema chain cascade");
    await nextRound(4, [
      { state: "completed", n: 3 },
      { state: "failed", n: 1 },
    ]);
    expect(observe.mock.calls).toEqual([
      ["test.round", "done"],
      ["test.round", "failed"],
    ]);
    const failed = ["warn", "test.round", "a job failed; it was the last try"];
    expect(logged()).toEqual([waits, failed]);
  });
});

describe("a process that is killed while it runs a job", () => {
  it("leaves the job to the next process, which does it once", async () => {
    const jobs = await open("send");
    await send(jobs, { key: "held" });

    const child = spawn(process.execPath, ["--import", "tsx", WORKER], {
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: "inherit",
    });
    const exited = once(child, "exit");
    closers.push(async () => {
      child.kill("SIGKILL");
      await exited;
    });
    const tries = async () =>
      (
        await connection.db.execute(
          sql`select process from public.job_tries where name = 'test.once'`,
        )
      ).rows;
    await vi.waitFor(async () => expect(await tries()).toHaveLength(1), SOON);
    child.kill("SIGKILL");
    await exited;
    expect(await states()).toEqual([{ state: "active", n: 1 }]);

    // The dead process counted in real time.
    clock = new TestClock();
    const done = vi.fn(idle);
    await work({ "test.once": done });
    await clock.tick(10_000);
    expect(done).not.toHaveBeenCalled();
    // Silent for longer than the heartbeat, seen by the supervisor, and then the first retry delay.
    const isDone = () => vi.waitUntil(() => done.mock.calls.length > 0, { timeout: 1_000 });
    let seconds = 10;
    do {
      await clock.tick(5_000);
      seconds += 5;
    } while (!(await isDone().catch(() => false)) && seconds < 200);
    expect(seconds).toBeLessThan(90);
    expect(done).toHaveBeenCalledTimes(1);
    await vi.waitFor(
      async () => expect(await states()).toEqual([{ state: "completed", n: 1 }]),
      SOON,
    );
    expect(done.mock.calls[0]?.[0]).toEqual({ key: "held" });
    expect(await tries()).toEqual([{ process: child.pid }]);
    const done1 = await connection.db.execute(sql`select * from public.job_done`);
    expect(done1.rows).toEqual([]);
  });
});

describe("a database that is restarted", () => {
  it("does not end the worker: what it ran is done, and jobs sent afterwards run", async () => {
    const release = gate();
    const ran = vi.fn<JobHandler>(async ({ key }) => {
      if (key === "during") await release.promise;
    });
    const { jobs } = await work({ "test.once": ran });
    await send(jobs, { key: "during" });
    await vi.waitUntil(() => ran.mock.calls.length === 1, SOON);

    // As the client sees it: every connection breaks, and for a while no new one can be made.
    const name = new URL(database.url).pathname.slice(1);
    await asAdmin(`alter database ${name} with allow_connections false`);
    await asAdmin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await expect(send(jobs, { key: "lost" })).rejects.toThrow();
    release.resolve();
    await clock.tick(5_000).catch(() => {
      // The clock itself is in the database.
    });
    await asAdmin(`alter database ${name} with allow_connections true`);

    await send(jobs, { key: "after" });
    await vi.waitFor(async () => {
      await clock.tick(15_000);
      expect(await states()).toEqual([{ state: "completed", n: 2 }]);
    }, SOON);
    expect([...new Set(ran.mock.calls.map(([{ key }]) => key))].toSorted()).toEqual([
      "after",
      "during",
    ]);
  });
});
