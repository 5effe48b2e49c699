import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Integrator, integrator } from "./integrator.ts";
import { processesOf, readProcess, StartCommand, stackDirectory } from "./start-command.ts";

// kill -9 of each component while the stack runs. A killed indexer holds its schema for up to 25
// seconds.
const SERVES_AGAIN = { timeout: 90_000, interval: 100 };

/** A part of each component's command line that no other process has. */
const PROGRAMS = {
  chain: "chain-process.ts",
  postgres: "postgres-process.ts",
  indexer: "ponder.js",
  api: "api/server.js",
} as const;

let directory: string;
let stack: StartCommand;
let user: Integrator;

beforeAll(async () => {
  directory = stackDirectory();
  stack = new StartCommand(directory, ["--no-demo"]);
  const [apiPort] = await stack.ports();
  user = integrator(`http://127.0.0.1:${apiPort}`, join(directory, "deployment.json"));
});
afterAll(async () => {
  await stack?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The component's own process, not its supervisor. */
function processOf(component: keyof typeof PROGRAMS): number {
  const found = processesOf(directory).filter((pid) => {
    const words = readProcess(pid, "cmdline").split("\0");
    return (
      words.some((word) => word.endsWith(PROGRAMS[component])) &&
      !words.some((word) => word.endsWith("leash.mjs"))
    );
  });
  const [pid] = found;
  if (pid === undefined || found.length > 1) throw new Error(`${component}: ${found.join(", ")}`);
  return pid;
}

/** Registers an agent and reads its profile: chain, database, index and API all take part. */
async function serves(): Promise<void> {
  const ready = await fetch(`${user.client.service}/ready`);
  expect(ready.status).toBe(200);
  const { agentName } = await user.register();
  await expectSealed(agentName);
}

async function expectSealed(name: string): Promise<void> {
  const profile = await user.client.request("getProfile", { path: { name } });
  expect(profile).toMatchObject({ status: 200, data: { genesisStatus: "SEALED" } });
}

/** Resolves once the stack printed that the component died by SIGKILL, and that it runs again. */
async function restarted(component: keyof typeof PROGRAMS, title: string): Promise<void> {
  await stack.printed(
    new RegExp(
      `${component} died \\((?:ended by SIGKILL|killed).*\\)\\. Restart 1 of 5 in 1 s\\.\\n(?:.*\\n)*ok\\s+${title}: `,
    ),
  );
}

describe.runIf(process.platform === "linux")("npm start, one of whose components is killed", () => {
  it("starts the API again", async () => {
    process.kill(processOf("api"), "SIGKILL");
    await restarted("api", "API");
    await vi.waitFor(serves, SERVES_AGAIN);
  });

  it("starts indexer and PostgreSQL again, with their data", async () => {
    const before = await user.register();
    process.kill(processOf("indexer"), "SIGKILL");
    process.kill(processOf("postgres"), "SIGKILL");
    await restarted("postgres", "PostgreSQL, schema migrated");
    await restarted("indexer", "Indexer");
    await vi.waitFor(serves, SERVES_AGAIN);
    await expectSealed(before.agentName);
  });

  it("ends when the chain died, and says why it cannot be started again", async () => {
    process.kill(processOf("chain"), "SIGKILL");
    expect(await stack.exit).toEqual({ code: 1, signal: null });
    expect(stack.output).toContain(
      "The local chain died and took its state with it, so the stack ends. Start it again: chain and database begin anew. chain stopped unexpectedly (ended by SIGKILL).",
    );
    expect(processesOf(directory)).toEqual([]);
  });
});
