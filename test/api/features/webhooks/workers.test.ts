import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { TestClock } from "pg-boss";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEventSink } from "../../../../api/features/webhooks/event-sink.store.ts";
import { openJobs } from "../../../../api/platform/jobs/queue.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { startWebhookWorker, WEBHOOK_RULES } from "../../../fixtures/webhook-workers.ts";
import {
  BUYER,
  createWebhookWorld,
  eventOf,
  FULL_KEY,
  type WebhookWorld,
} from "../../../fixtures/webhooks.ts";

const PROCESS = fileURLToPath(new URL("../../../fixtures/webhook-worker.ts", import.meta.url));
const SOON = { timeout: 40_000, interval: 50 };

let world: WebhookWorld;
let closers: (() => Promise<unknown>)[];

beforeEach(async () => {
  world = await createWebhookWorld();
  closers = [world.close];
  await world.db.execute(sql`create table public.recovering (sent int)`);
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

async function register(path: string, tokenId = 7n): Promise<string> {
  const url = new URL(path, world.receiver.url).href;
  const key = { ...FULL_KEY, id: `agent:${tokenId}:1`, tokenId };
  const webhook = { tokenId: null, url, events: ["binding.created"], notifyEmail: null } as const;
  return (await world.service.create(key, webhook, randomUUID())).webhookId;
}

/** Emits events of an agent on the real queue. */
async function emitter() {
  const jobs = await openJobs({
    databaseUrl: world.databaseUrl,
    log: createLog("silent"),
    rules: WEBHOOK_RULES,
    purpose: "send",
  });
  closers.push(() => jobs.close(1_000));
  const sink = createEventSink({ store: world.store, queue: jobs, clock: () => new Date() });
  const emit = (tokenId = 7n) =>
    world.db.transaction((tx) =>
      sink.emit(tx, eventOf("binding.created", randomUUID(), { tokenId })),
    );
  return { jobs, emit };
}

async function startWorkerHere(clock?: TestClock) {
  const { authority } = world.receiver;
  const { databaseUrl, masterKeys } = world;
  const worker = await startWebhookWorker({
    databaseUrl,
    masterKeys,
    authority,
    ...(clock && { clock }),
  });
  closers.push(worker.stop);
  return worker;
}

/** Starts a process that the test will kill. */
function startProcess(environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ["--import", "tsx", PROCESS], {
    env: {
      ...process.env,
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: world.masterKeys[0]?.key.toString("base64"),
      AUTHORITY: world.receiver.authority,
      ...environment,
    },
    stdio: "inherit",
  });
  const exited = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  closers.push(kill);
  return { kill };
}

const states = async () => {
  const { rows } = await world.db.execute<{ state: string; n: number }>(
    sql`select state, count(*)::int as n from app.webhook_delivery group by 1 order by 1`,
  );
  return rows;
};
const deliveryIds = () =>
  world.receiver.received.map(({ headers }) => String(headers["x-svc-delivery"]));

/** Holds requests to paths that start with `/slow` until it is released. */
function holdSlowOnes() {
  const openAt = new Map<string, number>();
  const most = { webhook: 0, owner: 0 };
  const ended = { early: 0 };
  let isReleased = false;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = () => {
      isReleased = true;
      resolve();
    };
  });
  world.receiver.answer(async ({ path }, response) => {
    if (!path.startsWith("/slow")) return void response.end();
    const change = (by: number) => {
      openAt.set(path, (openAt.get(path) ?? 0) + by);
      most.webhook = Math.max(most.webhook, openAt.get(path) ?? 0);
      most.owner = Math.max(most.owner, held());
    };
    change(1);
    response.on("close", () => {
      if (isReleased) return;
      ended.early += 1;
      change(-1);
    });
    await released;
    change(-1);
    response.end();
  });
  const held = () => [...openAt.values()].reduce((sum, open) => sum + open, 0);
  return { most, ended, held, release: () => release() };
}

