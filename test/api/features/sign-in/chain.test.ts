import type { Address, Hex, LocalAccount, PublicClient } from "viem";
import {
  concatHex,
  createPublicClient,
  getAddress,
  http,
  keccak256,
  serializeErc6492Signature,
  toHex,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignInReads } from "../../../../api/features/sign-in/reads.store.ts";
import { createMessageSignatures } from "../../../../api/platform/chain/signatures.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import type { ChainReads } from "../../../../api/soul/indexed.store.ts";
import { createChainReads } from "../../../../api/soul/indexed.store.ts";
import type { RunningIndexer } from "../../../fixtures/indexer.ts";
import { startIndexer } from "../../../fixtures/indexer.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import type { SignInChain } from "../../../fixtures/sign-in-chain.ts";
import { startSignInChain } from "../../../fixtures/sign-in-chain.ts";
import { liveState, newAccount, refusal, signInHarness } from "./harness.ts";

// Sign-in on real contracts, the real index and real Postgres.

let chain: SignInChain;
let database: TestDatabase;
let connection: DatabaseConnection;
let indexer: RunningIndexer;
let reads: ChainReads;
let client: PublicClient;
let harness: Awaited<ReturnType<typeof signInHarness>>;

/** Owner of passport 0, which has no soul. */
const first = newAccount();

beforeAll(async () => {
  chain = await startSignInChain();
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
  await chain.fund(first.address);
  await chain.registerPassport(first);
  indexer = await startIndexer({ ...chain, databaseUrl: database.url });
  reads = createChainReads(connection.pool);
  client = createPublicClient({ transport: http(chain.rpcUrl) });
  harness = await harnessOver(client);
});
afterAll(async () => {
  await indexer?.stop();
  await connection?.close();
  await chain?.stop();
  await database?.drop();
});

/** The limits are wide: a looping contract keeps the node of a loaded machine busy for seconds. */
function harnessOver(rpc: PublicClient, timeoutMs = 20_000) {
  const { identityRegistry, soulCertificate, soulView } = chain.contracts;
  return signInHarness({
    db: connection.db,
    live: liveState({ client: rpc, soulView, identityRegistry, timeoutMs }),
    index: theIndex(),
    signatures: createMessageSignatures({ client: rpc, timeoutMs }),
    clock: () => new Date(),
    chainTimeoutMs: 2 * timeoutMs,
    identityRegistry,
    soulCertificate,
  });
}

/** The node, whose reads of passports are recorded first and may be refused. */
function recordingPassports(
  asked: (readonly bigint[])[],
  refuse: (passports: readonly bigint[]) => void = () => {},
): PublicClient {
  const readContract = (call: Parameters<PublicClient["readContract"]>[0]) => {
    if (call.functionName === "passportStates") {
      const [, passports] = call.args as readonly [unknown, readonly bigint[]];
      asked.push(passports);
      refuse(passports);
    }
    return client.readContract(call);
  };
  return { ...client, readContract: readContract as PublicClient["readContract"] };
}

const theIndex = () => ({ ...reads, ...createSignInReads(connection.pool) });

async function fundedAccount(): Promise<LocalAccount> {
  const account = newAccount();
  await chain.fund(account.address);
  return account;
}

async function indexed(block: bigint) {
  expect(await reads.waitForBlock(block, 10_000)).toBeGreaterThanOrEqual(block);
}

async function signHash(hash: Hex): Promise<Hex> {
  return first.sign?.({ hash }) ?? "0x";
}

function withOtherByte(signature: Hex): Hex {
  const byte = signature.slice(20, 22) === "00" ? "01" : "00";
  return `0x${signature.slice(2, 20)}${byte}${signature.slice(22)}`;
}

const introspect = async (token: string) =>
  (await harness.post("token/introspect", { token })).body;

