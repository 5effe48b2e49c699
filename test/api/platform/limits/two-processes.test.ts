import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedBuild } from "../../../../scripts/service/shared-build.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { hasRedis, startRedis, type TestRedis } from "../../../fixtures/redis.ts";
import { deployment, serverEnvironment } from "../../server-config.ts";

// Two processes of the API, as they run behind a balancer, over one Redis.

const LIMIT = 200;
const WAVE = 10;

interface ApiProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves with the first log line of this message. */
  logged(message: string): Promise<void>;
}

async function startApi(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const child = spawn(process.execPath, [join(await sharedBuild(), "scripts/api.js")], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  const waiting = new Map<string, (line: Record<string, unknown>) => void>();
  const logged = (message: string) =>
    new Promise<Record<string, unknown>>((resolve) => waiting.set(message, resolve));
  createInterface({ input: child.stdout }).on("line", (line) => {
    output.push(line);
    const entry = line.startsWith("{") ? JSON.parse(line) : {};
    waiting.get(entry.msg)?.(entry);
  });
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  const ended = once(child, "exit").then(() => {
    throw new Error(`The API ended:\n${output.join("\n")}`);
  });
  // Also when nothing waits for it any more.
  ended.catch(() => {});
  const { port } = await Promise.race([logged("listening"), ended]);
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    logged: async (message) => void (await logged(message)),
  };
}

describe.skipIf(!hasRedis)("limits over two processes (skipped without redis-server)", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let directory: string;
  let processes: ApiProcess[] = [];

  beforeAll(async () => {
    [database, redis, directory] = await Promise.all([
      createDatabase(),
      startRedis(),
      mkdtemp(join(tmpdir(), "svc-limits-")),
    ]);
    const deploymentPath = join(directory, "deployment.json");
    await writeFile(deploymentPath, JSON.stringify(deployment));
    const environment = {
      ...serverEnvironment(),
      DATABASE_URL: database.url,
      SVC_DEPLOYMENT: deploymentPath,
      SVC_API_PORT: "0",
      REDIS_URL: redis.url,
      REPLICAS: "2",
      RATE_LIMITS: `free.minute=${LIMIT}`,
      TRUSTED_PROXIES: "127.0.0.1/32",
    };
    processes = await Promise.all([startApi(environment), startApi(environment)]);
  }, 180_000);
  afterAll(async () => {
    for (const { child } of processes) child.kill("SIGKILL");
    await redis?.kill();
    await database?.drop();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  });

  /** How many of `count` requests of one client each process lets pass. */
  async function passing(count: number, client: string): Promise<number> {
    const ofProcess = async ({ url }: ApiProcess) => {
      let passed = 0;
      for (let sent = 0; sent < count; sent += WAVE) {
        const wave = Array.from({ length: Math.min(WAVE, count - sent) }, async () => {
          const headers = { "X-Forwarded-For": client };
          // A path without an operation counts as a read, and is cheap to answer.
          const response = await fetch(`${url}/v1/nothing-here`, { headers });
          await response.arrayBuffer();
          return response.status;
        });
        const statuses = await Promise.all(wave);
        expect(statuses.filter((status) => status !== 404 && status !== 429)).toEqual([]);
        passed += statuses.filter((status) => status === 404).length;
      }
      return passed;
    };
    const passed = await Promise.all(processes.map(ofProcess));
    return passed.reduce((sum, one) => sum + one, 0);
  }

  it("let no client pass more than the limit, and refuse none below it", async () => {
    expect(await passing((LIMIT * 0.95) / 2, "203.0.113.1")).toBe(LIMIT * 0.95);
    const rest = await passing(LIMIT, "203.0.113.1");
    expect(LIMIT * 0.95 + rest).toBeLessThanOrEqual(LIMIT * 1.05);
    expect(await passing(1, "203.0.113.2")).toBe(2);
  });

  it("are halved in each process while Redis is away, and at most doubled in its window", async () => {
    const before = await passing(10, "203.0.113.3");
    expect(before).toBe(20);
    const away = processes.map(({ logged }) =>
      logged("Redis is away: this process counts its share of the limits"),
    );
    await redis.kill();
    const during = await passing(LIMIT, "203.0.113.3");
    await Promise.all(away);
    expect(during).toBe(LIMIT);
    expect(before + during).toBeLessThanOrEqual(LIMIT * 2);
  });
});
