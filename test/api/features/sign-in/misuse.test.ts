import { randomBytes, webcrypto } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { base64url, decodeJwt, SignJWT } from "jose";
import { createPublicClient, type Hex, http, type LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSignInReads } from "../../../../api/features/sign-in/reads.store.ts";
import { createMessageSignatures } from "../../../../api/platform/chain/signatures.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { type ChainReads, createChainReads } from "../../../../api/soul/indexed.store.ts";
import { account, type IndexedChain, startIndexedChain } from "../../../fixtures/indexed-chain.ts";
import { type RunningIndexer, startIndexer } from "../../../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { type HarnessParts, liveState, newAccount, refusal, signInHarness } from "./harness.ts";

// Every known attack on sign-in, on the real chain with the real index and real Postgres.

const secret = { kid: "k", secret: randomBytes(32) };

let chain: IndexedChain;
let database: TestDatabase;
let connection: DatabaseConnection;
let indexer: RunningIndexer;
let reads: ChainReads;
let harness: Harness;
type Harness = Awaited<ReturnType<typeof signInHarness>>;

beforeAll(async () => {
  [chain, database] = await Promise.all([startIndexedChain(), createDatabase()]);
  connection = connectDatabase(database.url, createLog("silent"));
  indexer = await startIndexer({ ...chain, databaseUrl: database.url });
  reads = createChainReads(connection.pool);
  harness = await harnessWith({});
});
afterAll(async () => {
  await indexer?.stop();
  await connection?.close();
  await chain?.stop();
  await database?.drop();
});

/** The node's accounts 1 to 19. Each one's passports belong to one test. */
let next = 10;
function owner(): LocalAccount {
  next += 1;
  return account(next);
}

function harnessWith(change: Partial<HarnessParts>, rpcUrl = chain.rpcUrl, timeoutMs = 5_000) {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) });
  return signInHarness({
    db: connection.db,
    live: liveState({ client, timeoutMs, ...chain.contracts }),
    index: { ...reads, ...createSignInReads(connection.pool) },
    signatures: createMessageSignatures({ client, timeoutMs }),
    clock: () => new Date(),
    secrets: [secret],
    ...chain.contracts,
    ...change,
  });
}

async function indexed() {
  const block = await chain.client.getBlockNumber({ cacheTime: 0 });
  expect(await reads.waitForBlock(block, 10_000)).toBeGreaterThanOrEqual(block);
}

const introspect = async (token: string) =>
  (await harness.post("token/introspect", { token })).body;

describe("a name that belongs to another agent", () => {
  it("is not taken from a registration file into token, profile or introspection", async () => {
    const [honest, mallory] = [owner(), owner()];
    await chain.register(honest, "aurora");
    const claim = {
      name: "aurora",
      image: "https://mallory.example/face.png",
      services: [
        { name: "DID", endpoint: "did:svc:31337:aurora" },
        { name: "did", endpoint: "did:svc:31337:aurora" },
        { name: "SVC", endpoint: "https://agents.example/agents/aurora" },
        { name: "web", endpoint: "https://mallory.example" },
      ],
      svc: { did: "did:svc:31337:aurora", tokenId: 1, chainId: 31337 },
    };
    const uris = [
      `data:application/json,${encodeURIComponent(JSON.stringify(claim))}`,
      `data:application/json;base64,${Buffer.from(JSON.stringify(claim)).toString("base64")}`,
      "https://mallory.example/aurora.json",
    ];
    for (const uri of uris) {
      const { agentId } = await chain.registerPassport(mallory, uri);
      await indexed();
      const options = { agentId: Number(agentId), scope: ["services", "did", "soul", "profile"] };
      const wallet = await harness.walletSignIn(mallory, options);
      const agent = await harness.agentSignIn(mallory, Number(agentId), { scope: options.scope });
      for (const { status, body } of [wallet, agent]) {
        expect([status, body.tier, body.scopes]).toEqual([200, 1, ["identity", "services", "did"]]);
        expect(body.profile).toMatchObject({
          agentName: `agent-${agentId}`,
          did: `did:svc:31337:agent-${agentId}`,
        });
        expect(body.profile.didDocument.id).toBe(`did:svc:31337:agent-${agentId}`);
        const answers = [
          body.profile,
          decodeJwt(body.accessToken),
          await introspect(body.accessToken),
        ];
        const everything = JSON.stringify(answers).replaceAll("mallory.example/aurora", "");
        expect(everything).not.toContain("aurora");
        expect(everything).toContain(`agent-${agentId}`);
      }
    }
  });
});