describe("a passport without a soul", () => {
  it("signs in as agent-0 in both flows, at the latest block", async () => {
    const block = await client.getBlock();
    const wallet = await harness.walletSignIn(first);
    const agent = await harness.agentSignIn(first, 0);
    for (const { status, body } of [wallet, agent]) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ tier: 1, scopes: ["identity"] });
      expect(body.profile).toEqual({
        agentId: 0,
        agentName: "agent-0",
        holder: first.address,
        erc8004AgentId: 0,
        chainId: 31337,
        did: "did:svc:31337:agent-0",
        humanVerified: false,
        // This passport's file is on an external web server, which sign-in does not query.
        avatar: null,
        description: null,
      });
      expect(await harness.tokens.verify(body.accessToken)).toMatchObject({
        checkedBlock: block.number,
        checkedAt: block.timestamp,
      });
      expect(await introspect(body.accessToken)).toMatchObject({
        active: true,
        sub: first.address,
        agentName: "agent-0",
        erc8004AgentId: 0,
      });
    }
  });

  it("is found in the logs while the index is behind", async () => {
    const owner = await fundedAccount();
    const before = await client.getBlockNumber({ cacheTime: 0 });
    const passportId = await chain.registerPassport(owner);
    const late = await signInHarness({
      db: connection.db,
      live: liveState({ client, timeoutMs: 5_000, ...chain.contracts }),
      // The index one block ago.
      index: {
        ...theIndex(),
        passportsOfOwner: async () => ({ at: { block: before, timestamp: 0n }, value: [] }),
      },
      signatures: createMessageSignatures({ client, timeoutMs: 5_000 }),
      clock: () => new Date(),
      ...chain.contracts,
    });
    expect((await late.walletSignIn(owner)).body.profile.agentId).toBe(Number(passportId));
  });
});

describe("logs of received passports", () => {
  it("leave out self-transfers and other receivers, and name the last arrival", async () => {
    const [a, b] = [await fundedAccount(), await fundedAccount()];
    const live = liveState({ client, timeoutMs: 5_000, ...chain.contracts });
    const id = await chain.registerPassport(a);
    const other = await chain.registerPassport(a);
    const away = await chain.transferPassport(id, a, b.address);
    const back = await chain.transferPassport(id, b, a.address);
    const self = await chain.transferPassport(other, a, a.address);
    expect(await live.passportsReceived(a.address, away, self)).toEqual([{ id, since: back }]);
    expect(await live.passportsReceived(b.address, away, self)).toEqual([{ id, since: away }]);
    expect(await live.passportsReceived(a.address, back + 1n, self)).toEqual([]);
    expect(await live.passportsReceived(a.address, self + 1n, self)).toEqual([]);
  });
});

