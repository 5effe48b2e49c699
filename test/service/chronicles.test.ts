import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex, LocalAccount, SignTypedDataParameters } from "viem";
import { bytesToHex, getAddress, keccak256, sha256, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  buildChronicles,
  type ChronicleOptions,
  type ChronicleParts,
} from "../../api/features/chronicles/build.ts";
import { chronicleRoutes } from "../../api/features/chronicles/chronicles.routes.ts";
import { prepareChronicle } from "../../api/features/chronicles/typed-data.routes.ts";
import { createUnclaimedAgents } from "../../api/features/claims/claims.store.ts";
import { buildPassports } from "../../api/features/passports/build.ts";
import { createProfileService } from "../../api/features/profile/profile.ts";
import { buildVerification } from "../../api/features/verification/build.ts";
import { verifyRoutes } from "../../api/features/verification/verify.routes.ts";
import type { Caller } from "../../api/kernel/callers.ts";
import { ApiError } from "../../api/kernel/errors.ts";
import { createLinks } from "../../api/kernel/links.ts";
import {
  type BuiltEngine,
  buildOperationEngine,
  type OperationEngineOptions,
} from "../../api/operations/build.ts";
import { createChainClient } from "../../api/platform/chain/clients.ts";
import { createRelayer } from "../../api/platform/chain/relayer.ts";
import { relayerTransactionStore } from "../../api/platform/chain/transactions.store.ts";
import { readDeployment } from "../../api/platform/config/deployment.ts";
import { connectDatabase, type DatabaseConnection } from "../../api/platform/database/connect.ts";
import { createLease } from "../../api/platform/database/lease.ts";
import { everyRequest } from "../../api/platform/http/answers/every-request.ts";
import { requestContext } from "../../api/platform/http/context.ts";
import { errorHandler } from "../../api/platform/http/error-handler.ts";
import { provideGate } from "../../api/platform/http/guard.ts";
import { createRouter } from "../../api/platform/http/router.ts";
import { idempotencyStore } from "../../api/platform/idempotency/idempotency.store.ts";
import { createIdempotency } from "../../api/platform/idempotency/idempotency.ts";
import { createAddressPolicy } from "../../api/platform/outbound/addresses.ts";
import { createOutboundHttp } from "../../api/platform/outbound/client.ts";
import { createSecrets } from "../../api/platform/secrets/secrets.ts";
import { standingOf } from "../../api/platform/sponsorship/known-owners.store.ts";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { createLocalStorage } from "../../api/platform/storage/local.ts";
import { createPermanentStorage } from "../../api/platform/storage/permanent.ts";
import { createChainSouls } from "../../api/soul/chain-soul.chain.ts";
import { createChainReads } from "../../api/soul/indexed.store.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  buildFieldTree,
  chronicleLeaf,
  EIP712_DOMAIN_TYPE,
  normaliseCcsf,
  soulHash,
} from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import type { Answer } from "../api/features/sign-in/harness.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { capturedLog, testDeps } from "../api/helpers.ts";
import { createKeptTables, keptEvents, keptJobs, sentJobs } from "../fixtures/chronicles.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, idempotencyKey, PRIVATE_TEXT } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";
import { requester, testSponsorship } from "../fixtures/sponsorship.ts";
import { svc } from "../fixtures/svc.ts";

// Chronicles over HTTP, on real contracts, the real index and real Postgres. A header of the test's
// own names the caller; other tests cover how a credential becomes a caller.

type ProcessOptions = Omit<ChronicleOptions, "operations" | "signingDomains"> &
  OperationEngineOptions;

/** The chronicles of a process with an engine of its own. */
const chroniclesOf = (process: ProcessOptions) =>
  buildChronicles({ ...process, ...buildOperationEngine(process) });

/** Times within an hour, and within a day, that no real chronicle uses. */
const NOW = new Date(Date.UTC(2031, 4, 6, 10, 20, 30, 450));
const NEXT_HOUR = "2031-05-06T11:00:00.000Z";

let service: Service;
let connection: DatabaseConnection;
let parts: ChronicleParts & BuiltEngine;
let options: ProcessOptions;
let now = NOW;
let call: (path: string, init?: RequestInit, caller?: Caller) => Promise<Answer>;
let secrets: ReturnType<typeof createSecrets>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await sharedService();
  closing.push(service.stop);
  const { log } = capturedLog("silent");
  const { rows } = await service.pool.query("select current_database() as name");
  const url = new URL((service.pool.options as { connectionString: string }).connectionString);
  url.pathname = `/${rows[0].name}`;
  connection = connectDatabase(url.href, log);
  closing.push(connection.close);
  await createKeptTables(connection);

  const { db, pool } = connection;
  const clock = () => now;
  const { relayer: sender, storage } = stackAccounts();
  const account = privateKeyToAccount(sender.privateKey);
  const chain = createChainClient({ rpcUrl: service.chain.rpcUrl, chainId: 31337 });
  const relayer = createRelayer({
    client: chain,
    account,
    log,
    clock,
    confirmations: 1,
    store: relayerTransactionStore(db),
    lease: createLease(pool),
  });
  closing.push(() => relayer.close());
  const index = createChainReads(pool);
  const deployment = await readDeployment(service.chain.deploymentPath);
  secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
  const links = createLinks("http://127.0.0.1:8787");
  const archive = createPermanentStorage(
    createItemSigner(storage.privateKey),
    createLocalStorage(db, clock),
  );
  const unconnected: Omit<ProcessOptions, "passportUpdates"> = {
    db,
    chain,
    standingOf: (accounts) => standingOf(db, accounts, now),
    index,
    pool,
    relayer,
    archive,
    secrets,
    clock,
    indexerWaitMs: 5_000,
    deployment,
    souls: createChainSouls({ client: chain, soulView: deployment.contracts.soulView }),
    relayerAccounts: [account.address],
    jobs: keptJobs,
    events: keptEvents,
    confirmations: 1,
    sponsorship: testSponsorship(db, { clock }),
  };
  const engine = buildOperationEngine(unconnected);
  const idempotency = createIdempotency({
    store: idempotencyStore(db),
    secrets,
    clock,
    leaseMs: 30_000,
    keepMs: 86_400_000,
  });
  const reads = {
    ...unconnected,
    links,
    index,
    outbound: createOutboundHttp({ policy: createAddressPolicy([]) }),
  };
  const { passportFiles, passportUpdates } = buildPassports({ ...reads, ...engine });
  options = { ...unconnected, passportUpdates };
  parts = { ...buildChronicles({ ...options, ...engine }), ...engine };
  const { context } = passportFiles;
  const { unclaimed } = createUnclaimedAgents(db, clock);
  const deps = {
    ...parts,
    ...buildVerification({ ...reads, current: index, unclaimed, context }),
    passportUpdates,
    links,
    index,
    indexerWaitMs: 5_000,
    profiles: createProfileService({
      reads: index,
      unclaimed: async () => null,
      chainId: 31337,
      links,
      didRecords: { of: async () => null },
    }),
  };
  const app = createRouter();
  app.onError(errorHandler(log));
  app.use(everyRequest([requestContext(log)]));
  const access = {
    authenticate: async (header: string | undefined) => ({
      caller: callers.get(header ?? "") ?? ({ kind: "anonymous" } as const),
      account: null,
    }),
    authorise: async () => {},
  };
  app.use(everyRequest([provideGate(testDeps({ access, idempotency }))]));
  app.route("/v1", chronicleRoutes(deps));
  app.route("/v1", prepareChronicle.routes(deps));
  app.route("/v1", verifyRoutes(deps));
  const callers = new Map<string, Caller>();
  call = async (path, init = {}, caller) => {
    const headers = { ...(init.headers as Record<string, string>) };
    if (caller) {
      headers.authorization = randomUUID();
      callers.set(headers.authorization, caller);
    }
    const response = await app.request(`/v1${path}`, { ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  };
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});
beforeEach(() => {
  now = NOW;
});