describe("a token", () => {
  /** Signed in as an indexed agent with a soul. */
  async function signedIn(name: string) {
    const holder = owner();
    const { passportId, tokenId } = await chain.register(holder, name);
    await indexed();
    const { body } = await harness.agentSignIn(holder, Number(passportId));
    expect(await introspect(body.accessToken)).toMatchObject({ active: true, agentName: name });
    return { holder, passportId, tokenId, token: body.accessToken as string };
  }

  it("ends when the passport moves, and stays ended when the passport comes back", async () => {
    const { holder, passportId, token } = await signedIn("borealis");
    const buyer = owner();
    await chain.transferPassport(passportId, holder, buyer.address);
    await indexed();
    expect(await introspect(token)).toEqual({ active: false });
    await chain.transferPassport(passportId, buyer, holder.address);
    await indexed();
    expect(await introspect(token)).toEqual({ active: false });
  });

  it("ends when the soul is suspended", async () => {
    const { holder, passportId, tokenId, token } = await signedIn("cygnus");
    await chain.transferPassport(passportId, holder, newAccount().address);
    await chain.suspend(account(0), tokenId);
    await indexed();
    expect(await introspect(token)).toEqual({ active: false });
  });

  it("ends when the soul is burned, and the passport then signs in without a name", async () => {
    const { holder, passportId, tokenId, token } = await signedIn("draco");
    await chain.burn(holder, tokenId);
    await indexed();
    expect(await introspect(token)).toEqual({ active: false });
    const { body } = await harness.agentSignIn(holder, Number(passportId), { scope: ["soul"] });
    expect([body.tier, body.profile.agentName]).toEqual([1, `agent-${passportId}`]);
    expect(await introspect(body.accessToken)).toMatchObject({ active: true, tier: 1 });
  });
});

describe("an attested owner", () => {
  it("has tier 3 in both flows until the passport moves", async () => {
    const attester = privateKeyToAccount(generatePrivateKey());
    const { verifier } = await chain.proposeVerifier(attester.address);
    await chain.activateVerifier(account(0), verifier);
    const holder = owner();
    const nullifier: Hex = `0x${"77".repeat(32)}`;
    const name = "erato";
    const proof = await chain.humanProof({
      attester,
      verifier,
      name,
      nullifier,
      owner: holder.address,
    });
    const { passportId, timestamp } = await chain.register(holder, name, {}, proof);
    await indexed();
    const options = { scope: ["human_verified"], minTier: 3 };
    for (const { body } of [
      await harness.walletSignIn(holder, options),
      await harness.agentSignIn(holder, Number(passportId), options),
    ]) {
      expect(body).toMatchObject({ tier: 3, scopes: ["identity", "human_verified"] });
      expect(body.profile).toMatchObject({
        agentName: name,
        humanVerified: true,
        verifiedAt: new Date(Number(timestamp) * 1000).toISOString(),
      });
      expect(await introspect(body.accessToken)).toMatchObject({ tier: 3, humanVerified: true });
    }
    const buyer = owner();
    await chain.transferPassport(passportId, holder, buyer.address);
    expect(
      refusal(await harness.walletSignIn(buyer, { ...options, agentId: Number(passportId) })),
    ).toEqual({ status: 403, type: "TIER_TOO_LOW", details: { tier: 1, minTier: 3 } });
  });
});

