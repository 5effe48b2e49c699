import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { generateApiKey } from "../../../../api/kernel/api-keys.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { isDatabaseUnavailable } from "../../../../api/platform/database/unavailable.ts";
import type { RunningServer } from "../../../../api/server.ts";
import { startServer } from "../../../../api/server.ts";
import { mountSmallDisk } from "../../../../scripts/lib/small-disk.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabaseOnDisk } from "../../../fixtures/small-disk.ts";
import { startTcpGate, type TcpGate } from "../../../fixtures/tcp-gate.ts";
import { newAccount } from "../../features/sign-in/harness.ts";
import { capturedLog } from "../../helpers.ts";
import { configOf, deployment } from "../../server-config.ts";

let database: TestDatabase;
let gate: TcpGate;
let server: RunningServer;
let gatedUrl: string;
const { log, entries } = capturedLog();

beforeAll(async () => {
  database = await createDatabase();
  const url = new URL(database.url);
  gate = await startTcpGate({ host: url.hostname, port: Number(url.port) });
  url.port = String(gate.port);
  gatedUrl = url.href;
  server = await startServer(configOf({ DATABASE_URL: gatedUrl }), deployment, log);
});
afterAll(async () => {
  gate?.open();
  await server?.stop();
  await gate?.stop();
  await database?.drop();
});

const challenge = (origin = server.url) =>
  fetch(`${origin}/api/v1/auth/challenge`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address: newAccount().address }),
  });

/** One route for each way in which routes reach the database. */
const requests: Readonly<Record<string, () => Promise<Response>>> = {
  "a sign-in challenge": () => challenge(),
  "a profile": () => fetch(`${server.url}/v1/profile/aurora`),
  "the status of the service": () => fetch(`${server.url}/v1/status`),
  "a registration's status": () => fetch(`${server.url}/api/v1/register?id=${"a".repeat(22)}`),
  "an API key's check": () =>
    fetch(`${server.url}/api/v1/auth/verify-key`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiKey: generateApiKey("live") }),
    }),
  "a list of agents": () => fetch(`${server.url}/v1/agents`),
};

async function expectUnavailable(response: Response): Promise<void> {
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      error: {
        code: 503,
        type: "SERVICE_UNAVAILABLE",
        message: "A part that the service needs does not answer. Retry after a moment.",
        details: { requestId: expect.any(String) },
        retryAfter: 2,
      },
    },
  ]);
  expect(response.headers.get("retry-after")).toBe("2");
  expect(response.headers.get("cache-control")).toBe("no-store");
}

const answers = async () => expect((await challenge()).status).toBe(200);

describe.each([
  ["frozen", () => gate.freeze()],
  ["gone", () => gate.vanish()],
] as const)("a database that is %s", (_how, takeAway) => {
  it("makes every route that needs it answer 503, and is used again when it is back", async () => {
    await answers();
    takeAway();
    // In parallel: these wait for connections, and later requests are refused without one.
    for (const response of await Promise.all(Object.values(requests).map((ask) => ask()))) {
      await expectUnavailable(response);
    }
    for (const ask of Object.values(requests)) await expectUnavailable(await ask());
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const ready = await (await fetch(`${server.url}/ready`)).json();
    expect(ready.checks.postgres).toEqual({ ready: false, reason: "does not answer" });

    gate.open();
    await vi.waitFor(answers, { timeout: 20_000, interval: 100 });
  });

  it("is logged once", () => {
    const warnings = entries().filter(({ msg }) => String(msg).startsWith("the database does not"));
    expect(warnings).not.toHaveLength(0);
  });
});

const disk = mountSmallDisk(96);
afterAll(() => disk?.unmount());

