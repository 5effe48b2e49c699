import type { Hex, LocalAccount } from "viem";
import {
  encodeAbiParameters,
  encodeFunctionData,
  hexToString,
  parseEventLogs,
  parseGwei,
  zeroAddress,
  zeroHash,
} from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { contentHash, type RegistrationFile, withoutIds } from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import type { Answer } from "../api/features/sign-in/harness.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { firstPassportOwner } from "../fixtures/first-passport.ts";
import { freshName, idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// A soul on an earlier passport keeps the passport's own statements.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());
afterEach(() => service.chain.client.setAutomine(true));

interface Passport {
  readonly id: number;
  readonly owner: LocalAccount;
}

async function mined(hash: Hex) {
  const { client } = service.chain;
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  if (receipt.status !== "success") throw new Error(`Transaction ${hash} reverted.`);
  return receipt;
}

const registryAt = () =>
  ({ address: service.chain.contracts.identityRegistry, abi: identityRegistryAbi }) as const;

/** A passport of a new owner, made without the service. */
async function passportWith(uri: string): Promise<Passport> {
  const owner = newAccount();
  await service.chain.fund(owner.address);
  const { logs } = await mined(
    await service.chain.client.writeContract({
      ...registryAt(),
      account: owner,
      functionName: "register",
      args: [uri],
    }),
  );
  const [log] = parseEventLogs({ abi: identityRegistryAbi, eventName: "Registered", logs });
  return { id: Number(log?.args.agentId), owner };
}

const dataUri = (file: unknown) =>
  `data:application/json,${encodeURIComponent(JSON.stringify(file))}`;

const approve = async ({ id, owner }: Passport) =>
  mined(
    await service.chain.client.writeContract({
      ...registryAt(),
      account: owner,
      functionName: "approve",
      args: [service.chain.contracts.passportWriter, BigInt(id)],
    }),
  );

async function approvedPassport(uri: string): Promise<Passport> {
  const passport = await passportWith(uri);
  await approve(passport);
  return passport;
}

const bodyFor = ({ id, owner }: Passport, change: object = {}) => ({
  ...registrationBody(freshName(), owner),
  erc8004AgentId: id,
  ...change,
});

/** Registers on the passport; `change` replaces parts of the body. */
async function bind(passport: Passport, change: object = {}) {
  const body = bodyFor(passport, change);
  const signed = await service.signedRegistration(body, passport.owner);
  return { body, signed, answer: await service.submit(signed, idempotencyKey()) };
}

const read = (functionName: "tokenURI" | "ownerOf", id: number) =>
  service.chain.client.readContract({ ...registryAt(), functionName, args: [BigInt(id)] });

const metadata = (id: number, key: string) =>
  service.chain.client.readContract({
    ...registryAt(),
    functionName: "getMetadata",
    args: [BigInt(id), key],
  });

async function fileAt(uri: unknown): Promise<RegistrationFile> {
  return (await service.get(`/ar/${String(uri).slice("ar://".length)}`)).body;
}

const tokenOfPassport = (id: number) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "tokenOfPassport",
    args: [BigInt(id)],
  });

/** The same answer of both routes, neither of which leaves a trace. */
async function refusedByBoth(passport: Passport, change: object = {}) {
  const count = async () =>
    (await service.pool.query("select count(*)::int as n from app.registration")).rows[0].n;
  const before = await count();
  const body = bodyFor(passport, change);
  const prepared = refusal(await service.post("/v1/typed-data/register", body));
  const { erc8004AgentId: _, ...unbound } = body;
  const signed = await service.signedRegistration(unbound as never, passport.owner);
  expect(refusal(await service.submit({ ...body, ...signed, ...body }))).toEqual(prepared);
  expect(await count()).toBe(before);
  return prepared;
}

const managed = (name: string) => [
  { name: "Svc", endpoint: `${service.url}/agents/${name}`, version: "0.4" },
  { name: "Svc-API", endpoint: `${service.url}/v1/verify/${name}`, version: "0.4" },
  { name: "DID", endpoint: `did:svc:31337:${name}`, version: "v1" },
];

const SERVICES = [
  { name: "a2a", endpoint: "https://old.example/card", version: "0.3", skills: ["fishing"] },
  { name: "DID", endpoint: "did:web:heron.example", version: "v1" },
  { name: "OASF", endpoint: "ipfs://skills" },
];