describe("a signed message", () => {
  const holder = account(1);
  let agentId: number;
  beforeAll(async () => {
    agentId = Number((await chain.registerPassport(holder, "")).agentId);
    await indexed();
  });
  const unknown = { status: 401, type: "NONCE_EXPIRED", details: {} };

  it.each<[string, "domain" | "chainId"]>([
    ["another domain", "domain"],
    ["another chain", "chainId"],
  ])(
    "of %s is unknown, and one with a nonce of this service is not the issued message",
    async (_what, which) => {
      const elsewhere = await createDatabase();
      const there = connectDatabase(elsewhere.url, createLog("silent"));
      const change = which === "domain" ? { domain: "other.example" } : { chainId: 8453 };
      const other = await harnessWith({ ...change, db: there.db });
      for (const [flow, path] of [
        ["wallet", "verify"],
        ["agent", "agent/verify"],
      ] as const) {
        const options = flow === "agent" ? { agentId } : {};
        const foreign = await other.signed(flow, holder, options);
        expect(refusal(await harness.post(path, foreign))).toEqual(unknown);
        // A relay attack: a nonce of this service in a message that a user signs elsewhere.
        const ours = await harness.signed(flow, holder, options);
        const message = foreign.message.replace(foreign.nonce, ours.nonce);
        const signature = await holder.signMessage({ message });
        expect(
          refusal(await harness.post(path, { nonce: ours.nonce, message, signature })),
        ).toEqual({
          status: 401,
          type: "INVALID_SIGNATURE",
          details: {
            reason: "MESSAGE_CHANGED",
            field: which === "domain" ? "domain" : flow === "agent" ? "Agent Registry" : "Chain ID",
          },
        });
      }
      await there.close();
      await elsewhere.drop();
    },
  );

  it("of either flow is unknown in the second one", async () => {
    const wallet = await harness.signed("wallet", holder, { agentId });
    expect(refusal(await harness.post("agent/verify", wallet))).toEqual(unknown);
    const agent = await harness.signed("agent", holder, { agentId });
    expect(refusal(await harness.post("verify", agent))).toEqual(unknown);
  });

  it("with another address's nonce, or signed by another account, is refused", async () => {
    const other = account(2);
    const theirs = await harness.signed("agent", other, { agentId });
    const own = await harness.signed("agent", holder, { agentId });
    expect(refusal(await harness.post("agent/verify", { ...own, nonce: theirs.nonce }))).toEqual({
      status: 401,
      type: "INVALID_SIGNATURE",
      details: { reason: "MESSAGE_CHANGED", field: "address" },
    });
    const { signature } = theirs;
    expect(refusal(await harness.post("agent/verify", { ...own, signature }))).toEqual({
      status: 401,
      type: "INVALID_SIGNATURE",
      details: {},
    });
    // A caller that signs in as itself with another owner's passport is not that owner.
    expect(refusal(await harness.post("agent/verify", theirs))).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: { agentId: Number(agentId) },
    });
  });

  it.each<[string, string, (message: string) => string]>([
    ["agent id", "Agent ID", (m) => m.replace(/Agent ID: .*/, "Agent ID: 12345")],
    ["agent id that only looks right", "Agent ID", (m) => m.replace(/(Agent ID: .*)/, "$1abc")],
    ["registry", "Agent Registry", (m) => m.replace(/(31337:0x.{39})./, "$1Z")],
    ["chain", "Chain ID", (m) => m.replace("Chain ID: 31337", "Chain ID: 1")],
    ["version", "Version", (m) => m.replace("Version: 1", "Version: 2")],
    [
      "issue time, in the future",
      "Issued At",
      (m) => m.replace(/Issued At: 20../, "Issued At: 2999"),
    ],
    ["expiry, unparsable", "Expiration Time", (m) => m.replace(/(Expiration Time: ).*/, "$1never")],
    [
      "address, in lower case",
      "address",
      (m) => m.replace(holder.address, holder.address.toLowerCase()),
    ],
    ["field, unknown", "Agent ID", (m) => m.replace("Version: 1\n", "Version: 1\nScope: admin\n")],
    ["field, repeated", "Agent ID", (m) => m.replace("Version: 1\n", "Version: 1\nVersion: 1\n")],
    ["order of fields", "Version", (m) => m.replace(/(Version: 1)\n(Agent ID: .*)/, "$2\n$1")],
  ])("with an edited %s is refused, though its owner signed it", async (_what, field, edit) => {
    const { nonce, message } = await harness.signed("agent", holder, { agentId });
    const edited = edit(message);
    expect(edited).not.toBe(message);
    const signature = await holder.signMessage({ message: edited });
    expect(
      refusal(await harness.post("agent/verify", { nonce, message: edited, signature })),
    ).toEqual({
      status: 401,
      type: "INVALID_SIGNATURE",
      details: { reason: "MESSAGE_CHANGED", field },
    });
  });

  it("cannot raise scopes or tier: verify takes neither", async () => {
    const signed = await harness.signed("agent", holder, { agentId });
    for (const [field, change] of [
      ["scope", { scope: ["soul"] }],
      ["minTier", { minTier: 1 }],
      ["agentId", { agentId }],
      ["address", { address: holder.address }],
    ] as const) {
      expect(refusal(await harness.post("agent/verify", { ...signed, ...change }))).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: { issues: [{ path: field, message: "Unknown field" }] },
      });
    }
  });

  it("with one bit of its signature flipped is refused", async () => {
    const signed = await harness.signed("agent", holder, { agentId });
    for (const bit of [0, 7, 255, 256, 300, 511]) {
      const bytes = Buffer.from(signed.signature.slice(2), "hex");
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const signature = `0x${bytes.toString("hex")}`;
      expect(refusal(await harness.post("agent/verify", { ...signed, signature }))).toEqual({
        status: 401,
        type: "INVALID_SIGNATURE",
        details: {},
      });
    }
    expect((await harness.post("agent/verify", signed)).status).toBe(200);
  });

  it("expires, as does its code; the token's expiry is in its claims", async () => {
    let now = new Date();
    const later = await harnessWith({ clock: () => now });
    const [first, second] = [
      await later.signed("wallet", holder),
      await later.signed("wallet", holder),
    ];
    const { code } = (await later.post("verify", first)).body;
    const { accessToken } = (await later.agentSignIn(holder, agentId)).body;
    now = new Date(now.getTime() + 300_000);
    expect(refusal(await later.post("verify", second))).toEqual(unknown);
    expect(refusal(await later.post("token", { code }))).toEqual({
      ...unknown,
      type: "CODE_EXPIRED",
    });
    expect((await later.post("token/introspect", { token: accessToken })).body.active).toBe(true);
    now = new Date(now.getTime() + 3_300_000);
    expect((await later.post("token/introspect", { token: accessToken })).body).toEqual({
      active: false,
    });
  });
});

