import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Behaviour, TestBundler, TestGateway } from "../../../fixtures/bundler.ts";
import { receipt, startBundler, startGateway } from "../../../fixtures/bundler.ts";
import { idempotencyKey, registrationBody } from "../../../fixtures/registrations.ts";
import type { Service } from "../../../fixtures/service.ts";
import { startService } from "../../../fixtures/service.ts";
import { newAccount } from "../../features/sign-in/harness.ts";

/** Stands between the API and the chain's node, and can be taken away. */
let node: TestNode;
let bundler: TestBundler;
let gateway: TestGateway;
let service: Service;

beforeAll(async () => {
  node = await startNode();
  bundler = await startBundler("irys");
  gateway = await startGateway(bundler.kept);
  service = await startService({
    prepare: async ({ rpcUrl }) => node.leadTo(rpcUrl),
    environment: {
      RPC_URL: node.url,
      STORAGE_DRIVER: "bundler",
      BUNDLER_URL: bundler.url,
      BUNDLER_KIND: "irys",
      BUNDLER_TIMEOUT_MS: "300",
      GATEWAY_URLS: gateway.url,
    },
  });
});
afterAll(async () => {
  await service?.stop();
  await Promise.allSettled([bundler?.stop(), gateway?.stop(), node?.stop()]);
});

type TestNode = Awaited<ReturnType<typeof startNode>>;

/** Forwards requests to a node. */
async function startNode() {
  let target = "";
  const server = createServer((request, response) => {
    const pass = async () => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(target, { method: "POST", headers, body: await buffer(request) });
      response.writeHead(answer.status, headers).end(await answer.text());
    };
    pass().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(url: string) {
      target = url;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const count = async (table: string) =>
  Number((await service.pool.query(`select count(*) from app.${table}`)).rows[0].count);

describe("a service that stores through a bundler", () => {
  it("answers 503 and sends no transaction while the bundler's account is empty, and continues afterwards", async () => {
    bundler.always({ kind: "answers", status: 402, body: "Not enough balance for transaction" });
    const owner = newAccount();
    const key = idempotencyKey();
    const signed = await service.signedRegistration(registrationBody("payer", owner), owner);
    const refused = await service.submit(signed, key);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      error: {
        code: 503,
        type: "STORAGE_UNAVAILABLE",
        message: "Permanent storage does not answer.",
      },
    });
    expect(JSON.stringify(refused.body)).not.toContain("balance");
    expect(await count("relayer_transaction")).toBe(0);
    expect(bundler.kept.size).toBe(0);
    expect((await service.logLines()).join("")).toContain("out of balance: nothing can be stored");

    bundler.always({ kind: "good" });
    const answer = await service.submit(signed, key);
    expect(answer.status).toBe(201);
    const { arweaveTxId, erc8004Url } = answer.body;
    expect(bundler.kept.has(arweaveTxId)).toBe(true);
    const fileId = erc8004Url.slice(`${service.url}/ar/`.length);
    expect(bundler.kept.has(fileId)).toBe(true);
    // The picture, the soul's archive and the registration file with and without ids; each once.
    expect(bundler.kept.size).toBe(4);
    expect(await count("storage_item")).toBe(4);
    const { rows } = await service.pool.query(
      "select id from app.storage_upload where acknowledged_at is null",
    );
    expect(rows).toEqual([]);
  });

  const wrong = "A".repeat(43);
  const failures: readonly (readonly [string, Behaviour])[] = [
    ["does not answer in time", { kind: "keeps, then is silent" }],
    ["keeps it and breaks the connection", { kind: "keeps, then breaks" }],
    ["answers with a page", { kind: "keeps, then answers", status: 200, body: "<html>" }],
    [
      "acknowledges another item",
      { kind: "keeps, then answers", status: 200, body: JSON.stringify(receipt(wrong)) },
    ],
  ];

  it.each(failures)(
    "sends no transaction while the bundler %s, and stores nothing twice afterwards",
    async (what, behaviour) => {
      const name = `held-${failures.findIndex(([is]) => is === what)}`;
      const [sent, kept] = [await count("relayer_transaction"), bundler.kept.size];
      const owner = newAccount();
      const key = idempotencyKey();
      const signed = await service.signedRegistration(registrationBody(name, owner), owner);
      bundler.always(behaviour);
      const refused = await service.submit(signed, key);
      expect([refused.status, refused.body.error.type]).toEqual([503, "STORAGE_UNAVAILABLE"]);
      expect(await count("relayer_transaction")).toBe(sent);
      expect((await service.get(`/v1/profile/${name}`)).status).toBe(404);

      bundler.always({ kind: "good" });
      bundler.release();
      const answer = await service.submit(signed, key);
      expect(answer.status).toBe(201);
      expect(await count("relayer_transaction")).toBe(sent + 1);
      // The same four again: each upload before the failure had the same id as now.
      expect(bundler.kept.size).toBe(kept + 4);
      expect(bundler.kept.has(answer.body.arweaveTxId)).toBe(true);
    },
  );

  it("names its driver, and is ready and readable without bundler, then gateway, then the chain's node", async () => {
    const owner = newAccount();
    const { answer } = await service.register("survivor", owner);
    await Promise.all([bundler.stop(), gateway.stop()]);

    expect((await service.get("/v1/status")).body.storage).toMatchObject({ driver: "bundler" });
    expect((await service.get("/ready")).status).toBe(200);
    expect((await service.get(`/ar/${answer.body.arweaveTxId}`)).body).toMatchObject({
      format: "svc-soul-archive/1",
    });
    expect((await service.get("/v1/profile/survivor")).status).toBe(200);
    const unknown = await service.get(`/ar/${"A".repeat(43)}`);
    expect([unknown.status, unknown.body.error.type]).toEqual([503, "STORAGE_UNAVAILABLE"]);

    const late = newAccount();
    const signed = await service.signedRegistration(registrationBody("too-late", late), late);
    await node.stop();
    const file = answer.body.erc8004Url.slice(service.url.length);
    for (const path of [
      `/ar/${answer.body.arweaveTxId}`,
      `/ar/${answer.body.arweaveTxId}/item`,
      file,
      "/v1/registration-file/survivor",
      "/v1/profile/survivor",
      "/v1/agents",
      "/v1/did/survivor",
      "/agents/survivor/registration.json",
    ]) {
      expect([path, (await service.get(path)).status]).toEqual([path, 200]);
    }
    const live = await service.submit(signed, idempotencyKey());
    expect([live.status, live.body.error.type]).toEqual([503, "CHAIN_UNAVAILABLE"]);
  });
});