const post = (path: string, body: unknown, caller?: Caller, key?: string) =>
  call(
    path,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body: JSON.stringify(body),
    },
    caller,
  );
const get = (path: string, headers: Record<string, string> = {}) => call(path, { headers });

interface Agent {
  readonly owner: LocalAccount;
  readonly name: string;
  readonly tokenId: number;
  readonly key: Caller;
  readonly soulHash: Hex;
  readonly answer: Answer;
}

async function newAgent(): Promise<Agent> {
  const owner = newAccount();
  const name = freshName();
  const { body, answer } = await service.register(name, owner);
  const { tokenId } = answer.body;
  return {
    owner,
    name,
    tokenId,
    answer,
    soulHash: body.soulHash,
    key: { kind: "full", id: "key", tokenId: BigInt(tokenId), epoch: 1, suspended: false },
  };
}

const certification = (tokenId: number) => ({
  tokenId,
  category: "certification",
  data: { title: "Bird ringer", changeType: "licence_granted" },
});

/** `body` with its owner's signature; `change` replaces parts of the message before signing. */
async function signed<Body extends object>(body: Body, { owner }: Agent, change: object = {}) {
  const { status, body: typedData } = await post("/typed-data/chronicle", body);
  if (status !== 200) throw new Error(`No typed data: ${JSON.stringify(typedData)}`);
  const message = { ...typedData.message, ...change };
  const signature = await owner.signTypedData({
    ...typedData,
    message,
  } as SignTypedDataParameters);
  return { ...body, message, signature, signer: owner.address };
}

function revisionOf({ name, tokenId }: Agent) {
  const ccsf = normaliseCcsf({
    identity: { name, agent_type: "specialist", description: "Counts by night as well." },
    soul: { ...PRIVATE_TEXT, constraints: ["Never wake a nest."], guidelines: [] },
    capabilities: { skills: ["counting"], tools: [], languages: ["en"], models: ["any"] },
  });
  const salt = bytesToHex(randomBytes(32));
  const hash = soulHash(salt, ccsf);
  const tree = buildFieldTree({ ccsf, salt, soulHash: hash });
  return {
    salt,
    hash,
    tree,
    body: {
      tokenId,
      category: "technical",
      data: {
        changeType: "soul_revision",
        title: "Night shifts",
        newSoulHash: hash,
        newSoulMerkleRoot: tree.root,
        newSoulSalt: salt,
        merkleLeaves: tree.leaves,
      },
    },
  };
}

/** The numbers of a message in the service's form. */
const bigints = (message: { tokenId: string; nonce: string; deadline: string }) => ({
  tokenId: BigInt(message.tokenId),
  nonce: BigInt(message.nonce),
  deadline: BigInt(message.deadline),
});

const soulNow = (tokenId: number) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "soulOf",
    args: [BigInt(tokenId)],
  });

async function recordCount(tokenId: number): Promise<number> {
  const { rows } = await connection.pool.query(
    "select count(*)::int as records from app.chronicle where token_id = $1",
    [tokenId],
  );
  return rows[0].records;
}

describe("a chronicle by API key", () => {
  let agent: Agent;
  let answer: Answer;
  beforeAll(async () => {
    agent = await newAgent();
    now = NOW;
    answer = await post("/chronicle", certification(agent.tokenId), agent.key);
  });

  it("is queued, and names the time to expect it", async () => {
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      chronicleId: 1,
      tokenId: agent.tokenId,
      category: "certification",
      changeType: "licence_granted",
      arweaveTxId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      timestamp: NOW.toISOString(),
      status: "queued",
      queueId: `${agent.tokenId}-1-${NOW.getTime()}`,
      estimatedConfirmation: NEXT_HOUR,
    });
    expect(await sentJobs(connection)).toContainEqual({
      name: "chronicles.batch",
      data: {},
      options: { startAfter: NEXT_HOUR, singletonKey: NEXT_HOUR },
    });
  });

  it("is archived in full, and its leaf can be computed from the archive", async () => {
    const { body: item } = await service.get(`/ar/${answer.body.arweaveTxId}`);
    expect(item).toEqual({
      format: "svc-chronicle/1",
      chainId: 31337,
      soulRegistry: service.chain.contracts.soulRegistry,
      tokenId: String(agent.tokenId),
      epoch: 1,
      category: "certification",
      changeType: "licence_granted",
      data: { title: "Bird ringer", changeType: "licence_granted" },
    });
    const raw = await fetch(`${service.url}/ar/${answer.body.arweaveTxId}`);
    const contentHash = sha256(new Uint8Array(await raw.arrayBuffer()));
    const { body: proof } = await get(`/chronicle/${answer.body.queueId}/proof`);
    expect(proof).toEqual({
      ...answer.body,
      contentHash,
      chronicleHash: chronicleLeaf({
        tokenId: BigInt(agent.tokenId),
        chronicleId: 1n,
        contentHash,
        category: "certification",
        changeType: "licence_granted",
        timestamp: BigInt(Math.floor(NOW.getTime() / 1000)),
      }),
      chainId: 31337,
      chronicleAnchor: service.chain.contracts.chronicleAnchor,
      soulRegistry: service.chain.contracts.soulRegistry,
    });
  });

  it("is recorded once under one Idempotency-Key", async () => {
    const key = idempotencyKey();
    const other = await newAgent();
    const first = await post("/chronicle", certification(other.tokenId), other.key, key);
    const again = await post("/chronicle", certification(other.tokenId), other.key, key);
    expect(first.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(await recordCount(other.tokenId)).toBe(1);
  });

  it("is refused to every unauthorized caller", async () => {
    const other = await newAgent();
    const body = certification(other.tokenId);
    const session = (owner: LocalAccount): Caller => ({
      kind: "session",
      id: "session",
      sessionId: randomUUID(),
      owner: owner.address,
      agentId: null,
    });
    const cases: [Caller | undefined, number, string][] = [
      [undefined, 401, "UNAUTHORIZED"],
      [
        { kind: "provisional", id: "p", registrationId: randomUUID(), claimed: false },
        403,
        "FULL_KEY_REQUIRED",
      ],
      [agent.key, 403, "FORBIDDEN"],
      [{ ...other.key, suspended: true } as Caller, 409, "SUSPENDED"],
      [session(agent.owner), 403, "FORBIDDEN"],
    ];
    for (const [caller, status, type] of cases) {
      const refused = await post("/chronicle", body, caller);
      expect(refused.status).toBe(status);
      expect(refused.body.error.type).toBe(type);
    }
    expect(await recordCount(other.tokenId)).toBe(0);
    expect((await post("/chronicle", body, session(other.owner))).status).toBe(201);
    expect(await recordCount(other.tokenId)).toBe(1);
  });

  it("cannot record a change that only the owner may make", async () => {
    for (const body of [
      revisionOf(agent).body,
      { tokenId: agent.tokenId, category: "soul_revision", data: {} },
      { tokenId: agent.tokenId, category: "operator_change", data: {} },
      { tokenId: agent.tokenId, category: "other", data: { changeType: "operator_change" } },
    ]) {
      const refused = await post("/chronicle", body, agent.key);
      expect(refused.status).toBe(403);
      expect(refused.body.error.type).toBe("WALLET_SIGNATURE_REQUIRED");
    }
    expect(await recordCount(agent.tokenId)).toBe(1);
  });

  it("reports every invalid field", async () => {
    const refused = await post(
      "/chronicle",
      {
        tokenId: agent.tokenId,
        category: "document",
        data: {
          title: 7,
          contentHash: "0x12",
          changeType: "No Such!",
          documentId: "d".repeat(129),
        },
      },
      agent.key,
    );
    expect(refused.body.error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      "data.changeType",
      "data.title",
      "data.documentId",
      "data.contentHash",
    ]);
    const large = { title: "t", text: "x".repeat(16_384) };
    const tooLarge = await post(
      "/chronicle",
      { tokenId: agent.tokenId, category: "other", data: large },
      agent.key,
    );
    expect(tooLarge.body.error.details.issues).toEqual([
      { path: "data", message: "Larger than 16384 bytes" },
    ]);
    const half = { ...certification(agent.tokenId), signer: agent.owner.address };
    expect((await post("/chronicle", half)).body.error.details.issues).toEqual([
      { path: "signature", message: "Missing beside the others" },
      { path: "message", message: "Missing beside the others" },
    ]);
    expect((await post("/chronicle", certification(999_999), agent.key)).status).toBe(404);
  });

  it("is one of at most five a day, however many are sent at once", async () => {
    const busy = await newAgent();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post("/chronicle", certification(busy.tokenId), busy.key)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 201),
      ...Array.from({ length: 3 }, () => 429),
    ]);
    expect(refusal(answers.find(({ status }) => status === 429) as Answer)).toMatchObject({
      type: "RATE_LIMIT_EXCEEDED",
    });
    const { error } = (await post("/chronicle", certification(busy.tokenId), busy.key)).body;
    expect(error.retryAfter).toBe(49_170);
    expect(error.message).toBe("An agent records chronicles at most 5 times a day (UTC).");
    expect(error.details).toMatchObject({
      limit: 5,
      counts: "ordinary",
      resetAt: "2031-05-07T00:00:00.000Z",
    });
    // Chronicles that the service itself derives are not counted.
    const { tokenId } = busy;
    await parts.chronicles.derive(
      { tokenId: BigInt(tokenId), category: "document", data: { documentId: "d" } },
      randomUUID(),
    );
    expect(await recordCount(tokenId)).toBe(6);
    now = new Date("2031-05-07T00:00:00.000Z");
    expect((await post("/chronicle", certification(tokenId), busy.key)).status).toBe(201);
  });
});

