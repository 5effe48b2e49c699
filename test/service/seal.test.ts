import type { Hex, LocalAccount } from "viem";
import { getAddress, hexToString, keccak256, sha256, stringToBytes, stringToHex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { RegistrationFile } from "../../protocol/index.ts";
import { canonicalJson, withoutIds } from "../../protocol/index.ts";
import { newAccount } from "../api/sign-in-harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { chainVerbs } from "../fixtures/chain-verbs.ts";
import { account } from "../fixtures/indexed-chain.ts";
import type { OwnedAgent } from "../fixtures/owner-signed.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Sealing what was claimed without a seal, over HTTP on the API as it runs.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
let verbs: ReturnType<typeof agentVerbs>;
beforeAll(async () => {
  service = await sharedService();
  world = ownerSigned(service);
  verbs = agentVerbs(service);
});
afterAll(() => service?.stop());

async function provisionalAgent(owner: LocalAccount = newAccount()): Promise<OwnedAgent> {
  const name = freshName();
  const { registrationId } = await verbs.registerAgent(name);
  const signed = await verbs.signedClaim(registrationId, owner, { seal: false });
  const { status, body } = await verbs.submitClaim(signed);
  if (status !== 200) throw new Error(`Not claimed: ${JSON.stringify(body)}`);
  await service.chain.fund(owner.address);
  const { tokenId, erc8004AgentId, apiKey, soulHash } = body;
  return { owner, name, tokenId, apiKey, soulHash, passportId: BigInt(erc8004AgentId) };
}

const seal = (body: unknown, headers: Record<string, string> = {}) =>
  world.send("POST", "/v1/seal", body, headers);
const signedSeal = (agent: OwnedAgent, more: object = {}, change: object = {}) =>
  world.signed("seal", { tokenId: agent.tokenId, ...more }, agent.owner, change);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const soulOf = (tokenId: number) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "soulOf",
    args: [BigInt(tokenId)],
  });
const metadataOf = (passportId: bigint, key: string) =>
  service.chain.client.readContract({
    address: service.chain.contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "getMetadata",
    args: [passportId, key],
  });
const sealedLogs = (tokenId: number) =>
  service.chain.client.getContractEvents({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    eventName: "SoulSealed",
    args: { tokenId: BigInt(tokenId) },
    fromBlock: 0n,
    strict: true,
  });

