import { DataItem } from "@dha-team/arbundles/web";
import type { Address, Hex, LocalAccount } from "viem";
import { concatHex, getAddress, keccak256, parseGwei, toHex } from "viem";
import { privateKeyToAccount, publicKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { parseApiKey } from "../../api/kernel/api-keys.ts";
import {
  identityRegistryAbi,
  registrarsAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import {
  contentHash,
  type FieldLeaf,
  fieldBlinding,
  fieldLeaf,
  leafHash,
  type RegistrationFile,
  rootOfLeaves,
  withoutIds,
} from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import type { Answer } from "../api/features/sign-in/harness.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import type { RegistrationBody } from "../fixtures/registrations.ts";
import {
  freshName,
  idempotencyKey,
  offeredAgentWallet,
  PUBLIC_DESCRIPTION,
  registrationBody,
} from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Registration by an owner's signature on the running service: real contracts, the real index, real
// Postgres, over HTTP.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

/** A registry's read at the latest block. */
const soulRegistry = async <Name extends "tokenOfName" | "soulOf" | "isValid" | "nextTokenId">(
  functionName: Name,
  ...args: unknown[]
) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName,
    args,
  } as never);

const passportRead = async (functionName: "ownerOf" | "tokenURI", passportId: number) =>
  service.chain.client.readContract({
    address: service.chain.contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName,
    args: [BigInt(passportId)],
  });

/** Everything that a registration changes. */
async function footprint() {
  const { rows } = await service.pool.query(`
    select (select count(*)::int from app.registration) as registrations,
           (select count(*)::int from app.relayer_transaction) as transactions,
           (select count(*)::int from app.api_key) as keys,
           (select count(*)::int from app.soul_secret) as secrets,
           (select count(*)::int from app.name_lock) as names,
           (select count(*)::int from app.sponsored_operation) as sponsored,
           (select coalesce(sum(gas), 0)::text from app.gas_budget) as gas,
           (select count(*)::int from app.storage_item) as items`);
  return { ...rows[0], block: await service.chain.client.getBlockNumber({ cacheTime: 0 }) };
}

/** Posts a request that must be refused, and checks that it left nothing behind. */
async function refused(signed: object, key?: string) {
  const before = await footprint();
  const answer = await service.submit(signed, key);
  expect(await footprint()).toEqual(before);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return refusal(answer);
}

async function file(uriOrUrl: string): Promise<RegistrationFile> {
  const path = uriOrUrl.startsWith("ar://")
    ? `/ar/${uriOrUrl.slice("ar://".length)}`
    : uriOrUrl.replace(service.url, "");
  return (await service.get(path)).body;
}

const registry = () => `eip155:31337:${service.chain.contracts.identityRegistry}`;

