import { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readsBesideDatabase } from "../../../../../api/kernel/database-alone.ts";
import { snapshotReader } from "../../../../../api/platform/database/snapshot.ts";
import { headersOfAnswer } from "../../../../../api/platform/http/answers/answer-body.ts";
import { everyRequest } from "../../../../../api/platform/http/answers/every-request.ts";
import { compression } from "../../../../../api/platform/http/bodies/compression.ts";
import { isUnchanged } from "../../../../../api/platform/http/conditional.ts";
import type { AppEnv } from "../../../../../api/platform/http/env.ts";
import { createKeptAnswers } from "../../../../../api/platform/http/kept/kept-answers.ts";
import { type RunningPostgres, startPostgres } from "../../../../fixtures/embedded-postgres.ts";

let server: RunningPostgres;
let pool: pg.Pool;

// A PostgreSQL of its own: a transaction in any database of a server ends what is kept.
beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 5 });
  // The server may stop before the last connection has closed.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", () => {});
  await pool.query("create table word (id int primary key, said text not null)");
});
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});
beforeEach(async () => {
  await pool.query("truncate word");
  await pool.query("insert into word values (1, 'first'), (2, 'second')");
});

const say = (said: string) => pool.query("update word set said = $1 where id = 1", [said]);

/** What a test decides about the answers. */
interface Setting {
  isBehind: boolean;
  /** The indexed block that the answer names. */
  block: bigint;
  /** The first block that is fresh. */
  freshFrom: bigint;
  /** Awaited by the handler after its read. */
  afterRead: () => Promise<void>;
  readsTime: boolean;
  status: 200 | 404;
  header: [string, string] | null;
  maxBytes: number;
}

/** An application that answers with a row. */
function appWith(overrides: Partial<Setting> = {}) {
  const setting: Setting = {
    isBehind: false,
    block: 5n,
    freshFrom: 0n,
    afterRead: async () => {},
    readsTime: false,
    status: 200,
    header: null,
    maxBytes: 1024 * 1024,
    ...overrides,
  };
  const outcomes: string[] = [];
  let reads = 0;
  const kept = createKeptAnswers({
    snapshot: snapshotReader(pool),
    age: {
      isFresh: ({ block }) => block >= setting.freshFrom,
      standing: () => ({
        chainBlock: 1n,
        indexedBlock: 1n,
        lagBlocks: 0,
        behind: setting.isBehind,
      }),
    },
    observe: (outcome) => outcomes.push(outcome),
    maxBytes: setting.maxBytes,
  });
  const app = new Hono<AppEnv>();
  app.use(everyRequest([compression()]));
  app.use(async (c, next) => {
    const isKnown = c.req.header("x-caller") !== undefined;
    c.set("caller", isKnown ? ({ kind: "session" } as never) : { kind: "anonymous" });
    await kept.answer(c, next);
    headersOfAnswer(c).set("Cache-Control", "no-cache");
  });
  app.get("/words/:id", async (c) => {
    reads += 1;
    const { rows } = await pool.query("select said from word where id = $1", [c.req.param("id")]);
    await setting.afterRead();
    if (setting.readsTime) readsBesideDatabase();
    if (setting.header !== null) c.header(...setting.header);
    c.set("indexedAt", { block: setting.block, timestamp: 1n });
    const body = { said: String(rows[0]?.said), accept: c.req.header("accept") ?? null };
    if (c.req.query("weak") !== undefined && isUnchanged(c, body.said)) return c.body(null, 304);
    return c.json(body, setting.status);
  });
  const ask = (path = "/words/1", headers: Record<string, string> = {}, method = "GET") =>
    app.request(path, { headers, method });
  return {
    setting,
    outcomes,
    ask,
    reads: () => reads,
    said: async (path?: string, headers?: Record<string, string>) =>
      (await (await ask(path, headers)).json()).said,
  };
}

