import { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readsBesideDatabase } from "../../../../../api/kernel/database-alone.ts";
import { headersOfAnswer } from "../../../../../api/platform/http/answers/answer-body.ts";
import { everyRequest } from "../../../../../api/platform/http/answers/every-request.ts";
import { compression } from "../../../../../api/platform/http/bodies/compression.ts";
import { isUnchanged } from "../../../../../api/platform/http/conditional.ts";
import type { AppEnv, BodyAt } from "../../../../../api/platform/http/env.ts";
import { reflectsBlock } from "../../../../../api/platform/http/indexed-block.ts";
import { createKeptAnswers } from "../../../../../api/platform/http/kept/kept-answers.ts";
import { publicStateReader } from "../../../../../api/soul/public-state/public-state.store.ts";
import { createIndexTables, reachBlock } from "../../../../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../../../../fixtures/postgres.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 20 });
  // The database may be dropped before the last connection has closed.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", () => {});
  // Each application of a test listens.
  pool.setMaxListeners(0);
  await createIndexTables(pool, []);
  await pool.query("create table word (id int primary key, said text not null)");
  await pool.query("create table note (id int)");
  for (const [event, rows] of [
    ["insert", "new"],
    ["update", "new"],
    ["delete", "old"],
  ]) {
    await pool.query(`create trigger public_change_${event} after ${event} on word
      referencing ${rows} table as changed
      for each statement execute function app.count_public_change_of_rows()`);
  }
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(async () => {
  await reachBlock(pool, 50_000, 1_700_000_000);
  await pool.query("delete from word");
  await pool.query("insert into word values (1, 'first'), (2, 'second')");
});

const say = (said: string) => pool.query("update word set said = $1 where id = 1", [said]);

/** What a test decides about the answers. */
interface Setting {
  isBehind: boolean;
  /** What the answer is at a later block. */
  bodyAt: BodyAt | undefined;
  /** The first block that is fresh. */
  freshFrom: bigint;
  /** Awaited by the handler after its read. */
  afterRead: () => Promise<void>;
  readsTime: boolean;
  mayReadReplica: boolean;
  status: 200 | 404;
  header: [string, string] | null;
  maxBytes: number;
}

