import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../api/platform/database/migrate.ts";
import { createDatabaseOn } from "../../test/fixtures/databases.ts";
import { type FaultyNode, startFaultyNode } from "../../test/fixtures/faulty-node.ts";
import { deploymentPath } from "../deploy/deployment.ts";
import type { Progress } from "../lib/progress.ts";
import { answersOk } from "../local-stack/answers.ts";
import { LOCAL_RATE_LIMITS } from "../local-stack/local-limits.ts";
import { claimPorts, freePorts } from "../local-stack/ports.ts";
import { inheritedEnvironment, type ProcessSpec } from "../local-stack/processes.ts";
import { type Stack, startStack } from "../local-stack/stack.ts";
import { balancerSettings } from "./balancer.ts";
import { type Part, processPart, stackPart } from "./parts.ts";
import { copyToReplica, isReplicating } from "./replica.ts";

/** Requests that a client without a key may send in a minute. */
export const FREE_LIMIT = 400;

/** Programs of the machine that npm does not install, with the parts that need them. */
const PROGRAMS = { balancer: ["haproxy", "-v"], redis: ["redis-server", "--version"] } as const;
const GRACE_MS = 25_000;
const APIS = ["api-1", "api-2"] as const;
const WORKERS = ["worker-1", "worker-2"] as const;

export const PARTS = [
  ...APIS,
  ...WORKERS,
  "indexer",
  "postgres",
  "replica",
  "redis",
  "balancer",
] as const;
export type PartName = (typeof PARTS)[number];

/** The service as several machines run it, here on one. */
export interface Topology {
  readonly stack: Stack;
  /** The node that every process of the service has. */
  readonly node: FaultyNode;
  /** The public address. */
  readonly url: string;
  /** Where clients send their requests: the balancer, or the APIs in turn without one. */
  entrance(): string;
  readonly apiUrls: readonly string[];
  /** The addresses at which the API and the workers answer /metrics. */
  readonly metrics: readonly string[];
  readonly parts: Readonly<Partial<Record<PartName, Part>>>;
  /** The parts with the service's code. */
  readonly service: readonly PartName[];
  /** Variables that a part has at its next start, beside its own. */
  readonly environment: Partial<Record<PartName, Readonly<Record<string, string>>>>;
  /** The directory of the version that a process has at its next start. */
  root(): string;
  /** From its next start on, each process of the service is of the version in this directory. */
  upgradeTo(root: string): void;
  /** Another indexer, on an empty database. Resolves to that database when it is ready. */
  rebuildIndex(): Promise<string>;
  /** What happens after all parts have stopped. */
  onStop(work: () => void): void;
  stop(): Promise<void>;
}

export interface TopologyOptions {
  readonly directory: string;
  /** The built service. */
  readonly root: string;
  /** One API and one worker with the indexer and PostgreSQL, or two of each with all parts. */
  readonly size: "small" | "whole";
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** The parts that this machine has no program for. */
export function missingParts(): readonly PartName[] {
  return (Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]).filter((name) => {
    const [program, version] = PROGRAMS[name];
    return spawnSync(program, [version]).status !== 0;
  });
}