describe("a passport with earlier content", () => {
  it("keeps name, description, image and services, and gets the rest", async () => {
    const passport = await approvedPassport(
      dataUri({
        type: "x",
        name: "Old Heron",
        description: "Was here.",
        image: "ipfs://heron",
        services: SERVICES,
        x402Support: true,
        active: false,
        supportedTrust: ["tee"],
      }),
    );
    const publicIdentity = {
      tagline: "New.",
      image: "https://new.example/heron.png",
      website: "https://w.example",
      serviceEndpoints: { a2a: "https://new.example/card", mcp: "https://new.example/mcp" },
    };
    const { body, signed, answer } = await bind(passport, { publicIdentity });

    expect(signed.message).toMatchObject({ bindPassport: true, passportId: String(passport.id) });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      erc8004AgentId: passport.id,
      needsAgentUriUpdate: false,
      agentUriTransaction: null,
      pendingMetadata: [],
      approvalTransaction: null,
    });
    const { tokenId } = answer.body;
    expect(await tokenOfPassport(passport.id)).toBe(BigInt(tokenId));
    expect(await read("ownerOf", passport.id)).toBe(passport.owner.address);
    const uri = await read("tokenURI", passport.id);
    expect(uri).toBe(signed.message.agentURI);
    const file = await fileAt(uri);
    expect(file).toEqual({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "Old Heron",
      description: "Was here.",
      image: "ipfs://heron",
      services: [
        ...managed(body.agentName),
        ...SERVICES,
        { name: "MCP", endpoint: "https://new.example/mcp" },
        { name: "web", endpoint: "https://w.example" },
      ],
      x402Support: true,
      active: true,
      supportedTrust: ["sbt-bound"],
      registrations: [
        {
          agentId: passport.id,
          agentRegistry: `eip155:31337:${service.chain.contracts.identityRegistry}`,
        },
      ],
      // The owner signed the file before the soul had a token id.
      svc: {
        chainId: 31337,
        soulHash: body.soulHash,
        agentType: 2,
        did: `did:svc:31337:${body.agentName}`,
      },
    });
    const { body: verified } = await service.get(`/v1/verify/${body.agentName}`);
    expect(verified).toMatchObject({
      overallStatus: "verified",
      checks: { passport: { status: "valid", needsAgentUriUpdate: false } },
    });
    expect(contentHash(withoutIds(file))).toBe(signed.message.contentHash);
    expect(await fileAt(`ar://${answer.body.erc8004Url.split("/").at(-1)}`)).toEqual(file);
    expect(hexToString(await metadata(passport.id, "svcStatus"))).toBe("SEALED");
    expect(await metadata(passport.id, "svcTokenId")).toBe(
      encodeAbiParameters([{ type: "uint256" }], [BigInt(tokenId)]),
    );
    expect((await service.get(`/v1/profile/${body.agentName}`)).body).toMatchObject({
      agentName: body.agentName,
      erc8004AgentId: passport.id,
      soulValidity: { status: "valid" },
    });
  });

  it("is bound again after its soul was burned, and holds none of the service's entries twice", async () => {
    const passport = await approvedPassport(dataUri({ name: "Phoenix", services: SERVICES }));
    const before = await bind(passport);
    expect(before.answer.status).toBe(201);
    const tokenId = BigInt(before.answer.body.tokenId);
    const burn = { tokenId, epoch: 1, version: 0, reasonHash: zeroHash };
    await mined(
      await service.chain.client.writeContract({
        account: passport.owner,
        address: service.chain.contracts.soulRegistry,
        abi: soulRegistryAbi,
        functionName: "burn",
        args: [{ ...burn, nonce: 1n, deadline: 2n ** 40n }, "0x"],
      }),
    );
    const { body, answer } = await bind(passport);
    expect(answer.status).toBe(201);
    const file = await fileAt(await read("tokenURI", passport.id));
    expect(file.name).toBe("Phoenix");
    expect(file.services).toEqual([...managed(body.agentName), ...SERVICES]);
  });
});