describe("a sealed soul", () => {
  it("signs in at tier 2 under its name, in both flows", async () => {
    const owner = await fundedAccount();
    const { tokenId, passportId, tx, timestamp } = await chain.registerSoul(owner, "aurora");
    await indexed(await client.getBlockNumber({ cacheTime: 0 }));
    const scope = ["soul", "certs"];
    for (const { status, body } of [
      await harness.walletSignIn(owner, { scope, minTier: 2 }),
      await harness.agentSignIn(owner, Number(passportId), { scope, minTier: 2 }),
    ]) {
      expect(status).toBe(200);
      expect(body.tier).toBe(2);
      expect(body.profile).toEqual({
        agentId: Number(passportId),
        agentName: "aurora",
        holder: owner.address,
        erc8004AgentId: Number(passportId),
        chainId: 31337,
        did: "did:svc:31337:aurora",
        humanVerified: false,
        avatar: null,
        description: null,
        tokenId: Number(tokenId),
        soulAlignment: null,
        soulHash: `0x${"a1".repeat(32)}`,
        genesisRecord: {
          tokenId: Number(tokenId),
          genesisStatus: "SEALED",
          agentType: "creative",
          epoch: 1,
          sealer: owner.address,
          soulHash: `0x${"a1".repeat(32)}`,
          soulMerkleRoot: `0x${"b2".repeat(32)}`,
          sealedAt: new Date(Number(timestamp) * 1000).toISOString(),
          mintTxHash: tx,
          sealTxHash: tx,
          arweaveTxId: "A".repeat(42).concat("E"),
        },
        certs: [{ contract: chain.contracts.soulCertificate, tokenId: Number(tokenId) }],
      });
    }
  });

  it("signs in beside others, in one call of the node, each as the passport it named", async () => {
    const owners = await Promise.all(Array.from({ length: 5 }, fundedAccount));
    const agents = [];
    for (const [index, owner] of owners.entries()) {
      const { passportId } = await chain.registerSoul(owner, `together-${index}`);
      agents.push({ owner, agentId: Number(passportId) });
    }
    const asked: (readonly bigint[])[] = [];
    const together = await harnessOver(recordingPassports(asked));
    const signed = await Promise.all(
      agents.map(({ owner, agentId }) => together.signed("agent", owner, { agentId })),
    );
    const answers = await Promise.all(signed.map((body) => together.post("agent/verify", body)));
    expect(answers.map(({ body }) => [body.tier, body.profile.agentName])).toEqual(
      agents.map((_, index) => [2, `together-${index}`]),
    );
    expect(asked.flat().map(Number).sort()).toEqual(agents.map(({ agentId }) => agentId).sort());
    expect(asked.length).toBeLessThan(agents.length);
  });

  it("is read alone when the node refuses the call for several", async () => {
    const owners = await Promise.all([fundedAccount(), fundedAccount()]);
    const ids = [];
    for (const [index, owner] of owners.entries()) {
      ids.push((await chain.registerSoul(owner, `alone-${index}`)).passportId);
    }
    const asked: (readonly bigint[])[] = [];
    const strict = recordingPassports(asked, (passports) => {
      if (passports.length > 1) throw new Error("The call needs more gas than this node allows.");
    });
    const live = liveState({ client: strict, timeoutMs: 20_000, ...chain.contracts });
    const found = await Promise.all(ids.map((id) => live.passport(id)));
    expect(found.map(({ id, owner, soul }) => [id, owner, soul?.name])).toEqual(
      ids.map((id, index) => [id, owners[index]?.address, `alone-${index}`]),
    );
    expect(asked).toEqual([ids, ...ids.map((id) => [id])]);
  });

  it("is preferred to a passport that the wallet has held longer", async () => {
    const owner = await fundedAccount();
    await chain.registerPassport(owner);
    const { passportId } = await chain.registerSoul(owner, "borealis");
    await indexed(await client.getBlockNumber({ cacheTime: 0 }));
    expect((await harness.walletSignIn(owner)).body.profile).toMatchObject({
      agentId: Number(passportId),
      agentName: "borealis",
    });
  });

  it("gives the buyer of its passport tier 1 and no name, and ends the seller's tokens", async () => {
    const [seller, buyer] = [await fundedAccount(), await fundedAccount()];
    const { passportId } = await chain.registerSoul(seller, "cygnus");
    await indexed(await client.getBlockNumber({ cacheTime: 0 }));
    const before = (await harness.walletSignIn(seller)).body;
    expect(await introspect(before.accessToken)).toMatchObject({ active: true, tier: 2 });

    const block = await chain.transferPassport(passportId, seller, buyer.address);
    // The chain decides, whichever block the index has seen.
    expect(refusal(await harness.agentSignIn(seller, Number(passportId)))).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: { agentId: Number(passportId) },
    });
    const live = liveState({ client, timeoutMs: 5_000, ...chain.contracts });
    expect(await live.passportStates(seller.address, [passportId, 10n ** 6n])).toMatchObject({
      block,
      passportCount: 0n,
      passports: [
        {
          id: passportId,
          owner: buyer.address,
          soul: { name: "cygnus", sealer: seller.address, validity: "suspended" },
        },
        { id: 10n ** 6n, owner: null, soul: null },
      ],
    });
    await indexed(block);
    expect(await introspect(before.accessToken)).toEqual({ active: false });

    // Checked in the block of the transfer itself: that token stays valid.
    const after = (await harness.walletSignIn(buyer)).body;
    expect(after).toMatchObject({ tier: 1, profile: { agentName: `agent-${passportId}` } });
    expect(await introspect(after.accessToken)).toMatchObject({ active: true, tier: 1 });

    // The passport moved away and back: it had another owner in between.
    await indexed(await chain.transferPassport(passportId, buyer, seller.address));
    expect(await introspect(after.accessToken)).toEqual({ active: false });
    expect(await introspect(before.accessToken)).toEqual({ active: false });
    expect((await harness.walletSignIn(seller)).body.tier).toBe(2);
  });
});

