import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { JOBS } from "../../api/features.ts";
import { connectDatabase, type DatabaseConnection } from "../../api/platform/database/connect.ts";
import { type Jobs, openJobs } from "../../api/platform/jobs/queue.ts";
import { queueAges, queueDepth } from "../../api/platform/jobs/report.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { jobsCommand } from "../../scripts/jobs/command.ts";
import { hasPromtool } from "../fixtures/alert-rules.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { alertsOf } from "../fixtures/watched-process.ts";

const SUSPEND = "passport.suspend";
let database: TestDatabase;
let connection: DatabaseConnection;
let jobs: Jobs;
beforeAll(async () => {
  const log = createLog("silent");
  database = await createDatabase();
  connection = connectDatabase(database.url, log);
  jobs = await openJobs({ databaseUrl: database.url, log, rules: JOBS, purpose: "send" });
});
afterAll(async () => {
  await jobs?.close(1_000);
  await connection?.close();
  await database?.drop();
});
afterEach(() => connection.pool.query("delete from jobs.job"));

async function run(...args: string[]) {
  const printed: string[] = [];
  const complained: string[] = [];
  const status = await jobsCommand(args, {
    environment: { DATABASE_URL: database.url },
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  });
  return { status, printed: printed.join(""), complained: complained.join("") };
}

/** A job of the service that was tried once and failed; finally, when no try is left. */
async function failed(tokenId: string, message: string, retryLimit = 5) {
  const sent = await jobs.boss.send(SUSPEND, { tokenId }, { singletonKey: tokenId, retryLimit });
  const [job] = await jobs.boss.fetch(SUSPEND);
  expect(job?.id).toBe(sent);
  await jobs.boss.fail(SUSPEND, sent ?? "", new Error(message));
  const { rows } = await connection.pool.query(
    "select id from jobs.job where data ->> 'tokenId' = $1 and state in ('retry', 'created')",
    [tokenId],
  );
  return String(rows[0].id);
}

const states = async () =>
  (
    await connection.pool.query(
      "select name, state::text, data from jobs.job where state <> 'failed' order by data ->> 'tokenId'",
    )
  ).rows;

