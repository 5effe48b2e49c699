import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Hex, LocalAccount } from "viem";
import { createTestClient, http, publicActions } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ApiError, Schema, Submission } from "../../kit/client/index.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { claimPorts } from "../../scripts/local-stack/ports.ts";
import { type Stack, startStack } from "../../scripts/local-stack/stack.ts";
import {
  freshName,
  offeredAgentWallet,
  PRIVATE_TEXT,
  PUBLIC_DESCRIPTION,
} from "../fixtures/registrations.ts";
import { type RpcGate, type StoppingPoint, startRpcGate } from "../fixtures/rpc-gate.ts";
import { type Integrator, integrator, newAccount } from "./integrator.ts";
import { stackDirectory } from "./start-command.ts";

// Processes that die at any step of a registration. Afterwards the registration is absent or
// complete, and the same request repeated gives one and the same answer.

/** The lease of a dead request's Idempotency-Key, plus a margin. */
const UNTIL_REPEATABLE = { timeout: 90_000, interval: 500 };
const SOON = { timeout: 60_000, interval: 50 };

let directory: string;
let gate: RpcGate;
let stack: Stack;
let user: Integrator;
let database: pg.Pool;
let chain: ReturnType<typeof chainClient>;

const chainClient = (url: string) =>
  createTestClient({ chain: hardhat, mode: "hardhat", transport: http(url) }).extend(publicActions);

interface Attempt {
  readonly name: string;
  readonly owner: LocalAccount;
  readonly submission: Submission;
}
/** Every interrupted registration, and the answers to repeating it. */
const attempts: Attempt[] = [];
const apiKeys: string[] = [];

