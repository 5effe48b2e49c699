import { type LocalAccount, parseGwei } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SUNSET } from "../../api/platform/http/operations.ts";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { bearer } from "../fixtures/agents.ts";
import { chainVerbs } from "../fixtures/chain-verbs.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { freshName, idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import { relayerAccount } from "../fixtures/relayer-accounts.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Batch registration over HTTP on the running service.

let service: Service;
let world: ReturnType<typeof organizationVerbs>;
beforeAll(async () => {
  service = await sharedService();
  world = organizationVerbs(service);
});
afterAll(() => service?.stop());

const refused = ({ status, body }: Answer) => [status, body.error?.type];

function agentsOf(admin: LocalAccount, count: number, names: readonly string[] = []) {
  return Array.from({ length: count }, (_, index) => {
    const { ownerAddress: _owner, ...agent } = registrationBody(names[index] ?? freshName(), admin);
    return agent;
  });
}

/** A signed batch of an organization that `admin` founds. */
async function newBatch(count: number, names: readonly string[] = [], choice: Choice = {}) {
  const admin = newAccount();
  const organizationId = await world.found(admin);
  const agents = agentsOf(admin, count, names);
  return { admin, organizationId, agents, ownerAddress: admin.address, ...choice };
}
interface Choice {
  readonly leaveOutTakenNames?: boolean;
}
type Batch = Awaited<ReturnType<typeof newBatch>>;

const bodyOf = ({ admin: _admin, ...body }: Batch) => body;
const prepare = (batch: Batch) => world.send("POST", "/v1/typed-data/org-batch", bodyOf(batch));
const signed = (batch: Batch) => world.signedAs("org-batch", bodyOf(batch), batch.admin);
const register = (batch: Batch, body: unknown, key = idempotencyKey()) =>
  world.send("POST", `/v1/org/${batch.organizationId}/batch-register`, body, {
    "Idempotency-Key": key,
  });
const tokenOf = (name: string) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "tokenOfName",
    args: [name],
  });

