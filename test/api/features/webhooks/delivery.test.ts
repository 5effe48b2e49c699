import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { LEASE_MS } from "../../../../api/features/webhooks/delivery.jobs.ts";
import type { EventName } from "../../../../api/features/webhooks/events.ts";
import { RETRY_DELAYS_MS } from "../../../../api/features/webhooks/retries.ts";
import {
  createWebhookSecrets,
  LostWebhookSecretError,
} from "../../../../api/features/webhooks/secrets.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { createSecrets } from "../../../../api/platform/secrets/secrets.ts";
import { verifyWebhook } from "../../../../kit/webhooks/index.ts";
import { Life } from "../../../fixtures/mortal.ts";
import { asAdmin } from "../../../fixtures/postgres.ts";
import {
  BUYER,
  EXAMPLES,
  eventOf,
  FULL_KEY,
  OWNER,
  setWebhookWorld,
  TOKEN_ID,
  type WebhookWorld,
} from "../../../fixtures/webhooks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: WebhookWorld;
setWebhookWorld((made) => {
  world = made;
});

function register(events: readonly EventName[] = ["binding.created"]) {
  const webhook = { tokenId: null, url: world.receiver.url, events, notifyEmail: null };
  return world.service.create(FULL_KEY, webhook, randomUUID());
}

const bound = (key: string) => eventOf("binding.created", key);