/** Starts chain, proxy, PostgreSQL with a replica, Redis, workers, APIs, the indexer and the balancer. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const { directory, progress, signal, size } = options;
  const left: readonly PartName[] =
    size === "small" ? ["api-2", "worker-2", "replica", "redis", "balancer"] : missingParts();
  const names = PARTS.filter((name) => !left.includes(name));
  const ports = await claimPorts({ chain: 0, postgres: 0, indexer: 0, api: 0 });
  const node = await startFaultyNode(`http://127.0.0.1:${ports.chain}`);
  const numbers = await freePorts(PARTS.length + 1);
  const portOf = (name: PartName) => numbers[PARTS.indexOf(name)] ?? 0;
  const urlOf = (name: PartName) => `http://127.0.0.1:${portOf(name)}`;
  const apiUrls = APIS.filter((name) => names.includes(name)).map(urlOf);
  const url = names.includes("balancer") ? urlOf("balancer") : urlOf("api-1");
  const stack = await startStack({
    directory,
    ports,
    upTo: "postgres",
    apiEnvironment: {
      RPC_URL: node.url,
      RPC_WS_URL: node.wsUrl,
      SPONSORED_GAS_PER_DAY: "2000000000000",
      REGISTRATIONS_PER_MONTH: "1000000",
      RATE_LIMITS: LOCAL_RATE_LIMITS.replace(/free\.minute=\d+/, `free.minute=${FREE_LIMIT}`),
      TRUSTED_PROXIES: "127.0.0.1/32",
      REPLICAS: String(apiUrls.length),
    },
    progress,
    signal,
  }).catch(async (error: unknown) => {
    await node.stop();
    throw error;
  });

  const parts: Partial<Record<PartName, Part>> = {};
  const rebuilding: Part[] = [];
  const afterStop: (() => void)[] = [];
  const stop = async () => {
    await Promise.all(rebuilding.map((part) => part.stop()));
    for (const name of [...names].reverse()) await parts[name]?.stop();
    await stack.stop();
    await node.stop();
    for (const work of afterStop) work();
  };
  const environment: Topology["environment"] = {};
  let { root } = options;
  let turn = 0;

  const specOf = (
    name: string,
    program: string,
    args: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): ProcessSpec => ({
    name,
    program,
    args,
    cwd: directory,
    environment: { ...inheritedEnvironment(), ...variables },
    logFile: join(directory, "logs", `${name}.log`),
    stopSignal: "SIGTERM",
    graceMs: GRACE_MS,
  });
  const command = (name: string, file: string, variables: Readonly<Record<string, string>>) =>
    specOf(name, process.execPath, [join(root, "scripts", file)], variables);
  const replicaUrl = stack.urls.database.replace(/:\d+\//, `:${portOf("replica")}/`);
  const service = (name: PartName, file: string) =>
    processPart(
      () =>
        command(name, file, {
          ...stack.apiEnvironment,
          SVC_API_PORT: String(portOf(name)),
          PUBLIC_URL: url,
          DATABASE_READ_URL: names.includes("replica") ? replicaUrl : "",
          REDIS_URL: names.includes("redis") ? `redis://127.0.0.1:${portOf("redis")}` : "",
          ...environment[name],
        }),
      () => answersOk(`${urlOf(name)}/ready`),
    );
  const indexer = (name: string, port: number, database: string) =>
    processPart(
      () =>
        command(name, "indexer.js", {
          DATABASE_URL: database,
          RPC_URL: node.url,
          RPC_WS_URL: node.wsUrl,
          SVC_DEPLOYMENT: deploymentPath(directory),
          SVC_INDEXER_PORT: String(port),
          ...environment.indexer,
        }),
      () => answersOk(`http://127.0.0.1:${port}/ready`),
    );
  const makers: Readonly<Record<PartName, () => Part | Promise<Part>>> = {
    "api-1": () => service("api-1", "api.js"),
    "api-2": () => service("api-2", "api.js"),
    "worker-1": () => service("worker-1", "worker.js"),
    "worker-2": () => service("worker-2", "worker.js"),
    indexer: () => indexer("indexer", portOf("indexer"), stack.urls.database),
    postgres: () => stackPart(stack, "postgres"),
    replica: () => replicaPart(stack, replicaUrl, specOf),
    redis() {
      const port = String(portOf("redis"));
      const args = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
      return processPart(
        () => specOf("redis", PROGRAMS.redis[0], args),
        async () => spawnSync("redis-cli", ["-p", port, "ping"]).status === 0,
      );
    },
    balancer() {
      const settings = join(directory, "haproxy.cfg");
      writeFileSync(settings, balancerSettings(portOf("balancer"), apiUrls));
      return processPart(
        () => specOf("balancer", PROGRAMS.balancer[0], ["-db", "-f", settings]),
        () => answersOk(`${url}/ready`),
      );
    },
  };

  try {
    for (const name of names) parts[name] = await makers[name]();
    const wave = async (wanted: readonly PartName[]) => {
      const started = wanted.filter((name) => names.includes(name));
      if (started.length === 0) return;
      const step = progress.step(started.join(", "));
      await Promise.all(started.map((name) => parts[name]?.start()));
      step.done();
    };
    await wave(["replica", "redis", "indexer"]);
    await wave([...APIS, ...WORKERS]);
    await wave(["balancer"]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stack,
    node,
    url,
    apiUrls,
    entrance() {
      if (names.includes("balancer")) return url;
      turn += 1;
      return apiUrls[turn % apiUrls.length] ?? url;
    },
    metrics: [...APIS, ...WORKERS].filter((name) => names.includes(name)).map(urlOf),
    parts,
    service: names.filter((name) => /^(api|worker)-|^indexer$/.test(name)),
    environment,
    root: () => root,
    onStop: (work) => afterStop.push(work),
    upgradeTo(next) {
      root = next;
    },
    async rebuildIndex() {
      const database = await createDatabaseOn(stack.urls.database, "template0");
      await migrate(database.url);
      const part = indexer("rebuilt", numbers.at(-1) ?? 0, database.url);
      rebuilding.push(part);
      await part.start();
      return database.url;
    },
    stop,
  };
}

async function replicaPart(
  stack: Stack,
  url: string,
  specOf: (name: string, program: string, args: readonly string[]) => ProcessSpec,
): Promise<Part> {
  const { data, programs } = await copyToReplica(stack);
  const script = join(import.meta.dirname, "../local-stack/postgres-process.ts");
  const args = ["--import", import.meta.resolve("tsx"), script, new URL(url).port, data, programs];
  return processPart(
    () => specOf("replica", process.execPath, args),
    () => isReplicating(stack.urls.database, url),
    "family",
  );
}