describe("POST /v1/seal", () => {
  let agent: OwnedAgent;
  beforeEach(async () => {
    agent = await provisionalAgent();
  });

  it("seals what was registered, and leaves to the owner what only the owner may write", async () => {
    const { tokenId, passportId, name } = agent;
    expect((await service.get(`/v1/profile/${name}`)).body.genesisStatus).toBe("PROVISIONAL");
    const uri = await world.agentUri(passportId);
    const file = (await service.get(`/v1/registration-file/${name}`)).body as RegistrationFile;
    const { soulHash, soulMerkleRoot } = await soulOf(tokenId);
    const archiveId = hexToString(await metadataOf(passportId, "svcArweaveId"));
    const body = await signedSeal(agent);
    const contentHash = sha256(stringToBytes(canonicalJson(withoutIds(file))));
    expect(body.message).toEqual({
      tokenId: String(tokenId),
      ...{ epoch: 1, version: 0, soulHash, soulMerkleRoot, contentHash },
      nonce: expect.stringMatching(/^[0-9]+$/),
      deadline: expect.stringMatching(/^[0-9]+$/),
    });

    const { status, headers, body: answer } = await seal(body);
    expect(status).toBe(200);
    expect(Number(headers.get("x-svc-block"))).toBeGreaterThan(0);
    expect(answer).toEqual({
      ...{ tokenId, erc8004AgentId: Number(passportId), agentName: name },
      did: `did:svc:31337:${name}`,
      genesisStatus: "SEALED",
      ...{ soulHash, soulMerkleRoot, contentHash },
      arweaveTxId: archiveId,
      sealTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      humanVerified: false,
      agentURI: uri,
      ...{ needsAgentUriUpdate: false, agentUriTransaction: null },
      pendingMetadata: [
        {
          ...{ key: "svcStatus", value: stringToHex("SEALED") },
          transaction: expect.objectContaining({
            functionName: "setMetadata",
            args: [String(passportId), "svcStatus", stringToHex("SEALED")],
          }),
        },
      ],
    });
    const [log] = await sealedLogs(tokenId);
    expect(log?.transactionHash).toBe(answer.sealTxHash);
    expect(log?.args).toMatchObject({ soulHash, soulMerkleRoot, contentHash, archiveId });
    expect((await service.get(`/v1/profile/${name}`)).body).toMatchObject({
      ...{ genesisStatus: "SEALED", soulHash, arweaveTxId: archiveId },
    });
    expect((await service.get(`/v1/verify/${name}`)).body.overallStatus).toBe("verified");
    await world.sendReady(answer.pendingMetadata[0].transaction, agent.owner);
    expect(await metadataOf(passportId, "svcStatus")).toBe(stringToHex("SEALED"));

    expect((await seal(body)).body).toEqual(answer);
    const again = await world.send("POST", "/v1/typed-data/seal", { tokenId });
    expect([again.status, again.body.error.type]).toEqual([409, "ALREADY_SEALED"]);
    expect(await sealedLogs(tokenId)).toHaveLength(1);
  });

  it("leaves nothing to an owner who approved the soul registry", async () => {
    await world.approve(agent);
    // Changed before the seal: it is this file that is sealed.
    const edits = { tokenId: agent.tokenId, services: [{ name: "voice", endpoint: "tel:1" }] };
    const changed = await world.send(
      "PUT",
      `/v1/registration-file/${agent.tokenId}`,
      await world.signed("registration-file", edits, agent.owner),
    );
    expect(changed.status).toBe(200);
    const body = await signedSeal(agent);
    const { status, body: answer } = await seal(body);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      agentURI: changed.body.agentURI,
      ...{ needsAgentUriUpdate: false, agentUriTransaction: null, pendingMetadata: [] },
    });
    const [log] = await sealedLogs(agent.tokenId);
    expect(log?.args.agentURIHasIds).toBe(true);
    const file = (await service.get(`/v1/registration-file/${agent.name}`)).body;
    expect(answer.contentHash).toBe(sha256(stringToBytes(canonicalJson(withoutIds(file)))));
    expect(file.services.at(-1)).toEqual(edits.services[0]);
  });

  it("says so when the passport points at another file", async () => {
    await world.setAgentUri(agent, `data:application/json,${encodeURIComponent('{"name":"Hal"}')}`);
    const { body: answer } = await seal(await signedSeal(agent));
    expect(answer).toMatchObject({
      needsAgentUriUpdate: true,
      agentUriTransaction: {
        functionName: "setAgentURI",
        args: [String(agent.passportId), answer.agentURI],
      },
    });
    const { blockNumber } = await world.sendReady(answer.agentUriTransaction, agent.owner);
    await service.get(`/v1/profile/${agent.name}?minBlock=${blockNumber}`);
    const file = (await service.get(`/v1/registration-file/${agent.name}`)).body;
    expect(file).toMatchObject({ name: "Hal", svc: { tokenId: agent.tokenId } });
  });

  it("is the owner's alone", async () => {
    const other = await provisionalAgent();
    const body = await signedSeal(agent);
    const { signature: _, message: __, signer: ___, ...unsigned } = body;
    const forged = await world.signed("seal", { tokenId: agent.tokenId }, other.owner);
    const cases: [string, object, Record<string, string>, number, string][] = [
      ["nobody", unsigned, {}, 400, "INVALID_REQUEST"],
      [
        ...(["a provisional key", unsigned, bearer(await world.provisionalKey())] as const),
        ...([403, "WALLET_SIGNATURE_REQUIRED"] as const),
      ],
      ["the full key", unsigned, bearer(agent.apiKey), 403, "WALLET_SIGNATURE_REQUIRED"],
      ["another owner", forged, {}, 403, "NOT_OWNER"],
      ["a forger", { ...forged, signer: agent.owner.address }, {}, 401, "INVALID_SIGNATURE"],
      ["another soul", { ...body, tokenId: other.tokenId }, {}, 403, "NOT_OWNER"],
      ["no soul", { ...body, tokenId: 9_999_999 }, {}, 404, "NOT_FOUND"],
    ];
    for (const [who, sent, headers, status, type] of cases) {
      const refused = await seal(sent, headers);
      expect([who, refused.status, refused.body.error.type]).toEqual([who, status, type]);
    }
    const late = await seal(await signedSeal(agent, {}, { deadline: "1" }));
    expect([late.status, late.body.error.type]).toEqual([401, "NONCE_EXPIRED"]);
    const changed = await seal(await signedSeal(agent, {}, { soulHash: `0x${"12".repeat(32)}` }));
    expect(changed.body.error.details.issues).toEqual([
      { path: "message.soulHash", message: `This request needs ${agent.soulHash}` },
    ]);
    expect((await soulOf(agent.tokenId)).status).toBe(1);
    const spare = await signedSeal(agent);
    expect((await seal(body)).status).toBe(200);
    const prepared = await seal(spare);
    expect([prepared.status, prepared.body.error.type]).toEqual([409, "ALREADY_SEALED"]);
  });

  it("is refused once the passport is sold, and once the soul is burned", async () => {
    const body = await signedSeal(agent);
    const buyer = newAccount();
    await service.chain.fund(buyer.address);
    await service.chain.transferPassport(agent.passportId, agent.owner, buyer.address);
    const sold = await seal(body);
    expect([sold.status, sold.body.error.type]).toEqual([409, "SUSPENDED"]);
    await service.chain.transferPassport(agent.passportId, buyer, agent.owner.address);
    await burn(agent);
    const burned = await seal(body);
    expect([burned.status, burned.body.error.type]).toEqual([409, "BURNED"]);
  });

  it("seals once when it comes 50 times at once", async () => {
    const body = await signedSeal(agent);
    const answers = await Promise.all(Array.from({ length: 50 }, () => seal(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.sealTxHash)).size).toBe(1);
    expect(await sealedLogs(agent.tokenId)).toHaveLength(1);
  });

  it("has one winner when two signatures seal it at once", async () => {
    const bodies = await Promise.all([signedSeal(agent), signedSeal(agent)]);
    const answers = await Promise.all(bodies.map((body) => seal(body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body.error.type).toBe("ALREADY_SEALED");
    const { rows } = await service.pool.query(
      "select state from app.owner_operation where token_id = $1",
      [agent.tokenId],
    );
    expect(rows).toEqual([{ state: "complete" }]);
  });

  it("takes no proof for an adapter that there is not", async () => {
    const { tokenId } = agent;
    const worldIdProof = { merkle_root: "1", nullifier_hash: "0x2", proof: Array(8).fill("3") };
    const humanProof = { verifier: newAccount().address, data: "0x" };
    const prepare = async (body: object) =>
      (await world.send("POST", "/v1/typed-data/seal", { tokenId, ...body })).body.error.details
        .issues;
    expect(await prepare({ worldIdProof })).toEqual([
      { path: "worldIdProof", message: "This deployment verifies no such proofs" },
    ]);
    expect(await prepare({ worldIdProof, humanProof })).toEqual([
      { path: "worldIdProof", message: "There is a humanProof already" },
    ]);
    const refused = await seal(await signedSeal(agent, { humanProof }));
    expect([refused.status, refused.body.error.type]).toEqual([400, "INVALID_REQUEST"]);
    expect(refused.body.error.details.reason).toBe("VerifierNotApproved");
  });
});

