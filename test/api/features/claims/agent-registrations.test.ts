import { createHash, randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Hex, LocalAccount, TransactionReceipt } from "viem";
import { hexToBytes, stringToHex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentRegistrationRequest } from "../../../../api/features/claims/agent-registration.ts";
import { createAgentRegistration } from "../../../../api/features/claims/agent-registration.ts";
import { createAgentRegistrationStore } from "../../../../api/features/claims/agent-registrations.store.ts";
import { createOpenClaims } from "../../../../api/features/claims/claim/open.ts";
import { claimKind } from "../../../../api/features/claims/claim/operation.ts";
import type { ClaimTerms } from "../../../../api/features/claims/claim/terms.ts";
import { createDraftSeal } from "../../../../api/features/claims/claim/terms.ts";
import {
  claimFollowUp,
  createClaimStore,
  createUnclaimedAgents,
} from "../../../../api/features/claims/claims.store.ts";
import { createClaims } from "../../../../api/features/claims/claims.ts";
import { createClaimDocuments } from "../../../../api/features/claims/documents.ts";
import type { ClaimEdits } from "../../../../api/features/claims/edits.ts";
import { createStagedDocuments } from "../../../../api/features/claims/staged-documents.store.ts";
import {
  createStopStore,
  wasStopped,
} from "../../../../api/features/emergency-stop/stops.store.ts";
import { apiKeyStore } from "../../../../api/features/keys/api-keys.store.ts";
import { exchangeKey } from "../../../../api/features/keys/exchange.store.ts";
import { replaceKeys } from "../../../../api/features/keys/rotation.store.ts";
import { challengeText } from "../../../../api/features/names/challenge.ts";
import { isNameReserved } from "../../../../api/features/names/locks.store.ts";
import { createNameService } from "../../../../api/features/names/names.ts";
import { forgetApiKeys } from "../../../../api/features/registration/api-key.ts";
import type { ExistingPassport } from "../../../../api/features/registration/content.ts";
import { boundFileJson, jsonContent } from "../../../../api/features/registration/content.ts";
import { createPublisher } from "../../../../api/features/registration/publisher.ts";
import { registerOperation } from "../../../../api/features/registration/register-operation.ts";
import {
  createRegistrationService,
  ownerRegistrationKind,
} from "../../../../api/features/registration/registration.ts";
import { createRegistrationStore } from "../../../../api/features/registration/registrations.store.ts";
import {
  RegistrationSchema,
  toRegistrationInput,
} from "../../../../api/features/registration/schemas.ts";
import { createWebhookStore } from "../../../../api/features/webhooks/webhooks.store.ts";
import { createWebhookEpochs } from "../../../../api/features/webhooks/webhooks.ts";
import { generateApiKey, parseApiKey, storedKeyOf } from "../../../../api/kernel/api-keys.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { createLinks } from "../../../../api/kernel/links.ts";
import { createOperationEngine } from "../../../../api/operations/engine.ts";
import { createOperationLedger } from "../../../../api/operations/ledger.store.ts";
import { createSigningDomains } from "../../../../api/operations/signing-domains.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createSecrets } from "../../../../api/platform/secrets/secrets.ts";
import type { RegistrationMessage } from "../../../../protocol/index.ts";
import { Killed, Life, mortal } from "../../../fixtures/mortal.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { freshName, registrationBody } from "../../../fixtures/registrations.ts";
import { directSoulReader } from "../../../fixtures/soul-reader.ts";
import { requester, testSponsorship } from "../../../fixtures/sponsorship.ts";
import { newAccount } from "../sign-in/harness.ts";

// Agents' registrations and claims on real Postgres. Tests control the clock and can take chain and
// storage away.

const HOUR_MS = 60 * 60 * 1000;
const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

let database: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** All worlds share one database, so each token id is given once. */
let lastToken = 0n;

/** What is outside the process and survives its death. */
function newWorld() {
  const souls = new Map<string, { tokenId: bigint; owner: string }>();
  const mined = new Map<string, TransactionReceipt>();
  const stored = new Map<string, unknown>();
  let queue: Promise<unknown> = Promise.resolve();
  const down = { chain: false, storage: false };
  const reach = (part: keyof typeof down, error: ApiError) => {
    if (down[part]) throw error;
  };
  const chainIsThere = () => reach("chain", new ApiError("CHAIN_UNAVAILABLE"));
  return {
    souls,
    stored,
    down,
    now: new Date(),
    /** The time of the last settled block. */
    settled: new Date(0),
    soulRegistry: {
      async tokenOfName(name: string) {
        chainIsThere();
        return souls.get(name)?.tokenId ?? 0n;
      },
      async simulateRegister({ message }: { message: RegistrationMessage }) {
        chainIsThere();
        if (souls.has(message.name)) throw new ApiError("NAME_TAKEN");
        return { tokenId: lastToken + 1n, passportId: lastToken + 1n };
      },
      async simulateUnsigned({ message }: { message: RegistrationMessage }) {
        chainIsThere();
        if (souls.has(message.name)) throw new ApiError("NAME_TAKEN");
      },
      registerCall: ({ message }: { message: RegistrationMessage }) => ({
        to: ADDRESS as Hex,
        data: `0x${Buffer.from(JSON.stringify([message.name, message.owner])).toString("hex")}` as Hex,
      }),
      registeredIn: async (txHash: Hex) => ({
        tokenId: BigInt(txHash),
        passportId: BigInt(txHash),
        epoch: 1,
        agentUri: null,
        metadata: "written" as const,
        blockNumber: BigInt(txHash),
        txHash,
      }),
    },
    /** The chain as the engine of operations uses it. */
    chain: {
      head: async () => 0n,
      async simulate({ data }: { readonly data: Hex }) {
        chainIsThere();
        const [name] = JSON.parse(Buffer.from(hexToBytes(data)).toString());
        if (souls.has(name)) throw new ApiError("NAME_TAKEN");
      },
      isNonceUsed: async () => false,
      executedIn: async () => null,
      permitDomain: () => Promise.reject(new Error("There is no stablecoin.")),
      permitNonce: () => Promise.reject(new Error("There is no stablecoin.")),
    },
    relayer: {
      /** One operation at a time, as the relayer's lease enforces. */
      run(operationId: string, build: () => Promise<{ data: Hex }>): Promise<TransactionReceipt> {
        const outcome = queue.then(() => this.runNext(operationId, build));
        queue = outcome.catch(() => {});
        return outcome;
      },
      async runNext(operationId: string, build: () => Promise<{ data: Hex }>) {
        const known = mined.get(operationId);
        if (known) return known;
        const { data } = await build();
        chainIsThere();
        const [name, owner] = JSON.parse(Buffer.from(hexToBytes(data)).toString());
        if (souls.has(name)) throw new ApiError("NAME_TAKEN");
        lastToken += 1n;
        const tokenId = lastToken;
        souls.set(name, { tokenId, owner });
        const receipt = {
          blockNumber: tokenId,
          transactionHash: `0x${tokenId.toString(16).padStart(64, "0")}`,
        } as TransactionReceipt;
        mined.set(operationId, receipt);
        return receipt;
      },
    },
    archive: {
      async archive({ data }: { data: Uint8Array }) {
        reach("storage", new ApiError("STORAGE_UNAVAILABLE"));
        const id = createHash("sha256").update(data).digest("base64url");
        const text = Buffer.from(data).toString();
        stored.set(id, text.startsWith("{") ? JSON.parse(text) : text);
        return id;
      },
      idOf: async ({ data }: { data: Uint8Array }) =>
        createHash("sha256").update(data).digest("base64url"),
    },
  };
}
type World = ReturnType<typeof newWorld>;