describe("a code", () => {
  it("gives the session that it was issued for to the first caller that redeems it", async () => {
    const [a, b] = [account(3), account(4)];
    for (const holder of [a, b]) await chain.registerPassport(holder, "");
    await indexed();
    const code = async (holder: LocalAccount) =>
      (await harness.post("verify", await harness.signed("wallet", holder))).body.code;
    const [codeOfA, codeOfB] = [await code(a), await code(b)];
    const redeem = (value: string) => harness.post("token", { code: value });
    expect((await redeem(codeOfB)).body.profile.holder).toBe(b.address);
    expect((await redeem(codeOfA)).body.profile.holder).toBe(a.address);
    const used = { status: 401, type: "CODE_USED", details: {} };
    expect(refusal(await redeem(codeOfA))).toEqual(used);
    // A nonce or a token is not accepted as a code.
    const { nonce } = await harness.signed("wallet", a);
    expect(refusal(await redeem(nonce))).toEqual({ ...used, type: "CODE_EXPIRED" });
    expect(
      refusal(await harness.post("token", { code: codeOfA, address: b.address })),
    ).toMatchObject({
      status: 400,
      type: "INVALID_REQUEST",
    });
  });
});

describe("a forged token", () => {
  const holder = account(5);
  let good: string;
  let claims: Record<string, unknown>;
  beforeAll(async () => {
    const { agentId } = await chain.registerPassport(holder, "");
    await indexed();
    good = (await harness.agentSignIn(holder, Number(agentId))).body.accessToken;
    claims = decodeJwt(good);
  });

  const HEADER = { alg: "HS256", typ: "JWT", kid: "k" };
  const signed = (
    header: object,
    change: object = {},
    key: Uint8Array | webcrypto.CryptoKey = secret.secret,
  ) => new SignJWT({ ...claims, ...change }).setProtectedHeader({ ...HEADER, ...header }).sign(key);
  const unsigned = (header: object, signature: string) => {
    const [, payload] = good.split(".");
    return `${base64url.encode(JSON.stringify({ ...HEADER, ...header }))}.${payload}.${signature}`;
  };

  it("is accepted unchanged, so that each refusal below is due to its one change", async () => {
    expect(await introspect(await signed({}))).toMatchObject({ active: true });
  });

  it.each<[string, () => Promise<string> | string]>([
    ["alg none", () => unsigned({ alg: "none" }, "")],
    ["alg none and a signature", () => unsigned({ alg: "none" }, good.split(".")[2] ?? "")],
    ["alg None", () => unsigned({ alg: "None" }, "")],
    ["HS512 with the right secret", () => signed({ alg: "HS512" })],
    [
      "RS256",
      async () => {
        const { privateKey } = await webcrypto.subtle.generateKey(
          {
            name: "RSASSA-PKCS1-v1_5",
            modulusLength: 2048,
            publicExponent: new Uint8Array([1, 0, 1]),
            hash: "SHA-256",
          },
          false,
          ["sign", "verify"],
        );
        return signed({ alg: "RS256" }, {}, privateKey);
      },
    ],
    ["no kid", () => signed({ kid: undefined })],
    ["another kid", () => signed({ kid: "x" })],
    ["a kid that is a path", () => signed({ kid: "../../dev/null" })],
    ["another secret", () => signed({}, {}, randomBytes(32))],
    ["an empty secret", () => signed({}, {}, new Uint8Array(32))],
    ["another issuer", () => signed({}, { iss: "evil.example" })],
    ["the issuer as a URL", () => signed({}, { iss: "https://agents.example" })],
    ["two issuers", () => signed({}, { iss: ["agents.example"] })],
    ["no issuer", () => signed({}, { iss: undefined })],
    ["no expiry", () => signed({}, { exp: undefined })],
    ["an expiry that has passed", () => signed({}, { exp: 1 })],
    ["a beginning to come", () => signed({}, { nbf: 9_999_999_999 })],
    ["no typ", () => signed({ typ: undefined })],
    ["a critical header", () => unsigned({ crit: ["exp"], exp: 1 }, good.split(".")[2] ?? "")],
    ["one flipped bit", () => `${good.slice(0, -2)}${good.endsWith("AA") ? "QA" : "AA"}`],
    ["an edited payload", () => good.replace(/\.(.)/, (_m, c) => `.${c === "e" ? "f" : "e"}`)],
    ["a fourth part", () => `${good}.`],
    ["a space", () => ` ${good}`],
  ])("with %s introspects as inactive, without any other member", async (_what, make) => {
    const token = await make();
    expect(token).not.toBe(good);
    const answer = await harness.post("token/introspect", { token });
    expect([answer.status, answer.body]).toEqual([200, { active: false }]);
    const revoked = await harness.post("token/revoke", { token });
    expect([revoked.status, revoked.body]).toEqual([200, {}]);
    // It did not revoke the valid token that has the same id.
    expect(await introspect(good)).toMatchObject({ active: true });
  });
});

