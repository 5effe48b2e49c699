import { createHash } from "node:crypto";
import { Resolver } from "did-resolver";
import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentKeysError, checkedAgentKeys } from "../../kit/agent-keys/index.ts";
import { getResolver } from "../../kit/did/resolver.ts";
import { agentKeysAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  agentKeySet,
  agentKeySetJson,
  agentKeysHash,
  archiveIdOf,
  MAX_AGENT_KEYS,
  publicKeys,
} from "../../protocol/index.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { didCoreProblems } from "../fixtures/did-core.ts";
import type { OwnedAgent } from "../fixtures/owner-signed.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { ED25519_KEY, P256_KEY } from "../fixtures/public-keys.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Owners set the public keys of their agents over HTTP; strangers check them against the chain.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
let resolver: Resolver;
beforeAll(async () => {
  service = await sharedService();
  world = ownerSigned(service);
  const { rpcUrl, contracts } = service.chain;
  resolver = new Resolver(
    getResolver({
      networks: {
        31337: {
          rpcUrls: [rpcUrl],
          soulRegistry: contracts.soulRegistry,
          agentKeys: { address: contracts.agentKeys, startBlock: 0n },
        },
      },
      gateways: [{ url: `${service.url}/ar/{id}/item`, serves: "item" }],
    }),
  );
});
afterAll(() => service?.stop());

const LATER = 4_000_000_000;
const ED25519 = {
  ...ED25519_KEY,
  use: "sig",
  exp: LATER,
};
const P256 = {
  ...P256_KEY,
  use: "enc",
  exp: LATER,
};
const KEYS = publicKeys([P256, ED25519]);
const setOf = ({ tokenId }: Pick<OwnedAgent, "tokenId">) =>
  agentKeySet(KEYS, {
    chainId: 31_337,
    soulRegistry: service.chain.contracts.soulRegistry,
    tokenId: BigInt(tokenId),
  });
const ZERO = `0x${"00".repeat(32)}` as const;

const signed = (agent: OwnedAgent, keys: unknown, key = agent.owner, change: object = {}) =>
  world.signed("agent-keys", { tokenId: agent.tokenId, keys }, key, change);
const put = (reference: string | number, body: unknown, headers: Record<string, string> = {}) =>
  world.send("PUT", `/v1/agents/${reference}/jwks.json`, body, headers);
const setKeys = async (agent: OwnedAgent, keys: unknown) =>
  put(agent.name, await signed(agent, keys));
const prepare = (agent: Pick<OwnedAgent, "tokenId">, keys: unknown) =>
  service.post("/v1/typed-data/agent-keys", { tokenId: agent.tokenId, keys });

/** What a stranger does with the bytes that the service serves. */
async function checked({ tokenId, name }: OwnedAgent) {
  const served = await fetch(`${service.url}/v1/agents/${name}/jwks.json`);
  const { rpcUrl, contracts } = service.chain;
  return checkedAgentKeys({
    rpcUrl,
    agentKeys: contracts.agentKeys,
    tokenId: BigInt(tokenId),
    keySet: new Uint8Array(await served.arrayBuffer()),
  });
}

const onChain = (agent: OwnedAgent, functionName: "keysOf" | "versionOf") =>
  service.chain.client.readContract({
    address: service.chain.contracts.agentKeys,
    abi: agentKeysAbi,
    functionName,
    args: [BigInt(agent.tokenId)],
  });

const kidsIn = (document: { verificationMethod: { type: string; id: string }[] }) =>
  document.verificationMethod
    .filter(({ type }) => type === "JsonWebKey")
    .map(({ id }) => id.split("#")[1]);

/** Both ways to the DID document: the service's answer, and a resolver that asks chain and storage alone. */
async function documents({ name }: OwnedAgent) {
  const did = `did:svc:31337:${name}`;
  const { body } = await service.get(`/v1/did/${name}`);
  const { didDocument } = await resolver.resolve(did);
  expect(didDocument).toEqual(body);
  expect(didCoreProblems(body, did)).toEqual([]);
  return body;
}

