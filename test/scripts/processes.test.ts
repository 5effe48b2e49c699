import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "../../api/platform/config/config.ts";
import { envExample } from "../../scripts/generate/env-example.ts";
import { UsageError } from "../../scripts/lib/usage.ts";
import { helpAsked } from "../../scripts/processes/help.ts";
import { runIndexer } from "../../scripts/processes/indexer.ts";
import { ALL_SECTIONS } from "../../scripts/processes/indexer-environment.ts";
import { runMigrations } from "../../scripts/processes/migrate.ts";
import { rotateSecret } from "../../scripts/processes/rotation.ts";
import { makeEnvFile } from "../../scripts/processes/secrets.ts";
import { createEmptyDatabase } from "../fixtures/postgres.ts";

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "svc-processes-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

it("the example configuration names every variable once, and none with a secret", () => {
  const { content } = envExample();
  const names = [...content.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.values(ALL_SECTIONS).flatMap(({ shape }) => Object.keys(shape)));
  const secrets = ["RELAYER_PRIVATE_KEY", "STORAGE_PRIVATE_KEY", "MASTER_KEYS", "JWT_SECRETS"];
  const values: Record<string, string | undefined> = parseEnv(content);
  expect(secrets.map((name) => values[name])).toEqual(["", "", "", ""]);
});

it("npm run secrets makes a configuration that the processes accept, for its owner only", async () => {
  const path = join(await temporaryDirectory(), ".env");
  const answer = makeEnvFile(path);
  const text = await readFile(path, "utf8");
  const config = readConfig(parseEnv(text));
  expect(config.masterKeys.map(({ version, key }) => [version, key.length])).toEqual([[1, 32]]);
  expect(config.jwtSecrets.map(({ kid, secret }) => [kid, secret.length])).toEqual([["k1", 32]]);
  expect(config.metricsToken).toHaveLength(43);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(answer).not.toContain(config.relayerPrivateKey.slice(2));
  expect(answer).not.toContain(config.metricsToken);
});

it("npm run secrets makes new secrets each time, and never changes a file", async () => {
  const directory = await temporaryDirectory();
  const [first, second] = [join(directory, "a"), join(directory, "b")];
  makeEnvFile(first);
  makeEnvFile(second);
  const [a, b] = await Promise.all([readFile(first, "utf8"), readFile(second, "utf8")]);
  for (const name of ["MASTER_KEYS", "JWT_SECRETS", "RELAYER_PRIVATE_KEY", "METRICS_TOKEN"]) {
    expect(parseEnv(a)[name]).not.toBe(parseEnv(b)[name]);
  }
  expect(() => makeEnvFile(first)).toThrow(
    `${first} exists and was not changed: its MASTER_KEYS may be the only copy. Give another name with --file, or remove it yourself.`,
  );
  expect(await readFile(first, "utf8")).toBe(a);
});

