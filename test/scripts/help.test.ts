import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../../kit/cli/commands/index.ts";
import { helpOf, overview } from "../../kit/cli/help.ts";
import { helpText } from "../../scripts/lib/usage.ts";

// A clone in which nothing was installed: installing would fail, because its package.json is missing.
const clone = mkdtempSync(join(tmpdir(), "clone-"));
cpSync("scripts/with-toolchain", join(clone, "scripts/with-toolchain"));
cpSync("scripts/help", join(clone, "scripts/help"), { recursive: true });
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};

function run(command: string, ...args: string[]) {
  const [program = "", ...words] = command.split(" ");
  const { status, stdout, stderr } = spawnSync(join(clone, program), [...words, ...args], {
    encoding: "utf8",
    // The standard tools, and neither node nor npm.
    env: { PATH: "/usr/bin:/bin" },
  });
  return { status, stdout, stderr };
}

describe("the help of the commands in package.json", () => {
  const { svc = "", ...others } = scripts;

  it.each(Object.entries(others))("npm run %s -- --help needs no installation", (name, command) => {
    const npm = { start: "npm start", test: "npm test" }[name] ?? `npm run ${name}`;
    for (const flag of ["--help", "-h"]) {
      const { status, stdout, stderr } = run(command, flag);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout.split("\n")[0]).toMatch(new RegExp(`^Usage: ${npm}( |$)`));
    }
  });

  it("npm run svc -- --help needs no installation, and is the command's own", () => {
    for (const flag of ["--help", "-h", "help"]) {
      expect(run(svc, flag)).toEqual({ status: 0, stdout: overview(COMMANDS), stderr: "" });
    }
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    "npm run svc -- %s --help needs no installation, and is the command's own",
    (name, command) => {
      const words = name.split(" ");
      const answer = { status: 0, stdout: helpOf(command), stderr: "" };
      expect(run(svc, ...words, "--help")).toEqual(answer);
      expect(run(svc, ...words, "file.json", "--json", "-h")).toEqual(answer);
      expect(run(svc, "help", ...words)).toEqual(answer);
    },
  );

  it("leaves every other call of svc to the command", () => {
    for (const words of [
      ["verify", "--help"],
      ["verify", "nothing", "--help"],
      ["hash", "a.md"],
    ]) {
      const { status, stdout } = run(svc, ...words);
      expect([words, status, stdout]).toEqual([words, 1, ""]);
    }
  });

  it("is found among other arguments", () => {
    const { stdout } = run(scripts.deploy ?? "", "--network", "base", "--help");
    expect(stdout).toBe(helpText("deploy"));
  });

  it("has a command for every text", () => {
    const texts = readdirSync("scripts/help").map((file) => file.replace(/\.txt$/, ""));
    const commands = Object.values(others).map((command) =>
      command.replace(/^.*\//, "").replace(/\.m?[jt]s$/, ""),
    );
    const subcommands = COMMANDS.map(({ name }) => `svc-${name.replace(" ", "-")}`);
    expect(texts.toSorted()).toEqual(["svc", ...subcommands, ...commands].toSorted());
  });
});

describe("scripts/with-toolchain", () => {
  // Packages that are a link belong to another clone, and count as installed. Its compiler is a stub.
  const ready = mkdtempSync(join(tmpdir(), "ready-clone-"));
  const packages = mkdtempSync(join(tmpdir(), "packages-"));
  mkdirSync(join(packages, ".bin"));
  writeFileSync(join(packages, ".bin/hardhat"), "#!/bin/sh\ntouch compiled.log\n", { mode: 0o755 });
  symlinkSync(packages, join(ready, "node_modules"));
  mkdirSync(join(ready, "contracts"));
  for (const file of ["scripts/with-toolchain", "hardhat.config.ts", "package.json"])
    cpSync(file, join(ready, file));
  cpSync("package-lock.json", join(ready, "package-lock.json"));
  afterAll(() => {
    rmSync(ready, { recursive: true, force: true });
    rmSync(packages, { recursive: true, force: true });
  });

  const inClone = (...words: string[]) =>
    spawnSync(join(ready, "scripts/with-toolchain"), words, { cwd: ready, encoding: "utf8" });

  /** What the stub of the compiler, and the committed artifacts, leave behind. */
  const state = () => ({
    isCompiled: existsSync(join(ready, "compiled.log")),
    artifact: existsSync(artifact) ? readFileSync(artifact, "utf8") : null,
  });
  const artifact = join(ready, "artifacts/contracts/A.sol/A.json");
  const commit = (hash: string) => {
    mkdirSync(join(ready, "compiled/contracts/A.sol"), { recursive: true });
    writeFileSync(join(ready, "compiled/contracts/A.sol/A.json"), "committed");
    writeFileSync(join(ready, "compiled/sources.sha256"), hash);
  };
  const stamp = () => readFileSync(join(ready, "artifacts/.toolchain-stamp"), "utf8");
  beforeEach(() => {
    for (const path of ["compiled.log", "compiled", "artifacts"])
      rmSync(join(ready, path), { recursive: true, force: true });
  });

  it("leaves the compilation to a command that asks for it, and compiles once for others", () => {
    const later = inClone("--compile-later", "sh", "-c", "echo $SVC_COMPILE");
    expect([later.status, later.stdout, state().isCompiled]).toEqual([0, "later\n", false]);
    const nested = ["--compile-later", "scripts/with-toolchain", "--compile", "true"];
    expect([inClone(...nested).status, state().isCompiled]).toEqual([0, true]);
    rmSync(join(ready, "compiled.log"));
    expect([inClone("true").status, state().isCompiled]).toEqual([0, false]);
    expect([inClone("--compile", "true").status, state().isCompiled]).toEqual([0, false]);
  });

  it("copies committed artifacts of the same sources, and compiles when they differ", () => {
    inClone("true");
    const [hash = ""] = stamp().split(" ");
    rmSync(join(ready, "compiled.log"));
    rmSync(join(ready, "artifacts"), { recursive: true });

    commit(`${hash}\n`);
    expect(inClone("true").status).toBe(0);
    expect(state()).toEqual({ isCompiled: false, artifact: "committed" });
    expect(stamp()).toBe(`${hash} copied\n`);

    rmSync(join(ready, "artifacts"), { recursive: true });
    commit(`${hash.replace(/./, (first) => (first === "0" ? "1" : "0"))}\n`);
    expect(inClone("true").status).toBe(0);
    expect(state()).toEqual({ isCompiled: true, artifact: null });
    expect(stamp()).toBe(`${hash} compiled\n`);
  });

  it("compiles in this clone after --compile, even where artifacts were copied", () => {
    inClone("true");
    commit(stamp().split(" ")[0] ?? "");
    rmSync(join(ready, "compiled.log"));
    rmSync(join(ready, "artifacts"), { recursive: true });
    expect([inClone("true").status, state().isCompiled]).toEqual([0, false]);
    expect([inClone("--compile", "true").status, state().isCompiled]).toEqual([0, true]);
    expect(stamp()).toMatch(/^[0-9a-f]{64} compiled\n$/);
  });
});