describe("a registration", () => {
  let owner: LocalAccount;
  let operator: LocalAccount;
  let body: RegistrationBody & { operatorAddress: Address };
  let signed: Awaited<ReturnType<Service["signedRegistration"]>>;
  let answer: Answer;

  beforeAll(async () => {
    owner = newAccount();
    operator = newAccount();
    body = { ...registrationBody(freshName(), owner), operatorAddress: operator.address };
    signed = await service.signedRegistration(body, owner);
    answer = await service.submit(signed, idempotencyKey());
  });

  it("is prepared for its signature without reserving a name, gas or anything else", async () => {
    const name = freshName();
    const before = await footprint();
    for (const account of [newAccount(), newAccount()]) {
      const prepared = await service.post(
        "/v1/typed-data/register",
        registrationBody(name, account),
      );
      expect(prepared.status).toBe(200);
    }
    expect(await footprint()).toEqual(before);
  });

  it("answers with everything that its owner needs", async () => {
    const { tokenId, erc8004AgentId } = answer.body;
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      tokenId: expect.any(Number),
      erc8004AgentId: expect.any(Number),
      agentName: body.agentName,
      did: `did:svc:31337:${body.agentName}`,
      profileUrl: `${service.url}/agents/${body.agentName}`,
      erc8004Url: expect.stringMatching(
        new RegExp(`^${service.url}/ar/[A-Za-z0-9_-]{43}$`),
      ) as string,
      soulHash: body.soulHash,
      soulMerkleRoot: body.soulMerkleRoot,
      arweaveTxId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      genesisStatus: "SEALED",
      apiKey: expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/) as string,
      mintTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
      documentUploadUrls: [],
      updatedAgentUriUrl: answer.body.erc8004Url,
      needsAgentUriUpdate: false,
      agentUriTransaction: null,
      pendingMetadata: [],
      approvalTransaction: null,
      agentWallet: offeredAgentWallet(
        service.chain.contracts.identityRegistry,
        erc8004AgentId,
        { owner: owner.address, wallet: operator.address },
        answer.body.agentWallet.transaction.args[2],
      ),
    });
    expect(BigInt(tokenId)).toBe(await soulRegistry("tokenOfName", body.agentName));
    expect(await passportRead("ownerOf", erc8004AgentId)).toBe(owner.address);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("is on chain as it was signed", async () => {
    const { tokenId, erc8004AgentId, mintTxHash } = answer.body;
    expect(await soulRegistry("soulOf", BigInt(tokenId))).toEqual({
      sealer: owner.address,
      passportId: BigInt(erc8004AgentId),
      epoch: 1,
      status: 2,
      agentType: 2,
      soulHash: body.soulHash,
      soulMerkleRoot: body.soulMerkleRoot,
      operator: operator.address,
      name: body.agentName,
    });
    expect(await soulRegistry("isValid", BigInt(tokenId))).toBe(true);
    const { status, blockNumber } = await service.chain.client.getTransactionReceipt({
      hash: mintTxHash,
    });
    expect(status).toBe("success");
    expect(BigInt(answer.headers.get("x-svc-block") ?? "")).toBeGreaterThanOrEqual(blockNumber);
  });

  it("is in the profile at once, with every field", async () => {
    const { tokenId, erc8004AgentId, mintTxHash, arweaveTxId, erc8004Url } = answer.body;
    const { blockNumber } = await service.chain.client.getTransactionReceipt({ hash: mintTxHash });
    const { timestamp } = await service.chain.client.getBlock({ blockNumber });
    const at = new Date(Number(timestamp) * 1000).toISOString();
    const profile = await service.get(`/v1/profile/${body.agentName}`);
    const { image } = await file(String(await passportRead("tokenURI", erc8004AgentId)));

    expect(profile.status).toBe(200);
    expect(profile.body).toEqual({
      agentName: body.agentName,
      tokenId,
      did: `did:svc:31337:${body.agentName}`,
      agentType: "specialist",
      genesisStatus: "SEALED",
      soulHash: body.soulHash,
      soulMerkleRoot: body.soulMerkleRoot,
      duplicateOf: null,
      owner: owner.address,
      operator: operator.address,
      parentTokenId: 0,
      successorTokenId: null,
      organizationId: 0,
      mintTimestamp: at,
      sealedAt: at,
      erc8004AgentId,
      agentWallet: null,
      erc8004Url,
      soulValidity: {
        status: "valid",
        passportOwnerMatch: true,
        lastChecked: expect.any(String) as string,
      },
      soulAlignment: { score: null, lastSnapshot: null },
      activity: {
        tasksCompleted: 0,
        lifetimeEarned: "0.00",
        currency: "USDC",
        agentBindings: 0,
        lastActive: at,
      },
      chainAddresses: [],
      disclosedFields: { "identity.description": { value: PUBLIC_DESCRIPTION, verified: true } },
      arweaveTxId,
      arweaveUrl: `${service.url}/ar/${arweaveTxId}`,
      avatarUrl: `${service.url}/ar/${image?.slice("ar://".length)}`,
      displayName: null,
      birthBundle: null,
      operatorLabel: null,
      publicIdentity: {
        bio: null,
        category: "knowledge",
        tags: [],
        modelFamily: null,
        contacts: [],
      },
      profileUrl: `${service.url}/agents/${body.agentName}`,
    });
    expect(await service.get(`/v1/profile/${tokenId}`)).toMatchObject({ body: profile.body });
  });

  it("has a registration file on permanent storage that names its ids", async () => {
    const { tokenId, erc8004AgentId, erc8004Url } = answer.body;
    const uri = String(await passportRead("tokenURI", erc8004AgentId));
    expect(erc8004Url).toBe(`${service.url}/ar/${uri.slice("ar://".length)}`);
    const published = await file(uri);
    expect(published).toEqual({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: body.agentName,
      description: "Up before the birds.",
      image: expect.stringMatching(/^ar:\/\/[A-Za-z0-9_-]{43}$/) as string,
      services: expect.any(Array) as unknown[],
      x402Support: false,
      active: true,
      registrations: [{ agentId: erc8004AgentId, agentRegistry: registry() }],
      supportedTrust: ["sbt-bound"],
      svc: {
        chainId: 31337,
        tokenId,
        soulHash: body.soulHash,
        did: `did:svc:31337:${body.agentName}`,
        agentType: 2,
      },
    });
    expect(await service.get(`/v1/registration-file/${body.agentName}`)).toMatchObject({
      status: 200,
      body: published,
    });
    // Without its ids the file is what the owner signed.
    expect(contentHash(withoutIds(published))).toBe(signed.message.contentHash);
  });

  it("is archived as items whose signature and id can be checked alone", async () => {
    const fileId = answer.body.erc8004Url.split("/").at(-1);
    for (const id of [answer.body.arweaveTxId, fileId]) {
      const response = await fetch(`${service.url}/ar/${id}/item`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(await DataItem.verify(bytes)).toBe(true);
      const item = new DataItem(bytes);
      expect(item.id).toBe(id);
      expect(publicKeyToAddress(toHex(item.rawOwner))).toBe(stackAccounts().storage.address);
      expect(item.tags).toEqual([{ name: "Content-Type", value: "application/json" }]);
      expect(JSON.parse(item.rawData.toString())).toEqual((await service.get(`/ar/${id}`)).body);
    }
  });

  it("archives hashes and public values, and nothing else of the soul", async () => {
    const archived = (await service.get(`/ar/${answer.body.arweaveTxId}`)).body;
    expect(archived).toEqual({
      format: "svc-soul-archive/1",
      did: `did:svc:31337:${body.agentName}`,
      agentName: body.agentName,
      agentType: "specialist",
      owner: owner.address,
      operator: operator.address,
      soulRegistry: service.chain.contracts.soulRegistry,
      soulHash: body.soulHash,
      soulMerkleRoot: body.soulMerkleRoot,
      merkleLeaves: body.merkleLeaves,
      publicFields: [
        {
          field: "identity.description",
          value: PUBLIC_DESCRIPTION,
          merkleProof: expect.any(Array) as unknown[],
        },
      ],
      publicIdentity: body.publicIdentity,
      soulDocuments: [],
      parentTokenId: "0",
      organizationId: "0",
      sourceFormat: "ccsf_json",
    });
  });

  it("takes the name", async () => {
    expect(await service.get(`/v1/register/check-name/${body.agentName}`)).toMatchObject({
      status: 200,
      body: { available: false, reason: "The name belongs to an agent." },
    });
    expect(await service.get(`/v1/register/check-name/${freshName()}`)).toMatchObject({
      status: 200,
      body: { available: true },
    });
  });

  it("stores the API key as a hash, for this soul and epoch", async () => {
    const { rows } = await service.pool.query("select * from app.api_key where token_id = $1", [
      answer.body.tokenId,
    ]);
    expect(rows).toEqual([
      {
        hash: parseApiKey(answer.body.apiKey)?.hash,
        kind: "live",
        token_id: String(answer.body.tokenId),
        registration_id: null,
        epoch: 1,
        created_at: expect.any(Date) as Date,
        revoked_at: null,
        id: expect.any(String) as string,
        holder: "owner",
        hint: answer.body.apiKey.slice(-4),
        last_used_at: null,
        exchanged_at: null,
      },
    ]);
  });

  it("can descend from a soul of the same owner, and needs no operator", async () => {
    const { tokenId } = answer.body;
    const name = freshName();
    await service.register(name, owner, { parentTokenId: tokenId });
    expect((await service.get(`/v1/profile/${name}`)).body).toMatchObject({
      parentTokenId: tokenId,
      operator: owner.address,
    });
  });
});

