import { randomBytes } from "node:crypto";
import { createWalletClient, http, type LocalAccount, parseEventLogs, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { apiClient } from "../../test/fixtures/registrations.ts";
import { startServers } from "../lib/servers.ts";

/** Agents of each kind that sign in, in turn. */
const AGENTS = 4;

export interface Agent {
  readonly owner: LocalAccount;
  /** Of the passport. */
  readonly agentId: number;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * The whole service as `npm start` boots it, with the peer and the minimum server as separate
 * processes.
 */
export async function createWorld(profileDirectory: string | undefined) {
  const tokenSecret = randomBytes(32).toString("base64");
  const servers = await startServers("sign-in", {
    apiEnvironment: { JWT_SECRETS: `a:${tokenSecret}` },
    profileDirectory,
  });
  const { stack, ours, shared, close } = servers;
  try {
    const { urls, deployment } = stack;
    const domain = new URL(urls.api).host;

    const accounts = stack.accounts.users.map(({ privateKey }) => privateKeyToAccount(privateKey));
    const service = apiClient(urls.api);
    const passports: Agent[] = [];
    const souls: Agent[] = [];
    for (const [index, owner] of accounts.slice(0, 2 * AGENTS).entries()) {
      if (index < AGENTS) {
        passports.push({ owner, agentId: await registerPassport(owner) });
      } else {
        const { answer } = await service.register(`bench-soul-${index}`, owner);
        souls.push({ owner, agentId: answer.body.erc8004AgentId });
      }
    }

    async function registerPassport(owner: LocalAccount): Promise<number> {
      const wallet = createWalletClient({
        account: owner,
        chain: hardhat,
        transport: http(urls.rpc),
      }).extend(publicActions);
      const file = JSON.stringify({ name: "bench", description: "An agent of the benchmark." });
      const hash = await wallet.writeContract({
        address: deployment.contracts.identityRegistry,
        abi: identityRegistryAbi,
        functionName: "register",
        args: [`data:application/json;base64,${Buffer.from(file).toString("base64")}`],
      });
      const { logs } = await wallet.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      const [log] = parseEventLogs({ abi: identityRegistryAbi, eventName: "Registered", logs });
      if (!log) throw new Error("No Registered event");
      return Number(log.args.agentId);
    }

    const { soulView, identityRegistry } = deployment.contracts;
    return {
      registry: `eip155:${deployment.chainId}:${identityRegistry}`,
      passports,
      souls,
      ours,
      peer: await servers.start(new URL("./peer-server.ts", import.meta.url), {
        rpcUrl: urls.rpc,
        domain,
        soulView,
        chainId: String(deployment.chainId),
        secret: randomBytes(32).toString("hex"),
      }),
      floor: await servers.start(new URL("./floor-server.ts", import.meta.url), {
        databaseUrl: urls.database,
        issuer: domain,
        secret: tokenSecret,
        rpcUrl: urls.rpc,
        soulView,
      }),
      shared,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