beforeAll(async () => {
  directory = stackDirectory();
  const ports = await claimPorts({ chain: 0, postgres: 0, indexer: 0, api: 0 });
  gate = await startRpcGate(`http://127.0.0.1:${ports.chain}`);
  stack = await startStack({
    directory,
    ports,
    apiEnvironment: { RPC_URL: gate.url, LOG_LEVEL: "trace" },
  });
  // One try, so that each failure is seen.
  user = integrator(stack.urls.api, join(directory, "deployment.json"), { retries: 0 });
  chain = chainClient(stack.urls.rpc);
  database = new pg.Pool({ connectionString: stack.urls.database });
  database.on("error", () => {});
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
  await gate?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const relayer = () => stack.accounts.relayer.address;
const nonce = (blockTag: "latest" | "pending" = "latest") =>
  chain.getTransactionCount({ address: relayer(), blockTag });
const tokenOfName = (name: string) =>
  chain.readContract({
    address: stack.deployment.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "tokenOfName",
    args: [name],
  });

/** The progress of a registration in the database. */
async function progress(name: string) {
  const { rows } = await database.query<{ registration: string; transaction: string | null }>(
    `select r.state as registration, t.status as transaction from app.registration r
     left join app.relayer_transaction t on t.operation_id = 'register:' || r.id where r.name = $1`,
    [name],
  );
  return rows;
}

const nothingPending = () =>
  vi.waitFor(async () => {
    const { rows } = await database.query("select 1 from app.registration where state = 'pending'");
    expect(rows).toEqual([]);
  }, SOON);

async function newAttempt(): Promise<Attempt> {
  const owner = newAccount();
  const name = freshName();
  const submission = await new Promise<Submission>((resolve, reject) => {
    const stored = new Error("It is stored, and not sent yet.");
    const registering = user.client.register({
      soul: {
        identity: { name, agent_type: "specialist", description: PUBLIC_DESCRIPTION },
        soul: PRIVATE_TEXT,
      },
      signer: owner,
      publicFields: { "identity.description": PUBLIC_DESCRIPTION },
      generatedPicture: true,
      onSubmission(signed) {
        resolve(signed);
        throw stored;
      },
    });
    registering.catch((error: unknown) => {
      if (error !== stored) reject(error);
    });
  });
  const attempt = { name, owner, submission };
  attempts.push(attempt);
  return attempt;
}

/** Sends a stored registration, as a program does after a crash. */
function submit({ submission: { body, idempotencyKey } }: Attempt) {
  return user.client.request("registerAgent", { body: body as never, idempotencyKey });
}

/** Sends a registration that will get no answer. Resolves to the client's error. */
function send(attempt: Attempt): Promise<unknown> {
  return submit(attempt).then(
    ({ status }) => status,
    ({ code }: ApiError) => code,
  );
}

/** Kills the API when it reaches `point` with a registration. */
async function killAt(point: StoppingPoint): Promise<Attempt> {
  const attempt = await newAttempt();
  const reached = gate.shutAt(point);
  const sent = send(attempt);
  await reached;
  await stack.kill("api");
  expect(await sent).toBe("NETWORK_ERROR");
  return attempt;
}

async function restartApi() {
  gate.open();
  await stack.restart("api");
}

describe("the API, killed", () => {
  it("before it has accepted a registration, has done nothing", async () => {
    const { name } = await killAt({ method: "eth_call", at: "request" });
    expect(await progress(name)).toEqual([]);
    await restartApi();
    expect(await progress(name)).toEqual([]);
    expect(await tokenOfName(name)).toBe(0n);
  });

  it("after accepting it and before signing, continues by itself", async () => {
    const before = await nonce();
    const { name } = await killAt({ method: "eth_estimateGas", at: "request" });
    expect(await progress(name)).toEqual([{ registration: "pending", transaction: null }]);
    expect(await nonce("pending")).toBe(before);
    await restartApi();
    await nothingPending();
    expect(await progress(name)).toEqual([{ registration: "complete", transaction: "mined" }]);
    expect(await nonce()).toBe(before + 1);
  });

  it("after signing and before sending, sends the signed transaction", async () => {
    const before = await nonce();
    const { name } = await killAt({ method: "eth_sendRawTransaction", at: "request" });
    expect(await progress(name)).toEqual([{ registration: "pending", transaction: "open" }]);
    expect(await nonce("pending")).toBe(before);
    await restartApi();
    await nothingPending();
    expect(await progress(name)).toEqual([{ registration: "complete", transaction: "mined" }]);
    expect(await nonce()).toBe(before + 1);
  });

  it("after sending and before mining, waits for the sent transaction", async () => {
    const before = await nonce();
    await chain.setAutomine(false);
    await chain.setIntervalMining({ interval: 0 });
    const { name } = await killAt({ method: "eth_sendRawTransaction", at: "answer" });
    expect(await progress(name)).toEqual([{ registration: "pending", transaction: "open" }]);
    expect([await nonce(), await nonce("pending")]).toEqual([before, before + 1]);
    await restartApi();
    expect(await progress(name)).toEqual([{ registration: "pending", transaction: "open" }]);
    await chain.setAutomine(true);
    await chain.setIntervalMining({ interval: 1 });
    await nothingPending();
    expect(await progress(name)).toEqual([{ registration: "complete", transaction: "mined" }]);
    expect(await nonce()).toBe(before + 1);
  });

  it("after mining and before recording it, finds the mined transaction", async () => {
    const before = await nonce();
    const { name } = await killAt({ method: "eth_getTransactionReceipt", at: "answer" });
    expect(await progress(name)).toEqual([{ registration: "pending", transaction: "open" }]);
    expect(await nonce()).toBe(before + 1);
    expect(await tokenOfName(name)).not.toBe(0n);
    await restartApi();
    await nothingPending();
    expect(await progress(name)).toEqual([{ registration: "complete", transaction: "mined" }]);
    expect(await nonce()).toBe(before + 1);
  });
});

describe("the indexer, killed", () => {
  beforeAll(() => stack.kill("indexer"));

  it("leaves an API that registers, and reports how far reads are behind", async () => {
    const attempt = await newAttempt();
    const answer = await submit(attempt);
    expect(answer.status).toBe(201);
    const { mintTxHash } = answer.data as { readonly mintTxHash: Hex };
    const { blockNumber } = await chain.getTransactionReceipt({ hash: mintTxHash });
    const indexedBlock = BigInt(answer.headers.get("x-svc-block") ?? "");
    expect(indexedBlock).toBeLessThan(blockNumber);
    const minBlock = Number(blockNumber);
    const read = user.client.call("getProfile", {
      path: { name: attempt.name },
      query: { minBlock: String(minBlock) },
    });
    await expect(read).rejects.toMatchObject({
      status: 503,
      code: "REGISTRY_PENDING",
      details: { minBlock, indexedBlock: Number(indexedBlock) },
      retryAfter: 1,
    });
  });

  it("and then the API, between completion and answer, have lost nothing", async () => {
    const before = await nonce();
    const attempt = await newAttempt();
    // Without an index the answer has to wait: the registration is complete before the answer is
    // sent.
    const sent = send(attempt);
    await vi.waitFor(
      async () =>
        expect(await progress(attempt.name)).toEqual([
          { registration: "complete", transaction: "mined" },
        ]),
      SOON,
    );
    await stack.kill("api");
    expect(await sent).toBe("NETWORK_ERROR");
    await stack.restart("indexer");
    await restartApi();
    expect(await nonce()).toBe(before + 1);
  });
});

describe("every interrupted registration", () => {
  it("gives its whole answer to the same request, and the same again", async () => {
    const answers = await Promise.all(
      attempts.map((attempt) => vi.waitFor(() => submit(attempt), UNTIL_REPEATABLE)),
    );
    expect(attempts).toHaveLength(7);
    for (const [i, attempt] of attempts.entries()) {
      const { name, owner, submission } = attempt;
      const answer = answers[i];
      const data = answer?.data as Schema<"RegisteredAgent"> & {
        readonly agentWallet: ReturnType<typeof offeredAgentWallet>;
      };
      const tokenId = await tokenOfName(name);
      expect(answer).toMatchObject({ status: 201 });
      expect(data).toEqual({
        tokenId: Number(tokenId),
        erc8004AgentId: expect.any(Number) as number,
        agentName: name,
        did: `did:svc:31337:${name}`,
        profileUrl: `${user.client.service}/agents/${name}`,
        erc8004Url: expect.stringContaining(`${user.client.service}/ar/`) as string,
        soulHash: submission.body.soulHash,
        soulMerkleRoot: submission.body.soulMerkleRoot,
        arweaveTxId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
        genesisStatus: "SEALED",
        apiKey: expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/) as string,
        mintTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
        documentUploadUrls: [],
        updatedAgentUriUrl: data.erc8004Url,
        needsAgentUriUpdate: false,
        agentUriTransaction: null,
        pendingMetadata: [],
        approvalTransaction: null,
        agentWallet: offeredAgentWallet(
          stack.deployment.contracts.identityRegistry,
          data.erc8004AgentId,
          { owner: owner.address },
          data.agentWallet.transaction.args[2] ?? "",
        ),
      });
      apiKeys.push(data.apiKey);
      expect((await submit(attempt)).data).toEqual(data);
      await vi.waitFor(
        async () =>
          expect(await user.client.call("getProfile", { path: { name } })).toMatchObject({
            tokenId: Number(tokenId),
            erc8004AgentId: data.erc8004AgentId,
            owner: owner.address,
            genesisStatus: "SEALED",
          }),
        SOON,
      );
    }
    expect(new Set(apiKeys).size).toBe(7);
  });

  it("is on chain exactly once", async () => {
    const address = stack.deployment.contracts.soulRegistry;
    const abi = soulRegistryAbi;
    const events = await chain.getContractEvents({
      address,
      abi,
      eventName: "SoulRegistered",
      fromBlock: 0n,
    });
    expect(events.map(({ args }) => args.name).toSorted()).toEqual(
      attempts.map(({ name }) => name).toSorted(),
    );
    expect(await nonce("pending")).toBe(7);
    const { rows } = await database.query(
      "select (select count(*)::int from app.api_key) as keys, (select count(*)::int from app.soul_secret) as secrets",
    );
    expect(rows).toEqual([{ keys: 7, secrets: 7 }]);
  });
});

describe("the owner's private text", () => {
  /** A text as any column or log line could hold it. */
  const spellings = (text: string) => {
    const bytes = Buffer.from(text, "utf8");
    const escaped = JSON.stringify(text).slice(1, -1);
    return [text, escaped, bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, "")];
  };
  const saltSpellings = (salt: Hex) => {
    const bytes = Buffer.from(salt.slice(2), "hex");
    return [
      ...spellings(salt.slice(2)),
      bytes.toString("base64").replace(/=+$/, ""),
      bytes.toString("base64url"),
    ];
  };
  const secrets = () => [
    ...Object.values(PRIVATE_TEXT).flatMap(spellings),
    ...attempts.flatMap(({ submission }) => saltSpellings(submission.body.soulSalt as Hex)),
    ...apiKeys.flatMap(spellings),
  ];
  const found = (places: ReadonlyMap<string, string>, needles: readonly string[]) =>
    [...places].flatMap(([place, text]) =>
      needles.filter((needle) => text.includes(needle.toLowerCase())).map(() => place),
    );

  /** Every table of every schema as text, in lower case; bytes appear in hex. */
  async function tables(): Promise<Map<string, string>> {
    const { rows } = await database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts = new Map<string, string>();
    for (const { name } of rows) {
      const content = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.set(name, content.rows.map(({ row }) => row.toLowerCase()).join("\n"));
    }
    return texts;
  }

  it("is in no table", async () => {
    const places = await tables();
    expect(found(places, secrets())).toEqual([]);

    // Control: the search finds known values, as text and inside of bytes.
    expect(found(places, [PUBLIC_DESCRIPTION])).toContain("app.registration");
    expect(found(places, [Buffer.from(PUBLIC_DESCRIPTION).toString("hex")])).toEqual([
      "app.storage_item",
    ]);
    const [first] = attempts;
    const soulHash = String(first?.submission.body.soulHash);
    expect(found(places, [soulHash.slice(2)])).toContain("app.soul_secret");
  });

  it("is in no log, even at the most verbose level", () => {
    const logs = join(directory, "logs");
    const places = new Map(
      readdirSync(logs, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [
          entry.name,
          readFileSync(join(entry.parentPath, entry.name), "utf8").toLowerCase(),
        ]),
    );
    expect([...places.keys()].toSorted()).toEqual([
      "api.log",
      "chain.log",
      "indexer.log",
      "postgres.log",
    ]);
    expect(found(places, secrets())).toEqual([]);
    expect(found(places, ["/v1/register"])).toEqual(["api.log"]);
  });
});
