import type { LocalAccount } from "viem";
import { encodeFunctionData, keccak256, stringToBytes } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/sign-in-harness.ts";
import type { OwnedAgent } from "../fixtures/owner-signed.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { idempotencyKey } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Registration files as their owners change them, over HTTP on the API as it runs.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
beforeAll(async () => {
  service = await sharedService();
  world = ownerSigned(service);
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
  args: [service.chain.contracts.soulRegistry, String(agent.passportId)],
  data: encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "approve",
    args: [service.chain.contracts.soulRegistry, agent.passportId],
  }),
  value: "0",
  description: `Let the soul registry write to passport ${agent.passportId} what its owner signs.`,
});

describe("PUT /v1/registration-file/:tokenId", () => {
  let agent: OwnedAgent;
  beforeEach(async () => {
    agent = await world.newAgent();
  });

  it("asks for the approval first, with the transaction that gives it", async () => {
    const { tokenId } = agent;
    const prepared = await world.send("POST", "/v1/typed-data/registration-file", {
      ...{ tokenId, services: [MCP] },
    });
    expect(prepared.status).toBe(403);
    expect(prepared.body.error).toMatchObject({
      type: "APPROVAL_REQUIRED",
      details: {
        erc8004AgentId: String(agent.passportId),
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

  it("writes the new file, and everybody reads it", async () => {
    await world.approve(agent);
    const { tokenId, passportId, name } = agent;
    const before = await fileOf(agent);
    const previousUri = await world.agentUri(passportId);
    const body = await signedPut(agent, { services: [MCP, VOICE], x402Support: true });
    expect(body.message).toEqual({
      tokenId: String(tokenId),
      ...{ epoch: 1, version: 0 },
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

    // The same signed request has the same answer; another one under it has none.
    const again = await put(tokenId, body);
    expect([again.status, again.body]).toEqual([200, answer.body]);
    const other = await put(tokenId, { ...body, x402Support: false });
    expect([other.status, other.body.error.type]).toEqual([401, "NONCE_USED"]);
  });

  it("replaces and removes what is the owner's, and nothing else", async () => {
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

  it("keeps what came with the passport, older spellings included", async () => {
    await world.approve(agent);
    const inherited = {
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "Aurora of the weir",
      description: "Was here before.",
      image: "https://aurora.example/face.png",
      endpoints: [
        { name: "OASF", endpoint: "ipfs://x", version: "0.8", skills: ["birds"], domains: [] },
        { name: "DID", endpoint: "did:web:aurora.example" },
        { name: "DID", endpoint: "did:svc:31337:somebody-else" },
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

  it("loses nothing that it cannot read", async () => {
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
      [`ar://${"z".repeat(43)}`, 503, "STORAGE_UNAVAILABLE"],
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

  it("is the owner's alone", async () => {
    await world.approve(agent);
    const { tokenId } = agent;
    const other = await world.newAgent();
    const body = await signedPut(agent, { services: [MCP] });
    const { signature: _, message: __, signer: ___, ...unsigned } = body;
    const forged = await signedPut(agent, { services: [MCP] }, other.owner);
    const provisional = await world.provisionalKey();
    const cases: [string, object, Record<string, string>, number, string][] = [
      ["nobody", unsigned, {}, 400, "INVALID_REQUEST"],
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

  it("is about the agent, the edits and the file that were signed", async () => {
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
    // Between signing and sending, another file.
    await world.setAgentUri(agent, "data:application/json,%7B%7D");
    expect(await paths(agent.tokenId, body)).toEqual([
      ...["message.previousURIHash", "message.agentURI"],
    ]);
  });

  it("has one winner when two edits of one file come at once", async () => {
    await world.approve(agent);
    const bodies = await Promise.all(
      [MCP, VOICE].map((entry) => signedPut(agent, { services: [entry] })),
    );
    const answers = await Promise.all(bodies.map((body) => put(agent.tokenId, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await world.agentUri(agent.passportId)).toBe(winner?.body.agentURI);
    const { rows } = await service.pool.query(
      "select state from app.owner_operation where token_id = $1",
      [agent.tokenId],
    );
    expect(rows).toEqual([{ state: "complete" }]);
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

  it("says what was changed, and nothing else", async () => {
    const { body } = await updateUri(await signedUri(agent, { x402Support: true }));
    expect(body.updated).toEqual({
      ...{ x402Support: true, services: false, description: false, imageUrl: false },
    });
    const { body: other } = await updateUri(await signedUri(agent, { description: "" }));
    expect(other.updated).toMatchObject({ description: true, x402Support: false });
    expect((await service.get(`/ar/${other.newAgentUri.txId}`)).body.description).toBe("");
  });

  it("counts a signature once, also when it comes 50 times at once", async () => {
    const body = await signedUri(agent, edits);
    const answers = await Promise.all(Array.from({ length: 50 }, () => updateUri(body)));
    const types = answers.map(({ status, body: answer }) =>
      status === 200 ? "done" : `${status} ${answer.error.type}`,
    );
    expect(types.filter((type) => type === "done")).toHaveLength(1);
    expect(types.filter((type) => type === "401 NONCE_USED")).toHaveLength(49);
    const { rows } = await service.pool.query(
      "select signer from app.owner_nonce where nonce = $1",
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

  it("is the owner's alone, in time, and about what was signed", async () => {
    const other = await world.newAgent();
    const body = await signedUri(agent, edits);
    const { signature: _, message: __, signer: ___, ...unsigned } = body;
    const forged = await signedUri(agent, edits, other.owner);
    const free = await service.chain.registerPassport(agent.owner);
    const cases: [string, object, Record<string, string>, number, string][] = [
      ["nobody", unsigned, {}, 400, "INVALID_REQUEST"],
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