describe("a chronicle by the owner's signature", () => {
  it("is queued like any other, with the evidence in its details", async () => {
    const agent = await newAgent();
    const body = await signed(certification(agent.tokenId), agent);
    const { signature, message, signer } = body;
    const answer = await post("/chronicle", { ...body, proof: { signature, message, signer } });
    expect(answer.status).toBe(201);
    expect(answer.body.status).toBe("queued");
    const { body: list } = await get(`/chronicle/${agent.name}?includeDetails=true`);
    expect(list.chronicles[0].detail).toEqual({
      data: body.data,
      authority: "owner",
      signature: body.signature,
      message: body.message,
      signer: agent.owner.address,
    });
    // The same signature again is the same record.
    expect((await post("/chronicle", body)).body).toEqual(answer.body);
    expect(await recordCount(agent.tokenId)).toBe(1);
    const reused = await signed(
      { ...certification(agent.tokenId), data: { title: "Another" } },
      agent,
      { nonce: body.message.nonce },
    );
    expect(refusal(await post("/chronicle", reused))).toMatchObject({ type: "NONCE_USED" });
  });

  it("is refused from another signer, for another record, or too late", async () => {
    const [agent, other] = [await newAgent(), await newAgent()];
    const body = certification(agent.tokenId);
    const good = await signed(body, agent);
    const stranger = { ...(await signed(body, { ...agent, owner: other.owner })) };
    expect(refusal(await post("/chronicle", stranger))).toMatchObject({ type: "NOT_OWNER" });
    expect(
      refusal(await post("/chronicle", { ...stranger, signer: agent.owner.address })),
    ).toMatchObject({ type: "INVALID_SIGNATURE" });
    const elsewhere = await post("/chronicle", { ...good, data: { title: "Another" } });
    expect(elsewhere.body.error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      "message.changeType",
      "message.dataHash",
    ]);
    for (const field of ["epoch", "previousSoulHash"] as const) {
      const changed = await signed(body, agent, {
        [field]: field === "epoch" ? 2 : `0x${"12".repeat(32)}`,
      });
      const { error } = (await post("/chronicle", changed)).body;
      expect(error.type).toBe("INVALID_REQUEST");
      expect(error.details.issues[0].path).toBe(`message.${field}`);
    }
    now = new Date(NOW.getTime() + 15 * 60_000 + 1_000);
    expect(refusal(await post("/chronicle", good))).toMatchObject({ type: "NONCE_EXPIRED" });
    expect(await recordCount(agent.tokenId)).toBe(0);
  });
});

describe("the proof beside an owner's signature", () => {
  it("is refused when it differs from the signature, or is another value", async () => {
    const agent = await newAgent();
    const body = await signed(certification(agent.tokenId), agent);
    const { signature, message, signer } = body;
    const other = newAccount().address;
    const proof = { signature, message: { ...message, epoch: 2 }, signer: other };
    const differs = await post("/chronicle", { ...body, proof });
    expect([differs.status, differs.body.error.type]).toEqual([400, "INVALID_REQUEST"]);
    expect(differs.body.error.details.issues).toEqual([
      { path: "proof.message", message: "Not the message beside proof" },
      { path: "proof.signer", message: "Not the signer beside proof" },
    ]);
    const alone = await post("/chronicle", {
      ...certification(agent.tokenId),
      proof: { signature, message, signer },
    });
    expect([alone.status, alone.body.error.type]).toEqual([400, "INVALID_REQUEST"]);
    for (const wrong of [{ any: "thing" }, "0x12", null]) {
      const refused = await post("/chronicle", { ...body, proof: wrong });
      expect([refused.status, refused.body.error.type]).toEqual([400, "INVALID_REQUEST"]);
    }
    expect(await recordCount(agent.tokenId)).toBe(0);
  });
});

/** The change of an agent's operator to a fresh account. */
const operatorChange = ({ tokenId }: Agent) => ({
  tokenId,
  category: "operator_change",
  data: { operator: newAccount().address },
});

