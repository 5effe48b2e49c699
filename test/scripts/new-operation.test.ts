import { execFile } from "node:child_process";
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
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { madeUp } from "../fixtures/made-up-decision.ts";

// A new operation that a soul's owner signs takes one new file, and one line in the list of its
// feature. It is tried in a copy of the service.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = ["api", "protocol", "kit", "package.json", "tsconfig.json"];
const LIST = "api/features/life/decisions.routes.ts";
const LINE = 'export { madeUp } from "./made-up.ts";\n';
const NEW_FILE = "api/features/life/made-up.ts";

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "new-operation-"));
  for (const name of COPIED) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

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
  const built = buildDecisions(decisions, {}, { operations: inert, operatedSouls: inert });
  console.log(JSON.stringify({
    paths: Object.keys(paths).filter((path) => path.endsWith("/made-up")).sort(),
    signed: paths["/v1/made-up"]?.post.requestBody.content["application/json"].schema,
    access: [operations.prepareMadeUp?.access, operations.doMadeUp?.access],
    typedData: operations.doMadeUp?.typedData,
    kinds: built.decisionDefinitions.map(({ kind }) => kind),
  }));
`;

async function probed() {
  await writeFile(join(copy, "probe.mts"), PROBE);
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "probe.mts"], {
    cwd: copy,
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

it("takes one new file and one line, with both routes, rules, data to sign and recovery", async () => {
  const before = await sources();
  expect(await probed()).toEqual({
    paths: [],
    access: [null, null],
    kinds: ["seal"],
  });

  const definition = await readFile(join(ROOT, "test/fixtures/made-up-decision.ts"), "utf8");
  await writeFile(join(copy, NEW_FILE), definition.replaceAll('"../../api/', '"../../'));
  await appendFile(join(copy, LIST), LINE);

  const after = await sources();
  const changed = [...after].filter(([path, text]) => before.get(path) !== text);
  expect(changed.map(([path]) => path).toSorted()).toEqual([LIST, NEW_FILE].toSorted());
  expect(after.get(LIST)).toBe(`${before.get(LIST)}${LINE}`);
  expect(await probed()).toEqual({
    paths: [`/v1/${madeUp.path}`, `/v1/typed-data/${madeUp.path}`],
    signed: { $ref: "#/components/schemas/SignedMadeUp" },
    access: ["none", "signature"],
    typedData: madeUp.path,
    kinds: ["made_up", "seal"],
  });
}, 180_000);