describe("passport 0", () => {
  it("is a passport, and without its own file gets the agent's", async () => {
    const first = { id: 0, owner: firstPassportOwner };
    await approve(first);
    const { body, answer } = await bind(first);
    expect(answer.status).toBe(201);
    expect(answer.body.erc8004AgentId).toBe(0);
    const file = await fileAt(await read("tokenURI", 0));
    expect(file).toMatchObject({
      name: body.agentName,
      description: "Up before the birds.",
      image: expect.stringMatching(/^ar:\/\//) as string,
      services: managed(body.agentName),
    });
  });
});

describe("a passport that cannot be bound", () => {
  it("is another owner's", async () => {
    const theirs = await approvedPassport("");
    const owner = newAccount();
    expect(await refusedByBoth({ id: theirs.id, owner })).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: { erc8004AgentId: theirs.id, owner: theirs.owner.address },
    });
  });

  it("does not exist", async () => {
    const { status, type, details } = await refusedByBoth({ id: 9_999_999, owner: newAccount() });
    expect({ status, type, details }).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
  });

  it("carries a soul", async () => {
    const passport = await approvedPassport("");
    const { answer } = await bind(passport);
    expect(answer.status).toBe(201);
    expect(await refusedByBoth(passport)).toEqual({
      status: 409,
      type: "Erc8004AgentIdAlreadyBound",
      details: { erc8004AgentId: passport.id, tokenId: answer.body.tokenId },
    });
  });

  it("is not open to the passport writer, until its owner sends the transaction of the refusal", async () => {
    const passport = await passportWith("");
    const { client, contracts } = service.chain;
    const refused = await refusedByBoth(passport);
    const data = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "approve",
      args: [contracts.passportWriter, BigInt(passport.id)],
    });
    const transaction = { chainId: 31337, to: contracts.identityRegistry, data, value: "0" };
    expect(refused).toEqual({
      status: 403,
      type: "APPROVAL_REQUIRED",
      details: { erc8004AgentId: passport.id, transaction },
    });
    const { to } = transaction;
    await mined(await client.sendTransaction({ account: passport.owner, to, data }));
    expect((await bind(passport)).answer.status).toBe(201);
  });

  it("is open to the passport writer with all of its owner's", async () => {
    const passport = await passportWith("");
    await mined(
      await service.chain.client.writeContract({
        ...registryAt(),
        account: passport.owner,
        functionName: "setApprovalForAll",
        args: [service.chain.contracts.passportWriter, true],
      }),
    );
    expect((await bind(passport)).answer.status).toBe(201);
  });

  it.each<[string, string, string, number, string]>([
    ["on IPFS", "ipfs://bafy", "unsupported_uri", 400, "INVALID_REQUEST"],
    ["on this very machine", "https://127.0.0.1/a.json", "unusable", 400, "INVALID_REQUEST"],
    ["no JSON", "data:application/json,hello", "unusable", 400, "INVALID_REQUEST"],
    ["lost in storage", `ar://${"Y".repeat(43)}`, "unavailable", 503, "STORAGE_UNAVAILABLE"],
    ["not whole", dataUri({ name: 5 }), "name", 400, "INVALID_REQUEST"],
  ])("has a file that is %s", async (_what, agentUri, reason, status, type) => {
    const passport = await approvedPassport(agentUri);
    expect(await refusedByBoth(passport)).toEqual({
      status,
      type,
      details: { agentUri, reason },
    });
    expect(await read("tokenURI", passport.id)).toBe(agentUri);
  });

  it("has another content than when its owner signed", async () => {
    const passport = await approvedPassport(dataUri({ name: "Before" }));
    const body = bodyFor(passport);
    const signed = await service.signedRegistration(body, passport.owner);
    await mined(
      await service.chain.client.writeContract({
        ...registryAt(),
        account: passport.owner,
        functionName: "setAgentURI",
        args: [BigInt(passport.id), dataUri({ name: "After" })],
      }),
    );
    const { body: typedData } = await service.post("/v1/typed-data/register", body);
    expect(refusal(await service.submit(signed))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [
          {
            path: "message.contentHash",
            message: `This request needs ${typedData.message.contentHash}`,
          },
          {
            path: "message.agentURI",
            message: `This request needs ${typedData.message.agentURI}`,
          },
        ],
      },
    });
  });
});

