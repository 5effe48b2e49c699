import { readFileSync } from "node:fs";
import { recoverTypedDataAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import type { ApiError, SigningClientOptions } from "../../kit/client/index.ts";
import { SIGNED_OPERATIONS } from "../../kit/client/signing/operations.ts";
import {
  agentMessage,
  contentHash,
  domainVersion,
  EIP712_DOMAIN_TYPE,
  normaliseCcsf,
  PERMIT_TYPES,
  SIGNED_TYPES,
  type SignedContract,
  signInStatement,
  soulHash,
  walletMessage,
} from "../../protocol/index.ts";
import { clientOf, json, type Reply } from "./client-service.ts";

// Signing against a service that may lie. Nothing may be signed that was not asked for.

const owner = privateKeyToAccount(`0x${"11".repeat(32)}`);
const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const deployment = {
  chainId: 31_337,
  contracts: {
    soulRegistry: address("1"),
    organizationRegistry: address("2"),
    allowanceVault: address("3"),
    bindingRegistry: address("4"),
    passportWriter: address("5"),
    agentKeys: address("6"),
    identityRegistry: address("7"),
    stablecoin: address("8"),
  },
} as const;
const later = () => String(Math.floor(Date.now() / 1000) + 900);

function typedData(contract: SignedContract, primaryType: string, message: object) {
  const table = SIGNED_TYPES[contract] as Record<string, readonly object[]>;
  const key = `${contract.charAt(0).toLowerCase()}${contract.slice(1)}`;
  return {
    domain: {
      name: contract,
      version: domainVersion(contract),
      chainId: deployment.chainId,
      verifyingContract: deployment.contracts[key as keyof typeof deployment.contracts],
    },
    types: { EIP712Domain: EIP712_DOMAIN_TYPE, [primaryType]: table[primaryType] },
    primaryType,
    message,
  };
}

const burn = (change: object = {}) =>
  typedData("SoulRegistry", "Burn", {
    tokenId: "7",
    epoch: 1,
    version: 4,
    // keccak256 of "Its work is done."
    reasonHash: "0xb36af5527b9b5bbb1b2f47e292f657072e78feb0b54682f7af70321386bb5220",
    nonce: "12345678901234567890",
    deadline: later(),
    ...change,
  });

const clientWith = (replies: readonly Reply[], options: Partial<SigningClientOptions> = {}) =>
  clientOf(replies, { deployment, ...options });
const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("The call succeeded."),
    (error: unknown) => error as ApiError,
  );
const burnWith = (answer: object) => {
  const { client, requests } = clientWith([json(answer), json({})]);
  const call = client.sign("burnAgent", {
    path: { tokenId: 7 },
    body: { reason: "Its work is done." },
    signer: owner,
  });
  return { call, requests };
};

