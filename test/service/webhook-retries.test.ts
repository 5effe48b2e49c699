import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestClock } from "pg-boss";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { RETRY_DELAYS_MS } from "../../api/features/webhooks/retries.ts";
import { verifyWebhook } from "../../kit/webhooks/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent } from "../fixtures/agents.ts";
import { jobClock } from "../fixtures/job-clock.ts";
import { type Service, startService } from "../fixtures/service.ts";

// One clock for the service and its job queue. Nothing is retried but by moving it.

vi.setConfig({ testTimeout: 240_000 });
const SOON = { timeout: 60_000, interval: 50 };

let clock: TestClock;
let service: Service;
beforeAll(async () => {
  clock = jobClock();
  service = await startService({ clock: () => new Date(clock.now()), jobClock: clock });
});
afterAll(() => service?.stop());

interface Delivery {
  readonly deliveryId: string;
  readonly status: string;
  readonly nextTryAt: string;
  readonly tries: readonly { readonly startedAt: string; readonly statusCode: number }[];
}

it("a failing webhook is retried after 1 min, 5 min, 30 min, 2 h and 12 h, then disabled", async () => {
  const received: { readonly id: string; readonly at: number }[] = [];
  let secrets = "";
  await using receiver = await startReceiver(async (headers, rawBody) => {
    const now = new Date(clock.now());
    const verdict = await verifyWebhook({
      secrets,
      headers,
      rawBody,
      now,
      seenNonce: () => false,
    });
    if (!verdict.ok) throw new Error(verdict.reason);
    received.push({ id: String(headers["x-svc-delivery"]), at: now.getTime() });
  });
  const agent = await newAgent(service);
  const key = bearer(agent.apiKey);
  const subscription = {
    tokenId: agent.tokenId,
    url: receiver.url,
    events: ["embodiment.updated"],
  };
  const created = await service.post("/v1/webhooks", subscription, key);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  secrets = created.body.secret;
  const { webhookId } = created.body;

  const delivery = async (): Promise<Delivery> => {
    const path = `/v1/webhooks/${webhookId}/deliveries`;
    return (await service.request(path, { headers: key })).body.deliveries[0];
  };
  const standing = async () => {
    const path = `/v1/webhooks?tokenId=${agent.tokenId}`;
    const { enabled, disabledReason } = (await service.request(path, { headers: key })).body
      .webhooks[0];
    return { enabled, disabledReason };
  };
  /** Moves the clock second by second until this many tries have ended. */
  let before: unknown;
  const tried = (times: number) =>
    vi.waitFor(async () => {
      await clock.tick(1_000);
      const current = await delivery();
      expect(current.tries).toHaveLength(times);
      // The list reads tries after deliveries: a try may be newer than the rest.
      expect([current.status, current.nextTryAt]).not.toEqual(before);
      return current;
    }, SOON);

  await changeDid(agent);
  let current = await tried(1);
  for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
    expect(await standing()).toEqual({ enabled: true, disabledReason: null });
    const startedAt = Date.parse(current.tries[index]?.startedAt ?? "");
    const due = Date.parse(current.nextTryAt);
    const wait = due - startedAt;
    expect(wait).toBeGreaterThanOrEqual(delay);
    // The wait begins when the try has ended, and its end may be seen a tick later.
    expect(wait).toBeLessThanOrEqual(delay * 1.1 + 2_000);

    before = [current.status, current.nextTryAt];
    // Nothing is sent before, though every worker looks for jobs in these six seconds.
    await clock.setTime(due - 7_000);
    await clock.tick(6_000);
    expect(received).toHaveLength(index + 1);
    current = await tried(index + 2);
    expect(received[index + 1]?.at).toBeGreaterThanOrEqual(due);
  }
  expect(current.status).toBe("failed");
  expect(current.tries.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(503));
  expect(received.map(({ id }) => id)).toEqual(Array(6).fill(current.deliveryId));
  expect(await standing()).toEqual({ enabled: false, disabledReason: "failures" });

  await clock.setTime(clock.now() + 2 * 24 * 60 * 60 * 1000);
  await clock.tick(60_000);
  expect(received).toHaveLength(6);
});

/** A receiver on loopback that answers 503 to every request. */
async function startReceiver(
  handle: (headers: NodeJS.Dict<string | string[]>, rawBody: string) => Promise<void>,
) {
  const server = createServer(async (request, response) => {
    await handle(request.headers, await text(request));
    response.writeHead(503).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Lists an address in the DID document, which is the event `embodiment.updated`. */
async function changeDid({ owner, name, tokenId }: Awaited<ReturnType<typeof newAgent>>) {
  const body = {
    tokenId,
    addAddress: {
      chain: "eip155:1",
      address: newAccount().address,
      label: "Tips",
      keyType: "EcdsaSecp256k1",
    },
  };
  const { body: typedData } = await service.post("/v1/typed-data/did", body);
  const signature = await owner.signTypedData(typedData);
  const { message } = typedData;
  const answer = await service.request(`/v1/did/${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, message, signature, signer: owner.address }),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
