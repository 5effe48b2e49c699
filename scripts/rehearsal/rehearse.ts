import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import pg from "pg";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { deployCommand } from "../deploy/command.ts";
import type { Deployment } from "../deploy/deployment.ts";
import { firstLife } from "../first-life.ts";
import { readJson } from "../lib/json-file.ts";
import { run } from "../lib/run.ts";
import { stackAccounts } from "../local-stack/accounts.ts";
import { claimPorts } from "../local-stack/ports.ts";
import {
  installedPrograms,
  makePostgresHome,
  removePostgresHome,
} from "../local-stack/postgres-home.ts";
import { ManagedProcess } from "../local-stack/processes.ts";
import { makeEnvFile } from "../processes/secrets.ts";
import { startSepolia } from "./node.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const READY_MS = 180_000;
const STOP_MS = 20_000;
const PATIENCE = { pollingInterval: 50, confirmations: 1 };

export interface Rehearsal {
  /** An empty folder for keys, logs and data. */
  readonly directory: string;
  /** What `npm run build:service` wrote. Default: the sources. */
  readonly service: string | undefined;
  /** An image, to be run with Podman. */
  readonly image: string | undefined;
  readonly print: (text: string) => void;
}

type Settings = Readonly<Record<string, string>>;

/** Runs the walk-through of docs/base-sepolia.md on this machine, and stops everything it started. */
export async function rehearse(rehearsal: Rehearsal): Promise<void> {
  const { directory, print } = rehearsal;
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const ports = await claimPorts({ chain: 0, postgres: 0, indexer: 0, api: 0 });
    const { api: workerPort } = await claimPorts({ chain: 0, postgres: 0, indexer: 0, api: 0 });
    const node = await startSepolia(ports.chain);
    stops.push(node.stop);
    const database = await startPostgres(directory, ports.postgres, stops);

    print("Keys");
    const secrets = makeSecrets(directory, print);
    const relayer = privateKeyToAccount(secrets.RELAYER_PRIVATE_KEY as Hex).address;
    const deployment = await deploy({ directory, print, node, relayer });

    const api = `http://127.0.0.1:${ports.api}`;
    const settings: Settings = {
      ...secrets,
      PUBLIC_URL: api,
      TRUSTED_PROXIES: "none",
      DATABASE_URL: database,
      RPC_URL: node.url,
      SVC_DEPLOYMENT: deployment,
      SVC_HOST: "127.0.0.1",
      SVC_API_PORT: String(ports.api),
      SVC_INDEXER_HOST: "127.0.0.1",
      SVC_INDEXER_PORT: String(ports.indexer),
    };
    await complete(rehearsal, "migrate", settings);
    const ready = (port: number) => async () => (await fetch(`http://127.0.0.1:${port}/ready`)).ok;
    await start(rehearsal, "indexer", settings, ready(ports.indexer), stops);
    await start(rehearsal, "api", settings, ready(ports.api), stops);
    const worker = { ...settings, SVC_API_PORT: String(workerPort) };
    await start(rehearsal, "worker", worker, ready(workerPort), stops);
    await complete(rehearsal, "doctor", settings);
    await firstLife({
      stack: {
        accounts: stackAccounts(),
        deployment: readJson<Deployment>(deployment),
        urls: { rpc: node.url, rpcWs: "", database, indexer: "", api },
      },
      print,
    });
    print("\nEvery step of docs/base-sepolia.md succeeded.");
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function makeSecrets(directory: string, print: (text: string) => void): Settings {
  const path = join(directory, ".env");
  print(makeEnvFile(path));
  const values = parseEnv(readFileSync(path, "utf8"));
  const made = [
    "RELAYER_PRIVATE_KEY",
    "STORAGE_PRIVATE_KEY",
    "MASTER_KEYS",
    "JWT_SECRETS",
    "METRICS_TOKEN",
  ];
  return Object.fromEntries(made.map((name) => [name, values[name] ?? ""]));
}

/** Dry run and deployment by the command itself. @returns the deployment file. */
async function deploy(options: {
  readonly directory: string;
  readonly print: (text: string) => void;
  readonly node: Awaited<ReturnType<typeof startSepolia>>;
  readonly relayer: `0x${string}`;
}): Promise<string> {
  const { directory, print, node, relayer } = options;
  const deployer = generatePrivateKey();
  const sender = privateKeyToAccount(deployer).address;
  await node.fund(sender);
  await node.fund(relayer);
  // Hardhat reads both from the environment of its process.
  process.env.BASE_SEPOLIA_RPC_URL = node.url;
  process.env.DEPLOYER_PRIVATE_KEY = deployer;
  const admin = privateKeyToAccount(generatePrivateKey()).address;
  const args = ["--network", "base-sepolia", "--admin", admin, "--registrar", relayer];
  for (const more of [["--dry-run", "--deployer", sender], []]) {
    const status = await deployCommand([...args, ...more], {
      environment: process.env,
      root: directory,
      print,
      complain: print,
      patience: PATIENCE,
    });
    if (status !== 0) throw new Error("npm run deploy failed.");
  }
  const file = join(directory, "deployments", "base-sepolia.json");
  // Containers read it as another user.
  for (const path of [directory, join(directory, "deployments")]) chmodSync(path, 0o755);
  chmodSync(file, 0o644);
  return file;
}

async function startPostgres(
  directory: string,
  port: number,
  stops: (() => Promise<unknown>)[],
): Promise<string> {
  mkdirSync(join(directory, "logs"));
  const home = makePostgresHome(directory, await installedPrograms());
  stops.push(async () => removePostgresHome(directory));
  const server = new ManagedProcess({
    name: "postgres",
    program: process.execPath,
    args: [
      ...["--import", "tsx", join(ROOT, "scripts/local-stack/postgres-process.ts")],
      ...[String(port), home.data, home.programs],
    ],
    cwd: ROOT,
    stopSignal: "SIGTERM",
    environment: { PATH: process.env.PATH ?? "" },
    logFile: join(directory, "logs/postgres.log"),
    graceMs: STOP_MS,
  });
  stops.push(() => server.stop());
  const url = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
  await server.waitUntil(async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
    return true;
  }, READY_MS);
  return url;
}

