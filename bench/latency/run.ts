import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { createWalletClient, http, parseEventLogs, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { deploymentPath } from "../../scripts/deploy/deployment.ts";
import { type ComponentName, type Stack, startStack } from "../../scripts/local-stack/stack.ts";
import { processorTime } from "../lib/cpu.ts";
import { MINIMAL_SCHEMA, spawnMinimalPonder } from "../lib/minimal-ponder.ts";
import { publish } from "../lib/report.ts";

const COMPONENTS = ["chain", "postgres", "indexer", "api"] as const;
const IDLE_MS = 30_000;
const TIMEOUT_MS = 30_000;
/** Of the 95th percentile, in milliseconds. */
const AIMS = { views: 100, http: 150, underLoad: 300 } as const;
/** `register()` emits Transfer, Registered and MetadataSet. */
const EVENTS_PER_TRANSACTION = 3;
const EVENTS_PER_SECOND = 20;

const HELP = `Usage: npm --prefix bench run latency [-- options]

Boots the stack, with a minimal Ponder app beside the indexer, and measures how long a block takes to become visible: in the index's
views, over HTTP, and in the minimal app's table. First on an idle chain, then under ${EVENTS_PER_SECOND} events a second. Also measures
what the idle stack costs. Prints a table and writes it into bench/README.md. An aim that is missed is reported, not an error.

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
    publish("latency", section, values["dry-run"]);
  } finally {
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
process.exit();

/** A place in which blocks become visible. */
interface Place {
  readonly name: string;
  readonly aims: { readonly idle: number | null; readonly underLoad: number | null };
  shows(passportId: bigint, block: bigint): Promise<boolean>;
}

async function measure(stack: Stack, blocks: number): Promise<string> {
  const pool = new pg.Pool({ connectionString: stack.urls.database, max: 1 });
  const idleCosts = await idleCost(stack);
  const minimal = await spawnMinimalPonder({
    databaseUrl: stack.urls.database,
    rpcUrl: stack.urls.rpc,
    wsUrl: stack.urls.rpcWs,
    deploymentPath: deploymentPath(stack.directory),
  });
  await minimal.ready();
  const places = placesOf(stack, pool);
  const idle = await latencies(stack, blocks, places);
  const load = startLoad(stack);
  const underLoad = await latencies(stack, blocks, places);
  const eventsPerSecond = await load.stop();
  await minimal.stop();
  await pool.end();

  return [
    "| sent to visible | median | 95th percentile | longest | aim | met |",
    "| --- | --- | --- | --- | --- | --- |",
    ...places.map(({ name, aims }) => row(`idle, ${name}`, idle.get(name), aims.idle)),
    ...places.map(({ name, aims }) =>
      row(`${EVENTS_PER_SECOND} events/s, ${name}`, underLoad.get(name), aims.underLoad),
    ),
    "",
    `${blocks} blocks each, one transaction in each. ${eventsPerSecond.toFixed(1)} other events a second under load. Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
    "",
    "| idle | processor ms per second |",
    "| --- | --- |",
    ...COMPONENTS.map((component) => `| ${component} | ${idleCosts[component].toFixed(1)} |`),
  ].join("\n");
}

function row(what: string, of: readonly number[] = [], aim: number | null): string {
  const [median, p95, most] = [quantile(of, 0.5), quantile(of, 0.95), quantile(of, 1)];
  const cells = [what, ...[median, p95, most].map((ms) => `${ms.toFixed(0)} ms`)];
  const judgement =
    aim === null ? ["", ""] : [`p95 at most ${aim} ms`, p95 <= aim ? "yes" : "**no**"];
  return `| ${[...cells, ...judgement].join(" | ")} |`;
}

function placesOf(stack: Stack, pool: pg.Pool): readonly Place[] {
  const exists = async (query: string, value: bigint) => {
    const { rowCount } = await pool.query(query, [value.toString()]);
    return rowCount === 1;
  };
  return [
    {
      name: "in the views",
      aims: { idle: AIMS.views, underLoad: AIMS.underLoad },
      shows: (passportId) => exists("select 1 from chain.passport where id = $1", passportId),
    },
    {
      name: "over HTTP",
      aims: { idle: AIMS.http, underLoad: AIMS.underLoad },
      async shows(_passportId, block) {
        const response = await fetch(`${stack.urls.api}/v1/status`);
        const status = (await response.json()) as { indexedBlock: number | string };
        return BigInt(status.indexedBlock) >= block;
      },
    },
    {
      name: "minimal Ponder's table",
      aims: { idle: null, underLoad: null },
      shows: (_passportId, block) =>
        exists(`select 1 from ${MINIMAL_SCHEMA}.event where block = $1 limit 1`, block),
    },
  ];
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

/** An account of the stack that registers passports. */
function registrarOf(stack: Stack, index: number) {
  const user = stack.accounts.users[index];
  if (!user) throw new Error(`The stack has no account ${index} for a user.`);
  const client = createWalletClient({
    account: privateKeyToAccount(user.privateKey),
    chain: hardhat,
    transport: http(stack.urls.rpc),
  }).extend(publicActions);
  return {
    client,
    async sign() {
      const request = await client.prepareTransactionRequest({
        to: stack.deployment.contracts.identityRegistry,
        // register(), which is overloaded: the one without arguments.
        data: "0x1aa3a008",
        gas: 500_000n,
      });
      return client.signTransaction(request);
    },
  };
}

/** Registers passports at the rate of {@link EVENTS_PER_SECOND} until it is stopped. */
function startLoad(stack: Stack): { stop(): Promise<number> } {
  const { client, sign } = registrarOf(stack, 1);
  const pause = (1_000 * EVENTS_PER_TRANSACTION) / EVENTS_PER_SECOND;
  const startedAt = performance.now();
  let isStopped = false;
  let sent = 0;
  const done = (async () => {
    while (!isStopped) {
      await client.sendRawTransaction({ serializedTransaction: await sign() });
      sent += 1;
      await delay(Math.max(0, startedAt + sent * pause - performance.now()));
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await done;
      return (sent * EVENTS_PER_TRANSACTION) / ((performance.now() - startedAt) / 1_000);
    },
  };
}

/**
 * Milliseconds from sending a transaction, which the chain mines at once, until a place shows it.
 * The places take turns.
 */
async function latencies(
  stack: Stack,
  blocks: number,
  places: readonly Place[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { client, sign } = registrarOf(stack, 0);
  const measured = new Map<string, number[]>(places.map(({ name }) => [name, []]));
  const turns = Array.from({ length: blocks }, () => places).flat();
  for (const { name, shows } of turns) {
    // At another point of the second each time, beside the block that the chain mines once a second.
    await delay(50 + Math.random() * 150);
    const serializedTransaction = await sign();
    const sentAt = performance.now();
    const hash = await client.sendRawTransaction({ serializedTransaction });
    const receipt = await client.getTransactionReceipt({ hash });
    const [event] = parseEventLogs({
      abi: identityRegistryAbi,
      eventName: "Registered",
      logs: receipt.logs,
    });
    if (!event) throw new Error("The registry has emitted no Registered event.");
    while (!(await shows(event.args.agentId, receipt.blockNumber))) {
      if (performance.now() - sentAt > TIMEOUT_MS) {
        throw new Error(`Block ${receipt.blockNumber} is not visible after ${TIMEOUT_MS} ms.`);
      }
      await delay(1);
    }
    measured.get(name)?.push(performance.now() - sentAt);
  }
  return measured;
}

function quantile(of: readonly number[], share: number): number {
  const sorted = of.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