describe("an agent that names its passport", () => {
  const SAID = { name: "Old Heron", services: SERVICES };

  /** An agent that registered itself for that passport, and its claim by the owner. */
  async function waiting(passport: Passport) {
    const name = freshName();
    const { registerAgent } = agentVerbs(service);
    const change = { erc8004AgentId: passport.id, erc8004ChainId: 31337 };
    return { name, ...(await registerAgent(name, change)) };
  }
  const prepare = (registrationId: string, { address: ownerAddress }: LocalAccount) =>
    service.post("/v1/typed-data/claim", { registrationId, ownerAddress });

  it("is claimed by that passport's owner, on it", async () => {
    const passport = await approvedPassport(dataUri(SAID));
    const { name, registrationId } = await waiting(passport);
    const { body: draft } = await service.get(`/v1/register/claim?id=${registrationId}`);
    expect(draft.draft.erc8004AgentId).toBe(passport.id);
    const { signedClaim, submitClaim } = agentVerbs(service);
    const { body: typedData } = await prepare(registrationId, passport.owner);
    expect(typedData.message).toMatchObject({
      name,
      bindPassport: true,
      passportId: String(passport.id),
    });
    const claimed = await submitClaim(await signedClaim(registrationId, passport.owner));
    expect(claimed.status).toBe(200);
    expect(claimed.body).toMatchObject({
      agentName: name,
      erc8004AgentId: passport.id,
      genesisStatus: "SEALED",
      needsAgentUriUpdate: false,
      agentUriTransaction: null,
      pendingMetadata: [],
      approvalTransaction: null,
    });
    expect(await tokenOfPassport(passport.id)).toBe(BigInt(claimed.body.tokenId));
    const file = await fileAt(await read("tokenURI", passport.id));
    expect(file).toMatchObject({
      name: "Old Heron",
      registrations: [{ agentId: passport.id }],
      svc: { soulHash: claimed.body.soulHash },
    });
    expect(file.services).toEqual([...managed(name), ...SERVICES]);
  });

  it("waits for the owner, the approval and a free passport", async () => {
    const passport = await passportWith("");
    const { registrationId } = await waiting(passport);
    const stranger = newAccount();
    expect(refusal(await prepare(registrationId, stranger))).toEqual({
      status: 403,
      type: "NOT_OWNER",
      details: { erc8004AgentId: passport.id, owner: passport.owner.address },
    });
    const refused = refusal(await prepare(registrationId, passport.owner));
    expect(refused).toMatchObject({ status: 403, type: "APPROVAL_REQUIRED" });
    const { transaction } = refused.details as { transaction: { to: Hex; data: Hex } };
    const { to, data } = transaction;
    const { client } = service.chain;
    await mined(await client.sendTransaction({ account: passport.owner, to, data }));

    const { signedClaim, submitClaim } = agentVerbs(service);
    const early = await signedClaim(registrationId, passport.owner);
    await mined(
      await client.writeContract({
        ...registryAt(),
        account: passport.owner,
        functionName: "setAgentURI",
        args: [BigInt(passport.id), dataUri({ name: "Later" })],
      }),
    );
    const message =
      "The passport's registration file has changed since this was drafted. Request the typed data again";
    expect(refusal(await submitClaim(early))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "nonce", message }] },
    });

    const signed = await signedClaim(registrationId, passport.owner);
    const { answer } = await bind(passport);
    expect(answer.status).toBe(201);
    expect(refusal(await submitClaim(signed))).toEqual({
      status: 409,
      type: "Erc8004AgentIdAlreadyBound",
      details: { erc8004AgentId: passport.id, tokenId: answer.body.tokenId },
    });
    const { body } = await service.get(`/v1/register/claim?id=${registrationId}`);
    expect(body.status).toBe("pending_owner_claim");
  });
});