/**
 * The previous object. An entry may hold any value, also one that looks like the service's own
 * marker.
 */
const OLD_PASSPORT = {
  agentUri: "ar://old",
  inherited: {
    name: "Old Heron",
    description: null,
    image: null,
    x402Support: true,
    services: [{ name: "voice", endpoint: "tel:1", note: { $bigint: "1" } }],
  },
} as unknown as Omit<ExistingPassport, "passportId">;

const unused = (): never => {
  throw new Error("No test needs it.");
};

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
const immortal = new Life(() => false);

/** One process with all of its parts. */
function startProcess(world: World, life: Life = immortal, limit = 1_000) {
  const { db } = connection;
  const clock = () => world.now;
  const links = createLinks("http://127.0.0.1:8787");
  const context = {
    ...({ chainId: 31337, soulRegistry: ADDRESS, identityRegistry: ADDRESS } as const),
    worldIdVerifier: null,
    links,
  };
  const emitted: unknown[] = [];
  const sent: unknown[] = [];
  const followUp = claimFollowUp({
    archive: world.archive,
    uploads: { recordStored: async () => {} },
    jobs: { send: async (_tx, name, data) => void sent.push([name, data]) },
    events: { emit: async (_tx, event) => void emitted.push(event) },
    webhooks: createWebhookEpochs(createWebhookStore(db), clock),
    wasStopped,
    clock,
  });
  const registrations = createRegistrationStore(db, clock, wasStopped);
  const documents = createClaimDocuments({
    documents: createStagedDocuments(db),
    archive: world.archive,
  });
  const ledger = createOperationLedger({
    db,
    clock,
    sponsorship: testSponsorship(db, { limits: { registrationsPerMonth: limit }, clock }),
  });
  const randomNonce = () => BigInt(`0x${randomBytes(32).toString("hex")}`);
  const domains = createSigningDomains({
    chainId: 31337,
    contracts: {
      soulRegistry: ADDRESS,
      organizationRegistry: ADDRESS,
      allowanceVault: ADDRESS,
      bindingRegistry: ADDRESS,
      passportWriter: ADDRESS,
      agentKeys: ADDRESS,
    },
  });
  const operations = createOperationEngine({
    domains,
    chain: mortal(world.chain, life),
    relayer: mortal(world.relayer, life) as never,
    archive: mortal(world.archive, life),
    signatures: { assertSignedBy: async () => {} },
    ledger: mortal(ledger, life),
    standingOf: async () => "stranger",
    index: { waitForBlock: async (block) => block },
    clock,
    randomNonce,
  });
  const registerDeps = {
    context,
    secrets,
    soulRegistry: mortal(world.soulRegistry, life),
    publisher: createPublisher(mortal(world.archive, life), context),
    store: mortal(registrations, life),
  };
  const claimStore = mortal(createClaimStore(db), life);
  const open = createOpenClaims(claimStore, clock);
  const drafts = createDraftSeal(secrets);
  const claimOperation = registerOperation(
    claimKind({
      context,
      open,
      drafts,
      documents,
      binding: { inspect: unused, assertApproved: async () => {} },
      followUp,
    }),
    registerDeps,
  );
  const names = createNameService({
    tokenOfName: (name) => world.soulRegistry.tokenOfName(name),
    isNamePending: (name, holder) =>
      isNameReserved(db, name, clock(), { holder, registrationId: null }),
  });
  const agents = createAgentRegistration({
    names,
    secrets,
    links,
    clock,
    souls: directSoulReader,
    store: mortal(createAgentRegistrationStore(db, clock), life),
    settledTime: async () => world.settled,
    limits: { challenges: 3, registrations: 3 },
  });
  const claims = createClaims({
    context,
    operations,
    operation: claimOperation,
    registrations: registerDeps.store,
    open,
    drafts,
    secrets,
    clock,
    souls: directSoulReader,
    resolver: {
      resolve: async ({ passportId: _, ...input }) => ({
        ...input,
        passport: null,
        avatar: null,
        boundUri: null,
      }),
    },
    binding: { inspect: unused, assertApproved: async () => {} },
    transactions: {
      approve: unused,
      setAgentUri: () => ({ chainId: 31337, to: ADDRESS, data: "0x", value: "0" }),
      sync: unused,
    },
    store: claimStore,
  });
  const ownerKind = ownerRegistrationKind({
    context,
    followUp: { accepted: async () => {}, completed: async () => {}, ended: async () => {} },
    resolver: {
      resolve: async ({ passportId, ...input }) => {
        const passport = passportId === null ? null : { ...OLD_PASSPORT, passportId };
        const request = { ...input, avatar: null, passport, boundUri: null };
        if (passport === null) return request;
        const file = jsonContent(boundFileJson(request, passport, context));
        return { ...request, boundUri: `ar://${await world.archive.idOf(file)}` };
      },
    },
    binding: { assertApproved: async () => {} },
  });
  const ownerOperation = registerOperation(ownerKind, registerDeps);
  const registration = createRegistrationService({
    context,
    operations,
    domains,
    operation: ownerOperation,
    store: registerDeps.store,
    secrets,
    clock,
    transactions: {
      approve: unused,
      setAgentUri: (_id, uri) => ({
        chainId: 31337,
        to: ADDRESS,
        data: stringToHex(uri),
        value: "0",
      }),
      sync: unused,
    },
    uploads: { issued: async () => [] },
  });
  return {
    agents,
    claims,
    registration,
    ledger,
    recover: () => operations.recover([ownerOperation, claimOperation]),
    context,
    domains,
    emitted,
    sent,
    documents,
    registrations,
    unclaimed: createUnclaimedAgents(db, clock).unclaimed,
  };
}
type Process = ReturnType<typeof startProcess>;