describe("an answer that is made from the database", () => {
  it("is built once while no transaction ends", async () => {
    const { ask, reads, outcomes } = appWith();
    const built = await ask();
    const sent = await ask();
    expect([await built.text(), Object.fromEntries(built.headers)]).toEqual([
      await sent.text(),
      Object.fromEntries(sent.headers),
    ]);
    expect([reads(), outcomes]).toEqual([1, ["built", "kept"]]);
  });

  it("is built again after a write", async () => {
    const { said, outcomes } = appWith();
    expect(await said()).toBe("first");
    await say("new");
    expect([await said(), outcomes]).toEqual(["new", ["built", "built"]]);
  });

  it("is built again after a write that began before it was built", async () => {
    const { said, outcomes } = appWith();
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("update word set said = 'late' where id = 1");
      expect([await said(), await said()]).toEqual(["first", "first"]);
      // A later transaction ends first.
      await pool.query("update word set said = 'other' where id = 2");
      expect([await said(), await said()]).toEqual(["first", "first"]);
      await client.query("commit");
    } finally {
      client.release();
    }
    expect(await said()).toBe("late");
    expect(outcomes).toEqual(["built", "kept", "built", "kept", "built"]);
  });

  it("is not kept when a transaction ended while it was built", async () => {
    const app = appWith({ afterRead: async () => void (await say("during")) });
    expect(await app.said()).toBe("first");
    app.setting.afterRead = async () => {};
    expect([await app.said(), app.outcomes]).toEqual(["during", ["built", "built"]]);
  });

  it("is sent for its own path, query and Accept alone", async () => {
    const { said, outcomes, ask } = appWith();
    expect([await said("/words/1"), await said("/words/2"), await said("/words/1?a=1")]).toEqual([
      "first",
      "second",
      "first",
    ]);
    const html = await ask("/words/1", { accept: "text/html" });
    expect(await html.json()).toEqual({ said: "first", accept: "text/html" });
    expect(outcomes).toEqual(["built", "built", "built", "built"]);
  });

  it("is 304 for a caller that holds it, whether it was kept or not", async () => {
    for (const path of ["/words/1", "/words/1?weak"]) {
      const first = await appWith().ask(path);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(path.endsWith("weak") ? /^W\/"[\w-]{27}"$/ : /^"[\w-]{27}"$/);
      const { ask, outcomes } = appWith();
      for (const outcome of ["built", "kept"]) {
        const answer = await ask(path, { "if-none-match": tag });
        expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([
          304,
          tag,
          "",
        ]);
        expect(answer.headers.get("content-type")).toBeNull();
        expect(outcomes.at(-1)).toBe(outcome);
      }
      expect((await ask(path)).status).toBe(200);
      await say("new");
      expect((await ask(path, { "if-none-match": tag })).status).toBe(200);
      await say("first");
    }
  });

  it.each(["authorization", "cookie", "range", "x-caller"])(
    "is neither kept nor sent for a request with %s",
    async (name) => {
      const { ask, reads, outcomes } = appWith();
      await ask("/words/1", { [name]: "x" });
      expect(outcomes).toEqual([]);
      await ask();
      await ask("/words/1", { [name]: "x" });
      expect([reads(), outcomes]).toEqual([3, ["built"]]);
    },
  );

  it.each([
    ["another method", "HEAD", "/words/1"],
    ["a very long path", "GET", `/words/1?${"a".repeat(1_000)}`],
  ])("is not kept for %s", async (_what, method, path) => {
    const { ask, reads, outcomes } = appWith();
    await ask(path, {}, method);
    await ask(path, {}, method);
    expect([reads(), outcomes]).toEqual([2, []]);
  });

  it.each<[string, Partial<Setting>]>([
    ["something else was read for it", { readsTime: true }],
    ["it is an error", { status: 404 }],
    ["it says how caches may store it", { header: ["Cache-Control", "no-store"] }],
    ["it sets a cookie", { header: ["Set-Cookie", "a=1"] }],
    ["it is of an old block", { freshFrom: 6n }],
    ["it is larger than all that may be kept", { maxBytes: 100 }],
  ])("is not kept when %s", async (_why, overrides) => {
    const { ask, reads } = appWith(overrides);
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status]).toEqual([first.status, first.status]);
    expect(reads()).toBe(2);
  });

  it("is not sent when its block has become too old, or the index is behind", async () => {
    const { ask, setting, reads } = appWith();
    await ask();
    setting.freshFrom = 6n;
    await ask();
    expect(reads()).toBe(2);
    setting.freshFrom = 0n;
    await ask();
    setting.isBehind = true;
    await ask();
    expect(reads()).toBe(3);
  });

  it("is built once for requests that come while it is built", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const app = appWith({ afterRead: () => finished });
    const first = app.said();
    const others = [app.said(), app.said()];
    const other = app.ask("/words/2");
    // Its snapshot is read by the statement that the others wait for, or by a later one.
    const timer = setInterval(() => app.reads() === 2 && finish(), 5);
    expect(await Promise.all([first, ...others])).toEqual(["first", "first", "first"]);
    clearInterval(timer);
    expect((await (await other).json()).said).toBe("second");
    expect(app.reads()).toBe(2);
    expect(app.outcomes.toSorted()).toEqual(["built", "built", "shared", "shared"]);
  });

  it("is built by each of them when the first one fails", async () => {
    let isFirst = true;
    const app = appWith({
      afterRead: async () => {
        if (!isFirst) return;
        isFirst = false;
        await pool.query("select pg_sleep(0.05)");
        throw new Error("The first one fails.");
      },
    });
    const answers = await Promise.all([app.ask(), app.ask()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 500]);
  });

  it("is compressed once for each encoding", async () => {
    const long = "word ".repeat(1_000);
    await say(long);
    const { ask } = appWith();
    const plain = await (await ask()).text();
    for (const [encoding, format] of [
      ["gzip", "gzip"],
      ["br", null],
    ] as const) {
      const [one, two] = [
        await ask("/words/1", { "accept-encoding": encoding }),
        await ask("/words/1", { "accept-encoding": encoding }),
      ];
      expect([one.headers.get("content-encoding"), two.headers.get("content-encoding")]).toEqual([
        encoding,
        encoding,
      ]);
      const bytes = await one.arrayBuffer();
      expect(Buffer.from(await two.arrayBuffer())).toEqual(Buffer.from(bytes));
      if (format === null) continue;
      const unpacked = new Response(bytes).body?.pipeThrough(new DecompressionStream(format));
      expect(await new Response(unpacked).text()).toBe(plain);
    }
  });
});

describe("a snapshot", () => {
  it("is the same until a transaction ends, and after reads", async () => {
    const snapshot = snapshotReader(pool);
    const first = await snapshot();
    await pool.query("select * from word");
    expect(await snapshot()).toBe(first);
    await say("new");
    expect(await snapshot()).not.toBe(first);
  });

  it("names the start of the server", async () => {
    const { rows } = await pool.query(
      "select extract(epoch from pg_postmaster_start_time())::text as since",
    );
    expect((await snapshotReader(pool)())?.endsWith(` ${rows[0]?.since}`)).toBe(true);
  });

  it("is read once for callers that wait together, after they came", async () => {
    const client = await pool.connect();
    let statements = 0;
    const snapshot = snapshotReader({
      query: (async (statement: pg.QueryConfig) => {
        statements += 1;
        return client.query(statement);
      }) as pg.Pool["query"],
    });
    try {
      const all = await Promise.all([snapshot(), snapshot(), snapshot()]);
      expect([new Set(all).size, statements]).toEqual([1, 1]);
    } finally {
      client.release();
    }
  });
});
