import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { agentVerbs } from "../../../fixtures/agent-verbs.ts";
import { bearer, newAgent, ownerSession } from "../../../fixtures/agents.ts";
import { freshName, idempotencyKey } from "../../../fixtures/registrations.ts";
import type { Service } from "../../../fixtures/service.ts";
import { startService } from "../../../fixtures/service.ts";
import { newAccount, refusal } from "../sign-in/harness.ts";

// Expiry over HTTP, on a service and a chain whose time the tests move.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// Each test waits for an index and for jobs on a loaded machine.
vi.setConfig({ testTimeout: 240_000 });

let service: Service;
let verbs: ReturnType<typeof agentVerbs>;
let offset = 0;
beforeAll(async () => {
  service = await startService({ clock: () => new Date(Date.now() + offset) });
  verbs = agentVerbs(service);
});
afterAll(() => service?.stop());

/** Moves the time of service and chain, and waits until the index has seen it. */
async function advance(ms: number): Promise<void> {
  offset += ms;
  const { client } = service.chain;
  await client.increaseTime({ seconds: ms / SECOND });
  await client.mine({ blocks: 1 });
  const block = await client.getBlockNumber({ cacheTime: 0 });
  await vi.waitFor(
    async () => {
      const { body } = await service.get("/v1/status");
      expect(body.indexedBlock).toBeGreaterThanOrEqual(Number(block));
    },
    { timeout: 90_000, interval: 50 },
  );
}

const AUTH = "/api/v1/auth";

async function challenge(owner: LocalAccount, agentId?: number) {
  const flow = agentId === undefined ? "challenge" : "agent/challenge";
  const asked = { address: owner.address, ...(agentId === undefined ? {} : { agentId }) };
  const { status, body } = await service.post(`${AUTH}/${flow}`, asked);
  expect(status).toBe(200);
  const { nonce, message } = body;
  return { nonce, message, signature: await owner.signMessage({ message }) };
}

const exchange = (credential: string, key = idempotencyKey()) =>
  service.request("/v1/keys/exchange", {
    method: "POST",
    headers: { ...bearer(credential), "Idempotency-Key": key },
  });
const statusWith = async (credential: string) =>
  (await service.request("/v1/status", { headers: bearer(credential) })).status;

async function claimed() {
  const { registrationId, apiKey } = await verbs.registerAgent(freshName());
  const answer = await verbs.submitClaim(await verbs.signedClaim(registrationId, newAccount()));
  expect(answer.status).toBe(200);
  return apiKey as string;
}

describe("sign-in", () => {
  it("accepts a nonce and a code for five minutes, and a token for an hour", async () => {
    const { owner, passportId } = await newAgent(service);
    const first = await challenge(owner);
    const agents = await challenge(owner, passportId);
    await advance(5 * MINUTE - 20 * SECOND);
    const verified = await service.post(`${AUTH}/verify`, first);
    expect(verified.status).toBe(200);
    await advance(21 * SECOND);
    const expired = { status: 401, type: "NONCE_EXPIRED", details: {} };
    expect(refusal(await service.post(`${AUTH}/agent/verify`, agents))).toEqual(expired);

    await advance(5 * MINUTE - 20 * SECOND);
    const { code } = verified.body;
    expect(refusal(await service.post(`${AUTH}/token`, { code }))).toEqual({
      status: 401,
      type: "CODE_EXPIRED",
      details: {},
    });
    const late = await challenge(owner);
    await advance(5 * MINUTE + SECOND);
    expect(refusal(await service.post(`${AUTH}/verify`, late))).toEqual(expired);

    const { accessToken: token } = await ownerSession(service, owner);
    const introspect = async () =>
      (await service.post(`${AUTH}/token/introspect`, { token })).body.active;
    await advance(HOUR - 30 * SECOND);
    expect(await introspect()).toBe(true);
    await advance(31 * SECOND);
    expect(await introspect()).toBe(false);
  });
});

