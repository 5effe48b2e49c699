import { createHmac, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../../../api/features/webhooks/events.ts";
import {
  type FailureStreak,
  NO_FAILURES,
  streakAfter,
} from "../../../../api/features/webhooks/failures.ts";
import { RETRY_DELAYS_MS, retryDelay } from "../../../../api/features/webhooks/retries.ts";
import type { WebhookService } from "../../../../api/features/webhooks/webhooks.ts";
import { Life } from "../../../fixtures/mortal.ts";
import {
  BUYER,
  eventOf,
  FULL_KEY,
  OWNER,
  setWebhookWorld,
  type WebhookWorld,
} from "../../../fixtures/webhooks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: WebhookWorld;
setWebhookWorld((made) => {
  world = made;
});

/** A webhook of an agent that subscribes to these events at its own path of the receiver. */
async function register(events: readonly EventName[], path = "hook", tokenId = 7n) {
  const url = new URL(path, world.receiver.url).href;
  const key = { ...FULL_KEY, id: `agent:${tokenId}:1`, tokenId };
  const { webhookId, secret } = await world.service.create(
    key,
    { tokenId: null, url, events, notifyEmail: null },
    randomUUID(),
  );
  return { webhookId, secret, path: `/${path}` };
}

const bound = (key: string = randomUUID()) => eventOf("binding.created", key);
const streakOf = async (webhookId: string) => {
  const webhook = await world.store.rows.findWebhook(webhookId);
  if (webhook === null) throw new Error("no webhook");
  return { enabled: webhook.enabled, tries: webhook.failedTries.length };
};
const sentTo = (path: string) =>
  world.receiver.received
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.parse(body) as { event: string; deliveryId: string; data: object });

/** Answers 500 at these paths. */
function failAt(...paths: string[]): void {
  world.receiver.answer((request, response) => {
    response.writeHead(paths.includes(request.path) ? 500 : 200).end();
  });
}

describe("the wait before a retry", () => {
  it.each(RETRY_DELAYS_MS.map((delay, index) => [index + 1, delay] as const))(
    "number %i is %i ms, or up to 10 %% longer",
    (failures, delay) => {
      expect(retryDelay(failures, () => 0)).toBe(delay);
      expect(retryDelay(failures, () => 0.5)).toBe(delay * 1.05);
      const longest = retryDelay(failures, () => 1 - Number.EPSILON) ?? 0;
      expect(longest).toBeGreaterThanOrEqual(delay * 1.1 - 1);
      expect(longest).toBeLessThanOrEqual(delay * 1.1);
    },
  );

  it("does not exist after the fifth retry", () => {
    expect(retryDelay(6, () => 0)).toBeNull();
  });
});

describe("the streak of failures", () => {
  /**
   * Letters are failed tries of deliveries, capital letters the last try of a delivery, "+" a
   * success.
   */
  function after(tries: string) {
    const followUps: string[] = [];
    let streak: FailureStreak = NO_FAILURES;
    for (const [index, letter] of [...tries].entries()) {
      const next = streakAfter(streak, {
        deliveryId: letter.toLowerCase(),
        startedAt: new Date(index),
        succeeded: letter === "+",
        isLast: letter !== letter.toLowerCase(),
      });
      streak = next.streak;
      if (next.followUp !== null) followUps.push(`${next.followUp} ${index + 1}`);
    }
    return { followUps, since: streak.failingSince?.getTime() ?? null };
  }

  it.each([
    ["aa", [], 0],
    ["aaaaa", ["notify 3"], 0],
    ["aaaaaA", ["notify 3", "disable 6"], 0],
    ["aaaab", ["notify 3", "disable 5"], 0],
    ["aaaaab", ["notify 3", "disable 6"], 0],
    ["abcde", ["notify 3", "disable 5"], 0],
    ["aabb+", ["notify 3"], null],
    ["aabb+b", ["notify 3"], 5],
    ["aaaa+A", ["notify 3"], 5],
    ["ab+abc+abcde", ["notify 6", "notify 10", "disable 12"], 7],
  ] as const)("%s", (tries, followUps, since) => {
    expect(after(tries)).toEqual({ followUps, since });
  });
});