async function evolutionRows(tokenId: number) {
  const { rows } = await connection.pool.query(
    `select o.state, s.gas, s.network, s.standing from app.operation o
     join app.operation_subject t on t.operation_id = o.id
     left join app.sponsored_operation s on s.operation_id = 'evolution:' || o.id
     where o.kind = 'evolution' and o.state in ('accepted', 'settled') and t.id = $1`,
    [tokenId],
  );
  return rows;
}

describe("the limits of an owner's signature", () => {
  it("refuse a signature that is valid for longer than 24 hours", async () => {
    const agent = await newAgent();
    for (const body of [
      certification(agent.tokenId),
      revisionOf(agent).body,
      operatorChange(agent),
    ]) {
      const deadline = String(Math.floor(now.getTime() / 1000) + 24 * 60 * 60 + 1);
      const refused = await post("/chronicle", await signed(body, agent, { deadline }));
      expect([refused.status, refused.body.error.details.issues]).toEqual([
        400,
        [{ path: "message.deadline", message: "At most 24 hours from now" }],
      ]);
    }
    expect(await recordCount(agent.tokenId)).toBe(0);
    expect(await evolutionRows(agent.tokenId)).toEqual([]);
  });

  it("reserve the gas of both changes, and return the unused gas of a refused change", async () => {
    const agent = await newAgent();
    now = new Date();
    expect((await post("/chronicle", await signed(revisionOf(agent).body, agent))).status).toBe(
      201,
    );
    expect((await post("/chronicle", await signed(operatorChange(agent), agent))).status).toBe(201);
    const paid = { state: "settled", network: "unknown", standing: "stranger" };
    expect((await evolutionRows(agent.tokenId)).toSorted((a, b) => b.gas - a.gas)).toEqual([
      { ...paid, gas: "600000" },
      { ...paid, gas: "250000" },
    ]);

    const body = await signed(operatorChange(agent), agent);
    const refusing = chroniclesOf({
      ...options,
      relayer: {
        ...options.relayer,
        run: () => Promise.reject(new ApiError("NONCE_USED")),
      },
    });
    const { message, signature, signer, ...input } = body;
    const evidence = { signature, signer, message: { ...message, ...bigints(message) } };
    const sent = { ...input, tokenId: BigInt(input.tokenId) };
    await expect(
      refusing.chronicles.recordSigned(sent, evidence, requester()),
    ).rejects.toMatchObject({ type: "NONCE_USED" });
    expect(await evolutionRows(agent.tokenId)).toHaveLength(2);
    // It does not count for the day either: three more fit.
    for (let turn = 0; turn < 3; turn += 1) {
      const next = await post("/chronicle", await signed(operatorChange(agent), agent));
      expect(next.status).toBe(201);
    }
  });

  it("refuse a change when the day's gas is spent, without a trace", async () => {
    const agent = await newAgent();
    now = new Date();
    const poor = chroniclesOf({
      ...options,
      sponsorship: testSponsorship(options.db, {
        limits: { gasPerDay: 1n },
        clock: () => now,
      }),
    });
    const body = await signed(operatorChange(agent), agent);
    const { message, signature, signer, ...input } = body;
    const evidence = { signature, signer, message: { ...message, ...bigints(message) } };
    const sent = { ...input, tokenId: BigInt(input.tokenId) };
    await expect(poor.chronicles.recordSigned(sent, evidence, requester())).rejects.toMatchObject({
      type: "GAS_BUDGET_EXHAUSTED",
      status: 503,
      details: { reason: "strangers", resetAt: expect.stringMatching(/T00:00:00.000Z$/) },
    });
    expect(await evolutionRows(agent.tokenId)).toEqual([]);
    expect((await post("/chronicle", body)).status).toBe(201);
  });

  it("reserve five changes a day for the owner that a stolen key cannot use up", async () => {
    const agent = await newAgent();
    now = new Date();
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await post("/chronicle", certification(agent.tokenId), agent.key)).status).toBe(201);
    }
    const sixth = await post("/chronicle", certification(agent.tokenId), agent.key);
    expect([sixth.status, sixth.body.error.details.counts]).toEqual([429, "ordinary"]);
    for (let turn = 0; turn < 5; turn += 1) {
      const changed = await post("/chronicle", await signed(operatorChange(agent), agent));
      expect(changed.status).toBe(201);
    }
    const resetAt = `${new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
    const refused = await post("/typed-data/chronicle", operatorChange(agent));
    expect([refused.status, refused.body.error.message]).toEqual([
      429,
      "An owner signs a soul_revision or operator_change of an agent at most 5 times a day (UTC).",
    ]);
    expect(refused.body.error.details).toMatchObject({ limit: 5, counts: "mandatory", resetAt });
  });
});

describe("a revision of the soul", () => {
  let agent: Agent;
  let revision: ReturnType<typeof revisionOf>;
  let body: object;
  let answer: Answer;
  beforeAll(async () => {
    agent = await newAgent();
    revision = revisionOf(agent);
    // The contract compares deadlines with its own time.
    now = new Date();
    body = await signed(revision.body, agent);
    answer = await post("/chronicle", body);
  });

  it("is on chain when it answers", async () => {
    expect(answer.body).toEqual({
      chronicleId: 1,
      tokenId: agent.tokenId,
      category: "technical",
      changeType: "soul_revision",
      arweaveTxId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      timestamp: expect.any(String),
      status: "confirmed",
      queueId: expect.stringMatching(new RegExp(`^${agent.tokenId}-1-[0-9]+$`)),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      needsAgentUriUpdate: true,
      agentUriTransaction: expect.objectContaining({ functionName: "setAgentURI" }),
      approvalTransaction: expect.objectContaining({ functionName: "approve" }),
      pendingMetadata: [
        expect.objectContaining({ key: "svcSoulHash", value: revision.hash }),
        expect.objectContaining({
          key: "svcArweaveId",
          value: stringToHex(answer.body.arweaveTxId),
        }),
      ],
    });
    expect(await soulNow(agent.tokenId)).toMatchObject({
      soulHash: revision.hash,
      soulMerkleRoot: revision.tree.root,
    });
    const { body: record } = await service.get(`/ar/${answer.body.arweaveTxId}`);
    expect(record.data).toEqual({
      changeType: "soul_revision",
      title: "Night shifts",
      newSoulHash: revision.hash,
      newSoulMerkleRoot: revision.tree.root,
      merkleLeaves: revision.tree.leaves,
    });
  });

  it("stores the new salt encrypted, with the leaves, and returns it nowhere", async () => {
    const { rows } = await connection.pool.query(
      "select soul_hash, salt_encrypted, leaves, epoch::int from app.soul_secret where token_id = $1",
      [agent.tokenId],
    );
    expect(rows).toEqual([
      {
        soul_hash: revision.hash,
        epoch: 1,
        leaves: revision.tree.leaves,
        salt_encrypted: expect.any(Buffer),
      },
    ]);
    const salt = secrets.decrypt("soul-salt", rows[0].salt_encrypted, revision.hash);
    expect(bytesToHex(salt)).toBe(revision.salt);
    const { rows: kept } = await connection.pool.query(
      `select jsonb_build_array(
         (select jsonb_agg(o.*) from app.operation o), (select jsonb_agg(c.*) from app.chronicle c),
         (select jsonb_agg(i.*) from app.storage_item i), (select jsonb_agg(t.*) from test_event t)
       )::text as everything`,
    );
    expect(kept[0].everything).toContain(revision.hash);
    expect(kept[0].everything).not.toContain(revision.salt.slice(2));
  });

  it("is listed, proven by its transaction, and sent to webhooks", async () => {
    const { body: list } = await get(`/chronicle/${agent.name}`);
    expect(list.chronicles).toMatchObject([
      { newSoulHash: revision.hash, status: "confirmed", batchId: null },
    ]);
    const { body: proof } = await get(`/chronicle/${answer.body.queueId}/proof`);
    expect(proof).toMatchObject({
      status: "confirmed",
      batchId: null,
      merkleProof: [],
      merkleRoot: null,
      txHash: answer.body.txHash,
    });
    const events = await connection.pool.query("select payload from test_event where key = $1", [
      `chronicle:${agent.tokenId}:1`,
    ]);
    expect(events.rows.map(({ payload }) => payload.event)).toEqual(["chronicle.recorded"]);
  });

  it("gives the same answer to the same signature, and happens once", async () => {
    expect((await post("/chronicle", body)).body).toEqual(answer.body);
    expect(await recordCount(agent.tokenId)).toBe(1);
  });

  it("is refused when its parts contradict each other or are missing", async () => {
    const { newSoulSalt, ...withoutSalt } = revision.body.data;
    const missing = await post("/typed-data/chronicle", { ...revision.body, data: withoutSalt });
    expect(missing.body.error.details.issues).toEqual([
      { path: "data.newSoulSalt", message: "Missing" },
    ]);
    const root = `0x${"34".repeat(32)}`;
    const wrong = await post("/typed-data/chronicle", {
      ...revision.body,
      data: { ...revision.body.data, newSoulMerkleRoot: root },
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body.error.details).toMatchObject({
      newSoulMerkleRoot: root,
      computedRoot: revision.tree.root,
    });
  });

  it("leaves no trace when the chain refuses it", async () => {
    const other = await newAgent();
    now = new Date();
    const withdrawn = await signed(revisionOf(other).body, other);
    await service.chain.fund(other.owner.address);
    const hash = await service.chain.client.writeContract({
      account: other.owner,
      address: service.chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "cancel",
      args: [BigInt(withdrawn.message.nonce)],
    });
    await service.chain.client.waitForTransactionReceipt({ hash });
    expect(refusal(await post("/chronicle", withdrawn))).toMatchObject({ type: "NONCE_USED" });
    const { rows } = await connection.pool.query(
      `select count(*)::int as left from app.operation o
       join app.operation_subject t on t.operation_id = o.id
       where o.kind = 'evolution' and t.id = $1`,
      [other.tokenId],
    );
    expect(rows).toEqual([{ left: 0 }]);
    expect(await recordCount(other.tokenId)).toBe(0);
  });
});

describe("the passport after a revision", () => {
  /** The agent as `ownerSigned` takes it, with the cost of its transactions. */
  async function owned(agent: Agent) {
    await service.chain.fund(agent.owner.address);
    return { ...agent, passportId: BigInt(agent.answer.body.erc8004AgentId), apiKey: "" };
  }
  async function indexedMetadata(agent: Agent) {
    const { rows } = await service.pool.query(
      "select key, value from chain.passport_metadata where passport_id = $1 and key like 'svc%'",
      [agent.answer.body.erc8004AgentId],
    );
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }
  const keysOf = (pending: { key: string }[]) => pending.map(({ key }) => key);

  it("is pending until the owner has sent the offered transactions unchanged", async () => {
    const agent = await newAgent();
    const { owner } = await owned(agent);
    const revision = revisionOf(agent);
    now = new Date();
    const { body } = await post("/chronicle", await signed(revision.body, agent));
    expect(keysOf(body.pendingMetadata)).toEqual(["svcSoulHash", "svcArweaveId"]);

    const before = (await get(`/verify/${agent.name}`)).body;
    expect(before.overallStatus).toBe("partial");
    expect(before.checks.passport).toEqual({
      status: "pending",
      details:
        "The passport's svcSoulHash is not the soul's. The passport's svcArweaveId is not the soul's. The registration file does not describe the current soul. Its owner can update them.",
      pendingMetadata: body.pendingMetadata,
      approvalTransaction: body.approvalTransaction,
      needsAgentUriUpdate: true,
    });

    const { sendReady } = ownerSigned(service);
    let last = 0n;
    for (const transaction of [
      body.approvalTransaction,
      body.pendingMetadata[0].transaction,
      body.agentUriTransaction,
    ]) {
      last = (await sendReady(transaction, owner)).blockNumber;
    }
    const after = (await get(`/verify/${agent.name}?minBlock=${last}`)).body;
    expect(after.checks.passport.status).toBe("valid");
    expect(after.overallStatus).toBe("verified");
    expect(await indexedMetadata(agent)).toMatchObject({
      svcSoulHash: revision.hash,
      svcArweaveId: stringToHex(body.arweaveTxId),
    });
    const { body: file } = await service.get(`/v1/registration-file/${agent.name}`);
    expect(file.svc).toMatchObject({ soulHash: revision.hash, tokenId: agent.tokenId });
  });

  it("has the new soul hash, archive and file at once where the passport writer is approved", async () => {
    const agent = await newAgent();
    await ownerSigned(service).approve(await owned(agent));
    const revision = revisionOf(agent);
    now = new Date();
    const { body } = await post("/chronicle", await signed(revision.body, agent));
    expect([body.pendingMetadata, body.approvalTransaction]).toEqual([[], null]);
    expect([body.needsAgentUriUpdate, body.agentUriTransaction]).toEqual([false, null]);
    expect(await indexedMetadata(agent)).toMatchObject({
      svcSoulHash: revision.hash,
      svcArweaveId: stringToHex(body.arweaveTxId),
    });
    const { body: verified } = await get(`/verify/${agent.name}`);
    expect(verified.checks.passport.status).toBe("valid");
  });

  it("does not hold back a revision's answer when its registration file cannot be read", async () => {
    const agent = await newAgent();
    await ownerSigned(service).setAgentUri(await owned(agent), "ipfs://unreadable");
    now = new Date();
    const answer = await post("/chronicle", await signed(revisionOf(agent).body, agent));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ needsAgentUriUpdate: true, agentUriTransaction: null });
  });

  it("is pending after a burn that left its metadata and its active file behind", async () => {
    const agent = await newAgent();
    const { owner } = await owned(agent);
    const burn = {
      tokenId: BigInt(agent.tokenId),
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
      args: [burn, "0x"],
      account: owner,
    });
    const { blockNumber } = await ownerSigned(service).mined(hash);
    const { passport } = (await get(`/verify/${agent.name}?minBlock=${blockNumber}`)).body.checks;
    const svcKeys = ["svcSoulHash", "svcTokenId", "svcArweaveId", "svcStatus"];
    expect([passport.status, keysOf(passport.pendingMetadata)]).toEqual(["pending", svcKeys]);
    await ownerSigned(service).sendReady(passport.approvalTransaction, owner);
    const { transaction } = passport.pendingMetadata[0];
    const sent = await ownerSigned(service).sendReady(transaction, owner);
    const after = (await get(`/verify/${agent.name}?minBlock=${sent.blockNumber}`)).body;
    expect(after.checks.passport).toMatchObject({
      details:
        "The registration file does not describe the current soul. Its owner can update them.",
      pendingMetadata: [],
    });
    expect(await indexedMetadata(agent)).toMatchObject(
      Object.fromEntries(svcKeys.map((key) => [key, "0x"])),
    );
  });
});

describe("a revision whose process dies", () => {
  const deaths = {
    "before its transaction": async () => {},
    "after its transaction": async (send: () => Promise<unknown>) => {
      await send();
    },
  };
  for (const [moment, before] of Object.entries(deaths)) {
    it(`${moment} is finished by the next process, once`, async () => {
      const agent = await newAgent();
      const revision = revisionOf(agent);
      now = new Date();
      const body = await signed(revision.body, agent);
      const { relayer } = options;
      const dying = chroniclesOf({
        ...options,
        relayer: {
          ...relayer,
          async run(...job) {
            await before(() => relayer.run(...job));
            throw new ApiError("CHAIN_UNAVAILABLE");
          },
        },
      });
      const { message, signature, signer, ...input } = body;
      const evidence = {
        signature,
        signer,
        message: { ...message, ...bigints(message) },
      };
      const sent = { ...input, tokenId: BigInt(input.tokenId) };
      await expect(
        dying.chronicles.recordSigned(sent, evidence, requester()),
      ).rejects.toMatchObject({ type: "CHAIN_UNAVAILABLE" });
      expect(await recordCount(agent.tokenId)).toBe(0);

      const recover = () => parts.operations.recover(parts.chronicleDefinitions);
      await Promise.all([recover(), recover()]);
      await recover();
      expect((await soulNow(agent.tokenId)).soulHash).toBe(revision.hash);
      expect(await recordCount(agent.tokenId)).toBe(1);
      const again = await post("/chronicle", body);
      expect(again.body).toMatchObject({ chronicleId: 1, status: "confirmed" });
    });
  }
});

describe("a change of operator", () => {
  it("is carried out at once, and its record is queued", async () => {
    const agent = await newAgent();
    const operator = newAccount().address;
    now = new Date();
    const body = await signed(
      { tokenId: agent.tokenId, category: "operator_change", data: { operator } },
      agent,
    );
    const answer = await post("/chronicle", body);
    expect(answer.body).toMatchObject({
      category: "technical",
      changeType: "operator_change",
      status: "queued",
      estimatedConfirmation: expect.any(String),
    });
    expect((await soulNow(agent.tokenId)).operator).toBe(getAddress(operator));
    const { rows } = await connection.pool.query(
      "select payload from test_event where payload->>'tokenId' = $1",
      [String(agent.tokenId)],
    );
    expect(rows).toEqual([{ payload: expect.objectContaining({ event: "embodiment.updated" }) }]);
  });

  it("succeeds when another sender submitted the same signature first", async () => {
    const agent = await newAgent();
    const operator = newAccount();
    now = new Date();
    const body = await signed(
      { tokenId: agent.tokenId, category: "operator_change", data: { operator: operator.address } },
      agent,
    );
    const { message } = body;
    await service.chain.fund(operator.address);
    // It was accepted, and then overtaken.
    await service.chain.client.setAutomine(false);
    const answer = post("/chronicle", body);
    const pending = async () =>
      (await service.chain.client.getBlock({ blockTag: "pending", includeTransactions: true }))
        .transactions.length;
    await expect.poll(pending, { timeout: 20_000 }).toBe(1);
    await service.chain.client.writeContract({
      account: operator,
      address: service.chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "changeOperator",
      args: [
        {
          ...message,
          ...bigints(message),
        },
        operator.address,
        body.signature,
      ],
      gas: 500_000n,
      maxPriorityFeePerGas: 10n ** 12n,
      maxFeePerGas: 10n ** 13n,
    });
    await service.chain.client.mine({ blocks: 1 });
    await service.chain.client.setAutomine(true);
    expect((await answer).status).toBe(201);
    expect((await soulNow(agent.tokenId)).operator).toBe(operator.address);
    expect(await recordCount(agent.tokenId)).toBe(1);
  });
});

describe("a request to the owner", () => {
  it("is opened, signed and submitted, and its salt is never shown", async () => {
    const agent = await newAgent();
    const revision = revisionOf(agent);
    now = new Date();
    const created = await post(
      "/chronicle/request",
      { ...revision.body, description: "We want to work by night." },
      agent.key,
    );
    const { requestId } = created.body;
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      requestId: expect.stringMatching(/^chr_[A-Za-z0-9_-]{22}$/),
      signUrl: `http://127.0.0.1:8787/sign/${requestId}`,
      expiresAt: new Date(now.getTime() + 86_400_000).toISOString(),
    });

    const { body: open } = await get(`/chronicle/request?id=${requestId}`);
    const { newSoulSalt: _secret, ...data } = revision.body.data;
    expect(open).toEqual({
      requestId,
      tokenId: agent.tokenId,
      agentName: agent.name,
      category: "technical",
      changeType: "soul_revision",
      data,
      description: "We want to work by night.",
      createdAt: now.toISOString(),
      expiresAt: created.body.expiresAt,
      status: "pending",
      nonce: expect.stringMatching(/^[0-9]+$/),
      eip712Data: {
        domain: {
          name: "SoulRegistry",
          version: "2",
          chainId: 31337,
          verifyingContract: service.chain.contracts.soulRegistry,
        },
        types: { EIP712Domain: EIP712_DOMAIN_TYPE, RecordEvolution: expect.any(Array) },
        primaryType: "RecordEvolution",
        message: expect.objectContaining({ nonce: open.nonce, newSoulHash: revision.hash }),
      },
    });
    const signature = await agent.owner.signTypedData(open.eip712Data);
    const answer = await post("/chronicle", {
      tokenId: agent.tokenId,
      category: open.category,
      data: open.data,
      requestId,
      message: open.eip712Data.message,
      signature,
      signer: agent.owner.address,
    });
    expect(answer.body).toMatchObject({ status: "confirmed", changeType: "soul_revision" });
    expect((await soulNow(agent.tokenId)).soulHash).toBe(revision.hash);
    const { body: after } = await get(`/chronicle/request?id=${requestId}`);
    expect(after).toMatchObject({ status: "submitted", eip712Data: null });
  });

  it("is made by the agent only, and expires after a day", async () => {
    const [agent, other] = [await newAgent(), await newAgent()];
    const body = certification(agent.tokenId);
    expect((await post("/chronicle/request", body)).status).toBe(401);
    expect((await post("/chronicle/request", body, other.key)).status).toBe(403);
    const created = await post("/chronicle/request", body, agent.key);
    now = new Date(NOW.getTime() + 86_400_001);
    const path = `/chronicle/request?id=${created.body.requestId}`;
    expect(refusal(await get(path))).toMatchObject({ type: "GONE" });
    expect((await get(`/chronicle/request?id=chr_${"A".repeat(22)}`)).status).toBe(404);
  });

  it("ends when the agent is sold", async () => {
    const agent = await newAgent();
    const created = await post("/chronicle/request", certification(agent.tokenId), agent.key);
    await service.chain.fund(agent.owner.address);
    await service.chain.transferPassport(
      BigInt(agent.answer.body.erc8004AgentId),
      agent.owner,
      newAccount().address,
    );
    const path = `/chronicle/request?id=${created.body.requestId}`;
    expect(refusal(await get(path))).toMatchObject({ type: "GONE" });
    const refused = await post("/chronicle", certification(agent.tokenId), agent.key);
    expect(refusal(refused)).toMatchObject({ type: "SUSPENDED" });
  });
});