describe("a registration", () => {
  it("has a challenge that can be answered for ten minutes", async () => {
    const body = await verbs.answered(freshName());
    await advance(10 * MINUTE + SECOND);
    expect(refusal(await service.post("/v1/register", body))).toEqual({
      status: 401,
      type: "NONCE_EXPIRED",
      details: {},
    });
  });

  it("expires when unclaimed for 24 hours, and frees its name", async () => {
    const name = freshName();
    const owner = newAccount();
    const { registrationId, apiKey } = await verbs.registerAgent(name);
    const signed = await verbs.signedClaim(registrationId, owner);
    await advance(DAY - MINUTE);
    expect((await service.get(`/v1/register/claim?id=${registrationId}`)).status).toBe(200);
    expect(await statusWith(apiKey)).toBe(200);

    await advance(MINUTE + 2 * SECOND);
    const gone = { status: 410, type: "GONE", details: {} };
    expect(refusal(await verbs.submitClaim(signed))).toEqual(gone);
    const { nonce: _nonce, signature: _signature, ...terms } = signed;
    expect(refusal(await service.post("/v1/typed-data/claim", terms))).toEqual(gone);
    expect(refusal(await service.get(`/v1/register/claim?id=${registrationId}`))).toEqual(gone);
    expect((await service.get(`/claim/${registrationId}`)).status).toBe(410);
    expect(await statusWith(apiKey)).toBe(401);
    expect(refusal(await exchange(apiKey))).toEqual({
      status: 410,
      type: "GONE",
      details: { reason: "unclaimed" },
    });
    expect((await service.get(`/v1/profile/${name}`)).status).toBe(404);

    // The job that frees names runs every 30 s of the queue's own clock. Here it is due at each
    // poll, so that a round that fails on a busy machine is retried.
    await vi.waitFor(
      async () => {
        await service.pool.query(
          "update app.job_schedule set next_run_at = now() where name = 'registrations.expire'",
        );
        const { body } = await service.get(`/v1/register/check-name/${name}`);
        expect(body).toEqual({ available: true });
      },
      { timeout: 90_000, interval: 500 },
    );
    const { answer } = await service.register(name, owner);
    expect(answer.body).toMatchObject({ agentName: name, genesisStatus: "SEALED" });
    expect(refusal(await verbs.submitClaim(signed))).toEqual(gone);
  });
});

describe("a provisional key", () => {
  it("reads for seven days after the claim, and can be exchanged until then", async () => {
    const [early, late] = [await claimed(), await claimed()];
    await advance(7 * DAY - MINUTE);
    expect([await statusWith(early), await statusWith(late)]).toEqual([200, 200]);
    const exchanged = await exchange(early);
    expect(exchanged.status).toBe(200);

    await advance(MINUTE + SECOND);
    expect([await statusWith(exchanged.body.apiKey), await statusWith(late)]).toEqual([200, 401]);
    expect(refusal(await exchange(late))).toEqual({
      status: 410,
      type: "GONE",
      details: { reason: "expired" },
    });
  });
});

describe("a request whose process died", () => {
  it("answers how long to wait, and is processed after that", async () => {
    const provisional = await claimed();
    const key = idempotencyKey();
    const { rows: earlier } = await service.pool.query("select key_hash from app.idempotency");
    const first = await exchange(provisional, key);
    expect(first.status).toBe(200);
    // The state when a process dies before it stores the answer, 10 s into its lease.
    await service.pool.query(
      `update app.idempotency set state = 'in_flight', answer_encrypted = null, locked_until = $2
       where key_hash <> all ($1)`,
      [earlier.map(({ key_hash }) => key_hash), new Date(Date.now() + offset + 20 * SECOND)],
    );
    const early = await exchange(provisional, key);
    const wait = Number(early.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(20);
    expect(early.body.error).toMatchObject({ retryAfter: wait, details: { retryAfter: wait } });
    expect(refusal(early)).toMatchObject({ status: 409, type: "IDEMPOTENCY_CONFLICT" });
    await advance(wait * SECOND);
    const again = await exchange(provisional, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });
});
