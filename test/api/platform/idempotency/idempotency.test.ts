import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { everyRequest } from "../../../../api/platform/http/answers/every-request.ts";
import { readBody } from "../../../../api/platform/http/bodies/body.ts";
import { requestContext } from "../../../../api/platform/http/context.ts";
import { errorHandler } from "../../../../api/platform/http/error-handler.ts";
import { createRouter } from "../../../../api/platform/http/router.ts";
import { idempotent } from "../../../../api/platform/idempotency/idempotency.http.ts";
import { idempotencyStore } from "../../../../api/platform/idempotency/idempotency.store.ts";
import { createIdempotency } from "../../../../api/platform/idempotency/idempotency.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createSecrets } from "../../../../api/platform/secrets/secrets.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";

const log = createLog("silent");
const LEASE_MS = 30_000;
const KEEP_MS = 24 * 60 * 60 * 1000;
const v1 = { version: 1, key: randomBytes(32) };
const v2 = { version: 2, key: randomBytes(32) };

let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, log);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

type Handler = (operationKey: string) => Promise<Response>;

/** An app with one route. The test sets its time and handler. */
function sample(handler: Handler, masterKeys = [v1]) {
  const time = { now: Date.parse("2026-01-01T00:00:00Z") };
  const store = idempotencyStore(connection.db);
  const idempotency = createIdempotency({
    store,
    secrets: createSecrets(masterKeys),
    clock: () => new Date(time.now),
    leaseMs: LEASE_MS,
    keepMs: KEEP_MS,
  });
  const app = createRouter();
  app.onError(errorHandler(log));
  app.use(everyRequest([requestContext(log)]));
  app.use(readBody(1024));
  const operations: string[] = [];
  app.post("/things/:id", idempotent(idempotency), async (c) => {
    operations.push(c.get("operationKey"));
    return handler(c.get("operationKey"));
  });
  const post = async (
    key: string | undefined,
    body = "{}",
    path = "/things/1",
    caller = "Bearer a",
  ) =>
    app.request(path, {
      method: "POST",
      body,
      headers: {
        Authorization: caller,
        "Content-Type": "application/json",
        ...(key === undefined ? {} : { "Idempotency-Key": key }),
      },
    });
  return { post, operations, time, store };
}

const created: Handler = async (operationKey) =>
  Response.json(
    { operationKey, apiKey: "plain-secret" },
    { status: 201, headers: { location: "/x" } },
  );

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, type: error.type, message: error.message };
}

const inFlight = (retryAfter: number) => ({
  status: 409,
  type: "IDEMPOTENCY_CONFLICT",
  message: `The request with this Idempotency-Key is still being answered. Repeat it after ${retryAfter} s at the latest: it is then answered, or runs again if its first try failed.`,
});

