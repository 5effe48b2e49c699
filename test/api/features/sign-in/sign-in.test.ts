import { sql } from "drizzle-orm";
import { decodeJwt } from "jose";
import type { Address, LocalAccount } from "viem";
import { createPublicClient, http, zeroHash } from "viem";
import { parseSiweMessage } from "viem/siwe";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type {
  AgentDetails,
  ChronicleRecord,
  SoulDetails,
} from "../../../../api/features/profile/details.ts";
import type {
  HeldPassport,
  ReceivedPassport,
} from "../../../../api/features/sign-in/passport-choice.ts";
import { signInStore } from "../../../../api/features/sign-in/sign-in.store.ts";
import type { PassportStanding } from "../../../../api/features/sign-in/tokens/introspection.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { createMessageSignatures } from "../../../../api/platform/chain/signatures.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import type { ChainPassport, ChainSoul } from "../../../../api/soul/chain-soul.ts";
import { readAgentMessage, readWalletMessage } from "../../../../protocol/index.ts";
import { chainSoul } from "../../../fixtures/chain-soul.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { type Answer, newAccount, refusal, signInHarness } from "./harness.ts";

// Sign-in over a chain and an index that the test controls. Postgres and signatures are real.
// chain.test.ts runs it against the real chain.

const REGISTRY: Address = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const CERTIFICATE: Address = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const OTHER: Address = "0x00000000000000000000000000000000000000b1";
const blockAt = (block: bigint) => ({ block, timestamp: 1_700_000_000n });
const START = new Date("2026-01-31T12:00:00.000Z");
const NONCE_LIFETIME_MS = 300_000;

interface World {
  now: Date;
  block: bigint;
  /** Each passport as the chain has it. Missing ones do not exist. */
  passports: Map<bigint, ChainPassport>;
  /** The number of passports that the chain reports for a wallet; by default those of this map. */
  passportCount: bigint | null;
  received: ReceivedPassport[];
  logsRead: { from: bigint; to: bigint }[];
  indexed: HeldPassport[];
  indexedBlock: bigint;
  standing: PassportStanding;
  details: AgentDetails;
  chronicles: ChronicleRecord[];
  /** What permanent storage holds. */
  files: Map<string, string>;
  chainDown: boolean;
  nothingIndexed: boolean;
}

let database: TestDatabase;
let connection: DatabaseConnection;
let harness: Awaited<ReturnType<typeof signInHarness>>;
let world: World;
let signer: LocalAccount;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
  // The discard port has no listener, so only signatures by key can be checked here.
  const client = createPublicClient({ transport: http("http://127.0.0.1:9", { retryCount: 0 }) });
  harness = await signInHarness({
    db: connection.db,
    clock: () => world.now,
    live: {
      async passport(id) {
        if (world.chainDown) throw new ApiError("CHAIN_UNAVAILABLE");
        const passport = world.passports.get(id) ?? { id, owner: null, soul: null };
        return { ...passport, block: world.block, blockTime: 1_700_000_000n };
      },
      async passportStates(holder, ids) {
        if (world.chainDown) throw new ApiError("CHAIN_UNAVAILABLE");
        const held = [...world.passports.values()].filter(({ owner }) => owner === holder);
        return {
          block: world.block,
          blockTime: 1_700_000_000n,
          passportCount: world.passportCount ?? BigInt(held.length),
          passports: ids.map((id) => world.passports.get(id) ?? { id, owner: null, soul: null }),
        };
      },
      async passportsReceived(_holder, from, to) {
        world.logsRead.push({ from, to });
        return world.received;
      },
    },
    index: {
      passportsOfOwner: async (_owner, limit) => ({
        at: blockAt(world.indexedBlock),
        value: world.indexed.slice(0, limit),
      }),
      tokenStanding: async () => ({ ...world.standing, revoked: false }),
      agentDetails: async () => {
        if (world.nothingIndexed) throw new ApiError("REGISTRY_PENDING");
        return world.details;
      },
      chroniclesOf: async (_tokenId, limit) => {
        if (world.nothingIndexed) throw new ApiError("REGISTRY_PENDING");
        return world.chronicles.slice(0, limit);
      },
    },
    stored: async (id) => {
      if (id.startsWith("s")) return new Promise<never>(() => {});
      const text = world.files.get(id);
      return text === undefined ? null : { data: new TextEncoder().encode(text) };
    },
    signatures: createMessageSignatures({ client, timeoutMs: 2_000 }),
    identityRegistry: REGISTRY,
    soulCertificate: CERTIFICATE,
  });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
beforeEach(() => {
  signer = newAccount();
  world = {
    now: START,
    block: 100n,
    passports: new Map(),
    passportCount: null,
    received: [],
    logsRead: [],
    indexed: [],
    indexedBlock: 100n,
    standing: { at: blockAt(100n), owner: null, ownerSinceBlock: null, soulStatus: null },
    details: { passportUri: null, soul: null },
    chronicles: [],
    files: new Map(),
    chainDown: false,
    nothingIndexed: false,
  };
});

function soulOf(tokenId: bigint, change: Partial<ChainSoul> = {}): ChainSoul {
  return chainSoul({
    tokenId,
    name: `soul-${tokenId}`,
    sealer: signer.address,
    passportOwner: signer.address,
    ...change,
  });
}

/** The index's record of a soul. */
function detailsOf(epoch: number): SoulDetails {
  return {
    epoch,
    alignmentScore: 87,
    sealedAt: 1_700_000_000n,
    mintTx: `0x${"11".repeat(32)}`,
    sealTx: `0x${"22".repeat(32)}`,
    archiveId: "g".repeat(43),
    publicIdentity: {
      bio: "A heron counter.",
      category: "knowledge",
      tags: ["birds"],
      contacts: [{ type: "x", value: "@herons" }],
    },
  };
}