describe("an event", () => {
  it("reaches every webhook that subscribed to it, signed, once", async () => {
    const first = await register();
    const second = await register(["binding.created", "binding.revoked"]);
    await register(["binding.revoked"]);
    await world.emit(bound("one"));
    await world.emit(bound("one"));
    // The first one's job goes on with the second one.
    expect(await world.run()).toBe(1);

    expect(world.receiver.received.length).toBe(2);
    const deliveries = await Promise.all([first, second].map((w) => world.listed(w.webhookId)));
    for (const [index, { secret }] of [first, second].entries()) {
      const received = world.receiver.received.find(
        ({ headers }) => headers["x-svc-delivery"] === deliveries[index]?.[0]?.id,
      );
      if (received === undefined) throw new Error("The receiver got no request.");
      const verdict = await verifyWebhook({
        secrets: secret,
        headers: received.headers,
        rawBody: received.body,
        now: world.clock(),
        seenNonce: () => false,
      });
      const deliveryId = deliveries[index]?.[0]?.id;
      expect(verdict).toEqual({
        ok: true,
        delivery: {
          deliveryId,
          event: "binding.created",
          timestamp: world.clock().toISOString(),
          data: EXAMPLES["binding.created"],
        },
      });
      expect(Object.keys(JSON.parse(received.body) as object)).toEqual([
        "event",
        "timestamp",
        "deliveryId",
        "data",
      ]);
      expect({ method: received.method, path: received.path }).toEqual({
        method: "POST",
        path: "/hook",
      });
      expect(received.headers).toMatchObject({
        "content-type": "application/json",
        "x-svc-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
        "x-svc-timestamp": String(world.clock().getTime() / 1000),
        "x-svc-nonce": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "x-svc-delivery": deliveryId,
      });
      expect(received.headers).not.toHaveProperty("x-svc-signature-previous");
      expect(deliveries[index]).toEqual([
        {
          id: deliveryId,
          event: "binding.created",
          state: "delivered",
          tries: [{ number: 1, statusCode: 200, error: null }],
        },
      ]);
    }
  });

  it("is written with its deliveries and jobs in the caller's transaction, or not at all", async () => {
    const { webhookId } = await register();
    const undone = world.db.transaction(async (tx) => {
      await world.sink.emit(tx, bound("undone"));
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    expect(await world.listed(webhookId)).toEqual([]);
    expect(await world.queue.waiting()).toEqual([]);
  });

  it("is delivered although another agent's event has the same key", async () => {
    world.agents.set(8n, { epoch: 1, sealer: OWNER, owner: OWNER, status: "SEALED" });
    const { webhookId } = await register();
    await world.emit(eventOf("binding.created", "shared", { tokenId: 8n }));
    await world.emit(bound("shared"));
    expect((await world.listed(webhookId)).length).toBe(1);
  });

  it("with data that breaks its schema is refused, and undoes its transaction", async () => {
    const { trustLevel: _left, ...partial } = EXAMPLES["binding.created"];
    const wrong = { ...bound("wrong"), data: { ...partial, bindingId: 1, secretField: "v" } };
    await expect(world.emit(wrong)).rejects.toMatchObject({
      name: "EventDataError",
      event: "binding.created",
      message:
        'The data of binding.created breaks its schema: bindingId (Invalid input: expected string, received number); trustLevel (Invalid option: expected one of "trusted"|"verified"|"limited"|"revoked");  (Unrecognized key: "secretField").',
    });
  });

  it("with private values is not stored", async () => {
    const { webhookId } = await register(["disclosure.fulfilled"]);
    const fulfilled = eventOf("disclosure.fulfilled", "f");
    await expect(world.emit(fulfilled)).rejects.toThrow(
      "disclosure.fulfilled holds private values, and may only be sent from memory.",
    );
    const unaccepted = (problem: string) => ({ accepted: 0, problem });
    expect(await world.delivery.sendOnce(fulfilled, 1)).toEqual({ accepted: 1, problem: null });
    expect(await world.delivery.sendOnce(fulfilled, 1)).toEqual(unaccepted("It was sent before."));
    // The agent has another epoch on chain by now, and so perhaps another owner.
    const resealed = eventOf("disclosure.fulfilled", "of epoch 2");
    expect(await world.delivery.sendOnce(resealed, 2)).toEqual(
      unaccepted("The agent has no webhook for disclosure.fulfilled."),
    );
    expect(world.receiver.received.length).toBe(1);
    expect(JSON.parse(world.receiver.received[0]?.body ?? "")).toMatchObject({
      data: EXAMPLES["disclosure.fulfilled"],
    });
    const events = await world.db.execute(sql`select data from app.webhook_event`);
    expect(events.rows).toEqual([{ data: null }, { data: null }]);

    const [delivery] = await world.listed(webhookId);
    expect(delivery).toMatchObject({ state: "delivered", event: "disclosure.fulfilled" });
    await expect(
      world.service.resend(FULL_KEY, webhookId, delivery?.id ?? ""),
    ).rejects.toMatchObject({ type: "GONE" });

    world.wait(1_000);
    world.receiver.answer((_request, response) => void response.writeHead(500).end());
    expect(await world.delivery.sendOnce(eventOf("disclosure.fulfilled", "g"), 1)).toEqual(
      unaccepted("The webhook did not accept it: it answered with status 500."),
    );
    expect((await world.listed(webhookId))[0]).toMatchObject({
      state: "failed",
      tries: [{ number: 1, statusCode: 500, error: "http_status" }],
    });
    expect(await world.queue.waiting()).toEqual([]);
    expect((await world.store.rows.findWebhook(webhookId))?.enabled).toBe(true);
  });
});

describe("private values that a webhook does not take", () => {
  const why = (reason: string) => `The webhook did not accept it: ${reason}.`;
  const cases: [string, Parameters<WebhookWorld["receiver"]["answer"]>[0], string][] = [
    ["slow", () => {}, why("it did not answer in time")],
    [
      "redirecting",
      (_request, response) =>
        void response.writeHead(307, { location: "https://93.184.216.34/" }).end(),
      why("it answered with a redirect, and none is followed"),
    ],
    [
      "answering garbage",
      (_request, response) => void response.socket?.write("garbage\r\n\r\n"),
      why("its answer is not HTTP"),
    ],
    [
      "answering with endless headers",
      (_request, response) =>
        void response.socket?.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(50_000)}`),
      why("its answer is too large"),
    ],
    [
      "answering with an endless refusal",
      (_request, response) => {
        response.writeHead(500);
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      },
      why("it answered with status 500"),
    ],
  ];

  it.each(cases)("are not stored, and the problem is named: %s", async (name, answer, problem) => {
    const { webhookId } = await register(["disclosure.fulfilled"]);
    world.receiver.answer(answer);
    // The limit of the service is 15 seconds.
    const { sendOnce } = world.deliveryWithin(name === "slow" ? 500 : 60_000);
    const sent = await sendOnce(eventOf("disclosure.fulfilled", name), 1);
    expect(sent).toEqual({ accepted: 0, problem });
    const events = await world.db.execute(sql`select data from app.webhook_event`);
    expect(events.rows).toEqual([{ data: null }]);
    expect((await world.listed(webhookId)).map(({ state }) => state)).toEqual(["failed"]);
    expect(await world.queue.waiting()).toEqual([]);
  });

  it("are not stored, and the problem is named: offline", async () => {
    const { port } = new URL(world.receiver.url);
    const url = world.receiver.url.replace(port, "1024");
    const webhook = { tokenId: null, url, events: ["disclosure.fulfilled"] as const };
    await world.service.create(FULL_KEY, { ...webhook, notifyEmail: null }, randomUUID());
    expect(await world.delivery.sendOnce(eventOf("disclosure.fulfilled", "offline"), 1)).toEqual({
      accepted: 0,
      problem: why("the connection failed"),
    });
    const events = await world.db.execute(sql`select data from app.webhook_event`);
    expect(events.rows).toEqual([{ data: null }]);
  });

  it("are not sent to a webhook whose agent is suspended", async () => {
    await register(["disclosure.fulfilled"]);
    world.agent().owner = BUYER;
    expect(await world.delivery.sendOnce(eventOf("disclosure.fulfilled", "sold"), 1)).toEqual({
      accepted: 0,
      problem: "The webhook is disabled, or its agent is suspended.",
    });
    expect(world.receiver.received).toEqual([]);
  });
});

describe("a receiver that is down", () => {
  it("is retried after 1 min, 5 min, 30 min, 2 h and 12 h, under one id, and its webhook is then disabled", async () => {
    const { webhookId, secret } = await register();
    world.receiver.answer((_request, response) => void response.writeHead(500).end("secret page"));
    await world.emit(bound("one"));
    await world.run();
    const delays = await world.runAll();
    expect(RETRY_DELAYS_MS).toEqual([60_000, 300_000, 1_800_000, 7_200_000, 43_200_000]);
    expect(delays.length).toBe(5);
    for (const [index, specified] of RETRY_DELAYS_MS.entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(specified);
      expect(delays[index]).toBeLessThanOrEqual(specified * 1.1);
    }

    const headers = world.receiver.received.map((received) => received.headers);
    const distinct = (name: string) => new Set(headers.map((header) => header[name])).size;
    expect(headers.length).toBe(6);
    expect(distinct("x-svc-delivery")).toBe(1);
    expect(distinct("x-svc-nonce")).toBe(6);
    expect(distinct("x-svc-timestamp")).toBe(6);
    expect(distinct("x-svc-signature")).toBe(6);

    const [failed] = await world.listed(webhookId);
    expect(failed).toMatchObject({
      state: "failed",
      tries: [1, 2, 3, 4, 5, 6].map((number) => ({
        number,
        statusCode: 500,
        error: "http_status",
      })),
    });
    const everything = await world.db.execute(
      sql`select string_agg(t::text, ' ') as text from (select w::text as t from app.webhook w
        union all select d::text from app.webhook_delivery d union all select y::text from app.webhook_try y) s`,
    );
    expect(everything.rows[0]?.text).not.toContain("secret page");
    expect(everything.rows[0]?.text).not.toContain(secret);
    expect(await world.store.rows.findWebhook(webhookId)).toMatchObject({
      enabled: false,
      disabledReason: "failures",
      disabledAt: world.clock(),
    });

    // Failed deliveries are sent again on request, once the webhook is enabled.
    world.receiver.answer((_request, response) => void response.end());
    expect(await world.service.resend(FULL_KEY, webhookId, failed?.id ?? "")).toBe("pending");
    await world.run();
    expect((await world.listed(webhookId))[0]?.state).toBe("paused");
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    await world.run();
    expect((await world.listed(webhookId))[0]).toMatchObject({
      id: failed?.id,
      state: "delivered",
    });
    expect(world.receiver.received.at(-1)?.headers["x-svc-delivery"]).toBe(failed?.id);
    await world.emit(bound("three"));
    await world.run();
    expect(world.receiver.received.length).toBe(8);
  });

  it("gets what was pending when its webhook was disabled, once it is enabled again", async () => {
    const { webhookId } = await register();
    await world.emit(bound("one"));
    await world.service.setEnabled(FULL_KEY, webhookId, "disabled");
    await world.run();
    expect((await world.listed(webhookId))[0]).toMatchObject({ state: "paused", tries: [] });
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    await world.runAll();
    expect((await world.listed(webhookId))[0]?.state).toBe("delivered");
  });

  it("for 3 h misses nothing, with jobs killed at random and Postgres losing its connections", async () => {
    const random = seeded(42);
    const { webhookId } = await register();
    const upAt = world.clock().getTime() + 3 * HOUR_MS;
    const [name] = new URL(world.databaseUrl).pathname.split("/").slice(1);
    const cutConnections = () =>
      asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = '${name}' and pid <> pg_backend_pid()`);
    const accepted = new Map<string, number>();
    world.receiver.answer(async (request, response) => {
      // In the middle of a try: the next statements find no connection.
      if (random() < 0.15) await cutConnections();
      if (world.clock().getTime() < upAt) return void response.destroy();
      const id = String(request.headers["x-svc-delivery"]);
      accepted.set(id, (accepted.get(id) ?? 0) + 1);
      response.end();
    });

    const keys = Array.from({ length: 12 }, (_, index) => `event ${index}`);
    for (const key of keys) {
      await world.emit(bound(key));
      world.wait(5 * 60_000);
    }
    let lives = 0;
    const aLife = () => {
      lives += 1;
      return world.handlersOf(new Life(() => random() < 0.05));
    };
    const start = world.clock();
    for (let rounds = 0; ; rounds += 1) {
      if (rounds > 5_000) throw new Error("The run does not end.");
      if ((await world.queue.waiting()).length === 0) {
        // Five failures of several deliveries have disabled it. Its owner has repaired the
        // receiver.
        if ((await world.store.rows.findWebhook(webhookId))?.enabled) break;
        world.wait(Math.max(0, upAt - world.clock().getTime()));
        await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
        const { remaining } = await world.service.recover(FULL_KEY, webhookId, {
          since: new Date(start.getTime() - HOUR_MS),
          until: null,
        });
        expect(remaining).toBe(0);
      }
      // A lost connection ends the queue's own round, as it ends a worker's.
      await world.runAll(aLife).catch(async () => {
        await expect
          .poll(() =>
            world.db.execute(sql`select 1`).then(
              () => true,
              () => false,
            ),
          )
          .toBe(true);
        await world.db.execute(sql`update recorded_job set state = 'waiting' where state = 'active'
          and not exists (select 1 from recorded_job o where o.state = 'waiting' and o.key = recorded_job.key)`);
      });
    }
    const listed = await world.listed(webhookId);
    expect(listed.map(({ state }) => state)).toEqual(keys.map(() => "delivered"));
    expect([...accepted.keys()].sort()).toEqual(listed.map(({ id }) => id).sort());
    expect(listed.reduce((tries, delivery) => tries + delivery.tries.length, 0)).toBeGreaterThan(
      15,
    );
    expect(lives).toBeGreaterThan(12 * 2);
  });
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a process that dies", () => {
  it("at any step of a try leaves a delivery that another process finishes under the same id", async () => {
    let died = 0;
    for (let fatal = 1; ; fatal += 1) {
      await world.clear();
      const { webhookId } = await register();
      await world.emit(bound(`death ${fatal}`));
      const life = new Life((step) => step === fatal);
      let first = true;
      await world.runAll(() => {
        if (!first) return world.delivery.handlers;
        first = false;
        return world.handlersOf(life);
      });
      const [delivery] = await world.listed(webhookId);
      expect(delivery?.state, `dies at step ${fatal}`).toBe("delivered");
      const ids = world.receiver.received.map(({ headers }) => headers["x-svc-delivery"]);
      expect(new Set(ids)).toEqual(new Set([delivery?.id]));
      expect(ids.length).toBeLessThanOrEqual(2);
      expect(delivery?.tries.length).toBe(1);
      if (!life.isDead) break;
      died += 1;
    }
    expect(died).toBeGreaterThanOrEqual(8);
  });

  it("during a failure loses no retry and counts none twice", async () => {
    for (let fatal = 1; ; fatal += 1) {
      await world.clear();
      const { webhookId } = await register();
      world.receiver.answer((_request, response) => void response.writeHead(503).end());
      await world.emit(bound(`failing ${fatal}`));
      const life = new Life((step) => step === fatal);
      let first = true;
      await world.runAll(() => {
        if (!first) return world.delivery.handlers;
        first = false;
        return world.handlersOf(life);
      });
      const [delivery] = await world.listed(webhookId);
      expect(delivery, `dies at step ${fatal}`).toMatchObject({ state: "failed" });
      expect(delivery?.tries.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
      expect((await world.store.rows.findWebhook(webhookId))?.enabled).toBe(false);
      if (!life.isDead) break;
    }
  });

  it("with its job is found by the sweep", async () => {
    const { webhookId } = await register();
    await world.emit(bound("lost"));
    await world.db.execute(sql`delete from recorded_job`);
    await world.sweep();
    expect(await world.queue.waiting()).toEqual([]);
    world.wait(60_001);
    await world.sweep();
    await world.run();
    expect((await world.listed(webhookId))[0]?.state).toBe("delivered");
  });

  it("is found by the sweep, however many deliveries of other owners were lost before", async () => {
    const { webhookId } = await register();
    world.agents.set(9n, { epoch: 1, sealer: BUYER, owner: BUYER, status: "SEALED" });
    const otherKey = { ...FULL_KEY, id: "agent:9:1", tokenId: 9n };
    const other = await world.service.create(
      otherKey,
      { tokenId: null, url: world.receiver.url, events: ["binding.created"], notifyEmail: null },
      randomUUID(),
    );
    for (let lost = 0; lost < 12; lost += 1) await world.emit(bound(`lost ${lost}`));
    world.wait(1);
    await world.emit(eventOf("binding.created", "lost last", { tokenId: 9n }));
    await world.db.execute(sql`delete from recorded_job`);
    world.wait(60_001);

    const before = new Date(world.clock().getTime() - 60_000);
    const found = await world.store.rows.overdue(before, world.clock(), 3);
    const [last] = await world.listed(other.webhookId);
    // First one of each owner; then as many as the first webhook may have in flight.
    expect(found.map(({ id }) => id === last?.id)).toEqual([false, true, false]);
    expect(await world.store.rows.overdue(before, world.clock(), 500)).toEqual(found);

    await world.sweep();
    await world.run();
    expect((await world.listed(other.webhookId)).map(({ state }) => state)).toEqual(["delivered"]);
    const states = (await world.listed(webhookId)).map(({ state }) => state);
    expect(states).toEqual(Array.from({ length: 12 }, () => "delivered"));
  });

  it("during shutdown gives the delivery back untried", async () => {
    const { webhookId } = await register();
    world.receiver.answer(() => {});
    await world.emit(bound("stopped"));
    const [job] = await world.queue.waiting();
    const abort = new AbortController();
    const run = world.delivery.handlers["webhook.deliver"](job?.data ?? {}, abort.signal);
    await expect.poll(() => world.receiver.received.length).toBe(1);
    abort.abort(new Error("stopping"));
    await expect(run).rejects.toThrow("stopping");
    world.receiver.answer((_request, response) => void response.end());
    await world.run();
    expect((await world.listed(webhookId))[0]).toMatchObject({
      state: "delivered",
      tries: [{ number: 1, statusCode: 200, error: null }],
    });
  });
});

describe("two workers on one delivery", () => {
  it("make one POST at a time", async () => {
    const { webhookId } = await register();
    let open = 0;
    let most = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.receiver.answer(async (_request, response) => {
      open += 1;
      most = Math.max(most, open);
      await held;
      open -= 1;
      response.end();
    });
    await world.emit(bound("raced"));
    const [job] = await world.queue.waiting();
    await world.db.execute(sql`delete from recorded_job`);
    const work = () =>
      world.delivery.handlers["webhook.deliver"](job?.data ?? {}, new AbortController().signal);
    const workers = Array.from({ length: 8 }, work);
    await expect.poll(() => world.receiver.received.length).toBe(1);
    // Seven found it claimed. The one job that they left runs when the try must have ended.
    await Promise.race([
      Promise.all(workers),
      expect.poll(async () => (await world.queue.waiting()).length).toBe(1),
    ]);
    expect((await world.queue.waiting()).map(({ runAt }) => runAt.getTime())).toEqual([
      world.clock().getTime() + LEASE_MS,
    ]);
    release();
    await Promise.all(workers);
    await world.runAll();
    expect(most).toBe(1);
    expect(world.receiver.received.length).toBe(1);
    expect((await world.listed(webhookId))[0]).toMatchObject({
      state: "delivered",
      tries: [{ number: 1, statusCode: 200, error: null }],
    });
  });

  it("record one outcome when the slower worker lost its lease", async () => {
    const { webhookId } = await register();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let requests = 0;
    world.receiver.answer(async (_request, response) => {
      requests += 1;
      if (requests === 1) await held;
      response.writeHead(requests === 1 ? 500 : 200).end();
    });
    await world.emit(bound("slow"));
    const [job] = await world.queue.waiting();
    const work = () =>
      world.delivery.handlers["webhook.deliver"](job?.data ?? {}, new AbortController().signal);
    const slow = work();
    await expect.poll(() => requests).toBe(1);
    world.wait(LEASE_MS);
    await work();
    release();
    await slow;
    expect((await world.listed(webhookId))[0]).toMatchObject({
      state: "delivered",
      tries: [{ number: 1, statusCode: 200, error: null }],
    });
  });
});

describe("a passport that moves", () => {
  const all: EventName[] = ["binding.created", "passport.transferred", "soul.resealed"];

  it("pauses its soul's webhooks, except for the event that says so", async () => {
    const { webhookId } = await register(all);
    await world.emit(bound("before"));
    world.agent().owner = BUYER;
    await world.emit(eventOf("passport.transferred", "moved"));
    await world.run();
    const states = async () =>
      Object.fromEntries((await world.listed(webhookId)).map(({ event, state }) => [event, state]));
    expect(await states()).toEqual({
      "binding.created": "paused",
      "passport.transferred": "delivered",
    });

    world.wait(HOUR_MS);
    await world.sweep();
    expect(await states()).toMatchObject({ "binding.created": "paused" });
    // Back at the sealer, while a suspension stands.
    Object.assign(world.agent(), { owner: OWNER, suspended: true });
    world.wait(HOUR_MS);
    await world.sweep();
    expect(await states()).toMatchObject({ "binding.created": "paused" });
    world.agent().suspended = false;
    await world.sweep();
    await world.run();
    expect(await states()).toEqual({
      "binding.created": "delivered",
      "passport.transferred": "delivered",
    });
  });

  it("ends them with the reseal, and that is their last event", async () => {
    const { webhookId } = await register(all);
    world.agent().owner = BUYER;
    await world.emit(bound("while suspended"));
    await world.run();
    world.wait(1_000);
    world.agents.set(TOKEN_ID, { epoch: 2, sealer: BUYER, owner: BUYER, status: "SEALED" });
    await world.db.transaction(async (tx) => {
      await world.sink.emit(tx, eventOf("soul.resealed", "epoch 2"));
      await world.epochs.resealed(tx, { tokenId: TOKEN_ID, epoch: 2 });
    });
    await world.emit(bound("of the new owner"));
    await world.sweep();
    await world.run();
    expect(await world.listed(webhookId)).toMatchObject([
      { event: "soul.resealed", state: "delivered" },
      { event: "binding.created", state: "cancelled", tries: [] },
    ]);
    await expect(world.service.deliveries(FULL_KEY, webhookId, { limit: 1 })).rejects.toMatchObject(
      {
        type: "NOT_FOUND",
      },
    );
    expect(await world.service.list(FULL_KEY, null)).toEqual([]);
  });

  it("pauses them while the agent's owner is unknown", async () => {
    const { webhookId } = await register(all);
    await world.emit(bound("held back"));
    const unknown = vi.spyOn(world.agents, "get").mockImplementation(() => {
      throw new ApiError("INDEX_BEHIND");
    });
    await world.run();
    unknown.mockRestore();
    expect(world.receiver.received).toEqual([]);
    expect(await world.listed(webhookId)).toMatchObject([{ state: "pending", tries: [] }]);
    world.wait(20_000);
    await world.run();
    expect(await world.listed(webhookId)).toMatchObject([{ state: "delivered" }]);
  });

  it("also ends them when only the index reports it", async () => {
    const { webhookId } = await register(all);
    await world.emit(bound("late"));
    world.agents.set(TOKEN_ID, { epoch: 2, sealer: BUYER, owner: BUYER, status: "SEALED" });
    await world.run();
    expect(await world.listed(webhookId)).toMatchObject([{ state: "cancelled", tries: [] }]);
    expect(world.receiver.received).toEqual([]);
    expect(await world.service.list(FULL_KEY, null)).toEqual([]);
  });

  it("pauses them for at most seven days", async () => {
    const { webhookId } = await register(all);
    world.agent().owner = null;
    await world.emit(bound("forgotten"));
    await world.run();
    world.wait(7 * DAY_MS);
    await world.sweep();
    expect((await world.listed(webhookId))[0]?.state).toBe("paused");
    world.wait(1);
    await world.sweep();
    expect((await world.listed(webhookId))[0]?.state).toBe("cancelled");
    world.wait(30 * DAY_MS);
    await world.sweep();
    expect(await world.listed(webhookId)).toEqual([]);
  });
});

describe("a registration's webhook", () => {
  it("continues after the claim, and receives the claim's event", async () => {
    const registrationId = randomUUID();
    const provisional = {
      kind: "provisional",
      claimed: false,
      id: `registration:${registrationId}`,
      registrationId,
    } as const;
    const { webhookId } = await world.service.create(
      provisional,
      { tokenId: null, url: world.receiver.url, events: ["owner.claimed"], notifyEmail: null },
      randomUUID(),
    );
    expect(await world.store.rows.findWebhook(webhookId)).toMatchObject({
      tokenId: null,
      epoch: null,
      registrationId,
    });
    await world.db.transaction(async (tx) => {
      await world.epochs.claimed(tx, {
        registrationId,
        tokenId: TOKEN_ID,
        epoch: 1,
        owner: OWNER,
      });
      await world.sink.emit(tx, eventOf("owner.claimed", registrationId, { registrationId }));
    });
    await world.run();
    expect(
      (await world.service.list(FULL_KEY, null)).map(({ id, tokenId }) => ({ id, tokenId })),
    ).toEqual([{ id: webhookId, tokenId: TOKEN_ID }]);
    expect(JSON.parse(world.receiver.received[0]?.body ?? "")).toMatchObject({
      event: "owner.claimed",
      data: { tokenId: 7, keyStatus: "full" },
    });
  });
});

describe("a secret", () => {
  const received = async (secret: string) => {
    await world.emit(bound(randomUUID()));
    await world.run();
    const request = world.receiver.received.at(-1);
    if (request === undefined) throw new Error("The receiver got no request.");
    return verifyWebhook({
      secrets: secret,
      headers: request.headers,
      rawBody: request.body,
      now: world.clock(),
      seenNonce: () => false,
    });
  };

  it("that is rotated signs beside the new one until its grace period ends", async () => {
    const { webhookId, secret: old } = await register();
    const operation = randomUUID();
    const rotated = await world.service.rotate(FULL_KEY, webhookId, 3600, operation);
    const { secret } = rotated;
    expect(rotated).toEqual({
      webhookId,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previousValidUntil: new Date(world.clock().getTime() + HOUR_MS),
    });
    expect(secret).not.toBe(old);
    // The same request, after a crash.
    expect(await world.service.rotate(FULL_KEY, webhookId, 3600, operation)).toEqual(rotated);
    expect(await received(old)).toMatchObject({ ok: true });
    expect(await received(secret)).toMatchObject({ ok: true });
    world.wait(HOUR_MS);
    expect(await received(old)).toEqual({ ok: false, status: 401, reason: "signature_mismatch" });
    expect(await received(secret)).toMatchObject({ ok: true });

    const cut = await world.service.rotate(FULL_KEY, webhookId, 0, randomUUID());
    expect(cut.previousValidUntil).toBeNull();
    expect(await received(secret)).toEqual({
      ok: false,
      status: 401,
      reason: "signature_mismatch",
    });
    expect(await received(cut.secret)).toMatchObject({ ok: true });
  });

  it("survives the rotation of the master key, but not its loss", async () => {
    const { webhookId, secret } = await register();
    const webhook = await world.store.rows.findWebhook(webhookId);
    if (webhook === null) throw new Error("no webhook");
    const newer = { version: 2, key: Buffer.alloc(32, 9) };
    const both = createWebhookSecrets(createSecrets([newer, ...world.masterKeys]));
    expect(both.signingWith(webhook, world.clock())).toEqual({ current: secret, previous: null });
    const lost = createWebhookSecrets(createSecrets([newer]));
    expect(() => lost.signingWith(webhook, world.clock())).toThrow(
      new LostWebhookSecretError(webhookId),
    );
    const other = createWebhookSecrets(createSecrets([{ ...newer, version: 1 }]));
    expect(() => other.signingWith(webhook, world.clock())).toThrow(
      new LostWebhookSecretError(webhookId),
    );
  });
});

describe("a test", () => {
  it("is sent once, also to a disabled webhook, and disables no webhook", async () => {
    const { webhookId } = await register();
    await world.service.setEnabled(FULL_KEY, webhookId, "disabled");
    const operation = randomUUID();
    const deliveryId = await world.service.test(FULL_KEY, webhookId, operation);
    expect(await world.service.test(FULL_KEY, webhookId, operation)).toBe(deliveryId);
    await world.runAll();
    expect(JSON.parse(world.receiver.received[0]?.body ?? "")).toEqual({
      event: "webhook.test",
      timestamp: world.clock().toISOString(),
      deliveryId,
      data: { webhookId },
    });
    expect(world.receiver.received.length).toBe(1);

    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    world.receiver.answer((_request, response) => {
      response.writeHead(302, { location: world.receiver.url }).end();
    });
    await world.service.test(FULL_KEY, webhookId, randomUUID());
    expect(await world.runAll()).toEqual([]);
    expect((await world.listed(webhookId)).find(({ id }) => id !== deliveryId)).toMatchObject({
      state: "failed",
      tries: [{ number: 1, statusCode: 302, error: "redirect" }],
    });
    expect((await world.store.rows.findWebhook(webhookId))?.enabled).toBe(true);
  });
});
