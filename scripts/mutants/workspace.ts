import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";
import { type Sources, solc } from "../lib/solidity.ts";

const run = promisify(execFile);

/** What a run of Solidity tests needs of the project. */
const COPIED = ["contracts", "test/contracts", "artifacts", "cache", "scripts", "package.json"];
const LINKED = ["node_modules", "hardhat.config.ts", "tsconfig.json", "protocol", "kit", "api"];

interface CompiledOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly sources?: Readonly<Record<string, { readonly ast: unknown }>>;
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>
    >
  >;
}

/** Compiles as the project does, but without the hash of the sources in the code. */
export function compile(path: string, sources: Sources, wanted: "code" | "tree"): CompiledOutput {
  const selection = wanted === "tree" ? { "": ["ast"] } : { "*": ["evm.bytecode.object"] };
  return solc<CompiledOutput>(sources, {
    metadata: { bytecodeHash: "none" },
    outputSelection: { [path]: selection },
  });
}

/** The creation code of a contract; null when the sources do not compile. */
export function codeOf(path: string, contract: string, sources: Sources): string | null {
  const { errors = [], contracts } = compile(path, sources, "code");
  if (errors.some(({ severity }) => severity === "error")) return null;
  return contracts?.[path]?.[contract]?.evm.bytecode.object ?? null;
}

/** A copy of the project in which the tests meet other code than the built one. */
export function createWorkspace() {
  const root = mkdtempSync(join(tmpdir(), "mutants-"));
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(root, name));

  return {
    /** Has `vm.getCode` of that contract answer this creation code. */
    deploys(contract: string, code: string): void {
      const [path] = globSync(`artifacts/contracts/**/${contract}.json`, { cwd: root });
      if (path === undefined) throw new Error(`${contract} is not built. Run npm run build first.`);
      const artifact = readJson<object>(join(root, path));
      writeFileSync(join(root, path), JSON.stringify({ ...artifact, bytecode: `0x${code}` }));
    },

    /** Whether all tests of these files pass. @throws Error when they did not run. */
    async passes(files: readonly string[]): Promise<boolean> {
      const result = join(root, "result.json");
      rmSync(result, { force: true });
      const args = ["--import", "tsx", "scripts/checks/solidity-tests.ts", result, ...files];
      const output = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 }).catch(
        ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr }),
      );
      let counts: { readonly passed: number; readonly failed: number };
      try {
        counts = readJson(result);
      } catch {
        throw new Error(`The tests did not run: ${output.stderr.slice(-2_000)}`);
      }
      if (counts.passed + counts.failed === 0) throw new Error("No test ran.");
      return counts.failed === 0;
    },

    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