describe("sign", () => {
  it("sends message, signature and signer with the body, and an idempotency key", async () => {
    const { client, requests, bodies } = clientWith([json(burn()), json({ status: "BURNED" })]);
    const input = {
      path: { tokenId: 7 },
      body: { reason: "Its work is done." },
      signer: owner,
      idempotencyKey: "0123456789abcdef",
    };
    expect(await client.sign("burnAgent", input)).toStrictEqual({ status: "BURNED" });
    expect(requests.map(({ url }) => new URL(url).pathname)).toStrictEqual([
      "/v1/typed-data/burn",
      "/v1/burn/7",
    ]);
    expect(JSON.parse(bodies[0] ?? "")).toStrictEqual({ tokenId: 7, reason: "Its work is done." });
    const { signature, ...rest } = JSON.parse(bodies[1] ?? "");
    expect(rest).toMatchObject({ reason: "Its work is done.", signer: owner.address });
    const data = { ...burn(), message: rest.message, signature };
    expect(await recoverTypedDataAddress(data as never)).toBe(owner.address);
    expect(requests[1]?.headers.get("idempotency-key")).toBe("0123456789abcdef");
  });

  const { domain, types } = burn();
  it.each<[string, object, string]>([
    [
      "another contract",
      { ...burn(), domain: { ...domain, verifyingContract: address("9") } },
      `The domain's verifyingContract is ${address("9")}, and must be ${address("1")}.`,
    ],
    [
      "another chain",
      { ...burn(), domain: { ...domain, chainId: 1 } },
      "The domain's chainId is 1, and must be 31337.",
    ],
    [
      "another version of the domain",
      { ...burn(), domain: { ...domain, version: "1" } },
      "The domain's version is 1, and must be 2.",
    ],
    [
      "a salt in the domain",
      { ...burn(), domain: { ...domain, salt: hash("0") } },
      "The domain has another field.",
    ],
    [
      "another message",
      typedData("SoulRegistry", "Release", {}),
      "The message is SoulRegistry.Release, and must be SoulRegistry.Burn.",
    ],
    [
      "a message of another contract",
      { ...burn(), domain: { ...domain, name: "PassportWriter" } },
      "The message is PassportWriter.Burn, and must be SoulRegistry.Burn.",
    ],
    [
      "other types",
      { ...burn(), types: { ...types, Burn: [{ name: "tokenId", type: "uint256" }] } },
      "The types are not the protocol's.",
    ],
    [
      "an additional type",
      { ...burn(), types: { ...types, Other: [] } },
      "The types are not the protocol's.",
    ],
    ["another agent", burn({ tokenId: "8" }), "The message's tokenId is not what you asked for."],
    [
      "another reason",
      burn({ reasonHash: hash("0") }),
      "The message's reasonHash is not what you asked for.",
    ],
    [
      "an endless deadline",
      burn({ deadline: "99999999999" }),
      "The deadline is more than 86400 seconds ahead.",
    ],
    ["an additional field", burn({ to: "x" }), "The message has other fields than Burn."],
    [
      "another field in place of one",
      burn({ nonce: undefined, other: 1 }),
      "The message's nonce is not of type uint256.",
    ],
    [
      "a nonce that is no number",
      burn({ nonce: "0x1" }),
      "The message's nonce is not of type uint256.",
    ],
    ["a nested nonce", burn({ nonce: { a: 1 } }), "The message's nonce is not of type uint256."],
    ["a fraction", burn({ epoch: 1.5 }), "The message's epoch is not of type uint16."],
    ["an empty answer", {}, "The message is undefined.undefined, and must be SoulRegistry.Burn."],
  ])("signs nothing for %s", async (_lie, answer, message) => {
    const { call, requests } = burnWith(JSON.parse(JSON.stringify(answer)));
    expect(await failed(call)).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message,
      operation: "burnAgent",
    });
    expect(requests).toHaveLength(1);
  });

  it("needs a deployment that the caller trusts", async () => {
    const { client } = clientOf([json(burn())]);
    const call = client.sign("burnAgent", {
      path: { tokenId: 7 },
      body: { reason: "x" },
      signer: owner,
    });
    expect(await failed(call)).toMatchObject({
      code: "INVALID_INPUT",
      message: "Signing needs the deployment that you trust.",
    });
  });

  it("checks the form of a message before it computes with it", async () => {
    const answer = typedData("SoulRegistry", "RecordEvolution", {
      tokenId: "7",
      epoch: "x",
      version: 1,
      category: "other",
      changeType: "other",
      previousSoulHash: hash("1"),
      newSoulHash: hash("0"),
      newSoulMerkleRoot: hash("0"),
      dataHash: hash("2"),
      agentURI: "",
      nonce: "1",
      deadline: later(),
    });
    const { client } = clientWith([json(answer)]);
    const body = { tokenId: 7, category: "other" as const, data: {} };
    expect(await failed(client.sign("recordChronicle", { body, signer: owner }))).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message: "The message's epoch is not of type uint16.",
    });
  });

  it("shows the owner the file that an existing passport continues, if it is the signed one", async () => {
    const file = { type: "a", name: "Ada of old", services: [{ name: "MCP" }] };
    const body = {
      agentName: "ada",
      agentType: "assistant",
      soulHash: hash("1"),
      soulSalt: hash("4"),
      soulMerkleRoot: hash("2"),
      merkleLeaves: [],
      ownerAddress: owner.address,
      erc8004AgentId: 5,
    };
    const answer = (registrationFile: object) => ({
      ...typedData("SoulRegistry", "Registration", {
        name: "ada",
        agentType: 0,
        owner: owner.address,
        operator: address("0"),
        soulHash: hash("1"),
        soulMerkleRoot: hash("2"),
        contentHash: contentHash(file as never),
        bindPassport: true,
        passportId: "5",
        agentURI: "ar://file",
        parentTokenId: "0",
        organizationId: "0",
        seal: true,
        humanVerifier: address("0"),
        humanProofHash: hash("0"),
        nonce: "1",
        deadline: later(),
      }),
      registrationFile,
    });
    const shown: object[] = [];
    const signing = (registrationFile: object) =>
      failed(
        clientWith([json(answer(registrationFile))]).client.sign("registerAgent", {
          body,
          signer: owner,
          review: ({ fields }) => shown.push(fields) < 0,
        }),
      );
    expect(await signing(file)).toMatchObject({ code: "UNVERIFIED_FIELDS" });
    expect(shown).toStrictEqual([{ agentURI: "ar://file", registrationFile: file }]);
    expect(await signing({ ...file, name: "Eve" })).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message: "The message's contentHash is not what you asked for.",
    });
    expect(shown).toHaveLength(1);
  });

  it("signs no batch with another agent in it", async () => {
    const entry = (name: string) => ({
      name,
      agentType: 0,
      operator: address("0"),
      soulHash: hash("1"),
      soulMerkleRoot: hash("2"),
      contentHash: hash("3"),
    });
    const agents = ["ada", "bob"].map((agentName) => ({
      agentName,
      agentType: "assistant",
      soulHash: hash("1"),
      soulSalt: hash("4"),
      soulMerkleRoot: hash("2"),
      merkleLeaves: [],
      publicIdentity: { image: "https://pictures.example/a.png" },
    }));
    for (const [names, message] of [
      [["eve", "bob"], "The message's name is not what you asked for."],
      [["ada"], "The message's entries are not what you asked for."],
      [["ada", "bob", "eve"], "The message's entries are not what you asked for."],
      [["ada", "bob"], "The message's contentHash is not what you asked for."],
    ] as const) {
      const answer = typedData("SoulRegistry", "RegistrationBatch", {
        owner: owner.address,
        organizationId: "3",
        leaveOutTakenNames: false,
        entries: names.map(entry),
        nonce: "1",
        deadline: later(),
      });
      const types = { ...answer.types, BatchEntry: SIGNED_TYPES.SoulRegistry.BatchEntry };
      const { client } = clientWith([json({ ...answer, types })]);
      const call = client.sign("registerBatch", {
        path: { organizationId: 3 },
        body: { agents, ownerAddress: owner.address },
        signer: owner,
      });
      expect(await failed(call)).toMatchObject({ code: "UNSAFE_TO_SIGN", message });
    }
  });

  const uri = typedData("PassportWriter", "SetAgentURI", {
    tokenId: "7",
    epoch: 1,
    version: 1,
    previousURIHash: hash("a"),
    agentURI: "ar://file",
    nonce: "1",
    deadline: later(),
  });
  const update = { path: { tokenId: 7 }, body: { x402Support: true }, signer: owner };

  it("signs a field that it cannot check only when the caller accepts it", async () => {
    const refused = clientWith([json(uri)]);
    expect(await failed(refused.client.sign("updateRegistrationFile", update))).toMatchObject({
      code: "UNVERIFIED_FIELDS",
      message: "The client cannot check agentURI of SetAgentURI.",
      details: { fields: { agentURI: "ar://file" } },
    });
    for (const review of [() => false, async () => false, () => "yes" as never]) {
      const call = refused.client.sign("updateRegistrationFile", { ...update, review });
      expect((await failed(call)).code).toBe("UNVERIFIED_FIELDS");
    }
    const accepted = clientWith([json(uri), json({ ok: true })]);
    const review = ({ fields }: { fields: object }) => "agentURI" in fields;
    const answer = await accepted.client.sign("updateRegistrationFile", { ...update, review });
    expect(answer).toStrictEqual({ ok: true });
  });

  const limits = {
    tokenId: 7,
    perTransaction: 5,
    dailyLimit: 9,
    validUntil: "2030-01-01T00:00:00Z",
  };
  const allowance = (permit: object) => ({
    ...typedData("AllowanceVault", "SetAllowance", {
      tokenId: "7",
      epoch: 1,
      version: 0,
      perTransaction: 5,
      dailyLimit: 9,
      validUntil: 1_893_456_000,
      onlyWithAgentWallet: false,
      nonce: "1",
      deadline: later(),
    }),
    permit: {
      domain: { name: "USDC", version: "2", chainId: 31_337, verifyingContract: address("8") },
      types: { EIP712Domain: EIP712_DOMAIN_TYPE, ...PERMIT_TYPES },
      primaryType: "Permit",
      message: {
        owner: owner.address,
        spender: address("3"),
        value: "100",
        nonce: "0",
        deadline: later(),
      },
      ...permit,
    },
  });
  const setAllowance = { path: { tokenId: 7 }, body: { ...limits, approval: 100 }, signer: owner };

  it("signs the permit of the stablecoin too", async () => {
    const { client, bodies } = clientWith([json(allowance({})), json({})]);
    await client.sign("setAllowance", setAllowance);
    const { permit } = JSON.parse(bodies[1] ?? "");
    const data = { ...allowance({}).permit, message: permit.message, signature: permit.signature };
    expect(await recoverTypedDataAddress(data as never)).toBe(owner.address);
  });

  it.each<[string, object, string]>([
    [
      "another spender",
      { message: { ...allowance({}).permit.message, spender: address("9") } },
      "The message's spender is not what you asked for.",
    ],
    [
      "a larger value",
      { message: { ...allowance({}).permit.message, value: "101" } },
      "The message's value is not what you asked for.",
    ],
    [
      "another token",
      {
        domain: { name: "X", version: "1", chainId: 31_337, verifyingContract: address("9") },
      },
      `The domain's verifyingContract is ${address("9")}, and must be ${address("8")}.`,
    ],
  ])("signs nothing with a permit for %s", async (_lie, permit, message) => {
    const { client, requests } = clientWith([json(allowance(permit)), json({})]);
    expect(await failed(client.sign("setAllowance", setAllowance))).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message,
    });
    expect(requests).toHaveLength(1);
  });
});