/** Gives the signer a passport that chain and index know. */
function hold(id: bigint, soul: ChainSoul | null = null, since = 10n) {
  world.passports.set(id, { id, owner: signer.address, soul });
  world.indexed.push({ id, ownerSinceBlock: since });
  world.indexed.sort((a, b) => Number((a.ownerSinceBlock ?? 0n) - (b.ownerSinceBlock ?? 0n)));
}

/** Of 50 calls at once exactly one succeeds. All others are refused for the same reason. */
async function expectOneWinner(lost: string, call: () => Promise<Answer>) {
  const answers = await Promise.all(Array.from({ length: 50 }, call));
  const refusals = answers.filter(({ status }) => status !== 200).map(refusal);
  expect(refusals).toEqual(
    Array.from({ length: 49 }, () => ({ status: 401, type: lost, details: {} })),
  );
}

function later(ms: number) {
  world.now = new Date(START.getTime() + ms);
}

describe("challenge", () => {
  it("issues the wallet message, checksummed and for 5 minutes", async () => {
    const answer = await harness.post("challenge", { address: signer.address.toLowerCase() });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      message: [
        "agents.example wants you to sign in with your Ethereum account:",
        signer.address,
        "",
        "Sign in to agents.example with the passport of this account.",
        "",
        "URI: https://agents.example",
        "Version: 1",
        "Chain ID: 31337",
        `Nonce: ${answer.body.nonce}`,
        "Issued At: 2026-01-31T12:00:00.000Z",
        "Expiration Time: 2026-01-31T12:05:00.000Z",
      ].join("\n"),
      expiresAt: "2026-01-31T12:05:00.000Z",
    });
  });

  it("issues the agent message for agent 0, with the configured registry", async () => {
    const answer = await harness.post("agent/challenge", { address: signer.address, agentId: 0 });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      message: [
        "agents.example wants you to sign in with your Agent account:",
        signer.address,
        "",
        "Sign in to agents.example with this agent.",
        "",
        "URI: https://agents.example",
        "Version: 1",
        "Agent ID: 0",
        `Agent Registry: eip155:31337:${REGISTRY}`,
        "Chain ID: 31337",
        `Nonce: ${answer.body.nonce}`,
        "Issued At: 2026-01-31T12:00:00.000Z",
        "Expiration Time: 2026-01-31T12:05:00.000Z",
      ].join("\n"),
      expiresAt: "2026-01-31T12:05:00.000Z",
    });
  });

  it.each<[string, string, object]>([
    ["challenge", "address", { address: undefined }],
    ["challenge", "address", { address: "0x1234" }],
    ["challenge", "scope.1", { scope: ["identity", "admin"] }],
    ["challenge", "scope", { scope: "identity" }],
    ["challenge", "minTier", { minTier: 4 }],
    ["challenge", "minTier", { minTier: 0 }],
    ["challenge", "minTier", { minTier: "1" }],
    ["challenge", "chainId", { chainId: 8453 }],
    ["challenge", "agentId", { agentId: -1 }],
    ["challenge", "agentId", { agentId: 2 ** 53 }],
    ["challenge", "agentId", { agentId: 1.5 }],
    ["challenge", "surprise", { surprise: 1 }],
    ["challenge", "scope.1", { scope: ["identity", "Manage"] }],
    ["challenge", "audience", { audience: "https://shop.example/" }],
    ["challenge", "audience", { audience: null }],
    ["agent/challenge", "audience", { agentId: 0, audience: "http://shop.example" }],
    ["agent/challenge", "agentId", {}],
    ["agent/challenge", "agentId", { agentId: "0" }],
    ["agent/challenge", "agentId", { agentId: 2 ** 53 }],
    ["agent/challenge", "chainId", { agentId: 0, chainId: 1 }],
  ])("%s refuses a wrong %s: %j", async (path, field, change) => {
    const answer = await harness.post(path, { address: signer.address, ...change });
    expect(refusal(answer)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: field, message: expect.any(String) }] },
    });
  });

  const MANAGED =
    "For one hour, anyone who holds the token can change API keys, webhooks, profile and records.";

  it.each<[string, object, string]>([
    [
      "challenge",
      { audience: "https://shop.example" },
      "Sign in to https://shop.example through agents.example with the passport of this account.",
    ],
    [
      "agent/challenge",
      { agentId: 5, audience: "http://127.0.0.1:3000" },
      "Sign in to http://127.0.0.1:3000 through agents.example with this agent.",
    ],
    [
      "challenge",
      { audience: "https://agents.example" },
      "Sign in to agents.example with the passport of this account.",
    ],
    ["challenge", { agentId: 0 }, "Sign in to agents.example with passport 0 of this account."],
    [
      "challenge",
      { agentId: 5, audience: "https://shop.example" },
      "Sign in to https://shop.example through agents.example with passport 5 of this account.",
    ],
    [
      "challenge",
      { scope: ["manage"] },
      `Sign in to agents.example with the passport of this account and manage every agent of this account. ${MANAGED}`,
    ],
    [
      "challenge",
      { scope: ["identity", "manage"], agentId: 5 },
      `Sign in to agents.example with passport 5 of this account and manage the agent of passport 5. ${MANAGED}`,
    ],
    [
      "agent/challenge",
      { scope: ["manage"], agentId: 0, audience: "https://agents.example" },
      `Sign in to agents.example with this agent and manage the agent of passport 0. ${MANAGED}`,
    ],
  ])("%s with %j puts it into the text to sign", async (path, options, statement) => {
    const { status, body } = await harness.post(path, { address: signer.address, ...options });
    expect(status).toBe(200);
    const { nonce } = body;
    const expected = {
      domain: "agents.example",
      uri: "https://agents.example",
      chainId: 31337,
      nonce,
      at: START,
      maxAgeSeconds: 60,
    };
    const read =
      path === "challenge"
        ? readWalletMessage(body.message, { ...expected, scheme: "https" })
        : readAgentMessage(body.message, { ...expected, registry: REGISTRY });
    expect(read.statement).toBe(statement);
    if (path === "challenge") expect(parseSiweMessage(body.message).statement).toBe(statement);
  });

  it.each(["challenge", "agent/challenge"])(
    "%s refuses scope manage for another audience, and stores nothing",
    async (path) => {
      const before = await connection.db.execute(sql`select nonce from app.sign_in_nonce`);
      const answer = await harness.post(path, {
        address: signer.address,
        agentId: 5,
        scope: ["identity", "manage"],
        audience: "https://shop.example",
      });
      expect(refusal(answer)).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: {
          issues: [
            {
              path: "audience",
              message:
                "A token with scope manage is issued for agents.example only. Leave out the audience, or the scope manage",
            },
          ],
        },
      });
      const after = await connection.db.execute(sql`select nonce from app.sign_in_nonce`);
      expect(after.rows).toEqual(before.rows);
    },
  );

  it("removes a bounded number of long expired rows at a time, and keeps the rest", async () => {
    const { db } = connection;
    await db.execute(sql`delete from app.sign_in_nonce`);
    await db.execute(sql`
      insert into app.sign_in_nonce (nonce, flow, address, chain_id, scopes, min_tier, message, expires_at)
      select 'old' || n, 'wallet', '0x', 1, '{}', 1, '', ${START.toISOString()}::timestamptz - interval '61 minutes'
      from generate_series(1, 30) n`);
    await db.execute(sql`
      insert into app.sign_in_nonce (nonce, flow, address, chain_id, scopes, min_tier, message, expires_at)
      values ('recent', 'wallet', '0x', 1, '{}', 1, '', ${START.toISOString()}::timestamptz - interval '59 minutes')`);
    const left = async () => {
      const { rows } = await db.execute(sql`
        select count(*) filter (where nonce like 'old%')::int as old,
               count(*) filter (where nonce = 'recent')::int as recent from app.sign_in_nonce`);
      return rows[0];
    };
    await harness.post("challenge", { address: signer.address });
    expect(await left()).toEqual({ old: 10, recent: 1 });
    await harness.post("challenge", { address: signer.address });
    expect(await left()).toEqual({ old: 0, recent: 1 });
  });
});

