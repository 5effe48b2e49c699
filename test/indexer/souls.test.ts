import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  getProfile,
  getProfileStatus,
  getSoulValidity,
} from "../../api/features/profile/profile.routes.ts";
import { createProfileService } from "../../api/features/profile/profile.ts";
import { createLinks } from "../../api/kernel/links.ts";
import { everyRequest } from "../../api/platform/http/answers/every-request.ts";
import { errorHandler } from "../../api/platform/http/error-handler.ts";
import { provideGate } from "../../api/platform/http/guard.ts";
import { createRouter } from "../../api/platform/http/router.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { type ChainReads, createChainReads } from "../../api/soul/indexed.store.ts";
import { byName, byPassport, byTokenId } from "../../api/soul/soul-ref.ts";
import { testDeps } from "../api/helpers.ts";
import {
  REGISTERED_ARCHIVE as ARCHIVE_ID,
  account,
  alice,
  bob,
  type IndexedChain,
  startIndexedChain,
} from "../fixtures/indexed-chain.ts";
import { type RunningIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { indexedUpTo } from "./indexed-up-to.ts";

const WAIT_MS = 10_000;

let chain: IndexedChain;
let database: TestDatabase;
let pool: pg.Pool;
let reads: ChainReads;
let indexer: RunningIndexer;
let api: ReturnType<typeof createRouter>;
let statements: string[];
let aurora: Awaited<ReturnType<IndexedChain["register"]>>;

beforeAll(async () => {
  chain = await startIndexedChain();
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  statements = recordStatements(pool);
  reads = createChainReads(pool);
  indexer = await startIndexer({ databaseUrl: database.url, ...chain });

  const profiles = createProfileService({
    reads,
    unclaimed: async () => null,
    chainId: 31_337,
    links: createLinks("http://127.0.0.1:8787"),
    didRecords: { of: async () => null },
  });
  const deps = { profiles, index: reads, indexerWaitMs: WAIT_MS };
  api = createRouter();
  api.onError(errorHandler(createLog("silent")));
  api.use(everyRequest([provideGate(testDeps())]));
  for (const { routes } of [getProfile, getProfileStatus, getSoulValidity]) {
    api.route("/v1", routes(deps));
  }

  aurora = await chain.register(alice, "aurora", { operator: bob.address });
});

afterAll(async () => {
  await indexer?.stop();
  await pool?.end();
  await database?.drop();
  await chain?.stop();
});

/** Every later statement that reaches Postgres through `pool`. */
function recordStatements(of: pg.Pool): string[] {
  const seen: string[] = [];
  of.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      seen.push(JSON.stringify(args[0]));
      return query(...args);
    }) as typeof client.query;
  });
  return seen;
}

const indexed = (block: bigint) => indexedUpTo(chain.client, pool, block);

const iso = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString();

