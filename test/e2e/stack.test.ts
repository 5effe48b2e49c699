import { execFile } from "node:child_process";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPublicClient, http } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { svc } from "../fixtures/svc.ts";
import { accepts, processesOf, StartCommand, stackDirectory } from "./start-command.ts";

const directories: string[] = [];
const commands: StartCommand[] = [];

function newDirectory(): string {
  const directory = stackDirectory();
  directories.push(directory);
  return directory;
}

function start(directory: string, args: string[], environment?: Record<string, string>) {
  const command = new StartCommand(directory, ["--no-demo", ...args], environment);
  commands.push(command);
  return command;
}

afterAll(async () => {
  await Promise.all(commands.map((command) => command.stop("SIGTERM")));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

describe("npm start", () => {
  let stack: StartCommand;
  let directory: string;
  let ports: number[];

  beforeAll(async () => {
    directory = newDirectory();
    stack = new StartCommand(directory, ["--demo", "full"]);
    commands.push(stack);
    ports = await stack.ports();
  });

  it("has every service listening, and the API ready", async () => {
    expect(ports).toHaveLength(4);
    expect(await Promise.all(ports.map((port) => accepts("127.0.0.1", port)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const ready = await fetch(`http://127.0.0.1:${ports[0]}/ready`);
    expect(ready.status).toBe(200);
  });

  // Every address of 127.0.0.0/8 is this machine on Linux. A server on all interfaces would also
  // answer on the second address.
  it.runIf(process.platform === "linux")("listens on 127.0.0.1 alone", async () => {
    expect(await Promise.all(ports.map((port) => accepts("127.0.0.2", port)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("ends by naming the site, the demo agent's page and the docs, which all answer", async () => {
    const [, list = ""] = await stack.printed(/(\n {2}Site [\s\S]+ {2}Docs .+\n)/);
    const pages = [...list.matchAll(/^ {2}(Site|Demo agent|Docs) +(\S+)$/gm)];
    const statuses = pages.map(async ([, page, url = ""]) => [page, (await fetch(url)).status]);
    expect(await Promise.all(statuses)).toEqual([
      ["Site", 200],
      ["Demo agent", 200],
      ["Docs", 200],
    ]);
  });

  it("names three things to try, which succeed as they stand", async () => {
    const lines = stack.output.match(/^ {4}curl .+$/gm) ?? [];
    const answers: unknown[] = [];
    // One after another: the second writes what the third reads.
    for (const line of lines) {
      const { stdout } = await promisify(execFile)("sh", ["-c", line]);
      answers.push(JSON.parse(stdout));
    }
    expect(answers).toMatchObject([
      { valid: true, agentName: "aurora" },
      { status: "queued" },
      { chronicles: expect.arrayContaining([expect.objectContaining({ status: "queued" })]) },
    ]);
  });

  it("names its contracts in a file, with which svc verifies the demo agent on chain", async () => {
    const [, deployment = ""] = await stack.printed(/^ {2}Contracts +(\S+)$/m);
    const env = { SVC_DEPLOYMENT: deployment, SVC_RPC_URL: `http://127.0.0.1:${ports[1]}` };
    const { code, stdout } = await svc(["verify", "agent", "aurora"], { env });
    expect([code, stdout.split("\n", 1)[0]]).toEqual([
      0,
      "valid: aurora is sealed, and its passport is with the owner who sealed it.",
    ]);
  });

  it.each([
    ["/agents/meridian", "Slow freight, on the right tide."],
    ["/agents/tallow", "Sealed and valid"],
    ["/agents/ember", "Reincarnated as"],
    ["/agents/bramble", "Suspended"],
    ["/agents/quill-too", "quill"],
    ["/organizations", "Harbour Commons"],
    ["/organizations/1", "sextant"],
    ["/allowances/2", "14, in 1 payment"],
    ["/bindings/1", "Sends children who ask for a story."],
    ["/proofs/alignment/meridian", "score"],
    ["/proofs/certificates/4", "tallow"],
    ["/events", "Payment refused"],
    ["/v1/did/sextant", "JsonWebKey"],
    ["/v1/soul-documents/quill", "forty-foxes"],
  ])("has a past to show on %s", async (path, part) => {
    const page = await fetch(`http://127.0.0.1:${ports[0]}${path}`);
    const text = await page.text();
    expect([page.status, text.includes(part)]).toEqual([200, true]);
  });

  it("ends the past at the present time of the chain", async () => {
    const client = createPublicClient({ transport: http(`http://127.0.0.1:${ports[1]}`) });
    const { timestamp } = await client.getBlock();
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60);
  });

  it("keeps its secrets from other users", () => {
    expect(statSync(join(directory, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  it("refuses a second stack in the same directory, and stays up", async () => {
    const second = start(directory, []);

    expect(await second.exit).toEqual({ code: 1, signal: null });
    expect(second.output).toContain(
      `A stack is already running from ${directory} (process ${stack.child.pid}).`,
    );
    expect((await fetch(`http://127.0.0.1:${ports[0]}/ready`)).status).toBe(200);
  });

  it("ends with 130 on Ctrl-C and leaves no process, port or lock", async () => {
    expect(processesOf(directory).length).toBeGreaterThan(4);

    expect(await stack.stop("SIGINT")).toEqual({ code: 130, signal: null });

    expect(processesOf(directory)).toEqual([]);
    expect(await Promise.all(ports.map((port) => accepts("127.0.0.1", port)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(existsSync(join(directory, "stack.lock"))).toBe(false);
  });
});

describe("npm start, killed without a chance to clean up", () => {
  it("takes its services with it, and its lock does not delay the next start", async () => {
    const directory = newDirectory();
    const killed = start(directory, []);
    await killed.printed(/PostgreSQL, schema migrated/);

    expect(await killed.stop("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
    await vi.waitFor(() => expect(processesOf(directory)).toEqual([]), { timeout: 20_000 });
    expect(existsSync(join(directory, "stack.lock"))).toBe(true);

    const next = start(directory, []);
    await next.printed(/PostgreSQL, schema migrated/);
    expect(await next.stop("SIGTERM")).toEqual({ code: 143, signal: null });
    expect(existsSync(join(directory, "stack.lock"))).toBe(false);
  });
});

describe("npm start, when it cannot start", () => {
  let occupied: ReturnType<typeof createServer> | undefined;
  afterEach(() => {
    occupied?.close();
  });

  it("names a taken port and how to choose another", async () => {
    const port = await new Promise<number>((resolve) => {
      occupied = createServer().listen(0, "127.0.0.1", () => {
        const address = occupied?.address();
        if (typeof address === "object" && address) resolve(address.port);
      });
    });
    const directory = newDirectory();
    const command = start(directory, ["--chain-port", String(port)]);

    expect(await command.exit).toEqual({ code: 1, signal: null });
    expect(command.output).toContain(
      `Port ${port} (chain) is taken by another process. Stop it or set SVC_CHAIN_PORT=<a free port>.`,
    );
    expect(existsSync(join(directory, "stack.lock"))).toBe(false);
  });

  it("refuses an invalid port", async () => {
    const command = start(newDirectory(), ["--api-port", "70000"]);

    expect(await command.exit).toEqual({ code: 2, signal: null });
    expect(command.output).toContain("--api-port must be a port number from 1 to 65535");
    expect(command.output).toContain('it is "70000".');
  });

  it.each([
    [["--demo", "half"], '--demo must be one or full; it is "half".'],
    [["--no-demo", "--demo", "full"], "--demo and --no-demo exclude each other: leave one out."],
  ])("refuses %j", async (args, message) => {
    const command = new StartCommand(newDirectory(), args);
    commands.push(command);

    expect(await command.exit).toEqual({ code: 2, signal: null });
    expect(command.output).toContain(message);
  });

  it("takes over the lock of a process that is gone", async () => {
    const directory = newDirectory();
    // A process with this number lives (it is this one), but the lock was another process's.
    writeFileSync(join(directory, "stack.lock"), `${process.pid} 1\n`);
    const command = start(directory, []);

    await command.printed(/PostgreSQL, schema migrated/);
    expect(await command.stop("SIGINT")).toEqual({ code: 130, signal: null });
  });
});