describe("an owner who signs SetAgentKeys", () => {
  it("has its agent's keys listed by the service, in the DID document, and on chain", async () => {
    const agent = await world.newAgent();
    const before = await service.get(`/v1/agents/${agent.name}/jwks.json`);
    expect(refusal(before)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });

    const prepared = await prepare(agent, [P256, ED25519]);
    expect(prepared.status).toBe(200);
    expect(prepared.body).toMatchObject({
      primaryType: "SetAgentKeys",
      domain: { name: "AgentKeys", verifyingContract: service.chain.contracts.agentKeys },
      message: {
        tokenId: String(agent.tokenId),
        epoch: 1,
        version: 0,
        keysHash: agentKeysHash(setOf(agent)),
        onlyWithAgentWallet: false,
      },
    });
    const answer = await setKeys(agent, [P256, ED25519]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: Number(agent.passportId),
        agentName: agent.name,
        totalKeys: 2,
        keysHash: agentKeysHash(setOf(agent)),
        onlyWithAgentWallet: false,
        arweaveTxId: expect.stringMatching(/^[\w-]{43}$/),
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");

    const block = answer.headers.get("x-svc-block");
    const served = await service.get(`/v1/agents/${agent.tokenId}/jwks.json?minBlock=${block}`);
    expect(served.body).toBe(agentKeySetJson(setOf(agent)));
    const archived = await fetch(`${service.url}/ar/${answer.body.arweaveTxId}`);
    expect(archived.headers.get("content-type")).toContain("application/json");
    expect(await archived.text()).toBe(agentKeySetJson(setOf(agent)));
    expect(await onChain(agent, "keysOf")).toBe(agentKeysHash(setOf(agent)));
    expect(await checked(agent)).toEqual(KEYS);
    expect(kidsIn(await documents(agent))).toEqual(KEYS.map(({ kid }) => kid));
  });

  it("replaces all keys with the next set, and withdraws them with an empty list", async () => {
    const agent = await world.newAgent();
    await setKeys(agent, [P256, ED25519]);
    const one = publicKeys([ED25519]);
    expect((await setKeys(agent, [ED25519])).status).toBe(200);
    expect(kidsIn(await documents(agent))).toEqual(one.map(({ kid }) => kid));

    const withdrawn = await setKeys(agent, []);
    expect([withdrawn.status, withdrawn.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: Number(agent.passportId),
        agentName: agent.name,
        totalKeys: 0,
        keysHash: null,
        onlyWithAgentWallet: false,
        arweaveTxId: null,
        txHash: expect.any(String),
      },
    ]);
    expect([await onChain(agent, "keysOf"), await onChain(agent, "versionOf")]).toEqual([ZERO, 3]);
    expect((await service.get(`/v1/agents/${agent.name}/jwks.json`)).status).toBe(404);
    expect(kidsIn(await documents(agent))).toEqual([]);
    await expect(checked(agent)).rejects.toEqual(
      expect.objectContaining<Partial<AgentKeysError>>({ reason: "no_keys" }),
    );
  });

  it("can have them need an agentWallet, which a new passport does not have", async () => {
    const agent = await world.newAgent();
    const body = { tokenId: agent.tokenId, keys: [ED25519], onlyWithAgentWallet: true };
    const answer = await put(agent.name, await world.signed("agent-keys", body, agent.owner));
    expect([answer.status, answer.body.onlyWithAgentWallet]).toEqual([200, true]);
    expect([await onChain(agent, "keysOf"), await onChain(agent, "versionOf")]).toEqual([ZERO, 1]);
    expect((await service.get(`/v1/agents/${agent.name}/jwks.json`)).status).toBe(404);
    expect(kidsIn(await documents(agent))).toEqual([]);
    expect((await setKeys(agent, [ED25519])).body.onlyWithAgentWallet).toBe(false);
    expect(kidsIn(await documents(agent))).toEqual(publicKeys([ED25519]).map(({ kid }) => kid));
  });

  it("gets the same answer to the same signed request, and the keys are set once", async () => {
    const agent = await world.newAgent();
    const body = await signed(agent, [ED25519]);
    const [first, second] = await Promise.all([put(agent.name, body), put(agent.name, body)]);
    const third = await put(agent.name, body, { "idempotency-key": idempotencyKey() });
    expect([first.status, second.body, third.body]).toEqual([200, first.body, first.body]);
    expect(await onChain(agent, "versionOf")).toBe(1);
    const other = { ...body, keys: [P256] };
    expect(refusal(await put(agent.name, other))).toMatchObject({
      status: 401,
      type: "NONCE_USED",
    });
  });

  it("has the effect of its own call of the contract", async () => {
    const agent = await world.newAgent();
    const answer = await setKeys(agent, [P256, ED25519]);
    const served = (await service.get(`/v1/agents/${agent.name}/jwks.json`)).body;
    await direct(agent, agent.owner, { version: 1, keysHash: ZERO, archiveId: ZERO });
    expect((await service.get(`/v1/agents/${agent.name}/jwks.json`)).status).toBe(404);
    const keysHash = agentKeysHash(setOf(agent));
    const archiveId = archiveIdOf(answer.body.arweaveTxId);
    await direct(agent, agent.owner, { version: 2, keysHash, archiveId });
    expect((await service.get(`/v1/agents/${agent.name}/jwks.json`)).body).toEqual(served);
    expect(await checked(agent)).toEqual(KEYS);
    expect(kidsIn(await documents(agent))).toEqual(KEYS.map(({ kid }) => kid));
  });
});

