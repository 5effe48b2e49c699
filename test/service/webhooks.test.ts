import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { LocalAccount } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RETRY_DELAYS_MS } from "../../api/features/webhooks/retries.ts";
import { verifyWebhook, type WebhookDelivery } from "../../kit/webhooks/index.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The running service with a receiver on loopback http. The test moves its clock by moving the
// times in the database.

const SOON = { timeout: 30_000, interval: 100 };
const DAY_MS = 86_400_000;

let service: Service;
let receiver: Server;
let port: number;
let status: number;
let received: { readonly id: string; readonly delivery: WebhookDelivery }[];
let secrets: string;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

beforeEach(async () => {
  received = [];
  status = 204;
  receiver = createServer(async (request, response) => {
    const verdict = await verifyWebhook({
      secrets,
      headers: request.headers,
      rawBody: await text(request),
      now: new Date(),
      seenNonce: () => false,
    });
    if (!verdict.ok) throw new Error(verdict.reason);
    received.push({ id: String(request.headers["x-svc-delivery"]), delivery: verdict.delivery });
    response.writeHead(status).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  ({ port } = receiver.address() as AddressInfo);
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});

interface Agent {
  readonly owner: LocalAccount;
  readonly name: string;
  readonly tokenId: number;
  /** Calls the API with the agent's key. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

async function newAgent(): Promise<Agent> {
  const owner = newAccount();
  const name = freshName();
  const { answer } = await service.register(name, owner);
  const { tokenId, apiKey } = answer.body;
  return {
    owner,
    name,
    tokenId,
    call: (method, path, body) =>
      service.request(`/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

async function newWebhook(agent: Agent): Promise<string> {
  const { status: created, body } = await agent.call("POST", "/webhooks", {
    url: `http://127.0.0.1:${port}/hook`,
    events: ["embodiment.updated"],
  });
  expect(created, JSON.stringify(body)).toBe(201);
  secrets = body.secret;
  return body.webhookId;
}

/** Lists an address in the DID document, which is the event `embodiment.updated`. */
async function changeDid({ owner, name, tokenId }: Agent): Promise<void> {
  const address = { chain: "eip155:1", address: newAccount().address, label: "Tips" };
  const body = {
    tokenId,
    addAddress: { ...address, keyType: "EcdsaSecp256k1" },
  };
  const { body: typedData } = await service.post("/v1/typed-data/did", body);
  const signature = await owner.signTypedData(typedData);
  const answer = await service.request(`/v1/did/${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...body,
      message: typedData.message,
      signature,
      signer: owner.address,
    }),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** Moves the clock to the next try of a delivery. */
async function moveToNextTry(deliveryId: string): Promise<void> {
  await service.pool.query("update app.webhook_delivery set next_try_at = now() where id = $1", [
    deliveryId,
  ]);
  await service.pool.query(
    "update jobs.job set start_after = now() where name = 'webhook.deliver' and state = 'created' and data ->> 'deliveryId' = $1",
    [deliveryId],
  );
}

/** Moves the clock ten days on, as far as a webhook is concerned. */
async function moveTenDays(webhookId: string): Promise<void> {
  await service.pool.query(
    `update app.webhook_event set occurred_at = occurred_at - interval '10 days'
      where id in (select event_id from app.webhook_delivery where webhook_id = $1)`,
    [webhookId],
  );
  await service.pool.query(
    "update app.webhook_delivery set created_at = created_at - interval '10 days' where webhook_id = $1",
    [webhookId],
  );
}

describe("a webhook whose receiver fails", () => {
  it("is tried six times, disabled, and recovered after ten days with each event once", async () => {
    const agent = await newAgent();
    const webhookId = await newWebhook(agent);
    const path = `/webhooks/${webhookId}`;
    const deliveries = async () => (await agent.call("GET", `${path}/deliveries`)).body.deliveries;
    const isEnabled = async () => {
      const { body } = await agent.call("GET", "/webhooks");
      const { enabled, disabledReason } = body.webhooks[0];
      return { enabled, disabledReason };
    };

    status = 503;
    await changeDid(agent);
    for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
      await vi.waitFor(async () => {
        expect((await deliveries())[0].tries).toHaveLength(index + 1);
      }, SOON);
      const [{ deliveryId, nextTryAt, tries }] = await deliveries();
      const wait = Date.parse(nextTryAt) - Date.parse(tries[index].startedAt);
      expect(wait).toBeGreaterThanOrEqual(delay);
      // The wait begins when the try has ended, at most 15 seconds after its start.
      expect(wait).toBeLessThanOrEqual(delay * 1.1 + 20_000);
      expect(await isEnabled()).toEqual({ enabled: true, disabledReason: null });
      await moveToNextTry(deliveryId);
    }
    await vi.waitFor(async () => expect((await deliveries())[0].status).toBe("failed"), SOON);
    const [failed] = await deliveries();
    expect(failed.tries).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => ({
        number,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        statusCode: 503,
        error: "http_status",
      })),
    );
    expect(await isEnabled()).toEqual({ enabled: false, disabledReason: "failures" });
    expect(received.map(({ id }) => id)).toEqual(Array(6).fill(failed.deliveryId));

    await changeDid(agent);
    await changeDid(agent);
    expect((await deliveries()).map((delivery: { status: string }) => delivery.status)).toEqual([
      "missed",
      "missed",
      "failed",
    ]);
    await moveTenDays(webhookId);
    received.length = 0;
    status = 204;
    expect((await agent.call("PATCH", path, { enabled: true })).status).toBe(200);
    const since = new Date(Date.now() - 11 * DAY_MS).toISOString();
    const recover = () => agent.call("POST", `${path}/recover`, { since });
    const answers = await Promise.all([recover(), recover()]);
    expect(answers.map((answer) => answer.status)).toEqual([202, 202]);
    expect(answers.map(({ body }) => body.enqueued).toSorted()).toEqual([0, 3]);
    await vi.waitFor(async () => {
      expect(new Set((await deliveries()).map((d: { status: string }) => d.status))).toEqual(
        new Set(["delivered"]),
      );
    }, SOON);
    expect((await recover()).body).toEqual({ webhookId, enqueued: 0, remaining: 0 });
    const ids = (await deliveries()).map((d: { deliveryId: string }) => d.deliveryId).toSorted();
    expect(ids.length).toBe(3);
    expect(received.map(({ id }) => id).toSorted()).toEqual(ids);

    const again = await agent.call("POST", `${path}/deliveries/${ids[0]}/resend`);
    expect(again).toMatchObject({
      status: 202,
      body: { deliveryId: ids[0], status: expect.any(String) },
    });
    // The first one may have come last before: only the number tells that it came again.
    await vi.waitFor(() => expect(received.length).toBe(4), SOON);
    expect(received.at(-1)?.id).toBe(ids[0]);
  }, 180_000);
});

describe("the local receiver in docs/webhooks.md", () => {
  it("prints the test event of a webhook on loopback http", async () => {
    const [, program = ""] =
      /```ts local-receiver\n([\s\S]*?)```/.exec(readFileSync("docs/webhooks.md", "utf8")) ?? [];
    const agent = await newAgent();
    const webhookId = await newWebhook(agent);
    // The port is free for the program from here on.
    await new Promise((done) => receiver.close(done));
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module"], {
      env: { ...process.env, SECRET: secrets },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    try {
      const listening = `console.log("listening")`;
      child.stdin.end(
        program
          // The source stands in for the installed package, so that no build is needed.
          .replace('"agent-identity-protocol/webhooks"', '"./kit/webhooks/index.ts"')
          .replace(
            '.listen(9000, "127.0.0.1")',
            `.listen(${port}, "127.0.0.1", () => ${listening})`,
          ),
      );
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe("listening");
      const { body } = await agent.call("POST", `/webhooks/${webhookId}/test`);
      expect(JSON.parse((await lines.next()).value ?? "")).toEqual({
        ok: true,
        delivery: {
          deliveryId: body.deliveryId,
          event: "webhook.test",
          timestamp: expect.any(String),
          data: { webhookId },
        },
      });
    } finally {
      child.kill("SIGKILL");
      await exited;
    }
  }, 60_000);
});
