import type { Hex, LocalAccount } from "viem";
import {
  encodeFunctionData,
  getAddress,
  hexToString,
  keccak256,
  sha256,
  stringToBytes,
  stringToHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  identityRegistryAbi,
  soulRegistryAbi,
  validationRegistryAbi,
} from "../../protocol/generated/abi.ts";
import type { RegistrationFile } from "../../protocol/index.ts";
import { archiveIdOf, canonicalJson, withoutIds } from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import type { Answer } from "../api/features/sign-in/harness.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { ownerSession } from "../fixtures/agents.ts";
import { chainVerbs } from "../fixtures/chain-verbs.ts";
import { account } from "../fixtures/indexed-chain.ts";
import type { OwnedAgent } from "../fixtures/owner-signed.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Owner-signed operations over HTTP on the running API: registration files, seals and validations.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
let verbs: ReturnType<typeof agentVerbs>;
beforeAll(async () => {
  service = await sharedService();
  world = ownerSigned(service);
  verbs = agentVerbs(service);
});
afterAll(() => service?.stop());

const MCP = { name: "MCP", endpoint: "https://agent.example/mcp", version: "2025-06-18" };
const VOICE = { name: "voice", endpoint: "tel:+15550100" };

const put = (tokenId: number | string, body: unknown, headers: Record<string, string> = {}) =>
  world.send("PUT", `/v1/registration-file/${tokenId}`, body, headers);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const fileOf = async ({ name }: OwnedAgent) =>
  (await service.get(`/v1/registration-file/${name}`)).body;

async function signedPut(agent: OwnedAgent, edits: object, key = agent.owner, change = {}) {
  const { tokenId } = agent;
  return world.signed("registration-file", { tokenId, ...edits }, key, change);
}
const signedUri = (agent: OwnedAgent, edits: object, key = agent.owner, change = {}) =>
  world.signed(
    "agent-uri-update",
    { erc8004AgentId: Number(agent.passportId), ...edits },
    key,
    change,
  );
const updateUri = (body: unknown, headers: Record<string, string> = {}) =>
  world.send("POST", "/v1/agent-uri/update", body, headers);

const approveTransaction = (agent: OwnedAgent) => ({
  chainId: 31337,
  to: service.chain.contracts.identityRegistry,
  functionName: "approve",
  args: [service.chain.contracts.passportWriter, String(agent.passportId)],
  data: encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "approve",
    args: [service.chain.contracts.passportWriter, agent.passportId],
  }),
  value: "0",
  description: `Let the passport writer write to passport ${agent.passportId} what its owner signs, and the state of its soul.`,
});