describe("several passports in one wallet", () => {
  it("sign in as the sealed one, else the longest held; a gift changes nothing", async () => {
    const [holder, giver] = [account(6), account(7)];
    const first = await chain.registerPassport(holder, "");
    const { agentId: gift } = await chain.registerPassport(giver, "");
    const { passportId: sealedGift } = await chain.register(giver, "fornax");
    await chain.transferPassport(gift, giver, holder.address);
    await chain.transferPassport(sealedGift, giver, holder.address);
    await indexed();
    const chosen = async () => (await harness.walletSignIn(holder)).body.profile;
    expect(await chosen()).toMatchObject({ agentId: Number(first.agentId) });
    const own = await chain.register(holder, "gemini");
    await indexed();
    expect(await chosen()).toMatchObject({ agentId: Number(own.passportId), agentName: "gemini" });
    expect(
      (await harness.walletSignIn(holder, { agentId: Number(sealedGift) })).body.profile.agentName,
    ).toBe(`agent-${sealedGift}`);
  });

  it("are found when they are newer than the index, also with a soul", async () => {
    const holder = account(8);
    await indexed();
    const behind = await harnessWith({
      index: {
        ...reads,
        ...createSignInReads(connection.pool),
        passportsOfOwner: async () => ({ at: { block: before, timestamp: 0n }, value: [] }),
        agentDetails: async () => ({ passportUri: null, soul: null }),
      },
    });
    const before = await chain.client.getBlockNumber({ cacheTime: 0 });
    await chain.registerPassport(holder, "");
    const { passportId } = await chain.register(holder, "hydra");
    const { status, body } = await behind.walletSignIn(holder, { scope: ["profile", "certs"] });
    expect([status, body.tier]).toEqual([200, 2]);
    expect(body.profile).toMatchObject({
      agentId: Number(passportId),
      agentName: "hydra",
      bio: null,
      avatar: null,
    });
  });
});