describe("npm run secrets -- rotate", () => {
  const began = new Date("2026-03-01T12:00:00Z");

  /** A new configuration, with functions that take a step in it and read it. */
  async function configuration() {
    const path = join(await temporaryDirectory(), ".env");
    makeEnvFile(path);
    const text = () => readFile(path, "utf8");
    return {
      path,
      text,
      config: async () => readConfig(parseEnv(await text())),
      step: (words: string, minutes = 0) =>
        rotateSecret(path, words.split(" "), new Date(began.getTime() + minutes * 60_000)),
    };
  }

  it("adds a token's secret, uses it, and removes the old one after an hour", async () => {
    const { path, config, step, text } = await configuration();
    const before = await text();
    const kids = async () => (await config()).jwtSecrets.map(({ kid }) => kid);
    expect(step("token add")).toBe(
      "Added k2, which signs nothing yet.\nNext: restart every API and worker process, one after another. When all of them run with this file: rotate token use.\n",
    );
    expect(await kids()).toEqual(["k1", "k2"]);
    step("token use");
    expect(await kids()).toEqual(["k2", "k1"]);
    expect(() => step("token remove", 59)).toThrow(
      "Tokens that k1 signed are valid until an hour after the last restart, not before 2026-03-01T13:00:00.000Z",
    );
    expect(await kids()).toEqual(["k2", "k1"]);
    step("token remove", 60);
    expect(await kids()).toEqual(["k2"]);
    const changed = (line: string) => !line.startsWith("JWT_SECRETS=");
    expect((await text()).split("\n").filter(changed)).toEqual(before.split("\n").filter(changed));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    step("token add");
    expect(await kids()).toEqual(["k2", "k3"]);
  });

  it("keeps every master key", async () => {
    const { config, step, text } = await configuration();
    const versions = async () => (await config()).masterKeys.map(({ version }) => version);
    step("master add");
    expect(await versions()).toEqual([1, 2]);
    step("master use");
    expect(await versions()).toEqual([2, 1]);
    expect(await text()).not.toContain("rotation of");
    expect(() => step("master remove")).toThrow(
      "A master key is never removed: stored salts and webhook secrets that were made with it need it for ever",
    );
    step("master add");
    expect(await versions()).toEqual([2, 1, 3]);
  });

  it("lets a new key of the relayer work beside the old one before it takes its place", async () => {
    const { config, step } = await configuration();
    const keys = async () => {
      const { relayerPrivateKey, relayerPrivateKeys } = await config();
      return [relayerPrivateKey, ...relayerPrivateKeys];
    };
    const [old] = await keys();
    const said = step("relayer add");
    const [first, added] = await keys();
    expect(first).toBe(old);
    expect(said).toContain(privateKeyToAccount(added as Hex).address);
    expect(said).not.toContain((added as Hex).slice(2));
    step("relayer use");
    expect(await keys()).toEqual([added, old]);
    step("relayer remove");
    expect(await keys()).toEqual([added]);
  });

  it.each([
    ["token use", 'No rotation was begun: the next one is "rotate token add", not "use"'],
    ["relayer remove", 'No rotation was begun: the next one is "rotate relayer add", not "remove"'],
    ["token", "Name what is rotated (token, master, relayer) and a step (add, use, remove)"],
    ["storage add", "Name what is rotated (token, master, relayer) and a step (add, use, remove)"],
  ])("refuses %s out of turn, and changes nothing", async (words, problem) => {
    const { step, text } = await configuration();
    const before = await text();
    expect(() => step(words)).toThrow(problem);
    expect(await text()).toBe(before);
  });

  it("refuses a second add, and a file that it cannot change as a whole", async () => {
    const { path, step, text } = await configuration();
    step("token add");
    expect(() => step("token add")).toThrow(
      'The last step was "add": the next one is "rotate token use", not "add"',
    );
    await appendFile(path, "JWT_SECRETS=other:value\n");
    const before = await text();
    expect(() => step("token use")).toThrow(UsageError);
    expect(() => step("master add")).not.toThrow();
    expect((await text()).startsWith(before.slice(0, 100))).toBe(true);
  });
});

it("npm run migrate says what it applied, and changes nothing the second time", async () => {
  const empty = await createEmptyDatabase();
  onTestFinished(() => empty.drop());
  const said: string[] = [];
  const terminal = {
    print: (text: string) => said.push(text),
    complain: (text: string) => said.push(text),
  };
  expect(await runMigrations({ DATABASE_URL: empty.url }, terminal)).toBe(0);
  expect(await runMigrations({ DATABASE_URL: empty.url }, terminal)).toBe(0);
  expect(said).toEqual([
    expect.stringMatching(/^Applied [1-9]\d* migrations?\. The database is up to date\.\n$/),
    "The database is up to date.\n",
  ]);
});

it("npm run migrate and npm run indexer name the variables that they lack", async () => {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  expect(await runMigrations({}, { print: say, complain: say })).toBe(1);
  expect(await runIndexer({ SVC_INDEXER_PORT: "0" }, say)).toBe(1);
  expect(said).toEqual([
    "The configuration is not usable:\n  - DATABASE_URL is missing\n",
    "The configuration is not usable:\n  - SVC_INDEXER_PORT must be between 1 and 65535\n  - DATABASE_URL is missing\n  - RPC_URL is missing\n  - SVC_DEPLOYMENT is missing\n",
  ]);
});

it("a process takes no argument but --help", () => {
  const exitCode = process.exitCode;
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    vi.restoreAllMocks();
    process.exitCode = exitCode;
  });
  expect([helpAsked("help", []), helpAsked("help", ["--help"])]).toEqual([false, true]);
  expect(out.mock.calls).toEqual([["help"]]);
  expect(helpAsked("help", ["--prot", "1"])).toBe(true);
  expect(err.mock.calls).toEqual([["Unknown argument: --prot 1. See --help.\n"]]);
  expect(process.exitCode).toBe(2);
});