describe("the wallet flow", () => {
  it("signs in a passport without a soul as agent-<id>, agent 0 included", async () => {
    hold(0n);
    const answer = await harness.walletSignIn(signer, { scope: ["soul", "services", "did"] });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      accessToken: expect.any(String),
      tokenType: "Bearer",
      expiresIn: 3600,
      tier: 1,
      scopes: ["identity", "services", "did"],
      profile: {
        agentId: 0,
        agentName: "agent-0",
        holder: signer.address,
        erc8004AgentId: 0,
        chainId: 31337,
        did: "did:svc:31337:agent-0",
        humanVerified: false,
        avatar: null,
        description: null,
        services: [],
        didDocument: {
          "@context": [
            "https://www.w3.org/ns/did/v1",
            "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
            expect.any(Object),
          ],
          id: "did:svc:31337:agent-0",
          controller: `did:pkh:eip155:31337:${signer.address}`,
          verificationMethod: [
            {
              id: "did:svc:31337:agent-0#owner",
              type: "EcdsaSecp256k1RecoveryMethod2020",
              keyType: "EcdsaSecp256k1",
              controller: "did:svc:31337:agent-0",
              blockchainAccountId: `eip155:31337:${signer.address}`,
            },
          ],
          authentication: ["did:svc:31337:agent-0#owner"],
          assertionMethod: ["did:svc:31337:agent-0#owner"],
          service: [],
        },
      },
    });
    expect(await harness.tokens.verify(answer.body.accessToken)).toMatchObject({
      holder: signer.address,
      agentId: 0n,
      agentName: "agent-0",
      tokenId: null,
      tier: 1,
      checkedBlock: 100n,
      checkedAt: 1_700_000_000n,
    });
  });

  it("gives a sealed soul tier 2 and the claims of its scopes", async () => {
    hold(3n, soulOf(8n));
    const scope = ["profile", "soul", "chronicles", "certs", "services", "human_verified"];
    const { status, body } = await harness.walletSignIn(signer, { scope, minTier: 2 });
    expect(status).toBe(200);
    expect(body.tier).toBe(2);
    expect(body.scopes).toEqual(["identity", "profile", "soul", "chronicles", "certs", "services"]);
    expect(body.profile).toEqual({
      agentId: 3,
      agentName: "soul-8",
      holder: signer.address,
      erc8004AgentId: 3,
      chainId: 31337,
      did: "did:svc:31337:soul-8",
      humanVerified: false,
      avatar: null,
      description: null,
      tokenId: 8,
      soulAlignment: null,
      soulHash: `0x${"a1".repeat(32)}`,
      genesisRecord: {
        tokenId: 8,
        genesisStatus: "SEALED",
        agentType: "specialist",
        epoch: 1,
        sealer: signer.address,
        soulHash: `0x${"a1".repeat(32)}`,
        soulMerkleRoot: `0x${"b2".repeat(32)}`,
        sealedAt: null,
        mintTxHash: null,
        sealTxHash: null,
        arweaveTxId: null,
      },
      certs: [{ contract: CERTIFICATE, tokenId: 8 }],
      chronicles: [],
      services: [],
      bio: null,
      category: null,
      tags: [],
      contacts: [],
    });
  });

  it.each<[string, Partial<ChainSoul>, object]>([
    ["a provisional soul keeps its name", { validity: "suspended" }, { agentName: "soul-8" }],
    [
      "a suspended soul gives the buyer neither tier nor name",
      { validity: "suspended", sealer: CERTIFICATE },
      { agentName: "agent-3" },
    ],
    [
      "a suspended soul gives its sealer neither tier nor name, also when the passport is back",
      { validity: "suspended", suspended: true },
      { agentName: "agent-3" },
    ],
    [
      "a soul that another account sealed gives nothing, valid or not",
      { validity: "valid", sealer: CERTIFICATE },
      { agentName: "agent-3" },
    ],
  ])("tier 1: %s", async (_what, change, profile) => {
    hold(3n, soulOf(8n, { soulHash: zeroHash, ...change }));
    const { body } = await harness.walletSignIn(signer, { scope: ["soul", "certs"] });
    expect(body).toMatchObject({ tier: 1, scopes: ["identity"], profile });
    expect(Object.keys(body.profile)).toHaveLength(9);
  });

  it("refuses a tier below the minimum and names both; the nonce stays usable", async () => {
    hold(3n);
    const signed = await harness.signed("wallet", signer, { minTier: 2 });
    expect(refusal(await harness.post("verify", signed))).toEqual({
      status: 403,
      type: "TIER_TOO_LOW",
      details: { tier: 1, minTier: 2 },
    });
    world.passports.set(3n, { id: 3n, owner: signer.address, soul: soulOf(8n) });
    expect((await harness.post("verify", signed)).status).toBe(200);
  });

  it("gives an attested owner tier 3 with the attestation's time", async () => {
    hold(3n, soulOf(8n, { humanVerified: true }));
    world.details = { passportUri: null, soul: detailsOf(1) };
    const scope = ["human_verified", "soul"];
    const { body } = await harness.walletSignIn(signer, { scope, minTier: 3 });
    expect(body).toMatchObject({
      tier: 3,
      scopes: ["identity", "soul", "human_verified"],
      profile: { humanVerified: true, verifiedAt: "2023-11-14T22:13:20.000Z", soulAlignment: 87 },
    });
    const token = await harness.tokens.verify(body.accessToken);
    expect(token).toMatchObject({ tier: 3, humanVerified: true });
    const { body: introspected } = await harness.post("token/introspect", {
      token: body.accessToken,
    });
    expect(introspected).toMatchObject({ active: true, tier: 3, humanVerified: true });
  });

  it.each<[string, Partial<ChainSoul>]>([
    ["of a suspended soul", { validity: "suspended", humanVerified: true }],
    ["of a soul that another account sealed", { sealer: CERTIFICATE, humanVerified: true }],
  ])("gives nothing for the attestation %s", async (_what, change) => {
    hold(3n, soulOf(8n, change));
    const { body } = await harness.walletSignIn(signer, { scope: ["human_verified"] });
    expect(body).toMatchObject({
      tier: 1,
      scopes: ["identity"],
      profile: { humanVerified: false },
    });
    expect(body.profile).not.toHaveProperty("verifiedAt");
  });

  it("returns what is recorded, by scope", async () => {
    hold(3n, soulOf(8n));
    world.details = { passportUri: `ar://${"k".repeat(43)}`, soul: detailsOf(1) };
    world.files.set(
      "k".repeat(43),
      JSON.stringify({
        name: "any string",
        description: "Counts herons.",
        image: `ar://${"o".repeat(43)}`,
        services: [
          { name: "A2A", endpoint: "https://a.example/a2a", version: "0.3.0" },
          { name: "mcp", endpoint: "http://a.example/mcp" },
          { name: "web", endpoint: "javascript:alert(1)" },
          { name: "web", endpoint: "https://user:pass@a.example" },
          { name: "DID", endpoint: "did:svc:31337:other" },
          { name: "ENS", endpoint: "other.eth" },
        ],
      }),
    );
    world.chronicles = [
      {
        changeType: "soul_revision",
        newSoulHash: `0x${"d4".repeat(32)}`,
        timestamp: 1_700_000_100n,
        txHash: `0x${"e5".repeat(32)}`,
      },
    ];
    const scope = ["services", "profile", "soul", "chronicles", "did"];
    const { body } = await harness.walletSignIn(signer, { scope });
    const services = [
      { name: "A2A", endpoint: "https://a.example/a2a", version: "0.3.0" },
      { name: "mcp", endpoint: "http://a.example/mcp", version: null },
    ];
    expect(body.profile).toMatchObject({
      agentName: "soul-8",
      avatar: `https://agents.example/ar/${"o".repeat(43)}`,
      description: "Counts herons.",
      services,
      bio: "A heron counter.",
      category: "knowledge",
      tags: ["birds"],
      contacts: [{ type: "x", value: "@herons" }],
      soulAlignment: 87,
      genesisRecord: {
        sealedAt: "2023-11-14T22:13:20.000Z",
        mintTxHash: `0x${"11".repeat(32)}`,
        sealTxHash: `0x${"22".repeat(32)}`,
        arweaveTxId: "g".repeat(43),
      },
      chronicles: [
        {
          changeType: "soul_revision",
          newSoulHash: `0x${"d4".repeat(32)}`,
          timestamp: "2023-11-14T22:15:00.000Z",
          txHash: `0x${"e5".repeat(32)}`,
          status: "confirmed",
        },
      ],
    });
    expect(body.profile.services).toHaveLength(2);
    expect(body.profile.didDocument).toMatchObject({
      id: "did:svc:31337:soul-8",
      service: [
        {
          id: "did:svc:31337:soul-8#service-1",
          type: "A2A",
          serviceEndpoint: "https://a.example/a2a",
        },
        {
          id: "did:svc:31337:soul-8#service-2",
          type: "mcp",
          serviceEndpoint: "http://a.example/mcp",
        },
      ],
    });
  });

  it("returns nothing that is recorded for another epoch", async () => {
    hold(3n, soulOf(8n, { epoch: 2 }));
    world.details = { passportUri: null, soul: detailsOf(1) };
    const { body } = await harness.walletSignIn(signer, { scope: ["profile", "soul"] });
    expect(body.profile).toMatchObject({ bio: null, category: null, tags: [], contacts: [] });
    expect(body.profile.soulAlignment).toBeNull();
    expect(body.profile.genesisRecord).toMatchObject({ epoch: 2, sealedAt: null });
  });

  it.each<[string, string, string | null]>([
    ["on an external web server", "https://mallory.example/card.json", null],
    ["nowhere", `ar://${"c".repeat(43)}`, null],
    ["no JSON", `ar://${"c".repeat(43)}`, "{"],
    ["no object", `ar://${"c".repeat(43)}`, "[1]"],
    ["too large", `ar://${"c".repeat(43)}`, `"${"a".repeat(1024 * 1024)}"`],
    ["a broken data URI", "data:application/json,%", null],
    ["a data URI of another type", 'data:text/html,{"description":"x"}', null],
    ["no URI", "\u202e", null],
  ])("signs in a passport whose file is %s", async (_what, uri, file) => {
    hold(0n);
    world.details = { passportUri: uri, soul: null };
    if (file !== null) world.files.set("c".repeat(43), file);
    const { status, body } = await harness.agentSignIn(signer, 0, { scope: ["services"] });
    expect(status).toBe(200);
    expect(body.profile).toMatchObject({
      agentName: "agent-0",
      avatar: null,
      description: null,
      services: [],
    });
  });

  it("waits for a registration file only within its time limit", async () => {
    hold(0n);
    world.details = { passportUri: `ar://${"s".repeat(43)}`, soul: null };
    const { status, body } = await harness.agentSignIn(signer, 0, { scope: ["services"] });
    expect([status, body.profile.services]).toEqual([200, []]);
  });

  it("signs in while nothing is indexed, without the members that need the index", async () => {
    hold(0n, soulOf(8n));
    world.nothingIndexed = true;
    const scope = ["profile", "chronicles", "services", "soul"];
    const { status, body } = await harness.agentSignIn(signer, 0, { scope });
    expect(status).toBe(200);
    expect(body.profile).toMatchObject({
      agentName: "soul-8",
      avatar: null,
      services: [],
      bio: null,
      chronicles: [],
      soulAlignment: null,
    });
  });

  it("stores the code only by its hash", async () => {
    hold(3n);
    const { body } = await harness.post("verify", await harness.signed("wallet", signer));
    const { rows } = await connection.db.execute(
      sql`select auth_code::text as row from app.auth_code`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => String(row).includes(body.code))).toBe(false);
  });
});

