import type { Hex, LocalAccount } from "viem";
import { keccak256, stringToHex, zeroAddress, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { archiveIdOf, NO_HUMAN_PROOF } from "../../protocol/index.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { handoverVerbs } from "../fixtures/handovers.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// What ends an epoch or a life, over HTTP and by the owners' own calls of the contract.

const SOON = { timeout: 45_000, interval: 250 };
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.000Z$/;
const TX = /^0x[0-9a-f]{64}$/;
const ENDS = ["soul.resealed", "soul.burned"];

let service: Service;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let verbs: ReturnType<typeof ownerSigned>;
type Handovers = ReturnType<typeof handoverVerbs>;
let handovers: Handovers;

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

const registry = () => handovers.registry;
const soulOf = (tokenId: number) => handovers.soulOf(tokenId);
const sell = (agent: TestAgent, from: LocalAccount, to: LocalAccount) =>
  handovers.sell(agent, from, to.address);
const newSoul: Handovers["newSoul"] = (...soul) => handovers.newSoul(...soul);
const prepared: Handovers["prepared"] = (...request) => handovers.prepared(...request);
const signedBy: Handovers["signedBy"] = (...request) => handovers.signedBy(...request);
const reseal: Handovers["reseal"] = (...request) => handovers.reseal(...request);

async function burn(agent: TestAgent, reason = "Its work is done.") {
  const { tokenId, ...body } = await verbs.signed(
    "burn",
    { tokenId: agent.tokenId, reason },
    agent.owner,
  );
  return service.post(`/v1/burn/${tokenId}`, body);
}

const nothingEnded = {
  epoch: 1,
  apiKeys: 1,
  webhooks: 0,
  operator: null,
  allowance: false,
  organizationId: null,
  bindings: { outbound: 0, inbound: 0 },
  agentKeys: false,
  didAddresses: false,
};

const useKey = (agent: TestAgent, apiKey = agent.apiKey) =>
  service.post(
    "/v1/chronicle",
    { tokenId: agent.tokenId, category: "achievement", data: { title: "Still here" } },
    bearer(apiKey),
  );

/** Asks the database: requests with an ended key would use up the limit of this address. */
const keysEnded = ({ tokenId }: TestAgent) =>
  vi.waitFor(async () => {
    const { rowCount } = await service.pool.query(
      "select 1 from app.api_key where token_id = $1 and revoked_at is null",
      [tokenId],
    );
    expect(rowCount).toBe(0);
  }, SOON);

describe("POST /v1/reseal/:tokenId", () => {
  it("seals a buyer's new soul, with a new key, and ends and lists what was granted", async () => {
    const agent = await newAgent(service);
    const partner = await newAgent(service);
    const operator = newAccount();
    const hook = await receiver.subscribe(agent, ENDS);
    for (const [from, to] of [
      [agent, partner],
      [partner, agent],
    ] as const) {
      const wish = { trustLevel: "trusted", context: "" };
      const bound = await service.post(
        "/v1/binding",
        { tokenId: from.tokenId, partnerTokenId: to.tokenId, ...wish },
        bearer(from.apiKey),
      );
      expect(bound.status).toBe(201);
    }
    const before = await soulOf(agent.tokenId);
    const { body: profileBefore } = await service.get(`/v1/profile/${agent.name}`);

    const buyer = newAccount();
    await sell(agent, agent.owner, buyer);
    const wish = { ...newSoul(agent, buyer), operatorAddress: operator.address };
    const signed = await signedBy(buyer, "reseal", wish);
    const key = idempotencyKey();
    const { status, body, headers } = await reseal(agent.tokenId, signed, key);
    expect([status, body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        agentName: agent.name,
        epoch: 2,
        newSealedBy: buyer.address,
        newSoulHash: wish.newSoulHash,
        newArweaveTxId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        resealTxHash: expect.stringMatching(TX),
        previousSoulArweave: profileBefore.arweaveTxId,
        valid: true,
        message: expect.any(String),
        apiKey: expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/),
        ended: { ...nothingEnded, webhooks: 1, bindings: { outbound: 1, inbound: 1 } },
        agentURI: expect.stringMatching(/^ar:\/\//),
        needsAgentUriUpdate: true,
        agentUriTransaction: expect.objectContaining({ functionName: "setAgentURI" }),
        pendingMetadata: expect.any(Array),
        approvalTransaction: expect.objectContaining({ functionName: "approve" }),
      },
    ]);
    expect(await soulOf(agent.tokenId)).toMatchObject({
      sealer: buyer.address,
      epoch: 2,
      status: 2,
      operator: operator.address,
      soulHash: wish.newSoulHash,
      soulMerkleRoot: wish.newSoulMerkleRoot,
    });

    const minBlock = headers.get("x-svc-block");
    const { body: profile } = await service.get(`/v1/profile/${agent.name}?minBlock=${minBlock}`);
    expect(profile).toMatchObject({
      owner: buyer.address,
      operator: operator.address,
      soulHash: wish.newSoulHash,
      arweaveTxId: body.newArweaveTxId,
      soulValidity: { status: "valid", passportOwnerMatch: true },
      activity: { agentBindings: 0 },
    });
    const bindings = `/v1/binding/${agent.name}`;
    expect((await service.get(bindings)).body).toMatchObject({ totalBindings: 0, bindings: [] });
    expect((await service.get(`${bindings}?includeEnded=true`)).body).toMatchObject({
      totalBindings: 2,
      bindings: [{ live: false }, { live: false }],
    });
    const archived = await service.get(`/ar/${body.newArweaveTxId}`);
    expect(archived.body).toMatchObject({ agentName: agent.name, soulHash: wish.newSoulHash });
    expect((await service.get(`/ar/${body.previousSoulArweave}`)).body).toMatchObject({
      soulHash: before.soulHash,
    });

    // The seller's key has ended, the buyer's works.
    expect(refusal(await useKey(agent))).toMatchObject({ status: 401, type: "UNAUTHORIZED" });
    expect((await useKey(agent, body.apiKey)).status).toBe(201);
    const [event] = await hook.arrived(1);
    expect(event).toMatchObject({
      event: "soul.resealed",
      data: {
        tokenId: agent.tokenId,
        agentName: agent.name,
        erc8004AgentId: agent.passportId,
        epoch: 2,
        ownerAddress: buyer.address,
        soulHash: wish.newSoulHash,
        previousSoulHash: before.soulHash,
        arweaveTxId: body.newArweaveTxId,
        txHash: body.resealTxHash,
        resealedAt: expect.stringMatching(TIME),
      },
    });
    const { rows } = await service.pool.query(
      "select ended_at is not null as ended from app.webhook where id = $1",
      [hook.webhookId],
    );
    expect(rows).toEqual([{ ended: true }]);

    // The answer's key is shown to the same Idempotency-Key, and not to the copy of a signature.
    expect((await reseal(agent.tokenId, signed, key)).body).toEqual(body);
    expect((await reseal(agent.tokenId, signed)).body).toEqual({ ...body, apiKey: null });
    expect((await soulOf(agent.tokenId)).epoch).toBe(2);
  });

  it("takes a passport back that was sold and returned, and nothing of before works", async () => {
    const agent = await newAgent(service);
    const buyer = newAccount();
    const session = await ownerSession(service, agent.owner);
    await sell(agent, agent.owner, buyer);
    await vi.waitFor(async () => {
      const isSuspended = await service.chain.client.readContract({
        ...registry(),
        functionName: "isSuspended",
        args: [BigInt(agent.tokenId)],
      });
      expect(isSuspended).toBe(true);
    }, SOON);
    await sell(agent, buyer, agent.owner);
    expect(refusal(await useKey(agent))).toMatchObject({ status: 409, type: "SUSPENDED" });
    const wish = newSoul(agent, agent.owner);
    const answer = await reseal(agent.tokenId, await signedBy(agent.owner, "reseal", wish));
    expect([answer.status, answer.body.newSealedBy, answer.body.epoch]).toEqual([
      200,
      agent.owner.address,
      2,
    ]);
    expect(refusal(await useKey(agent))).toMatchObject({ status: 401, type: "UNAUTHORIZED" });
    const { body: claims } = await service.post("/api/v1/auth/token/introspect", {
      token: session.accessToken,
    });
    expect(claims).toEqual({ active: false });
    expect((await useKey(agent, answer.body.apiKey)).status).toBe(201);
  });

  it("follows the buyer's own call of the contract: keys, webhooks and event", async () => {
    const agent = await newAgent(service);
    const hook = await receiver.subscribe(agent, ENDS);
    const buyer = newAccount();
    await sell(agent, agent.owner, buyer);
    const wish = newSoul(agent, buyer);
    const { message } = await prepared("reseal", wish);
    const hash = await service.chain.client.writeContract({
      ...registry(),
      account: buyer,
      functionName: "reseal",
      args: [
        {
          tokenId: BigInt(agent.tokenId),
          epoch: 1,
          version: message.version,
          newOwner: buyer.address,
          operator: zeroAddress,
          observedBlock: BigInt(message.observedBlock),
          soulHash: wish.newSoulHash,
          soulMerkleRoot: wish.newSoulMerkleRoot,
          contentHash: `0x${"11".repeat(32)}`,
          agentURI: "",
          humanVerifier: zeroAddress,
          humanProofHash: zeroHash,
          nonce: 0n,
          deadline: 0n,
        },
        archiveIdOf("A".repeat(42).concat("E")),
        NO_HUMAN_PROOF,
        "0x",
      ],
    });
    const { blockNumber } = await verbs.mined(hash);
    const [event] = await hook.arrived(1);
    expect(event).toMatchObject({ event: "soul.resealed", data: { epoch: 2, txHash: hash } });
    await service.get(`/v1/profile/${agent.name}?minBlock=${blockNumber}`);
    expect(refusal(await useKey(agent))).toMatchObject({ status: 401, type: "UNAUTHORIZED" });
    // The new owner's session gives it a key.
    const { accessToken } = await ownerSession(service, buyer);
    const rotated = await service.post(
      "/v1/keys/rotate",
      { tokenId: agent.tokenId },
      bearer(accessToken),
    );
    expect((await useKey(agent, rotated.body.apiKey)).status).toBe(201);
  });

  it("refuses the seller, a stranger, another soul's name, wrong hashes, and a withheld signature", async () => {
    const agent = await newAgent(service);
    const buyer = newAccount();
    await sell(agent, agent.owner, buyer);
    const wish = newSoul(agent, buyer);
    const signed = await signedBy(buyer, "reseal", wish);
    for (const key of [agent.owner, newAccount()]) {
      const foreign = await signedBy(key, "reseal", wish);
      expect(refusal(await reseal(agent.tokenId, foreign))).toEqual({
        status: 403,
        type: "NOT_OWNER",
        details: {},
      });
    }
    const unsigned = await service.post(`/v1/reseal/${agent.tokenId}`, wish, bearer(agent.apiKey));
    expect(refusal(unsigned)).toEqual({
      status: 403,
      type: "WALLET_SIGNATURE_REQUIRED",
      details: { typedData: "/v1/typed-data/reseal" },
    });
    const named = newSoul({ ...agent, name: freshName() }, buyer);
    const misnamed = await service.post("/v1/typed-data/reseal", named);
    expect(refusal(misnamed)).toMatchObject({
      status: 422,
      type: "HASH_MISMATCH",
      details: { field: "identity.name" },
    });
    const rootless = { ...wish, newSoulMerkleRoot: `0x${"12".repeat(32)}` };
    expect(refusal(await service.post("/v1/typed-data/reseal", rootless))).toMatchObject({
      status: 422,
      type: "INVALID_MERKLE_DATA",
    });
    const elsewhere = { ...wish, newArweaveTxId: "A".repeat(43) };
    expect(refusal(await service.post("/v1/typed-data/reseal", elsewhere))).toEqual({
      status: 404,
      type: "NOT_FOUND",
      details: { newArweaveTxId: "A".repeat(43) },
    });
    const other = { ...signed, newSoulSalt: `0x${"34".repeat(32)}` };
    expect((await reseal(agent.tokenId, other)).status).toBe(422);
    expect((await soulOf(agent.tokenId)).epoch).toBe(1);

    // Sold again: the first buyer's signature is worthless.
    await sell(agent, buyer, newAccount());
    expect([403, 409]).toContain((await reseal(agent.tokenId, signed)).status);
    expect((await soulOf(agent.tokenId)).epoch).toBe(1);
  });

  it("refuses a soul that is not suspended, or does not exist", async () => {
    const agent = await newAgent(service);
    const valid = await service.post("/v1/typed-data/reseal", newSoul(agent, agent.owner));
    expect(refusal(valid)).toEqual({ status: 409, type: "ALREADY_SEALED", details: {} });
    expect(valid.body.error.message).toBe(
      "The passport is with the account that sealed this soul, and no suspension stands: there is nothing to reseal or release.",
    );
    const ofUnknownAgent = { ...newSoul(agent, agent.owner), tokenId: 9_999_999 };
    expect(refusal(await service.post("/v1/typed-data/reseal", ofUnknownAgent))).toMatchObject({
      status: 404,
      type: "NOT_FOUND",
    });
  });
});