describe("a proof of personhood", () => {
  it("counts with the seal, and is in the file", async () => {
    const agents = [await provisionalAgent(), await provisionalAgent()] as const;
    const [agent, other] = agents;
    const { chain } = service;
    const attester = newAccount();
    const chainWorld = chainVerbs({
      ...{ client: chain.client, contracts: chain.contracts, admin: account(0) },
      mined: async (hash: Hex) => {
        const receipt = await world.mined(hash);
        const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
        return { ...receipt, timestamp };
      },
      service: account(9),
    });
    const { verifier } = await chainWorld.proposeVerifier(attester.address);
    const prepared = await Promise.all(
      agents.map(async ({ tokenId, owner, name }) => {
        const nullifier = keccak256(stringToBytes(name));
        const proof = await chainWorld.humanProof({
          ...{ attester, verifier, name, nullifier, owner: owner.address },
        });
        return { tokenId, humanProof: { verifier: getAddress(proof.verifier), data: proof.data } };
      }),
    );
    await chainWorld.activateVerifier(account(0), verifier);

    await world.approve(agent);
    const body = await world.signed("seal", prepared[0] ?? {}, agent.owner);
    const { status, body: answer } = await seal(body);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ humanVerified: true, needsAgentUriUpdate: false });
    const file = (await service.get(`/v1/registration-file/${agent.name}`)).body;
    expect(file.supportedTrust).toEqual(["sbt-bound", "human-verified"]);
    expect(answer.contentHash).toBe(sha256(stringToBytes(canonicalJson(withoutIds(file)))));
    expect(
      await chain.client.readContract({
        address: chain.contracts.soulRegistry,
        abi: soulRegistryAbi,
        functionName: "humanVerified",
        args: [BigInt(agent.tokenId)],
      }),
    ).toBe(true);

    // A proof fits no other agent.
    const stolen = { ...prepared[0], tokenId: other.tokenId };
    const refused = await seal(await world.signed("seal", stolen, other.owner));
    expect([refused.status, refused.body.error.details.reason]).toEqual([
      400,
      "VerificationFailed",
    ]);
    // Another agent of another person, with no approval: the file is left to its owner.
    const own = await world.signed("seal", prepared[1] ?? {}, other.owner);
    const { body: left } = await seal(own);
    expect(left).toMatchObject({ humanVerified: true, needsAgentUriUpdate: true });
    const stored = (await service.get(`/ar/${left.agentURI.slice(5)}`)).body;
    expect(stored.supportedTrust).toEqual(["sbt-bound", "human-verified"]);
  });
});

async function burn({ tokenId, owner }: OwnedAgent) {
  const message = {
    ...{ tokenId: BigInt(tokenId), epoch: 1, version: 0, nonce: 0n, deadline: 0n },
    reasonHash: `0x${"00".repeat(32)}`,
  } as const;
  const hash = await service.chain.client.writeContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "burn",
    args: [message, "0x"],
    account: owner,
  });
  await world.mined(hash);
}