describe("PUT /v1/registration-file/:tokenId", () => {
  let agent: OwnedAgent;
  beforeEach(async () => {
    agent = await world.newAgent();
  });

  it("asks for the approval first, with the transaction that gives it", async () => {
    const { tokenId } = agent;
    const prepared = await world.send("POST", "/v1/typed-data/registration-file", {
      tokenId,
      services: [MCP],
    });
    expect(prepared.status).toBe(403);
    expect(prepared.body.error).toMatchObject({
      type: "APPROVAL_REQUIRED",
      details: {
        erc8004AgentId: Number(agent.passportId),
        transaction: approveTransaction(agent),
      },
    });
    await world.sendReady(prepared.body.error.details.transaction, agent.owner);
    const body = await signedPut(agent, { services: [MCP] });

    // Taken back between signing and sending.
    await world.sendReady(
      {
        to: service.chain.contracts.identityRegistry,
        data: encodeFunctionData({
          abi: identityRegistryAbi,
          functionName: "approve",
          args: [`0x${"00".repeat(20)}`, agent.passportId],
        }),
        value: "0",
      },
      agent.owner,
    );
    const refused = await put(tokenId, body);
    expect([refused.status, refused.body.error.type]).toEqual([403, "APPROVAL_REQUIRED"]);
    expect(refused.body.error.details.transaction).toEqual(approveTransaction(agent));
    await world.sendReady(refused.body.error.details.transaction, agent.owner);
    expect((await put(tokenId, body)).status).toBe(200);
  });

  it("writes the new file, which every reader gets", async () => {
    await world.approve(agent);
    const { tokenId, passportId, name } = agent;
    const before = await fileOf(agent);
    const previousUri = await world.agentUri(passportId);
    const body = await signedPut(agent, { services: [MCP, VOICE], x402Support: true });
    expect(body.message).toEqual({
      tokenId: String(tokenId),
      epoch: 1,
      version: 0,
      previousURIHash: keccak256(stringToBytes(previousUri)),
      agentURI: expect.stringMatching(/^ar:\/\/[A-Za-z0-9_-]{43}$/),
      nonce: expect.stringMatching(/^[0-9]+$/),
      deadline: expect.stringMatching(/^[0-9]+$/),
    });
    expect((await service.get(`/ar/${body.message.agentURI.slice(5)}`)).status).toBe(404);

    const answer = await put(tokenId, { ...body, tokenId });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(Number(answer.headers.get("x-svc-block"))).toBeGreaterThan(0);
    expect(answer.body).toEqual({
      agentId: Number(passportId),
      tokenId,
      erc8004AgentId: Number(passportId),
      agentURI: body.message.agentURI,
      updatedFields: ["services", "x402Support"],
      erc8004TxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(await world.agentUri(passportId)).toBe(body.message.agentURI);
    expect(await fileOf(agent)).toEqual({
      ...before,
      services: [...before.services, MCP, VOICE],
      x402Support: true,
    });
    expect(before.services.map((entry: { name: string }) => entry.name)).toEqual([
      ...["Svc", "Svc-API", "DID"],
    ]);
    expect(before.svc).toMatchObject({ tokenId, did: `did:svc:31337:${name}` });

    // The same signed request has the same answer; a different request under it is refused.
    const again = await put(tokenId, body);
    expect([again.status, again.body]).toEqual([200, answer.body]);
    const other = await put(tokenId, { ...body, x402Support: false });
    expect([other.status, other.body.error.type]).toEqual([401, "NONCE_USED"]);
  });

  it("replaces and removes the owner's fields, and nothing else", async () => {
    await world.approve(agent);
    await put(agent.tokenId, await signedPut(agent, { services: [MCP, VOICE] }));
    const moved = { name: "mcp", endpoint: "https://elsewhere.example/mcp" };
    const edits = { services: [moved], removeServices: ["VOICE"] };
    const { body } = await put(agent.tokenId, await signedPut(agent, edits));
    expect(body.updatedFields).toEqual(["services"]);
    expect((await fileOf(agent)).services.slice(3)).toEqual([moved]);

    const { tokenId } = agent;
    const refused = await world.send("POST", "/v1/typed-data/registration-file", {
      tokenId,
      services: [
        { name: "did", endpoint: "did:web:elsewhere.example" },
        { name: " SVC ", endpoint: "https://elsewhere.example" },
        MCP,
        { ...MCP, name: "Mcp" },
      ],
      removeServices: ["Svc-API", "never"],
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.issues).toEqual([
      { path: "services.0.name", message: "Written by the service" },
      { path: "services.1.name", message: "Written by the service" },
      { path: "services.3.name", message: "Given twice" },
      { path: "removeServices.0", message: "Written by the service" },
      { path: "removeServices.1", message: "There is no such entry" },
    ]);
    const nothing = await world.send("POST", "/v1/typed-data/registration-file", { tokenId });
    expect([nothing.status, nothing.body.error.message]).toEqual([
      400,
      "The passport points at exactly this registration file already.",
    ]);
  });

  it("keeps the passport's earlier fields, older spellings included", async () => {
    await world.approve(agent);
    const inherited = {
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "Aurora of the weir",
      description: "Was here before.",
      image: "https://aurora.example/face.png",
      endpoints: [
        { name: "OASF", endpoint: "ipfs://x", version: "0.8", skills: ["birds"], domains: [] },
        { name: "DID", endpoint: "did:web:aurora.example" },
        { name: "DID", endpoint: "did:svc:31337:another-name" },
        { name: "Svc", endpoint: "https://liar.example" },
      ],
      x402support: true,
      active: false,
      registrations: [
        { agentId: 5, agentRegistry: `eip155:1:0x${"11".repeat(20)}` },
        {
          agentId: 99,
          agentRegistry: `eip155:31337:${service.chain.contracts.identityRegistry.toLowerCase()}`,
        },
      ],
      supportedTrust: ["reputation", "human-verified"],
      extra: { of: "its own", list: [1, 2.5, null] },
      svc: { soulHash: "a lie" },
    };
    const uri = `data:application/json;base64,${Buffer.from(JSON.stringify(inherited)).toString("base64")}`;
    await world.setAgentUri(agent, uri);
    const answer = await put(agent.tokenId, await signedPut(agent, { services: [VOICE] }));
    expect(answer.status).toBe(200);
    const { endpoints, x402support: _, ...kept } = inherited;
    const file = await fileOf(agent);
    expect(file).toEqual({
      ...kept,
      services: [...file.services.slice(0, 3), endpoints[0], endpoints[1], VOICE],
      x402Support: true,
      active: true,
      registrations: [
        {
          agentId: Number(agent.passportId),
          agentRegistry: `eip155:31337:${service.chain.contracts.identityRegistry}`,
        },
        inherited.registrations[0],
      ],
      supportedTrust: ["sbt-bound", "reputation"],
      svc: {
        chainId: 31337,
        tokenId: agent.tokenId,
        soulHash: agent.soulHash,
        did: `did:svc:31337:${agent.name}`,
        agentType: 2,
      },
    });
    expect(file.services.slice(0, 3)).toEqual([
      { name: "Svc", endpoint: `${service.url}/agents/${agent.name}`, version: "0.4" },
      { name: "Svc-API", endpoint: `${service.url}/v1/verify/${agent.name}`, version: "0.4" },
      { name: "DID", endpoint: `did:svc:31337:${agent.name}`, version: "v1" },
    ]);
  });

  it("keeps everything that it cannot read", async () => {
    await world.approve(agent);
    const { tokenId } = agent;
    for (const [uri, status, type] of [
      [
        "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
        400,
        "INVALID_REQUEST",
      ],
      ["data:application/json,%7B%22broken", 400, "INVALID_REQUEST"],
      ["data:application/json,[1]", 400, "INVALID_REQUEST"],
      ["https://127.0.0.1:9/file.json", 400, "INVALID_REQUEST"],
      [`ar://${"0".repeat(43)}`, 503, "STORAGE_UNAVAILABLE"],
    ] as const) {
      await world.setAgentUri(agent, uri);
      const body = { tokenId, services: [MCP] };
      const refused = await world.send("POST", "/v1/typed-data/registration-file", body);
      expect([uri, refused.status, refused.body.error.type]).toEqual([uri, status, type]);
      expect(refused.body.error.details.agentUri).toBe(uri);
    }
    await world.setAgentUri(agent, "");
    const answer = await put(tokenId, await signedPut(agent, { services: [MCP] }));
    expect(answer.status).toBe(200);
    expect(await fileOf(agent)).toMatchObject({ name: agent.name, description: "", active: true });
  });

  it("refuses a signer other than the owner", async () => {
    await world.approve(agent);
    const { tokenId } = agent;
    const other = await world.newAgent();
    const body = await signedPut(agent, { services: [MCP] });
    const { signature: _, message: __, signer: ___, ...unsigned } = body;
    const forged = await signedPut(agent, { services: [MCP] }, other.owner);
    const provisional = await world.provisionalKey();
    const cases: [string, object, Record<string, string>, number, string][] = [
      ["without a credential", unsigned, {}, 403, "WALLET_SIGNATURE_REQUIRED"],
      ["a bad key", body, bearer("svc_live_nonsense"), 401, "UNAUTHORIZED"],
      ["a provisional key", unsigned, bearer(provisional), 403, "WALLET_SIGNATURE_REQUIRED"],
      ["the full key", unsigned, bearer(agent.apiKey), 403, "WALLET_SIGNATURE_REQUIRED"],
      ["another's key", unsigned, bearer(other.apiKey), 403, "WALLET_SIGNATURE_REQUIRED"],
      ["another owner", forged, {}, 403, "NOT_OWNER"],
      ["a forger", { ...forged, signer: agent.owner.address }, {}, 401, "INVALID_SIGNATURE"],
    ];
    for (const [who, sent, headers, status, type] of cases) {
      const refused = await put(tokenId, sent, headers);
      expect([who, refused.status, refused.body.error.type]).toEqual([who, status, type]);
    }
    expect((await put(tokenId, body, bearer(agent.apiKey))).status).toBe(200);
  });

  it("requires the agent, the edits and the file that were signed", async () => {
    await world.approve(agent);
    const other = await world.newAgent(agent.owner);
    await world.approve(other);
    const body = await signedPut(agent, { services: [MCP] });
    const paths = async (tokenId: number, sent: object) => {
      const { status, body: answer } = await put(tokenId, sent);
      expect(status).toBe(400);
      return answer.error.details.issues.map(({ path }: { path: string }) => path);
    };
    expect(await paths(other.tokenId, body)).toEqual(["tokenId"]);
    const { tokenId: _, ...withoutId } = body;
    expect(await paths(other.tokenId, withoutId)).toEqual([
      ...["message.tokenId", "message.previousURIHash", "message.agentURI"],
    ]);
    expect(await paths(agent.tokenId, { ...body, services: [VOICE] })).toEqual([
      "message.agentURI",
    ]);
    expect(await paths(agent.tokenId, { ...body, message: { ...body.message, extra: 1 } })).toEqual(
      ["message.extra"],
    );
    // Between signing and sending, the file is replaced.
    await world.setAgentUri(agent, "data:application/json,%7B%7D");
    expect(await paths(agent.tokenId, body)).toEqual([
      ...["message.previousURIHash", "message.agentURI"],
    ]);
  });

  it("accepts one of two edits of one file that arrive at once", async () => {
    await world.approve(agent);
    const bodies = await Promise.all(
      [MCP, VOICE].map((entry) => signedPut(agent, { services: [entry] })),
    );
    const answers = await Promise.all(bodies.map((body) => put(agent.tokenId, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await world.agentUri(agent.passportId)).toBe(winner?.body.agentURI);
    const { rows } = await service.pool.query(
      `select state from app.operation o join app.operation_subject s on s.operation_id = o.id
       where s.id = $1 and o.settlement = 'chain' and o.state in ('accepted', 'settled')`,
      [agent.tokenId],
    );
    expect(rows).toEqual([{ state: "settled" }]);
  });
});

describe("POST /v1/agent-uri/update", () => {
  let agent: OwnedAgent;
  beforeEach(async () => {
    agent = await world.newAgent();
  });
  const edits = {
    services: [MCP],
    x402Support: true,
    description: "Counts by night as well.",
    imageUrl: "https://agent.example/night.png",
  };

  it("stores the file, and leaves the transaction to the owner, without any approval", async () => {
    const before = await fileOf(agent);
    const body = await signedUri(agent, edits);
    expect(body.message).toEqual({
      agentId: String(agent.passportId),
      previousURIHash: keccak256(stringToBytes(await world.agentUri(agent.passportId))),
      agentURI: expect.stringMatching(/^ar:\/\/[A-Za-z0-9_-]{43}$/),
      nonce: expect.stringMatching(/^[0-9]+$/),
      deadline: expect.stringMatching(/^[0-9]+$/),
    });
    const uri = body.message.agentURI;
    const txId = uri.slice("ar://".length);
    const { status, body: answer } = await updateUri(body);
    expect(status).toBe(200);
    expect(answer).toEqual({
      success: true,
      erc8004AgentId: Number(agent.passportId),
      newAgentUri: { url: `${service.url}/ar/${txId}`, arUri: uri, txId },
      transaction: {
        chainId: 31337,
        to: service.chain.contracts.identityRegistry,
        functionName: "setAgentURI",
        args: [String(agent.passportId), uri],
        data: encodeFunctionData({
          abi: identityRegistryAbi,
          functionName: "setAgentURI",
          args: [agent.passportId, uri],
        }),
        value: "0",
        description: `Point passport ${agent.passportId} at its new registration file.`,
      },
      updated: { x402Support: true, services: true, description: true, imageUrl: true },
    });
    const { body: stored } = await service.get(`/ar/${txId}`);
    expect(stored).toEqual({
      ...before,
      description: edits.description,
      image: edits.imageUrl,
      services: [...before.services, MCP],
      x402Support: true,
    });
    expect(await fileOf(agent)).toEqual(before);

    const { blockNumber } = await world.sendReady(answer.transaction, agent.owner);
    await service.get(`/v1/profile/${agent.name}?minBlock=${blockNumber}`);
    expect(await fileOf(agent)).toEqual(stored);
  });

  it("returns only the changes", async () => {
    const { body } = await updateUri(await signedUri(agent, { x402Support: true }));
    expect(body.updated).toEqual({
      x402Support: true,
      services: false,
      description: false,
      imageUrl: false,
    });
    const { body: other } = await updateUri(await signedUri(agent, { description: "" }));
    expect(other.updated).toMatchObject({ description: true, x402Support: false });
    expect((await service.get(`/ar/${other.newAgentUri.txId}`)).body.description).toBe("");
  });

  it("counts a signature once, also when it arrives 50 times at once", async () => {
    const body = await signedUri(agent, edits);
    const answers = await Promise.all(Array.from({ length: 50 }, () => updateUri(body)));
    const types = answers.map(({ status, body: answer }) =>
      status === 200 ? "done" : `${status} ${answer.error.type}`,
    );
    expect(types.filter((type) => type === "done")).toHaveLength(1);
    expect(types.filter((type) => type === "401 NONCE_USED")).toHaveLength(49);
    const { rows } = await service.pool.query(
      "select signer from app.operation_signature where nonce = $1",
      [body.message.nonce],
    );
    expect(rows).toEqual([{ signer: agent.owner.address }]);
  });

  it("repeats its answer under the same Idempotency-Key", async () => {
    const body = await signedUri(agent, edits);
    const key = { "idempotency-key": idempotencyKey() };
    const first = await updateUri(body, key);
    const again = await updateUri(body, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it("refuses another signer, an expired signature and another message", async () => {
    const other = await world.newAgent();
    const body = await signedUri(agent, edits);
    const { signature: _, message: __, signer: ___, ...unsigned } = body;
    const forged = await signedUri(agent, edits, other.owner);
    const free = await service.chain.registerPassport(agent.owner);
    const cases: [string, object, Record<string, string>, number, string][] = [
      ["without a credential", unsigned, {}, 403, "WALLET_SIGNATURE_REQUIRED"],
      [
        "provisional key",
        unsigned,
        bearer(await world.provisionalKey()),
        403,
        "WALLET_SIGNATURE_REQUIRED",
      ],
      ["the full key", unsigned, bearer(agent.apiKey), 403, "WALLET_SIGNATURE_REQUIRED"],
      ["another owner", forged, {}, 403, "NOT_OWNER"],
      ["a forger", { ...forged, signer: agent.owner.address }, {}, 401, "INVALID_SIGNATURE"],
      [
        "too late",
        await signedUri(agent, edits, agent.owner, { deadline: "1" }),
        {},
        401,
        "NONCE_EXPIRED",
      ],
      [
        "for too long",
        await signedUri(agent, edits, agent.owner, { deadline: String(2n ** 40n) }),
        {},
        400,
        "INVALID_REQUEST",
      ],
      ["no soul", { ...body, erc8004AgentId: Number(free) }, {}, 404, "NOT_FOUND"],
      ["no passport", { ...body, erc8004AgentId: 9_999_999 }, {}, 404, "NOT_FOUND"],
      [
        "no news",
        { ...body, services: [], removeServices: ["nothing"] },
        {},
        400,
        "INVALID_REQUEST",
      ],
    ];
    for (const [who, sent, headers, status, type] of cases) {
      const refused = await updateUri(sent, headers);
      expect([who, refused.status, refused.body.error.type]).toEqual([who, status, type]);
    }
    const otherText = await updateUri({ ...body, description: "Something else." });
    expect(otherText.body.error.details.issues).toEqual([
      {
        path: "message.agentURI",
        message: expect.stringMatching(/^This request needs ar:\/\/[A-Za-z0-9_-]{43}$/),
      },
    ]);
    const cancelled = await signedUri(agent, edits);
    await cancel(agent.owner, BigInt(cancelled.message.nonce));
    const refused = await updateUri(cancelled);
    expect([refused.status, refused.body.error.type]).toEqual([401, "NONCE_USED"]);
    // None of the refusals used the nonce.
    expect((await updateUri(body)).status).toBe(200);

    await service.chain.transferPassport(agent.passportId, agent.owner, newAccount().address);
    const sold = await updateUri(body);
    expect([sold.status, sold.body.error.type]).toEqual([409, "SUSPENDED"]);
  });
});

async function cancel(owner: LocalAccount, nonce: bigint) {
  await world.mined(
    await service.chain.client.writeContract({
      address: service.chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "cancel",
      args: [nonce],
      account: owner,
    }),
  );
}

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

  it("seals the registered soul, and leaves to the owner what only the owner may write", async () => {
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
      epoch: 1,
      version: 0,
      soulHash,
      soulMerkleRoot,
      contentHash,
      agentURI: uri,
      humanVerifier: zeroAddress,
      humanProofHash: zeroHash,
      nonce: expect.stringMatching(/^[0-9]+$/),
      deadline: expect.stringMatching(/^[0-9]+$/),
    });

    const { status, headers, body: answer } = await seal(body);
    expect(status).toBe(200);
    expect(Number(headers.get("x-svc-block"))).toBeGreaterThan(0);
    expect(answer).toEqual({
      tokenId,
      erc8004AgentId: Number(passportId),
      agentName: name,
      did: `did:svc:31337:${name}`,
      genesisStatus: "SEALED",
      soulHash,
      soulMerkleRoot,
      contentHash,
      arweaveTxId: archiveId,
      sealTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      humanVerified: false,
      agentURI: uri,
      needsAgentUriUpdate: false,
      agentUriTransaction: null,
      pendingMetadata: [
        {
          key: "svcStatus",
          value: stringToHex("SEALED"),
          transaction: expect.objectContaining({
            to: service.chain.contracts.passportWriter,
            functionName: "sync",
            args: [[String(tokenId)]],
          }),
        },
      ],
      approvalTransaction: approveTransaction(agent),
    });
    const [log] = await sealedLogs(tokenId);
    expect(log?.transactionHash).toBe(answer.sealTxHash);
    expect(log?.args).toMatchObject({
      soulHash,
      soulMerkleRoot,
      contentHash,
      archiveId: archiveIdOf(archiveId),
    });
    expect((await service.get(`/v1/profile/${name}`)).body).toMatchObject({
      genesisStatus: "SEALED",
      soulHash,
      arweaveTxId: archiveId,
    });
    const { body: before } = await service.get(`/v1/verify/${name}`);
    expect([before.overallStatus, before.checks.passport.pendingMetadata]).toEqual([
      "partial",
      answer.pendingMetadata,
    ]);
    await world.sendReady(answer.approvalTransaction, agent.owner);
    const { transaction } = answer.pendingMetadata[0];
    const { blockNumber } = await world.sendReady(transaction, agent.owner);
    expect(await metadataOf(passportId, "svcStatus")).toBe(stringToHex("SEALED"));
    const { body: after } = await service.get(`/v1/verify/${name}?minBlock=${blockNumber}`);
    expect(after.overallStatus).toBe("verified");

    expect((await seal(body)).body).toEqual(answer);
    const again = await world.send("POST", "/v1/typed-data/seal", { tokenId });
    expect([again.status, again.body.error.type]).toEqual([409, "ALREADY_SEALED"]);
    expect(await sealedLogs(tokenId)).toHaveLength(1);
  });

  it("leaves no transaction to an owner who approved the passport writer", async () => {
    await world.approve(agent);
    // Changed before the seal: the seal applies to this file.
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
      needsAgentUriUpdate: false,
      agentUriTransaction: null,
      pendingMetadata: [],
      approvalTransaction: null,
    });
    const [log] = await sealedLogs(agent.tokenId);
    expect(log?.args.agentURIHasIds).toBe(true);
    const file = (await service.get(`/v1/registration-file/${agent.name}`)).body;
    expect(answer.contentHash).toBe(sha256(stringToBytes(canonicalJson(withoutIds(file)))));
    expect(file.services.at(-1)).toEqual(edits.services[0]);
  });

  it("reports a passport that points at another file", async () => {
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

  it("refuses a signer other than the owner", async () => {
    const other = await provisionalAgent();
    const body = await signedSeal(agent);
    const { signature: _, message: __, signer: ___, ...unsigned } = body;
    const forged = await world.signed("seal", { tokenId: agent.tokenId }, other.owner);
    const cases: [string, object, Record<string, string>, number, string][] = [
      ["without a credential", unsigned, {}, 403, "WALLET_SIGNATURE_REQUIRED"],
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
    // After the return the soul stays suspended, so another one is burned.
    const other = await provisionalAgent();
    const early = await signedSeal(other);
    await burn(other);
    const burned = await seal(early);
    expect([burned.status, burned.body.error.type]).toEqual([409, "BURNED"]);
  });

  it("seals once when it arrives 50 times at once", async () => {
    const body = await signedSeal(agent);
    const answers = await Promise.all(Array.from({ length: 50 }, () => seal(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.sealTxHash)).size).toBe(1);
    expect(await sealedLogs(agent.tokenId)).toHaveLength(1);
  });

  it("accepts one of two signatures that seal it at once", async () => {
    const bodies = await Promise.all([signedSeal(agent), signedSeal(agent)]);
    const answers = await Promise.all(bodies.map((body) => seal(body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body.error.type).toBe("ALREADY_SEALED");
    const { rows } = await service.pool.query(
      `select state from app.operation o join app.operation_subject s on s.operation_id = o.id
       where s.id = $1 and o.settlement = 'chain' and o.state in ('accepted', 'settled')`,
      [agent.tokenId],
    );
    expect(rows).toEqual([{ state: "settled" }]);
  });

  it("accepts no proof for a missing adapter", async () => {
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
    const signed = await signedSeal(agent);
    for (const refused of [
      await world.send("POST", "/v1/typed-data/seal", { tokenId, humanProof }),
      await seal({ ...signed, humanProof }),
    ]) {
      expect([refused.status, refused.body.error.type]).toEqual([400, "INVALID_REQUEST"]);
    }
    const unknown = await world.send("POST", "/v1/typed-data/seal", { tokenId, humanProof });
    expect(unknown.body.error.details.reason).toBe("VerifierNotApproved");
  });
});

const pathsOf = ({ body }: Answer) =>
  body.error.details.issues.map(({ path }: { path: string }) => path);

describe("a proof of personhood", () => {
  it("counts with the seal, and is in the file", async () => {
    const agents = [await provisionalAgent(), await provisionalAgent()] as const;
    const [agent, other] = agents;
    const { chain } = service;
    const attester = newAccount();
    const chainWorld = chainVerbs({
      client: chain.client,
      contracts: chain.contracts,
      admin: account(0),
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
          attester,
          verifier,
          name,
          nullifier,
          owner: owner.address,
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
    const stolen = await world.send("POST", "/v1/typed-data/seal", {
      ...prepared[0],
      tokenId: other.tokenId,
    });
    expect([stolen.status, stolen.body.error.details.reason]).toEqual([400, "VerificationFailed"]);
    // Another proof, or no proof, is refused under the same signature.
    const second = prepared[1] as (typeof prepared)[number];
    const own = await world.signed("seal", second, other.owner);
    const { humanProof: _, ...withoutProof } = own;
    const swapped = await seal({ ...own, humanProof: prepared[0]?.humanProof });
    expect([swapped.status, pathsOf(swapped)]).toEqual([400, ["message.humanProofHash"]]);
    const leftOut = await seal(withoutProof);
    expect([leftOut.status, pathsOf(leftOut)]).toEqual([
      400,
      [
        "message.contentHash",
        "message.agentURI",
        "message.humanVerifier",
        "message.humanProofHash",
      ],
    ]);
    // Another agent of another person, without an approval: the file is left to its owner.
    const { body: left } = await seal(own);
    expect(left).toMatchObject({ humanVerified: true, needsAgentUriUpdate: true });
    const stored = (await service.get(`/ar/${left.agentURI.slice(5)}`)).body;
    expect(stored.supportedTrust).toEqual(["sbt-bound", "human-verified"]);
    const verify = async (block: bigint) =>
      (await service.get(`/v1/verify/${other.name}?minBlock=${block}`)).body;
    const { blockNumber: sealedIn } = await world.mined(left.sealTxHash);
    expect(await verify(sealedIn)).toMatchObject({
      overallStatus: "partial",
      checks: { passport: { status: "pending", needsAgentUriUpdate: true } },
    });
    let last = 0n;
    for (const transaction of [
      left.approvalTransaction,
      left.pendingMetadata[0].transaction,
      left.agentUriTransaction,
    ]) {
      last = (await world.sendReady(transaction, other.owner)).blockNumber;
    }
    expect(await verify(last)).toMatchObject({
      overallStatus: "verified",
      checks: { passport: { status: "valid", needsAgentUriUpdate: false } },
    });
  });
});

describe("POST /v1/validate/:tokenId", () => {
  const validator = stackAccounts().relayer.address;
  const TAG = "svc-soul-verified";
  let agent: OwnedAgent;
  beforeEach(async () => {
    agent = await world.newAgent();
  });

  const registryAt = () =>
    ({
      address: service.chain.contracts.validationRegistry as Hex,
      abi: validationRegistryAbi,
    }) as const;
  const validate = (tokenId: number, body: unknown = {}, headers: Record<string, string> = {}) =>
    world.send("POST", `/v1/validate/${tokenId}`, body, headers);
  const byKey = ({ tokenId, apiKey }: OwnedAgent) => validate(tokenId, {}, bearer(apiKey));
  const signedValidation = ({ tokenId, owner }: OwnedAgent, key = owner, change: object = {}) =>
    world.signed("validate", { tokenId }, key, change);
  const responses = (requestHash: Hex) =>
    service.chain.client.getContractEvents({
      ...registryAt(),
      eventName: "ValidationResponse",
      args: { requestHash },
      fromBlock: 0n,
      strict: true,
    });

  /** Sends the request that the service prepares for the owner. */
  async function requested(of: OwnedAgent): Promise<Hex> {
    const { body } = await byKey(of);
    await world.sendReady(body.error.details.transaction, of.owner);
    return body.error.details.requestHash;
  }

  it("asks the passport's owner for the request first, and then writes what is verified", async () => {
    const { passportId, tokenId, owner, name } = agent;
    const refused = await byKey(agent);
    const { details, ...error } = refused.body.error;
    expect([refused.status, error]).toEqual([
      403,
      {
        code: 403,
        type: "APPROVAL_REQUIRED",
        message:
          "The passport's owner must request this validation from the validation registry first.",
      },
    ]);
    const { transaction, requestHash } = details;
    const [, , uri] = transaction.args;
    expect(details).toEqual({
      erc8004AgentId: Number(passportId),
      requestHash,
      transaction: {
        chainId: 31337,
        to: registryAt().address,
        value: "0",
        functionName: "validationRequest",
        args: [validator, String(passportId), uri, requestHash],
        data: encodeFunctionData({
          abi: validationRegistryAbi,
          functionName: "validationRequest",
          args: [validator, passportId, uri, requestHash],
        }),
        description: `Ask this service to validate passport ${passportId}.`,
      },
      requestId: expect.any(String) as string,
    });
    const document = decodeURIComponent(uri.slice("data:application/json,".length));
    expect(requestHash).toBe(keccak256(stringToBytes(document)));
    expect(JSON.parse(document)).toEqual({
      format: "svc-validation-request-1",
      chainId: 31337,
      agentId: String(passportId),
      identityRegistry: service.chain.contracts.identityRegistry,

      soulRegistry: service.chain.contracts.soulRegistry,

      tokenId: String(tokenId),

      validator,
      nonce: expect.stringMatching(/^[0-9]+$/),
    });

    await world.sendReady(transaction, owner);
    const answer = await byKey(agent);
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get("x-svc-block"))).toBeGreaterThan(0);
    const [log] = await responses(requestHash);
    const { timestamp } = await service.chain.client.getBlock({ blockNumber: log?.blockNumber });
    expect(answer.body).toEqual({
      agentId: Number(passportId),
      tokenId: agent.tokenId,
      erc8004AgentId: Number(passportId),
      requestHash,
      response: 100,
      tag: TAG,
      validationTxHash: log?.transactionHash,
      validatedAt: new Date(Number(timestamp) * 1000).toISOString(),
    });
    expect(log?.args).toEqual({
      validatorAddress: validator,
      agentId: passportId,
      requestHash,
      response: 100,
      responseURI: `${service.url}/v1/verify/${name}`,
      responseHash: zeroHash,
      tag: TAG,
    });

    // An unchanged result is not paid for twice.
    expect((await byKey(agent)).body).toEqual(answer.body);
    expect(await responses(requestHash)).toHaveLength(1);
  });

  it("accepts the signature of the passport's owner, once", async () => {
    const requestHash = await requested(agent);
    const body = await signedValidation(agent);
    expect(body.message).toEqual({
      tokenId: String(agent.tokenId),
      agentId: String(agent.passportId),
      nonce: expect.stringMatching(/^[0-9]+$/),
      deadline: expect.stringMatching(/^[0-9]+$/),
    });
    const answer = await validate(agent.tokenId, body);
    expect(answer).toMatchObject({ status: 200, body: { requestHash, response: 100 } });
    const again = await validate(agent.tokenId, body);
    expect([again.status, again.body.error.type]).toEqual([401, "NONCE_USED"]);
  });

  it("lets a session of the owner ask", async () => {
    await requested(agent);
    const { accessToken } = await ownerSession(service, agent.owner);
    const answer = await validate(agent.tokenId, {}, bearer(accessToken));
    expect(answer).toMatchObject({ status: 200, body: { response: 100 } });
    const stranger = await ownerSession(service, (await world.newAgent()).owner);
    const refused = await validate(agent.tokenId, {}, bearer(stranger.accessToken));
    expect([refused.status, refused.body.error.type]).toEqual([403, "FORBIDDEN"]);
  });

  it("writes 0 for a sold passport: its key is refused, its new owner may ask", async () => {
    const requestHash = await requested(agent);
    expect((await byKey(agent)).body.response).toBe(100);
    const stale = await signedValidation(agent);
    const buyer = newAccount();
    await service.chain.transferPassport(agent.passportId, agent.owner, buyer.address);
    for (const [refused, type] of [
      [await byKey(agent), "SUSPENDED"],
      [await validate(agent.tokenId, stale), "NOT_OWNER"],
    ] as const) {
      expect(refused.body.error.type).toBe(type);
    }
    const answer = await validate(agent.tokenId, await signedValidation(agent, buyer));
    expect(answer).toMatchObject({ status: 200, body: { requestHash, response: 0, tag: TAG } });
    const written = (await responses(requestHash)).map(({ args }) => args.response);
    expect(written).toEqual([100, 0]);
  });

  it("refuses other callers, and souls that are not sealed", async () => {
    const other = await world.newAgent();
    const { tokenId } = agent;
    // Nothing can be signed before the owner has asked the registry.
    const early = await world.send("POST", "/v1/typed-data/validate", { tokenId });
    expect([early.status, early.body.error.type]).toEqual([403, "APPROVAL_REQUIRED"]);
    await world.sendReady(early.body.error.details.transaction, agent.owner);
    const { tokenId: _, ...signed } = await signedValidation(agent);
    const forged = await signedValidation(agent, other.owner);
    const { signer: __, ...half } = signed;
    const cases: [string, number, unknown, Record<string, string>, number, string][] = [
      ["without a credential", tokenId, {}, {}, 401, "UNAUTHORIZED"],
      [
        ...(["a provisional key", tokenId, {}, bearer(await world.provisionalKey())] as const),
        ...([403, "FULL_KEY_REQUIRED"] as const),
      ],
      ["another's key", tokenId, {}, bearer(other.apiKey), 403, "FORBIDDEN"],
      ["another owner", tokenId, forged, {}, 403, "NOT_OWNER"],
      [
        ...(["a forger", tokenId, { ...forged, signer: agent.owner.address }, {}] as const),
        ...([401, "INVALID_SIGNATURE"] as const),
      ],
      ["half a signature", tokenId, half, {}, 400, "INVALID_REQUEST"],
      ["another body", tokenId, { ...signed, tokenId: other.tokenId }, {}, 400, "INVALID_REQUEST"],
      ["no soul", 9_999_999, signed, {}, 404, "NOT_FOUND"],
      ["another soul", other.tokenId, signed, {}, 403, "NOT_OWNER"],
    ];
    for (const [who, id, sent, headers, status, type] of cases) {
      const refused = await validate(id, sent, headers);
      expect([who, refused.status, refused.body.error.type]).toEqual([who, status, type]);
    }
    const changed = await validate(
      tokenId,
      await signedValidation(agent, agent.owner, { agentId: "0" }),
    );
    expect(changed.body.error.details.issues).toEqual([
      { path: "message.agentId", message: `This request needs ${agent.passportId}` },
    ]);
    const late = await validate(
      tokenId,
      await signedValidation(agent, agent.owner, { deadline: "1" }),
    );
    expect([late.status, late.body.error.type]).toEqual([401, "NONCE_EXPIRED"]);
    const provisional = await provisionalAgent();
    const unsealed = await byKey(provisional);
    expect([unsealed.status, unsealed.body.error.type]).toEqual([403, "FORBIDDEN"]);
    await burn(agent);
    const burned = await validate(tokenId, signed);
    expect([burned.status, burned.body.error.type]).toEqual([409, "BURNED"]);
  });

  it("writes once when it is requested 20 times at once", async () => {
    const requestHash = await requested(agent);
    const answers = await Promise.all(Array.from({ length: 20 }, () => byKey(agent)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.validationTxHash)).size).toBe(1);
    expect(await responses(requestHash)).toHaveLength(1);
  });
});

async function burn({ tokenId, owner }: OwnedAgent) {
  const message = {
    tokenId: BigInt(tokenId),
    epoch: 1,
    version: 0,
    nonce: 0n,
    deadline: 0n,
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