/** How a command of the service is run: from the sources, from a built folder or in a container. */
function commandLine({ directory, service, image }: Rehearsal, name: string, settings: Settings) {
  if (image !== undefined) {
    const file = join(directory, `${name}.list`);
    const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
    writeFileSync(file, lines.join(""), { mode: 0o600 });
    const { SVC_DEPLOYMENT = "" } = settings;
    return {
      program: "podman",
      args: [
        ...["run", "--rm", "--name", `svc-rehearsal-${name}-${process.pid}`, "--read-only"],
        ...["--network", "host", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
        ...["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"],
        ...["--volume", `${SVC_DEPLOYMENT}:${SVC_DEPLOYMENT}:ro`, "--env-file", file],
        ...[image, `scripts/${name}.js`],
      ],
    };
  }
  return {
    program: process.execPath,
    args:
      service === undefined
        ? ["--import", "tsx", join(ROOT, `scripts/${name}.ts`)]
        : [join(resolve(service), `scripts/${name}.js`)],
  };
}

async function complete(rehearsal: Rehearsal, name: string, settings: Settings): Promise<void> {
  const { program, args } = commandLine(rehearsal, name, settings);
  const variables = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  const { exitCode, output } = await run("env", [...variables, program, ...args]);
  rehearsal.print(output);
  if (exitCode !== 0) throw new Error(`${name} ended with exit status ${exitCode}.`);
}

async function start(
  rehearsal: Rehearsal,
  name: string,
  settings: Settings,
  isReady: () => Promise<boolean>,
  stops: (() => Promise<unknown>)[],
): Promise<void> {
  const { program, args } = commandLine(rehearsal, name, settings);
  const process_ = new ManagedProcess({
    name,
    program,
    args,
    cwd: ROOT,
    stopSignal: "SIGTERM",
    environment: { ...settings, PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
    logFile: join(rehearsal.directory, "logs", `${name}.log`),
    graceMs: STOP_MS,
  });
  stops.push(() => process_.stop());
  await process_.waitUntil(isReady, READY_MS);
  rehearsal.print(`${name} is ready.`);
}