describe("the operations that owners sign", () => {
  interface SchemaText {
    readonly $ref?: string;
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly oneOf?: readonly SchemaText[];
    readonly anyOf?: readonly SchemaText[];
    readonly allOf?: readonly SchemaText[];
  }
  const { paths, components } = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
  const operations = Object.entries(paths as Record<string, Record<string, never>>).flatMap(
    ([path, item]) => Object.values(item).map((operation) => ({ path, ...(operation as object) })),
  ) as {
    path: string;
    operationId: string;
    deprecated?: boolean;
    requestBody?: { content: Record<string, { schema: SchemaText }> };
  }[];

  function members({ $ref, properties, oneOf, anyOf, allOf }: SchemaText): string[] {
    const named =
      $ref === undefined ? [] : members(components.schemas[$ref.split("/").at(-1) ?? ""]);
    const parts = [...(oneOf ?? []), ...(anyOf ?? []), ...(allOf ?? [])].flatMap(members);
    return [...Object.keys(properties ?? {}), ...named, ...parts];
  }

  it("are all operations of the document with a signature in their body, but for sign-ins", () => {
    const signed = operations.filter(({ path, deprecated, requestBody }) => {
      const schema = requestBody?.content["application/json"]?.schema;
      if (schema === undefined || deprecated || path.startsWith("/api/v1/auth/")) return false;
      return members(schema).includes("signature");
    });
    const ids = signed.map(({ operationId }) => operationId).sort();
    expect(Object.keys(SIGNED_OPERATIONS).sort()).toStrictEqual(ids);
  });

  it("ask for their typed data by every operation that answers with some", () => {
    const prepared = operations
      .filter(({ path }) => path.startsWith("/v1/typed-data/"))
      .map(({ operationId }) => operationId)
      .sort();
    const used = new Set(Object.values(SIGNED_OPERATIONS).map(({ prepare }) => prepare));
    expect([...used].sort()).toStrictEqual(prepared);
  });
});

