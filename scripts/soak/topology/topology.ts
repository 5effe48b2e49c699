import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../lib/artifacts.ts";
import type { Progress } from "../../lib/progress.ts";
import { answersOk } from "../../local-stack/answers.ts";
import { LOCAL_RATE_LIMITS } from "../../local-stack/local-limits.ts";
import { freePorts } from "../../local-stack/ports.ts";
import { inheritedEnvironment, type ProcessSpec } from "../../local-stack/processes.ts";
import { type Stack, startStack } from "../../local-stack/stack.ts";
import { balancerSettings } from "./balancer.ts";
import { type Part, processPart, stackPart } from "./parts.ts";
import { copyToReplica, isReplicating } from "./replica.ts";

/** Requests that a client without a key may send in a minute. */
export const FREE_LIMIT = 400;

/** Programs of the machine that npm does not install. */
const PROGRAMS: Readonly<Record<string, string>> = { haproxy: "-v", "redis-server": "--version" };
const GRACE_MS = 15_000;
const APIS = 2;

/** The service as several machines run it, here on one. */
export interface Topology {
  readonly stack: Stack;
  /** The balancer's address. */
  readonly url: string;
  /** The addresses of the processes behind it. */
  readonly apiUrls: readonly string[];
  readonly parts: Readonly<Record<PartName, Part>>;
  /** From its next start on, each process of the service is of the version in this directory. */
  upgradeTo(root: string): void;
  stop(): Promise<void>;
}

export const SERVICE_PARTS = ["api-1", "api-2", "worker-1", "worker-2"] as const;
export const PARTS = [
  ...SERVICE_PARTS,
  "balancer",
  "redis",
  "replica",
  "postgres",
  "indexer",
] as const;
export type PartName = (typeof PARTS)[number];

/** The programs that this machine lacks. */
export function missingPrograms(): readonly string[] {
  return Object.entries(PROGRAMS).flatMap(([program, version]) =>
    spawnSync(program, [version]).status === 0 ? [] : [program],
  );
}

/** Starts chain, PostgreSQL with a replica, indexer, Redis, two workers, two APIs and the balancer. */
export async function startTopology(options: {
  readonly directory: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}): Promise<Topology> {
  const { directory, progress, signal } = options;
  const stack = await startStack({
    directory,
    ports: { chain: 0, postgres: 0, indexer: 0, api: 0 },
    upTo: "indexer",
    apiEnvironment: {
      SPONSORED_GAS_PER_DAY: "2000000000000",
      RATE_LIMITS: LOCAL_RATE_LIMITS.replace(/free\.minute=\d+/, `free.minute=${FREE_LIMIT}`),
      TRUSTED_PROXIES: "127.0.0.1/32",
      REPLICAS: String(APIS),
    },
    progress,
    signal,
  });
  const parts: Partial<Record<PartName, Part>> = {};
  const stop = async () => {
    const started: readonly PartName[] = ["balancer", ...SERVICE_PARTS, "redis", "replica"];
    for (const name of started) await parts[name]?.stop();
    await stack.stop();
  };
  try {
    const [balancer = 0, redis = 0, replica = 0, ...ports] = await freePorts(7);
    const local = (port: number) => `http://127.0.0.1:${port}`;
    const url = local(balancer);
    const replicaUrl = stack.urls.database.replace(/:\d+\//, `:${replica}/`);
    let root = ROOT;

    const spec = (name: PartName, program: string, args: readonly string[]): ProcessSpec => ({
      name,
      program,
      args,
      cwd: root,
      environment: inheritedEnvironment(),
      logFile: join(directory, "logs", `${name}.log`),
      stopSignal: "SIGTERM",
      graceMs: GRACE_MS,
    });
    const service = (name: PartName, roles: string, port: number) =>
      processPart(
        () => {
          const script = ["--import", "tsx", join(root, "api/server.ts")];
          const own = {
            SVC_ROLES: roles,
            SVC_API_PORT: String(port),
            PUBLIC_URL: url,
            DATABASE_READ_URL: replicaUrl,
            REDIS_URL: `redis://127.0.0.1:${redis}`,
          };
          const process_ = spec(name, process.execPath, script);
          const environment = { ...process_.environment, ...stack.apiEnvironment, ...own };
          return { ...process_, environment };
        },
        () => answersOk(`${local(port)}/ready`),
      );

    const home = await copyToReplica(stack);
    parts.postgres = stackPart(stack, "postgres");
    parts.indexer = stackPart(stack, "indexer");
    parts.replica = processPart(
      () => {
        const script = join(ROOT, "scripts/local-stack/postgres-process.ts");
        const args = ["--import", "tsx", script, String(replica), home.data, home.programs];
        return spec("replica", process.execPath, args);
      },
      () => isReplicating(stack.urls.database, replicaUrl),
    );
    parts.redis = processPart(
      () => {
        const args = ["--port", String(redis), "--bind", "127.0.0.1", "--save", ""];
        return spec("redis", "redis-server", [...args, "--appendonly", "no"]);
      },
      async () => spawnSync("redis-cli", ["-p", String(redis), "ping"]).status === 0,
    );
    SERVICE_PARTS.forEach((name, index) => {
      parts[name] = service(name, index < APIS ? "api" : "jobs", ports[index] ?? 0);
    });
    const settings = join(directory, "haproxy.cfg");
    writeFileSync(settings, balancerSettings(balancer, ports.slice(0, APIS)));
    parts.balancer = processPart(
      () => spec("balancer", "haproxy", ["-db", "-f", settings]),
      () => answersOk(`${url}/ready`),
    );
    for (const wave of [["replica", "redis"], SERVICE_PARTS, ["balancer"]] as const) {
      const step = progress.step(wave.join(", "));
      await Promise.all(wave.map((name) => parts[name]?.start()));
      step.done();
    }
    return {
      stack,
      url,
      apiUrls: ports.slice(0, APIS).map(local),
      parts: parts as Record<PartName, Part>,
      upgradeTo(next) {
        root = next;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