describe("a message that differs from its request", () => {
  const owner = newAccount();

  it.each<[string, unknown]>([
    ["name", "another-name"],
    ["agentType", 4],
    ["owner", newAccount().address],
    ["operator", newAccount().address],
    ["soulHash", `0x${"11".repeat(32)}`],
    ["soulMerkleRoot", `0x${"22".repeat(32)}`],
    ["contentHash", `0x${"33".repeat(32)}`],
    ["bindPassport", true],
    ["passportId", "7"],
    ["parentTokenId", "1"],
    ["organizationId", "5"],
    ["seal", false],
  ])("is refused for its %s, though the owner signed it", async (field, value) => {
    const body = registrationBody(freshName(), owner);
    const { message } = await service.signedRegistration(body, owner);
    const signed = await service.signedRegistration(body, owner, { message: { [field]: value } });
    expect(await refused(signed)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [{ path: `message.${field}`, message: `This request needs ${message[field]}` }],
      },
    });
  });

  it("is refused when its signer is not the owner", async () => {
    const other = newAccount();
    const body = registrationBody(freshName(), owner);
    const signed = await service.signedRegistration(body, other);
    expect(await refused({ ...signed, signer: other.address })).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "signer", message: `The request says ${owner.address}` }] },
    });
  });
});

describe("a signature", () => {
  const owner = newAccount();
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

  async function refusedWith(signature: Hex) {
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    return refused({ ...signed, signature });
  }
  const refusalOf = (signer: Address) => ({
    status: 401,
    type: "INVALID_SIGNATURE",
    details: { reason: "InvalidSignature", signer },
  });

  it("by another key is refused", async () => {
    const body = registrationBody(freshName(), owner);
    expect(await refused(await service.signedRegistration(body, newAccount()))).toEqual(
      refusalOf(owner.address),
    );
  });

  it.each([
    ["chain", { chainId: 8453 }],
    ["contract", { verifyingContract: `0x${"77".repeat(20)}` }],
    ["protocol", { name: "SoulRegister" }],
    ["version", { version: "1" }],
  ])("for another %s is refused", async (_what, domain) => {
    const body = registrationBody(freshName(), owner);
    expect(await refused(await service.signedRegistration(body, owner, { domain }))).toEqual(
      refusalOf(owner.address),
    );
  });

  it("in another encoding of itself is refused", async () => {
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    const r = signed.signature.slice(0, 66) as Hex;
    const s = BigInt(`0x${signed.signature.slice(66, 130)}`);
    const isV27 = signed.signature.endsWith("1b");
    const highS = concatHex([r, toHex(ORDER - s, { size: 32 }), isV27 ? "0x1c" : "0x1b"]);
    const compact = concatHex([r, toHex(isV27 ? s : s + (1n << 255n), { size: 32 })]);
    const lowV = `${signed.signature.slice(0, -2)}${isV27 ? "00" : "01"}`;
    for (const signature of [highS, compact, lowV]) {
      expect(await refused({ ...signed, signature })).toEqual(refusalOf(owner.address));
    }
    // The signature that was refused three times is valid apart from its encoding, and its nonce is
    // not consumed.
    expect((await service.submit(signed)).status).toBe(201);
  });

  it.each<[string, Hex]>([
    ["zeroes", `0x${"00".repeat(65)}`],
    ["one byte", "0x01"],
    ["8192 bytes", `0x${"ab".repeat(8192)}`],
  ])("of %s is refused", async (_what, signature) => {
    expect(await refusedWith(signature)).toEqual(refusalOf(owner.address));
  });

  it("of a wallet that is not deployed is refused with that reason", async () => {
    const signature: Hex = `0x${"ab".repeat(64)}${"6492".repeat(16)}`;
    expect(await refusedWith(signature)).toEqual({
      status: 409,
      type: "WALLET_NOT_DEPLOYED",
      details: { signer: owner.address },
    });
  });

  it("of a contract wallet registers by ERC-1271, and only its own key's", async () => {
    const key = newAccount();
    const address = getAddress(await service.chain.deployWallet(key.address));
    const body = registrationBody(freshName(), { address });
    expect(await refused(await service.signedRegistration(body, newAccount()))).toEqual(
      refusalOf(address),
    );
    const answer = await service.submit(await service.signedRegistration(body, key));
    expect(answer.status).toBe(201);
    expect(await passportRead("ownerOf", answer.body.erc8004AgentId)).toBe(address);
    expect((await service.get(`/v1/profile/${body.agentName}`)).body).toMatchObject({
      owner: address,
      genesisStatus: "SEALED",
      soulValidity: { status: "valid" },
    });
  });
});