describe("signIn", () => {
  const fields = (change: object = {}) => ({
    domain: "svc.example",
    address: owner.address,
    statement: signInStatement({
      flow: "agent",
      domain: "svc.example",
      agentId: 5,
      scopes: [],
      audience: null,
    }),
    uri: "https://svc.example",
    chainId: 31_337,
    nonce: "0123456789abcdef",
    issuedAt: new Date().toISOString(),
    expirationTime: new Date(Date.now() + 300_000).toISOString(),
    agentId: 5n,
    registry: deployment.contracts.identityRegistry,
    ...change,
  });
  const challenge = (message: string) =>
    json({ nonce: "0123456789abcdef", message, expiresAt: "2030-01-01T00:00:00Z" });
  const token = json({ accessToken: "t" });

  it("signs the message that it asked for", async () => {
    const { client, bodies } = clientWith([challenge(agentMessage(fields())), token]);
    const answer = await client.signIn({ signer: owner, agentId: 5 });
    expect(answer).toStrictEqual({ accessToken: "t" });
    expect(JSON.parse(bodies[0] ?? "")).toStrictEqual({
      agentId: 5,
      address: owner.address,
      chainId: 31_337,
    });
  });

  const manage = signInStatement({
    flow: "agent",
    domain: "svc.example",
    agentId: 5,
    scopes: ["manage"],
    audience: null,
  });
  it.each<[string, string, string]>([
    [
      "that grants the agent's management",
      agentMessage(fields({ statement: manage })),
      "The sign-in message's statement is not what you asked for.",
    ],
    [
      "for another agent",
      agentMessage(fields({ agentId: 6n })),
      "The sign-in message's agent id is not what you asked for.",
    ],
    [
      "for another domain",
      agentMessage(fields({ domain: "shop.example" })),
      "The sign-in message's domain is not the expected one.",
    ],
    [
      "for another registry",
      agentMessage(fields({ registry: address("9") })),
      "The sign-in message's registry is not the expected one.",
    ],
    [
      "for another account",
      agentMessage(fields({ address: address("9") })),
      "The sign-in message's address is not what you asked for.",
    ],
    [
      "for another chain",
      agentMessage(fields({ chainId: 1 })),
      "The sign-in message's chainId is not the expected one.",
    ],
    [
      "with an older nonce",
      agentMessage(fields({ nonce: "fedcba9876543210" })),
      "The sign-in message's nonce is not the expected one.",
    ],
    [
      "that was issued an hour ago",
      agentMessage(fields({ issuedAt: new Date(Date.now() - 3_600_000).toISOString() })),
      "The sign-in message's issuedAt is too long ago.",
    ],
    [
      "that is any text",
      "I owe you 100 ETH.",
      "The sign-in message's text must begin with <domain> wants you to sign in with your Agent account:.",
    ],
  ])("signs no message %s", async (_lie, message, why) => {
    const { client, requests } = clientWith([challenge(message), token]);
    expect(await failed(client.signIn({ signer: owner, agentId: 5 }))).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message: why,
    });
    expect(requests).toHaveLength(1);
  });

  it("signs no resources that it did not ask for", async () => {
    const {
      agentId: _agentId,
      registry: _registry,
      ...wallet
    } = fields({
      statement: signInStatement({
        flow: "wallet",
        domain: "svc.example",
        agentId: null,
        scopes: [],
        audience: null,
      }),
    });
    const message = walletMessage({ ...wallet, resources: ["https://evil.example"] });
    const { client } = clientWith([challenge(message), token]);
    expect(await failed(client.signIn({ signer: owner }))).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message: "The sign-in message's resources is not what you asked for.",
    });
  });
});