describe("a request with an Idempotency-Key", () => {
  it("runs once, and its answer is repeated with its relevant headers", async () => {
    const { post, operations } = sample(created);
    const key = randomUUID();
    const first = await post(key);
    const second = await post(key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect(second.headers.get("location")).toBe("/x");
    expect(second.headers.get("content-type")).toBe("application/json");
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    expect(operations).toHaveLength(1);
  });

  it("runs once when 20 arrive together", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { post, operations } = sample(async (operationKey) => {
      await gate;
      return created(operationKey);
    });
    const key = randomUUID();
    const requests = Array.from({ length: 20 }, () => post(key));
    const refused: Response[] = [];
    // The winner waits at the gate, so the 19 other requests must be answered first.
    await new Promise<void>((resolve) => {
      for (const request of requests) {
        request.then((response) => {
          if (response.status === 409) refused.push(response);
          if (refused.length === 19) resolve();
        });
      }
    });
    open();
    const answers = await Promise.all(requests);
    expect(operations).toHaveLength(1);
    expect(answers.filter((response) => response.status === 201)).toHaveLength(1);
    for (const response of refused) {
      expect(response.headers.get("Retry-After")).toBe("30");
      expect(await errorOf(response)).toEqual(inFlight(30));
    }
  });

  it("is a conflict with another body", async () => {
    const { post, operations } = sample(created);
    const key = randomUUID();
    await post(key, '{"a":1}');
    expect(await errorOf(await post(key, '{"a":2}'))).toEqual({
      status: 409,
      type: "IDEMPOTENCY_CONFLICT",
      message: "This Idempotency-Key was used with another request body.",
    });
    expect(operations).toHaveLength(1);
  });

  it("is a separate request for another resource or caller", async () => {
    const { post, operations } = sample(created);
    const key = randomUUID();
    await post(key);
    await post(key, "{}", "/things/2");
    await post(key, "{}", "/things/1", "Bearer b");
    expect(new Set(operations).size).toBe(3);
  });

  it("runs again as the same operation after a crash, once the lease has expired", async () => {
    const { post, operations, time } = sample(created);
    const key = randomUUID();
    // The state of a process that claimed the request and died: nothing ends the lease.
    const crashed = sample(() => new Promise(() => {}));
    void crashed.post(key);
    await expect.poll(() => crashed.operations.length).toBe(1);
    const early = await post(key);
    const { error } = (await early.clone().json()) as { error: Record<string, unknown> };
    expect([early.headers.get("Retry-After"), error.retryAfter, error.details]).toEqual([
      "30",
      30,
      { retryAfter: 30, requestId: expect.any(String) },
    ]);
    expect(await errorOf(early)).toEqual(inFlight(30));
    time.now += 12_500;
    expect(await errorOf(await post(key))).toEqual(inFlight(18));
    time.now += LEASE_MS - 12_501;
    expect(await errorOf(await post(key))).toEqual(inFlight(1));
    time.now += 1;
    expect((await post(key)).status).toBe(201);
    expect(operations).toEqual(crashed.operations);
  });

  it("is answered when the client waits as long as required after a crash", async () => {
    const { post, time } = sample(created);
    const key = randomUUID();
    const crashed = sample(() => new Promise(() => {}));
    void crashed.post(key);
    await expect.poll(() => crashed.operations.length).toBe(1);
    time.now += 4_321;
    const retryAfter = Number((await post(key)).headers.get("Retry-After"));
    expect(retryAfter).toBe(26);
    time.now += retryAfter * 1000;
    expect((await post(key)).status).toBe(201);
  });

  it("may be repeated at once after a failure, as the same operation", async () => {
    let failures = 1;
    const { post, operations } = sample(async (operationKey) => {
      if (failures-- > 0) throw new ApiError("CHAIN_UNAVAILABLE");
      return created(operationKey);
    });
    const key = randomUUID();
    expect((await post(key)).status).toBe(503);
    expect((await post(key, '{"other":1}')).status).toBe(409);
    expect((await post(key)).status).toBe(201);
    expect(operations).toHaveLength(2);
    expect(operations[0]).toBe(operations[1]);
  });

  it("leaves the key unused when it is refused", async () => {
    let refusals = 1;
    const { post, operations } = sample(async (operationKey) => {
      if (refusals-- > 0) throw new ApiError("NAME_TAKEN");
      return created(operationKey);
    });
    const key = randomUUID();
    expect((await post(key)).status).toBe(409);
    expect((await post(key, '{"name":"other"}')).status).toBe(201);
    expect(operations[0]).not.toBe(operations[1]);
  });

  it("is forgotten after its time", async () => {
    const { post, operations, time, store } = sample(created);
    const key = randomUUID();
    await post(key);
    time.now += KEEP_MS - 1;
    await post(key);
    expect(operations).toHaveLength(1);
    time.now += 1;
    expect((await post(key, '{"other":1}')).status).toBe(201);
    expect(new Set(operations).size).toBe(2);
    time.now += KEEP_MS;
    expect(await store.deleteExpired(new Date(time.now))).toBeGreaterThanOrEqual(1);
    expect(await store.deleteExpired(new Date(time.now))).toBe(0);
  });

  it("is still known after the master key was rotated", async () => {
    const key = randomUUID();
    const before = sample(created);
    const first = await before.post(key);
    const after = sample(created, [v2, v1]);
    expect(await (await after.post(key)).json()).toEqual(await first.json());
    expect(after.operations).toEqual([]);
  });

  it.each(["short", "a".repeat(129), "with space in the key", "ümlaut-ümlaut-ümlaut"])(
    "is refused with the key %j",
    async (key) => {
      const { post, operations } = sample(created);
      expect(await errorOf(await post(key))).toMatchObject({
        status: 400,
        type: "INVALID_REQUEST",
      });
      expect(operations).toEqual([]);
    },
  );

  it("stores neither key, body nor answer in the clear", async () => {
    const { post } = sample(created);
    const key = randomUUID();
    await post(key, '{"systemPrompt":"be kind"}');
    const rows = await connection.db.execute(sql`select * from app.idempotency`);
    const stored = Buffer.from(
      rows.rows
        .flatMap((row) => Object.values(row))
        .map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value)))
        .join("\n"),
    );
    for (const secret of [key, "be kind", "plain-secret"])
      expect(stored.includes(secret)).toBe(false);
  });
});

describe("a request without an Idempotency-Key", () => {
  it("runs every time, each time as a new operation", async () => {
    const { post, operations } = sample(created);
    await post(undefined);
    await post(undefined);
    expect(new Set(operations).size).toBe(2);
  });
});