/** The owner's own transaction, once it is indexed. */
async function direct(agent: OwnedAgent, owner: LocalAccount, change: object) {
  const { client, contracts } = service.chain;
  const common = {
    tokenId: BigInt(agent.tokenId),
    epoch: 1,
    onlyWithAgentWallet: false,
    nonce: 0n,
    deadline: 0n,
  };
  const hash = await client.writeContract({
    account: owner,
    address: contracts.agentKeys,
    abi: agentKeysAbi,
    functionName: "setKeys",
    args: [{ ...common, ...change }, "0x"],
  } as never);
  const { blockNumber } = await world.mined(hash);
  await service.get(`/v1/profile/${agent.name}?minBlock=${blockNumber}`);
}

async function burned({ tokenId, owner }: OwnedAgent) {
  const { client, contracts } = service.chain;
  const common = { tokenId: BigInt(tokenId), epoch: 1, nonce: 0n, deadline: 0n };
  const hash = await client.writeContract({
    account: owner,
    address: contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "burn",
    args: [{ ...common, version: 0, reasonHash: ZERO }, "0x"],
  } as never);
  await world.mined(hash);
}

describe("the keys of an agent whose passport was sold", () => {
  it("are gone from the service, the DID document and the chain, and the seller sets no others", async () => {
    const agent = await world.newAgent();
    await setKeys(agent, [ED25519]);
    const late = await signed(agent, [P256]);
    const { passportId, owner, name } = agent;
    const buyer = newAccount();
    const block = await service.chain.transferPassport(passportId, owner, buyer.address);
    const gone = await service.get(`/v1/agents/${name}/jwks.json?minBlock=${block}`);
    expect(refusal(gone)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(kidsIn(await documents(agent))).toEqual([]);
    expect(await onChain(agent, "keysOf")).toBe(ZERO);
    await expect(checked(agent)).rejects.toEqual(
      expect.objectContaining<Partial<AgentKeysError>>({ reason: "no_keys" }),
    );

    const suspended = { status: 409, type: "SUSPENDED", details: {} };
    expect(refusal(await put(name, late))).toEqual(suspended);
    expect(refusal(await prepare(agent, [P256]))).toEqual(suspended);
    const byBuyer = { ...late, signer: buyer.address };
    expect(refusal(await put(name, byBuyer))).toEqual(suspended);
  });
});

describe("PUT /v1/agents/:name/jwks.json", () => {
  it("refuses a request without a signature, and says where the typed data is", async () => {
    const agent = await world.newAgent();
    const answer = await put(agent.name, { tokenId: agent.tokenId, keys: [ED25519] });
    expect(refusal(answer)).toMatchObject({
      status: 403,
      type: "WALLET_SIGNATURE_REQUIRED",
      details: { typedData: "/v1/typed-data/agent-keys" },
    });
  });

  it("refuses another signer, another signer's signature, and a signature for another contract", async () => {
    const agent = await world.newAgent();
    const stranger = newAccount();
    const notOwner = await put(agent.name, await signed(agent, [ED25519], stranger));
    expect(refusal(notOwner)).toEqual({ status: 403, type: "NOT_OWNER", details: {} });
    const forged = { ...(await signed(agent, [ED25519], stranger)), signer: agent.owner.address };
    expect(refusal(await put(agent.name, forged))).toMatchObject({ type: "INVALID_SIGNATURE" });

    const { body: typedData } = await prepare(agent, [ED25519]);
    const verifyingContract = service.chain.contracts.soulRegistry;
    const signature = await agent.owner.signTypedData({
      ...typedData,
      domain: { ...typedData.domain, name: "SoulRegistry", verifyingContract },
    });
    const { message } = typedData;
    const body = { tokenId: agent.tokenId, keys: [ED25519], message, signature };
    const elsewhere = await put(agent.name, { ...body, signer: agent.owner.address });
    expect(refusal(elsewhere)).toMatchObject({ status: 401, type: "INVALID_SIGNATURE" });
    expect(await onChain(agent, "versionOf")).toBe(0);
  });

  it("refuses a message over another version, epoch, hash or archive, and names the field", async () => {
    const agent = await world.newAgent();
    const wrong = { version: 1, epoch: 2, keysHash: ZERO, archiveId: ZERO };
    for (const [field, value] of Object.entries(wrong)) {
      const body = await signed(agent, [ED25519], agent.owner, { [field]: value });
      const answer = refusal(await put(agent.name, body));
      expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
      expect(answer.details).toEqual({
        issues: [
          { path: `message.${field}`, message: expect.stringMatching(/^This request needs /) },
        ],
      });
    }
    expect(await onChain(agent, "versionOf")).toBe(0);
  });

  it("refuses a signature over keys that another change has replaced", async () => {
    const agent = await world.newAgent();
    const late = await signed(agent, [P256]);
    expect((await setKeys(agent, [ED25519])).status).toBe(200);
    expect(refusal(await put(agent.name, late))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "message.version", message: "This request needs 1" }] },
    });
  });

  it("refuses a path that names another agent than the body", async () => {
    const [agent, other] = [await world.newAgent(), await world.newAgent()];
    const body = await signed(agent, [ED25519]);
    const issuesOf = async (reference: string | number) =>
      refusal(await put(reference, body)).details;
    expect(await issuesOf(other.name)).toEqual({
      issues: [{ path: "tokenId", message: `This is the token id of ${agent.name}` }],
    });
    expect(await issuesOf(other.tokenId)).toEqual({
      issues: [{ path: "tokenId", message: `The path says ${other.tokenId}` }],
    });
    expect((await put(agent.tokenId, body)).status).toBe(200);
  });

  it("refuses the keys of a soul that is not sealed", async () => {
    const owner = newAccount();
    const verbs = agentVerbs(service);
    const { registrationId } = await verbs.registerAgent(freshName());
    const claimed = await verbs.submitClaim(
      await verbs.signedClaim(registrationId, owner, { seal: false }),
    );
    const answer = await prepare(claimed.body, [ED25519]);
    expect(refusal(answer)).toEqual({ status: 403, type: "FORBIDDEN", details: {} });
    expect(answer.body.error.message).toBe("This soul is not sealed yet.");
  });

  it("refuses the keys of a burned soul", async () => {
    const agent = await world.newAgent();
    const late = await signed(agent, [ED25519]);
    await burned(agent);
    const refused = { status: 409, type: "BURNED", details: {} };
    expect(refusal(await prepare(agent, [ED25519]))).toEqual(refused);
    expect(refusal(await put(agent.name, late))).toEqual(refused);
  });

  it("refuses the keys of an unknown agent", async () => {
    expect(refusal(await prepare({ tokenId: 999_999_999 }, [ED25519]))).toMatchObject({
      status: 404,
      type: "NOT_FOUND",
    });
  });
});

