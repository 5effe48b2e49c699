import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../../../api/features/webhooks/events.ts";
import type { SettledTry } from "../../../../api/features/webhooks/records.ts";
import { newDelivery } from "../../../../api/features/webhooks/records.ts";
import {
  BUYER,
  eventOf,
  FULL_KEY,
  OWNER,
  setWebhookWorld,
  type WebhookWorld,
} from "../../../fixtures/webhooks.ts";

let world: WebhookWorld;
setWebhookWorld((made) => {
  world = made;
});

/** Registers a webhook of the agent. */
async function register(path: string, tokenId = 7n): Promise<string> {
  const url = new URL(path, world.receiver.url).href;
  const key = { ...FULL_KEY, id: `agent:${tokenId}:1`, tokenId };
  const webhook = { tokenId: null, url, events: ["binding.created"], notifyEmail: null } as const;
  return (await world.service.create(key, webhook, randomUUID())).webhookId;
}

const created = (key: string, tokenId = 7n) => eventOf("binding.created", key, { tokenId });

async function pending(): Promise<{ readonly id: string; readonly webhookId: string }[]> {
  const { rows } = await world.db.execute<{ id: string; webhookId: string }>(
    sql`select id, webhook_id as "webhookId" from app.webhook_delivery where state = 'pending'`,
  );
  return rows;
}

/** Claims all pending deliveries in one transaction. Resolves to the leases that it got. */
async function claimAll(): Promise<ReadonlySet<string>> {
  const wanted = (await pending()).map((delivery) => ({ ...delivery, leaseId: randomUUID() }));
  const at = world.clock();
  const until = new Date(at.getTime() + 30_000);
  return world.store.transaction((_tx, own) => own.claimDeliveries(wanted, { at, until }));
}

async function leased() {
  const { rows } = await world.db.execute<{ id: string; lease: string; webhook: string }>(
    sql`select id, lease_id as lease, webhook_id as webhook from app.webhook_delivery
      where lease_id is not null`,
  );
  return rows;
}

describe("events emitted together", () => {
  it("reach the webhooks of each event's agent, each event once", async () => {
    world.agents.set(9n, { epoch: 1, sealer: BUYER, owner: BUYER, status: "SEALED" });
    const first = await register("first");
    const second = await register("second");
    const other = await register("other", 9n);
    await world.service.setEnabled(FULL_KEY, second, "disabled");
    await world.emit(created("a"));
    await world.db.transaction((tx) =>
      world.sink.emitAll(tx, [created("a"), created("b"), created("b"), created("c", 9n)]),
    );
    expect((await world.queue.waiting()).length).toBe(3);
    // One of each owner: its job goes on with what else is due for that owner.
    expect(await world.run()).toBe(2);
    expect(await world.queue.waiting()).toEqual([]);

    const states = async (webhookId: string) =>
      (await world.listed(webhookId)).map(({ state }) => state);
    expect(await states(first)).toEqual(["delivered", "delivered"]);
    expect(await states(second)).toEqual(["missed", "missed"]);
    expect(await states(other)).toEqual(["delivered"]);
    expect(world.receiver.received.map(({ path }) => path).toSorted()).toEqual([
      "/first",
      "/first",
      "/other",
    ]);
  });
});

describe("many events of one cause", () => {
  it("are written at once, more than a statement has parameters for a value each", async () => {
    const webhookId = await register("many");
    const at = world.clock();
    const events = Array.from({ length: 7_000 }, (_, index) => ({
      id: randomUUID(),
      key: `many ${index}`,
      event: "binding.created" as const,
      data: { index },
      occurredAt: at,
    }));
    await world.store.transaction(async (_tx, own) => {
      expect((await own.insertEvents(events)).size).toBe(7_000);
      await own.insertDeliveries(
        events.map(({ id }) => ({ ...newDelivery(webhookId, at), eventId: id })),
      );
    });
    expect((await pending()).length).toBe(7_000);
    const { rows } = await world.db.execute(
      sql`select data::text, occurred_at = ${at} as at from app.webhook_event where key = 'many 12'`,
    );
    expect(rows).toEqual([{ data: '{"index":12}', at: true }]);
  });

  it("are received by agents with a webhook for them, a disabled one too", async () => {
    for (const tokenId of [8n, 9n]) {
      world.agents.set(tokenId, { epoch: 1, sealer: OWNER, owner: OWNER, status: "SEALED" });
    }
    await register("first");
    await world.service.setEnabled(FULL_KEY, await register("second"), "disabled");
    await register("ended", 8n);
    await world.store.rows.end(8n, 2, world.clock());
    const receivers = (event: EventName) =>
      world.db.transaction((tx) => world.sink.receivers(tx, event, [7n, 8n, 9n]));
    expect(await receivers("binding.created")).toEqual(new Set([7n]));
    expect(await receivers("binding.revoked")).toEqual(new Set());
  });
});

