import { join, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(import.meta.dirname, "../..");

/** Kinds of operators that are installed beside Kubernetes. No package has their schemas. */
const FOREIGN: ReadonlySet<string> = new Set(["postgresql.cnpg.io/v1 Cluster"]);

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/**
 * What is wrong with Kubernetes manifests. They are compiled against the types of
 * `kubernetes-models`: its schemas let unknown fields pass, and so would not find a misspelt one.
 */
export function manifestProblems(manifests: readonly Manifest[]): string[] {
  const own = manifests.filter(({ apiVersion, kind }) => !FOREIGN.has(`${apiVersion} ${kind}`));
  const lines = own.map(({ apiVersion, kind, ...rest }) => {
    const group = apiVersion === "v1" ? "v1" : apiVersion;
    const type = `import("kubernetes-models/${group}/${kind}").I${kind}`;
    const value = JSON.stringify({ apiVersion, kind, ...rest });
    // One line for each, so that a line number names the manifest.
    return `(${value}) satisfies ${type};`;
  });
  return compile(lines.join("\n")).map(({ line, message }) => {
    const manifest = own[line];
    return `${manifest?.kind} ${manifest?.metadata.name}: ${message}`;
  });
}

interface Problem {
  readonly line: number;
  readonly message: string;
}

function compile(text: string): Problem[] {
  const name = join(ROOT, "manifests.ts");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? text : readFile(path));
  host.getSourceFile = (path, target, ...rest) =>
    path === name ? ts.createSourceFile(path, text, target) : getSourceFile(path, target, ...rest);
  const program = ts.createProgram([name], options, host);
  const source = program.getSourceFile(name);
  return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => ({
    line: source?.getLineAndCharacterOfPosition(start).line ?? 0,
    message: ts.flattenDiagnosticMessageText(messageText, " "),
  }));
}