describe("a registered and sealed soul", () => {
  it("is indexed with every field", async () => {
    await indexed(aurora.blockNumber);
    const expected = {
      soul: {
        tokenId: 1n,
        name: "aurora",
        nameSkeleton: "aurora",
        passportId: 0n,
        owner: alice.address,
        sealer: alice.address,
        operator: bob.address,
        version: 0,
        passportVersion: 0,
        parentTokenId: 0n,
        epoch: 1,
        status: "SEALED",
        validity: "valid",
        agentType: 2,
        newPassport: true,
        soulHash: aurora.message.soulHash,
        soulMerkleRoot: aurora.message.soulMerkleRoot,
        contentHash: aurora.message.contentHash,
        archiveId: ARCHIVE_ID,
        genesisSoulHash: aurora.message.soulHash,
        agentUriHasIds: true,
        revisions: 1,
        humanVerifier: null,
        didArchiveId: null,
        suspended: false,
        suspendedOwner: null,
        suspendedAt: null,
        suspendedBlock: null,
        soulContinuity: null,
        soulHashMatch: null,
        alignmentScore: null,
        alignmentArchiveId: null,
        alignmentBlock: null,
        alignmentAt: null,
        mintTimestamp: aurora.timestamp,
        mintBlock: aurora.blockNumber,
        mintTx: aurora.transactionHash,
        sealedAt: aurora.timestamp,
        sealBlock: aurora.blockNumber,
        sealTx: aurora.transactionHash,
        burnedAt: null,
        burnBlock: null,
        burnTx: null,
        burnReasonHash: null,
        releasedBy: null,
        lastActiveAt: aurora.timestamp,
      },
      passport: {
        id: 0n,
        owner: alice.address,
        uri: `ar://${"E".repeat(43)}`,
        registrant: chain.contracts.passportMint,
        registeredAt: aurora.timestamp,
        registeredBlock: aurora.blockNumber,
        registeredTx: aurora.transactionHash,
        ownerSince: aurora.timestamp,
        ownerSinceBlock: aurora.blockNumber,
        transferCount: 1,
        soulTokenId: aurora.tokenId,
        metadataPendingAt: null,
        metadataPendingBlock: null,
      },
      agentWallet: null,
      membership: null,
      bindings: 0,
      duplicateOf: null,
      earned: 0n,
      published: null,
      identity: null,
      displayName: null,
      image: null,
      display: null,
      tasksCompleted: 0,
      successorTokenId: null,
      lastChronicleAt: null,
    };
    expect((await reads.agent(byName("aurora"))).value).toEqual(expected);
    expect((await reads.agent(byTokenId(1n))).value).toEqual(expected);
    expect((await reads.agent(byPassport(0n))).value).toEqual(expected);
    expect(await reads.nameHolder("aurora")).toBe(1n);
    expect(await reads.nameHolder("unknown")).toBeNull();

    const { rows } = await pool.query("select * from chain.certificate");
    expect(rows).toEqual([
      {
        token_id: "1",
        holder: alice.address.toLowerCase(),
        minted_at: aurora.timestamp.toString(),
        minted_block: aurora.blockNumber.toString(),
        mint_tx: aurora.transactionHash,
        burned_at: null,
        burn_tx: null,
      },
    ]);
  });

  it("whose file names no ids is marked, and points at its second file", async () => {
    const second = await chain.register(alice, "borealis", { parentTokenId: 1n });
    await indexed(second.blockNumber);
    expect((await reads.agent(byName("borealis"))).value).toMatchObject({
      soul: { tokenId: 2n, operator: null, parentTokenId: 1n, agentUriHasIds: false },
      passport: { id: second.passportId, uri: `ar://${"I".repeat(43)}` },
    });
  });
});