describe("the passport a wallet signs in with", () => {
  const signedInAs = async (options: object = {}) =>
    (await harness.walletSignIn(signer, options)).body.profile.agentId;

  it("is the one of the highest tier, however new", async () => {
    hold(1n, null, 1n);
    hold(2n, soulOf(5n), 50n);
    expect(await signedInAs()).toBe(2);
  });

  it("is the longest held one of a tier: a gift changes nothing, with any id", async () => {
    hold(9n, null, 20n);
    hold(1n, null, 30n);
    expect(await signedInAs()).toBe(9);
  });

  it("is the named one, when the wallet owns it", async () => {
    hold(1n, soulOf(5n), 1n);
    hold(0n, null, 2n);
    expect(await signedInAs({ agentId: 0 })).toBe(0);
  });

  it("is refused when another account owns the named one", async () => {
    hold(1n);
    world.passports.set(2n, { id: 2n, owner: CERTIFICATE, soul: null });
    for (const agentId of [2, 77]) {
      expect(refusal(await harness.walletSignIn(signer, { agentId }))).toEqual({
        status: 403,
        type: "NOT_OWNER",
        details: { agentId },
      });
    }
  });

  it("comes from the chain, not from the index", async () => {
    hold(1n, null, 1n);
    hold(2n, null, 2n);
    world.passports.set(1n, { id: 1n, owner: CERTIFICATE, soul: null });
    expect(await signedInAs()).toBe(2);
    expect(world.logsRead).toEqual([]);
  });

  it("is found in the logs after the indexed block when the index is behind", async () => {
    world.indexedBlock = 90n;
    world.passports.set(4n, { id: 4n, owner: signer.address, soul: null });
    world.received = [
      { id: 7n, since: 93n },
      { id: 4n, since: 95n },
    ];
    expect(await signedInAs()).toBe(4);
    expect(world.logsRead).toEqual([{ from: 91n, to: 100n }]);
  });

  it("counts as held since its return, when the index is behind that block", async () => {
    world.indexedBlock = 90n;
    hold(4n, null, 5n);
    hold(5n, null, 6n);
    world.passports.set(6n, { id: 6n, owner: signer.address, soul: null });
    world.received = [
      { id: 4n, since: 95n },
      { id: 6n, since: 96n },
    ];
    expect(await signedInAs()).toBe(5);
  });

  it("does not exist for a wallet without passports", async () => {
    expect(refusal(await harness.walletSignIn(signer))).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: {},
    });
  });

  it("has to be named when the index has never seen it", async () => {
    world.passports.set(4n, { id: 4n, owner: signer.address, soul: null });
    const answer = await harness.walletSignIn(signer);
    expect(refusal(answer)).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: { passportCount: "1" },
    });
    expect(answer.body.error.message).toContain("`agentId`");
    expect(await signedInAs({ agentId: 4 })).toBe(4);
  });

  it("is chosen among 50 at most", async () => {
    for (let id = 0n; id < 60n; id += 1n) hold(id, null, id);
    expect(await signedInAs()).toBe(0);
    expect(world.logsRead).toEqual([]);
  });
});