describe("the contract refuses", () => {
  let owner: LocalAccount;
  let taken: Awaited<ReturnType<Service["register"]>>;
  beforeAll(async () => {
    owner = newAccount();
    taken = await service.register(freshName(), owner);
  });

  /** The answer to the body before signing, which equals the answer to the signed body. */
  async function refusedByBoth(body: RegistrationBody, key: LocalAccount, change: object) {
    const prepared = refusal(await service.post("/v1/typed-data/register", { ...body, ...change }));
    const message = Object.fromEntries(
      Object.entries(change).map(([field, id]) => [field, String(id)]),
    );
    const signed = await service.signedRegistration(body, key, { message });
    expect(await refused({ ...signed, ...change })).toEqual(prepared);
    return prepared;
  }

  it("an unknown organization", async () => {
    const change = { organizationId: 9_999_999 };
    expect(await refusedByBoth(registrationBody(freshName(), owner), owner, change)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { reason: "UnknownOrganization", args: { organizationId: 9_999_999 } },
    });
  });

  it("a parent of another owner", async () => {
    const other = newAccount();
    const parentTokenId = taken.answer.body.tokenId;
    const change = { parentTokenId };
    expect(await refusedByBoth(registrationBody(freshName(), other), other, change)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        reason: "InvalidParent",
        args: { parentTokenId, owner: other.address },
      },
    });
  });

  it("a nonce that was used", async () => {
    const signer = newAccount();
    const first = await service.signedRegistration(registrationBody(freshName(), signer), signer);
    expect((await service.submit(first)).status).toBe(201);
    const { nonce } = first.message;
    const body = registrationBody(freshName(), signer);
    expect(
      await refused(await service.signedRegistration(body, signer, { message: { nonce } })),
    ).toEqual({
      status: 401,
      type: "NONCE_USED",
      details: { reason: "NonceAlreadyUsed", args: { signer: signer.address, nonce } },
    });
  });

  it("a nonce that its owner cancelled", async () => {
    const signer = newAccount();
    const signed = await service.signedRegistration(registrationBody(freshName(), signer), signer);
    const { nonce } = signed.message;
    await service.chain.fund(signer.address);
    const hash = await service.chain.client.writeContract({
      account: signer,
      address: service.chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "cancel",
      args: [BigInt(nonce)],
    });
    await service.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    expect(await refused(signed)).toEqual({
      status: 401,
      type: "NONCE_USED",
      details: { reason: "NonceAlreadyUsed", args: { signer: signer.address, nonce } },
    });
  });

  it("an expired deadline", async () => {
    const { timestamp } = await service.chain.client.getBlock();
    const deadline = String(timestamp - 1n);
    const body = registrationBody(freshName(), owner);
    expect(
      await refused(await service.signedRegistration(body, owner, { message: { deadline } })),
    ).toEqual({
      status: 401,
      type: "NONCE_EXPIRED",
      details: { reason: "DeadlineExpired", args: { deadline } },
    });
  });

  it("a deadline more than a day away, which would reserve the name for that long", async () => {
    const deadline = String(Math.floor(Date.now() / 1000) + 25 * 3600);
    const body = registrationBody(freshName(), owner);
    expect(
      await refused(await service.signedRegistration(body, owner, { message: { deadline } })),
    ).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "message.deadline", message: "At most 24 hours from now" }] },
    });
  });

  it("a name that is taken", async () => {
    const { tokenId, agentName } = taken.answer.body;
    const other = newAccount();
    const body = registrationBody(agentName, other);
    expect(refusal(await service.post("/v1/typed-data/register", body))).toEqual({
      status: 409,
      type: "NAME_TAKEN",
      details: { reason: "NameTaken", args: { name: agentName, tokenId } },
    });
  });

  it("a zero soul hash", async () => {
    const body = { ...registrationBody(freshName(), owner), publicFields: {} };
    const soulHash: Hex = `0x${"00".repeat(32)}`;
    // The leaves commit to its name and type.
    const { soulSalt: salt, agentName } = body;
    const [, , ...others] = body.merkleLeaves as readonly FieldLeaf[];
    const merkleLeaves = [
      fieldLeaf({ salt, soulHash, field: "identity.name", value: agentName }),
      fieldLeaf({ salt, soulHash, field: "identity.agent_type", value: "specialist" }),
      ...others,
    ];
    const soulMerkleRoot = rootOfLeaves(merkleLeaves);
    const zero = { ...body, soulHash, merkleLeaves, soulMerkleRoot };
    expect(refusal(await service.post("/v1/typed-data/register", zero))).toEqual({
      status: 422,
      type: "INVALID_MERKLE_DATA",
      details: { reason: "EmptySoul", args: {} },
    });
  });
});

