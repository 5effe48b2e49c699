import { randomBytes } from "node:crypto";
import type { Abi, Hex, LocalAccount } from "viem";
import { bytesToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  agentKeysAbi,
  allowanceVaultAbi,
  bindingRegistryAbi,
  identityRegistryAbi,
  organizationRegistryAbi,
  passportWriterAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { NO_EXPECTED_IDS, NO_HUMAN_PROOF } from "../../protocol/index.ts";
import type { Answer } from "../api/features/sign-in/harness.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import type { OwnedAgent } from "../fixtures/owner-signed.ts";
import { ED25519_KEY } from "../fixtures/public-keys.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Every operation that an owner signs, once through the service and once as the owner's own call of
// the contract. Both must leave the same behind. What only a request holds (documents, keys, salts)
// is not compared.

const SOON = { timeout: 45_000, interval: 250 };
const CONSENT = { nonce: 0n, deadline: 0n, signature: "0x" } as const;
const LATER = Math.floor(Date.parse("2100-01-01T00:00:00Z") / 1000);
const LIMITS = { perTransaction: 2_000_000, dailyLimit: 5_000_000 };

let service: Service;
let world: ReturnType<typeof organizationVerbs>;
beforeAll(async () => {
  service = await sharedService();
  world = organizationVerbs(service);
});
afterAll(() => service?.stop());

/** What an operation is about: an agent or an organization. */
interface Subject {
  /** Who signs. */
  readonly signer: LocalAccount;
  readonly agent?: OwnedAgent;
  readonly partner?: OwnedAgent;
  organizationId?: number;
  /** That waits for a second signature, with the nonce of the first. */
  readonly invitation?: { readonly id: string; readonly nonce: string };
  /** Of the passport, at the beginning. */
  readonly firstUri?: string;
  /** Of a successor or a new soul. */
  readonly wish?: object;
}

type Signed = { readonly message: object; readonly signature: Hex; readonly signer: Hex };
type Call = readonly [contract: Hex, abi: Abi, functionName: string, args: readonly unknown[]];

/** An operation that its owner can also send to the contract. */
interface Chained {
  subject(): Promise<Subject>;
  /** The body of `POST /v1/typed-data/{operation}`. */
  body(subject: Subject): object;
  submit(subject: Subject, signed: Signed, body: object): Promise<Answer>;
  call(message: object, subject: Subject): Call;
  /** What of it can be seen. */
  outcome(subject: Subject): Promise<unknown>;
}

const contracts = () => service.chain.contracts;
const post = (path: string, body: object) => world.send("POST", path, body);
const put = (path: string, body: object) => world.send("PUT", path, body);
const agentOf = ({ agent }: Subject): OwnedAgent => agent as OwnedAgent;
const tokenOf = (subject: Subject): number => agentOf(subject).tokenId;

async function newOwned(): Promise<Subject> {
  const agent = await world.newAgent();
  return { signer: agent.owner, agent };
}

/** A sold agent, whose buyer signs, once the service has recorded the sale. */
async function sold(): Promise<Subject> {
  const { agent } = (await newOwned()) as { agent: OwnedAgent };
  const buyer = newAccount();
  await service.chain.fund(buyer.address);
  await service.chain.transferPassport(agent.passportId, agent.owner, buyer.address);
  const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves } = registrationBody(agent.name, buyer);
  const wish = {
    newSoulHash: soulHash,
    newSoulSalt: soulSalt,
    newSoulMerkleRoot: soulMerkleRoot,
    merkleLeaves,
    // The service shows fields with their salts, which an owner's own call does not give it.
    publicFields: {},
  };
  return { signer: buyer, agent, wish };
}

/** An agent that its owner claimed without sealing it. */
async function provisional(): Promise<Subject> {
  const verbs = agentVerbs(service);
  const owner = newAccount();
  await service.chain.fund(owner.address);
  const name = freshName();
  const { registrationId } = await verbs.registerAgent(name);
  const { body } = await verbs.submitClaim(
    await verbs.signedClaim(registrationId, owner, { seal: false }),
  );
  const { tokenId, erc8004AgentId, apiKey, soulHash } = body;
  const agent = {
    owner,
    name,
    tokenId,
    apiKey,
    soulHash,
    passportId: BigInt(erc8004AgentId),
  };
  return { signer: owner, agent };
}

