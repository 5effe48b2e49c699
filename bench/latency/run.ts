import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { createWalletClient, http, parseEventLogs, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { type ComponentName, type Stack, startStack } from "../../scripts/local-stack/stack.ts";
import { processorTime } from "../lib/cpu.ts";
import { writeSection } from "../lib/report.ts";

const README = fileURLToPath(new URL("../README.md", import.meta.url));
const COMPONENTS = ["chain", "postgres", "indexer", "api"] as const;
const IDLE_MS = 30_000;
const TIMEOUT_MS = 30_000;
const AIMS = { views: 100, http: 150 } as const;

const HELP = `Usage: npm --prefix bench run latency [-- options]

Boots the stack and measures how long a block takes to become visible: in the index's views, and over HTTP. Also measures what
the idle stack costs. Prints a table and writes it into bench/README.md. An aim that is missed is reported, not an error.

Options
  --blocks <n>   Blocks per measurement, default 250
  --dry-run      Print only
  --help         Show this
`;

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "250" },
    "dry-run": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-latency-"));
  await chmod(directory, 0o711);
  let stack: Stack | undefined;
  try {
    stack = await startStack({ directory, ports: { chain: 0, postgres: 0, indexer: 0, api: 0 } });
    const section = await measure(stack, Number(values.blocks));
    console.log(section);
    if (!values["dry-run"]) writeSection(README, "latency", section);
  } finally {
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
process.exit();

async function measure(stack: Stack, blocks: number): Promise<string> {
  const pool = new pg.Pool({ connectionString: stack.urls.database, max: 1 });
  const idle = await idleCost(stack);
  const views = await latencies(stack, blocks, async (passportId) => {
    const { rowCount } = await pool.query("select 1 from chain.passport where id = $1", [
      passportId.toString(),
    ]);
    return rowCount === 1;
  });
  const overHttp = await latencies(stack, blocks, async (_passportId, block) => {
    const response = await fetch(`${stack.urls.api}/v1/status`);
    const status = (await response.json()) as { indexedBlock: number | string };
    return BigInt(status.indexedBlock) >= block;
  });
  await pool.end();

  const row = (what: string, of: readonly number[], aim: number) => {
    const [median, p95, most] = [quantile(of, 0.5), quantile(of, 0.95), quantile(of, 1)];
    const cells = [what, ...[median, p95, most].map((ms) => `${ms.toFixed(0)} ms`)];
    return `| ${[...cells, `p95 at most ${aim} ms`, p95 <= aim ? "yes" : "**no**"].join(" | ")} |`;
  };
  return [
    "| sent to visible | median | 95th percentile | longest | aim | met |",
    "| --- | --- | --- | --- | --- | --- |",
    row("in the views", views, AIMS.views),
    row("over HTTP", overHttp, AIMS.http),
    "",
    `${blocks} blocks each, one transaction in each. Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
    "",
    "| idle | processor ms per second |",
    "| --- | --- |",
    ...COMPONENTS.map((component) => `| ${component} | ${idle[component].toFixed(1)} |`),
  ].join("\n");
}

async function idleCost(stack: Stack): Promise<Record<ComponentName, number>> {
  const used = () =>
    COMPONENTS.map((component) => processorTime(stack.pidOf(component) ?? Number.NaN));
  const before = used();
  await delay(IDLE_MS);
  const after = used();
  const perSecond = (index: number) =>
    ((after[index] ?? 0) - (before[index] ?? 0)) / (IDLE_MS / 1_000);
  return { chain: perSecond(0), postgres: perSecond(1), indexer: perSecond(2), api: perSecond(3) };
}

/** Milliseconds from sending a transaction, which the chain mines at once, until `isVisible` says yes. */
async function latencies(
  stack: Stack,
  blocks: number,
  isVisible: (passportId: bigint, block: bigint) => Promise<boolean>,
): Promise<number[]> {
  const [user] = stack.accounts.users;
  if (!user) throw new Error("The stack has no account for a user.");
  const client = createWalletClient({
    account: privateKeyToAccount(user.privateKey),
    chain: hardhat,
    transport: http(stack.urls.rpc),
  }).extend(publicActions);
  const measured: number[] = [];
  for (let i = 0; i < blocks; i += 1) {
    // At another point of the second each time, beside the block that the chain mines once a second.
    await delay(50 + Math.random() * 150);
    const request = await client.prepareTransactionRequest({
      to: stack.deployment.contracts.identityRegistry,
      // register(), which is overloaded: the one without arguments.
      data: "0x1aa3a008",
      gas: 500_000n,
    });
    const serializedTransaction = await client.signTransaction(request);
    const sentAt = performance.now();
    const hash = await client.sendRawTransaction({ serializedTransaction });
    const receipt = await client.getTransactionReceipt({ hash });
    const [event] = parseEventLogs({
      abi: identityRegistryAbi,
      eventName: "Registered",
      logs: receipt.logs,
    });
    if (!event) throw new Error("The registry has emitted no Registered event.");
    while (!(await isVisible(event.args.agentId, receipt.blockNumber))) {
      if (performance.now() - sentAt > TIMEOUT_MS) {
        throw new Error(`Block ${receipt.blockNumber} is not visible after ${TIMEOUT_MS} ms.`);
      }
      await delay(1);
    }
    measured.push(performance.now() - sentAt);
  }
  return measured;
}

function quantile(of: readonly number[], share: number): number {
  const sorted = of.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
