import type { LocalAccount, SignTypedDataParameters } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allowanceChanges } from "../../api/features/allowances/changes.ts";
import {
  createAllowanceCalls,
  createAllowanceVault,
} from "../../api/features/allowances/vault.chain.ts";
import { createEmergencyStops } from "../../api/features/emergency-stop/stop.ts";
import { createStopStore } from "../../api/features/emergency-stop/stops.store.ts";
import { createWebhookStore } from "../../api/features/webhooks/webhooks.store.ts";
import { createWebhookEpochs } from "../../api/features/webhooks/webhooks.ts";
import { createSigningDomains } from "../../api/operations/signing-domains.ts";
import type { DatabaseConnection } from "../../api/platform/database/connect.ts";
import { createChainSouls } from "../../api/soul/chain-soul.chain.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, ownerSession } from "../fixtures/agents.ts";
import { Killed, Life, mortal } from "../fixtures/mortal.ts";
import { connectTo, operationProcess } from "../fixtures/owner-operations.ts";
import { type OwnedAgent, ownerSigned } from "../fixtures/owner-signed.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { requester } from "../fixtures/sponsorship.ts";

// An emergency stop whose process dies, on real contracts, the real index and real Postgres.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
let connection: DatabaseConnection;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await sharedService();
  closing.push(service.stop);
  world = ownerSigned(service);
  connection = await connectTo(service);
  closing.push(connection.close);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const MORTAL: ReadonlySet<string> = new Set(["ledger", "relayer"]);
const IMMORTAL = new Life(() => false);
const clock = () => new Date();

/** A process that stops agents; it dies with its life. */
function stopProcess(life: Life = IMMORTAL) {
  const { db } = connection;
  const { contracts } = service.chain;
  const client = service.chain.client as never;
  const souls = createChainSouls({ client, soulView: contracts.soulView });
  const vault = createAllowanceVault({
    client,
    soulRegistry: contracts.soulRegistry,
    allowanceVault: contracts.allowanceVault,
    timeoutMs: 5_000,
  });
  const { end } = allowanceChanges({
    souls,
    vault,
    allowanceVault: contracts.allowanceVault,
    calls: createAllowanceCalls(contracts.allowanceVault),
    clock,
  });
  const process = operationProcess({
    service,
    connection,
    around: (name, port) => (MORTAL.has(name) ? mortal(port, life) : port),
  });
  const stops = createEmergencyStops({
    souls,
    engine: process.engine,
    endAllowance: end,
    isAllowanceActive: async (tokenId) => (await vault.stateOf(tokenId)).active,
    store: mortal(
      createStopStore({
        db,
        clock,
        webhookEpochs: createWebhookEpochs(createWebhookStore(db), clock),
      }),
      life,
    ),
    transaction: (work) => db.transaction(work),
  });
  return { ...process, stops, recover: () => process.engine.recover(stops.definitions) };
}

async function newAgent(owner: LocalAccount): Promise<OwnedAgent & { readonly session: string }> {
  const agent = await world.newAgent(owner);
  const { tokenId } = agent;
  const limits = { tokenId, perTransaction: 1_000_000, dailyLimit: 2_000_000 };
  const body = await world.signed("allowance", limits, owner);
  expect((await world.send("POST", `/v1/allowance/${tokenId}`, body)).status).toBe(200);
  const passport = { agentId: Number(agent.passportId) };
  return { ...agent, session: (await ownerSession(service, owner, passport)).accessToken };
}

async function signed({ tokenId, owner }: OwnedAgent) {
  const process = stopProcess();
  const { primaryType, message } = await process.stops.prepare(BigInt(tokenId));
  await process.close();
  const domains = createSigningDomains({ chainId: 31337, contracts: service.chain.contracts });
  const typedData = domains.typedData("AllowanceVault", primaryType, message);
  const signature = await owner.signTypedData(typedData as unknown as SignTypedDataParameters);
  return { message: message as never, signature, signer: owner.address };
}

/** Whether key, session and allowance work. */
async function standingOf({ tokenId, apiKey, session }: Awaited<ReturnType<typeof newAgent>>) {
  const statusWith = async (credential: string) =>
    (await service.request("/v1/status", { headers: bearer(credential) })).status;
  const { body } = await service.get(`/v1/allowance/${tokenId}`);
  return {
    key: await statusWith(apiKey),
    session: await statusWith(session),
    allowance: body.allowance.active as boolean,
  };
}

const UNTOUCHED = { key: 200, session: 200, allowance: true };
const STOPPED = { key: 401, session: 401, allowance: false };

it("ends everything or nothing at whichever step its process dies, and its repetition ends the rest", async () => {
  const owner = newAccount();
  let steps = 0;
  let resumed = 0;
  for (let fatal = 1; ; fatal += 1) {
    const agent = await newAgent(owner);
    const tokenId = BigInt(agent.tokenId);
    const evidence = await signed(agent);
    const life = new Life((step) => step === fatal);
    const dying = stopProcess(life);
    const outcome = await dying.stops
      .stopBySignature(tokenId, evidence, requester())
      .then(() => "done" as const)
      .catch((error: unknown) => {
        if (error instanceof Killed || (error as Error).cause instanceof Killed) return "dead";
        throw error;
      });
    await dying.close();
    if (outcome === "done" && !life.isDead) break;
    steps = fatal;
    // Keys and sessions end in the transaction that accepts the stop, before any other process.
    const { rowCount: accepted } = await connection.pool.query(
      `select from app.operation o join app.operation_subject s on s.operation_id = o.id
       where o.kind = 'emergency_stop_allowance' and s.id = $1`,
      [tokenId.toString()],
    );
    expect((await standingOf(agent)).key).toBe(accepted === 1 ? 401 : 200);
    const successor = stopProcess();
    await successor.recover();
    const standing = await standingOf(agent);
    expect([UNTOUCHED, STOPPED]).toContainEqual(standing);
    if (standing.key === 401) resumed += 1;
    const stopped = await successor.stops.stopBySignature(tokenId, evidence, requester());
    expect(stopped).toMatchObject({ apiKeys: 1, sessions: 1, allowance: { status: "ended" } });
    expect(await standingOf(agent)).toEqual(STOPPED);
    await successor.close();
  }
  expect(steps).toBeGreaterThan(8);
  expect(resumed).toBeGreaterThan(3);
}, 300_000);