async function founded(): Promise<Subject> {
  const signer = newAccount();
  await service.chain.fund(signer.address);
  return { signer, organizationId: await world.foundDirectly(signer, "Herons of the weir") };
}

/** An agent and an organization of one account. */
async function withOrganization(): Promise<Subject> {
  const subject = await newOwned();
  const organizationId = await world.foundDirectly(subject.signer, "Herons of the weir");
  return { ...subject, organizationId };
}

/** An agent that may pay. */
async function withAllowance(): Promise<Subject> {
  const subject = await newOwned();
  const allowance = {
    tokenId: BigInt(tokenOf(subject)),
    epoch: 1,
    version: 0,
    perTransaction: 2_000_000n,
    dailyLimit: 5_000_000n,
    onlyWithAgentWallet: false,
    validUntil: LATER,
    nonce: 0n,
    deadline: 0n,
  };
  await sendDirectly(subject.signer, [
    contracts().allowanceVault,
    allowanceVaultAbi,
    "setAllowance",
    [allowance, "0x"],
  ]);
  return subject;
}

/** Profile, keys of the first epoch, and chronicles, as anyone would read them. */
async function standing(subject: Subject) {
  const { name, tokenId } = agentOf(subject);
  const [profile, chain] = await Promise.all([
    service.get(`/v1/profile/${name}`),
    service.pool.query(
      `select status, epoch, did_archive_id is not null as has_did_archive,
         archive_id is not null as has_archive from chain.soul where token_id = $1`,
      [tokenId],
    ),
  ]);
  const keys = await service.pool.query(
    `select kind, holder, revoked_at is null as live from app.api_key
     where token_id = $1 and epoch = 1 order by 1, 2, 3`,
    [tokenId],
  );
  const chronicles = await service.pool.query(
    "select category, change_type from app.chronicle where token_id = $1 order by chronicle_id",
    [tokenId],
  );
  return {
    status: profile.status,
    profile: profile.body,
    soul: chain.rows,
    keys: keys.rows,
    chronicles: chronicles.rows,
  };
}

const seen = (path: (subject: Subject) => string) => async (subject: Subject) => {
  const { status, body } = await service.get(path(subject));
  return { status, body };
};

