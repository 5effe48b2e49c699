import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate } from "../../api/db/migrate.ts";
import { type StackAccounts, stackAccounts } from "./accounts.ts";
import { type Deployment, deploymentPath } from "./deploy.ts";
import { requireFreeSpace } from "./disk.ts";
import { indexerCommand } from "./indexer.ts";
import { readJson } from "./json-file.ts";
import { LOCAL_RATE_LIMITS } from "./local-limits.ts";
import { claimPorts, type PortName, type Ports, readPorts } from "./ports.ts";
import { ManagedProcess, type ProcessExitError, type ProcessSpec } from "./processes.ts";
import { type Progress, silentProgress } from "./progress.ts";
import { localSecrets } from "./secrets.ts";
import { takeStackLock } from "./stack-lock.ts";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const NEEDED_MEGABYTES = 500;
const GRACE_MS = 8_000;

/** Longest time that a component may take to get ready, in milliseconds: many times what a slow machine needs. */
const READY_MS = { chain: 120_000, postgres: 120_000, indexer: 180_000, api: 120_000 } as const;

/** What a child sees of our environment: enough to run, nothing that could change what it runs on. */
const INHERITED = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "NO_COLOR"];

export type ComponentName = PortName;

/** The parts in the order in which they need each other: each runs on those before it. */
const COMPONENTS = [
  "chain",
  "postgres",
  "indexer",
  "api",
] as const satisfies readonly ComponentName[];

export interface StackOptions {
  /** Where data, logs and the lock are kept. Default: `.local` in the repository. */
  readonly directory?: string;
  /** 0 takes a free port. What is left out comes from the environment, then from the defaults. */
  readonly ports?: Partial<Ports>;
  /** Forgets the secrets of earlier starts. */
  readonly fresh?: boolean;
  /** Default: all. Each needs those before it in chain, postgres, indexer, api; contracts come with the chain. */
  readonly upTo?: ComponentName;
  /** Added to the API's environment, over the stack's own values. */
  readonly apiEnvironment?: Readonly<Record<string, string>>;
  readonly progress?: Progress;
  /** Stops a start that is under way. */
  readonly signal?: AbortSignal;
}

export interface StackUrls {
  readonly rpc: string;
  readonly rpcWs: string;
  readonly database: string;
  readonly indexer: string;
  readonly api: string;
}

export interface Stack {
  readonly urls: StackUrls;
  readonly ports: Ports;
  readonly directory: string;
  readonly accounts: StackAccounts;
  readonly deployment: Deployment;
  /** Settles with the reason as soon as a component ends that nobody stopped. */
  readonly failure: Promise<ProcessExitError>;
  /** The process group of a component, while it runs. */
  pidOf(component: ComponentName): number | undefined;
  /** Kills a component and everything it started at once, as a crash would. */
  kill(component: ComponentName): Promise<void>;
  /** Stops a component if it runs, starts it again and waits until it is ready. Not the chain: its state would be lost. */
  restart(component: Exclude<ComponentName, "chain">): Promise<void>;
  /** Stops everything and frees the directory. May be called more than once. */
  stop(): Promise<void>;
}

/** Root's stand-in for PostgreSQL cannot enter a directory. */
export class UnreachableDirectoryError extends Error {
  override readonly name = "UnreachableDirectoryError";
  constructor(readonly directory: string) {
    super(
      `PostgreSQL does not run as root, and its own user cannot enter ${directory}. Run as an ordinary user, clone to a place such as /srv, or allow it: chmod o+x ${directory}`,
    );
  }
}

