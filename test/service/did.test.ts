import { Resolver } from "did-resolver";
import { getAddress, type Hex, type LocalAccount, parseEventLogs } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getResolver } from "../../kit/did/resolver.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { archiveIdOf, storageIdOf } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { didCoreProblems } from "../fixtures/did-core.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The running service, compared with a resolver that works without it.
let service: Service;
let resolver: Resolver;

beforeAll(async () => {
  service = await sharedService();
  const { rpcUrl, contracts } = service.chain;
  resolver = new Resolver(
    getResolver({
      networks: { 31337: { rpcUrls: [rpcUrl], soulRegistry: contracts.soulRegistry } },
      gateways: [{ url: `${service.url}/ar/{id}/item`, serves: "item" }],
    }),
  );
});
afterAll(() => service?.stop());

interface Agent {
  readonly owner: LocalAccount;
  readonly name: string;
  readonly did: string;
  readonly tokenId: number;
  readonly passportId: number;
  readonly block: string;
}

async function newAgent(change: object = {}): Promise<Agent> {
  const owner = newAccount();
  const name = freshName();
  const { answer } = await service.register(name, owner, change);
  const { tokenId, erc8004AgentId: passportId } = answer.body;
  const block = answer.headers.get("x-svc-block") ?? "";
  return { owner, name, did: `did:svc:31337:${name}`, tokenId, passportId, block };
}

const KEY = "FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z";
const tips = { chain: "solana", address: KEY, label: "Tips", keyType: "Ed25519" };
const TREASURY = newAccount().address;
const treasury = {
  chain: "eip155:1",
  address: TREASURY,
  label: "Treasury",
  keyType: "EcdsaSecp256k1",
};

/** The body with its owner's signature; `change` replaces parts of the message before signing. */
async function signed(agent: Pick<Agent, "owner">, body: object, change: object = {}) {
  const { status, body: typedData } = await service.post("/v1/typed-data/did", body);
  if (status !== 200) throw new Error(`No typed data: ${JSON.stringify(typedData)}`);
  const message = { ...typedData.message, ...change };
  const signature = await agent.owner.signTypedData({ ...typedData, message });
  return { ...body, message, signature, signer: agent.owner.address };
}