const CHAINED: Readonly<Record<string, Chained>> = {
  did: {
    subject: newOwned,
    body: (subject) => ({
      tokenId: tokenOf(subject),
      addAddress: {
        chain: "solana",
        address: "6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2",
        label: "Tips",
        keyType: "Ed25519",
      },
    }),
    submit: (subject, signed, body) =>
      put(`/v1/did/${agentOf(subject).name}`, { ...body, ...signed }),
    call: (message) => [
      contracts().soulRegistry,
      soulRegistryAbi,
      "setDidArchive",
      [message, "0x"],
    ],
    async outcome(subject) {
      const { profile, ...rest } = await standing(subject);
      // Read from the document, which only the request stores.
      const { chainAddresses: _, ...shown } = profile;
      return { ...rest, profile: shown };
    },
  },
  "agent-keys": {
    subject: newOwned,
    body: (subject) => ({
      tokenId: tokenOf(subject),
      keys: [
        {
          ...ED25519_KEY,
          use: "sig",
          exp: LATER,
        },
      ],
    }),
    submit: (subject, signed, body) =>
      put(`/v1/agents/${agentOf(subject).name}/jwks.json`, { ...body, ...signed }),
    call: (message) => [contracts().agentKeys, agentKeysAbi, "setKeys", [message, "0x"]],
    async outcome(subject) {
      const read = (functionName: "keysOf" | "versionOf") =>
        service.chain.client.readContract({
          address: contracts().agentKeys,
          abi: agentKeysAbi,
          functionName,
          args: [BigInt(tokenOf(subject))],
        });
      return { version: await read("versionOf"), keys: await read("keysOf") };
    },
  },
  "registration-file": {
    async subject() {
      const subject = await newOwned();
      await world.approve(agentOf(subject));
      return subject;
    },
    body: (subject) => ({
      tokenId: tokenOf(subject),
      services: [{ name: "MCP", endpoint: "https://heron.example/mcp" }],
    }),
    submit: (subject, signed, body) =>
      put(`/v1/registration-file/${tokenOf(subject)}`, { ...body, ...signed }),
    call: (message) => [
      contracts().passportWriter,
      passportWriterAbi,
      "setAgentURI",
      [message, "0x"],
    ],
    async outcome(subject) {
      const { rows } = await service.pool.query(
        "select count(distinct uri)::int as uris from chain.passport where id = $1",
        [agentOf(subject).passportId],
      );
      const version = await service.chain.client.readContract({
        address: contracts().passportWriter,
        abi: passportWriterAbi,
        functionName: "versionOf",
        args: [BigInt(tokenOf(subject))],
      });
      return { rows, version };
    },
  },
  seal: {
    subject: provisional,
    body: (subject) => ({ tokenId: tokenOf(subject) }),
    submit: (_subject, signed, body) => post("/v1/seal", { ...body, ...signed }),
    call: (message) => [
      contracts().soulRegistry,
      soulRegistryAbi,
      "seal",
      [message, bytesToHex(randomBytes(32)), NO_HUMAN_PROOF, "0x"],
    ],
    outcome: standing,
  },
  reseal: {
    subject: sold,
    body: (subject) => ({ tokenId: tokenOf(subject), ...subject.wish }),
    submit: (subject, signed) =>
      post(`/v1/reseal/${tokenOf(subject)}`, { ...subject.wish, ...signed }),
    call: (message) => [
      contracts().soulRegistry,
      soulRegistryAbi,
      "reseal",
      [message, bytesToHex(randomBytes(32)), NO_HUMAN_PROOF, "0x"],
    ],
    outcome: standing,
  },
  release: {
    subject: sold,
    body: (subject) => ({ tokenId: tokenOf(subject) }),
    submit: (subject, signed) => post(`/v1/release/${tokenOf(subject)}`, signed),
    call: (message) => [contracts().soulRegistry, soulRegistryAbi, "release", [message, "0x"]],
    outcome: standing,
  },
  suspend: {
    subject: newOwned,
    body: (subject) => ({ tokenId: tokenOf(subject) }),
    submit: (_subject, signed, body) => post("/v1/suspend", { ...body, ...signed }),
    call: (message) => [
      contracts().soulRegistry,
      soulRegistryAbi,
      "suspendBySealer",
      [message, "0x"],
    ],
    outcome: standing,
  },
  burn: {
    subject: newOwned,
    body: (subject) => ({ tokenId: tokenOf(subject), reason: "Its work is done." }),
    submit: (subject, signed, body) => post(`/v1/burn/${tokenOf(subject)}`, { ...body, ...signed }),
    call: (message) => [contracts().soulRegistry, soulRegistryAbi, "burn", [message, "0x"]],
    outcome: standing,
  },
  chronicle: {
    async subject() {
      const subject = await newOwned();
      return { ...subject, wish: { operator: newAccount().address } };
    },
    body: (subject) => ({
      tokenId: tokenOf(subject),
      category: "operator_change",
      data: subject.wish,
    }),
    submit: (_subject, signed, body) => post("/v1/chronicle", { ...body, ...signed }),
    call: (message, { wish }) => [
      contracts().soulRegistry,
      soulRegistryAbi,
      "changeOperator",
      [message, (wish as { operator: Hex }).operator, "0x"],
    ],
    async outcome(subject) {
      // The service's own record of the change is private content of the request.
      const { chronicles: _, ...rest } = await standing(subject);
      return rest;
    },
  },
  binding: {
    async subject() {
      return { ...(await newOwned()), partner: await world.newAgent() };
    },
    body: (subject) => ({
      tokenId: tokenOf(subject),
      partnerTokenId: subject.partner?.tokenId,
      trustLevel: "verified",
      context: "Shares its bird counts.",
    }),
    submit: (_subject, signed, body) => post("/v1/binding", { ...body, ...signed }),
    call: (message) => [
      contracts().bindingRegistry,
      bindingRegistryAbi,
      "setBinding",
      [message, "0x"],
    ],
    outcome: seen((subject) => `/v1/binding/${agentOf(subject).name}`),
  },
  allowance: {
    subject: newOwned,
    body: (subject) => ({
      tokenId: tokenOf(subject),
      ...LIMITS,
      validUntil: "2100-01-01T00:00:00.000Z",
    }),
    submit: (subject, signed, body) =>
      post(`/v1/allowance/${tokenOf(subject)}`, { ...body, ...signed }),
    call: (message) => [
      contracts().allowanceVault,
      allowanceVaultAbi,
      "setAllowance",
      [message, "0x"],
    ],
    outcome: seen((subject) => `/v1/allowance/${tokenOf(subject)}`),
  },
  "allowance-end": {
    subject: withAllowance,
    body: (subject) => ({ tokenId: tokenOf(subject) }),
    submit: (subject, signed, body) =>
      world.send("DELETE", `/v1/allowance/${tokenOf(subject)}`, { ...body, ...signed }),
    call: (message) => [
      contracts().allowanceVault,
      allowanceVaultAbi,
      "deactivate",
      [message, "0x"],
    ],
    outcome: seen((subject) => `/v1/allowance/${tokenOf(subject)}`),
  },
  // Keys, sessions and webhooks are the service's own, and end with a request alone.
  "emergency-stop": {
    subject: withAllowance,
    body: (subject) => ({ tokenId: tokenOf(subject) }),
    submit: (subject, signed, body) =>
      post(`/v1/emergency-stop/${tokenOf(subject)}`, { ...body, ...signed }),
    call: (message) => [
      contracts().allowanceVault,
      allowanceVaultAbi,
      "deactivate",
      [message, "0x"],
    ],
    outcome: seen((subject) => `/v1/allowance/${tokenOf(subject)}`),
  },
  org: {
    async subject() {
      const signer = newAccount();
      await service.chain.fund(signer.address);
      return { signer };
    },
    body: ({ signer }) => ({ name: "Herons of the weir", adminAddress: signer.address }),
    submit: (_subject, signed, body) => post("/v1/org", { ...body, ...signed }),
    call: (message) => [
      contracts().organizationRegistry,
      organizationRegistryAbi,
      "create",
      [message, "0x"],
    ],
    async outcome({ signer }) {
      const { status, body } = await service.get(`/v1/org?admin=${signer.address}`);
      const text = JSON.stringify(body, (key, value: unknown) =>
        key === "organizationId" ? "ORGANIZATION" : value,
      );
      return { status, body: JSON.parse(text) };
    },
  },
  "org-admin": {
    async subject() {
      return { ...(await founded()), wish: { newAdmin: newAccount().address } };
    },
    body: ({ organizationId, wish }) => ({ organizationId, ...wish }),
    submit: ({ organizationId, wish }, signed) =>
      put(`/v1/org/${organizationId}/admin`, { ...wish, ...signed }),
    call: (message) => [
      contracts().organizationRegistry,
      organizationRegistryAbi,
      "changeAdmin",
      [message, "0x", CONSENT],
    ],
    outcome: seen(({ organizationId }) => `/v1/org/${organizationId}`),
  },
  "org-admin-accept": {
    async subject() {
      const { signer: admin, organizationId } = await founded();
      const signer = newAccount();
      await service.chain.fund(signer.address);
      await world.nameDirectly(admin, organizationId as number, signer.address);
      return { signer, ...(organizationId !== undefined && { organizationId }) };
    },
    body: ({ organizationId }) => ({ organizationId }),
    submit: ({ organizationId }, signed) => post(`/v1/org/${organizationId}/admin/accept`, signed),
    call: (message) => [
      contracts().organizationRegistry,
      organizationRegistryAbi,
      "acceptAdmin",
      [message, "0x"],
    ],
    outcome: seen(({ organizationId }) => `/v1/org/${organizationId}`),
  },
  "org-member": {
    subject: withOrganization,
    body: (subject) => ({
      organizationId: subject.organizationId,
      tokenId: tokenOf(subject),
      role: "owner",
    }),
    submit: (subject, signed) =>
      post(`/v1/org/${subject.organizationId}/members`, {
        tokenId: tokenOf(subject),
        role: "owner",
        ...signed,
      }),
    call: (message) => [
      contracts().organizationRegistry,
      organizationRegistryAbi,
      "join",
      [message, "0x", CONSENT],
    ],
    outcome: standing,
  },
  "org-member-removal": {
    async subject() {
      const subject = await withOrganization();
      await world.joinDirectly(subject.signer, subject.organizationId as number, tokenOf(subject));
      return subject;
    },
    body: (subject) => ({
      organizationId: subject.organizationId,
      tokenId: tokenOf(subject),
      signer: subject.signer.address,
    }),
    submit: (subject, signed) =>
      world.send("DELETE", `/v1/org/${subject.organizationId}/members/${tokenOf(subject)}`, signed),
    call: (message, { signer }) => [
      contracts().organizationRegistry,
      organizationRegistryAbi,
      "leaveOrganization",
      [message, signer.address, "0x"],
    ],
    outcome: standing,
  },
  // The service stores a file. The owner points the passport at it either way.
  "agent-uri-update": {
    async subject() {
      const subject = await newOwned();
      return { ...subject, firstUri: await world.agentUri(agentOf(subject).passportId) };
    },
    body: (subject) => ({
      erc8004AgentId: Number(agentOf(subject).passportId),
      services: [{ name: "MCP", endpoint: "https://heron.example/mcp" }],
    }),
    async submit({ signer }, signed, body) {
      const answer = await post("/v1/agent-uri/update", { ...body, ...signed });
      if (answer.status < 300) await world.sendReady(answer.body.transaction, signer);
      return answer;
    },
    call: (message, subject) => [
      contracts().identityRegistry,
      identityRegistryAbi,
      "setAgentURI",
      [agentOf(subject).passportId, (message as { agentURI: string }).agentURI],
    ],
    async outcome(subject) {
      const { passportId } = agentOf(subject);
      const { rows } = await service.pool.query("select uri from chain.passport where id = $1", [
        passportId,
      ]);
      const onChain = await world.agentUri(passportId);
      return { hasMoved: onChain !== subject.firstUri, isIndexed: rows[0].uri === onChain };
    },
  },
  // A signer of an invitation may cancel its nonce on chain instead.
  "org-invitation-end": {
    async subject() {
      const subject = await newOwned();
      const organizationId = await world.foundDirectly(newAccount(), "Herons of the weir");
      const { signer } = subject;
      const wish = { organizationId, tokenId: tokenOf(subject), role: "owner" };
      const { message, signature } = await world.signedAs("org-member", wish, signer);
      const { body } = await post(`/v1/org/${organizationId}/members`, {
        tokenId: wish.tokenId,
        role: wish.role,
        message,
        signature,
        signer: signer.address,
      });
      const { nonce } = message as { nonce: string };
      return { ...subject, organizationId, invitation: { id: body.invitationId, nonce } };
    },
    body: ({ signer, invitation }) => ({
      accountAddress: signer.address,
      invitationId: invitation?.id,
    }),
    submit: ({ invitation }, signed, body) =>
      world.send("DELETE", `/v1/org/invitations/${invitation?.id}`, { ...body, ...signed }),
    call: (_message, { invitation }) => [
      contracts().organizationRegistry,
      organizationRegistryAbi,
      "cancel",
      [BigInt(invitation?.nonce ?? 0)],
    ],
    async outcome({ signer }) {
      const wish = { accountAddress: signer.address };
      const signed = await world.signedAs("org-invitations", wish, signer);
      const { status, body } = await post("/v1/org/invitations", signed);
      return { status, waiting: body.invitations.length };
    },
  },
};