describe("the agent flow", () => {
  it("answers with the token at once, for agent 0", async () => {
    hold(0n, soulOf(8n));
    const answer = await harness.agentSignIn(signer, 0, { scope: ["certs"] });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      accessToken: expect.any(String),
      tokenType: "Bearer",
      expiresIn: 3600,
      tier: 2,
      scopes: ["identity", "certs"],
      profile: {
        agentId: 0,
        agentName: "soul-8",
        holder: signer.address,
        erc8004AgentId: 0,
        chainId: 31337,
        did: "did:svc:31337:soul-8",
        humanVerified: false,
        avatar: null,
        description: null,
        tokenId: 8,
        certs: [{ contract: CERTIFICATE, tokenId: 8 }],
      },
    });
  });

  it("gives soulAlignment with scope soul only", async () => {
    hold(0n, soulOf(8n));
    const { body } = await harness.agentSignIn(signer, 0, { scope: ["soul"] });
    expect(body.profile.soulAlignment).toBeNull();
  });

  it("refuses a signer other than the passport's owner", async () => {
    world.passports.set(5n, { id: 5n, owner: CERTIFICATE, soul: null });
    expect(refusal(await harness.agentSignIn(signer, 5))).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: { agentId: 5 },
    });
  });

  it("answers CHAIN_UNAVAILABLE without the chain, and the nonce stays usable", async () => {
    hold(5n);
    const signed = await harness.signed("agent", signer, { agentId: 5 });
    world.chainDown = true;
    expect(refusal(await harness.post("agent/verify", signed))).toMatchObject({
      status: 503,
      type: "CHAIN_UNAVAILABLE",
    });
    world.chainDown = false;
    expect((await harness.post("agent/verify", signed)).status).toBe(200);
  });
});