describe("npm run jobs", () => {
  it("lists queues by state, and failures with their last error and without secrets", async () => {
    const dead = await failed("7", "the node at https://node.example/key said no", 0);
    const waiting = await failed("8", "too early");
    const { status, printed, complained } = await run("list");
    expect([status, complained]).toEqual([0, ""]);
    const time = "[0-9]{4}-[0-9-]+T[0-9:.]+Z";
    expect(printed.split("\n")).toEqual([
      "queue                     waiting  retry  active  failed",
      "alignment.schedule              -      -       -       -",
      "alignment.snapshots             -      -       -       -",
      "answers.forget                  -      -       -       -",
      "api-keys.forget                 -      -       -       -",
      "audits.archive                  -      -       -       -",
      "bindings.follow                 -      -       -       -",
      "chronicle.derive                -      -       -       -",
      "chronicles.batch                -      -       -       -",
      "chronicles.follow               -      -       -       -",
      "claims.document                 -      -       -       -",
      "dead-letters                    1      -       -       -",
      "disclosures.expire              -      -       -       -",
      "endings.follow                  -      -       -       -",
      "endpoint-check.run              -      -       -       -",
      "endpoint-checks.schedule        -      -       -       -",
      "index.compare                   -      -       -       -",
      "operations.finish               -      -       -       -",
      "passport.suspend                -      1       -       1",
      "passports.watch                 -      -       -       -",
      "registrations.expire            -      -       -       -",
      "rows.forget                     -      -       -       -",
      "storage.confirm                 -      -       -       -",
      "storage.settle                  -      -       -       -",
      "transactions.follow             -      -       -       -",
      "webhook.confirm-mail            -      -       -       -",
      "webhook.deliver                 -      -       -       -",
      "webhook.tell-owner              -      -       -       -",
      "webhooks.sweep                  -      -       -       -",
      "",
      `${dead}  passport.suspend  {"tokenId":"7"}`,
      expect.stringMatching(new RegExp(`^ {2}1 try, last ${time}; dead letter$`)),
      "  the node at https://node.example/… said no",
      "",
      `${waiting}  passport.suspend  {"tokenId":"8"}`,
      expect.stringMatching(new RegExp(`^ {2}1 try, last ${time}; next try ${time}$`)),
      "  too early",
      "",
    ]);
    expect((await run("list", "--limit", "1")).printed).not.toContain(waiting);
  });

  it("reports when nothing has failed", async () => {
    const { status, printed } = await run("list");
    expect([status, printed.split("\n").at(-2)]).toEqual([0, "No job has failed."]);
  });

  it("retries one failed job, once", async () => {
    const dead = await failed("7", "no", 0);
    expect(await run("retry", dead)).toEqual({
      status: 0,
      printed: "Queued again: 1.\n",
      complained: "",
    });
    expect(await states()).toEqual([{ name: SUSPEND, state: "created", data: { tokenId: "7" } }]);
    expect(await run("retry", dead)).toEqual({
      status: 1,
      printed: "",
      complained: `No job ${dead} has failed and waits.\n`,
    });
    expect(await states()).toHaveLength(1);
  });

  it("leaves a job alone that has not failed", async () => {
    const id = await jobs.boss.send(SUSPEND, { tokenId: "9" }, { singletonKey: "9" });
    const refused = { status: 1, printed: "", complained: `No job ${id} has failed and waits.\n` };
    expect(await run("retry", String(id))).toEqual(refused);
    await jobs.boss.fetch(SUSPEND);
    expect(await run("retry", String(id))).toEqual(refused);
    expect(await states()).toEqual([{ name: SUSPEND, state: "active", data: { tokenId: "9" } }]);
  });

  it("retries all failed jobs of a kind, and no others", async () => {
    await failed("7", "no", 0);
    await failed("8", "not yet");
    await jobs.boss.send(SUSPEND, { tokenId: "9" }, { singletonKey: "9" });
    expect((await run("retry", SUSPEND)).printed).toBe("Queued again: 2.\n");
    expect(await states()).toEqual(
      ["7", "8", "9"].map((tokenId) => ({ name: SUSPEND, state: "created", data: { tokenId } })),
    );
    expect((await run("retry", SUSPEND)).printed).toBe(`Nothing of ${SUSPEND} has failed.\n`);
  });

  it("runs only jobs that need no data", async () => {
    expect(await run("run", "index.compare")).toEqual({
      status: 0,
      printed: "index.compare runs as soon as a worker is free.\n",
      complained: "",
    });
    expect(await states()).toEqual([{ name: "index.compare", state: "created", data: {} }]);
    expect((await run("run", "chronicles.batch")).status).toBe(0);
    expect((await states()).map(({ name }) => name)).toEqual(["index.compare", "chronicles.batch"]);
    expect(await run("run", SUSPEND)).toEqual({
      status: 1,
      printed: "",
      complained:
        "passport.suspend runs when something makes it necessary, and would not know what to do. These can be run: transactions.follow, answers.forget, rows.forget, storage.settle, storage.confirm, webhooks.sweep, operations.finish, api-keys.forget, registrations.expire, passports.watch, index.compare, chronicles.batch, chronicles.follow, bindings.follow, endings.follow, disclosures.expire, alignment.schedule, alignment.snapshots, endpoint-checks.schedule.\n",
    });
    const unknown = await run("run", "nothing");
    expect([unknown.status, unknown.complained]).toEqual([
      1,
      `There is no job named nothing. Known: ${Object.keys(JOBS).join(", ")}.\n`,
    ]);
  });

  it("has a batch run now by the running worker, and reports its result", async () => {
    await connection.pool.query(
      `insert into app.chronicle_batch (id, stage, leaf_count, created_at) values
        (1, 'confirmed', 1, now()), (2, 'anchored', 1, now())`,
    );
    const running = run("batch", "--now");
    const [job] = await vi.waitUntil(
      async () => {
        const fetched = await jobs.boss.fetch("chronicles.batch");
        return fetched.length > 0 ? fetched : null;
      },
      { timeout: 20_000, interval: 20 },
    );
    await connection.pool.query("update app.chronicle_batch set stage = 'confirmed' where id = 2");
    await connection.pool.query(
      `insert into app.chronicle_batch (id, stage, leaf_count, created_at) values
        (3, 'confirmed', 1, now()), (4, 'anchored', 1, now())`,
    );
    await jobs.boss.complete("chronicles.batch", job?.id ?? "");
    expect(await running).toEqual({
      status: 0,
      printed: "Batches anchored: 3, 4; confirmed: 2, 3; not confirmed yet: 1.\n",
      complained: "",
    });
    await connection.pool.query("delete from app.chronicle_batch");
  });

  it("reports why a batch that was to run now did not run", async () => {
    const running = run("batch", "--now");
    const [job] = await vi.waitUntil(
      async () => {
        const fetched = await jobs.boss.fetch("chronicles.batch");
        return fetched.length > 0 ? fetched : null;
      },
      { timeout: 20_000, interval: 20 },
    );
    await jobs.boss.fail("chronicles.batch", job?.id ?? "", new Error("the node is away"));
    expect(await running).toEqual({
      status: 1,
      printed: "",
      complained: "chronicles.batch failed: the node is away. It will be tried again.\n",
    });
  });

  it("reports when no worker runs", async () => {
    expect(await run("batch", "--now", "--wait", "1")).toEqual({
      status: 1,
      printed: "",
      complained:
        "No process has taken chronicles.batch yet. It runs as soon as one that runs jobs (SVC_ROLES) is free.\n",
    });
    expect(await states()).toEqual([{ name: "chronicles.batch", state: "created", data: {} }]);
  });

  it("prints its help, and refuses unknown commands", async () => {
    const help = await run("--help");
    expect([help.status, help.printed.split("\n")[0]]).toEqual([
      0,
      "Usage: npm run jobs -- <command>",
    ]);
    const hint = "npm run jobs -- --help explains the commands.\n";
    expect(await run()).toMatchObject({ status: 2, complained: `A command is missing.\n${hint}` });
    expect(await run("retry")).toMatchObject({
      status: 2,
      complained: `Not understood: retry.\n${hint}`,
    });
    expect(await run("batch")).toMatchObject({
      status: 2,
      complained: `Batches run by themselves on the hour; batch --now runs one at once.\n${hint}`,
    });
    expect(await run("batch", "--now", "--wait", "soon")).toMatchObject({
      status: 2,
      complained: `--wait must be a number of seconds from 1 to 99999.\n${hint}`,
    });
    expect(await run("storage", "look")).toMatchObject({
      status: 2,
      complained: `Not understood: storage look.\n${hint}`,
    });
    expect(await run("list", "--limit", "0")).toMatchObject({
      status: 2,
      complained: `--limit must be a number from 1 to 99999.\n${hint}`,
    });
  });

  it("reports in one line that the database is missing", async () => {
    const complained: string[] = [];
    const status = await jobsCommand(["list"], {
      environment: { DATABASE_URL: "postgresql://someone:secret@127.0.0.1:9/nowhere" },
      print: () => {},
      complain: (text) => complained.push(text),
    });
    expect(status).toBe(1);
    expect(complained.join("")).toBe(
      "The jobs' database cannot be used: connect ECONNREFUSED 127.0.0.1:9.\n",
    );
  });
});

it.skipIf(!hasPromtool)(
  "a job that failed for good fires an alert, and one with tries left none",
  async () => {
    const sources = {
      queueDepth: () => queueDepth(connection.db),
      queueAges: () => queueAges(connection.db, new Date()),
    };
    await failed("7", "too early");
    expect(await alertsOf({ sources })).toEqual([]);
    await failed("8", "no", 0);
    expect(await alertsOf({ sources })).toEqual(["DeadLetters"]);
  },
);