describe("the job of a delivery", () => {
  it("goes on with others of its owner, 16 at most", async () => {
    const webhookId = await register("first");
    for (let event = 0; event < 20; event += 1) await world.emit(created(`many ${event}`));
    expect(await world.run()).toBe(2);
    expect(await world.queue.waiting()).toEqual([]);
    const listed = await world.listed(webhookId);
    expect(listed.map(({ state, tries }) => [state, tries.length])).toEqual(
      Array.from({ length: 20 }, () => ["delivered", 1]),
    );
  });

  it("goes on with none of another owner", async () => {
    world.agents.set(9n, { epoch: 1, sealer: BUYER, owner: BUYER, status: "SEALED" });
    await register("first");
    await register("other", 9n);
    await world.emit(created("a"));
    await world.emit(created("b", 9n));
    expect(await world.run()).toBe(2);
  });

  it("sets a next one aside when its agent is suspended meanwhile", async () => {
    const webhookId = await register("first");
    await world.emit(created("a"));
    await world.emit(created("b"));
    world.receiver.answer((_request, response) => {
      world.agent().suspended = true;
      response.end();
    });
    await world.run();
    expect((await world.listed(webhookId)).map(({ state }) => state).toSorted()).toEqual([
      "delivered",
      "paused",
    ]);
    expect(await leased()).toEqual([]);
  });
});

describe("deliveries claimed together", () => {
  it("take two places of a webhook and four of its owner, however many claim at once", async () => {
    const webhooks = [await register("a"), await register("b"), await register("c")];
    for (const key of ["1", "2", "3", "4"]) await world.emit(created(key));
    const claims = await Promise.all([claimAll(), claimAll(), claimAll()]);

    const taken = await leased();
    expect(taken.length).toBe(4);
    for (const id of webhooks) {
      expect(taken.filter(({ webhook }) => webhook === id).length).toBeLessThanOrEqual(2);
    }
    expect(claims.flatMap((leases) => [...leases]).toSorted()).toEqual(
      taken.map(({ lease }) => lease).toSorted(),
    );
    // They are as many as there are places.
    expect(await claimAll()).toEqual(new Set());
  });
});

describe("tries that end together", () => {
  it("are recorded once under their leases, and not under others", async () => {
    await register("a");
    await register("b");
    await world.emit(created("1"));
    await claimAll();
    const at = world.clock();
    const settled = (await leased()).map(
      ({ id, lease }): SettledTry => ({
        id,
        leaseId: lease,
        tried: { startedAt: at, durationMs: 5, statusCode: 200, error: null },
        outcome: { state: "delivered", failures: 0, sequence: 0, nextTryAt: at, deliveredAt: at },
      }),
    );
    const [first, second] = settled as [SettledTry, SettledTry];
    const lost = { ...first, leaseId: randomUUID() };
    const settle = (tries: readonly SettledTry[]) =>
      world.store.transaction(async (_tx, own) => {
        await own.lockWebhooks((await pending()).map(({ webhookId }) => webhookId));
        return own.settleTries(tries);
      });
    expect(await settle([lost])).toEqual(new Set());
    const results = await Promise.all([settle([first, second]), settle([second, first])]);
    expect(results.map(({ size }) => size).toSorted()).toEqual([0, 2]);
    expect(await leased()).toEqual([]);
    const { rows } = await world.db.execute(
      sql`select number, status_code as code from app.webhook_try`,
    );
    expect(rows).toEqual([
      { number: 1, code: 200 },
      { number: 1, code: 200 },
    ]);
  });

  it("count as two failures of their webhook", async () => {
    const webhookId = await register("down");
    await world.emit(created("1"));
    await world.emit(created("2"));
    let refuse = () => {};
    const bothArrived = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    world.receiver.answer(async (_request, response) => {
      if (world.receiver.received.length === 2) refuse();
      await bothArrived;
      response.writeHead(500).end();
    });
    const ids = (await pending()).map(({ id }) => id);
    await Promise.all(
      ids.map((deliveryId) =>
        world.delivery.handlers["webhook.deliver"]({ deliveryId }, new AbortController().signal),
      ),
    );
    const webhook = await world.store.rows.findWebhook(webhookId);
    expect(webhook?.failedTries.toSorted()).toEqual(ids.toSorted());
    expect((await pending()).length).toBe(2);
  });
});