describe("POST /v1/release/:tokenId", () => {
  it("ends a suspended soul by the passport's new owner, and tells the webhooks last", async () => {
    const agent = await newAgent(service);
    const hook = await receiver.subscribe(agent, ENDS);
    const buyer = newAccount();
    await sell(agent, agent.owner, buyer);
    const foreign = await signedBy(agent.owner, "release", { tokenId: agent.tokenId });
    expect(refusal(await service.post(`/v1/release/${agent.tokenId}`, foreign))).toMatchObject({
      status: 403,
      type: "NOT_OWNER",
    });
    const signed = await signedBy(buyer, "release", { tokenId: agent.tokenId });
    const { status, body } = await service.post(`/v1/release/${agent.tokenId}`, signed);
    expect([status, body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        agentName: agent.name,
        status: "BURNED",
        releasedBy: buyer.address,
        releaseTxHash: expect.stringMatching(TX),
        arweaveArchive: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        releasedAt: expect.stringMatching(TIME),
        ended: { ...nothingEnded, webhooks: 1 },
        note: expect.any(String),
      },
    ]);
    expect((await soulOf(agent.tokenId)).status).toBe(3);
    const [event] = await hook.arrived(1);
    expect(event).toMatchObject({
      event: "soul.burned",
      data: { ownerAddress: buyer.address, released: true, reasonHash: null },
    });
    expect((await service.post(`/v1/release/${agent.tokenId}`, signed)).body).toEqual(body);
    const again = await service.post("/v1/typed-data/release", { tokenId: agent.tokenId });
    expect(refusal(again)).toEqual({ status: 409, type: "BURNED", details: {} });
  });
});

