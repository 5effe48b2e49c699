import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFile,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bytesToHex, zeroHash } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { claimPorts } from "../../scripts/local-stack/ports.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { madeUp } from "../fixtures/made-up-decision.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { apiClient } from "../fixtures/registrations.ts";
import { serviceEnvironment } from "../fixtures/running-service.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// A new operation that a soul's owner signs takes one new file, and one line in the list of its
// feature. A copy of the service gets one, and carries it out on the chain of the shared service.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = [
  "api",
  "web",
  "indexer",
  "protocol",
  "kit",
  "docs",
  "package.json",
  "tsconfig.json",
];
const LIST = "api/features/life/decisions.routes.ts";
const LINE = 'export { madeUp } from "./made-up.ts";\n';
const NEW_FILE = "api/features/life/made-up.ts";

let copy: string;
let service: Service;
let before: Map<string, string>;
let knownBefore: unknown;
beforeAll(async () => {
  service = await sharedService();
  copy = await mkdtemp(join(tmpdir(), "new-operation-"));
  for (const name of COPIED) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  before = await sources();
  knownBefore = await probed();

  const definition = await readFile(join(ROOT, "test/fixtures/made-up-decision.ts"), "utf8");
  await writeFile(join(copy, NEW_FILE), definition.replaceAll('"../../api/', '"../../'));
  await appendFile(join(copy, LIST), LINE);
});
afterAll(async () => {
  await service?.stop();
  await rm(copy, { recursive: true, force: true });
});

/** The text of every file of the service. */
async function sources(): Promise<Map<string, string>> {
  const files = await readdir(join(copy, "api"), { recursive: true, withFileTypes: true });
  const texts = new Map<string, string>();
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    texts.set(path.slice(copy.length + 1), await readFile(path, "utf8"));
  }
  return texts;
}

/** What the copied service knows of the operation: its routes, rules and definition. */
const PROBE = `
  import { createApp } from "./api/app.ts";
  import { decisions, operations } from "./api/features.ts";
  import { buildDecisions } from "./api/operations/decisions/build.ts";
  import { openApiDocument } from "./api/platform/http/openapi.ts";
  const inert = new Proxy(() => {}, {
    get: (_target, key) => (key === Symbol.toPrimitive ? () => "" : inert),
    apply: () => inert,
    construct: () => inert,
  });
  const { paths } = openApiDocument(createApp(inert), new URL("http://127.0.0.1:8787"));
  const built = buildDecisions(decisions, inert, { operations: inert, operatedSouls: inert });
  console.log(JSON.stringify({
    paths: Object.keys(paths).filter((path) => path.endsWith("/made-up")).sort(),
    signed: paths["/v1/made-up"]?.post.requestBody.content["application/json"].schema,
    access: [operations.prepareMadeUp?.access, operations.doMadeUp?.access],
    typedData: operations.doMadeUp?.typedData,
    isRecovered: built.decisionDefinitions.some(({ kind }) => kind === "made_up"),
  }));
`;

async function probed(): Promise<unknown> {
  await writeFile(join(copy, "probe.mts"), PROBE);
  const { stdout } = await run(process.execPath, ["--import", "tsx", "probe.mts"], {
    cwd: copy,
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

/** What the compiler says of these files of the copy and of everything that they import. */
async function typeErrors(files: readonly string[]): Promise<string> {
  const project = join(copy, "made-up.tsconfig.json");
  await writeFile(project, JSON.stringify({ extends: "./tsconfig.json", include: [], files }));
  const tsc = join(ROOT, "node_modules/typescript-7/bin/tsc");
  return run(process.execPath, [tsc, "--checkers", "1", "--project", project]).then(
    ({ stdout }) => stdout,
    ({ message, stdout }: Error & { readonly stdout: string }) => `${message}${stdout}`,
  );
}

/** Starts the copy on the chain and the database of the shared service, without jobs. */
async function startCopy(): Promise<{ url: string; process: ChildProcess }> {
  const { api: port } = await claimPorts({ chain: 0, postgres: 0, indexer: 0, api: 0 });
  const { rows } = await service.pool.query("select current_database() as name");
  const database = new URL((service.pool.options as { connectionString: string }).connectionString);
  database.pathname = `/${rows[0].name}`;
  const copied = spawn(process.execPath, ["--import", "tsx", "api/server.ts"], {
    cwd: copy,
    env: {
      ...process.env,
      ...serviceEnvironment({ port, databaseUrl: database.href, chain: service.chain }),
      SVC_ROLES: "api",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: copied.stdout })) {
    if (line.includes('"listening"')) {
      copied.stdout.resume();
      return { url: `http://127.0.0.1:${port}`, process: copied };
    }
  }
  throw new Error("The copy of the service did not start.");
}

it("adds a made-up operation with one new file and one line", async () => {
  const after = await sources();
  const changed = [...after].filter(([path, text]) => before.get(path) !== text);
  expect(changed.map(([path]) => path).toSorted()).toEqual([LIST, NEW_FILE].toSorted());
  expect(after.get(LIST)).toBe(`${before.get(LIST)}${LINE}`);
});

it("compiles the new file, the list and the composition with it", async () => {
  expect(await typeErrors([NEW_FILE, LIST, "api/compose.ts"])).toBe("");
}, 180_000);

it("gives the made-up operation both routes, rules, data to sign and recovery", async () => {
  expect(knownBefore).toEqual({
    paths: [],
    access: [null, null],
    isRecovered: false,
  });
  expect(await probed()).toEqual({
    paths: [`/v1/${madeUp.path}`, `/v1/typed-data/${madeUp.path}`],
    signed: { $ref: "#/components/schemas/SignedMadeUp" },
    access: ["none", "signature"],
    typedData: madeUp.path,
    isRecovered: true,
  });
});

it("carries the made-up operation out on chain with its owner's signature", async () => {
  const { tokenId, owner } = await ownerSigned(service).newAgent();
  const archiveOnChain = () =>
    service.chain.client.readContract({
      address: service.chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "didArchiveOf",
      args: [BigInt(tokenId)],
    });
  const copied = await startCopy();
  try {
    const { signed, send, mined } = ownerSigned({ ...service, ...apiClient(copied.url) });
    const archiveId = bytesToHex(randomBytes(32));
    const stranger = newAccount();
    const request = { tokenId, archiveId };

    const refused = await send("POST", "/v1/made-up", await signed("made-up", request, stranger));
    expect([refused.status, refused.body.error.type]).toEqual([403, "NOT_OWNER"]);
    expect(await archiveOnChain()).toBe(zeroHash);

    const body = await signed("made-up", request, owner);
    const done = await send("POST", "/v1/made-up", body);
    expect([done.status, done.body]).toEqual([200, { txHash: expect.any(String) }]);
    await mined(done.body.txHash);
    expect(await archiveOnChain()).toBe(archiveId);
    // The same signed request reads the same answer.
    expect((await send("POST", "/v1/made-up", body)).body).toEqual(done.body);
  } finally {
    const ended = once(copied.process, "exit");
    copied.process.kill("SIGTERM");
    await ended;
  }
}, 180_000);