const put = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  service.request(`/v1/did/${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const update = async (agent: Agent, change: object) =>
  put(agent.name, await signed(agent, { tokenId: agent.tokenId, ...change }));

const archiveOnChain = (tokenId: number): Promise<Hex> =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "didArchiveOf",
    args: [BigInt(tokenId)],
  });

/** An owner's own transaction on the soul registry. */
async function byOwner<Call extends object>({ owner }: Pick<Agent, "owner">, call: Call) {
  const { client, contracts, fund } = service.chain;
  await fund(owner.address);
  const hash = await client.writeContract({
    account: owner,
    address: contracts.soulRegistry,
    abi: soulRegistryAbi,
    ...call,
  } as never);
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  if (receipt.status !== "success") throw new Error("It reverted.");
  return receipt.blockNumber;
}

const setArchive = (agent: Agent, previousArchiveId: Hex, archiveId: Hex, version: number) =>
  byOwner(agent, {
    functionName: "setDidArchive",
    args: [
      {
        tokenId: BigInt(agent.tokenId),
        epoch: 1,
        version,
        previousArchiveId,
        archiveId,
        nonce: 0n,
        deadline: 0n,
      },
      "0x",
    ],
  });

const burn = (agent: Agent, version: number) =>
  byOwner(agent, {
    functionName: "burn",
    args: [
      {
        tokenId: BigInt(agent.tokenId),

        epoch: 1,

        version,

        reasonHash: `0x${"00".repeat(32)}`,
        nonce: 0n,
        deadline: 0n,
      },
      "0x",
    ],
  });

const ZERO = `0x${"00".repeat(32)}` as const;

function issues(answer: { status: number; body: { error?: { type: string; details?: unknown } } }) {
  const { status, body } = answer;
  const { type, details } = body.error ?? {};
  return { status, type, issues: (details as { issues?: unknown } | undefined)?.issues };
}

describe("GET /v1/did/:name", () => {
  it("returns the same as the chain and storage alone", async () => {
    const agent = await newAgent({
      publicIdentity: {
        website: "https://heron.example",
        serviceEndpoints: { mcp: "https://heron.example/mcp" },
      },
    });
    const { did, owner, name } = agent;
    const answer = await service.get(`/v1/did/${name}?minBlock=${agent.block}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      "@context": [
        "https://www.w3.org/ns/did/v1",
        "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
        expect.any(Object),
      ],
      id: did,
      controller: `did:pkh:eip155:31337:${owner.address}`,
      verificationMethod: [
        {
          id: `${did}#owner`,
          type: "EcdsaSecp256k1RecoveryMethod2020",
          keyType: "EcdsaSecp256k1",
          controller: did,
          blockchainAccountId: `eip155:31337:${owner.address}`,
        },
      ],
      authentication: [`${did}#owner`],
      assertionMethod: [`${did}#owner`],
      service: [
        { type: "Svc", serviceEndpoint: `${service.url}/agents/${name}` },
        { type: "Svc-API", serviceEndpoint: `${service.url}/v1/verify/${name}` },
        { type: "MCP", serviceEndpoint: "https://heron.example/mcp" },
        { type: "web", serviceEndpoint: "https://heron.example" },
      ].map((entry, index) => ({ id: `${did}#service-${index + 1}`, ...entry })),
    });
    expect(didCoreProblems(answer.body, did)).toEqual([]);
    expect((await resolver.resolve(did)).didDocument).toEqual(answer.body);

    expect(answer.headers.get("cache-control")).toBe("max-age=300, stale-while-revalidate=600");
    expect(answer.headers.get("vary")).toContain("Accept");
    expect(BigInt(answer.headers.get("x-svc-block") ?? "")).toBeGreaterThanOrEqual(
      BigInt(agent.block),
    );
    const etag = answer.headers.get("etag") ?? "";
    expect(etag).toMatch(/^".+"$/);
    const again = await service.request(`/v1/did/${name}`, { headers: { "if-none-match": etag } });
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  it("accepts a name and both forms of the DID, and the passport's own DID", async () => {
    const { name, did, tokenId, passportId, owner } = await newAgent();
    for (const reference of [
      name.toUpperCase(),
      `did:svc:${name}`,
      did,
      encodeURIComponent(did),
      `${tokenId}`,
    ]) {
      const { status, body } = await service.get(`/v1/did/${reference}`);
      expect([status, body.id]).toEqual([200, did]);
    }
    const passport = `did:svc:31337:agent-${passportId}`;
    const { body } = await service.get(`/v1/did/agent-${passportId}`);
    expect(body).toMatchObject({ id: passport, alsoKnownAs: [did] });
    expect(body).toEqual((await resolver.resolve(passport)).didDocument);

    const bare = await service.chain.registerPassport(await funded(owner));
    const head = await service.chain.client.getBlockNumber({ cacheTime: 0 });
    const own = await service.get(`/v1/did/agent-${bare}?minBlock=${head}`);
    expect(own.status).toBe(200);
    expect(own.body).not.toHaveProperty("alsoKnownAs");
    const profile = await service.get(`/v1/profile/agent-${bare}`);
    expect([profile.status, profile.body]).toEqual([
      200,
      expect.objectContaining({
        agentName: `agent-${bare}`,
        did: `did:svc:31337:agent-${bare}`,
        tokenId: null,
        agentType: "other",
        genesisStatus: "PROVISIONAL",
        owner: owner.address,
        erc8004AgentId: Number(bare),
      }),
    ]);
    const standing = await service.get(`/v1/profile/agent-${bare}/status`);
    expect([standing.status, standing.body]).toMatchObject([
      200,
      {
        agentName: `agent-${bare}`,
        tokenId: null,
        erc8004AgentId: Number(bare),
        alive: true,
        trustworthy: false,
      },
    ]);
    const ofSoul = await service.get(`/v1/profile/agent-${passportId}`);
    expect([ofSoul.status, ofSoul.body.agentName]).toEqual([200, name]);
    const unknown = await service.get("/v1/profile/agent-999999");
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "NOT_FOUND"]);
    expect(own.body).toEqual((await resolver.resolve(`did:svc:31337:agent-${bare}`)).didDocument);
  });

  it("gives the requested representation", async () => {
    const { name, did } = await newAgent();
    const ask = (accept: string) => fetch(`${service.url}/v1/did/${name}`, { headers: { accept } });
    for (const type of ["application/did+ld+json", "application/did+json", "application/did"]) {
      const answer = await ask(`${type}, */*;q=0.9`);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(await answer.json()).toMatchObject({ id: did });
    }
    const weighed = await ask("application/did+json;q=0.4, application/did+ld+json;q=0.5");
    expect(weighed.headers.get("content-type")).toBe("application/did+ld+json");
    for (const accept of ["*/*", "application/*", "text/html, */*;q=0.1"]) {
      expect((await ask(accept)).headers.get("content-type")).toMatch(/^application\/json/);
    }
    for (const accept of ["text/html", "application/json;q=0"]) {
      const refused = await ask(accept);
      expect([refused.status, (await refused.json()).error.type]).toEqual([406, "NOT_ACCEPTABLE"]);
    }
    const resolution = await ask("application/did-resolution");
    expect(resolution.headers.get("content-type")).toBe("application/did-resolution");
    expect(await resolution.json()).toStrictEqual({
      didDocument: (await resolver.resolve(did)).didDocument,
      didResolutionMetadata: { contentType: "application/did+ld+json" },
      didDocumentMetadata: { created: expect.stringMatching(/^20.*Z$/) },
    });
  });

  it.each([
    [404, "NOT_FOUND", "unknown-name"],
    [404, "NOT_FOUND", "agent-999999"],
    [404, "NOT_FOUND", "did:svc:31337:unknown-name"],
    [400, "INVALID_REQUEST", "did:svc:8453:heron"],
    [400, "INVALID_REQUEST", "did:svc:31337:heron%23owner"],
    [400, "INVALID_REQUEST", "did:web:heron.example"],
    [400, "INVALID_NAME", "a"],
    [404, "NOT_FOUND", "9007199254740991"],
    [400, "INVALID_REQUEST", "0"],
    [400, "INVALID_NAME", "no_name"],
    [400, "INVALID_REQUEST", "x".repeat(300)],
  ])("answers %d %s for %s", async (status, type, reference) => {
    const answer = await service.get(`/v1/did/${reference}`);
    expect([answer.status, answer.body.error.type]).toEqual([status, type]);
  });

  it("refuses agents of another chain as unknown", async () => {
    expect(issues(await service.get("/v1/did/did:svc:8453:heron"))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      issues: [{ path: "name", message: "Only agents of chain 31337 are known here" }],
    });
  });

  it.each([
    [404, "notFound", "NOT_FOUND", "unknown-name"],
    [400, "invalidDid", "INVALID_DID", "a"],
    [400, "invalidDid", "INVALID_DID", "did:web:heron.example"],
    [400, "invalidOptions", "INVALID_OPTIONS", "unknown-name?versionTime=2026-01-01"],
    [404, "notFound", "NOT_FOUND", `agent-0?versionId=${"A".repeat(43)}`],
  ])("answers %d %s as a resolution result where one is requested", async (...row) => {
    const [status, error, title, reference] = row;
    for (const accept of ["application/did-resolution", "application/did-resolution+json"]) {
      const answer = await fetch(`${service.url}/v1/did/${reference}`, { headers: { accept } });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, accept]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const message = expect.any(String);
      expect(await answer.json()).toEqual({
        didDocument: null,
        didResolutionMetadata: {
          error,
          message,
          problem: { type: `https://www.w3.org/ns/did#${title}`, title, detail: message },
          requestId: answer.headers.get("x-request-id"),
        },
        didDocumentMetadata: {},
      });
    }
  });

  it("answers as a result that it does not have this representation", async () => {
    const { name } = await newAgent();
    const accept = "application/did+cbor";
    const answer = await fetch(`${service.url}/v1/did/${name}`, { headers: { accept } });
    expect([answer.status, (await answer.json()).didResolutionMetadata.error]).toEqual([
      406,
      "representationNotSupported",
    ]);
  });

  it("names no account once the agent is burned", async () => {
    const agent = await newAgent();
    await update(agent, { addAddress: tips });
    const block = await burn(agent, 1);
    const path = `/v1/did/${agent.name}?minBlock=${block}`;
    const { body, headers } = await service.get(path);
    expect(body).toStrictEqual({
      "@context": ["https://www.w3.org/ns/did/v1"],
      id: agent.did,
      verificationMethod: [],
      authentication: [],
      assertionMethod: [],
      service: [],
    });
    expect(headers.get("cache-control")).toBe("max-age=30, stale-while-revalidate=60");
    const accept = { accept: "application/did-resolution" };
    const resolution = await fetch(`${service.url}${path}`, { headers: accept });
    expect([resolution.status, resolution.headers.get("cache-control")]).toEqual([410, "no-store"]);
    expect((await resolution.json()).didDocumentMetadata).toEqual({
      created: expect.any(String),
      deactivated: true,
    });
  });
});

