import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createWalletClient, http, type LocalAccount, parseEventLogs, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { startStack } from "../../scripts/local-stack/stack.ts";
import { apiClient } from "../../test/fixtures/registrations.ts";
import { Load } from "./load.ts";
import { settingsEnvironment } from "./settings.ts";

/** Agents of each kind that sign in, in turn. */
const AGENTS = 4;

export interface Agent {
  readonly owner: LocalAccount;
  /** Of the passport. */
  readonly agentId: number;
}

export interface Server {
  readonly load: Load;
  readonly pid: number;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * The whole service as `npm start` boots it, with the peer and the minimum server as separate
 * processes.
 */
export async function createWorld() {
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-sign-in-"));
  // PostgreSQL does not run as root: its own user must be able to enter this directory.
  await chmod(directory, 0o711);
  const closers = [() => rm(directory, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const tokenSecret = randomBytes(32).toString("base64");
    const stack = await startStack({
      directory,
      ports: { chain: 0, postgres: 0, indexer: 0, api: 0 },
      apiEnvironment: { JWT_SECRETS: `a:${tokenSecret}` },
    });
    closers.push(() => stack.stop());
    const { urls, deployment } = stack;
    const domain = new URL(urls.api).host;

    const serverAt = (url: string, pid: number | undefined): Server => {
      if (pid === undefined) throw new Error("A server has ended.");
      const load = new Load(url);
      closers.push(() => load.close());
      return { load, pid };
    };
    const forked = async (file: string, settings: object): Promise<Server> => {
      const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
        execArgv: ["--import", "tsx"],
        env: { ...process.env, ...settingsEnvironment(settings) },
      });
      closers.push(() => ended(child));
      const url = await Promise.race([
        once(child, "message").then(([message]) => String(message)),
        once(child, "exit").then(() => Promise.reject(new Error(`${file} did not start.`))),
      ]);
      return serverAt(url, child.pid);
    };

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
      ours: serverAt(urls.api, stack.pidOf("api")),
      peer: await forked("peer-server.ts", {
        rpcUrl: urls.rpc,
        domain,
        soulView,
        chainId: String(deployment.chainId),
        secret: randomBytes(32).toString("hex"),
      }),
      floor: await forked("floor-server.ts", {
        databaseUrl: urls.database,
        issuer: domain,
        secret: tokenSecret,
      }),
      /** The processes that the servers depend on. */
      pids: { chain: stack.pidOf("chain") ?? 0, postgres: stack.pidOf("postgres") ?? 0 },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
