import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { JOBS } from "../../api/features.ts";
import { connectDatabase } from "../../api/platform/database/connect.ts";
import { openJobs } from "../../api/platform/jobs/queue.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { chronicleAnchorAbi } from "../../protocol/generated/abi.ts";
import type { Stack } from "../../scripts/local-stack/stack.ts";
import { type Agent, registerAgents } from "../lib/agents.ts";
import { type Server, startServers } from "../lib/servers.ts";

const AGENTS = 200;
const POLL_MS = 200;

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The whole service, a process with bare loops, and the receivers of webhooks. */
export async function createWorld(profileDirectory: string | undefined) {
  const servers = await startServers("work", { profileDirectory });
  const { stack, ours, shared } = servers;
  try {
    const { urls, deployment, accounts } = stack;
    const { agents } = await registerAgents(servers, AGENTS);
    const { chronicleAnchor } = deployment.contracts;
    const receiver = await servers.start(new URL("./receiver.ts", import.meta.url), {});
    const bare = await servers.start(new URL("./bare-worker.ts", import.meta.url), {
      databaseUrl: urls.database,
      rpcUrl: urls.rpc,
      chronicleAnchor,
      anchorerKey: await secondAnchorer(stack),
      storageKey: accounts.storage.privateKey,
    });
    const log = createLog("silent");
    const { db, close: closeDatabase } = connectDatabase(urls.database, log);
    const jobs = await openJobs({
      databaseUrl: urls.database,
      log,
      rules: JOBS,
      purpose: "send",
    });
    // Statements over thousands of rows take longer than the service's limit.
    const pool = new pg.Pool({ connectionString: urls.database, max: 2 });
    await settled(pool);
    return {
      ours,
      bare,
      receiver,
      shared,
      db,
      pool,
      jobs,
      agents,
      /** Each agent gets a webhook, and the webhook an owner of its own. */
      async addWebhooks(): Promise<void> {
        for (const agent of agents) await addWebhook(ours, receiver, agent);
        await pool.query("update app.webhook set owner = '0x' || lpad(to_hex(token_id), 40, '0')");
      },
      async close() {
        await jobs.close(1_000);
        await closeDatabase();
        await pool.end();
        await servers.close();
      },
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** Waits until no job is due: what a process uses without work is measured next. */
async function settled(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      "select exists (select 1 from jobs.job where state < 'completed' and start_after <= now()) as busy",
    );
    if (!rows[0]?.busy) return;
    await delay(POLL_MS);
  }
}

async function addWebhook(ours: Server, receiver: Server, agent: Agent): Promise<void> {
  await ours.load.send({
    path: "/v1/webhooks",
    body: {
      tokenId: agent.tokenId,
      url: `${receiver.url}/hooks/${agent.tokenId}`,
      events: ["chronicle.recorded"],
    },
    headers: { authorization: `Bearer ${agent.apiKey}`, "idempotency-key": randomUUID() },
    status: 201,
  });
}

/** Another account that may anchor, so that the service's relayer alone uses its own. Resolves to its key. */
async function secondAnchorer({ urls, deployment, accounts }: Stack): Promise<string> {
  const anchorer = accounts.users.at(-1);
  if (!anchorer) throw new Error("The stack has no account for a user.");
  const admin = createWalletClient({
    account: privateKeyToAccount(accounts.admin.privateKey),
    chain: hardhat,
    transport: http(urls.rpc),
  }).extend(publicActions);
  const contract = {
    address: deployment.contracts.chronicleAnchor,
    abi: chronicleAnchorAbi,
  } as const;
  const role = await admin.readContract({ ...contract, functionName: "ANCHOR_ROLE" });
  const hash = await admin.writeContract({
    ...contract,
    functionName: "grantRole",
    args: [role, anchorer.address],
  });
  await admin.waitForTransactionReceipt({ hash });
  return anchorer.privateKey;
}
