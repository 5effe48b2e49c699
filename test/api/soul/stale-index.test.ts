import { randomUUID } from "node:crypto";
import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshName, idempotencyKey } from "../../fixtures/registrations.ts";
import { type RpcGate, startRpcGate } from "../../fixtures/rpc-gate.ts";
import { startService } from "../../fixtures/service.ts";
import { newAccount } from "../features/sign-in/harness.ts";

// A passport is sold while the indexer is stopped. Each test continues from the state that the
// previous test left.

const SOON = { timeout: 60_000, interval: 100 };

let gate: RpcGate;
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  const environment: Record<string, string> = { MAX_INDEX_AGE_MS: "2000" };
  service = await startService({
    environment,
    async prepare({ rpcUrl }) {
      gate = await startRpcGate(rpcUrl);
      environment.RPC_URL = gate.url;
    },
  });
});
afterAll(async () => {
  gate?.open();
  await service?.stop();
  await gate?.stop();
});

const [seller, buyer] = [newAccount(), newAccount()];
const agent = { name: freshName(), tokenId: 0, passportId: 0, apiKey: "", token: "" };

async function signIn(owner: LocalAccount, agentId: number): Promise<string> {
  const challenge = await service.post("/api/v1/auth/agent/challenge", {
    address: owner.address,
    agentId,
    scope: ["manage"],
  });
  const { nonce, message } = challenge.body;
  const signature = await owner.signMessage({ message });
  const verified = await service.post("/api/v1/auth/agent/verify", { nonce, message, signature });
  expect(verified.status).toBe(200);
  return String(verified.body.accessToken);
}

const introspect = () => service.post("/api/v1/auth/token/introspect", { token: agent.token });
const withKey = () => ({ Authorization: `Bearer ${agent.apiKey}` });
const newWebhook = () =>
  service.post(
    "/v1/webhooks",
    { url: "https://example.com/hook", events: ["chronicle.recorded"] },
    { ...withKey(), "Idempotency-Key": idempotencyKey() },
  );

/** The sources of such an answer. */
function expectBehind({ status, headers, body }: Awaited<ReturnType<typeof introspect>>) {
  expect({ status, body }).toEqual({
    status: 503,
    body: {
      error: {
        code: 503,
        type: "INDEX_BEHIND",
        message: "The index is too far behind the chain to answer this. Retry, or read the chain.",
        details: expect.objectContaining({ indexedBlock: expect.any(Number) }),
        retryAfter: 2,
      },
    },
  });
  expect(headers.get("retry-after")).toBe("2");
  expect(headers.get("cache-control")).toBe("no-store");
}

describe("a service whose index follows the chain", () => {
  it("is ready, and lets a profile be cached for an hour", async () => {
    const registered = await service.register(agent.name, seller);
    const { tokenId, erc8004AgentId, apiKey } = registered.answer.body;
    Object.assign(agent, { tokenId, passportId: erc8004AgentId, apiKey });
    agent.token = await signIn(seller, agent.passportId);
    expect((await introspect()).body).toMatchObject({ active: true });
    expect((await service.get("/v1/status")).body).toMatchObject({ status: "ok", lagBlocks: 0 });
    await vi.waitFor(async () => expect((await service.get("/ready")).status).toBe(200), SOON);
    const profile = await service.get(`/v1/profile/${agent.name}`);
    expect(profile.headers.get("cache-control")).toBe("max-age=3600, stale-while-revalidate=7200");
    expect(profile.headers.has("x-svc-index-lag")).toBe(false);
    expect((await service.get("/")).body).not.toContain("behind the chain");
  });

  it("refuses a minBlock beyond the chain's head at once, on every read that takes one", async () => {
    const head = Number(await service.chain.client.getBlockNumber());
    const document = (await service.get("/v1/openapi.json")).body;
    const reads = Object.entries<Record<string, { parameters?: { name: string }[] }>>(
      document.paths,
    ).filter(([, { get }]) => get?.parameters?.some(({ name }) => name === "minBlock"));
    expect(reads.length).toBeGreaterThan(8);
    for (const [path] of reads) {
      const filled = path.replace("{name}", agent.name).replace("{tokenId}", `${agent.tokenId}`);
      const { status, body } = await service.get(`${filled}?minBlock=${head + 1_000}`);
      expect([path, status, body.error?.details]).toEqual([
        path,
        400,
        {
          issues: [{ path: "minBlock", message: `The chain's latest block is ${head}` }],
          chainBlock: head,
          requestId: expect.any(String),
        },
      ]);
    }
  });
});

