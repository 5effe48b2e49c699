import { verifyMessage } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkAgent, scheduleDue } from "../../../../api/features/endpoint-checks/checks.jobs.ts";
import { createEndpointChecks } from "../../../../api/features/endpoint-checks/checks.store.ts";
import { createProbing } from "../../../../api/features/endpoint-checks/probing.ts";
import { createPassportFiles } from "../../../../api/features/passports/passport-files.ts";
import { TABLES } from "../../../../api/features.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { forgetRows } from "../../../../api/platform/database/retention.ts";
import { limitedAddress } from "../../../../api/platform/limits/client-address.ts";
import { createAddressPolicy } from "../../../../api/platform/outbound/addresses.ts";
import { createOutboundHttp } from "../../../../api/platform/outbound/client.ts";
import { createHostCounts } from "../../../../api/platform/outbound/host-budget.store.ts";
import { createHostBudget } from "../../../../api/platform/outbound/host-budget.ts";
import { createStatements } from "../../../../api/platform/secrets/statements.ts";
import type { IndexedAgent, IndexedAgents } from "../../../../api/soul/index-reads.ts";
import { byTokenId } from "../../../../api/soul/soul-ref.ts";
import * as indexed from "../../../../indexer/ponder.schema.ts";
import { serviceMetadata } from "../../../../protocol/service-metadata.ts";
import { type AgentEndpoints, startAgentEndpoints } from "../../../fixtures/agent-endpoints.ts";
import { createIndexTables } from "../../../fixtures/index-tables.ts";
import { createJobRecorder, type JobRecorder } from "../../../fixtures/job-recorder.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { capturedLog } from "../../helpers.ts";

const REGISTRY = "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";
const ENTRY = { agentId: 22, agentRegistry: `eip155:31337:${REGISTRY}` };
const OWNER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const SOUL_HASH = `0x${"a1".repeat(32)}` as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let database: TestDatabase;
let connection: DatabaseConnection;
let jobs: JobRecorder;
let server: AgentEndpoints;
let now: Date;
let agents: Map<bigint, IndexedAgent>;
const open: ReturnType<typeof createOutboundHttp>[] = [];
const statements = createStatements(generatePrivateKey());
const never = new AbortController().signal;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
  await createIndexTables(connection.pool, [indexed.soul, indexed.passportMetadata]);
  jobs = await createJobRecorder(connection.db);
});
afterAll(async () => {
  for (const http of open) await http.close();
  await connection?.close();
  await database?.drop();
});
beforeEach(async () => {
  now = new Date("2026-11-23T12:00:00Z");
  agents = new Map();
  server = await startAgentEndpoints();
  await connection.pool.query(`truncate app.endpoint_watch, app.endpoint_host, app.endpoint_check_set,
    app.endpoint_check, chain.soul, chain.passport_metadata, recorded_job`);
});
afterEach(() => server.stop());

function service(budget = 1_000) {
  const { db } = connection;
  const http = createOutboundHttp({
    policy: createAddressPolicy([], true),
    budget: createHostBudget({
      counts: createHostCounts(db),
      limitedAddress,
      limits: { host: budget, shared: 1_000 },
      clock: () => now,
    }),
  });
  open.push(http);
  const clock = () => now;
  const checking = {
    db,
    jobs,
    agents: {
      agent: async (ref) => ({
        at: { block: 1n, timestamp: 1n },
        value: ref.kind === "tokenId" ? (agents.get(ref.tokenId) ?? null) : null,
      }),
    } satisfies IndexedAgents,
    files: createPassportFiles({
      stored: async () => null,
      http,
      storageUrl: "https://svc.example/ar/",
      timeoutMs: 5_000,
    }),
    probing: createProbing(http, () => performance.now()),
    statements,
    registry: ENTRY.agentRegistry,
    clock,
  };
  return {
    ...createEndpointChecks(checking),
    run: (tokenId: bigint, signal: AbortSignal) => checkAgent(checking, tokenId, signal),
    scheduleDue: (signal: AbortSignal) => scheduleDue(db, jobs, clock, signal),
  };
}