describe("the list of an agent's chronicles", () => {
  it("is paged, filtered and detailed, under its old path too", async () => {
    const agent = await newAgent();
    const { tokenId, key } = agent;
    for (const [index, category] of ["technical", "other", "technical", "document"].entries()) {
      now = new Date(NOW.getTime() + index * 1000);
      await post("/evolution", { tokenId, category, data: { title: `${index}` } }, key);
    }
    const ids = (answer: Answer) =>
      answer.body.chronicles.map((each: { chronicleId: number }) => each.chronicleId);
    const first = await get(`/chronicle/${agent.name}?limit=3`);
    expect(ids(first)).toEqual([4, 3, 2]);
    expect(first.body.pagination).toEqual({ page: 1, limit: 3, total: 4, totalPages: 2 });
    expect(first.body).toMatchObject({
      tokenId,
      erc8004AgentId: agent.answer.body.erc8004AgentId,
    });
    expect(first.body.chronicles[0]).toEqual({
      chronicleId: 4,
      tokenId,
      category: "document",
      changeType: "document",
      arweaveTxId: expect.any(String),
      arweaveUrl: `http://127.0.0.1:8787/ar/${first.body.chronicles[0].arweaveTxId}`,
      timestamp: new Date(NOW.getTime() + 3000).toISOString(),
      queueId: `${tokenId}-4-${NOW.getTime() + 3000}`,
      newSoulHash: null,
      status: "queued",
      batchId: null,
      txHash: null,
      chronicleHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      contentHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(ids(await get(`/evolution/${tokenId}?limit=3&page=2`))).toEqual([1]);
    const rest = await get(`/chronicle/${agent.name}?limit=3&cursor=${first.body.nextCursor}`);
    expect(ids(rest)).toEqual([1]);
    expect(rest.body.pagination).toEqual({ page: null, limit: 3, total: 4, totalPages: 2 });
    expect(rest.body.nextCursor).toBeNull();
    expect(ids(await get(`/chronicle/${agent.name}?category=technical`))).toEqual([3, 1]);
    expect(ids(await get(`/chronicle/${agent.name}?changeType=other`))).toEqual([2]);
    const tag = first.headers.get("etag") as string;
    const again = await get(`/chronicle/${agent.name}?limit=3`, { "if-none-match": tag });
    expect(again.status).toBe(304);
    for (const query of ["limit=101", "limit=0", "page=0", "category=nonsense"]) {
      expect((await get(`/chronicle/${agent.name}?${query}`)).status).toBe(400);
    }
    expect((await get(`/chronicle/${freshName()}`)).status).toBe(404);
  });
});

describe("the proof of a batched chronicle", () => {
  let agent: Agent;
  let proof: Record<string, unknown>;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-proof-"));
    closing.push(() => rm(directory, { recursive: true, force: true }));
    agent = await newAgent();
    now = NOW;
    const { body } = await post("/chronicle", certification(agent.tokenId), agent.key);
    await parts.batches.run();
    proof = (await get(`/chronicle/${body.queueId}/proof`)).body;
  });

  /** The command as an independent verifier runs it. */
  async function verifier(given: unknown, ...options: string[]) {
    const path = join(directory, `${randomUUID()}.json`);
    await writeFile(path, JSON.stringify(given));
    const args = ["verify", "chronicle", path, "--rpc", service.chain.rpcUrl, ...options];
    const { code, stdout, stderr } = await svc(args);
    return { code, output: `${stdout}${stderr}` };
  }

  it("names its batch and everything that an independent verifier needs", () => {
    expect(proof).toMatchObject({
      status: "confirmed",
      category: "certification",
      tokenId: agent.tokenId,
      batchId: expect.any(Number),
      merkleProof: expect.any(Array),
      merkleRoot: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      leavesArweaveTxId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(proof).not.toHaveProperty("estimatedConfirmation");
  });

  it("is valid to the command, which needs only a node", async () => {
    const { code, output } = await verifier(proof);
    expect(output).toContain(
      `valid: Chronicle 1 of agent ${agent.tokenId} is in batch ${proof.batchId} of ${proof.chronicleAnchor} on chain 31337.`,
    );
    expect(code).toBe(0);
    const record = join(directory, "record.json");
    const raw = await fetch(`${service.url}/ar/${proof.arweaveTxId}`);
    await writeFile(record, new Uint8Array(await raw.arrayBuffer()));
    expect((await verifier(proof, "--record", record)).code).toBe(0);
    await writeFile(record, "another record");
    expect(await verifier(proof, "--record", record)).toEqual({
      code: 1,
      output: `not valid: The archived record hashes to ${sha256(new TextEncoder().encode("another record"))}, the proof is about ${proof.contentHash}.\n`,
    });
  }, 120_000);

  it("is not valid after any change", async () => {
    const changes: [object, RegExp][] = [
      [{ tokenId: agent.tokenId + 1 }, /hash to the leaf/],
      [{ category: "achievement" }, /hash to the leaf/],
      [{ timestamp: new Date(NOW.getTime() + 1000).toISOString() }, /hash to the leaf/],
      [{ merkleProof: [`0x${"ab".repeat(32)}`] }, /leads to the root/],
      [{ merkleRoot: undefined, merkleProof: [`0x${"ab".repeat(32)}`] }, /the proof leads to/],
      [{ batchId: 999 }, /has no batch 999/],
      [{ chainId: 8453 }, /is for chain 8453, the node is on chain 31337/],
      [{ chronicleAnchor: newAccount().address }, /There is no anchor contract/],
      [{ merkleProof: undefined }, /malformed merkleProof/],
      [{ status: "queued" }, /is queued and not on chain yet/],
      [{ batchId: null }, /Only a soul_revision/],
    ];
    for (const [change, why] of changes) {
      const { code, output } = await verifier({ ...proof, ...change });
      expect(output).toMatch(why);
      expect(code).toBe(1);
    }
  }, 120_000);

  it("reports the checks that it cannot make", async () => {
    expect((await verifier(proof, "--anchor", "0x12")).code).toBe(2);
    expect((await verifier(proof, "--rpc", "http://127.0.0.1:9")).code).toBe(2);
  }, 120_000);

  it("of a revision is its transaction", async () => {
    const revised = await newAgent();
    now = new Date();
    const { body } = await post("/chronicle", await signed(revisionOf(revised).body, revised));
    const { body: immediate } = await get(`/chronicle/${body.queueId}/proof`);
    expect((await verifier(immediate)).output).toContain(
      `is the revision of transaction ${body.txHash}`,
    );
    const borrowed = { ...immediate, txHash: proof.txHash };
    expect((await verifier(borrowed)).output).toContain("made no such revision");
    const unknown = { ...immediate, txHash: keccak256("0x12") };
    expect((await verifier(unknown)).output).toContain("The chain has no transaction");
  }, 120_000);

  it("does not exist for an unknown id", async () => {
    const { queueId } = proof as { queueId: string };
    for (const wrong of [queueId.replace(/[0-9]+$/, "1"), "1-2", "x", `${agent.tokenId}-99-1`]) {
      expect((await get(`/chronicle/${wrong}/proof`)).status).toBe(404);
    }
  });
});

describe("a batch that is not confirmed", () => {
  it("shows its chronicle queued until the root is mined, then batched, then confirmed", async () => {
    const agent = await newAgent();
    const { client } = service.chain;
    const { body: made } = await post("/chronicle", certification(agent.tokenId), agent.key);
    const proofNow = async () => (await get(`/chronicle/${made.queueId}/proof`)).body;
    const depth = 3;
    const { batches } = chroniclesOf({ ...options, confirmations: depth });

    await client.setAutomine(false);
    let report: Awaited<ReturnType<typeof batches.run>>;
    try {
      const running = batches.run();
      const isSent = async () =>
        (await client.getBlock({ blockTag: "pending" })).transactions.length;
      await expect.poll(isSent, { timeout: 20_000 }).toBe(1);
      // A planned batch is not reported as anchored.
      const held = await proofNow();
      expect(held.status).toBe("queued");
      expect(held).not.toHaveProperty("batchId");
      expect(held).not.toHaveProperty("txHash");
      await client.mine({ blocks: 1 });
      report = await running;
    } finally {
      await client.setAutomine(true);
    }
    const batchId = Number(report.anchored.at(-1));
    expect(report.confirmed).not.toContain(BigInt(batchId));
    const batched = await proofNow();
    expect(batched).toMatchObject({
      status: "batched",
      batchId,
      queueId: made.queueId,
      tokenId: agent.tokenId,
      chronicleId: 1,
      category: "certification",
      arweaveTxId: made.arweaveTxId,
      chronicleHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      merkleProof: expect.any(Array),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      timestamp: made.timestamp,
    });
    const { body: listed } = await get(`/chronicle/${agent.name}`);
    expect(listed.chronicles).toMatchObject([{ status: "batched", batchId }]);

    // One by one: for several at once the node invents the hashes, and the indexer stops.
    for (let mined = 0; mined < depth; mined += 1) await client.mine({ blocks: 1 });
    expect((await batches.follow()).confirmed).toContain(BigInt(batchId));
    expect(await proofNow()).toEqual({ ...batched, status: "confirmed" });
  });
});

describe("the verification of an agent", () => {
  it("checks chain, archive, registration, seal and passport", async () => {
    const agent = await newAgent();
    const answer = await get(`/verify/${agent.name}`);
    const { mintTxHash, arweaveTxId } = agent.answer.body;
    expect(answer.body).toEqual({
      agentName: agent.name,
      tokenId: agent.tokenId,
      erc8004AgentId: agent.answer.body.erc8004AgentId,
      checks: {
        soulHash: {
          status: "valid",
          details: "The chain has this soul hash and Merkle root, and the archive says the same.",
          txHash: mintTxHash,
        },
        arweave: {
          status: "valid",
          details:
            "The archived soul and the registration file were read again: signatures, ids and hashes are right.",
          txId: arweaveTxId,
        },
        baseTx: {
          status: "valid",
          details: "The transaction registered this soul.",
          txHash: mintTxHash,
          timestamp: expect.stringMatching(/^20/),
        },
        sealed: { status: "sealed", timestamp: expect.stringMatching(/^20/) },
        soulValidity: { status: "valid", reason: "The sealer owns the passport." },
        passport: {
          status: "valid",
          details: "The passport's metadata and registration file match the soul.",
          pendingMetadata: [],
          approvalTransaction: null,
          needsAgentUriUpdate: false,
        },
      },
      overallStatus: "verified",
      duplicateOf: null,
    });
    expect(answer.headers.get("cache-control")).toBe("max-age=300, stale-while-revalidate=600");
    expect(answer.headers.get("x-svc-block")).toMatch(/^[0-9]+$/);
    const tag = answer.headers.get("etag") as string;
    expect((await get(`/verify/${agent.name}`, { "if-none-match": tag })).status).toBe(304);
    expect((await service.get(`/v1/verify/${agent.tokenId}`)).body).toEqual(answer.body);
    expect((await get(`/verify/${freshName()}`)).status).toBe(404);
  });

  it("fails, and names the archive, when one byte of an archived item is altered", async () => {
    const agent = await newAgent();
    const { arweaveTxId, erc8004Url } = agent.answer.body;
    const altered = async (id: string, details: string) => {
      const flip =
        "update app.storage_item set bytes = set_byte(bytes, length(bytes) - 9, get_byte(bytes, length(bytes) - 9) # 1) where id = $1";
      await connection.pool.query(flip, [id]);
      const { body, headers } = await get(`/verify/${agent.name}`);
      expect(body.overallStatus).toBe("failed");
      expect(body.checks.arweave).toEqual({ status: "invalid", details, txId: arweaveTxId });
      expect(body.checks.baseTx.status).toBe("valid");
      expect(headers.get("cache-control")).toBe("max-age=30, stale-while-revalidate=60");
      await connection.pool.query(flip, [id]);
      expect((await get(`/verify/${agent.name}`)).body.overallStatus).toBe("verified");
    };
    await altered(arweaveTxId, "The archived soul was altered since it was signed.");
    const fileId = (erc8004Url as string).split("/").at(-1) as string;
    await altered(fileId, "The registration file was altered since it was signed.");
  });

  it("follows a revision to its record", async () => {
    const agent = await newAgent();
    now = new Date();
    const { body } = await post("/chronicle", await signed(revisionOf(agent).body, agent));
    const { body: verified } = await get(`/verify/${agent.name}`);
    expect([verified.checks.soulHash.status, verified.checks.arweave.status]).toEqual([
      ...["valid", "valid"],
    ]);
    expect(verified.checks.soulHash.txHash).toBe(body.txHash);
    expect(verified.checks.arweave.txId).toBe(body.arweaveTxId);
  });

  it("is partial while storage has lost an item, and failed once the passport is sold", async () => {
    const agent = await newAgent();
    const { arweaveTxId, erc8004AgentId } = agent.answer.body;
    const { rows } = await connection.pool.query(
      "delete from app.storage_item where id = $1 returning *",
      [arweaveTxId],
    );
    const lost = await get(`/verify/${agent.name}`);
    expect(lost.body.overallStatus).toBe("partial");
    expect(lost.body.checks.arweave).toMatchObject({
      status: "pending",
      details: "The archived soul is not found on permanent storage.",
    });
    const { id, bytes, data_hash, content_type, created_at } = rows[0];
    await connection.pool.query(
      `insert into app.storage_item (id, bytes, data_hash, content_type, created_at)
       values ($1, $2, $3, $4, $5)`,
      [id, bytes, data_hash, content_type, created_at],
    );

    await service.chain.fund(agent.owner.address);
    const block = await service.chain.transferPassport(
      BigInt(erc8004AgentId),
      agent.owner,
      newAccount().address,
    );
    const sold = await get(`/verify/${agent.name}?minBlock=${block}`);
    expect(sold.body.checks.soulValidity).toEqual({
      status: "suspended",
      reason:
        "The passport has left the owner who sealed this soul. It is suspended until the passport's owner reseals it.",
    });
    expect(sold.body.overallStatus).toBe("failed");
  });
});