describe("a slow node", () => {
  const holder = account(9);
  const gates: Server[] = [];
  beforeAll(async () => {
    await chain.registerPassport(holder, "");
    await indexed();
  });
  beforeEach(() => {
    expect(gates).toHaveLength(0);
  });

  /** Forwards every request to the node after `ms` milliseconds, or never. */
  async function slowed(ms: number | null): Promise<string> {
    const gate = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (ms === null) return;
      setTimeout(async () => {
        // The client may be gone, and the node too.
        if (response.destroyed) return;
        try {
          const answer = await fetch(chain.rpcUrl, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: Buffer.concat(chunks),
          });
          response.setHeader("content-type", "application/json").end(await answer.text());
        } catch {
          response.destroy();
        }
      }, ms);
    });
    gates.push(gate);
    await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  }

  it.each<[string, number | null, number, number]>([
    ["never answers", null, 200, 5_000],
    // Each step is in time, but their sum is not.
    ["answers slowly at every step", 300, 5_000, 500],
  ])(
    "that %s gives 503 with Retry-After, and the nonce stays valid",
    async (_what, ms, each, all) => {
      const index = {
        ...reads,
        ...createSignInReads(connection.pool),
        passportsOfOwner: async () => ({ at: { block: 0n, timestamp: 0n }, value: [] }),
      };
      const slow = await harnessWith({ index, chainTimeoutMs: all }, await slowed(ms), each);
      const signed = await slow.signed("wallet", holder);
      const answer = await slow.post("verify", signed);
      expect(refusal(answer)).toEqual({ status: 503, type: "CHAIN_UNAVAILABLE", details: {} });
      expect(answer.headers.get("retry-after")).toBe("2");
      expect((await harness.post("verify", signed)).status).toBe(200);
      for (const gate of gates.splice(0)) {
        gate.closeAllConnections();
        await new Promise((resolve) => gate.close(resolve));
      }
    },
  );
});