describe("a service whose indexer is stopped", () => {
  it("stops being ready when the chain has moved on without the index", async () => {
    await service.indexer.stop();
    await service.chain.fund(seller.address);
    await service.chain.transferPassport(BigInt(agent.passportId), seller, buyer.address);
    await vi.waitFor(async () => {
      const { status, body } = await service.get("/ready");
      expect([status, body.ready, body.checks.indexer]).toEqual([
        503,
        false,
        { ready: false, reason: "is behind the chain (lag in blocks: 1)" },
      ]);
    }, SOON);
    expect((await service.get("/v1/status")).body).toMatchObject({
      status: "degraded",
      lagBlocks: 1,
    });
  });

  it("reads an agent's owner from the chain, and lets no answer be cached", async () => {
    const validity = await service.get(`/v1/soul-validity/${agent.tokenId}`);
    expect([validity.status, validity.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        valid: false,
        sealedBy: seller.address,
        currentPassportOwner: buyer.address,
        sealTimestamp: expect.any(String),
        message:
          "The passport has left the owner who sealed this soul. It is suspended until the passport's owner reseals it.",
      },
    ]);
    const profile = await service.get(`/v1/profile/${agent.name}`);
    expect(profile.body).toMatchObject({
      owner: buyer.address,
      soulValidity: { status: "suspended", passportOwnerMatch: false },
    });
    const standing = await service.get(`/v1/profile/${agent.name}/status`);
    expect(standing.body).toMatchObject({ trustworthy: false, genesisStatus: "SEALED" });
    const verified = await service.get(`/v1/verify/${agent.name}`);
    expect(verified.body).toMatchObject({
      checks: { soulValidity: { status: "suspended" } },
      overallStatus: "failed",
    });
    const did = await service.get(`/v1/did/${agent.name}`);
    expect(JSON.stringify(did.body).toLowerCase()).not.toContain(seller.address.toLowerCase());
    const passport = await service.get(`/v1/did/agent-${agent.passportId}`);
    expect(JSON.stringify(passport.body).toLowerCase()).toContain(buyer.address.toLowerCase());
    for (const { status, headers } of [validity, profile, standing, verified, did, passport]) {
      expect([status, headers.get("cache-control"), headers.get("x-svc-index-lag")]).toEqual([
        200,
        "no-store",
        "1",
      ]);
    }
  });

  it("judges no token and no key by the index", async () => {
    expectBehind(await introspect());
    expectBehind(await newWebhook());
    const answer = { tokenId: agent.tokenId, disclosures: [], deniedFields: ["soul.purpose"] };
    const request = `/v1/disclose/request/${randomUUID()}/fulfill`;
    expectBehind(await service.post(request, answer, withKey()));
    expectBehind(await service.get("/v1/agents"));
    expectBehind(
      await service.request("/v1/webhooks", {
        headers: { Authorization: `Bearer ${agent.token}` },
      }),
    );
    const key = await service.post("/api/v1/auth/verify-key", { apiKey: agent.apiKey });
    expect([key.status, key.body]).toEqual([200, { valid: false }]);
  });

  it("also answers public reads with a key", async () => {
    const { status } = await service.request("/v1/status", { headers: withKey() });
    expect(status).toBe(200);
  });

  it("states on every page how far behind the index is", async () => {
    for (const path of ["/", `/agents/${agent.name}`]) {
      const { body } = await service.get(path);
      expect(body).toContain("This service is 1 block behind the chain.");
    }
  });
});

describe("a service whose index and chain both do not answer", () => {
  it("answers nothing about ownership", async () => {
    await gate.shutAt({ method: "eth_blockNumber", at: "request" });
    await vi.waitFor(async () => {
      expect((await service.get("/v1/status")).body).toMatchObject({
        status: "degraded",
        chainBlock: null,
        lagBlocks: null,
      });
    }, SOON);
    expectBehind(await service.get(`/v1/soul-validity/${agent.tokenId}`));
    expectBehind(await service.get(`/v1/profile/${agent.name}`));
    expectBehind(await introspect());
  });

  it("answers 503 to whether a name is free", async () => {
    const { status, body, headers } = await service.get(`/v1/register/check-name/${freshName()}`);
    expect([status, body.error.type]).toEqual([503, "CHAIN_UNAVAILABLE"]);
    expect(headers.get("retry-after")).toBe("2");
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("a service whose index comes back", () => {
  it("is ready again, and knows of the sale", async () => {
    gate.open();
    await service.indexer.start();
    await vi.waitFor(async () => {
      // The indexer follows new heads, and reads what it missed with the next one.
      await service.chain.client.mine({ blocks: 1 });
      const { status, body } = await service.get("/ready");
      expect([status, body]).toEqual([200, expect.objectContaining({ ready: true })]);
    }, SOON);
    expect((await introspect()).body).toEqual({ active: false });
    const { status, body } = await newWebhook();
    expect([status, body.error.type]).toEqual([409, "SUSPENDED"]);
    const validity = await service.get(`/v1/soul-validity/${agent.tokenId}`);
    expect(validity.body).toMatchObject({ valid: false, currentPassportOwner: buyer.address });
    expect(validity.headers.get("cache-control")).toBe("no-cache");
    expect(validity.headers.has("x-svc-index-lag")).toBe(false);
  });
});