describe.each([
  ["wallet", "verify", {}],
  ["agent", "agent/verify", { agentId: 5 }],
] as const)("verify in the %s flow", (flow, path, options) => {
  beforeEach(() => hold(5n));

  async function expectRefused(body: object, status: number, type: string, details = {}) {
    expect(refusal(await harness.post(path, body))).toEqual({ status, type, details });
  }

  it("accepts only the issued bytes, and a refusal does not use the nonce", async () => {
    const signed = await harness.signed(flow, signer, options);
    const { message } = signed;
    const edits: [string, string][] = [
      ["domain", message.replaceAll("agents.example", "evil.example")],
      ["Chain ID", message.replace("Chain ID: 31337", "Chain ID: 1")],
      ["Version", message.replace("Version: 1", "Version: 2")],
      ["URI", message.replace("URI: https", "URI: http")],
      ["Issued At", message.replace("Issued At: 2026", "Issued At: 2027")],
      ["Expiration Time", message.replace(":05:00", ":06:00")],
      ["address", message.replace(signer.address, signer.address.toLowerCase())],
      ["text", message.replace("Sign in to", "Sign out of")],
      ["text", message.replaceAll("Sign in to ", "")],
      ["domain", message.replaceAll("\n", "\r\n")],
      ["text", `${message}\n`],
      ["Expiration Time", `${message} `],
      ["Expiration Time", message.slice(0, -1)],
    ];
    for (const [field, edited] of edits) {
      expect(edited).not.toBe(message);
      const signature = await signer.signMessage({ message: edited });
      const body = { ...signed, message: edited, signature };
      const details = { reason: "MESSAGE_CHANGED", field };
      await expectRefused(body, 401, "INVALID_SIGNATURE", details);
    }
    expect((await harness.post(path, signed)).status).toBe(200);
  });

  it("refuses a message that was issued with another nonce", async () => {
    const a = await harness.signed(flow, signer, options);
    const b = await harness.signed(flow, signer, options);
    await expectRefused({ ...a, nonce: b.nonce }, 401, "INVALID_SIGNATURE", {
      reason: "MESSAGE_CHANGED",
      field: "Nonce",
    });
  });

  it("refuses another flow's nonce, which stays usable in its own flow", async () => {
    const other = flow === "wallet" ? "agent" : "wallet";
    const signed = await harness.signed(other, signer, other === "agent" ? { agentId: 5 } : {});
    await expectRefused(signed, 401, "NONCE_EXPIRED");
    const own = other === "agent" ? "agent/verify" : "verify";
    expect((await harness.post(own, signed)).status).toBe(200);
  });

  it("accepts a nonce until its last millisecond", async () => {
    const a = await harness.signed(flow, signer, options);
    const b = await harness.signed(flow, signer, options);
    later(NONCE_LIFETIME_MS - 1);
    expect((await harness.post(path, a)).status).toBe(200);
    later(NONCE_LIFETIME_MS);
    await expectRefused(b, 401, "NONCE_EXPIRED");
  });

  it.each(["unknown12345678", "0".repeat(32), "' or true --", "💥"])(
    "answers NONCE_EXPIRED for %j, which was never issued",
    async (nonce) => {
      const signed = await harness.signed(flow, signer, options);
      await expectRefused({ ...signed, nonce }, 401, "NONCE_EXPIRED");
    },
  );

  it("uses a nonce once: reuse is NONCE_USED, also after it expired", async () => {
    const signed = await harness.signed(flow, signer, options);
    expect((await harness.post(path, signed)).status).toBe(200);
    await expectRefused(signed, 401, "NONCE_USED");
    later(NONCE_LIFETIME_MS + 1);
    await expectRefused(signed, 401, "NONCE_USED");
  });

  it("accepts one of 50 parallel uses of a nonce, 20 times", async () => {
    for (let round = 0; round < 20; round += 1) {
      const signed = await harness.signed(flow, signer, options);
      await expectOneWinner("NONCE_USED", () => harness.post(path, signed));
    }
  });

  it.each([
    ["a number", 1],
    ["no hex", "signature"],
    ["nothing", "0x"],
    ["half a byte", "0x123"],
    ["too long", `0x${"00".repeat(8193)}`],
  ])("refuses a signature that is %s as a malformed request", async (_what, signature) => {
    const signed = await harness.signed(flow, signer, options);
    expect(refusal(await harness.post(path, { ...signed, signature }))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "signature", message: expect.any(String) }] },
    });
  });
});