const requestOf = (agentName: string): AgentRegistrationRequest => ({
  agentName,
  agentType: 0,
  systemPrompt: "Hum quietly.",
  sourceFormat: "plaintext",
  publicFields: [],
  publicIdentity: {},
  agentDescription: null,
  birthBundle: null,
  personalityDocument: { title: "Manners", content: `Please, ${agentName}.`, immutable: false },
  erc8004AgentId: null,
});

const freshAddress = () => `test-${randomUUID()}`;

async function challenged({ agents }: Process, name: string, address = freshAddress()) {
  const given = await agents.challenge(name, address);
  const challengeAnswer = createHash("sha256").update(challengeText(given)).digest("hex");
  return { given, answer: { challengeId: given.id, challengeAnswer } };
}

async function registered(
  process: Process,
  name: string,
  address = freshAddress(),
  change: Partial<AgentRegistrationRequest> = {},
) {
  const { answer } = await challenged(process, name, address);
  return process.agents.register({ ...requestOf(name), ...change }, answer, {
    address,
    operationKey: randomUUID(),
  });
}

async function termsOf({ claims }: Process, registrationId: string, owner: LocalAccount) {
  const terms: ClaimTerms = {
    registrationId,
    ownerAddress: owner.address,
    edits: {},
    seal: true,
    agentKeeps: true,
  };
  const message = await claims.prepare(terms, freshAddress());
  return { terms, message, signed: { nonce: message.nonce, signature: "0x01" as Hex } };
}

const typeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof ApiError) return error.type;
      throw error;
    },
  );

let world: World;
beforeEach(() => {
  world = newWorld();
});

describe("an address", () => {
  it("reserves three names by challenges and three by registrations, however many requests run at once", async () => {
    const process = startProcess(world);
    const address = freshAddress();
    const asked = await Promise.all(
      Array.from({ length: 6 }, () => typeOf(process.agents.challenge(freshName(), address))),
    );
    expect(asked.filter((type) => type === "done")).toHaveLength(3);
    expect(new Set(asked)).toEqual(new Set(["done", "RATE_LIMIT_EXCEEDED"]));
    expect(await typeOf(process.agents.challenge(freshName(), freshAddress()))).toBe("done");

    const other = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const name = freshName();
        return { name, ...(await challenged(process, name, freshAddress())) };
      }),
    );
    const done = await Promise.all(
      answers.map(({ name, answer }) =>
        typeOf(
          process.agents.register(requestOf(name), answer, {
            address: other,
            operationKey: randomUUID(),
          }),
        ),
      ),
    );
    expect(done.filter((type) => type === "done")).toHaveLength(3);
  });
});

describe("a name", () => {
  it("is free again ten minutes after a challenge without an answer", async () => {
    const process = startProcess(world);
    const name = freshName();
    const { answer, given } = await challenged(process, name);
    expect((await process.agents.challenge(name, freshAddress())).nameAvailable).toBe(false);
    world.now = new Date(given.expiresAt.getTime());
    expect((await process.agents.challenge(name, freshAddress())).nameAvailable).toBe(true);
    const late = process.agents.register(requestOf(name), answer, {
      address: freshAddress(),
      operationKey: randomUUID(),
    });
    expect(await typeOf(late)).toBe("NONCE_EXPIRED");
  });

  it("is free again a day after an unclaimed registration, once a settled block confirms that", async () => {
    const process = startProcess(world);
    const name = freshName();
    const { registrationId, claimExpiresAt, apiKey } = await registered(process, name);
    const owner = newAccount();
    const { terms, signed } = await termsOf(process, registrationId, owner);
    const late = async () => [
      await typeOf(process.claims.prepare(terms, freshAddress())),
      await typeOf(process.claims.claim(terms, signed, requester())),
      await typeOf(process.claims.draft(registrationId)),
    ];

    world.now = new Date(claimExpiresAt.getTime() + 1);
    world.settled = claimExpiresAt;
    await process.agents.expire();
    expect(await late()).toEqual(["GONE", "GONE", "GONE"]);
    expect(await process.unclaimed(name)).toBeNull();
    expect((await process.agents.challenge(name, freshAddress())).nameAvailable).toBe(false);

    world.settled = new Date(claimExpiresAt.getTime() + 1_000);
    await Promise.all([process.agents.expire(), process.agents.expire()]);
    expect((await process.agents.challenge(name, freshAddress())).nameAvailable).toBe(true);
    expect(await late()).toEqual(["GONE", "GONE", "GONE"]);
    const { rows } = await connection.pool.query(
      `select r.state, r.content, r.salt_encrypted, r.leaves, r.document,
         (select count(*)::int from app.claim_draft d where d.registration_id = r.id) as drafts,
         (select k.revoked_at <= $2 from app.api_key k where k.registration_id = r.id) as dead
       from app.agent_registration r where r.name = $1`,
      [name, world.now],
    );
    const nothing = { content: null, salt_encrypted: null, leaves: null, document: null };
    expect(rows).toEqual([{ state: "deleted", ...nothing, drafts: 0, dead: true }]);
    expect(apiKey).toMatch(/^svc_provisional_/);
  });

  it("stays with a claim that was accepted in time, however late the claim is finished", async () => {
    const process = startProcess(world);
    const name = freshName();
    const { registrationId, claimExpiresAt } = await registered(process, name);
    const owner = newAccount();
    const { terms, signed } = await termsOf(process, registrationId, owner);
    world.down.storage = true;
    const key = randomUUID();
    expect(await typeOf(process.claims.claim(terms, signed, requester(key)))).toBe(
      "STORAGE_UNAVAILABLE",
    );
    world.now = new Date(claimExpiresAt.getTime() + HOUR_MS);
    world.settled = world.now;
    await process.agents.expire();
    expect((await process.agents.challenge(name, freshAddress())).nameAvailable).toBe(false);
    world.down.storage = false;
    await process.recover();
    expect(world.souls.get(name)?.owner).toBe(owner.address);
    // Everything on record is also stored, whichever process finished the claim.
    expect([...world.stored.values()]).toContain(`Please, ${name}.`);
    expect((await process.claims.claim(terms, signed, requester(key))).completed.tokenId).toBe(
      lastToken,
    );
  });
});

