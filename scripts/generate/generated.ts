import { existsSync, globSync, statSync } from "node:fs";
import { COMMANDS } from "../../kit/cli/commands/index.ts";
import { helpOf, overview } from "../../kit/cli/help.ts";
import { deployableContracts } from "../lib/artifacts.ts";
import { accessDocs } from "./access-docs.ts";
import { auditWithSources } from "./audit-sources.ts";
import { clearSigningFiles } from "./clear-signing-files.ts";
import { clientFiles } from "./client-files.ts";
import { contractArtifacts } from "./contract-artifacts.ts";
import { contractDocs } from "./contract-docs.ts";
import { deploymentsFile } from "./deployments-file.ts";
import { envExample } from "./env-example.ts";
import { architectureWithFeatures } from "./feature-table.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { guideWithSizes } from "./package-sizes.ts";
import { guideWithReadGas } from "./read-gas.ts";
import { operationsWithRetention } from "./retention-table.ts";

const OPENAPI_FILE = "docs/openapi.json";
const DEFAULT_URL = new URL("http://127.0.0.1:8787");

/**
 * Everything that `npm run generate` writes; the same sources give the same bytes. Needs compiled
 * contracts.
 */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const document = await generatedDocument();
  const { features } = await import("../../api/features.ts");
  const artifacts = contractArtifacts();
  return [
    ...artifacts,
    auditWithSources(artifacts),
    ...abiFiles(),
    deploymentsFile(),
    { path: OPENAPI_FILE, content: `${JSON.stringify(document, null, 2)}\n` },
    { path: "docs/contracts.md", content: contractDocs() },
    guideWithReadGas(),
    guideWithSizes(),
    { path: "docs/access.md", content: accessDocs(document) },
    architectureWithFeatures(features),
    operationsWithRetention(features.map(({ tables }) => tables)),
    envExample(),
    ...clearSigningFiles(),
    // Printed by with-toolchain, which has nothing to run the command with.
    { path: "scripts/help/svc.txt", content: overview(COMMANDS) },
    ...COMMANDS.map((command) => ({
      path: `scripts/help/svc-${command.name.replace(" ", "-")}.txt`,
      content: helpOf(command),
    })),
    ...(await clientFiles(document)),
  ];
}

const ABI_HEADER = "// Written by `npm run generate` from the compiled contracts.\n\n";

/** One file per contract, so that bundlers leave out what is not used, and one that lists them. */
function abiFiles(): GeneratedFile[] {
  const contracts = deployableContracts().map(({ contractName, sourceName, abi }) => {
    const constant = `${contractName.charAt(0).toLowerCase()}${contractName.slice(1)}Abi`;
    const file = contractName.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
    const value = `export const ${constant} = ${JSON.stringify(abi, null, 2)} as const;\n`;
    return { constant, file, content: `${ABI_HEADER}/** ${sourceName} */\n${value}` };
  });
  const list = contracts.map(
    ({ constant, file }) => `export { ${constant} } from "./abi/${file}.ts";`,
  );
  return [
    { path: "protocol/generated/abi.ts", content: `${ABI_HEADER}${list.join("\n")}\n` },
    ...contracts.map(({ file, content }) => ({
      path: `protocol/generated/abi/${file}.ts`,
      content,
    })),
  ];
}

/** The OpenAPI document of a service at the default address. */
export async function generatedDocument() {
  const [{ createApp }, { apiDocument }] = await Promise.all([
    import("../../api/app.ts"),
    import("../../api/reference/document.ts"),
  ]);
  const app = createApp(inert() as Parameters<typeof createApp>[0]);
  return apiDocument(app, DEFAULT_URL);
}

/**
 * A stand-in for every dependency of the app: the document is derived from the routes, and no
 * handler runs. Any member is inert too, so that the app can be built; calling one returns another.
 */
function inert(): unknown {
  const proxy: unknown = new Proxy(() => {}, {
    get: (_target, key) => (key === Symbol.toPrimitive ? () => "" : proxy),
    apply: () => proxy,
    construct: () => proxy as object,
  });
  return proxy;
}

/** Files in folders of generated files that nothing generates any more, such as those of a removed contract. */
export function leftoverFiles(files: readonly GeneratedFile[]): string[] {
  const generated = new Set(files.map(({ path }) => path));
  return globSync(["compiled/**/*.*", "protocol/generated/**/*.*"])
    .filter((path) => statSync(path).isFile() && !generated.has(path))
    .toSorted();
}

/** Whether a generated file is missing or outdated on disk. */
export function isMissing({ path }: GeneratedFile): boolean {
  return !existsSync(path);
}
