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

/** Pages of one agent, which the OpenAPI document does not list. */
const PAGES = [
  ...["/agents/{name}", "/agents/{name}/card.png", "/agents/{name}/badge.svg", "/endpoints/{name}"],
  ...["/passports/{id}", "/certificates/{tokenId}", "/certificates/{tokenId}/image.svg"],
  ...["/bindings/{tokenId}", "/proofs/alignment/{name}", "/proofs/certificates/{tokenId}"],
];

/** What these name is not in the index. */
const BESIDE_INDEX = [
  ...["/ar/{id}", "/ar/{id}/item", "/v1/chronicle/{queueId}/proof"],
  ...["/v1/register/check-name/{name}", "/v1/name-available/{name}"],
];

interface Named {
  readonly name: string;
  readonly tokenId: number;
  readonly passportId: number;
}

/** Every read that needs no credential and names something of the index, in the words of an agent. */
async function readsOf({ name, tokenId, passportId }: Named): Promise<readonly string[]> {
  const document = (await service.get("/v1/openapi.json")).body;
  const reads = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, verbs]) =>
    "get" in verbs && path.includes("{") && !BESIDE_INDEX.includes(path) ? [path] : [],
  );
  const values: Readonly<Record<string, string | number>> = {
    name,
    tokenId,
    id: passportId,
    organizationId: tokenId,
    bindingId: `0x${"0b".repeat(32)}`,
    invitationId: randomUUID(),
    requestId: randomUUID(),
    webhookId: randomUUID(),
  };
  return [...reads, ...PAGES].map((path) =>
    path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = values[parameter];
      if (value === undefined) throw new Error(`This test has no value for ${parameter}.`);
      return String(value);
    }),
  );
}

/** The answers to reads, by path. */
async function answersOf(paths: readonly string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const { status, body } = await service.get(path);
      return { path, status, type: body?.error?.type as string | undefined };
    }),
  );
}

/** Those that call something absent. */
const absent = (answers: Awaited<ReturnType<typeof answersOf>>) =>
  answers.filter(({ status }) => status === 404 || status === 410).map(({ path }) => path);

/** Paths that answered something of the agent while the index was complete. */
let answered: readonly string[] = [];

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
    const answers = await answersOf(await readsOf(agent));
    answered = answers.filter(({ status }) => status === 200).map(({ path }) => path);
    expect(answered.length).toBeGreaterThan(20);
  });

  it("calls nothing absent while a fault of the index is open", async () => {
    const path = `/v1/profile/${freshName()}`;
    expect((await service.get(path)).status).toBe(404);
    await service.pool.query(`insert into app.index_fault (found_at, found_by, from_block, to_block)
      values (now(), 'reread', 1, 2)`);
    await vi.waitFor(async () => expectBehind(await service.get(path)), SOON);
    await service.pool.query("update app.index_fault set mended_at = now()");
    await vi.waitFor(async () => expect((await service.get(path)).status).toBe(404), SOON);
  });

  it("calls nothing absent while a reorganization may have taken it back", async () => {
    const path = `/v1/profile/${freshName()}`;
    const note = (block: number, seconds: number) =>
      service.pool.query(`update chain._ponder_meta set value = value || jsonb_build_object('taken_back',
        jsonb_build_object('from', lpad('${block}', 16, '0'), 'until',
          (select (substr(latest_checkpoint, 1, 10)::bigint + ${seconds})::text from chain._ponder_checkpoint)))`);
    await note(1_000_000, 60);
    expectBehind(await service.get(path));
    // What is there is as current as before.
    expect((await service.get(`/v1/profile/${agent.name}`)).status).toBe(200);
    expect((await introspect()).body).toMatchObject({ active: true });
    await note(1_000_000, 0);
    expect((await service.get(path)).status).toBe(404);
    await note(1, 60);
    expect((await service.get(path)).status).toBe(404);
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

  it("calls nothing absent that may be on chain", async () => {
    await service.chain.fund(buyer.address);
    const passportId = Number(await service.chain.registerPassport(buyer));
    await vi.waitFor(
      async () => expect((await service.get("/v1/status")).body.lagBlocks).toBeGreaterThan(1),
      SOON,
    );
    const late = { name: `agent-${passportId}`, tokenId: 987_654, passportId };
    const answers = await answersOf(await readsOf(late));
    // These ask the chain, which has no such certificate.
    const ofChain = [`/v1/allowance/${late.tokenId}`, `/bindings/${late.tokenId}`];
    expect(absent(answers)).toEqual(ofChain);
    expect(answers.filter(({ status }) => status === 503).map(({ type }) => type)).toContain(
      "INDEX_BEHIND",
    );
    expectBehind(await service.get(`/v1/profile/${late.name}`));
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
    const missing = new Set<string>();
    let starting = true;
    const started = service.indexer.start().finally(() => {
      starting = false;
    });
    const reads = answered.filter((path) => path.startsWith("/v1/"));
    for (let turn = 0; starting; turn += 1) {
      const path = reads[turn % reads.length] ?? "";
      for (const one of absent(await answersOf([path]))) missing.add(one);
    }
    await started;
    expect([...missing]).toEqual([]);
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
  }, 300_000);
});

describe("a service whose index is empty", () => {
  it("calls nothing absent that it answered before", async () => {
    await service.indexer.stop();
    const { rows } = await service.pool.query<{ name: string }>(
      `select distinct format('%I.%I', view_schema.nspname, base.relname) as name
      from pg_class v
      join pg_rewrite r on r.ev_class = v.oid
      join pg_depend d on d.objid = r.oid and d.classid = 'pg_rewrite'::regclass
      join pg_class base on base.oid = d.refobjid and base.relkind = 'r'
      join pg_namespace view_schema on view_schema.oid = base.relnamespace
      where v.relnamespace = 'chain'::regnamespace and base.relname not like '\\_ponder\\_%'`,
    );
    await service.pool.query(`truncate ${rows.map(({ name }) => name).join(", ")}`);
    // As while an index is being made again.
    await service.pool.query(
      `update chain._ponder_meta set value = jsonb_set(value, '{is_ready}', '0')`,
    );
    await vi.waitFor(
      async () => expect((await service.get("/v1/status")).body.status).toBe("degraded"),
      SOON,
    );
    const answers = await answersOf(answered);
    expect(absent(answers)).toEqual([]);
    expect(answers.find(({ path }) => path === `/v1/profile/${agent.name}`)).toMatchObject({
      status: 503,
      type: "INDEX_BEHIND",
    });
  });
});