describe("hashes that contradict each other", () => {
  const owner = newAccount();
  const wrong: Hex = `0x${"44".repeat(32)}`;

  /** The answer of both routes: without it the first would ask for an invalid signature. */
  async function refusedByBoth(change: object) {
    const body = registrationBody(freshName(), owner);
    const signed = await service.signedRegistration(body, owner);
    const prepared = refusal(await service.post("/v1/typed-data/register", { ...body, ...change }));
    expect(await refused({ ...signed, ...change })).toEqual(prepared);
    return { body, prepared };
  }

  it("a root that does not match the leaves", async () => {
    const { body, prepared } = await refusedByBoth({ soulMerkleRoot: wrong });
    expect(prepared).toEqual({
      status: 422,
      type: "INVALID_MERKLE_DATA",
      details: { soulMerkleRoot: wrong, computedRoot: body.soulMerkleRoot },
    });
  });

  it("a public value that does not match its leaf", async () => {
    const field = "identity.description";
    const value = "Something friendlier.";
    const { body, prepared } = await refusedByBoth({ publicFields: { [field]: value } });
    const blinding = fieldBlinding({ salt: body.soulSalt, soulHash: body.soulHash, field });
    expect(prepared).toEqual({
      status: 422,
      type: "HASH_MISMATCH",
      details: {
        field,
        expectedLeafHash: body.merkleLeaves.find((leaf) => leaf.field === field)?.hash,
        computedLeafHash: leafHash({ field, value, blinding }),
      },
    });
  });

  it.each([
    ["name", { agentName: freshName() }, "identity.name"],
    ["type", { agentType: "creative" }, "identity.agent_type"],
  ] as const)("a %s that does not match its leaf", async (_what, change, field) => {
    const { body, prepared } = await refusedByBoth(change);
    const value = "agentName" in change ? change.agentName : change.agentType;
    const blinding = fieldBlinding({ salt: body.soulSalt, soulHash: body.soulHash, field });
    expect(prepared).toEqual({
      status: 422,
      type: "HASH_MISMATCH",
      details: {
        field,
        expectedLeafHash: body.merkleLeaves.find((leaf) => leaf.field === field)?.hash,
        computedLeafHash: leafHash({ field, value, blinding }),
      },
    });
  });

  it("a salt that does not match the leaves", async () => {
    const { prepared } = await refusedByBoth({ soulSalt: wrong });
    expect(prepared).toMatchObject({
      status: 422,
      type: "HASH_MISMATCH",
      details: { field: "identity.description" },
    });
  });
});