const uriOf = (file: object) =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(file)).toString("base64")}`;

/** An agent as the index has it, with this registration file, on the list. */
async function agentWith(
  file: object,
  change: { readonly status?: string; readonly tokenId?: bigint } = {},
): Promise<bigint> {
  const { tokenId = 7n, status = "SEALED" } = change;
  const soul = {
    tokenId,
    name: "heron",
    passportId: 22n,
    status,
    sealer: OWNER,
    suspended: false,
    soulHash: SOUL_HASH,
    didArchiveId: null,
  };
  const agent = {
    soul,
    passport: { owner: OWNER, uri: uriOf(file) },
    agentWallet: OWNER,
    identity: null,
  };
  agents.set(tokenId, agent as unknown as IndexedAgent);
  await connection.pool.query(
    `insert into chain.soul (token_id, name, name_skeleton, validity, passport_id, owner, sealer, operator, version, passport_version,
      parent_token_id, epoch, status, agent_type, new_passport, revisions, mint_timestamp, mint_block, mint_tx, last_active_at)
      values ($1, $2, $2, 'valid', 22, '', '', '', 0, 0, 0, 1, $3, 1, true, 1, 0, 0, '', 0)`,
    [tokenId.toString(), `heron-${tokenId}`, status],
  );
  return tokenId;
}

const declared = () => ({
  type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
  name: "Heron",
  registrations: [ENTRY],
  services: [
    { name: "A2A", endpoint: `${server.origin}/.well-known/agent-card.json` },
    { name: "MCP", endpoint: `${server.origin}/mcp` },
    { name: "web", endpoint: `${server.origin}/` },
    { name: "ENS", endpoint: "heron.eth" },
  ],
});

const waiting = async () =>
  (await jobs.waiting()).map(({ name, data, runAt }) => [name, data, runAt.toISOString()]);

async function dueAt(tokenId: bigint): Promise<string | null> {
  const { rows } = await connection.pool.query(
    "select due_at from app.endpoint_watch where token_id = $1",
    [tokenId.toString()],
  );
  return rows[0]?.due_at?.toISOString() ?? null;
}

describe("a check", () => {
  it("is stored with everything that was seen, and signed for any reader", async () => {
    const tokenId = await agentWith(declared());
    const checks = service();
    await checks.request(byTokenId(tokenId));
    server.isRunning = true;
    server.proof = { registrations: [ENTRY] };
    await checks.run(tokenId, never);

    const { value } = await checks.of(byTokenId(tokenId), null);
    const { check } = value;
    expect(check?.endpoints.map(({ service: name, state, kind }) => [name, kind, state])).toEqual([
      ["A2A", "a2a", "answers"],
      ["MCP", "mcp", "answers"],
      ["web", "web", "answers"],
      ["ENS", null, "not_checked"],
    ]);
    expect(check?.checkedAt).toEqual(now);
    expect(value.nextCheckAt).toEqual(new Date(now.getTime() + 6 * HOUR));
    expect(value.days).toEqual([
      {
        day: "2026-11-23",
        states: { answers: 3, silent: 0, domain_not_proven: 0, not_checked: 0 },
      },
    ]);
    if (check == null) throw new Error("no check");
    const { signer: address, statement: message, signature } = check;
    expect(await verifyMessage({ address, message, signature })).toBe(true);
    const altered = message.replace('"silent"', '"answers"').replace("Heron", "Egret");
    expect(JSON.parse(message)).toMatchObject({
      format: "agent-identity-protocol/endpoint-checks/v1",
      agentRegistry: ENTRY.agentRegistry,
      agentId: "22",
      checkedAt: "2026-11-23T12:00:00.000Z",
      file: { reading: "read", hasName: true, hasDescription: false, namesPassport: true },
    });
    expect(await verifyMessage({ address, message: `${altered} `, signature })).toBe(false);
    // No secret and no cookie left with a request: only what every client sends.
    expect(server.asked.filter((one) => one.includes("/mcp"))).toEqual([
      "POST /mcp",
      "POST /mcp",
      "POST /mcp",
      "DELETE /mcp",
    ]);
  });

  it("says silent, and that a domain is not proven", async () => {
    const tokenId = await agentWith(declared());
    const checks = service();
    await checks.request(byTokenId(tokenId));
    await checks.run(tokenId, never);
    const states = async () => (await checks.last(tokenId))?.endpoints.map(({ state }) => state);
    expect(await states()).toEqual(["silent", "silent", "silent", "not_checked"]);
    server.isRunning = true;
    now = new Date(now.getTime() + 15 * MINUTE);
    await checks.run(tokenId, never);
    expect(await states()).toEqual([
      "domain_not_proven",
      "domain_not_proven",
      "domain_not_proven",
      "not_checked",
    ]);
    const before = await checks.of(byTokenId(tokenId), now);
    expect(before.value.check?.endpoints[0]?.state).toBe("silent");
  });

  it("begins at most every 15 minutes, of any number of processes", async () => {
    const tokenId = await agentWith(declared());
    const checks = service();
    await checks.request(byTokenId(tokenId));
    await Promise.all([checks.run(tokenId, never), service().run(tokenId, never)]);
    const cards = () => server.asked.filter((one) => one === "GET /").length;
    expect(cards()).toBe(1);
    now = new Date(now.getTime() + 15 * MINUTE - 1);
    await checks.run(tokenId, never);
    expect(cards()).toBe(1);
    now = new Date(now.getTime() + 1);
    await checks.run(tokenId, never);
    expect(cards()).toBe(2);
  });

  it("that is killed leaves nothing half, and is repeated 15 minutes later", async () => {
    const tokenId = await agentWith(declared());
    const checks = service();
    await checks.scheduleDue(never);
    const killed = AbortSignal.abort(new Error("killed"));
    await expect(checks.run(tokenId, killed)).rejects.toThrow("killed");
    expect(await checks.last(tokenId)).toBeNull();
    await connection.pool.query("delete from recorded_job");

    now = new Date(now.getTime() + 15 * MINUTE - 1);
    await checks.scheduleDue(never);
    expect(await waiting()).toEqual([]);
    now = new Date(now.getTime() + 1);
    await checks.scheduleDue(never);
    expect(await waiting()).toEqual([["endpoint-check.run", { tokenId: "7" }, now.toISOString()]]);
    await checks.run(tokenId, never);
    expect((await checks.last(tokenId))?.endpoints.length).toBe(4);
  });

  it("of an agent that declares nothing is repeated after three days", async () => {
    const tokenId = await agentWith({ name: "Heron" });
    const checks = service();
    await checks.request(byTokenId(tokenId));
    await checks.run(tokenId, never);
    expect(await dueAt(tokenId)).toBe(new Date(now.getTime() + 72 * HOUR).toISOString());
    const { value } = await checks.of(byTokenId(tokenId), null);
    expect([value.check?.endpoints, value.check?.file.reading]).toEqual([[], "read"]);
    expect(value.days).toEqual([]);
  });

  it("of a burned agent is the last one, and it is not found any more", async () => {
    const tokenId = await agentWith(declared(), { status: "BURNED" });
    const checks = service();
    await checks.scheduleDue(never);
    await checks.run(tokenId, never);
    expect([await dueAt(tokenId), server.asked]).toEqual([null, []]);
    await expect(checks.of(byTokenId(tokenId), null)).rejects.toMatchObject({ type: "NOT_FOUND" });
    await expect(checks.request(byTokenId(tokenId))).rejects.toMatchObject({ type: "NOT_FOUND" });
    now = new Date(now.getTime() + 1_000 * HOUR);
    await connection.pool.query("delete from recorded_job");
    await checks.scheduleDue(never);
    expect(await waiting()).toEqual([]);
  });

  it("leaves out hosts that were asked too often, of whichever agent", async () => {
    const [one, other] = [
      await agentWith(declared()),
      await agentWith(declared(), { tokenId: 8n }),
    ];
    server.isRunning = true;
    const checks = service(5);
    for (const tokenId of [one, other]) {
      await checks.request(byTokenId(tokenId));
      await checks.run(tokenId, never);
    }
    expect(server.asked.length).toBe(5);
    const last = await checks.last(other);
    expect(last?.endpoints.map(({ state }) => state)).toEqual([
      "not_checked",
      "not_checked",
      "not_checked",
      "not_checked",
    ]);
    expect(last?.endpoints[0]?.seen).toBe(
      "It was not asked, because its host has been asked too often in the last minutes.",
    );
    // A quarter of an hour later.
    now = new Date(now.getTime() + 15 * MINUTE);
    await checks.run(other, never);
    expect(server.asked.length).toBe(10);
  });
});

describe("a request for a check", () => {
  it("is carried out at once, and then 15 minutes after the last one began", async () => {
    const tokenId = await agentWith(declared());
    const checks = service();
    expect((await checks.request(byTokenId(tokenId))).checkAt).toEqual(now);
    await checks.run(tokenId, never);
    await connection.pool.query("delete from recorded_job");
    const began = now.getTime();
    now = new Date(began + 4 * MINUTE);
    const at = new Date(began + 15 * MINUTE);
    for (let time = 0; time < 3; time += 1) {
      expect((await checks.request(byTokenId(tokenId))).checkAt).toEqual(at);
    }
    expect(await waiting()).toEqual([["endpoint-check.run", { tokenId: "7" }, at.toISOString()]]);
  });

  it("is refused for an agent that does not exist", async () => {
    await expect(service().request(byTokenId(99n))).rejects.toMatchObject({ type: "NOT_FOUND" });
    const { rows } = await connection.pool.query("select from app.endpoint_watch");
    expect(rows).toEqual([]);
  });
});

describe("the list of what is due", () => {
  it("takes in every agent once, and gives each to one of two processes", async () => {
    for (let tokenId = 1n; tokenId <= 230n; tokenId += 1n) await agentWith({}, { tokenId });
    await Promise.all([service().scheduleDue(never), service().scheduleDue(never)]);
    await service().scheduleDue(never);
    const sent = (await jobs.waiting()).map(({ data }) => Number(data.tokenId));
    expect(sent.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 230 }, (_, index) => index + 1),
    );
  });
});

describe("the grade", () => {
  it("follows from the last check and from the index as it is now", async () => {
    const tokenId = await agentWith({ ...declared(), description: "Counts.", image: "ipfs://x" });
    const checks = service();
    const gradeNow = async () => {
      const { value } = await checks.of(byTokenId(tokenId), null);
      return [value.report?.grade, value.report?.fixes.map(({ id }) => id)];
    };
    expect(await gradeNow()).toEqual([undefined, undefined]);
    server.isRunning = true;
    server.proof = { registrations: [ENTRY] };
    await checks.request(byTokenId(tokenId));
    await checks.run(tokenId, never);
    const small = ["service-metadata", "did-document", "public-identity"];
    expect(await gradeNow()).toEqual(["A", small]);

    const metadata = { tokenId, soulHash: SOUL_HASH, archiveId: null, status: "SEALED" } as const;
    for (const [key, value] of serviceMetadata(metadata)) {
      await connection.pool.query(
        `insert into chain.passport_metadata (passport_id, key, value, updated_at, updated_block, updated_tx)
          values (22, $1, $2, 0, 0, '')`,
        [key, value],
      );
    }
    expect(await gradeNow()).toEqual(["A", ["did-document", "public-identity"]]);
    const agent = agents.get(tokenId);
    if (agent === undefined) throw new Error("no agent");
    const soul = { ...agent.soul, suspended: true };
    agents.set(tokenId, { ...agent, soul });
    const suspended = await gradeNow();
    expect([suspended[0], suspended[1]?.[0]]).toEqual(["D", "soul-valid"]);
  });
});

describe("results", () => {
  it("are deleted after 90 days", async () => {
    const tokenId = await agentWith(declared());
    const checks = service();
    await checks.request(byTokenId(tokenId));
    await checks.run(tokenId, never);
    const day = 24 * HOUR;
    const forgetAt = (at: number) => forgetRows(connection.db, TABLES, new Date(at), never);
    await forgetAt(now.getTime() + 90 * day);
    expect(await checks.last(tokenId)).not.toBeNull();
    await forgetAt(now.getTime() + 90 * day + 1);
    expect(await checks.last(tokenId)).toBeNull();
    const { rows } = await connection.pool.query("select from app.endpoint_check");
    expect(rows).toEqual([]);
  });
});
