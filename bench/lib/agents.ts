import { randomUUID } from "node:crypto";
import type { LocalAccount, SignTypedDataParameters } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createClient } from "../../kit/client/index.ts";
import { registrationBody } from "../../test/fixtures/registrations.ts";
import type { Load } from "./load.ts";
import type { Servers } from "./servers.ts";

/** The most that one call registers. */
const BATCH = 50;

/** A sealed agent of the index. */
export interface Agent {
  readonly agentName: string;
  readonly tokenId: number;
  readonly erc8004AgentId: number;
  readonly apiKey: string;
}

/** An organization of `count` sealed agents, and the account that owns them all. */
export async function registerAgents(
  { stack, ours }: Pick<Servers, "stack" | "ours">,
  count: number,
): Promise<{ readonly owner: LocalAccount; readonly agents: readonly Agent[] }> {
  const { urls, deployment, accounts } = stack;
  const [user] = accounts.users;
  if (!user) throw new Error("The stack has no account for a user.");
  const owner = privateKeyToAccount(user.privateKey);
  const { organizationId } = await createClient({ service: urls.api, deployment }).sign(
    "createOrganization",
    { body: { name: "Readers", adminAddress: owner.address }, signer: owner },
  );
  const agents: Agent[] = [];
  while (agents.length < count) {
    const size = Math.min(BATCH, count - agents.length);
    const names = Array.from({ length: size }, (_, index) => `reader-${agents.length + index}`);
    agents.push(...(await registerBatch(ours.load, organizationId, owner, names)));
  }
  return { owner, agents };
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