async function funded(owner: LocalAccount): Promise<LocalAccount> {
  await service.chain.fund(owner.address);
  return owner;
}

describe("PUT /v1/did/:name", () => {
  it("lists an address: archived, named on chain, shown everywhere, sent to webhooks", async () => {
    const agent = await newAgent();
    const { did, name, tokenId } = agent;
    const first = await update(agent, { addAddress: tips });
    expect([first.status, first.body]).toEqual([
      200,
      {
        did,
        tokenId,
        erc8004AgentId: agent.passportId,
        updated: true,
        arweaveTxId: storageIdOf(await archiveOnChain(tokenId)),
        totalAddresses: 1,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ]);
    expect((await service.get(`/ar/${first.body.arweaveTxId}`)).body).toEqual({
      format: "svc-did/1",
      did,
      soulRegistry: getAddress(service.chain.contracts.soulRegistry),
      tokenId: String(tokenId),
      epoch: 1,
      version: 1,
      previous: null,
      addresses: [
        { ...tips, chain: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", sentChain: "solana" },
      ],
    });

    const second = await update(agent, {
      addAddress: { ...treasury, address: TREASURY.toLowerCase() },
    });
    expect(second.body).toMatchObject({ did, totalAddresses: 2 });
    expect((await service.get(`/ar/${second.body.arweaveTxId}`)).body).toMatchObject({
      version: 2,
      previous: first.body.arweaveTxId,
    });

    const { body } = await service.get(`/v1/did/${name}`);
    expect(body.verificationMethod.map(({ id }: { id: string }) => id)).toEqual([
      `${did}#owner`,
      `${did}#solana-5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp-${KEY}`,
      `${did}#eip155-1-${TREASURY}`,
    ]);
    expect(didCoreProblems(body, did)).toEqual([]);
    const resolved = await resolver.resolve(did);
    expect(resolved.didDocument).toEqual(body);
    expect(resolved.didDocumentMetadata).toEqual({ versionId: second.body.arweaveTxId });
    const old = await resolver.resolve(`${did}?versionId=${first.body.arweaveTxId}`);
    expect(old.didDocument?.verificationMethod).toHaveLength(2);

    // The service answers versions as the resolver does.
    const older = await fetch(`${service.url}/v1/did/${name}?versionId=${first.body.arweaveTxId}`, {
      headers: { accept: "application/did-resolution" },
    });
    const version = await older.json();
    expect([older.status, version.didDocument]).toEqual([200, old.didDocument]);
    expect(version.didDocumentMetadata).toMatchObject({
      versionId: first.body.arweaveTxId,
      nextVersionId: second.body.arweaveTxId,
    });
    const unknown = await service.get(`/v1/did/${name}?versionId=${"A".repeat(43)}`);
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "NOT_FOUND"]);

    const profile = await service.get(`/v1/profile/${name}`);
    expect(profile.body.chainAddresses).toEqual([
      { chain: "solana", address: KEY, label: "Tips" },
      { chain: "eip155:1", address: TREASURY, label: "Treasury" },
    ]);

    const { rows } = await service.pool.query(
      "select data from app.webhook_event where event = 'embodiment.updated' and data ->> 'agentName' = $1 order by array_position($2, data ->> 'txHash')",
      [name, [first.body.txHash, second.body.txHash]],
    );
    expect(rows.map(({ data }) => data)).toEqual(
      [first, second].map(({ body: { txHash } }) => ({
        tokenId,
        agentName: name,
        change: "did_address",
        operator: null,
        did,
        txHash,
        updatedAt: expect.stringMatching(/^20.*Z$/),
      })),
    );
    const { logs } = await service.chain.client.getTransactionReceipt({ hash: second.body.txHash });
    expect(
      parseEventLogs({ abi: soulRegistryAbi, eventName: "DidArchiveSet", logs })[0]?.args,
    ).toEqual({
      tokenId: BigInt(tokenId),
      epoch: 1,
      archiveId: archiveIdOf(second.body.arweaveTxId),
      previousArchiveId: archiveIdOf(first.body.arweaveTxId),
    });
  });

  it("removes an address", async () => {
    const agent = await newAgent();
    await update(agent, { addAddress: tips });
    const { status, body } = await update(agent, {
      removeAddress: { chain: "solana", address: KEY },
    });
    expect([status, body.totalAddresses]).toEqual([200, 0]);
    const document = await service.get(`/v1/did/${agent.name}`);
    expect(document.body.verificationMethod).toHaveLength(1);
  });

  it("carries out one signed request once, and repeats its answer", async () => {
    const agent = await newAgent();
    const body = await signed(agent, { tokenId: agent.tokenId, addAddress: tips });
    const headers = { "Idempotency-Key": idempotencyKey() };
    const answers = [
      await put(agent.name, body, headers),
      await put(agent.name, body, headers),
      await put(agent.did, body),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.txHash)).size).toBe(1);
  });

  it("accepts one of two changes signed over the same document", async () => {
    const agent = await newAgent();
    const bodies = await Promise.all(
      [tips, treasury].map((addAddress) => signed(agent, { tokenId: agent.tokenId, addAddress })),
    );
    const answers = await Promise.all(bodies.map((body) => put(agent.name, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const { body } = await service.get(`/v1/did/${agent.name}`);
    expect(body.verificationMethod).toHaveLength(2);
  });

  it.each([
    ["addAddress.chain", { ...tips, chain: "dogecoin" }, undefined],
    [
      "addAddress.address",
      { ...treasury, address: `${TREASURY.slice(0, -1)}G` },
      "not an address, or its checksum is wrong",
    ],
    ["addAddress.address", { ...tips, address: TREASURY }, "not the base58 form of a 32-byte key"],
    [
      "addAddress.keyType",
      { ...treasury, keyType: "Ed25519" },
      "accounts of eip155:1 have EcdsaSecp256k1 keys",
    ],
    ["addAddress.keyType", { ...treasury, keyType: "P-256" }, undefined],
    ["addAddress.label", { ...tips, label: "" }, "not 1 to 64 printable characters of text"],
    ["addAddress.extra", { ...tips, extra: 1 }, "Unknown field"],
  ])("reports an invalid %s: %j", async (path, addAddress, message) => {
    const answer = await service.post("/v1/typed-data/did", { tokenId: 1, addAddress });
    expect(issues(answer)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      issues: [{ path, message: message ?? expect.any(String) }],
    });
  });

  it("requires exactly one change", async () => {
    for (const change of [
      {},
      { addAddress: tips, removeAddress: { chain: "solana", address: KEY } },
    ]) {
      const answer = await service.post("/v1/typed-data/did", { tokenId: 1, ...change });
      expect(issues(answer)).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        issues: [{ path: "", message: "Exactly one of addAddress and removeAddress" }],
      });
    }
  });

  it("refuses a change that the document does not allow", async () => {
    const agent = await newAgent();
    const { tokenId } = agent;
    const prepare = async (change: object) =>
      issues(await service.post("/v1/typed-data/did", { tokenId, ...change }));
    const refusal = (path: string, message: string) => ({
      status: 400,
      type: "INVALID_REQUEST",
      issues: [{ path, message }],
    });
    expect(await prepare({ removeAddress: { chain: "solana", address: KEY } })).toEqual(
      refusal("removeAddress.address", "The address is not in the document."),
    );
    await update(agent, { addAddress: tips });
    expect(await prepare({ addAddress: { ...tips, label: "Other" } })).toEqual(
      refusal("addAddress.address", "The address is in the document already."),
    );
  });

  it("refuses callers other than the owner, and every other agent's name", async () => {
    const agent = await newAgent();
    const other = await newAgent();
    const body = { tokenId: agent.tokenId, addAddress: tips };
    const byOther = await put(agent.name, await signed(other, body));
    expect([byOther.status, byOther.body.error.type]).toEqual([403, "NOT_OWNER"]);

    const forged = { ...(await signed(other, body)), signer: agent.owner.address };
    const answer = await put(agent.name, forged);
    expect([answer.status, answer.body.error.type]).toEqual([401, "INVALID_SIGNATURE"]);

    const elsewhere = await put(other.name, await signed(agent, body));
    expect(issues(elsewhere)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      issues: [{ path: "tokenId", message: `This is the token id of ${agent.name}` }],
    });

    const unsigned = await put(agent.name, body);
    expect([unsigned.status, unsigned.body.error.type]).toEqual([403, "WALLET_SIGNATURE_REQUIRED"]);
    expect(await archiveOnChain(agent.tokenId)).toBe(ZERO);
  });

  it("refuses a key without a signature", async () => {
    const owner = newAccount();
    const { answer } = await service.register(freshName(), owner);
    const { apiKey, agentName, tokenId } = answer.body;
    const refused = await put(
      agentName,
      { tokenId, addAddress: tips },
      { authorization: `Bearer ${apiKey}` },
    );
    expect([refused.status, refused.body.error.type]).toEqual([403, "WALLET_SIGNATURE_REQUIRED"]);
  });

  it("refuses a message about another archive", async () => {
    const agent = await newAgent();
    const body = { tokenId: agent.tokenId, addAddress: tips };
    const sent = await signed(agent, body, { archiveId: `0x${"ab".repeat(32)}` });
    expect(issues(await put(agent.name, sent))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      issues: [
        { path: "message.archiveId", message: expect.stringMatching(/^This request needs 0x/) },
      ],
    });
  });

  it("refuses an unknown, a burned and a sold agent", async () => {
    const unknown = await service.post("/v1/typed-data/did", {
      tokenId: 999_999,
      addAddress: tips,
    });
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "NOT_FOUND"]);

    const agent = await newAgent();
    const body = await signed(agent, { tokenId: agent.tokenId, addAddress: tips });
    const sold = await newAgent();
    const signedBefore = await signed(sold, { tokenId: sold.tokenId, addAddress: tips });
    await burn(agent, 0);
    await service.chain.transferPassport(
      BigInt(sold.passportId),
      await funded(sold.owner),
      newAccount().address,
    );
    expect((await put(agent.name, body)).body.error.type).toBe("BURNED");
    expect((await put(sold.name, signedBefore)).body.error.type).toBe("SUSPENDED");
  });

  it("starts a new chain of records over an archive that is not a record of the agent", async () => {
    const other = await newAgent();
    const { body: made } = await update(other, { addAddress: treasury });
    const agent = await newAgent();
    const foreign = archiveIdOf(made.arweaveTxId);
    const block = await setArchive(agent, ZERO, foreign, 0);
    const shown = await service.get(`/v1/did/${agent.name}?minBlock=${block}`);
    expect(shown.body.verificationMethod).toHaveLength(1);
    expect((await service.get(`/v1/profile/${agent.name}`)).body.chainAddresses).toEqual([]);

    const { status, body } = await update(agent, { addAddress: tips });
    expect([status, body.totalAddresses]).toEqual([200, 1]);
    expect((await service.get(`/ar/${body.arweaveTxId}`)).body).toMatchObject({
      version: 1,
      previous: null,
    });
  });

  it("works without missing items: the profile is shown, the document is not shortened", async () => {
    const agent = await newAgent();
    const block = await setArchive(agent, ZERO, `0x${"cd".repeat(32)}`, 0);
    const document = await service.get(`/v1/did/${agent.name}?minBlock=${block}`);
    expect([document.status, document.body.error.type]).toEqual([503, "STORAGE_UNAVAILABLE"]);
    const profile = await service.get(`/v1/profile/${agent.name}`);
    expect([profile.status, profile.body.chainAddresses]).toEqual([200, []]);
  });
});