describe("a webhook", () => {
  it("is disabled by five failures of two deliveries, but not by five of one", async () => {
    const { webhookId, path } = await register(["binding.created"]);
    failAt(path);
    await world.emit(bound());
    for (let failures = 1; failures <= 5; failures += 1) {
      const [next] = await world.queue.waiting();
      world.wait(Math.max(0, (next?.runAt.getTime() ?? 0) - world.clock().getTime()));
      await world.run();
      expect(await streakOf(webhookId)).toEqual({ enabled: true, tries: failures });
    }
    await world.emit(bound());
    await world.run();
    expect(await streakOf(webhookId)).toEqual({ enabled: false, tries: 5 });
    expect(await world.store.rows.findWebhook(webhookId)).toMatchObject({
      disabledReason: "failures",
      disabledAt: world.clock(),
    });
  });

  it("starts a new streak when a try succeeds and when it is enabled", async () => {
    const { webhookId, path } = await register(["binding.created"]);
    failAt(path);
    for (let event = 0; event < 4; event += 1) await world.emit(bound());
    await world.run();
    expect(await streakOf(webhookId)).toEqual({ enabled: true, tries: 4 });
    failAt();
    await world.emit(bound());
    await world.run();
    expect(await streakOf(webhookId)).toEqual({ enabled: true, tries: 0 });
    failAt(path);
    await world.runAll();
    expect(await streakOf(webhookId)).toEqual({ enabled: false, tries: 5 });
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    expect(await streakOf(webhookId)).toEqual({ enabled: true, tries: 0 });
  });

  it("is disabled once by tries that end at the same time", async () => {
    const { webhookId, path } = await register(["binding.created"]);
    const watcher = await register(["webhook.failing", "webhook.disabled"], "watcher");
    failAt(path);
    for (let event = 0; event < 12; event += 1) await world.emit(bound());
    const jobs = await world.queue.waiting();
    await world.db.execute(sql`delete from recorded_job`);
    await Promise.all(
      jobs.map(({ data }) =>
        world.delivery.handlers["webhook.deliver"](data, new AbortController().signal),
      ),
    );
    await world.runAll();
    expect(await streakOf(webhookId)).toEqual({ enabled: false, tries: 5 });
    // Both are due at the same time of this test's clock.
    expect(
      sentTo(watcher.path)
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual(["webhook.disabled", "webhook.failing"]);
  });

  it("is also signed for Standard Webhooks, with both secrets during a rotation", async () => {
    const { webhookId, secret: old } = await register(["binding.created"]);
    const { secret } = await world.service.rotate(FULL_KEY, webhookId, 60, randomUUID());
    await world.emit(bound());
    await world.run();
    const [request] = world.receiver.received;
    const [delivery] = await world.listed(webhookId);
    const timestamp = String(Math.floor(world.clock().getTime() / 1000));
    // The standard's computation with Node's own HMAC.
    const standard = (whsec: string) =>
      `v1,${createHmac("sha256", Buffer.from(whsec.slice("whsec_".length), "base64"))
        .update(`${delivery?.id}.${timestamp}.${request?.body}`)
        .digest("base64")}`;
    expect(request?.headers).toMatchObject({
      "webhook-id": delivery?.id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `${standard(secret)} ${standard(old)}`,
    });
  });
});

describe("the owner of a webhook that fails", () => {
  const notices: EventName[] = ["webhook.failing", "webhook.disabled"];

  it("is notified through the owner's other webhooks, also those of other agents, once per webhook", async () => {
    world.agents.set(8n, { epoch: 1, sealer: OWNER, owner: OWNER, status: "SEALED" });
    world.agents.set(9n, { epoch: 1, sealer: BUYER, owner: BUYER, status: "SEALED" });
    const failing = await register(["binding.created", ...notices], "failing");
    const sameAgent = await register(notices, "same-agent");
    const otherAgent = await register(notices, "other-agent", 8n);
    const uninterested = await register(["binding.created"], "uninterested", 8n);
    const otherOwner = await register(notices, "other-owner", 9n);
    failAt(failing.path);
    const start = world.clock().toISOString();
    await world.emit(bound());
    await world.runAll();
    for (const { path } of [sameAgent, otherAgent]) {
      expect(sentTo(path)).toEqual([
        {
          event: "webhook.failing",
          timestamp: expect.any(String),
          deliveryId: expect.any(String),
          data: {
            webhookId: failing.webhookId,
            tokenId: 7,
            failingSince: start,
            lastStatusCode: 500,
            lastError: "http_status",
            failedTries: 3,
          },
        },
        {
          event: "webhook.disabled",
          timestamp: expect.any(String),
          deliveryId: expect.any(String),
          data: {
            webhookId: failing.webhookId,
            tokenId: 7,
            failingSince: start,
            lastStatusCode: 500,
            lastError: "http_status",
            failedTries: 5,
            disabledAt: world.clock().toISOString(),
          },
        },
      ]);
    }
    expect(sentTo(uninterested.path)).toEqual([]);
    expect(sentTo(otherOwner.path)).toEqual([]);
    expect(sentTo(failing.path).every(({ event }) => event === "binding.created")).toBe(true);
  });

  it("is not notified of failed notifications", async () => {
    const first = await register(["binding.created", ...notices], "first");
    const second = await register(notices, "second");
    const third = await register(notices, "third");
    failAt(first.path, second.path, third.path);
    await world.emit(bound());
    await world.runAll();
    const happened = await world.db.execute<{ event: string; n: number }>(
      sql`select event, count(*)::int as n from app.webhook_event group by 1 order by 1`,
    );
    expect(happened.rows).toEqual([
      { event: "binding.created", n: 1 },
      // Each is disabled once.
      { event: "webhook.disabled", n: 3 },
      { event: "webhook.failing", n: 1 },
    ]);
    for (const { webhookId } of [first, second, third]) {
      expect((await streakOf(webhookId)).enabled).toBe(false);
    }
    expect(await world.queue.waiting()).toEqual([]);
  });
});

describe("recovering", () => {
  const since = () => new Date(world.clock().getTime() - 30 * DAY_MS);
  const recover = (webhookId: string, services: Pick<WebhookService, "recover"> = world.service) =>
    services.recover(FULL_KEY, webhookId, { since: since(), until: null });

  it("after ten days sends each event once, under the id of its delivery", async () => {
    const { webhookId, path } = await register(["binding.created"]);
    await world.emit(bound("delivered before"));
    await world.run();
    world.wait(1_000);
    failAt(path);
    for (const key of ["one", "two", "three"]) await world.emit(bound(key));
    await world.runAll();
    expect((await streakOf(webhookId)).enabled).toBe(false);
    for (let day = 0; day < 10; day += 1) {
      await world.emit(bound(`day ${day}`));
      world.wait(DAY_MS);
      await world.sweep();
    }
    const before = await world.listed(webhookId);
    expect(before.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 10 }, () => "missed"),
      // Paused for more than seven days.
      ...["missed", "missed", "missed"],
      "delivered",
    ]);

    failAt();
    world.receiver.received.length = 0;
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    await world.runAll();
    expect(world.receiver.received).toEqual([]);
    expect(await recover(webhookId)).toEqual({ enqueued: 13, remaining: 0 });
    await world.runAll();
    expect(await recover(webhookId)).toEqual({ enqueued: 0, remaining: 0 });
    await world.runAll();
    const missing = before.filter(({ state }) => state === "missed").map(({ id }) => id);
    expect(
      sentTo(path)
        .map(({ deliveryId }) => deliveryId)
        .toSorted(),
    ).toEqual(missing.toSorted());
    const headers = world.receiver.received.map((request) => request.headers["x-svc-delivery"]);
    expect(headers.toSorted()).toEqual(missing.toSorted());
    expect(new Set((await world.listed(webhookId)).map(({ state }) => state))).toEqual(
      new Set(["delivered"]),
    );
  });

  it("by many callers at once enqueues each event once", async () => {
    const { webhookId, path } = await register(["binding.created"]);
    await world.service.setEnabled(FULL_KEY, webhookId, "disabled");
    for (let event = 0; event < 20; event += 1) await world.emit(bound());
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    const answers = await Promise.all(Array.from({ length: 8 }, () => recover(webhookId)));
    expect(answers.map(({ enqueued }) => enqueued).toSorted((a, b) => a - b)).toEqual([
      ...[0, 0, 0, 0, 0, 0, 0],
      20,
    ]);
    expect(answers.every(({ remaining }) => remaining === 0)).toBe(true);
    await world.runAll();
    const ids = sentTo(path).map(({ deliveryId }) => deliveryId);
    expect(ids.length).toBe(20);
    expect(new Set(ids).size).toBe(20);
  });

  it("does not send tests, nor events whose data was deleted", async () => {
    const { webhookId, path } = await register(["disclosure.fulfilled"]);
    failAt(path);
    await world.delivery.sendOnce(eventOf("disclosure.fulfilled", "private"), 1);
    await world.service.test(FULL_KEY, webhookId, randomUUID());
    await world.run();
    expect((await world.listed(webhookId)).map(({ state }) => state)).toEqual(["failed", "failed"]);
    expect(await recover(webhookId)).toEqual({ enqueued: 0, remaining: 0 });
  });

  it("interrupted at any step enqueues all or nothing, and repeated sends each event once", async () => {
    for (let fatal = 1; ; fatal += 1) {
      await world.clear();
      const { webhookId, path } = await register(["binding.created"]);
      await world.service.setEnabled(FULL_KEY, webhookId, "disabled");
      for (let event = 0; event < 3; event += 1) await world.emit(bound());
      const ids = (await world.listed(webhookId)).map(({ id }) => id).toSorted();
      await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
      const life = new Life((step) => step === fatal);
      await recover(webhookId, world.serviceOf(life)).catch(() => {});
      expect([0, 3], `dies at step ${fatal}`).toContain((await world.queue.waiting()).length);
      await recover(webhookId);
      await world.runAll();
      expect(
        sentTo(path)
          .map(({ deliveryId }) => deliveryId)
          .toSorted(),
      ).toEqual(ids);
      if (!life.isDead) break;
      expect(fatal).toBeLessThan(40);
    }
  });

  it("is refused after 30 days, when the events are deleted", async () => {
    const { webhookId } = await register(["binding.created"]);
    await world.service.setEnabled(FULL_KEY, webhookId, "disabled");
    await world.emit(bound());
    world.wait(30 * DAY_MS);
    await world.sweep();
    expect((await world.listed(webhookId)).map(({ state }) => state)).toEqual(["missed"]);
    world.wait(1);
    await world.sweep();
    expect(await world.listed(webhookId)).toEqual([]);
  });
});