describe.skipIf(disk === null)("a disk that is full", () => {
  it("is answered 503 with what to do, logged without a stack, and left behind when there is room", async () => {
    if (disk === null) throw new Error("There is no disk to fill.");
    const own = await createDatabaseOnDisk(disk);
    const heard = capturedLog();
    const other = await startServer(configOf({ DATABASE_URL: own.url }), deployment, heard.log);
    onTestFinished(async () => {
      disk.free();
      await other.stop();
      await own.drop();
    });
    const ask = () => challenge(other.url);
    disk.fill();
    // Pages that are there already have some room.
    let refused = await ask();
    for (let count = 0; refused.ok && count < 1_000; count += 1) refused = await ask();
    expect([refused.status, await refused.json()]).toEqual([
      503,
      {
        error: {
          code: 503,
          type: "SERVICE_UNAVAILABLE",
          message:
            "The database has no disk space or memory left, which its operator must add. Repeat the request later.",
          details: { requestId: expect.any(String) },
          retryAfter: 30,
        },
      },
    ]);
    const ofRequest = heard
      .entries()
      .filter(({ requestId }) => requestId === refused.headers.get("x-request-id"));
    expect(ofRequest).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: "request",
        status: 503,
        errorType: "SERVICE_UNAVAILABLE",
        reason: expect.stringMatching(
          /^could not (?:extend file .*|write init file): No space left on device$/,
        ),
      }),
    ]);
    disk.free();
    expect((await ask()).status).toBe(200);
  });
});

describe("a watched pool", () => {
  it("lets a statement run beyond the silence limit while Postgres answers", async () => {
    const limits = { silenceMs: 300 };
    const { db, close } = connectDatabase(database.url, log, limits);
    const { rows } = await db.execute(sql`select 1 as one from pg_sleep(1.5)`);
    expect(rows).toEqual([{ one: 1 }]);
    await close();
  });

  it("rejects what waits for a frozen Postgres, transactions included, and discards broken connections", async () => {
    const { db, pool, close } = connectDatabase(gatedUrl, log, { silenceMs: 300 });
    await db.execute(sql`select 1`);
    const inTransaction = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      gate.freeze();
      await tx.execute(sql`select 2`);
    });
    const failure = await inTransaction.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    await expect.poll(() => pool.totalCount).toBe(0);
    gate.open();
    await vi.waitFor(
      async () => expect((await db.execute(sql`select 3 as three`)).rows).toEqual([{ three: 3 }]),
      { timeout: 20_000, interval: 100 },
    );
    await close();
  });
});

describe("a process that starts", () => {
  it("waits for a database that is silent for longer than its requests would", async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const url = new URL(own.url);
    url.host = new URL(gatedUrl).host;
    const lock = new pg.Client({ connectionString: own.url });
    await lock.connect();
    // The start of the jobs writes to this table, and so waits with a connection in use.
    await lock.query("begin; lock table app.job_schedule in access exclusive mode");
    const config = configOf({
      DATABASE_URL: url.href,
      DATABASE_SILENCE_MS: "100",
      SVC_ROLES: "jobs",
    });
    const starting = startServer(config, deployment, log);
    const waits = async () => {
      const { rows } = await lock.query(
        "select from pg_locks where relation = 'app.job_schedule'::regclass and not granted",
      );
      return rows.length;
    };
    await expect.poll(waits, { timeout: 60_000 }).toBe(1);

    gate.freeze();
    // This one gives up, after ten times the limit of the process.
    const impatient = connectDatabase(gatedUrl, log, { silenceMs: 1_000 });
    await expect(impatient.db.execute(sql`select 1`)).rejects.toSatisfy(isDatabaseUnavailable);
    gate.open();
    await lock.query("commit");
    await lock.end();
    const started = await starting;
    expect((await fetch(`${started.url}/health`)).status).toBe(200);
    await started.stop();
    await impatient.close();
  });

  it("notices a silent database within the limit of its requests, once it has started", async () => {
    const { db, started, close } = connectDatabase(gatedUrl, log, {
      silenceMs: 300,
      startSilenceMs: 3_600_000,
    });
    await db.execute(sql`select 1`);
    started();
    gate.freeze();
    await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isDatabaseUnavailable);
    gate.open();
    await close();
  });
});

describe("an error of the database", () => {
  it.each([
    [{ code: "ECONNREFUSED" }, true],
    [{ code: "57P01" }, true],
    [{ code: "57P03" }, true],
    [{ code: "08006" }, true],
    [{ code: "53300" }, true],
    [{ code: "42P01" }, false],
    [{ code: "23505" }, false],
    [{ code: "57014" }, false],
    [{ code: "28P01" }, false],
    [{}, false],
  ])("with %o means that the part is unavailable: %s", (fields, isAway) => {
    const error = Object.assign(new Error("no"), fields);
    expect(isDatabaseUnavailable(error)).toBe(isAway);
    expect(isDatabaseUnavailable(new Error("outer", { cause: error }))).toBe(isAway);
  });
});
