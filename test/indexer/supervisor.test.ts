import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePorts } from "../../scripts/local-stack/ports.ts";
import { processFamily } from "../../scripts/local-stack/process-family.ts";
import { type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

// The indexer's process as operators start it, with Ponder below it.

const WAIT = { timeout: 120_000, interval: 100 };

let chain: IndexedChain;
let database: TestDatabase;
let port: number;
const started: ChildProcess[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startIndexedChain(), createDatabase()]);
  [port = 0] = await freePorts(1);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(stopped));
});
afterAll(async () => {
  await database?.drop();
  await chain?.stop();
});

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function startSupervisor() {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/indexer.ts"], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      RPC_URL: chain.rpcUrl,
      SVC_DEPLOYMENT: chain.deploymentPath,
      SVC_INDEXER_PORT: String(port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  return { child, output: () => output };
}

const isReady = () =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The supervisor and the processes below it. */
const familyOf = ({ pid }: ChildProcess) => processFamily(pid ?? 0).map((process) => process.pid);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const isListening = () =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

describe("the indexer's process", () => {
  it("leaves no process and no port behind when it is killed, and its next start serves", async () => {
    const first = startSupervisor();
    await expect.poll(isReady, WAIT).toBe(true);
    const family = familyOf(first.child);
    expect(family.length).toBeGreaterThan(1);
    first.child.kill("SIGKILL");
    await expect.poll(() => family.filter(isAlive), WAIT).toEqual([]);
    expect(await isListening()).toBe(false);

    const second = startSupervisor();
    await expect.poll(isReady, WAIT).toBe(true);

    const third = startSupervisor();
    expect(await once(third.child, "exit")).toEqual([1, null]);
    const refusal = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`;
    expect(third.output()).toContain(refusal);
    expect(second.child.exitCode).toBeNull();
    const remaining = familyOf(second.child);
    second.child.kill("SIGTERM");
    expect(await once(second.child, "exit")).toEqual([0, null]);
    await expect.poll(() => remaining.filter(isAlive), WAIT).toEqual([]);
  }, 240_000);
});

it("an indexer that is busy ends with its supervisor", async () => {
  const child = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      "--input-type=module",
      "--eval",
      `import { endWithSupervisor } from "./indexer/end-with-supervisor.ts";
       endWithSupervisor("3");
       process.stdout.write("busy");
       for (;;);`,
    ],
    { stdio: ["ignore", "pipe", "inherit", "pipe"] },
  );
  await once(child.stdout as NodeJS.ReadableStream, "data");
  const exit = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  (child.stdio[3] as unknown as { destroy(): void }).destroy();
  expect(await exit).toEqual([null, "SIGKILL"]);
}, 60_000);