describe("POST /v1/burn/:tokenId", () => {
  it("ends the soul: read-only profile, deactivated DID, inactive file, last event, dead key", async () => {
    const agent = await newAgent(service);
    const hook = await receiver.subscribe(agent, ENDS);
    const { status, body } = await burn(agent);
    expect([status, body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        agentName: agent.name,
        status: "BURNED",
        burnTxHash: expect.stringMatching(TX),
        arweaveArchive: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        burnedAt: expect.stringMatching(TIME),
        ended: { ...nothingEnded, webhooks: 1 },
        inactiveAgentURI: expect.stringMatching(/^ar:\/\/[A-Za-z0-9_-]{43}$/),
        agentUriTransaction: expect.objectContaining({ functionName: "setAgentURI" }),
        note: expect.any(String),
      },
    ]);
    const profile = await service.get(`/v1/profile/${agent.name}`);
    expect([profile.status, profile.body]).toMatchObject([
      200,
      { genesisStatus: "BURNED", soulValidity: { status: "not_linked" } },
    ]);
    const resolution = await service.request(`/v1/did/${agent.name}`, {
      headers: { accept: "application/did-resolution" },
    });
    expect(resolution.status).toBe(410);
    const file = await service.get(`/ar/${body.inactiveAgentURI.slice("ar://".length)}`);
    expect(file.body).toMatchObject({ name: agent.name, active: false });
    await service.chain.fund(agent.owner.address);
    await verbs.sendReady(body.agentUriTransaction, agent.owner);
    expect(await verbs.agentUri(BigInt(agent.passportId))).toBe(body.inactiveAgentURI);

    const events = await hook.arrived(1);
    expect(events).toMatchObject([
      {
        event: "soul.burned",
        data: {
          tokenId: agent.tokenId,
          agentName: agent.name,
          erc8004AgentId: agent.passportId,
          epoch: 1,
          ownerAddress: agent.owner.address,
          released: false,
          reasonHash: keccak256(stringToHex("Its work is done.")),
          txHash: body.burnTxHash,
          burnedAt: body.burnedAt,
        },
      },
    ]);
    await keysEnded(agent);
    expect(refusal(await useKey(agent))).toMatchObject({ status: 401, type: "UNAUTHORIZED" });
    const { rows } = await service.pool.query(
      "select ended_at is not null as ended from app.webhook where id = $1",
      [hook.webhookId],
    );
    expect(rows).toEqual([{ ended: true }]);
  });

  it("follows the owner's own call of the contract alike", async () => {
    const agent = await newAgent(service);
    const hook = await receiver.subscribe(agent, ENDS);
    await service.chain.fund(agent.owner.address);
    const { message } = (
      await service.post("/v1/typed-data/burn", { tokenId: agent.tokenId, reason: "Over." })
    ).body;
    const hash = await service.chain.client.writeContract({
      ...registry(),
      account: agent.owner,
      functionName: "burn",
      args: [
        {
          tokenId: BigInt(agent.tokenId),
          epoch: 1,
          version: message.version,
          reasonHash: message.reasonHash as Hex,
          nonce: 0n,
          deadline: 0n,
        },
        "0x",
      ],
    });
    await verbs.mined(hash);
    const [event] = await hook.arrived(1);
    expect(event).toMatchObject({
      event: "soul.burned",
      data: { released: false, reasonHash: keccak256(stringToHex("Over.")), txHash: hash },
    });
    await keysEnded(agent);
    expect(refusal(await useKey(agent))).toMatchObject({ status: 401, type: "UNAUTHORIZED" });
  });

  it("refuses another owner, a repeated burn, a suspended soul, and a reason that is missing", async () => {
    const agent = await newAgent(service);
    const wish = { tokenId: agent.tokenId, reason: "Mine now." };
    const { tokenId, ...foreign } = await verbs.signed("burn", wish, newAccount());
    expect(refusal(await service.post(`/v1/burn/${tokenId}`, foreign))).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: {},
    });
    const unsigned = await service.post(`/v1/burn/${tokenId}`, wish, bearer(agent.apiKey));
    expect(refusal(unsigned)).toMatchObject({ type: "WALLET_SIGNATURE_REQUIRED" });
    expect(
      refusal(await service.post("/v1/typed-data/burn", { tokenId, reason: "" })),
    ).toMatchObject({ status: 400, details: { issues: [{ path: "reason" }] } });
    const { tokenId: _id, ...other } = await verbs.signed("burn", wish, agent.owner);
    expect(
      refusal(await service.post(`/v1/burn/${tokenId}`, { ...other, reason: "Other words." })),
    ).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [
          {
            path: "message.reasonHash",
            message: `This request needs ${keccak256(stringToHex("Other words."))}`,
          },
        ],
      },
    });
    const first = await service.post(`/v1/burn/${tokenId}`, other);
    expect(first.status).toBe(200);
    expect((await service.post(`/v1/burn/${tokenId}`, other)).body).toEqual(first.body);
    expect(refusal(await service.post("/v1/typed-data/burn", wish))).toEqual({
      status: 409,
      type: "BURNED",
      details: {},
    });

    const sold = await newAgent(service);
    const { tokenId: soldId, ...early } = await verbs.signed(
      "burn",
      { tokenId: sold.tokenId, reason: "Too late." },
      sold.owner,
    );
    await sell(sold, sold.owner, newAccount());
    expect(refusal(await service.post(`/v1/burn/${soldId}`, early))).toMatchObject({
      status: 409,
      type: "SUSPENDED",
    });
  });
});