describe("a claim", () => {
  it("can be retried after chain or storage were unavailable, and mints once", async () => {
    const process = startProcess(world);
    const name = freshName();
    const { registrationId } = await registered(process, name);
    const { terms, signed } = await termsOf(process, registrationId, newAccount());
    world.down.chain = true;
    expect(await typeOf(process.claims.claim(terms, signed, requester()))).toBe(
      "CHAIN_UNAVAILABLE",
    );
    world.down.chain = false;
    world.down.storage = true;
    const key = randomUUID();
    expect(await typeOf(process.claims.claim(terms, signed, requester(key)))).toBe(
      "STORAGE_UNAVAILABLE",
    );
    expect(world.souls.size).toBe(0);
    world.down.storage = false;
    const { apiKey, soulSalt } = await process.claims.claim(terms, signed, requester(key));
    expect(await process.claims.claim(terms, signed, requester(key))).toMatchObject({
      apiKey,
      soulSalt,
    });
    expect(world.souls.size).toBe(1);
    expect(process.emitted).toHaveLength(1);
    expect(process.sent).toEqual([
      ["claims.document", { registrationId: expect.any(String) as string }],
    ]);
  });

  it("counts on its own wallet's monthly limit, and the agent stays claimable by another wallet", async () => {
    const process = startProcess(world, immortal, 1);
    const owner = newAccount();
    const [first, second] = [freshName(), freshName()];
    for (const name of [first, second]) {
      const { registrationId } = await registered(process, name);
      const { terms, signed } = await termsOf(process, registrationId, owner);
      const done = typeOf(process.claims.claim(terms, signed, requester()));
      expect([name, await done]).toEqual([name, name === first ? "done" : "RATE_LIMIT_EXCEEDED"]);
      // A claim does not make a fresh wallet known.
      const paid = sql`select standing from app.sponsored_operation where wallet = ${owner.address.toLowerCase()}`;
      expect((await connection.db.execute(paid)).rows).toEqual([{ standing: "stranger" }]);
      if (name === first) continue;
      const other = await termsOf(process, registrationId, newAccount());
      const again = process.claims.claim(other.terms, other.signed, requester());
      expect(await typeOf(again)).toBe("done");
    }
  });

  it("succeeds once when many claims of one registration run at once", async () => {
    const process = startProcess(world);
    const name = freshName();
    const { registrationId } = await registered(process, name);
    const drafts = await Promise.all(
      Array.from({ length: 6 }, () => termsOf(process, registrationId, newAccount())),
    );
    const outcomes = await Promise.all(
      drafts.map(({ terms, signed }) => typeOf(process.claims.claim(terms, signed, requester()))),
    );
    expect(outcomes.filter((type) => type === "done")).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(["done", "ALREADY_CLAIMED"]));
    expect(process.emitted).toHaveLength(1);
  });

  it("that the contract refuses leaves the agent claimable", async () => {
    const process = startProcess(world);
    const name = freshName();
    const { registrationId } = await registered(process, name);
    const { terms, signed, message } = await termsOf(process, registrationId, newAccount());
    world.down.storage = true;
    const key = randomUUID();
    await typeOf(process.claims.claim(terms, signed, requester(key)));
    world.down.storage = false;
    // Between acceptance and transaction, another registration took the name on chain.
    world.souls.set(name, { tokenId: 9n, owner: "another owner" });
    expect(await typeOf(process.claims.claim(terms, signed, requester(key)))).toBe("NAME_TAKEN");
    const digest = process.domains.digest("SoulRegistry", "Registration", message);
    expect(await process.ledger.find([digest])).toBeNull();
    world.souls.delete(name);
    const again = await termsOf(process, registrationId, newAccount());
    expect(await typeOf(process.claims.claim(again.terms, again.signed, requester()))).toBe("done");
  });
});

