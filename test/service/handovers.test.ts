import type { Hex, LocalAccount } from "viem";
import { getAddress, keccak256, stringToBytes } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { chainVerbs } from "../fixtures/chain-verbs.ts";
import { handoverVerbs } from "../fixtures/handovers.ts";
import { account } from "../fixtures/indexed-chain.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { connectTo, operationProcess } from "../fixtures/owner-operations.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Reseals and releases by contract wallets, with a proof of personhood and with an own archive,
// a release directly on chain, and successors with the soul of their parent.

const SOON = { timeout: 45_000, interval: 250 };

let service: Service;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let verbs: ReturnType<typeof ownerSigned>;
let handovers: ReturnType<typeof handoverVerbs>;

beforeAll(async () => {
  service = await sharedService();
  receiver = await startOpenReceiver(service);
  verbs = ownerSigned(service);
  handovers = handoverVerbs(service);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const keyStatus = async (apiKey: string) =>
  (await service.request("/v1/status", { headers: bearer(apiKey) })).status;

/** An agent whose passport a buyer's contract wallet has bought. */
async function soldToWallet() {
  const agent = await newAgent(service);
  const key = newAccount();
  const wallet = getAddress(await service.chain.deployWallet(key.address));
  await handovers.sell(agent, agent.owner, wallet);
  return { agent, key, wallet };
}

describe("the owner of a bought passport that is a contract wallet", () => {
  it("reseals with its ERC-1271 signature, and not with its key's own", async () => {
    const { agent, key, wallet } = await soldToWallet();
    const wish = handovers.newSoul(agent, { address: wallet });
    const asKey = await handovers.signedBy(key, "reseal", wish);
    expect(refusal(await handovers.reseal(agent.tokenId, asKey))).toMatchObject({
      status: 403,
      type: "NOT_OWNER",
    });
    const stranger = await handovers.signedBy(newAccount(), "reseal", wish, wallet);
    expect(refusal(await handovers.reseal(agent.tokenId, stranger))).toMatchObject({
      status: 401,
      type: "INVALID_SIGNATURE",
    });
    const signed = await handovers.signedBy(key, "reseal", wish, wallet);
    const { status, body } = await handovers.reseal(agent.tokenId, signed);
    expect([status, body.newSealedBy, body.epoch, body.valid]).toEqual([200, wallet, 2, true]);
    expect(await handovers.soulOf(agent.tokenId)).toMatchObject({
      sealer: wallet,
      epoch: 2,
      soulHash: wish.newSoulHash,
    });
    expect([await keyStatus(agent.apiKey), await keyStatus(body.apiKey)]).toEqual([401, 200]);
  });

  it("releases with its ERC-1271 signature", async () => {
    const { agent, key, wallet } = await soldToWallet();
    const wish = { tokenId: agent.tokenId };
    const stranger = await handovers.signedBy(newAccount(), "release", wish, wallet);
    expect(refusal(await service.post(`/v1/release/${agent.tokenId}`, stranger))).toMatchObject({
      status: 401,
      type: "INVALID_SIGNATURE",
    });
    const signed = await handovers.signedBy(key, "release", wish, wallet);
    const { status, body } = await service.post(`/v1/release/${agent.tokenId}`, signed);
    expect([status, body.status, body.releasedBy]).toEqual([200, "BURNED", wallet]);
    expect((await handovers.soulOf(agent.tokenId)).status).toBe(3);
  });
});

describe("a release directly on chain", () => {
  it("ends the soul, its keys and its webhooks, as over HTTP", async () => {
    const agent = await newAgent(service);
    const hook = await receiver.subscribe(agent, ["passport.transferred", "soul.burned"]);
    const buyer = newAccount();
    await handovers.sell(agent, agent.owner, buyer.address);
    const [transferred] = await hook.arrived(1);
    expect(transferred).toMatchObject({
      event: "passport.transferred",
      data: {
        tokenId: agent.tokenId,
        previousOwner: agent.owner.address,
        newOwner: buyer.address,
        soulValidity: "suspended",
      },
    });
    const { message } = await handovers.prepared("release", { tokenId: agent.tokenId });
    const hash = await service.chain.client.writeContract({
      ...handovers.registry,
      account: buyer,
      functionName: "release",
      args: [
        {
          tokenId: BigInt(agent.tokenId),
          epoch: 1,
          version: message.version,
          newOwner: buyer.address,
          observedBlock: BigInt(message.observedBlock),
          nonce: 0n,
          deadline: 0n,
        },
        "0x",
      ],
    });
    const { blockNumber } = await verbs.mined(hash);
    const [, event] = await hook.arrived(2);
    expect(event).toMatchObject({
      event: "soul.burned",
      data: {
        tokenId: agent.tokenId,
        ownerAddress: buyer.address,
        released: true,
        reasonHash: null,
        txHash: hash,
      },
    });
    const { body } = await service.get(`/v1/profile/${agent.name}?minBlock=${blockNumber}`);
    expect(body.genesisStatus).toBe("BURNED");
    await vi.waitFor(async () => {
      const { rows } = await service.pool.query(
        `select (select count(*)::int from app.api_key where token_id = $1 and revoked_at is null) as keys,
           (select count(*)::int from app.webhook where token_id = $1 and ended_at is null) as webhooks`,
        [agent.tokenId],
      );
      expect(rows).toEqual([{ keys: 0, webhooks: 0 }]);
    }, SOON);
    const again = await service.post("/v1/typed-data/release", { tokenId: agent.tokenId });
    expect(refusal(again)).toEqual({ status: 409, type: "BURNED", details: {} });
  });
});

describe("a reseal", () => {
  it("attests the buyer with a proof of personhood, which no other owner can use", async () => {
    const agent = await newAgent(service);
    const buyer = newAccount();
    await handovers.sell(agent, agent.owner, buyer.address);
    const { chain } = service;
    const attester = newAccount();
    const chainWorld = chainVerbs({
      client: chain.client,
      contracts: chain.contracts,
      admin: account(0),
      mined: async (hash: Hex) => {
        const receipt = await verbs.mined(hash);
        const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
        return { ...receipt, timestamp };
      },
      service: account(9),
    });
    const { verifier } = await chainWorld.proposeVerifier(attester.address);
    await chainWorld.activateVerifier(account(0), verifier);
    const proofFor = async ({ address }: LocalAccount) => {
      const { data } = await chainWorld.humanProof({
        attester,
        verifier,
        name: agent.name,
        epoch: 2,
        nullifier: keccak256(stringToBytes(`${agent.name} ${address}`)),
        owner: address,
      });
      return { humanProof: { verifier: getAddress(verifier), data } };
    };
    const wish = handovers.newSoul(agent, buyer);
    const ofSeller = { ...wish, ...(await proofFor(agent.owner)) };
    await handovers.prepared("reseal", wish);
    const stolen = await service.post("/v1/typed-data/reseal", ofSeller);
    expect([stolen.status, stolen.body.error.details.reason]).toEqual([400, "VerificationFailed"]);

    const own = { ...wish, ...(await proofFor(buyer)) };
    const signed = await handovers.signedBy(buyer, "reseal", own);
    const { humanProof: _, ...without } = signed as typeof signed & { humanProof: object };
    const leftOut = await handovers.reseal(agent.tokenId, without);
    expect(refusal(leftOut)).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
    const { status, body } = await handovers.reseal(agent.tokenId, signed);
    expect([status, body.epoch]).toEqual([200, 2]);
    const isAttested = await chain.client.readContract({
      ...handovers.registry,
      functionName: "humanVerified",
      args: [BigInt(agent.tokenId)],
    });
    expect(isAttested).toBe(true);
    const { blockNumber } = await chain.client.getTransactionReceipt({ hash: body.resealTxHash });
    const profile = await service.get(`/v1/profile/${agent.name}?minBlock=${blockNumber}`);
    expect(profile.body.disclosedFields).toEqual({
      "identity.description": { value: own.publicFields["identity.description"], verified: true },
    });
    const file = await service.get(`/ar/${body.agentURI.slice("ar://".length)}`);
    expect(file.body.supportedTrust).toEqual(["sbt-bound", "human-verified"]);
  });

  it("takes an archive that the buyer stored, and refuses one of another soul", async () => {
    const agent = await newAgent(service);
    const buyer = newAccount();
    await handovers.sell(agent, agent.owner, buyer.address);
    const wish = handovers.newSoul(agent, buyer);
    const connection = await connectTo(service);
    const { archive, close } = operationProcess({ service, connection });
    const store = (content: object) =>
      archive.archive({
        data: Buffer.from(JSON.stringify(content)),
        contentType: "application/json",
      });
    const { newSoulHash: soulHash, newSoulMerkleRoot: soulMerkleRoot } = wish;
    const own = await store({ soulHash, soulMerkleRoot, note: "Kept by its owner." });
    const foreign = await store({ soulHash, soulMerkleRoot: `0x${"12".repeat(32)}` });
    await close();
    await connection.close();

    await handovers.prepared("reseal", wish);
    const mixed = { ...wish, newArweaveTxId: foreign };
    expect(refusal(await service.post("/v1/typed-data/reseal", mixed))).toEqual({
      status: 422,
      type: "HASH_MISMATCH",
      details: { newArweaveTxId: foreign, soulHash, soulMerkleRoot },
    });
    const signed = await handovers.signedBy(buyer, "reseal", { ...wish, newArweaveTxId: own });
    const { status, body, headers } = await handovers.reseal(agent.tokenId, signed);
    expect([status, body.newArweaveTxId]).toEqual([200, own]);
    const minBlock = headers.get("x-svc-block");
    const profile = await service.get(`/v1/profile/${agent.name}?minBlock=${minBlock}`);
    expect(profile.body).toMatchObject({ arweaveTxId: own, soulHash });
  });
});

describe("a successor with its parent's soul", () => {
  /** Registers an agent, and keeps what its owner knows of its soul. */
  async function registered() {
    const owner = newAccount();
    const name = freshName();
    const { body, answer } = await service.register(name, owner);
    const { tokenId, erc8004AgentId: passportId, apiKey } = answer.body;
    const agent: TestAgent = { owner, name, tokenId, passportId, apiKey };
    const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves } = body;
    return { agent, soul: { soulHash, soulSalt, soulMerkleRoot, merkleLeaves } };
  }

  async function end({ tokenId }: TestAgent, owner: LocalAccount) {
    const { tokenId: _, ...signed } = await verbs.signed(
      "burn",
      { tokenId, reason: "Its work is done." },
      owner,
    );
    expect((await service.post(`/v1/burn/${tokenId}`, signed)).status).toBe(200);
  }

  async function successor({ tokenId }: TestAgent, owner: LocalAccount, soul: object) {
    const body = {
      parentTokenId: tokenId,
      newAgentName: freshName(),
      agentType: "specialist",
      ownerAddress: owner.address,
      ...soul,
    };
    return service.post("/v1/reincarnate", await verbs.signed("reincarnate", body, owner), {
      "Idempotency-Key": idempotencyKey(),
    });
  }
  const likeness = ({ body }: { body: { soulContinuity: boolean; soulHashMatch: boolean } }) => [
    body.soulContinuity,
    body.soulHashMatch,
  ];

  it("continues it, and matches its first seal, where it was never resealed", async () => {
    const { agent, soul } = await registered();
    await end(agent, agent.owner);
    const answer = await successor(agent, agent.owner, soul);
    expect([answer.status, ...likeness(answer)]).toEqual([201, true, true]);
    expect(answer.body.soulHash).toBe(soul.soulHash);
  });

  it.each([
    ["continues the last soul of a resealed parent", "last", [true, false]],
    ["matches the first soul of a resealed parent", "first", [false, true]],
  ] as const)("%s", async (_what, which, expected) => {
    const { agent, soul: first } = await registered();
    const buyer = newAccount();
    await handovers.sell(agent, agent.owner, buyer.address);
    const wish = handovers.newSoul(agent, buyer);
    const signed = await handovers.signedBy(buyer, "reseal", wish);
    expect((await handovers.reseal(agent.tokenId, signed)).status).toBe(200);
    await end(agent, buyer);
    const last = {
      soulHash: wish.newSoulHash,
      soulSalt: wish.newSoulSalt,
      soulMerkleRoot: wish.newSoulMerkleRoot,
      merkleLeaves: wish.merkleLeaves,
    };
    expect(likeness(await successor(agent, buyer, { last, first }[which]))).toEqual(expected);
  });

  it("is the only one", async () => {
    const { agent, soul } = await registered();
    await end(agent, agent.owner);
    const { tokenId } = (await successor(agent, agent.owner, soul)).body;
    const body = {
      parentTokenId: agent.tokenId,
      newAgentName: freshName(),
      agentType: "specialist",
      ownerAddress: agent.owner.address,
      ...soul,
    };
    expect(refusal(await service.post("/v1/typed-data/reincarnate", body))).toMatchObject({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        reason: "AlreadySucceeded",
        args: { parentTokenId: agent.tokenId, tokenId },
      },
    });
  });

  it("is not named after its parent with any other soul", async () => {
    const { agent } = await registered();
    await end(agent, agent.owner);
    const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves } = registrationBody(
      agent.name,
      agent.owner,
    );
    const prepared = await service.post("/v1/typed-data/reincarnate", {
      parentTokenId: agent.tokenId,
      newAgentName: freshName(),
      agentType: "specialist",
      ownerAddress: agent.owner.address,
      soulHash,
      soulSalt,
      soulMerkleRoot,
      merkleLeaves,
    });
    expect(refusal(prepared)).toMatchObject({
      status: 422,
      type: "HASH_MISMATCH",
      details: { field: "identity.name" },
    });
  });
});