describe("POST /v1/reincarnate", () => {
  const nextLife = (
    parent: Pick<TestAgent, "tokenId" | "owner">,
    change: object = {},
    owner = parent.owner,
  ) => {
    const name = freshName();
    const {
      agentName,
      ownerAddress: _owner,
      publicIdentity: _said,
      ...soul
    } = registrationBody(name, owner);
    return {
      parentTokenId: parent.tokenId,
      newAgentName: agentName,
      ...soul,
      ownerAddress: owner.address,
      ...change,
    };
  };
  const submit = async (body: object, key: LocalAccount) =>
    service.post("/v1/reincarnate", await verbs.signed("reincarnate", body, key), {
      "Idempotency-Key": idempotencyKey(),
    });

  it("registers the successor of a burned agent, on a new passport and under a new name", async () => {
    const parent = await newAgent(service);
    const { body: before } = await service.get(`/v1/profile/${parent.name}`);
    expect((await burn(parent)).status).toBe(200);
    const body = nextLife(parent);
    const answer = await submit(body, parent.owner);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        tokenId: expect.any(Number),
        erc8004AgentId: expect.any(Number),
        agentName: body.newAgentName,
        did: `did:svc:31337:${body.newAgentName}`,
        profileUrl: expect.any(String),
        parentTokenId: parent.tokenId,
        parentErc8004AgentId: parent.passportId,
        parentName: parent.name,
        soulContinuity: false,
        soulHashMatch: false,
        genesisStatus: "SEALED",
        soulHash: body.soulHash,
        soulMerkleRoot: body.soulMerkleRoot,
        arweaveTxId: expect.any(String),
        mintTxHash: expect.stringMatching(TX),
        erc8004TxHash: answer.body.mintTxHash,
        apiKey: expect.stringMatching(/^svc_live_/),
        documentUploadUrls: [],
      },
    ]);
    expect(answer.body.erc8004AgentId).not.toBe(parent.passportId);
    const { body: profile } = await service.get(`/v1/profile/${body.newAgentName}`);
    expect(profile).toMatchObject({ parentTokenId: parent.tokenId, genesisStatus: "SEALED" });
    const { body: ended } = await service.get(`/v1/profile/${parent.name}`);
    expect([before.successorTokenId, ended.successorTokenId]).toEqual([null, answer.body.tokenId]);
  });

  it("refuses a parent that lives, another owner's, and an unknown one", async () => {
    const [living, foreign] = [await newAgent(service), await newAgent(service)];
    const prepare = (body: object) => service.post("/v1/typed-data/reincarnate", body);
    const alive = await prepare(nextLife(living));
    expect(refusal(alive)).toEqual({ status: 403, type: "FORBIDDEN", details: {} });
    expect(alive.body.error.message).toBe(
      "The parent has not ended. End it with POST /v1/burn, or register a descendant with POST /v1/register.",
    );
    await burn(foreign);
    const stolen = await prepare(nextLife(foreign, {}, newAccount()));
    expect(refusal(stolen)).toEqual({ status: 403, type: "NOT_OWNER", details: {} });
    const unknown = nextLife({ tokenId: 9_999_999, owner: newAccount() });
    expect(refusal(await prepare(unknown))).toMatchObject({ status: 404, type: "NOT_FOUND" });
    const taken = await prepare(nextLife(foreign, { newAgentName: living.name }));
    expect(taken.status).toBeGreaterThanOrEqual(400);
  });
});