describe("a malformed request", () => {
  const owner = newAccount();
  const issue = (path: string, message: string) => ({ issues: [{ path, message }] });
  const URL = "https://heron.example/";
  let signed: Awaited<ReturnType<Service["signedRegistration"]>>;
  beforeAll(async () => {
    signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
  });
  // The refused requests had no effect on it.
  afterAll(async () => expect((await service.submit(signed)).status).toBe(201));

  const NAME_RULE =
    "3 to 32 lowercase letters, digits and hyphens, neither beginning nor ending with a hyphen, no two hyphens as third and fourth character, not all digits, not reserved";
  it.each([
    "",
    "ab",
    "-abc",
    "abc-",
    "Heron",
    "he_ron",
    "hérön",
    "12345",
    "agent-5",
    "request",
    "calculate",
    "xn--80ak6aa92e",
    "a".repeat(33),
  ])("with the name %j", async (agentName) => {
    const expected = {
      status: 400,
      type: "INVALID_NAME",
      details: issue("agentName", NAME_RULE),
    };
    expect(await refused({ ...signed, agentName })).toEqual(expected);
    const { message: _m, signature: _s, signer: _i, ...body } = signed;
    expect(refusal(await service.post("/v1/typed-data/register", { ...body, agentName }))).toEqual(
      expected,
    );
  });

  it.each<[string, (valid: typeof signed) => object, object]>([
    ["an unknown field", (s) => ({ ...s, extra: 1 }), issue("extra", "Unknown field")],
    [
      "two organizations, one by its former name",
      (s) => ({ ...s, organizationId: 0, fleetId: 1 }),
      issue("fleetId", "organizationId says 0"),
    ],
    [
      "an unknown field of the message",
      (s) => ({ ...s, message: { ...s.message, extra: 1 } }),
      issue("message.extra", "Unknown field"),
    ],
    [
      "an unknown public identity field",
      (s) => ({ ...s, publicIdentity: { mood: "calm" } }),
      issue("publicIdentity.mood", "Unknown field"),
    ],
    ...(
      [
        ["did", { did: URL }, "did", "Written by the service"],
        ["SVC-api", { "SVC-api": URL }, "SVC-api", "Written by the service"],
        ["mcp twice", { mcp: URL, MCP: URL }, "MCP", "Given twice"],
        ["the website again", { Web: URL }, "Web", "The website is this entry"],
      ] as const
    ).map(([what, serviceEndpoints, name, message]): [string, (s: object) => object, object] => [
      `an endpoint named ${what}`,
      (s) => ({ ...s, publicIdentity: { website: URL, serviceEndpoints } }),
      issue(`publicIdentity.serviceEndpoints.${name}`, message),
    ]),
    [
      "an unknown public field",
      (s) => ({ ...s, publicFields: { "soul.colour": "red" } }),
      issue("publicFields.soul.colour", "Not a field of the soul"),
    ],
    [
      "a passport to bind that is no id",
      (s) => ({ ...s, erc8004AgentId: -1 }),
      issue("erc8004AgentId", "Too small: expected number to be >=0"),
    ],
    [
      "an invalid agent type",
      (s) => ({ ...s, agentType: "robot" }),
      issue(
        "agentType",
        "One of assistant, companion, specialist, creative, other, 0 to 4, or personal, customer, coding, research",
      ),
    ],
    [
      "a short hash",
      (s) => ({ ...s, soulHash: "0x12" }),
      issue("soulHash", "Not 32 bytes in hex with 0x"),
    ],
    [
      "a number for a salt",
      (s) => ({ ...s, soulSalt: 5 }),
      issue("soulSalt", "Invalid input: expected string, received number"),
    ],
    [
      "leaves without the first",
      (s) => ({ ...s, merkleLeaves: s.merkleLeaves.slice(1) }),
      issue("merkleLeaves", "Not the twelve fields in index order"),
    ],
    [
      "ten leaves",
      (s) => ({ ...s, merkleLeaves: s.merkleLeaves.slice(0, 10) }),
      issue("merkleLeaves", "Too small: expected array to have >=11 items"),
    ],
    [
      "leaves in another order",
      (s) => ({ ...s, merkleLeaves: s.merkleLeaves.toReversed() }),
      issue("merkleLeaves", "Not the twelve fields in index order"),
    ],
    [
      "an owner with a wrong checksum",
      (s) => ({ ...s, ownerAddress: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046" }),
      issue("ownerAddress", "Not an address, or its checksum is wrong"),
    ],
    [
      "a negative parent",
      (s) => ({ ...s, parentTokenId: -1 }),
      issue("parentTokenId", "Too small: expected number to be >=0"),
    ],
    [
      "an id beyond 2^53",
      (s) => ({ ...s, organizationId: 2 ** 53 }),
      issue("organizationId", "Invalid input: expected number, received string"),
    ],
    [
      "half a byte of signature",
      (s) => ({ ...s, signature: "0x123" }),
      issue("signature", "Not whole bytes in hex with 0x"),
    ],
    [
      "no signer",
      ({ signer: _, ...s }) => s,
      issue("signer", "Invalid input: expected string, received undefined"),
    ],
    [
      "a nonce beyond 256 bits",
      (s) => ({ ...s, message: { ...s.message, nonce: (1n << 256n).toString() } }),
      issue("message.nonce", "Invalid input"),
    ],
  ])("with %s", async (_what, change, details) => {
    expect(await refused(change(signed))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details,
    });
  });

  it.each([
    ["null", "null", "application/json", 400, "INVALID_REQUEST"],
    ["a list", "[]", "application/json", 400, "INVALID_REQUEST"],
    ["half an object", '{"agentName":', "application/json", 400, "INVALID_REQUEST"],
    ["nothing", "", "application/json", 400, "INVALID_REQUEST"],
    ["a form", "agentName=a", "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE"],
  ])("of %s", async (_what, body, contentType, status, type) => {
    const before = await footprint();
    const answer = await service.request("/v1/register", {
      method: "POST",
      headers: { "content-type": contentType },
      body,
    });
    expect(refusal(answer)).toMatchObject({ status, type });
    expect(await footprint()).toEqual(before);
  });

  it("with an Idempotency-Key of another form", async () => {
    expect(await refused(signed, "short")).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: issue("Idempotency-Key", "Not 16 to 128 letters, digits, - or _"),
    });
  });
});