describe("the store", () => {
  it("uses no value at or after its expiry, and stores no code with it", async () => {
    const store = signInStore(connection.db);
    const { nonce } = await harness.signed("wallet", signer);
    const expiresAt = new Date(START.getTime() + NONCE_LIFETIME_MS);
    const codeHash = Buffer.alloc(32, 7);
    const session = {
      sessionId: "5b6f8a52-0000-4000-8000-000000000003",
      holder: signer.address,
      agentId: 0n,
      agentName: "a",
      tokenId: null,
      soul: null,
      chainId: 1,
      humanVerified: false,
      checkedBlock: 1n,
      checkedAt: 1n,
      flow: "wallet",
      tier: 1,
      scopes: [],
      audience: "https://shop.example",
      manages: null,
    } as const;
    const code = { codeHash, session, expiresAt: new Date(expiresAt.getTime() + 1) };
    const opened = { session, expiresAt: code.expiresAt };
    expect(await store.consume(nonce, expiresAt, opened)).toBe(false);
    expect(await store.consumeForCode(nonce, expiresAt, code)).toBe(false);
    expect(await store.redeem(codeHash, START)).toBe("expired");

    expect(await store.consumeForCode(nonce, START, code)).toBe(true);
    expect(await store.consume(nonce, START, opened)).toBe(false);
    expect(await store.redeem(codeHash, START)).toEqual(session);
    expect(await store.redeem(codeHash, START)).toBe("used");
  });
});

describe("token", () => {
  async function code(): Promise<string> {
    hold(5n);
    return (await harness.post("verify", await harness.signed("wallet", signer))).body.code;
  }
  const redeem = (value: unknown) => harness.post("token", { code: value });

  it("names the code's expiry", async () => {
    hold(5n);
    later(1000);
    const answer = await harness.post("verify", await harness.signed("wallet", signer));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expiresAt: "2026-01-31T12:05:01.000Z",
    });
  });

  it("accepts a code until its last millisecond", async () => {
    const codes = [await code(), await code()];
    later(NONCE_LIFETIME_MS - 1);
    expect((await redeem(codes[0])).status).toBe(200);
    later(NONCE_LIFETIME_MS);
    expect(refusal(await redeem(codes[1]))).toMatchObject({ status: 401, type: "CODE_EXPIRED" });
  });

  it("answers CODE_USED for a used code and CODE_EXPIRED for an unknown one", async () => {
    const value = await code();
    expect((await redeem(value)).status).toBe(200);
    expect(refusal(await redeem(value))).toEqual({ status: 401, type: "CODE_USED", details: {} });
    for (const unknown of ["x", `${value.slice(0, -1)}!`]) {
      expect(refusal(await redeem(unknown))).toEqual({
        status: 401,
        type: "CODE_EXPIRED",
        details: {},
      });
    }
  });

  it("accepts one of 50 parallel uses of a code, 20 times", async () => {
    for (let round = 0; round < 20; round += 1) {
      const value = await code();
      await expectOneWinner("CODE_USED", () => redeem(value));
    }
  });
});

