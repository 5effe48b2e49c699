import { randomUUID } from "node:crypto";
import type { LocalAccount, SignTypedDataParameters } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createClient } from "../../kit/client/index.ts";
import { registrationBody } from "../../test/fixtures/registrations.ts";
import type { Load } from "../lib/load.ts";
import { startServers } from "../lib/servers.ts";

/** The most that one call registers. */
const BATCH = 50;

/** An agent of the index. */
export interface Agent {
  readonly agentName: string;
  readonly tokenId: number;
  readonly erc8004AgentId: number;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The whole service with so many sealed agents of an organization, and a bare server beside it. */
export async function createWorld(count: number, profileDirectory: string | undefined) {
  const servers = await startServers("reads", { profileDirectory });
  const { stack, ours, ponder, shared, close } = servers;
  try {
    const { urls, deployment, accounts } = stack;
    const [user] = accounts.users;
    if (!user) throw new Error("The stack has no account for a user.");
    const admin = privateKeyToAccount(user.privateKey);
    const { organizationId } = await createClient({ service: urls.api, deployment }).sign(
      "createOrganization",
      { body: { name: "Readers", adminAddress: admin.address }, signer: admin },
    );
    const agents: Agent[] = [];
    while (agents.length < count) {
      const size = Math.min(BATCH, count - agents.length);
      const names = Array.from({ length: size }, (_, index) => `reader-${agents.length + index}`);
      agents.push(...(await registerBatch(ours.load, organizationId, admin, names)));
    }

    return {
      agents,
      ours,
      ponder,
      floor: await servers.start(new URL("./floor-server.ts", import.meta.url), {
        databaseUrl: urls.database,
      }),
      shared,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Registers and seals an agent for each name, in one transaction. */
async function registerBatch(
  load: Load,
  organizationId: number,
  admin: LocalAccount,
  names: readonly string[],
): Promise<readonly Agent[]> {
  const agents = names.map((name) => {
    const { ownerAddress: _admin, ...agent } = registrationBody(name, admin);
    return agent;
  });
  const body = { organizationId, agents, ownerAddress: admin.address };
  const typedData = await load.post("/v1/typed-data/org-batch", body);
  const { message } = typedData;
  const signature = await admin.signTypedData(typedData as unknown as SignTypedDataParameters);
  const registered = await load.send({
    path: `/v1/org/${organizationId}/batch-register`,
    body: { agents, ownerAddress: admin.address, message, signature, signer: admin.address },
    headers: { "idempotency-key": randomUUID() },
    status: 201,
  });
  return JSON.parse(registered.body).results;
}