describe("repeating a registration", () => {
  it("under its key gives the same answer, API key included, at once and later", async () => {
    const owner = newAccount();
    const key = idempotencyKey();
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    const souls = await soulRegistry("nextTokenId");

    const both = await Promise.all([service.submit(signed, key), service.submit(signed, key)]);
    const [won, lost] = both.toSorted((a, b) => a.status - b.status) as [Answer, Answer];
    expect(won.status).toBe(201);
    const retryAfter = Number(lost.headers.get("retry-after"));
    expect(refusal(lost)).toEqual({
      status: 409,
      type: "IDEMPOTENCY_CONFLICT",
      details: { retryAfter },
    });
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(30);

    const before = await footprint();
    const again = await service.submit(signed, key);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(won.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("cache-control")).toBe("no-store");
    expect(again.headers.get("x-svc-block")).toBe(won.headers.get("x-svc-block"));
    expect(await footprint()).toEqual(before);
    expect(await soulRegistry("nextTokenId")).toBe((souls as bigint) + 1n);
  });

  it("with another body under its key is a conflict", async () => {
    const owner = newAccount();
    const key = idempotencyKey();
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    expect((await service.submit(signed, key)).status).toBe(201);
    const other = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    expect(await refused(other, key)).toEqual({
      status: 409,
      type: "IDEMPOTENCY_CONFLICT",
      details: {},
    });
  });

  it("under another key, or none, does not show the answer to a caller that copied the signature", async () => {
    const owner = newAccount();
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    expect((await service.submit(signed, idempotencyKey())).status).toBe(201);
    const conflict = { status: 409, type: "IDEMPOTENCY_CONFLICT", details: {} };
    expect(await refused(signed, idempotencyKey())).toEqual(conflict);
    expect(await refused(signed)).toEqual(conflict);
  });

  it("under another key at the same time registers once", async () => {
    const owner = newAccount();
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    const answers = await Promise.all(
      [0, 1, 2].map(() => service.submit(signed, idempotencyKey())),
    );
    const [won, ...lost] = answers.toSorted((a, b) => a.status - b.status) as [Answer, ...Answer[]];
    expect(won.status).toBe(201);
    expect(lost.map(refusal)).toEqual(
      lost.map(() => ({ status: 409, type: "IDEMPOTENCY_CONFLICT", details: {} })),
    );
  });

  it("that was refused runs again under the same key", async () => {
    const owner = newAccount();
    const key = idempotencyKey();
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    expect(await refused({ ...signed, signature: "0x01" }, key)).toMatchObject({ status: 401 });
    expect((await service.submit(signed, key)).status).toBe(201);
  });
});