/**
 * Operations without a second way. The contract takes registrations from the registrar alone. The
 * answers to validations and audits are the service's, and so is what it stores about owners. A
 * list changes nothing.
 */
const REGISTRAR_ONLY = ["register", "claim", "reincarnate", "org-batch"];
const OFF_CHAIN = [
  ...["validate", "regulatory-audit", "org-audit", "org-invitations"],
  ...["private-data-export", "private-data-deletion"],
];

/** A message of typed data as the contract takes it: wide integers are text in JSON. */
function encodable(message: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(message).map(([field, value]) => [
      field,
      typeof value === "string" && /^(0|[1-9][0-9]*)$/.test(value) ? BigInt(value) : value,
    ]),
  );
}

async function sendDirectly(account: LocalAccount, [address, abi, functionName, args]: Call) {
  const call = { address, abi, functionName, args, account };
  return world.mined(await service.chain.client.writeContract(call as never));
}

/** The data to sign; a sale is recorded first where there was one. */
const typedDataOf = (operation: string, body: object) =>
  vi.waitFor(async () => {
    await service.chain.client.mine({ blocks: 1 });
    const answer = await post(`/v1/typed-data/${operation}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  }, SOON);

/** What is the subject's own is replaced by its role, and every hash, id and time by its kind. */
function neutral(outcome: unknown, { agent, partner, signer, organizationId, wish }: Subject) {
  const own: [unknown, string][] = [
    [agent?.name, "NAME"],
    [partner?.name, "PARTNER"],
    [agent?.owner.address, "OWNER"],
    [partner?.owner.address, "PARTNER_OWNER"],
    [signer.address, "SIGNER"],
    ...Object.values(wish ?? {}).map((value): [unknown, string] => [value, "WISH"]),
  ];
  const ids = new Map<number, string>();
  if (agent) ids.set(agent.tokenId, "TOKEN").set(Number(agent.passportId), "PASSPORT");
  if (partner) ids.set(partner.tokenId, "PARTNER").set(Number(partner.passportId), "PARTNER");
  if (organizationId !== undefined) ids.set(organizationId, "ORGANIZATION");
  const text = JSON.stringify(outcome, (key, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    // Only ids: a count may have the same value.
    if (typeof value === "number" && /(Id|Token)$/.test(key)) return ids.get(value) ?? value;
    return value;
  });
  const replaced = own.reduce(
    (result, [value, role]) =>
      typeof value === "string" ? result.replaceAll(new RegExp(value, "gi"), role) : result,
    text,
  );
  return JSON.parse(
    replaced
      .replaceAll(/0x[0-9a-f]{64}/g, "HASH")
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "TIME")
      .replaceAll(/(\/ar\/|ar:\/\/|")[A-Za-z0-9_-]{43}"/g, '$1ITEM"'),
  );
}

it("lists every operation that has data to sign", async () => {
  const { body } = await service.get("/v1/openapi.json");
  const operations = Object.keys(body.paths)
    .filter((path) => path.startsWith("/v1/typed-data/"))
    .map((path) => path.replace("/v1/typed-data/", ""));
  expect([...Object.keys(CHAINED), ...REGISTRAR_ONLY, ...OFF_CHAIN].toSorted()).toEqual(
    operations.toSorted(),
  );
});

describe("an operation through the service and as its owner's own call", () => {
  it.each(Object.entries(CHAINED))("has the same outcome: %s", async (operation, row) => {
    const served = await row.subject();
    const direct = await row.subject();
    const before = neutral(await row.outcome(served), served);

    const body = row.body(served);
    const typedData = await typedDataOf(operation, body);
    const signature = await served.signer.signTypedData(typedData);
    const { message } = typedData;
    const signed = { message, signature, signer: served.signer.address };
    const answer = await row.submit(served, signed, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);

    const own = await typedDataOf(operation, row.body(direct));
    await sendDirectly(direct.signer, row.call(encodable(own.message), direct));

    await vi.waitFor(async () => {
      const after = neutral(await row.outcome(served), served);
      expect(neutral(await row.outcome(direct), direct)).toEqual(after);
      expect(after).not.toEqual(before);
    }, SOON);
  });
});

it("lets only the registrar register, also with the owner as sender", async () => {
  const owner = newAccount();
  await service.chain.fund(owner.address);
  const body = registrationBody(freshName(), owner);
  const { message } = await typedDataOf("register", body);
  const publication = {
    archiveId: bytesToHex(randomBytes(32)),
    agentURI: "ar://x",
    agentURIWithoutIds: "ar://x",
    expectedPassportId: 0n,
    expectedTokenId: 0n,
    reservation: 0n,
  };
  await expect(
    service.chain.client.simulateContract({
      address: contracts().soulRegistry,
      abi: soulRegistryAbi,
      functionName: "register",
      args: [encodable(message) as never, publication, NO_HUMAN_PROOF, "0x", "0x"],
      account: owner,
    }),
  ).rejects.toThrow("NotRegistrar");

  const organizationId = await world.foundDirectly(owner, "Herons of the weir");
  const { ownerAddress, ...agent } = registrationBody(freshName(), owner);
  const batch = await typedDataOf("org-batch", { organizationId, ownerAddress, agents: [agent] });
  const { entries, ...fields } = batch.message as { entries: Readonly<Record<string, unknown>>[] };
  await expect(
    service.chain.client.simulateContract({
      address: contracts().soulRegistry,
      abi: soulRegistryAbi,
      functionName: "registerBatch",
      args: [
        { ...encodable(fields), entries: entries.map(encodable) } as never,
        [{ archiveId: bytesToHex(randomBytes(32)), agentURI: "ar://x" }],
        NO_EXPECTED_IDS,
        "0x",
      ],
      account: owner,
    }),
  ).rejects.toThrow("NotRegistrar");
});
