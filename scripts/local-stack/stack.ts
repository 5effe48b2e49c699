import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Deployment, deploymentPath } from "../deploy/deployment.ts";
import { readJson } from "../lib/json-file.ts";
import { type Progress, silentProgress } from "../lib/progress.ts";
import { type StackAccounts, stackAccounts } from "./accounts.ts";
import { answersOk, answersSql } from "./answers.ts";
import { type Bundle, type BundledProgram, findBundle } from "./bundle/bundle.ts";
import { requireFreeSpace } from "./disk.ts";
import { LOCAL_RATE_LIMITS, LOCAL_SPONSORSHIP } from "./local-limits.ts";
import { claimPorts, type PortName, type Ports, readPorts } from "./ports.ts";
import {
  installedPrograms,
  makePostgresHome,
  type PostgresHome,
  removePostgresHome,
} from "./postgres-home.ts";
import {
  inheritedEnvironment,
  ManagedProcess,
  ProcessExitError,
  type ProcessSpec,
} from "./processes.ts";
import { RESTART_POLICY, RestartCounter } from "./restart-policy.ts";
import { localSecrets } from "./secrets.ts";
import { takeStackLock } from "./stack-lock.ts";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const NEEDED_MEGABYTES = 500;
/**
 * On a machine with much memory V8 takes up to 120 MB for new objects while modules load, and keeps it. With 8 MiB an API
 * takes 170 MB less.
 */
const SMALL_NEW_SPACE = "--max-semi-space-size=8";
/**
 * An API whose heap may become large lets three times its live objects gather before it collects
 * the dead ones. With this limit it is half as many.
 */
const EARLY_COLLECTION = "--max-old-space-size=768";
/** Memory that glibc keeps for each thread is not returned: two arenas serve the threads of Node's pool as well. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: "2" };
const GRACE_MS = 8_000;

/**
 * Time limits for components to become ready, in milliseconds: many times what a slow machine
 * needs.
 */
const READY_MS = { chain: 120_000, postgres: 120_000, indexer: 180_000, api: 120_000 } as const;

export type ComponentName = PortName;

/** The components in dependency order: each needs those before it. */
const COMPONENTS = [
  "chain",
  "postgres",
  "indexer",
  "api",
] as const satisfies readonly ComponentName[];

export interface StackOptions {
  /** Directory of data, logs and lock. Default: `.local` in the repository. */
  readonly directory?: string;
  /** 0 takes a free port. Missing ports come from the environment, then from the defaults. */
  readonly ports?: Partial<Ports>;
  /** Discards the secrets of earlier starts. */
  readonly fresh?: boolean;
  /**
   * Default: all. Each needs those before it in chain, postgres, indexer, api; contracts come with
   * the chain.
   */
  readonly upTo?: ComponentName;
  /** Time of the chain's first block. Default: now. A later time is set through the node. */
  readonly chainStart?: Date | undefined;
  /** Added to the environment of every component. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Added to the API's environment, over the stack's own values. */
  readonly apiEnvironment?: Readonly<Record<string, string>>;
  readonly progress?: Progress;
  /**
   * Restarts components that end, except the chain, and reports it through `progress`. Default: an
   * ended component is a failure.
   */
  readonly supervised?: boolean;
  /** What its processes run from. Default: the bundle of these sources, where there is one, and otherwise the built service. */
  readonly bundle?: Bundle | undefined;
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal;
}

interface Revival {
  readonly cancel: AbortController;
  /** Settles when it has ended, never rejects. */
  readonly done: Promise<void>;
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
  /** Where its PostgreSQL keeps its data. */
  readonly postgresHome: PostgresHome;
  /** The environment of the stack's API, for further processes of the service. */
  readonly apiEnvironment: Readonly<Record<string, string>>;
  /**
   * Settles with the reason when a component has ended and is not restarted: at the first end, or,
   * when supervised, when the chain ends or a component ends too often.
   */
  readonly failure: Promise<Error>;
  /** The process group of a component while it runs. */
  pidOf(component: ComponentName): number | undefined;
  /** Kills a component and all its children at once, like a crash. */
  kill(component: ComponentName): Promise<void>;
  /**
   * Stops a component if it runs, starts it and waits until it is ready. Not the chain: its state
   * would be lost.
   */
  restart(component: Exclude<ComponentName, "chain">): Promise<void>;
  /** Stops everything and frees the directory. May be called more than once. */
  stop(): Promise<void>;
}