describe("the audience and reach of a token", () => {
  const introspect = async (token: unknown) =>
    (await harness.post("token/introspect", { token })).body;

  it.each<[string, object, object, "agent" | "account" | undefined]>([
    ["an identity token", {}, { aud: "agents.example", scopes: ["identity"] }, undefined],
    [
      "a token for a relying party",
      { audience: "https://shop.example:8443" },
      { aud: "https://shop.example:8443", scopes: ["identity"] },
      undefined,
    ],
    [
      "a token that manages the account",
      { scope: ["manage"] },
      { aud: "agents.example", scopes: ["identity", "manage"] },
      "account",
    ],
    [
      "a token that manages one agent",
      { scope: ["manage", "manage"], agentId: 5 },
      { aud: "agents.example", scopes: ["identity", "manage"] },
      "agent",
    ],
  ])("%s names both, also through the code", async (_what, options, expected, manages) => {
    hold(5n);
    const { status, body } = await harness.walletSignIn(signer, options);
    expect(status).toBe(200);
    const claims = decodeJwt(body.accessToken);
    expect(claims).toMatchObject(expected);
    expect(claims.manages).toBe(manages);
    const introspected = await introspect(body.accessToken);
    expect(introspected).toMatchObject({ active: true, ...expected });
    expect(introspected.manages).toBe(manages);
  });

  it("is one agent for every token of the agent flow with scope manage", async () => {
    hold(0n);
    const { body } = await harness.agentSignIn(signer, 0, { scope: ["manage"] });
    expect(decodeJwt(body.accessToken)).toMatchObject({ manages: "agent", erc8004AgentId: 0 });
    const plain = await harness.agentSignIn(signer, 0, { audience: "https://shop.example" });
    expect(plain.body.scopes).toEqual(["identity"]);
    expect(await introspect(plain.body.accessToken)).toMatchObject({
      active: true,
      aud: "https://shop.example",
    });
  });

  it("is fixed by the challenge: verify takes neither from the caller nor from an edited text", async () => {
    hold(5n);
    for (const [path, flow] of [
      ["verify", "wallet"],
      ["agent/verify", "agent"],
    ] as const) {
      const signed = await harness.signed(flow, signer, { agentId: 5 });
      for (const extra of [{ audience: "https://shop.example" }, { scope: ["manage"] }]) {
        expect(refusal(await harness.post(path, { ...signed, ...extra }))).toMatchObject({
          status: 400,
          type: "INVALID_REQUEST",
        });
      }
      const managing = await harness.post(path === "verify" ? "challenge" : "agent/challenge", {
        address: signer.address,
        agentId: 5,
        scope: ["manage"],
      });
      // The text of a challenge with scope manage, signed by the owner and sent with the nonce of a
      // challenge without it.
      const message = managing.body.message.replace(managing.body.nonce, signed.nonce);
      const signature = await signer.signMessage({ message });
      expect(
        refusal(await harness.post(path, { nonce: signed.nonce, message, signature })),
      ).toEqual({
        status: 401,
        type: "INVALID_SIGNATURE",
        details: { reason: "MESSAGE_CHANGED", field: "text" },
      });
      const answer = await harness.post(path, signed);
      expect(answer.status).toBe(200);
      const token =
        path === "verify"
          ? (await harness.post("token", { code: answer.body.code })).body
          : answer.body;
      expect(token.scopes).toEqual(["identity"]);
      expect(decodeJwt(token.accessToken)).toMatchObject({ aud: "agents.example" });
    }
  });

  it("gives scope manage only to the passport's live owner", async () => {
    world.passports.set(5n, { id: 5n, owner: newAccount().address, soul: null });
    for (const answer of [
      await harness.agentSignIn(signer, 5, { scope: ["manage"] }),
      await harness.walletSignIn(signer, { agentId: 5, scope: ["manage"] }),
      await harness.walletSignIn(signer, { scope: ["manage"] }),
    ]) {
      expect(refusal(answer)).toMatchObject({ status: 403, type: "NOT_OWNER" });
    }
  });
});

describe("introspect", () => {
  const introspect = (token: unknown) => harness.post("token/introspect", { token });
  const issue = async () => {
    hold(5n, soulOf(8n));
    return (await harness.walletSignIn(signer, { scope: ["soul"] })).body.accessToken as string;
  };
  const inactive = { status: 200, body: { active: false } };

  it("returns the claims of a valid token, as JSON and as a form", async () => {
    const token = await issue();
    const active = {
      active: true,
      sub: signer.address,
      iss: "agents.example",
      aud: "agents.example",
      iat: START.getTime() / 1000,
      exp: START.getTime() / 1000 + 3600,
      jti: expect.any(String),
      token_type: "Bearer",
      scope: "identity soul",
      tier: 2,
      scopes: ["identity", "soul"],
      agentName: "soul-8",
      erc8004AgentId: 5,
      chainId: 31337,
      humanVerified: false,
    };
    const json = await introspect(token);
    expect(json.headers.get("cache-control")).toBe("no-store");
    expect(json).toMatchObject({ status: 200 });
    expect(json.body).toEqual(active);

    const form = await harness.app.request("/api/v1/auth/token/introspect", {
      method: "POST",
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
    });
    expect(form.status).toBe(200);
    expect(form.headers.get("cache-control")).toBe("no-store");
    expect(await form.json()).toEqual(active);
  });

  it("answers active: false alone for every invalid token", async () => {
    const token = await issue();
    for (const bad of ["", "a", "a.b.c", `${token}x`, token.slice(0, -2), token.replace(".", "")]) {
      expect(await introspect(bad)).toMatchObject(inactive);
      expect((await introspect(bad)).body).toEqual({ active: false });
    }
    later(3_600_000);
    expect((await introspect(token)).body).toEqual({ active: false });
  });

  it.each<[boolean, string, Partial<PassportStanding>]>([
    [true, "nothing is indexed of it", {}],
    [true, "it was held since that block", { ownerSinceBlock: 100n, soulStatus: "SEALED" }],
    [false, "it was transferred in the next", { ownerSinceBlock: 101n, soulStatus: "SEALED" }],
    [false, "the soul was burned", { ownerSinceBlock: 10n, soulStatus: "BURNED" }],
    [true, "the index has not seen its owner get it", { at: blockAt(99n), owner: OTHER }],
    [false, "a reorganization put its sale before that block", { owner: OTHER }],
  ])("active: %s when %s", async (active, _what, standing) => {
    const token = await issue();
    const held = { at: blockAt(100n), owner: signer.address, ownerSinceBlock: null };
    world.standing = { ...held, soulStatus: null, ...standing };
    expect((await introspect(token)).body).toMatchObject({ active });
  });

  it("refuses a request without a token, and other content types", async () => {
    const request = (headers: Record<string, string>, body?: string) =>
      harness.app.request("/api/v1/auth/token/introspect", {
        method: "POST",
        headers,
        ...(body === undefined ? {} : { body }),
      });
    for (const response of [
      await request({}),
      await request({ "content-type": "application/json" }, "{}"),
      await request({ "content-type": "application/json" }, '{"token":1}'),
      await request({ "content-type": "application/json" }, "{"),
      await request({ "content-type": "application/x-www-form-urlencoded" }, "t=1"),
    ]) {
      expect(response.status).toBe(400);
      expect((await response.json()).error.type).toBe("INVALID_REQUEST");
    }
    const text = await request({ "content-type": "text/plain" }, "token");
    expect(text.status).toBe(415);
    expect((await text.json()).error.type).toBe("UNSUPPORTED_MEDIA_TYPE");
  });
});