describe("a provisional key whose claim finishes after its owner rotated the keys", () => {
  /** An agent with an accepted claim, and the token id that it will have. */
  async function unfinishedClaim(process: Process) {
    const { registrationId, apiKey } = await registered(process, freshName());
    const { terms, signed } = await termsOf(process, registrationId, newAccount());
    const operationKey = randomUUID();
    world.down.storage = true;
    expect(await typeOf(process.claims.claim(terms, signed, requester(operationKey)))).toBe(
      "STORAGE_UNAVAILABLE",
    );
    world.down.storage = false;
    const finish = (key: string) => process.claims.claim(terms, signed, requester(key));
    return {
      tokenId: lastToken + 1n,
      provisionalHash: parseApiKey(apiKey)?.hash as Buffer,
      /** Sends the claim again, as its owner does after an error. */
      finish: () => finish(operationKey),
    };
  }
  const fullKey = () => storedKeyOf(generateApiKey("live"));
  const rotation = (tokenId: bigint) => ({
    key: fullKey(),
    tokenId,
    epoch: 1,
    at: world.now,
    graceMs: 60_000,
    credential: { kind: "session", sessionId: randomUUID() } as const,
  });
  const liveSession = async () => {};
  const exchanged = (provisionalHash: Buffer, tokenId: bigint) =>
    exchangeKey(connection.db, provisionalHash, { ...fullKey(), tokenId, epoch: 1 }, world.now);

  it("can be exchanged when no key was rotated", async () => {
    const process = startProcess(world);
    const { tokenId, provisionalHash } = await unfinishedClaim(process);
    await process.recover();
    expect(process.emitted).toMatchObject([
      { data: { tokenId: Number(tokenId), agentKeeps: true } },
    ]);
    expect(await exchanged(provisionalHash, tokenId)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("has expired, and the claim's event says so", async () => {
    const process = startProcess(world);
    const { tokenId, provisionalHash } = await unfinishedClaim(process);
    await replaceKeys(connection.db, liveSession, rotation(tokenId));
    await process.recover();
    expect(process.emitted).toMatchObject([
      { data: { tokenId: Number(tokenId), agentKeeps: false, exchangeUntil: null } },
    ]);
    expect(await exchanged(provisionalHash, tokenId)).toBeNull();
  });

  it("has expired in the answer of the claim", async () => {
    const process = startProcess(world);
    const { tokenId, finish } = await unfinishedClaim(process);
    await replaceKeys(connection.db, liveSession, rotation(tokenId));
    expect(await finish()).toMatchObject({ completed: { tokenId }, agentKeeps: false });
  });

  it("is in the answer of the claim until a rotation expires it", async () => {
    const process = startProcess(world);
    const { tokenId, provisionalHash, finish } = await unfinishedClaim(process);
    expect(await finish()).toMatchObject({ completed: { tokenId }, agentKeeps: true });
    await exchanged(provisionalHash, tokenId);
    expect(await finish()).toMatchObject({ agentKeeps: true });
    await replaceKeys(connection.db, liveSession, { ...rotation(tokenId), graceMs: 0 });
    expect(await finish()).toMatchObject({ agentKeeps: false });
  });

  it("has expired when rotation and claim run at once", async () => {
    const process = startProcess(world);
    const { tokenId, provisionalHash } = await unfinishedClaim(process);
    const { db, pool } = connection;
    let finished: Promise<unknown> | undefined;
    let hasFinished = false;
    await db.transaction(async (tx) => {
      await replaceKeys(tx, liveSession, rotation(tokenId));
      finished = process.recover().then(() => {
        hasFinished = true;
      });
      // The claim finishes, or waits for this rotation.
      await expect
        .poll(async () => {
          const { rows } = await pool.query(
            `select 1 from pg_locks l join pg_database d on d.oid = l.database
             where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
          );
          return hasFinished || rows.length > 0;
        })
        .toBe(true);
    });
    await finished;
    expect(await exchanged(provisionalHash, tokenId)).toBeNull();
  });
});

describe("a claim that is finished after an emergency stop of its agent", () => {
  /** The state of its keys and webhooks by their holder. */
  async function grantsOf(tokenId: bigint, registrationId: string) {
    const { rows } = await connection.pool.query(
      `select kind as what, revoked_at <= $3 as ended from app.api_key
         where token_id = $1 or registration_id = $2
       union all select 'webhook', ended_at is not null from app.webhook
         where token_id = $1 or registration_id = $2 order by 1`,
      [tokenId, registrationId, world.now],
    );
    return rows;
  }

  it("has ended its agent's key and webhooks at once, and shows no key that works", async () => {
    const process = startProcess(world);
    const name = freshName();
    const { registrationId: publicId, apiKey } = await registered(process, name);
    const { terms, signed } = await termsOf(process, publicId, newAccount());
    const tokenHash = createHash("sha256").update(publicId).digest();
    const { rows } = await connection.pool.query(
      "select id from app.agent_registration where token_hash = $1",
      [tokenHash],
    );
    const registrationId = rows[0].id as string;
    const store = createWebhookStore(connection.db);
    await store.rows.insertWebhook({
      id: randomUUID(),
      registrationId,
      owner: null,
      url: "https://heron.example/events",
      events: ["owner.claimed"],
      notifyEmail: null,
      enabled: true,
      mailConfirmedAt: null,
      secretVersion: 1,
      secretMaster: 1,
      secretHash: randomBytes(32),
      createdAt: world.now,
    });
    world.down.storage = true;
    const key = randomUUID();
    expect(await typeOf(process.claims.claim(terms, signed, requester(key)))).toBe(
      "STORAGE_UNAVAILABLE",
    );
    world.down.storage = false;
    const tokenId = lastToken + 1n;
    const clock = () => world.now;
    const stops = createStopStore({
      db: connection.db,
      clock,
      webhookEpochs: createWebhookEpochs(store, clock),
    });
    const agent = {
      stopId: randomUUID(),
      tokenId,
      name,
      epoch: 1,
      passportId: tokenId,
      owner: terms.ownerAddress,
    };
    const stopped = await connection.db.transaction((tx) => stops.stop(tx, agent, "signature"));
    expect([stopped.apiKeys, stopped.webhooks]).toEqual([1, 1]);
    expect(await grantsOf(tokenId, registrationId)).toEqual([
      { what: "provisional", ended: true },
      { what: "webhook", ended: true },
    ]);
    const claimed = await process.claims.claim(terms, signed, requester(key));
    expect(claimed).toMatchObject({ completed: { tokenId }, agentKeeps: false });
    expect(await grantsOf(tokenId, registrationId)).toEqual([
      { what: "live", ended: true },
      { what: "provisional", ended: true },
      { what: "webhook", ended: true },
    ]);
    const provisionalHash = parseApiKey(apiKey)?.hash as Buffer;
    expect((await apiKeyStore(connection.db).find(provisionalHash))?.revokedAt).toEqual(world.now);
  });
});

describe("the draft of a claim", () => {
  it("is not displaced by drafts of other callers whose claims are refused", async () => {
    const process = startProcess(world);
    const { registrationId } = await registered(process, freshName());
    const [owner, home] = [newAccount(), freshAddress()];
    const prepare = (ownerAddress: Hex, requester: string) =>
      process.claims.prepare(
        { registrationId, ownerAddress, edits: {}, seal: true, agentKeeps: true },
        requester,
      );
    const { nonce } = await prepare(owner.address, home);

    // From one IP address: the claimant's own, and any number of others.
    const stranger = freshAddress();
    for (let i = 0; i < 30; i += 1) await prepare(owner.address, stranger);
    for (let i = 0; i < 15; i += 1) await prepare(newAccount().address, stranger);
    await expect(prepare(newAccount().address, stranger)).rejects.toMatchObject({
      type: "RATE_LIMIT_EXCEEDED",
      details: { resetAt: expect.stringMatching(/Z$/) },
      retryAfter: expect.toSatisfy((s: number) => s > 23 * 3600 && s <= 24 * 3600),
    });
    // From many addresses, some of them at once.
    const many: string[] = [];
    while (many.length < 90) {
      const group = Array.from({ length: 3 }, () => prepare(newAccount().address, freshAddress()));
      many.push(...(await Promise.all(group.map(typeOf))));
    }
    expect(many.filter((type) => type === "done")).toHaveLength(79);
    expect(many.filter((type) => type === "RATE_LIMIT_EXCEEDED")).toHaveLength(11);
    const { rows } = await connection.pool.query(
      `select count(*)::int as drafts from app.claim_draft d
       join app.agent_registration r on r.id = d.registration_id where r.token_hash = $1`,
      [createHash("sha256").update(registrationId).digest()],
    );
    expect(rows).toEqual([{ drafts: 100 }]);

    const terms = { registrationId, ownerAddress: owner.address, edits: {} };
    const signed = { nonce, signature: "0x01" as Hex };
    const claim = { ...terms, seal: true, agentKeeps: true };
    expect(await typeOf(process.claims.claim(claim, signed, requester()))).toBe("done");
  });

  it("is stored beside any number of drafts from few networks, and each network's newest draft stays", async () => {
    const process = startProcess(world);
    const { registrationId } = await registered(process, freshName());
    const { id } = await process.claims.draft(registrationId);
    const prepare = async (requester: string) => {
      world.now = new Date(world.now.getTime() + 1);
      const ownerAddress = newAccount().address;
      const terms = { registrationId, ownerAddress, edits: {}, seal: true, agentKeeps: true };
      return (await process.claims.prepare(terms, requester)).nonce;
    };
    const store = createClaimStore(connection.db);
    const isKept = async (nonce: bigint) => (await store.findDraft(id, nonce)) !== null;

    const early = await prepare("198.51.100.7");
    // The limit of a hundred is reached by five addresses, two of them in one block.
    const crowd: bigint[] = [];
    for (const address of ["192.0.2.1", "192.0.2.9", "203.0.113.1", "198.18.0.1", "198.18.1.1"]) {
      for (let i = 0; i < (address === "198.18.1.1" ? 19 : 20); i += 1) {
        crowd.push(await prepare(address));
      }
    }
    // Another network displaces the largest block's oldest draft, and so does the next network.
    const late = await prepare("2001:db8:1::/64");
    const later = await prepare("2001:db8:2::/64");
    const drafts = await Promise.all([early, late, later, ...crowd].map(isKept));
    const lost = drafts.flatMap((kept, index) => (kept ? [] : [index - 3]));
    // The oldest draft of each of the block's two addresses, which have equally many.
    expect(lost).toEqual([0, 20]);
    // The largest block itself displaces no draft.
    await expect(prepare("192.0.2.200")).rejects.toMatchObject({ type: "RATE_LIMIT_EXCEEDED" });
  });

  it("is replaced by newer drafts of the same owner and address, of which five are valid", async () => {
    const process = startProcess(world);
    const { registrationId } = await registered(process, freshName());
    const [owner, home] = [newAccount(), freshAddress()];
    const terms = { registrationId, ownerAddress: owner.address, edits: {}, seal: true };
    const nonces: bigint[] = [];
    for (let i = 0; i < 6; i += 1) {
      world.now = new Date(world.now.getTime() + 1);
      nonces.push((await process.claims.prepare({ ...terms, agentKeeps: true }, home)).nonce);
    }
    const { id } = await process.claims.draft(registrationId);
    const store = createClaimStore(connection.db);
    const found = await Promise.all(nonces.map((nonce) => store.findDraft(id, nonce)));
    expect(found.map((draft) => draft !== null)).toEqual([false, true, true, true, true, true]);
  });
});

describe("an edit at a claim", () => {
  const DECLARED: Partial<AgentRegistrationRequest> = {
    agentDescription: "Listens to the weir.",
    publicFields: ["identity.description"],
    birthBundle: { note: "Born here.", creatorName: "Ada", creatorImageUrl: "https://a.example/" },
    publicIdentity: {
      bio: "A heron.",
      category: "knowledge",
      tags: ["river"],
      modelFamily: "small",
      contacts: [{ type: "website", value: "https://weir.example/" }],
      monetization: "none",
      model: "m-1",
      modelProvider: "Weir Works",
      serviceEndpoints: { a2a: "https://weir.example/a2a", mcp: "https://weir.example/mcp" },
      x402Support: true,
      tagline: "All ears.",
      image: "https://weir.example/face.png",
      website: "https://weir.example/",
      displayName: "Weir",
    },
  };

  /**
   * What the draft of a claim with these edits says, without private values and values that are new
   * in every claim.
   */
  async function drafted(edits: ClaimEdits) {
    const process = startProcess(world);
    const name = freshName();
    const { registrationId } = await registered(process, name, freshAddress(), DECLARED);
    const ownerAddress = newAccount().address;
    const terms = { registrationId, ownerAddress, edits, seal: true, agentKeeps: true };
    const { nonce } = await process.claims.prepare(terms, freshAddress());
    const { id } = await process.claims.draft(registrationId);
    const draft = await createClaimStore(connection.db).findDraft(id, nonce);
    if (draft === null) throw new Error("There is no draft.");
    const { request } = draft;
    return {
      agentType: request.agentType,
      publicIdentity: request.publicIdentity,
      publicFields: request.publicFields,
      birthBundle: request.birthBundle,
      documents: request.soulDocuments?.map((document) => document.title),
      sourceFormat: request.sourceFormat,
      operatorAddress: request.operatorAddress,
      parentTokenId: request.parentTokenId,
      organizationId: request.organizationId,
      seal: request.seal,
      humanProof: request.humanProof,
    };
  }

  const identity = { ...DECLARED.publicIdentity, description: "Listens to the weir." };
  const { displayName: _name, tagline: _tagline, ...nameless } = identity;
  const { serviceEndpoints: _endpoints, ...unserved } = identity;
  const url = "https://new.example/";

  it.each<[string, ClaimEdits, object]>([
    ["nothing", {}, {}],
    ...Object.entries({
      bio: "Another.",
      category: "creation",
      tags: ["sea"],
      modelFamily: "large",
      contacts: [],
      monetization: "ads",
      model: "m-2",
      modelProvider: "Sea",
      tagline: "Hm.",
      x402Support: false,
      description: "Hums.",
      image: url,
      website: url,
      displayName: "Sea",
    }).map(([member, value]): [string, ClaimEdits, object] => [
      `publicIdentity.${member}`,
      { publicIdentity: { [member]: value } },
      { publicIdentity: { ...identity, [member]: value } },
    ]),
    [
      "one endpoint",
      { publicIdentity: { serviceEndpoints: { MCP: url, A2A: null } } },
      { publicIdentity: { ...identity, serviceEndpoints: { MCP: url } } },
    ],
    [
      "members that the owner takes away",
      { publicIdentity: { displayName: null, tagline: null } },
      { publicIdentity: nameless },
    ],
    [
      "all endpoints that the owner takes away",
      { publicIdentity: { serviceEndpoints: null } },
      { publicIdentity: unserved },
    ],
    [
      "displayName",
      { displayName: "Sea" },
      { publicIdentity: { ...identity, displayName: "Sea" } },
    ],
    ["agentAvatarUrl", { agentAvatarUrl: url }, { publicIdentity: { ...identity, image: url } }],
    [
      "x402Support",
      { x402Support: false },
      { publicIdentity: { ...identity, x402Support: false } },
    ],
    [
      "birthBundle.note",
      { birthBundle: { note: "Renamed." } },
      { birthBundle: { ...DECLARED.birthBundle, note: "Renamed." } },
    ],
    [
      "a whole birth bundle that the owner takes away",
      { birthBundle: { note: null, creatorName: null, creatorImageUrl: null } },
      { birthBundle: null },
    ],
    ["publicFields", { publicFields: {} }, { publicFields: {} }],
    ["parentTokenId", { parentTokenId: 7n }, { parentTokenId: 7n }],
    ["systemPrompt", { systemPrompt: "Hum." }, {}],
    ["agentType with a text", { systemPrompt: "Hum.", agentType: 3 }, { agentType: 3 }],
    [
      "agentDescription with a text",
      { systemPrompt: "Hum.", agentDescription: "Hums." },
      {
        publicIdentity: { ...identity, description: "Hums." },
        publicFields: { "identity.description": "Hums." },
      },
    ],
  ])("of %s leaves everything else as the agent registered it", async (_what, edits, changed) => {
    expect(await drafted(edits)).toEqual({
      agentType: 0,
      publicIdentity: identity,
      publicFields: { "identity.description": "Listens to the weir." },
      birthBundle: DECLARED.birthBundle,
      documents: ["Manners"],
      sourceFormat: "plaintext",
      operatorAddress: null,
      parentTokenId: 0n,
      organizationId: 0n,
      seal: true,
      humanProof: null,
      ...changed,
    });
  });

  it.each<[string, ClaimEdits, string, string]>([
    [
      "a service of this API",
      { publicIdentity: { serviceEndpoints: { did: url } } },
      "publicIdentity.serviceEndpoints.did",
      "Written by the service",
    ],
    [
      "the website a second time",
      { publicIdentity: { serviceEndpoints: { WEB: url } } },
      "publicIdentity.serviceEndpoints.WEB",
      "The website is this entry",
    ],
    [
      "two display names",
      { displayName: "Sea", publicIdentity: { displayName: "Lake" } },
      "displayName",
      "publicIdentity.displayName has another value",
    ],
    [
      "two pictures",
      { agentAvatarUrl: url, publicIdentity: { image: null } },
      "agentAvatarUrl",
      "publicIdentity.image has another value",
    ],
    [
      "two words on payment",
      { x402Support: true, publicIdentity: { x402Support: false } },
      "x402Support",
      "publicIdentity.x402Support has another value",
    ],
  ])("is refused for %s", async (_what, edits, path, message) => {
    await expect(drafted(edits)).rejects.toMatchObject({
      type: "INVALID_REQUEST",
      details: { issues: [{ path: `editedData.${path}`, message }] },
    });
  });

  it("is refused when it exceeds the limit of endpoints, or names a format without a source text", async () => {
    const serviceEndpoints = Object.fromEntries(
      Array.from({ length: 19 }, (_, index) => [`s${index}`, url]),
    );
    await expect(drafted({ publicIdentity: { serviceEndpoints } })).rejects.toMatchObject({
      type: "INVALID_REQUEST",
      details: {
        issues: [
          {
            path: "editedData.publicIdentity.serviceEndpoints",
            message: "More than 20 entries together with those that the agent registered",
          },
        ],
      },
    });
    await expect(drafted({ sourceFormat: "soul_md" })).rejects.toMatchObject({
      type: "INVALID_REQUEST",
      details: {
        issues: [
          {
            path: "editedData.sourceFormat",
            message: "This is the format of systemPrompt: send that with it",
          },
        ],
      },
    });
  });
});

describe("an owner's registration", () => {
  it("answers with its API key for 24 hours, and never later", async () => {
    const process = startProcess(world);
    const owner = newAccount();
    const input = toRegistrationInput(
      RegistrationSchema.parse(registrationBody(freshName(), owner)),
    );
    const { message } = await process.registration.prepare(input);
    const signer = input.ownerAddress;
    const authorization = { message, signer, signature: "0x01" as Hex, adminConsent: null };
    const key = randomUUID();
    const register = () => process.registration.register(input, authorization, requester(key));
    const accepted = world.now.getTime();
    const { apiKey } = await register();

    world.now = new Date(accepted + 24 * HOUR_MS);
    await forgetApiKeys(process.registrations, world.now);
    expect((await register()).apiKey).toBe(apiKey);
    world.now = new Date(accepted + 24 * HOUR_MS + 1);
    await forgetApiKeys(process.registrations, world.now);
    expect(await typeOf(register())).toBe("IDEMPOTENCY_CONFLICT");
  });

  it("is absent or pending while chain or storage are unavailable, and keeps its name", async () => {
    const process = startProcess(world);
    const [name, owner] = [freshName(), newAccount()];
    const input = toRegistrationInput(RegistrationSchema.parse(registrationBody(name, owner)));
    const { message } = await process.registration.prepare(input);
    const signer = input.ownerAddress;
    const authorization = { message, signer, signature: "0x01" as Hex, adminConsent: null };
    const key = randomUUID();
    const register = () => process.registration.register(input, authorization, requester(key));
    const isNamePending = async (pending: string) => {
      const found = "select 1 from app.registration where name = $1 and state = 'pending'";
      return (await connection.pool.query(found, [pending])).rowCount === 1;
    };

    world.down.chain = true;
    expect(await typeOf(register())).toBe("CHAIN_UNAVAILABLE");
    expect(await isNamePending(name)).toBe(false);
    world.down.chain = false;
    world.down.storage = true;
    expect(await typeOf(register())).toBe("STORAGE_UNAVAILABLE");
    expect(await isNamePending(name)).toBe(true);
    expect((await process.agents.challenge(name, freshAddress())).nameAvailable).toBe(false);
    expect(world.souls.size).toBe(0);
    await expect(process.recover()).rejects.toBeInstanceOf(AggregateError);
    world.down.storage = false;
    await process.recover();
    expect(world.souls.get(name)?.owner).toBe(owner.address);
    expect((await register()).tokenId).toBe(lastToken);
    expect(world.souls.size).toBe(1);
  });
});

describe("a process that is killed", () => {
  it("during an agent's registration leaves it registered or absent, and the same request then agrees", async () => {
    let steps = 0;
    for (let fatal = 1; ; fatal += 1) {
      const life = new Life((step) => step === fatal);
      const name = freshName();
      const survivor = startProcess(world);
      const { answer } = await challenged(survivor, name);
      const caller = { address: freshAddress(), operationKey: randomUUID() };
      const dying = startProcess(world, life).agents.register(requestOf(name), answer, caller);
      const outcome = await dying.then(
        (result) => result,
        (error: unknown) => {
          if (error instanceof Killed) return null;
          throw error;
        },
      );
      const again = await survivor.agents.register(requestOf(name), answer, caller);
      if (outcome !== null) expect(again).toEqual(outcome);
      const { rows } = await connection.pool.query(
        `select (select count(*)::int from app.agent_registration where name = $1) as kept,
           (select count(*)::int from app.name_lock where name = $1) as locks`,
        [name],
      );
      expect([fatal, rows]).toEqual([fatal, [{ kept: 1, locks: 1 }]]);
      if (outcome !== null) break;
      steps = fatal;
    }
    expect(steps).toBeGreaterThanOrEqual(5);
  });

  it.each([
    ["a new passport", null],
    ["a passport that was there, whose id is 0", 0],
  ])(
    "at any step of an owner's registration on %s leaves it absent or completed once",
    async (_what, erc8004AgentId) => {
      let steps = 0;
      for (let fatal = 1; ; fatal += 1) {
        const name = freshName();
        const survivor = startProcess(world);
        const owner = newAccount();
        const input = toRegistrationInput(
          RegistrationSchema.parse({ ...registrationBody(name, owner), erc8004AgentId }),
        );
        const { message } = await survivor.registration.prepare(input);
        const signer = input.ownerAddress;
        const authorization = { message, signer, signature: "0x01" as Hex, adminConsent: null };
        const key = randomUUID();
        const life = new Life((step) => step === fatal);
        const outcome = await startProcess(world, life)
          .registration.register(input, authorization, requester(key))
          .catch((error: unknown) => {
            if (error instanceof Killed) return null;
            throw error;
          });
        const souls = world.souls.size;
        await Promise.all([survivor.recover(), survivor.recover()]);
        const again = await survivor.registration.register(input, authorization, requester(key));
        if (outcome !== null) expect(again).toEqual(outcome);
        expect([fatal, world.souls.get(name)]).toEqual([
          fatal,
          { tokenId: again.tokenId, owner: owner.address },
        ]);
        expect(world.souls.size - souls).toBeLessThanOrEqual(1);
        // The file is the same whichever process wrote it. It holds what the passport said and what
        // was signed.
        const [, fileId] = again.updatedAgentUriUrl.split("/ar/");
        expect(world.stored.get(String(fileId))).toMatchObject(
          erc8004AgentId === null
            ? { name }
            : {
                name: "Old Heron",
                x402Support: true,
                services: expect.arrayContaining(OLD_PASSPORT.inherited.services as unknown[]),
              },
        );
        const { rows } = await connection.pool.query(
          `select r.state, (select count(*)::int from app.api_key k where k.token_id = $2) as keys
         from app.registration r where r.name = $1`,
          [name, again.tokenId],
        );
        expect([fatal, rows]).toEqual([fatal, [{ state: "complete", keys: 1 }]]);
        if (outcome !== null) break;
        steps = fatal;
      }
      expect(steps).toBeGreaterThanOrEqual(15);
    },
  );

  it("at any step of a claim leaves it absent or completed once, with its key and salt", async () => {
    let steps = 0;
    for (let fatal = 1; ; fatal += 1) {
      const name = freshName();
      const survivor = startProcess(world);
      const { registrationId } = await registered(survivor, name);
      const owner = newAccount();
      const { terms, signed } = await termsOf(survivor, registrationId, owner);
      const key = randomUUID();
      const life = new Life((step) => step === fatal);
      const isAlive = await startProcess(world, life)
        .claims.claim(terms, signed, requester(key))
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof Killed) return false;
            throw error;
          },
        );
      const souls = world.souls.size;
      await Promise.all([survivor.recover(), survivor.recover()]);
      const { completed, apiKey, soulSalt } = await survivor.claims.claim(
        terms,
        signed,
        requester(key),
      );
      expect([fatal, world.souls.get(name)]).toEqual([
        fatal,
        { tokenId: completed.tokenId, owner: owner.address },
      ]);
      expect(world.souls.size - souls).toBeLessThanOrEqual(1);
      expect(apiKey).toMatch(/^svc_live_/);
      expect(soulSalt).toMatch(/^0x[0-9a-f]{64}$/);
      const { rows } = await connection.pool.query(
        `select r.state, r.token_id::int as token,
           (select count(*)::int from app.name_lock l where l.name = r.name) as locks,
           (select count(*)::int from app.api_key k where k.token_id = r.token_id
              and k.created_at = $2) as keys
         from app.agent_registration r where r.name = $1`,
        [name, world.now],
      );
      expect([fatal, rows]).toMatchObject([
        fatal,
        [{ state: "claimed", token: Number(completed.tokenId), locks: 0 }],
      ]);
      if (isAlive) break;
      steps = fatal;
    }
    expect(steps).toBeGreaterThanOrEqual(15);
  });
});