/** An application that answers with a row. */
function appWith(overrides: Partial<Setting> = {}) {
  const setting: Setting = {
    isBehind: false,
    bodyAt: undefined,
    freshFrom: 0n,
    afterRead: async () => {},
    readsTime: false,
    mayReadReplica: false,
    status: 200,
    header: null,
    maxBytes: 1024 * 1024,
    ...overrides,
  };
  const outcomes: string[] = [];
  let reads = 0;
  const kept = createKeptAnswers({
    presentState: publicStateReader({ pool, countsViews: () => true }),
    mayReadReplica: () => setting.mayReadReplica,
    age: {
      isFresh: ({ block }) => block >= setting.freshFrom,
      standing: () => ({
        chainBlock: 1n,
        indexedBlock: 1n,
        isComplete: true,
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
    reflectsBlock(c, { block: 50_000n, timestamp: 1_700_000_000n }, setting.bodyAt);
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
  it("is built once while no row of such answers changes", async () => {
    const { ask, reads, outcomes } = appWith();
    const built = await ask();
    await pool.query("insert into note values (1)");
    await pool.query("update word set said = 'none' where id = 3");
    const sent = await ask();
    expect([await built.text(), Object.fromEntries(built.headers)]).toEqual([
      await sent.text(),
      Object.fromEntries(sent.headers),
    ]);
    expect([reads(), outcomes]).toEqual([1, ["built", "kept"]]);
  });

  it.each([
    ["an update", "update word set said = 'new' where id = 1", "new"],
    ["an insert", "insert into word values (3, 'third')", "first"],
    ["a deletion", "delete from word where id = 2", "first"],
  ])("is built again after %s", async (_what, statement, said) => {
    const app = appWith();
    expect(await app.said()).toBe("first");
    await pool.query(statement);
    expect([await app.said(), app.outcomes]).toEqual([said, ["built", "built"]]);
  });

  it("is not kept, nor shared, while a transaction that changed such rows is open", async () => {
    const { said, outcomes } = appWith();
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("update word set said = 'late' where id = 1");
      expect([await said(), await said()]).toEqual(["first", "first"]);
      expect(await Promise.all([said(), said()])).toEqual(["first", "first"]);
      await client.query("commit");
    } finally {
      client.release();
    }
    expect([await said(), await said()]).toEqual(["late", "late"]);
    expect(outcomes).toEqual(["built", "built", "built", "built", "built", "kept"]);
  });

  it("is not kept when a row changed while it was built", async () => {
    const app = appWith({ afterRead: async () => void (await say("during")) });
    expect(await app.said()).toBe("first");
    app.setting.afterRead = async () => {};
    expect([await app.said(), app.outcomes]).toEqual(["during", ["built", "built"]]);
  });

  it("is not kept when a transaction that was under way before ends while it is built", async () => {
    const client = await pool.connect();
    const app = appWith({
      afterRead: async () => {
        await client.query("update word set said = 'late' where id = 1");
        await client.query("commit");
      },
    });
    try {
      await client.query("begin");
      await client.query("insert into note values (1)");
      expect(await app.said()).toBe("first");
    } finally {
      client.release();
    }
    app.setting.afterRead = async () => {};
    expect([await app.said(), app.outcomes]).toEqual(["late", ["built", "built"]]);
  });

  it("is never older than what was written before it was asked for, while others write", async () => {
    const { said, outcomes } = appWith();
    await say("0");
    let written = 0;
    const writes = async () => {
      for (let count = 1; count <= 150; count += 1) {
        const client = await pool.connect();
        try {
          await client.query("begin");
          await client.query("update word set said = $1 where id = 1", [String(count)]);
          await client.query(count % 7 === 0 ? "rollback" : "commit");
        } finally {
          client.release();
        }
        if (count % 7 !== 0) written = count;
      }
      return "ended";
    };
    const reads = async () => {
      while (written < 149) {
        const before = written;
        expect(Number(await said())).toBeGreaterThanOrEqual(before);
      }
    };
    const others = async () => {
      while (written < 149) await pool.query("insert into note values (1)");
    };
    await Promise.all([writes(), others(), ...Array.from({ length: 8 }, reads)]);
    // Whether one was kept meanwhile depends on the machine. Now nothing is written.
    await Promise.all([said(), said(), said()]);
    await said();
    expect(new Set(outcomes)).toEqual(new Set(["built", "shared", "kept"]));
  });

  it("is not kept where a replica may answer", async () => {
    const { ask, reads, outcomes } = appWith({ mayReadReplica: true });
    await ask();
    await ask();
    expect([reads(), outcomes]).toEqual([2, []]);
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
    ["it is of an old block", { freshFrom: 50_001n }],
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
    setting.freshFrom = 50_001n;
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

  it("is built again when the index has reached another block", async () => {
    const { ask, outcomes } = appWith();
    await ask();
    await reachBlock(pool, 50_000, 1_700_000_001);
    await ask();
    expect(outcomes).toEqual(["built", "built"]);
  });

  it("is kept at another block if it says that it is the same there, and names that block", async () => {
    const { ask, outcomes } = appWith({ bodyAt: "same" });
    const first = await ask();
    await reachBlock(pool, 50_001, 1_700_000_002);
    const second = await ask();
    expect([await second.text(), second.headers.get("etag")]).toEqual([
      await first.text(),
      first.headers.get("etag"),
    ]);
    expect([first, second].map(({ headers }) => headers.get("x-svc-block"))).toEqual([
      "50000",
      "50001",
    ]);
    expect(outcomes).toEqual(["built", "kept"]);
  });

  it.each([
    ["a tag of its own", "/words/1"],
    ["the same weak tag", "/words/1?weak"],
  ])("is made again of the block it says it depends on, with %s", async (what, path) => {
    const { ask, outcomes } = appWith({ bodyAt: ({ block }) => `at ${block}` });
    const first = await ask(path);
    await reachBlock(pool, 50_001, 1_700_000_002);
    const gzip = { "accept-encoding": "gzip" };
    const [second, third] = [await ask(path), await ask(path, gzip)];
    expect([await second.text(), second.headers.get("content-type")]).toEqual([
      "at 50001",
      "application/json",
    ]);
    const tags = [first, second].map(({ headers }) => headers.get("etag") ?? "");
    expect(tags[0] === tags[1]).toBe(what === "the same weak tag");
    expect(third.headers.get("etag")).toBe(tags[1]);
    const held = await ask(path, { "if-none-match": tags[1] ?? "" });
    expect([held.status, held.headers.get("x-svc-block")]).toEqual([304, "50001"]);
    await reachBlock(pool, 50_002, 1_700_000_004);
    expect(await (await ask(path)).text()).toBe("at 50002");
    await say("new");
    expect((await (await ask(path)).json()).said).toBe("new");
    expect(outcomes).toEqual(["built", "kept", "kept", "kept", "kept", "built"]);
  });

  it.each([
    ["a short one", ""],
    ["a long one", "é ".repeat(5_000)],
  ])("has another part at another block, and the rest of the body: %s", async (_which, rest) => {
    const { ask, outcomes } = appWith({ bodyAt: { partAt: ({ block }) => `at ${block}` } });
    await say(`${rest}at 50000 and more${rest}`);
    const tags = [(await ask()).headers.get("etag")];
    for (const block of [99_999, 100_000, 100_001]) {
      await reachBlock(pool, block, 1_700_000_002);
      const { said } = await (await ask()).json();
      expect(said).toBe(`${rest}at ${block} and more${rest}`);
      tags.push((await ask()).headers.get("etag"));
    }
    expect([new Set(tags).size, new Set(outcomes.slice(1))]).toEqual([4, new Set(["kept"])]);
    const held = await ask("/words/1", { "if-none-match": tags.at(-1) ?? "" });
    expect(held.status).toBe(304);
    await say("new");
    expect((await (await ask()).json()).said).toBe("new");
  });

  it.each([
    ["is not in it", "at 49999"],
    ["is in it twice", "at 50000 and at 50000"],
  ])("is kept for its block alone when the part %s", async (_why, said) => {
    const app = appWith({ bodyAt: { partAt: ({ block }) => `at ${block}` } });
    await say(said);
    expect([await app.said(), await app.said()]).toEqual([said, said]);
    await reachBlock(pool, 50_001, 1_700_000_002);
    expect(await app.said()).toBe(said);
    expect(app.outcomes).toEqual(["built", "kept", "built"]);
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