describe("signatures", () => {
  it("of the agent's own wallet do not count as the owner's", async () => {
    const agentWallet = newAccount();
    const { nonce, message } = (
      await harness.post("agent/challenge", { agentId: 0, address: first.address })
    ).body;
    const signature = await agentWallet.signMessage({ message });
    expect(refusal(await harness.post("agent/verify", { nonce, message, signature }))).toEqual({
      status: 401,
      type: "INVALID_SIGNATURE",
      details: {},
    });
    expect(refusal(await harness.agentSignIn(agentWallet, 0))).toMatchObject({ type: "NOT_OWNER" });
  });

  it.each<[string, (message: string) => Promise<Hex>]>([
    ["one changed byte", async (message) => withOtherByte(await first.signMessage({ message }))],
    [
      "a byte too many",
      async (message) => concatHex([await first.signMessage({ message }), "0x00"]),
    ],
    [
      "the compact form",
      async (message) => (await first.signMessage({ message })).slice(0, 130) as Hex,
    ],
    ["the hash without EIP-191", async (message) => signHash(keccak256(toHex(message)))],
    ["another message", async (message) => first.signMessage({ message: `${message}.` })],
    ["zeroes", async () => `0x${"00".repeat(65)}`],
    ["one byte", async () => "0x01"],
  ])("with %s are refused, and the nonce stays usable", async (_what, make) => {
    const signed = await harness.signed("agent", first, { agentId: 0 });
    const signature = await make(signed.message);
    expect(refusal(await harness.post("agent/verify", { ...signed, signature }))).toEqual({
      status: 401,
      type: "INVALID_SIGNATURE",
      details: {},
    });
    expect((await harness.post("agent/verify", signed)).status).toBe(200);
  });

  it("of a contract wallet count by ERC-1271 for its own passport, not for its key's passport", async () => {
    const key = await fundedAccount();
    const wallet = await chain.deployWallet(key.address);
    const passportId = await chain.registerPassport(key);
    await chain.transferPassport(passportId, key, wallet);
    const challenge = await harness.post("agent/challenge", {
      agentId: Number(passportId),
      address: wallet,
    });
    const { nonce, message } = challenge.body;
    const by = (account: LocalAccount) => account.signMessage({ message });
    expect(
      refusal(await harness.post("agent/verify", { nonce, message, signature: await by(first) })),
    ).toMatchObject({ status: 401, type: "INVALID_SIGNATURE" });
    const answer = await harness.post("agent/verify", { nonce, message, signature: await by(key) });
    expect(answer).toMatchObject({
      status: 200,
      body: { profile: { holder: getAddress(wallet) } },
    });
    expect(refusal(await harness.agentSignIn(key, Number(passportId)))).toMatchObject({
      type: "NOT_OWNER",
    });
  });

  it.each<[string, Hex]>([
    ["reverts", "0x60006000fd"],
    ["burns all gas", "0xfe"],
    ["loops", "0x5b600056"],
    [
      "answers with something else",
      "0x7fffffffff0000000000000000000000000000000000000000000000000000000060005260206000f3",
    ],
    ["answers too shortly", "0x631626ba7e60e01b60005260046000f3"],
    ["answers too long", "0x631626ba7e60e01b60005260406000f3"],
    ["answers with dirt behind the magic value", "0x631626ba7e60e01b60010160005260206000f3"],
  ])("of a contract that %s are refused", async (_what, bytecode) => {
    const address: Address = newAccount().address;
    await chain.client.setCode({ address, bytecode });
    const { body } = await harness.post("agent/challenge", { agentId: 0, address });
    const { nonce, message } = body;
    const signature = await first.signMessage({ message });
    expect(refusal(await harness.post("agent/verify", { nonce, message, signature }))).toEqual({
      status: 401,
      type: "INVALID_SIGNATURE",
      details: {},
    });
  });

  it("of a contract wallet that is not deployed yet count by ERC-6492", async () => {
    const key = await fundedAccount();
    const { address, factory, factoryData } = await chain.plannedWallet(key.address);
    const passportId = await chain.registerPassport(key);
    await chain.transferPassport(passportId, key, address);
    const challenge = await harness.post("agent/challenge", {
      agentId: Number(passportId),
      address,
    });
    const { nonce, message } = challenge.body;
    const verify = async (account: LocalAccount, data: Hex) =>
      harness.post("agent/verify", {
        nonce,
        message,
        signature: serializeErc6492Signature({
          address: factory,
          data,
          signature: await account.signMessage({ message }),
        }),
      });
    const refused = { status: 401, type: "INVALID_SIGNATURE", details: {} };
    expect(refusal(await verify(first, factoryData))).toEqual(refused);
    // The factory would deploy the wallet at another address, or deploys nothing.
    const elsewhere = concatHex([`0x${"01".repeat(32)}`, `0x${factoryData.slice(66)}`]);
    expect(refusal(await verify(key, elsewhere))).toEqual(refused);
    expect(refusal(await verify(key, "0x"))).toEqual(refused);

    expect(await verify(key, factoryData)).toMatchObject({
      status: 200,
      body: { tier: 1, profile: { holder: getAddress(address), agentId: Number(passportId) } },
    });
    expect(await client.getCode({ address })).toBeUndefined();
  });

  it("of contract wallets sign them in to the console, deployed or not", async () => {
    const key = await fundedAccount();
    const deployed = getAddress(await chain.deployWallet(key.address));
    const planned = await chain.plannedWallet(key.address);
    const by = (account: LocalAccount) => (message: string) => account.signMessage({ message });
    const wrapped = (account: LocalAccount) => async (message: string) =>
      serializeErc6492Signature({
        address: planned.factory,
        data: planned.factoryData,
        signature: await account.signMessage({ message }),
      });
    for (const [address, sign] of [
      [deployed, by],
      [getAddress(planned.address), wrapped],
    ] as const) {
      const refused = await harness.consoleSignIn(address, sign(first));
      expect(refusal(refused)).toEqual({ status: 401, type: "INVALID_SIGNATURE", details: {} });
      expect(refused.headers.get("set-cookie")).toBeNull();
      const { status, body, headers } = await harness.consoleSignIn(address, sign(key));
      expect([status, body.account]).toEqual([200, address]);
      expect(headers.get("set-cookie")).toMatch(
        /^__Host-svc-console=[A-Za-z0-9_-]{43}; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      );
    }
  });

  it("of an account's key count also when the account has code (EIP-7702)", async () => {
    const account = await fundedAccount();
    const passportId = await chain.registerPassport(account);
    await chain.client.setCode({ address: account.address, bytecode: "0x60006000fd" });
    expect((await harness.agentSignIn(account, Number(passportId))).status).toBe(200);
  });
});

describe("a node that does not answer", () => {
  it("gives CHAIN_UNAVAILABLE at every step that needs it", async () => {
    const url = "http://127.0.0.1:9";
    const down = await harnessOver(createPublicClient({ transport: http(url, { retryCount: 0 }) }));
    const expected = { status: 503, type: "CHAIN_UNAVAILABLE", details: {} };
    expect(refusal(await down.agentSignIn(first, 0))).toEqual(expected);
    expect(refusal(await down.walletSignIn(first))).toEqual(expected);
    // A signature that is not by a key needs the chain too.
    const signed = await down.signed("agent", first, { agentId: 0 });
    expect(refusal(await down.post("agent/verify", { ...signed, signature: "0x01" }))).toEqual(
      expected,
    );
  });
});
