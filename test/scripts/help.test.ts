import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
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
      command.replace(/^.*\//, "").replace(/\.ts$/, ""),
    );
    const subcommands = COMMANDS.map(({ name }) => `svc-${name.replace(" ", "-")}`);
    expect(texts.toSorted()).toEqual(["svc", ...subcommands, ...commands].toSorted());
  });
});
