import { randomBytes } from "node:crypto";
import type { LocalAccount, SignTypedDataParameters } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createBatchRegistry } from "../../api/features/organizations/batches/batch.chain.ts";
import type { BatchMessage, BatchRequest } from "../../api/features/organizations/batches/batch.ts";
import { batchOperation } from "../../api/features/organizations/batches/batch.ts";
import { createBatches } from "../../api/features/organizations/batches/batches.ts";
import { createOrganizationRegistry } from "../../api/features/organizations/registry.chain.ts";
import {
  avatarContent,
  RegistrationSchema,
  toRegistrationInput,
} from "../../api/features/registration/index.ts";
import { createRegistrationStore } from "../../api/features/registration/registrations.store.ts";
import { createRegistrationResolver } from "../../api/features/registration/resolver.ts";
import { parseApiKey } from "../../api/kernel/api-keys.ts";
import { createLinks } from "../../api/kernel/links.ts";
import { createSigningDomains } from "../../api/operations/signing-domains.ts";
import type { DatabaseConnection } from "../../api/platform/database/connect.ts";
import { createSecrets } from "../../api/platform/secrets/secrets.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { Killed, Life, mortal } from "../fixtures/mortal.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { connectTo, operationProcess } from "../fixtures/owner-operations.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { requester } from "../fixtures/sponsorship.ts";

// A batch of two agents whose process dies, on real contracts, the real index and real Postgres.

let service: Service;
let connection: DatabaseConnection;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await sharedService();
  closing.push(service.stop);
  connection = await connectTo(service);
  closing.push(connection.close);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
const ENDED_WITH_IT: ReadonlySet<string> = new Set(["ledger", "relayer"]);
const IMMORTAL = new Life(() => false);

/** A process that registers batches; it dies with its life. */
function batchProcess(life: Life = IMMORTAL) {
  const { client, contracts } = service.chain;
  const { db } = connection;
  const clock = () => new Date();
  const context = {
    chainId: 31337,
    soulRegistry: contracts.soulRegistry,
    identityRegistry: contracts.identityRegistry,
    worldIdVerifier: null,
    links: createLinks("http://127.0.0.1:8787"),
  };
  const store = mortal(
    createRegistrationStore(db, clock, async () => false),
    life,
  );
  const batches = createBatchRegistry({
    client: client as never,
    address: contracts.soulRegistry,
    registrar: stackAccounts().relayer.address,
  });
  const ids = {
    idOf: (content: Parameters<typeof process.archive.idOf>[0]) => process.archive.idOf(content),
  };
  const definition = batchOperation({
    context,
    batches,
    store,
    secrets,
    archive: {
      ...ids,
      archive: (content) => process.archive.archive(content),
    },
    registry: createOrganizationRegistry({
      client: client as never,
      address: contracts.organizationRegistry,
    }),
    resolver: createRegistrationResolver({
      context,
      binding: null as never,
      avatarUri: async (agent) => `ar://${await ids.idOf(avatarContent(agent))}`,
      fileUri: async () => "",
    }),
  });
  const process: ReturnType<typeof operationProcess> = operationProcess({
    service,
    connection,
    definitions: [definition],
    // The engine's own tests kill it at every port.
    around: (name, port) => (ENDED_WITH_IT.has(name) ? mortal(port, life) : port),
  });
  const registered = createBatches({
    engine: process.engine,
    definition,
    store,
    secrets,
  });
  return { ...process, batches: registered };
}

/** Two agents that can be registered, and between them one whose name is taken. */
async function newBatch(
  admin: LocalAccount,
  organizationId: number,
  takenName: string,
): Promise<BatchRequest> {
  const agents = [freshName(), takenName, freshName()].map((name) => {
    const body = RegistrationSchema.parse({ ...registrationBody(name, admin), organizationId });
    return toRegistrationInput(body);
  });
  return {
    organizationId: BigInt(organizationId),
    owner: admin.address,
    leaveOutTakenNames: true,
    agents,
  };
}