describe("register", () => {
  const SOUL = {
    identity: { name: "aurora", agent_type: "assistant" },
    soul: { purpose: "Secret." },
  };

  it("sends hashes, and nothing of the self-description", async () => {
    const { client, bodies } = clientWith([json({})]);
    await failed(client.register({ soul: SOUL, signer: owner, salt: hash("5") }));
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({
      agentName: "aurora",
      agentType: "assistant",
      soulHash: soulHash(hash("5"), normaliseCcsf(SOUL)),
      ownerAddress: owner.address,
    });
    expect(bodies[0]).not.toContain("Secret.");
  });

  it.each<[string, object, string]>([
    ["a soul without a name", { soul: { identity: {} } }, "identity.name"],
    ["a text without a name", { soul: { format: "plaintext", text: "Sort." } }, "identity.name"],
    ["an unknown format", { soul: { format: "docx", text: "Sort." } }, "A source format is one of"],
    ["a salt of another length", { soul: SOUL, salt: "0x12" }, "salt"],
  ])("refuses %s before it sends anything", async (_what, input, named) => {
    const { client, requests } = clientWith([json({})]);
    const error = await failed(
      client.register({ ...(input as { soul: Readonly<Record<string, unknown>> }), signer: owner }),
    );
    expect(error.code).toBe("INVALID_INPUT");
    expect(error.message).toContain(named);
    expect(requests).toStrictEqual([]);
  });

  it("asks for a name where the self-description has no valid one", async () => {
    const { client, requests } = clientWith([json({})]);
    const soul = { ...SOUL, identity: { ...SOUL.identity, name: "Ada Lovelace" } };
    expect(await failed(client.register({ soul, signer: owner }))).toMatchObject({
      code: "INVALID_INPUT",
      message:
        '"Ada Lovelace": This name is not allowed: a name has 3 to 32 characters: lower-case letters, digits and hyphens, no hyphen first or last. Pass a valid name as name, and this spelling as publicIdentity.displayName.',
    });
    expect(requests).toStrictEqual([]);
  });
});
