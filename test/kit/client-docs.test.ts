import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

// docs/client.md is one program.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILE = `${ROOT}test/kit/client-docs-program.ts`;

/** The blocks as one module: imports are resolved to the source, without publishing the package. */
function program(): string {
  const blocks = readFileSync(`${ROOT}docs/client.md`, "utf8").matchAll(/```ts\n(.*?)```/gs);
  const code = [...blocks].map(([, block]) => block).join("\n");
  return code.replaceAll('"agent-identity-protocol/client"', '"../../kit/client/index.ts"');
}

it("has only blocks that compile", { timeout: 120_000 }, () => {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const text = program();
  host.fileExists = (path) => path === FILE || fileExists(path);
  host.readFile = (path) => (path === FILE ? text : readFile(path));
  host.getSourceFile = (path, version) =>
    path === FILE ? ts.createSourceFile(path, text, version) : getSourceFile(path, version);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([FILE], options, host));
  expect(
    diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  ).toStrictEqual([]);
});