describe("GET /v1/profile/:name", () => {
  it("answers every field of the specification, from one query", async () => {
    const block = await chain.client.getBlock();
    await indexed(block.number);
    statements.length = 0;
    const answer = await api.request("/v1/profile/aurora");

    expect(statements).toHaveLength(1);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-svc-block")).toBe(block.number.toString());
    expect(answer.headers.get("cache-control")).toBe("max-age=3600, stale-while-revalidate=7200");
    expect(await answer.json()).toEqual({
      agentName: "aurora",
      tokenId: 1,
      did: "did:svc:31337:aurora",
      agentType: "specialist",
      genesisStatus: "SEALED",
      soulHash: aurora.message.soulHash,
      soulMerkleRoot: aurora.message.soulMerkleRoot,
      duplicateOf: null,
      owner: alice.address,
      operator: bob.address,
      parentTokenId: 0,
      successorTokenId: null,
      organizationId: 0,
      mintTimestamp: iso(aurora.timestamp),
      sealedAt: iso(aurora.timestamp),
      erc8004AgentId: 0,
      agentWallet: null,
      erc8004Url: `http://127.0.0.1:8787/ar/${"E".repeat(43)}`,
      soulValidity: {
        status: "valid",
        passportOwnerMatch: true,
        lastChecked: iso(block.timestamp),
      },
      soulAlignment: { score: null, lastSnapshot: null },
      activity: {
        tasksCompleted: 0,
        lifetimeEarned: "0.00",
        currency: "USDC",
        agentBindings: 0,
        lastActive: iso(aurora.timestamp),
      },
      chainAddresses: [],
      disclosedFields: {},
      arweaveTxId: ARCHIVE_ID,
      arweaveUrl: `http://127.0.0.1:8787/ar/${ARCHIVE_ID}`,
      avatarUrl: null,
      displayName: null,
      birthBundle: null,
      operatorLabel: null,
      publicIdentity: null,
      profileUrl: "http://127.0.0.1:8787/agents/aurora",
    });
  });

  it("accepts a token id and any spelling of the name", async () => {
    const byName = await (await api.request("/v1/profile/AURORA")).json();
    expect(await (await api.request("/v1/profile/1")).json()).toEqual(byName);
  });

  it.each(["unknown", "999", "9007199254740991"])("answers 404 for %s", async (name) => {
    const answer = await api.request(`/v1/profile/${name}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 404, type: "NOT_FOUND" } });
  });

  it.each([
    ["a%00b", 400, "INVALID_NAME"],
    ["-aurora", 400, "INVALID_NAME"],
    ["0", 400, "INVALID_REQUEST"],
    ["9007199254740993", 400, "INVALID_REQUEST"],
  ])("refuses %s", async (name, status, type) => {
    const answer = await api.request(`/v1/profile/${name}`);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code: status, type } });
  });

  it("answers 304 to its own ETag, also when only the block has changed", async () => {
    const first = await api.request("/v1/profile/aurora");
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    await chain.client.mine({ blocks: 1 });
    const block = await chain.client.getBlockNumber({ cacheTime: 0 });
    await indexed(block);

    const headers = { "If-None-Match": `"other", ${tag}` };
    const second = await api.request("/v1/profile/aurora", { headers });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("etag")).toBe(tag);
    expect(second.headers.get("x-svc-block")).toBe(block.toString());
    const other = await api.request("/v1/profile/borealis", { headers });
    expect(other.status).toBe(200);
  });

  it("waits for minBlock, and answers 503 when it does not come", async () => {
    const next = (await chain.client.getBlockNumber({ cacheTime: 0 })) + 1n;
    const waiting = api.request(`/v1/profile/aurora?minBlock=${next}`);
    await chain.client.mine({ blocks: 1 });
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(BigInt(answer.headers.get("x-svc-block") ?? 0)).toBeGreaterThanOrEqual(next);

    const impatient = createRouter();
    impatient.onError(errorHandler(createLog("silent")));
    impatient.use(everyRequest([provideGate(testDeps())]));
    const profiles = { profile: neverCalled, status: neverCalled, sealCheck: neverCalled };
    impatient.route("/", getProfile.routes({ profiles, index: reads, indexerWaitMs: 30 }));
    const late = await impatient.request(`/profile/aurora?minBlock=${next + 1n}`);
    expect(late.status).toBe(503);
    expect(late.headers.get("retry-after")).toBe("1");
    expect(await late.json()).toMatchObject({
      error: {
        type: "REGISTRY_PENDING",
        details: { minBlock: Number(next + 1n), indexedBlock: Number(next) },
      },
    });
  });

  it.each(["-1", "1e3", "", "1&minBlock=2", "99999999999999999"])(
    "refuses minBlock=%s",
    async (text) => {
      const answer = await api.request(`/v1/profile/aurora?minBlock=${text}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: { details: { issues: [{ path: "minBlock", message: "Not a block number" }] } },
      });
    },
  );
});

async function neverCalled(): Promise<never> {
  throw new Error("The handler ran although the block was missing.");
}

describe("GET /v1/profile/:name/status", () => {
  it("answers for a sealed, valid and young agent", async () => {
    const answer = await api.request("/v1/profile/aurora/status");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      agentName: "aurora",
      tokenId: 1,
      erc8004AgentId: 0,
      genesisStatus: "SEALED",
      soulAlignment: null,
      lastSnapshot: null,
      alive: true,
      trustworthy: true,
    });
  });

  it("answers 404 for an unknown agent", async () => {
    expect((await api.request("/v1/profile/unknown/status")).status).toBe(404);
  });
});

