import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestBundler, TestGateway } from "../fixtures/bundler.ts";
import { startBundler, startGateway } from "../fixtures/bundler.ts";
import { idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { startService } from "../fixtures/service.ts";
import { newAccount } from "./sign-in-harness.ts";

let bundler: TestBundler;
let gateway: TestGateway;
let service: Service;

beforeAll(async () => {
  bundler = await startBundler("irys");
  gateway = await startGateway(bundler.kept);
  service = await startService({
    environment: {
      STORAGE_DRIVER: "bundler",
      BUNDLER_URL: bundler.url,
      BUNDLER_KIND: "irys",
      GATEWAY_URLS: gateway.url,
    },
  });
});
afterAll(async () => {
  await service?.stop();
  await Promise.allSettled([bundler?.stop(), gateway?.stop()]);
});

const count = async (table: string) =>
  Number((await service.pool.query(`select count(*) from app.${table}`)).rows[0].count);

describe("a service that stores through a bundler", () => {
  it("answers 503 and sends no transaction while the bundler's account is empty, and goes on afterwards", async () => {
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
    expect(service.logLines().join("")).toContain("out of balance: nothing can be stored");

    bundler.always({ kind: "good" });
    const answer = await service.submit(signed, key);
    expect(answer.status).toBe(201);
    const { arweaveTxId, erc8004Url } = answer.body;
    expect(bundler.kept.has(arweaveTxId)).toBe(true);
    const fileId = erc8004Url.slice(`${service.url}/ar/`.length);
    expect(bundler.kept.has(fileId)).toBe(true);
    // The soul's archive and the registration file with and without ids; each once.
    expect(bundler.kept.size).toBe(3);
    expect(await count("storage_item")).toBe(3);
    const { rows } = await service.pool.query(
      "select id from app.storage_upload where acknowledged_at is null",
    );
    expect(rows).toEqual([]);
  });

  it("names its driver, and is ready and read with bundler and gateway gone", async () => {
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
  });
});