/**
 * Boots the local stack: a new chain with the protocol's contracts, a new PostgreSQL, the indexer and the API, all on loopback.
 * Chain and database always begin together: a local chain forgets everything when it stops, and an index of the old one would
 * be wrong. When anything fails, what was started is stopped and the reason is thrown.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const directory = resolve(
    options.directory ?? (process.env.SVC_LOCAL_DIR || join(ROOT, ".local")),
  );
  mkdirSync(join(directory, "logs"), { recursive: true });
  const releaseLock = takeStackLock(directory);
  try {
    await requireFreeSpace(directory, NEEDED_MEGABYTES);
    requireReachable(directory);
    const ports = await claimPorts(readPorts(process.env, options.ports));
    const stack = new LocalStack(directory, ports, options, releaseLock);
    await stack.start();
    return stack;
  } catch (error) {
    releaseLock();
    throw error;
  }
}

class LocalStack implements Stack {
  readonly urls: StackUrls;
  readonly ports: Ports;
  readonly directory: string;
  readonly accounts = stackAccounts();
  readonly failure: Promise<ProcessExitError>;
  readonly #options: StackOptions;
  readonly #progress: Progress;
  readonly #releaseLock: () => void;
  readonly #running = new Map<ComponentName, ManagedProcess>();
  #reportFailure: (error: ProcessExitError) => void = () => {};

  constructor(directory: string, ports: Ports, options: StackOptions, releaseLock: () => void) {
    this.directory = directory;
    this.ports = ports;
    this.#options = options;
    this.#progress = options.progress ?? silentProgress;
    this.#releaseLock = releaseLock;
    this.failure = new Promise((resolve) => {
      this.#reportFailure = resolve;
    });
    this.urls = {
      rpc: `http://127.0.0.1:${ports.chain}`,
      rpcWs: `ws://127.0.0.1:${ports.chain}`,
      database: `postgresql://postgres:postgres@127.0.0.1:${ports.postgres}/postgres`,
      indexer: `http://127.0.0.1:${ports.indexer}`,
      api: `http://127.0.0.1:${ports.api}`,
    };
  }

  get deployment(): Deployment {
    return readJson<Deployment>(deploymentPath(this.directory));
  }

  async start(): Promise<void> {
    process.on("exit", this.#killNow);
    const left = ["postgres", "logs", "storage", "deployment.json"];
    if (this.#options.fresh) left.push("secrets.json");
    for (const name of left) {
      rmSync(join(this.directory, name), { recursive: true, force: true });
    }
    mkdirSync(join(this.directory, "logs"));

    const { signal } = this.#options;
    const wanted = new Set(
      COMPONENTS.slice(0, COMPONENTS.indexOf(this.#options.upTo ?? "api") + 1),
    );
    try {
      signal?.throwIfAborted();
      const aborted = new Promise<never>((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      await Promise.race([aborted, this.#boot(wanted)]);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async #boot(wanted: ReadonlySet<ComponentName>): Promise<void> {
    const base = (["chain", "postgres"] as const).filter((component) => wanted.has(component));
    await Promise.all(base.map((component) => this.#launch(component)));
    const readers = (["indexer", "api"] as const).filter((component) => wanted.has(component));
    await Promise.all(readers.map((component) => this.#launch(component)));
  }

  pidOf(component: ComponentName): number | undefined {
    return this.#running.get(component)?.pid;
  }

  async kill(component: ComponentName): Promise<void> {
    await this.#take(component)?.kill();
  }

  async restart(component: Exclude<ComponentName, "chain">): Promise<void> {
    await this.#take(component)?.stop();
    await this.#launch(component);
  }

  async stop(): Promise<void> {
    // Those that use the chain and the database end first, so that none reports their absence.
    for (const group of [
      ["api", "indexer"],
      ["postgres", "chain"],
    ] as const) {
      await Promise.all(group.map((component) => this.#take(component)?.stop()));
    }
    process.off("exit", this.#killNow);
    this.#releaseLock();
  }

  /** From here on the end of this component is no failure. */
  #take(component: ComponentName): ManagedProcess | undefined {
    const running = this.#running.get(component);
    this.#running.delete(component);
    return running;
  }

  async #launch(component: ComponentName): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const step = this.#progress.step(TITLES[component]);
    const started = new ManagedProcess(this.#spec(component));
    this.#running.set(component, started);
    void started.exited.then(() => {
      if (this.#running.get(component) === started) this.#reportFailure(started.exitError());
    });
    try {
      await started.waitUntil(() => this.#isReady(component), READY_MS[component]);
      if (component === "postgres") await migrate(this.urls.database);
    } catch (error) {
      step.fail();
      throw error;
    }
    step.done(this.#address(component));
  }

  #address(component: ComponentName): string {
    return {
      chain: this.urls.rpc,
      postgres: `127.0.0.1:${this.ports.postgres}`,
      indexer: this.urls.indexer,
      api: this.urls.api,
    }[component];
  }

  async #isReady(component: ComponentName): Promise<boolean> {
    switch (component) {
      case "chain":
        // Written once all contracts are deployed.
        return existsSync(deploymentPath(this.directory));
      case "postgres":
        return answersSql(this.urls.database);
      case "indexer":
        return answersOk(`${this.urls.indexer}/ready`);
      case "api":
        return answersOk(`${this.urls.api}/ready`);
    }
  }

  #spec(component: ComponentName): ProcessSpec {
    const {
      program,
      args,
      environment,
      cwd = ROOT,
      stopSignal = "SIGTERM",
    } = this.#command(component);
    const inherited = INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      name: component,
      program,
      args,
      cwd,
      stopSignal,
      environment: { ...Object.fromEntries(inherited), ...environment },
      logFile: join(this.directory, "logs", `${component}.log`),
      graceMs: GRACE_MS,
    };
  }

  #command(
    component: ComponentName,
  ): Pick<ProcessSpec, "program" | "args" | "environment"> &
    Partial<Pick<ProcessSpec, "cwd" | "stopSignal">> {
    const script = (file: string, ...args: string[]) => ({
      program: process.execPath,
      args: ["--import", "tsx", join(ROOT, file), ...args],
    });
    switch (component) {
      case "chain":
        return {
          ...script("scripts/lib/chain-process.ts", String(this.ports.chain), this.directory),
          environment: {},
        };
      case "postgres":
        return {
          ...script(
            "scripts/lib/postgres-process.ts",
            String(this.ports.postgres),
            join(this.directory, "postgres"),
          ),
          environment: {},
        };
      case "indexer": {
        const { command, args, cwd, stopSignal, env } = indexerCommand({
          databaseUrl: this.urls.database,
          rpcUrl: this.urls.rpc,
          wsUrl: this.urls.rpcWs,
          port: this.ports.indexer,
          deploymentPath: deploymentPath(this.directory),
        });
        return { program: command, args, cwd, stopSignal, environment: env };
      }
      case "api":
        return {
          ...script("api/server.ts"),
          environment: { ...this.#apiEnvironment(), ...this.#options.apiEnvironment },
        };
    }
  }

  #apiEnvironment(): Record<string, string> {
    return {
      SVC_HOST: "127.0.0.1",
      SVC_API_PORT: String(this.ports.api),
      DATABASE_URL: this.urls.database,
      RPC_URL: this.urls.rpc,
      RPC_WS_URL: this.urls.rpcWs,
      SVC_DEPLOYMENT: deploymentPath(this.directory),
      PUBLIC_URL: this.urls.api,
      RELAYER_PRIVATE_KEY: this.accounts.relayer.privateKey,
      STORAGE_PRIVATE_KEY: this.accounts.storage.privateKey,
      TRUSTED_PROXIES: "none",
      RATE_LIMITS: LOCAL_RATE_LIMITS,
      REGISTRATIONS_PER_MONTH: "1000",
      CHALLENGES_PER_ADDRESS: "1000",
      UNCLAIMED_PER_ADDRESS: "1000",
      ...localSecrets(this.directory),
    };
  }

  readonly #killNow = (): void => {
    for (const running of this.#running.values()) running.killNow();
    this.#releaseLock();
  };
}

const TITLES: Readonly<Record<ComponentName, string>> = {
  chain: "Local chain, contracts deployed",
  postgres: "PostgreSQL, schema migrated",
  indexer: "Indexer",
  api: "API",
};

async function answersSql(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // A connection that breaks while the server is still starting is a "not yet", like one that is refused.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } finally {
    await client.end();
  }
}

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
  return response.ok;
}

function requireReachable(directory: string): void {
  if (process.getuid?.() !== 0) return;
  for (const start of [directory, join(ROOT, "node_modules")]) {
    for (let path = start; path !== dirname(path); path = dirname(path)) {
      if ((statSync(path).mode & 0o001) === 0) throw new UnreachableDirectoryError(path);
    }
  }
}