describe("deliveries to slow receivers", () => {
  it("of one webhook use two places of all workers, and do not delay another owner's event", async () => {
    const slow = holdSlowOnes();
    await register("slow");
    world.agents.set(9n, { epoch: 1, sealer: BUYER, owner: BUYER, status: "SEALED" });
    await register("other", 9n);
    const { emit } = await emitter();
    // More than the workers have places.
    for (let event = 0; event < 36; event += 1) await emit();
    await startWorkerHere();
    await startWorkerHere();
    await vi.waitUntil(() => slow.held() === 2, SOON);
    await emit(9n);
    await vi.waitUntil(() => world.receiver.received.some(({ path }) => path === "/other"), SOON);
    // It arrived while the first ones were still held.
    expect(slow.ended).toEqual({ early: 0 });
    expect(slow.held()).toBe(2);

    slow.release();
    await vi.waitFor(
      async () => expect(await states()).toEqual([{ state: "delivered", n: 37 }]),
      SOON,
    );
    expect(slow.most.webhook).toBe(2);
    expect(deliveryIds().length).toBe(37);
    expect(new Set(deliveryIds()).size).toBe(37);
  });

  it("of many webhooks of one owner use four places", async () => {
    const slow = holdSlowOnes();
    for (let webhook = 0; webhook < 18; webhook += 1) await register(`slow/${webhook}`);
    world.agents.set(9n, { epoch: 1, sealer: BUYER, owner: BUYER, status: "SEALED" });
    await register("other", 9n);
    const { emit } = await emitter();
    await emit();
    await emit();
    await startWorkerHere();
    await startWorkerHere();
    await vi.waitUntil(() => slow.held() === 4, SOON);
    await emit(9n);
    await vi.waitUntil(() => world.receiver.received.some(({ path }) => path === "/other"), SOON);
    expect(slow.ended).toEqual({ early: 0 });

    slow.release();
    await vi.waitFor(
      async () => expect(await states()).toEqual([{ state: "delivered", n: 37 }]),
      SOON,
    );
    expect(slow.most.owner).toBe(4);
    expect(deliveryIds().length).toBe(37);
    expect(new Set(deliveryIds()).size).toBe(37);
  });
});

describe("a process that is killed", () => {
  it("during a delivery leaves it to another process, under the same id", async () => {
    const webhookId = await register("hook");
    world.receiver.answer(() => {});
    const { emit } = await emitter();
    await emit();
    const process = startProcess();
    await vi.waitUntil(() => world.receiver.received.length === 1, SOON);
    await process.kill();

    world.receiver.answer((_request, response) => void response.end());
    const clock = new TestClock();
    await startWorkerHere(clock);
    // Its lease and its heartbeat expire, and the queue's supervisor runs.
    await vi.waitUntil(async () => {
      await clock.tick(5_000);
      return world.receiver.received.length > 1;
    }, SOON);
    await vi.waitFor(
      async () => expect(await states()).toEqual([{ state: "delivered", n: 1 }]),
      SOON,
    );
    const [delivery] = await world.listed(webhookId);
    expect(deliveryIds()).toEqual([delivery?.id, delivery?.id]);
    expect(delivery?.tries).toEqual([{ number: 1, statusCode: 200, error: null }]);
  });

  it("during a recovery has enqueued nothing, and the next call sends each event once", async () => {
    const webhookId = await register("hook");
    const { emit, jobs } = await emitter();
    await world.service.setEnabled(FULL_KEY, webhookId, "disabled");
    for (let event = 0; event < 5; event += 1) await emit();
    const ids = (await world.listed(webhookId)).map(({ id }) => id);
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");

    const process = startProcess({ RECOVER: webhookId });
    await vi.waitUntil(async () => {
      const { rows } = await world.db.execute(sql`select sent from public.recovering`);
      return rows.length > 0;
    }, SOON);
    await process.kill();
    expect(await states()).toEqual([{ state: "missed", n: 5 }]);

    // The events have real times, which differ from this test's clock.
    world.wait(Date.now() - world.clock().getTime());
    const service = world.serviceWith(jobs);
    const range = { since: new Date(Date.now() - 3_600_000), until: null };
    expect(await service.recover(FULL_KEY, webhookId, range)).toEqual({
      enqueued: 5,
      remaining: 0,
    });
    expect(await service.recover(FULL_KEY, webhookId, range)).toEqual({
      enqueued: 0,
      remaining: 0,
    });
    await startWorkerHere();
    await vi.waitFor(
      async () => expect(await states()).toEqual([{ state: "delivered", n: 5 }]),
      SOON,
    );
    expect(deliveryIds().toSorted()).toEqual(ids.toSorted());
  });
});