/** The chain ended. Its state was in memory, and database and index are useless without it. */
class ChainLostError extends Error {
  override readonly name = "ChainLostError";
  constructor(override readonly cause: ProcessExitError) {
    super(
      `The local chain died and took its state with it, so the stack ends. Start it again: chain and database begin anew. ${cause.message}`,
    );
  }
}

/** A component ended repeatedly. */
class RestartsExhaustedError extends Error {
  override readonly name = "RestartsExhaustedError";
  constructor(
    readonly component: ComponentName,
    override readonly cause: unknown,
  ) {
    super(
      `${component} died again after ${RESTART_POLICY.tries} restarts, so the stack ends. ${messageOf(cause)}`,
    );
  }
}

/**
 * Boots the local stack: a new chain with the protocol's contracts, a new PostgreSQL, the indexer
 * and the API, all on loopback. Chain and database always start fresh together: a stopped chain
 * loses its state, and an index of it would be wrong. When anything fails, started components are
 * stopped and the reason is thrown.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const directory = resolve(
    options.directory ?? (process.env.SVC_LOCAL_DIR || join(ROOT, ".local")),
  );
  mkdirSync(join(directory, "logs"), { recursive: true });
  const releaseLock = takeStackLock(directory);
  try {
    await requireFreeSpace(directory, NEEDED_MEGABYTES);
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
  readonly failure: Promise<Error>;
  readonly #options: StackOptions;
  readonly #progress: Progress;
  readonly #releaseLock: () => void;
  readonly #running = new Map<ComponentName, ManagedProcess>();
  readonly #restartCounters = new Map<ComponentName, RestartCounter>();
  /** Components that are being restarted. */
  readonly #revivals = new Map<ComponentName, Revival>();
  /** The same for all starts of a component, so that they agree. */
  readonly #bundle: Bundle | undefined;
  /** The folder of the built service, which runs where there is no bundle. */
  #build = "";
  #postgresHome: PostgresHome | undefined;
  #reportFailure: (error: Error) => void = () => {};

  constructor(directory: string, ports: Ports, options: StackOptions, releaseLock: () => void) {
    this.directory = directory;
    this.ports = ports;
    this.#options = options;
    this.#progress = options.progress ?? silentProgress;
    this.#releaseLock = releaseLock;
    this.#bundle = options.bundle ?? findBundle();
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

  get postgresHome(): PostgresHome {
    if (!this.#postgresHome) throw new Error("PostgreSQL has no home before the stack starts.");
    return this.#postgresHome;
  }

  async start(): Promise<void> {
    process.on("exit", this.#killNow);
    removePostgresHome(this.directory);
    const left = ["logs", "storage", "deployment.json"];
    if (this.#options.fresh) left.push("secrets.json");
    for (const name of left) {
      rmSync(join(this.directory, name), { recursive: true, force: true });
    }
    mkdirSync(join(this.directory, "logs"));
    this.#postgresHome = makePostgresHome(this.directory, await installedPrograms());

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
    const needsBuild = this.#bundle === undefined && wanted.has("indexer");
    await Promise.all([
      ...base.map((component) => this.#launch(component)),
      needsBuild && this.#buildService(),
    ]);
    const readers = (["indexer", "api"] as const).filter((component) => wanted.has(component));
    const [indexer, api] = readers;
    const indexed = indexer && this.#launch(indexer);
    await Promise.all([indexed, api && this.#launch(api, indexed)]);
  }

  async #buildService(): Promise<void> {
    const step = this.#progress.step("Service built");
    try {
      // Loaded only now, so that the processes of the stack do not wait for it.
      const { sharedBuild } = await import("../service/shared-build.ts");
      this.#build = await sharedBuild();
    } catch (error) {
      step.fail();
      throw error;
    }
    step.done();
  }

  pidOf(component: ComponentName): number | undefined {
    return this.#running.get(component)?.pid;
  }

  async kill(component: ComponentName): Promise<void> {
    this.#endRevival(component);
    await this.#take(component)?.kill();
  }

  async restart(component: Exclude<ComponentName, "chain">): Promise<void> {
    this.#endRevival(component);
    await this.#take(component)?.stop();
    await this.#launch(component);
  }

  async stop(): Promise<void> {
    for (const component of COMPONENTS) this.#endRevival(component);
    // Users of the chain and the database stop first, so that they report no missing dependency.
    for (const group of [
      ["api", "indexer"],
      ["postgres", "chain"],
    ] as const) {
      await Promise.all(group.map((component) => this.#take(component)?.stop()));
    }
    process.off("exit", this.#killNow);
    this.#removeOutsideHome();
    this.#releaseLock();
  }

  /** The data of the last start is kept for inspection, but only inside the stack's directory. */
  #removeOutsideHome(): void {
    const home = this.#postgresHome;
    if (home && !home.data.startsWith(this.directory)) removePostgresHome(this.directory);
  }

  /** After this call the end of this component is not a failure. */
  #take(component: ComponentName): ManagedProcess | undefined {
    const running = this.#running.get(component);
    this.#running.delete(component);
    return running;
  }

  /**
   * @param after Before this, it is not asked whether it is ready, because it cannot be: each answer
   * would take processor time from what it waits for.
   */
  async #launch(component: ComponentName, after?: Promise<void>): Promise<void> {
    this.#options.signal?.throwIfAborted();
    let isDue = after === undefined;
    void after?.then(
      () => {
        isDue = true;
      },
      () => {},
    );
    const step = this.#progress.step(TITLES[component]);
    const started = new ManagedProcess(this.#spec(component));
    this.#running.set(component, started);
    try {
      await started.waitUntil(
        async () => isDue && (await this.#isReady(component)),
        READY_MS[component],
      );
      if (component === "postgres") {
        // Loaded only now, so that the processes of the stack do not wait for it.
        const { migrate } = await import("../../api/platform/database/migrate.ts");
        await migrate(this.urls.database);
      }
    } catch (error) {
      step.fail();
      throw error;
    }
    step.done(this.#address(component));

    const readyAt = performance.now();
    void started.exited.then(() => {
      if (this.#running.get(component) !== started) return;
      this.#running.delete(component);
      this.#died(component, started.exitError(), performance.now() - readyAt);
    });
  }

  #died(component: ComponentName, error: ProcessExitError, ranForMs: number): void {
    if (!this.#options.supervised || component === "chain") {
      this.#reportFailure(this.#options.supervised ? new ChainLostError(error) : error);
      return;
    }
    const cancel = new AbortController();
    const done = this.#revive(component, error, ranForMs, cancel.signal).catch(
      (reason: unknown) => {
        if (!cancel.signal.aborted) this.#reportFailure(reason as Error);
      },
    );
    this.#revivals.set(component, { cancel, done });
    void done.then(() => {
      if (this.#revivals.get(component)?.cancel === cancel) this.#revivals.delete(component);
    });
  }

  /**
   * Restarts a component until it is ready. Rejects when it ended too often, or when `signal`
   * aborts.
   */
  async #revive(
    component: ComponentName,
    error: ProcessExitError,
    ranForMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const counter = this.#restartCounters.get(component) ?? new RestartCounter(RESTART_POLICY);
    this.#restartCounters.set(component, counter);
    let cause: unknown = error;
    for (let retry = counter.next(ranForMs); retry; retry = counter.next(0)) {
      const why = cause instanceof ProcessExitError ? cause.summary : messageOf(cause);
      this.#progress.note(
        `${component} died (${why}). Restart ${retry.attempt} of ${RESTART_POLICY.tries} in ${retry.waitMs / 1_000} s.`,
      );
      await delay(retry.waitMs, undefined, { signal });
      // Its dependency comes first, or it would end again.
      if (component !== "postgres") await this.#revivals.get("postgres")?.done;
      signal.throwIfAborted();
      try {
        return await this.#launch(component);
      } catch (failure) {
        signal.throwIfAborted();
        await this.#take(component)?.stop();
        cause = failure;
      }
    }
    throw new RestartsExhaustedError(component, cause);
  }

  #endRevival(component: ComponentName): void {
    this.#revivals.get(component)?.cancel.abort();
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
    const { program, args, environment } = this.#command(component);
    return {
      name: component,
      program,
      args,
      cwd: ROOT,
      // The whole group gets it. On SIGTERM Ponder ends before it has released its schema.
      stopSignal: component === "indexer" ? "SIGINT" : "SIGTERM",
      environment: {
        ...inheritedEnvironment(),
        ...this.#options.environment,
        ...environment,
      },
      logFile: join(this.directory, "logs", `${component}.log`),
      graceMs: GRACE_MS,
    };
  }

  #command(component: ComponentName): Pick<ProcessSpec, "program" | "args" | "environment"> {
    const node = (...args: string[]) => ({
      program: process.execPath,
      args: [SMALL_NEW_SPACE, ...args],
    });
    const tool = (file: BundledProgram, ...args: string[]) => {
      const path = this.#bundle?.programOf(file);
      return path === undefined
        ? node("--import", "tsx", join(ROOT, file), ...args)
        : node(path, ...args);
    };
    const service = (file: BundledProgram) =>
      node(this.#bundle?.programOf(file) ?? join(this.#build, file.replace(/\.ts$/, ".js")));
    const cached = this.#bundle?.environment;
    switch (component) {
      case "chain":
        return {
          ...tool(
            "scripts/local-stack/chain-process.ts",
            String(this.ports.chain),
            this.directory,
            (this.#options.chainStart ?? new Date()).toISOString(),
          ),
          environment: { ...cached },
        };
      case "postgres": {
        const home = this.postgresHome;
        return {
          ...tool(
            "scripts/local-stack/postgres-process.ts",
            String(this.ports.postgres),
            home.data,
            home.programs,
            this.#bundle?.cluster() ?? "",
          ),
          // Its data may be elsewhere: this names its stack.
          environment: { ...cached, SVC_LOCAL_DIR: this.directory },
        };
      }
      case "indexer":
        return {
          ...service("scripts/indexer.ts"),
          environment: {
            ...cached,
            DATABASE_URL: this.urls.database,
            RPC_URL: this.urls.rpc,
            RPC_WS_URL: this.urls.rpcWs,
            SVC_DEPLOYMENT: deploymentPath(this.directory),
            SVC_INDEXER_PORT: String(this.ports.indexer),
          },
        };
      case "api": {
        const { program, args } = service("api/server.ts");
        return {
          program,
          args: [EARLY_COLLECTION, ...args],
          environment: { ...FEW_ARENAS, ...cached, ...this.apiEnvironment },
        };
      }
    }
  }

  get apiEnvironment(): Readonly<Record<string, string>> {
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
      ...LOCAL_SPONSORSHIP,
      CHALLENGES_PER_ADDRESS: "1000",
      UNCLAIMED_PER_ADDRESS: "1000",
      OUTBOUND_LOOPBACK_HTTP: "true",
      ...localSecrets(this.directory),
      ...this.#options.apiEnvironment,
    };
  }

  readonly #killNow = (): void => {
    for (const running of this.#running.values()) running.killNow();
    this.#removeOutsideHome();
    this.#releaseLock();
  };
}

const TITLES: Readonly<Record<ComponentName, string>> = {
  chain: "Local chain, contracts deployed",
  postgres: "PostgreSQL, schema migrated",
  indexer: "Indexer",
  api: "API",
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