describe("registrations at the same time", () => {
  afterEach(() => service.chain.client.setAutomine(true));

  it("of one name by two owners: one gets it", async () => {
    const name = freshName();
    const owners = [newAccount(), newAccount()];
    const signed = await Promise.all(
      owners.map((owner) => service.signedRegistration(registrationBody(name, owner), owner)),
    );
    const answers = await Promise.all(signed.map((body) => service.submit(body)));
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status) as [Answer, Answer];
    expect(won.status).toBe(201);
    expect(refusal(lost)).toMatchObject({ status: 409, type: "NAME_TAKEN" });
    const winner = owners[answers.indexOf(won)];
    expect(await soulRegistry("soulOf", BigInt(won.body.tokenId))).toMatchObject({
      sealer: winner?.address,
      name,
    });
    // The loser has lost a name, not a nonce or a place in a queue.
    const { rows } = await service.pool.query(
      "select owner, state from app.registration where name = $1",
      [name],
    );
    expect(rows).toEqual([{ owner: winner?.address, state: "complete" }]);
  });

  it("of ten names all succeed, and every file names the right ids", async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => service.register(freshName(), newAccount())),
    );
    expect(new Set(all.map(({ answer }) => answer.body.tokenId)).size).toBe(10);
    expect(new Set(all.map(({ answer }) => answer.body.erc8004AgentId)).size).toBe(10);
    for (const { body, answer } of all) {
      const { tokenId, erc8004AgentId, needsAgentUriUpdate, updatedAgentUriUrl } = answer.body;
      expect(await soulRegistry("soulOf", BigInt(tokenId))).toMatchObject({
        name: body.agentName,
        sealer: body.ownerAddress,
        passportId: BigInt(erc8004AgentId),
      });
      const named = { agentId: erc8004AgentId, agentRegistry: registry() };
      expect(await file(updatedAgentUriUrl)).toMatchObject({
        name: body.agentName,
        registrations: [named],
        svc: { tokenId },
      });
      const onChain = await file(String(await passportRead("tokenURI", erc8004AgentId)));
      expect(onChain).toMatchObject({
        name: body.agentName,
        registrations: needsAgentUriUpdate ? [] : [named],
      });
    }
  });

  it("with a passport in between publish a file without ids, and say so", async () => {
    const { client } = service.chain;
    const owner = newAccount();
    const stranger = newAccount();
    await service.chain.fund(stranger.address);
    const signed = await service.signedRegistration(registrationBody(freshName(), owner), owner);
    const address = stackAccounts().relayer.address;
    const sent = () => client.getTransactionCount({ address, blockTag: "pending" });
    const before = await sent();

    await client.setAutomine(false);
    const answering = service.submit(signed);
    await vi.waitFor(async () => expect(await sent()).toBe(before + 1), { timeout: 10_000 });
    // The transaction with the higher fee comes first in the block.
    await client.writeContract({
      account: stranger,
      address: service.chain.contracts.identityRegistry,
      abi: identityRegistryAbi,
      functionName: "register",
      args: ["https://agents.example/between.json"],
      maxPriorityFeePerGas: parseGwei("100"),
      maxFeePerGas: parseGwei("200"),
    });
    await client.mine({ blocks: 1 });

    const answer = await answering;
    expect(answer.status).toBe(201);
    const { tokenId, erc8004AgentId, needsAgentUriUpdate, updatedAgentUriUrl } = answer.body;
    expect(needsAgentUriUpdate).toBe(true);
    expect(await passportRead("ownerOf", erc8004AgentId - 1)).toBe(stranger.address);
    expect(await file(updatedAgentUriUrl)).toMatchObject({
      registrations: [{ agentId: erc8004AgentId, agentRegistry: registry() }],
      svc: { tokenId },
    });
    const onChain = await file(String(await passportRead("tokenURI", erc8004AgentId)));
    expect(await file(answer.body.erc8004Url)).toEqual(onChain);
    expect(onChain.registrations).toEqual([]);
    expect(onChain.svc.tokenId).toBeUndefined();
    expect(contentHash(onChain)).toBe(signed.message.contentHash);
  });

  it("that revert by a fault of the service leave the name and the signature free", async () => {
    const { client, contracts } = service.chain;
    const { admin, relayer } = stackAccounts();
    const owner = newAccount();
    const body = registrationBody(freshName(), owner);
    const signed = await service.signedRegistration(body, owner);
    const key = idempotencyKey();
    const sent = () =>
      client.getTransactionCount({ address: relayer.address, blockTag: "pending" });
    const before = await sent();
    /** The administrator changes the relayer's role, and pays to be first in the block. */
    const change = (functionName: "grantRole" | "revokeRole") =>
      client.writeContract({
        account: privateKeyToAccount(admin.privateKey),
        address: contracts.registrars,
        abi: registrarsAbi,
        functionName,
        args: [keccak256(toHex("REGISTRAR_ROLE")), relayer.address],
        gas: 100_000n,
        maxPriorityFeePerGas: parseGwei("100"),
        maxFeePerGas: parseGwei("200"),
      });

    await client.setAutomine(false);
    const answering = service.submit(signed, key);
    await vi.waitFor(async () => expect(await sent()).toBe(before + 1), { timeout: 10_000 });
    await change("revokeRole");
    await client.mine({ blocks: 1 });
    expect(refusal(await answering)).toEqual({ status: 500, type: "INTERNAL", details: {} });
    const rows = await service.pool.query("select state from app.registration where name = $1", [
      body.agentName,
    ]);
    expect(rows.rows).toEqual([]);

    await change("grantRole");
    await client.mine({ blocks: 1 });
    await client.setAutomine(true);
    expect((await service.submit(signed, key)).status).toBe(201);
  });
});