describe("while a passport is being bound", () => {
  const relayer = stackAccounts().relayer.address;
  const sent = () =>
    service.chain.client.getTransactionCount({ address: relayer, blockTag: "pending" });
  const FIRST_IN_BLOCK = {
    maxPriorityFeePerGas: parseGwei("100"),
    maxFeePerGas: parseGwei("200"),
    gas: 200_000n,
  };

  /** Submits, and lets the passport's owner send a transaction in the same block before it. */
  async function overtaken(passport: Passport, call: object): Promise<Answer & { name: string }> {
    const { client } = service.chain;
    const body = bodyFor(passport);
    const signed = await service.signedRegistration(body, passport.owner);
    const before = await sent();
    await client.setAutomine(false);
    const answering = service.submit(signed, idempotencyKey());
    await vi.waitFor(async () => expect(await sent()).toBe(before + 1), { timeout: 30_000 });
    await client.writeContract({
      ...registryAt(),
      account: passport.owner,
      ...FIRST_IN_BLOCK,
      ...call,
    } as never);
    await client.mine({ blocks: 1 });
    return { ...(await answering), name: body.agentName };
  }

  const registrationsOf = async (name: string) =>
    (await service.pool.query("select state from app.registration where name = $1", [name])).rows;

  it("by two registrations, one gets it", async () => {
    const passport = await approvedPassport("");
    const signed = await Promise.all(
      [0, 1].map(() => service.signedRegistration(bodyFor(passport), passport.owner)),
    );
    const answers = await Promise.all(signed.map((body) => service.submit(body)));
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status) as [Answer, Answer];
    expect(won.status).toBe(201);
    expect(refusal(lost)).toMatchObject({ status: 409, type: "Erc8004AgentIdAlreadyBound" });
    expect(await tokenOfPassport(passport.id)).toBe(BigInt(won.body.tokenId));
    const names = signed.map(({ agentName }) => agentName);
    const { rows } = await service.pool.query(
      "select name, state from app.registration where name = any($1)",
      [names],
    );
    expect(rows).toEqual([{ name: won.body.agentName, state: "complete" }]);
  });

  it("it can be closed to the passport writer: the rest is left to its owner", async () => {
    const uri = dataUri({ name: "Closed" });
    const passport = await approvedPassport(uri);
    const args = [zeroAddress, BigInt(passport.id)];
    const answer = await overtaken(passport, { functionName: "approve", args });
    expect(answer.status).toBe(201);
    expect(await read("tokenURI", passport.id)).toBe(uri);
    const { tokenId, arweaveTxId, soulHash, updatedAgentUriUrl } = answer.body;
    expect(answer.body).toMatchObject({
      needsAgentUriUpdate: true,
      // A whole file in a URI is not returned; the coming file is.
      erc8004Url: updatedAgentUriUrl,
    });
    const keys = answer.body.pendingMetadata.map(({ key }: { key: string }) => key);
    expect(keys).toEqual(["svcSoulHash", "svcTokenId", "svcArweaveId", "svcStatus"]);

    const { agentUriTransaction, approvalTransaction, pendingMetadata } = answer.body;
    const [{ transaction: sync }] = pendingMetadata;
    expect(pendingMetadata).toEqual(
      pendingMetadata.map((entry: object) => ({ ...entry, transaction: sync })),
    );
    const { identityRegistry, passportWriter } = service.chain.contracts;
    await service.chain.client.setAutomine(true);
    for (const [contract, { chainId, to, data, value }] of [
      [identityRegistry, agentUriTransaction],
      [identityRegistry, approvalTransaction],
      [passportWriter, sync],
    ]) {
      expect({ chainId, to, value }).toEqual({ chainId: 31337, to: contract, value: "0" });
      const account = passport.owner;
      await mined(await service.chain.client.sendTransaction({ account, to, data }));
    }
    const file = await fileAt(await read("tokenURI", passport.id));
    expect(file).toMatchObject({ name: "Closed", svc: { soulHash } });
    expect(await metadata(passport.id, "svcSoulHash")).toBe(soulHash);
    expect(await metadata(passport.id, "svcTokenId")).toBe(
      encodeAbiParameters([{ type: "uint256" }], [BigInt(tokenId)]),
    );
    expect(hexToString(await metadata(passport.id, "svcArweaveId"))).toBe(arweaveTxId);
    expect(hexToString(await metadata(passport.id, "svcStatus"))).toBe("SEALED");
    for (const { key, value } of pendingMetadata) {
      expect(await metadata(passport.id, key)).toBe(value);
    }
  });

  it("it can be given away: then nothing is bound, and no trace is left", async () => {
    const passport = await approvedPassport("");
    const buyer = newAccount().address;
    const answer = await overtaken(passport, {
      functionName: "transferFrom",
      args: [passport.owner.address, buyer, BigInt(passport.id)],
    });
    expect(refusal(answer)).toMatchObject({
      status: 403,
      type: "NOT_OWNER",
      details: { reason: "NotPassportOwner" },
    });
    expect(await tokenOfPassport(passport.id)).toBe(0n);
    expect(await registrationsOf(answer.name)).toEqual([]);
  });
});