describe("a key set that an agent cannot have", () => {
  const many = Array.from({ length: MAX_AGENT_KEYS + 1 }, () => ED25519);
  const { kid } = publicKeys([ED25519])[0] ?? { kid: "" };
  const cases: readonly [string, unknown, string, string][] = [
    ["a curve other than P-256", [{ ...P256, crv: "P-384" }], "keys.0.crv", "Not P-256"],
    ["a curve other than Ed25519", [{ ...ED25519, crv: "X25519" }], "keys.0.crv", "Not Ed25519"],
    ["an RSA key", [{ ...P256, kty: "RSA" }], "keys.0.kty", 'Neither "EC" nor "OKP"'],
    [
      "a private key",
      [ED25519, { ...P256, d: "AA" }],
      "keys.1.d",
      "A private key: send the public one only",
    ],
    ["a member that is not known", [{ ...ED25519, alg: "EdDSA" }], "keys.0.alg", "Unknown member"],
    [
      "a point that is not on the curve",
      [{ ...P256, y: P256.x }],
      "keys.0.x",
      "With y not a point of the curve",
    ],
    [
      "an Ed25519 key to encrypt to",
      [{ ...ED25519, use: "enc" }],
      "keys.0.use",
      "An Ed25519 key only signs",
    ],
    [
      "a key without an end",
      [{ ...ED25519, exp: undefined }],
      "keys.0.exp",
      "Not a time in Unix seconds up to the year 9999",
    ],
    ["the same key twice", [ED25519, ED25519], "keys.1", "The same key as one before it"],
    ["another kid", [{ ...ED25519, kid: "mine" }], "keys.0.kid", "Not the key's thumbprint"],
    ["text in place of a key", ["key"], "keys.0", "Not an object"],
    ["more keys than an agent may have", many, "keys", `More than ${MAX_AGENT_KEYS} keys`],
    [
      "a key that has ended",
      [{ ...ED25519, exp: 1_000_000_000 }],
      "keys",
      `The key ${kid} has ended: choose a later exp, or leave the key out`,
    ],
  ];

  it.each(cases)("is refused for %s", async (_what, keys, path, message) => {
    const agent = await shared();
    expect(refusal(await prepare(agent, keys))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path, message }] },
    });
    const body = { ...(await signed(agent, [ED25519])), keys };
    expect(refusal(await put(agent.name, body))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path, message }] },
    });
  });

  it("is refused for more bytes than a body may have", async () => {
    const agent = await shared();
    const answer = await prepare(agent, [{ ...ED25519, kid: "A".repeat(1024 * 1024) }]);
    expect(refusal(answer)).toMatchObject({ status: 413, type: "PAYLOAD_TOO_LARGE" });
  });

  let one: Promise<OwnedAgent> | undefined;
  const shared = () => {
    one ??= world.newAgent();
    return one;
  };
});

it("the archived bytes hash to what the contract answers", async () => {
  const agent = await world.newAgent();
  const answer = await setKeys(agent, [ED25519]);
  const bytes = Buffer.from(
    await (await fetch(`${service.url}/ar/${answer.body.arweaveTxId}`)).arrayBuffer(),
  );
  const hash = `0x${createHash("sha256").update(bytes).digest("hex")}`;
  expect(hash).toBe(await onChain(agent, "keysOf"));
});
