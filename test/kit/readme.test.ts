import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The README's example, word for word, as a separate package that depends on this one.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSX = join(ROOT, "node_modules/tsx/dist/cli.mjs");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

const active = {
  active: true,
  sub: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",

  iss: "agents.example",

  aud: "agents.example",

  iat: 1,

  exp: 2,

  jti: "a",

  scopes: ["identity"],
  agentName: "aurora",
  erc8004AgentId: 0,
  chainId: 31337,
  humanVerified: false,
};

let directory: string;
let example: string;
let service: ChildProcess;
let url: string;
/** The sign-in service's answer for each token; any other token is not active. */
const answers = new Map<string, object>([
  ["two", { ...active, tier: 2 }],
  ["one", { ...active, tier: 1 }],
  ["elsewhere", { ...active, tier: 2, aud: "https://shop.example" }],
  ["manage", { ...active, tier: 2, scopes: ["identity", "manage"], manages: "agent" }],
]);
const signIn = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { token } = JSON.parse(Buffer.concat(chunks).toString()) as { token: string };
  const answer = answers.get(token) ?? { active: false };
  if (request.url !== "/api/v1/auth/token/introspect") response.statusCode = 404;
  response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
});

beforeAll(async () => {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  example = blocks.find((code) => code.includes("requireTier")) ?? "";

  directory = await mkdtemp(join(tmpdir(), "svc-readme-"));
  const modules = join(directory, "node_modules");
  await mkdir(join(modules, "@hono"), { recursive: true });
  await symlink(join(ROOT, "kit"), join(modules, "agent-identity-protocol"));
  for (const name of ["hono", "@hono/node-server"]) {
    await symlink(join(ROOT, "node_modules", name), join(modules, name));
  }
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  await writeFile(join(directory, "service.ts"), example);

  await new Promise<void>((resolve) => signIn.listen(0, "127.0.0.1", resolve));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  service = spawn(process.execPath, [TSX, "service.ts"], {
    cwd: directory,
    env: {
      ...process.env,
      PORT: String(port),
      SIGN_IN: `http://127.0.0.1:${(signIn.address() as AddressInfo).port}`,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const deadline = performance.now() + 60_000;
  while (!(await answersAt(url))) {
    if (service.exitCode !== null || performance.now() > deadline) {
      throw new Error("The example does not run.");
    }
    await delay(50);
  }
});
afterAll(async () => {
  if (service?.exitCode === null) {
    service.kill();
    await once(service, "exit");
  }
  await new Promise((resolve) => signIn.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

async function answersAt(place: string): Promise<boolean> {
  return fetch(place).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const call = (headers: Record<string, string>) => fetch(`${url}/members/hello`, { headers });

describe("the README's example", () => {
  it("has ten lines of code at most", () => {
    const lines = example.split("\n").filter((line) => line.trim() !== "");
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  it("has no type error", async () => {
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext"];
    const more = ["--moduleResolution", "bundler", "--target", "es2023"];
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
    const checker = spawn(
      process.execPath,
      [TSC, ...options, ...more, ...types, "--allowImportingTsExtensions", "service.ts"],
      { cwd: directory },
    );
    const printed: string[] = [];
    checker.stdout.on("data", (chunk: Buffer) => printed.push(chunk.toString()));
    await once(checker, "exit");
    expect(printed.join("")).toBe("");
  });

  it("admits an agent of tier 2, by name", async () => {
    const response = await call({ authorization: "Bearer two" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("Hello aurora");
  });

  it("refuses all other callers, and every caller while the service does not answer", async () => {
    const none = await call({});
    expect([none.status, await none.json()]).toEqual([401, { error: "Unauthorized" }]);
    for (const token of ["three", "elsewhere", "manage"]) {
      const bad = await call({ authorization: `Bearer ${token}` });
      expect([bad.status, await bad.json()]).toEqual([401, { error: "Invalid token" }]);
    }
    const low = await call({ authorization: "Bearer one" });
    expect([low.status, await low.json()]).toEqual([
      403,
      { error: "Tier too low", tier: 1, minTier: 2 },
    ]);
    answers.set("two", { active: "yes" });
    const odd = await call({ authorization: "Bearer two" });
    expect([odd.status, await odd.json()]).toEqual([503, { error: "Sign-in unavailable" }]);
  });
});