describe("POST /v1/org/:id/batch-register", () => {
  it("registers 50 agents with one signature and one transaction, and a key for each", async () => {
    const batch = await newBatch(50);
    const body = await signed(batch);
    const key = idempotencyKey();
    const answer = await register(batch, body, key);
    expect(answer.status).toBe(201);
    const { results, batchTxHash } = answer.body;
    expect(answer.body).toEqual({
      organizationId: batch.organizationId,
      registered: 50,
      results: batch.agents.map(({ agentName }) => ({
        agentName,
        tokenId: expect.any(Number) as number,
        erc8004AgentId: expect.any(Number) as number,
        status: "SEALED",
        apiKey: expect.stringMatching(/^svc_live_/) as string,
      })),
      leftOut: [],
      batchTxHash,
    });
    expect(new Set(results.map(({ apiKey }: { apiKey: string }) => apiKey)).size).toBe(50);
    const [first] = results;
    expect(await tokenOf(first.agentName)).toBe(BigInt(first.tokenId));
    const profile = await service.request(`/v1/profile/${first.agentName}`, {
      headers: bearer(first.apiKey),
    });
    expect(profile.body).toMatchObject({
      tokenId: first.tokenId,
      genesisStatus: "SEALED",
      organizationId: batch.organizationId,
    });
    const members = await service.get(`/v1/org/${batch.organizationId}?membersLimit=100`);
    expect(members.body.members).toHaveLength(50);
    expect((await register(batch, body, key)).body).toEqual(answer.body);
    // A copied signature reads no keys.
    expect(refused(await register(batch, body))).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
  });

  /** What the file says that an agent's passport points at. */
  async function fileOf(passportId: number) {
    const { chain } = service;
    const uri = await chain.client.readContract({
      address: chain.contracts.identityRegistry,
      abi: identityRegistryAbi,
      functionName: "tokenURI",
      args: [BigInt(passportId)],
    });
    return (await service.get(`/ar/${uri.slice("ar://".length)}`)).body;
  }

  it("points each passport at a file that names its ids", async () => {
    const batch = await newBatch(3);
    const { results } = (await register(batch, await signed(batch))).body;
    const registry = service.chain.contracts.identityRegistry;
    for (const { tokenId, erc8004AgentId } of results) {
      expect(await fileOf(erc8004AgentId)).toMatchObject({
        registrations: [{ agentId: erc8004AgentId, agentRegistry: `eip155:31337:${registry}` }],
        svc: { tokenId },
      });
    }
  });

  const FIRST_IN_ITS_BLOCK = {
    gas: 2_000_000n,
    maxPriorityFeePerGas: parseGwei("100"),
    maxFeePerGas: parseGwei("200"),
  };

  /** Sends a signed batch, and then what gets into its block before it. */
  async function registerAfter(batch: Batch, body: unknown, overtake: () => Promise<unknown>) {
    const { client } = service.chain;
    const pending = async () =>
      (await client.getBlock({ blockTag: "pending", includeTransactions: true })).transactions
        .length;
    await client.setAutomine(false);
    try {
      const answering = register(batch, body);
      await vi.waitFor(async () => expect(await pending()).toBe(1), { timeout: 20_000 });
      const overtaking = overtake();
      await vi.waitFor(async () => expect(await pending()).toBe(2), { timeout: 20_000 });
      await client.mine({ blocks: 1 });
      await client.setAutomine(true);
      await overtaking;
      return await answering;
    } finally {
      await client.setAutomine(true);
    }
  }

  it("registers with files without ids when a stranger's registration comes first", async () => {
    const batch = await newBatch(2);
    const body = await signed(batch);
    const { client, contracts } = service.chain;
    const stranger = newAccount();
    await service.chain.fund(stranger.address);
    const answer = await registerAfter(batch, body, () =>
      client.writeContract({
        account: stranger,
        address: contracts.identityRegistry,
        abi: identityRegistryAbi,
        functionName: "register",
        ...FIRST_IN_ITS_BLOCK,
      }),
    );
    expect(answer.status).toBe(201);
    for (const { erc8004AgentId, agentName } of answer.body.results) {
      const file = await fileOf(erc8004AgentId);
      expect(file).toMatchObject({ name: agentName });
      expect(file.svc.tokenId).toBeUndefined();
    }
  });

  const rowsOf = async (names: readonly string[]) =>
    (
      await service.pool.query(
        "select name, state from app.registration where name = any($1) order by array_position($1, name)",
        [names],
      )
    ).rows.map(({ name, state }) => [name, state]);

  it("leaves out a name that an agent got after the signature, if the admin allowed it", async () => {
    const names = [freshName(), freshName(), freshName()] as const;
    const batch = await newBatch(3, names, { leaveOutTakenNames: true });
    const body = await signed(batch);
    const holder = await world.newAgentNamed(names[1], newAccount(), {});
    const key = idempotencyKey();
    const answer = await register(batch, body, key);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      registered: 2,
      leftOut: [{ agentName: names[1], takenBy: holder.tokenId }],
    });
    const { results } = answer.body;
    expect(results.map(({ agentName }: { agentName: string }) => agentName)).toEqual([
      names[0],
      names[2],
    ]);
    for (const { agentName, tokenId, erc8004AgentId, apiKey } of results) {
      expect(await tokenOf(agentName)).toBe(BigInt(tokenId));
      expect(await fileOf(erc8004AgentId)).toMatchObject({ name: agentName, svc: { tokenId } });
      const profile = await service.request(`/v1/profile/${agentName}`, {
        headers: bearer(apiKey),
      });
      expect(profile.body).toMatchObject({ tokenId, organizationId: batch.organizationId });
    }
    expect(await rowsOf(names)).toEqual(names.map((name) => [name, "complete"]));
    expect((await register(batch, body, key)).body).toEqual(answer.body);

    // Without the admin's leave one name refuses all.
    const firm = await newBatch(2, [freshName(), names[1]]);
    expect(refused(await prepare(firm))).toEqual([409, "NAME_TAKEN"]);
    const none = await newBatch(1, [names[1]], { leaveOutTakenNames: true });
    const refusal = await prepare(none);
    expect(refused(refusal)).toEqual([409, "NAME_TAKEN"]);
    expect(refusal.body.error.message).toBe(
      "Other agents have all names of the batch. Choose other names.",
    );
  });

  /** What another registrar does, first in its block. */
  async function otherRegistrar() {
    const { client, contracts } = service.chain;
    const registrar = await relayerAccount(service.chain);
    return chainVerbs({
      client: {
        ...client,
        writeContract: (call: object) =>
          client.writeContract({ ...call, account: registrar, ...FIRST_IN_ITS_BLOCK } as never),
      } as never,
      contracts: contracts as never,
      mined: world.mined as never,
      admin: registrar,
      service: registrar,
    });
  }

  it("leaves out a name that another registrar gives in the same block", async () => {
    const verbs = await otherRegistrar();
    const names = [freshName(), freshName()] as const;
    const batch = await newBatch(2, names, { leaveOutTakenNames: true });
    const body = await signed(batch);
    const answer = await registerAfter(batch, body, () =>
      verbs.registerBatch(newAccount(), [names[0]]),
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      registered: 1,
      results: [{ agentName: names[1] }],
      leftOut: [{ agentName: names[0], takenBy: Number(await tokenOf(names[0])) }],
    });
    // The other registrar's agent has the name: this service keeps no row of it.
    expect(await rowsOf(names)).toEqual([[names[1], "complete"]]);
    const [{ erc8004AgentId, agentName }] = answer.body.results;
    expect((await fileOf(erc8004AgentId)).name).toBe(agentName);
  });

  it("ends a batch of which another registrar takes all names in the same block", async () => {
    const verbs = await otherRegistrar();
    const names = [freshName()];
    const batch = await newBatch(1, names, { leaveOutTakenNames: true });
    const body = await signed(batch);
    const answer = await registerAfter(batch, body, () => verbs.registerBatch(newAccount(), names));
    expect(refused(answer)).toEqual([409, "NAME_TAKEN"]);
    expect(await rowsOf(names)).toEqual([]);
  });

  it("refuses all for one bad entry, with its index and reason", async () => {
    const { name } = await world.newAgent();
    const taken = await newBatch(3, [freshName(), name]);
    const answer = await prepare(taken);
    expect(refused(answer)).toEqual([409, "NAME_TAKEN"]);
    expect(answer.body.error.details.index).toBe(1);
    expect(answer.body.error.message).toMatch(/^Agent 1 of the batch: /);

    const twice = await newBatch(2, ["heron-twice-in-it", "heron-twice-in-it"]);
    const repeated = await prepare(twice);
    expect(refused(repeated)).toEqual([409, "NAME_TAKEN"]);
    expect(repeated.body.error.message).toBe(
      "Agent 1 of the batch: The batch has this name twice.",
    );

    const misnamed = await prepare(await newBatch(2, [freshName(), "Not-A-Name"]));
    expect(refused(misnamed)).toEqual([400, "INVALID_NAME"]);
    expect(misnamed.body.error.details.issues[0].path).toBe("agents.1.agentName");

    const broken = await newBatch(2);
    const [one, two] = broken.agents as [(typeof broken.agents)[0], (typeof broken.agents)[0]];
    const body = await signed(broken);
    const mixed = { ...two, soulMerkleRoot: one.soulMerkleRoot };
    const refusal = await register(broken, { ...body, agents: [one, mixed] });
    expect(refused(refusal)).toEqual([422, "INVALID_MERKLE_DATA"]);
    expect(refusal.body.error.details.index).toBe(1);
    expect(await tokenOf(one.agentName)).toBe(0n);
  });

  it("archives nothing of a batch for which the day's gas does not suffice", async () => {
    const batch = await newBatch(2);
    const body = await signed(batch);
    const used = (change: string) =>
      service.pool.query(`update app.gas_budget set gas = gas ${change} (2::bigint ^ 61)::bigint`);
    const archived = async () =>
      (await service.pool.query("select count(*)::int as n from app.storage_item")).rows[0].n;
    const before = await archived();
    await used("+");
    try {
      expect(refused(await register(batch, body))).toEqual([503, "GAS_BUDGET_EXHAUSTED"]);
      expect(await archived()).toBe(before);
    } finally {
      await used("-");
    }
    expect((await register(batch, body)).status).toBe(201);
    expect(await archived()).toBe(before + 6);
  });

  it("rejects another owner than the admin, another signer, and more than 50 agents", async () => {
    const batch = await newBatch(1);
    const stranger = newAccount();
    const foreign = await prepare({ ...batch, ownerAddress: stranger.address });
    expect(refused(foreign)).toEqual([403, "FORBIDDEN"]);
    const body = await signed(batch);
    const other = await register(batch, { ...body, signer: stranger.address });
    expect(refused(other)).toEqual([403, "NOT_OWNER"]);
    const many = await prepare({ ...batch, agents: agentsOf(batch.admin, 51) });
    expect(refused(many)).toEqual([400, "INVALID_REQUEST"]);
    const unsigned = await register(batch, bodyOf(batch));
    expect(refused(unsigned)).toEqual([403, "WALLET_SIGNATURE_REQUIRED"]);
  });

  it("rejects a message about other agents or another choice, naming the entry", async () => {
    const batch = await newBatch(2);
    const body = await signed(batch);
    const [one] = batch.agents;
    const [other] = agentsOf(batch.admin, 1);
    const answer = await register(batch, { ...body, agents: [one, other] });
    expect(refused(answer)).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.body.error.details.issues[0].path).toBe("message.entries.1.name");
    const unsigned = await register(batch, { ...body, leaveOutTakenNames: true });
    expect(refused(unsigned)).toEqual([400, "INVALID_REQUEST"]);
    expect(unsigned.body.error.details.issues[0].path).toBe("message.leaveOutTakenNames");
  });
});

describe("POST /v1/fleet/:id/batch-register", () => {
  it("takes and returns fleetId, and announces its end", async () => {
    const batch = await newBatch(1);
    const { organizationId: fleetId, ...fields } = bodyOf(batch);
    const body = await world.signedAs("org-batch", { ...fields, fleetId }, batch.admin);
    const answer = await world.send("POST", `/v1/fleet/${fleetId}/batch-register`, body, {
      "Idempotency-Key": idempotencyKey(),
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ organizationId: fleetId, fleetId, registered: 1 });
    expect(answer.headers.get("Sunset")).toBe(SUNSET.toUTCString());
    expect(answer.headers.get("Deprecation")).toMatch(/^@[0-9]+$/);
  });

  it("rejects a body about another organization than the path's", async () => {
    const batch = await newBatch(1);
    const body = { ...(await signed(batch)), organizationId: batch.organizationId + 1 };
    const answer = await register(batch, body);
    expect(refused(answer)).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.body.error.details.issues).toEqual([
      { path: "organizationId", message: `The path says ${batch.organizationId}` },
    ]);
  });
});