async function signed(request: BatchRequest, admin: LocalAccount) {
  const process = batchProcess();
  const [prepared] = await process.batches.prepare(request);
  const message = prepared?.message as unknown as BatchMessage;
  await process.close();
  const domains = createSigningDomains({ chainId: 31337, contracts: service.chain.contracts });
  const typedData = domains.typedData("SoulRegistry", "RegistrationBatch", message);
  const signature = await admin.signTypedData(typedData as unknown as SignTypedDataParameters);
  return { message, signature, signer: admin.address };
}

/** What stands of the two agents: souls on chain, rows, and keys by their agents. */
async function standingOf({ agents }: BatchRequest) {
  const names = [agents[0], agents[2]].map((agent) => agent?.agentName ?? "");
  const tokens = await Promise.all(
    names.map((name) =>
      service.chain.client.readContract({
        address: service.chain.contracts.soulRegistry,
        abi: soulRegistryAbi,
        functionName: "tokenOfName",
        args: [name],
      }),
    ),
  );
  const { rows } = await connection.pool.query(
    "select name, state from app.registration where name = any($1) order by array_position($1, name)",
    [names],
  );
  const keys = await connection.pool.query(
    "select token_id from app.api_key where token_id = any($1::bigint[])",
    [tokens.filter((token) => token !== 0n).map(String)],
  );
  const salts = await connection.pool.query(
    "select token_id from app.soul_secret where token_id = any($1::bigint[])",
    [tokens.filter((token) => token !== 0n).map(String)],
  );
  return {
    souls: tokens.filter((token) => token !== 0n).length,
    states: rows.map(({ state }) => state as string),
    keys: keys.rowCount,
    salts: salts.rowCount,
  };
}

const NOTHING = { souls: 0, states: [], keys: 0, salts: 0 };
const COMPLETE = { souls: 2, states: ["complete", "complete"], keys: 2, salts: 2 };

it("is absent or complete at whichever step its process dies, and its repetition reads the same keys", async () => {
  const admin = newAccount();
  const world = organizationVerbs(service);
  const organizationId = await world.found(admin);
  const holder = await world.newAgent();
  let steps = 0;
  let resumed = 0;
  for (let fatal = 1; ; fatal += 1) {
    const request = await newBatch(admin, organizationId, holder.name);
    const evidence = await signed(request, admin);
    const sender = requester();
    const life = new Life((step) => step === fatal);
    const dying = batchProcess(life);
    const outcome = await dying.batches
      .register(request, evidence, sender)
      .then(() => "done" as const)
      .catch((error: unknown) => {
        if (error instanceof Killed || (error as Error).cause instanceof Killed) return "dead";
        throw error;
      });
    await dying.close();
    if (outcome === "done" && !life.isDead) break;
    steps = fatal;
    const successor = batchProcess();
    await successor.recover();
    const standing = await standingOf(request);
    expect([NOTHING, COMPLETE]).toContainEqual(standing);
    if (standing.souls === 2) resumed += 1;
    const { results, leftOut } = await successor.batches.register(request, evidence, sender);
    const again = await successor.batches.register(request, evidence, sender);
    expect(again.results).toEqual(results);
    expect(again.leftOut).toEqual(leftOut);
    expect(leftOut.map(({ agentName, takenBy }) => [agentName, takenBy])).toEqual([
      [holder.name, BigInt(holder.tokenId)],
    ]);
    expect(await standingOf(request)).toEqual(COMPLETE);
    const hashes = results.map(({ apiKey }) => parseApiKey(apiKey)?.hash);
    const { rows } = await connection.pool.query(
      "select token_id from app.api_key where hash = any($1) order by token_id",
      [hashes],
    );
    expect(rows.map(({ token_id }) => BigInt(token_id))).toEqual(
      results.map(({ tokenId }) => tokenId),
    );
    await successor.close();
  }
  expect(steps).toBeGreaterThan(8);
  expect(resumed).toBeGreaterThan(3);
}, 300_000);