describe("GET /v1/soul-validity/:tokenId", () => {
  it("answers valid while the sealer owns the passport", async () => {
    const answer = await api.request("/v1/soul-validity/1");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(await answer.json()).toEqual({
      tokenId: 1,
      erc8004AgentId: 0,
      valid: true,
      sealedBy: alice.address,
      currentPassportOwner: alice.address,
      sealTimestamp: iso(aurora.timestamp),
    });
  });

  it("answers 404 for an unknown token id, 400 for an invalid one", async () => {
    expect((await api.request("/v1/soul-validity/999")).status).toBe(404);
    expect((await api.request("/v1/soul-validity/aurora")).status).toBe(400);
  });
});

describe("given a sold passport", () => {
  it("profile, status and soul validity report that the seal is suspended", async () => {
    const buyer = account(3).address;
    const soul = await chain.register(alice, "sold-agent");
    const before = await api.request(`/v1/profile/sold-agent?minBlock=${soul.blockNumber}`);
    const sale = await chain.transferPassport(soul.passportId, alice, buyer);
    const headers = { "If-None-Match": before.headers.get("etag") ?? "" };
    const answer = await api.request(`/v1/profile/sold-agent?minBlock=${sale.blockNumber}`, {
      headers,
    });

    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("max-age=60, stale-while-revalidate=300");
    expect(await answer.json()).toMatchObject({
      genesisStatus: "SEALED",
      owner: buyer,
      soulValidity: { status: "suspended", passportOwnerMatch: false },
    });
    const status = await api.request("/v1/profile/sold-agent/status");
    expect(await status.json()).toMatchObject({ alive: true, trustworthy: false });
    const validity = await api.request(`/v1/soul-validity/${soul.tokenId}`);
    expect(await validity.json()).toEqual({
      tokenId: Number(soul.tokenId),
      erc8004AgentId: Number(soul.passportId),
      valid: false,
      sealedBy: alice.address,
      currentPassportOwner: buyer,
      sealTimestamp: iso(soul.timestamp),
      message:
        "The passport has left the owner who sealed this soul. It is suspended until the passport's owner reseals it.",
    });
  });
});

describe("GraphQL", () => {
  it("serves the index to clients", async () => {
    const answer = await fetch(`${indexer.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: '{ soul(tokenId: "1") { name operator status } }' }),
    });
    expect(await answer.json()).toEqual({
      data: { soul: { name: "aurora", operator: bob.address.toLowerCase(), status: "SEALED" } },
    });
  });
});

describe("passportsOfOwner", () => {
  it("lists the passport of a soul that the owner sealed before any number of gifts", async () => {
    const carol = account(4);
    const gift = await chain.registerPassport(bob, "");
    await chain.transferPassport(gift.agentId, bob, carol.address);
    const bought = await chain.register(bob, "bought");
    await chain.transferPassport(bought.passportId, bob, carol.address);
    const own = await chain.register(carol, "carols-own");
    await indexed(own.blockNumber);

    const ids = async (limit: number) =>
      (await reads.passportsOfOwner(carol.address, limit)).value.map(({ id }) => id);
    expect(await ids(1)).toEqual([own.passportId]);
    expect(await ids(50)).toEqual([own.passportId, gift.agentId, bought.passportId]);
  });
});

describe("published fields", () => {
  it("are those of the sealed soul, and of no other registration of its name", async () => {
    const { message, blockNumber } = await chain.register(alice, "published");
    await indexed(blockNumber);
    const keep = (state: string, soulHash: string, value: string) =>
      pool.query(
        `insert into app.registration (id, name, owner, state, payload, leaves, created_at, updated_at)
         values (gen_random_uuid(), 'published', $1, $2, $3, '[]', now(), now())`,
        [alice.address, state, { request: { soulHash, publicFields: { "soul.purpose": value } } }],
      );
    const published = async () =>
      (await (await api.request("/v1/profile/published")).json()).disclosedFields;

    await keep("complete", `0x${"ee".repeat(32)}`, "of another soul");
    await keep("pending", message.soulHash, "not complete");
    expect(await published()).toEqual({});
    await pool.query("delete from app.registration where state = 'pending'");
    await keep("complete", message.soulHash, "Help readers.");
    expect(await published()).toEqual({
      "soul.purpose": { value: "Help readers.", verified: true },
    });
  });
});
