import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../kit/cli/commands/index.ts";
import { rootOfLeaves } from "../../protocol/index.ts";
import { svc } from "../fixtures/svc.ts";

// What needs neither a chain nor the service.

/** A published key of a development chain, in both forms of a keystore (computed with hashlib and OpenSSL). */
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const PASSWORD = "correct horse";

const SCRYPT = {
  version: 3,
  id: "6f7ac4d5-9d1c-4b0c-8a53-0f3f1c7f7a10",
  address: "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "000102030405060708090a0b0c0d0e0f" },
    ciphertext: "d7cec99bb1baf015a736df30fd9a6671bf73c9f003b1594d9bcc78ba1d7f1d23",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 4096,
      r: 8,
      p: 1,
      salt: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    },
    mac: "8f6e2e8c2bae001244988ef46a2580dfba898c6a7cf379b74d7a86ef95c95785",
  },
};

const PBKDF2 = {
  version: 3,
  id: "6f7ac4d5-9d1c-4b0c-8a53-0f3f1c7f7a10",
  address: "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "000102030405060708090a0b0c0d0e0f" },
    ciphertext: "0901d6d9d5284ec4192b895056dce3c4f698ce13870482314397c57372fdaff2",
    kdf: "pbkdf2",
    kdfparams: {
      dklen: 32,
      c: 10_000,
      prf: "hmac-sha256",
      salt: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    },
    mac: "b46d7c64df034e1f7858ebc8af43064c8a0398eec008f5db2d7673b6d76ca2c8",
  },
};

let directory: string;
const file = (name: string) => join(directory, name);

async function written(name: string, content: string | object, mode = 0o600): Promise<string> {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await writeFile(file(name), text);
  await chmod(file(name), mode);
  return file(name);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-cli-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("svc", () => {
  it("lists every subcommand in its help, and explains each one with examples", async () => {
    const { code, stdout, stderr } = await svc(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const { name, summary, examples } of COMMANDS) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(stdout).toContain(summary);
      const help = await svc([...name.split(" "), "--help"]);
      expect([help.code, help.stderr]).toEqual([0, ""]);
      expect(help.stdout).toContain(`svc ${name}: ${summary}\n`);
      for (const example of examples) expect(help.stdout).toContain(`  svc ${example}\n`);
      expect(help.stdout).toContain("Exit codes\n  0  yes");
      expect(await svc(["help", ...name.split(" ")])).toEqual(help);
    }
  });

  it("prints its version", async () => {
    expect((await svc(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [["whoamy"], 'There is no subcommand "whoamy". Did you mean "whoami"?'],
    [
      ["verify", "agnet", "heron"],
      'There is no subcommand "verify agnet". Did you mean "verify agent"?',
    ],
    [["chronicel", "add"], 'There is no subcommand "chronicel". Did you mean "chronicle add"?'],
    [
      ["verify", "nothing"],
      'There is no subcommand "verify nothing". There are "verify agent", "verify chronicle", "verify disclosure", "verify alignment".',
    ],
    [["frobnicate"], 'There is no subcommand "frobnicate".'],
    [["verify"], "Name what to verify: agent, chronicle, disclosure, alignment."],
    [[], "Name a subcommand."],
    [["--rpc", "http://node"], "Options stand after the subcommand."],
  ])("suggests what %j means", async (args, message) => {
    expect(await svc(args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `svc: ${message}\nSee: svc --help\n`,
    });
    const { code, stdout, stderr } = await svc([...args, "--json"]);
    expect([code, stderr]).toEqual([2, ""]);
    if (args.length > 0) {
      expect(JSON.parse(stdout)).toEqual({
        error: { type: null, message, advice: "See: svc --help" },
      });
    }
  });

  it.each([
    [["validity", "heron", "--rcp", "x"], "There is no option --rcp. Did you mean --rpc?"],
    [["validity"], "<agent> is missing: The agent's name, passport id or DID"],
    [["validity", "heron", "--rpc", "a", "--rpc", "b"], "Give --rpc once."],
    [["validity", "heron", "--rpc="], "--rpc has no value."],
    [["whoami", "heron"], "This subcommand takes options alone."],
  ])("refuses %j", async (args, message) => {
    const [name] = args;
    expect(await svc(args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `svc ${name}: ${message}\nSee: svc ${name} --help\n`,
    });
  });
});

describe("secrets in arguments", () => {
  const phrase = "test test test test test test test test test test test junk";
  it.each([
    ["a private key", KEY],
    ["a private key", KEY.slice(2)],
    ["a private key", `--keystore=${KEY}`],
    ["a private key", `key:${KEY}`],
    ["an API key", `svc_live_${"a".repeat(40)}`],
    ["an access token", "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl"],
    ["a recovery phrase", phrase],
  ])("refuses %s without repeating it", async (kind, secret) => {
    for (const json of [[], ["--json"]]) {
      const { code, stdout, stderr } = await svc(["whoami", secret, ...json]);
      expect(code).toBe(2);
      expect(stdout + stderr).toContain(
        `Argument 2 looks like ${kind}, and was not used. Treat it as known to others: replace it.`,
      );
      expect(stdout + stderr).not.toContain(secret.replace("--keystore=", ""));
    }
  });

  it("refuses a recovery phrase of many arguments, and options for secrets", async () => {
    const words = await svc(["whoami", ...phrase.split(" ")]);
    expect(words.stderr).toContain("The arguments look like a recovery phrase");
    expect(words.stderr).not.toContain("junk");
    for (const option of ["--private-key", "--password=hunter2", "--mnemonic", "--api-key=1"]) {
      const { code, stderr } = await svc(["whoami", option, "hunter2"]);
      expect(code).toBe(2);
      expect(stderr).toContain("Argument 2 is an option for a secret, which does not exist.");
      expect(stderr).not.toContain("hunter2");
    }
  });
});

describe("svc whoami", () => {
  it("names the account of a key in the environment", async () => {
    const env = { SVC_PRIVATE_KEY: KEY };
    expect(await svc(["whoami"], { env })).toEqual({
      code: 0,
      stdout: `account  ${ADDRESS}\n`,
      stderr: "",
    });
    const { stdout } = await svc(["whoami", "--json"], { env });
    expect(JSON.parse(stdout)).toEqual({
      account: ADDRESS,
      service: null,
      agents: null,
      credential: null,
    });
  });

  it.each([
    ["scrypt", SCRYPT],
    ["pbkdf2", PBKDF2],
  ])("opens a %s keystore with a password from each source", async (name, content) => {
    const path = await written(`${name}.json`, content);
    const passwordFile = await written(`${name}.password`, `${PASSWORD}\nnot read\n`);
    const args = ["whoami", "--keystore", path];
    const expected = { code: 0, stdout: `account  ${ADDRESS}\n`, stderr: "" };
    expect(await svc(args, { env: { SVC_KEYSTORE_PASSWORD: PASSWORD } })).toEqual(expected);
    expect(await svc([...args, "--password-file", passwordFile])).toEqual(expected);
    expect(
      await svc(["whoami"], {
        env: { SVC_KEYSTORE: path, SVC_KEYSTORE_PASSWORD_FILE: passwordFile },
      }),
    ).toEqual(expected);
    expect(await svc(args, { typed: PASSWORD })).toEqual({
      ...expected,
      stderr: `Password of ${path}: \n`,
    });
  });

  it("warns of a keystore and a password file that others may read", async () => {
    const path = await written("open.json", PBKDF2, 0o644);
    const password = await written("open.password", PASSWORD, 0o640);
    const { code, stderr } = await svc(["whoami", "--keystore", path, "--password-file", password]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      `Warning: other users may read ${path}. Run: chmod 600 ${path}\nWarning: other users may read ${password}. Run: chmod 600 ${password}\n`,
    );
  });

  it("says what is wrong with a key, and never repeats it", async () => {
    const path = await written("keystore.json", PBKDF2);
    const other = await written("other.json", { ...PBKDF2, address: "00".repeat(20) });
    const huge = await written("huge.json", {
      ...SCRYPT,
      crypto: { ...SCRYPT.crypto, kdfparams: { ...SCRYPT.crypto.kdfparams, n: 2 ** 24, r: 64 } },
    });
    const keyInFile = await written("key.txt", KEY);
    const password = { SVC_KEYSTORE_PASSWORD: PASSWORD };
    const zero = `0x${"00".repeat(32)}`;
    const cases: [Record<string, string>, string[], string][] = [
      [{}, [], "Nothing is configured."],
      [
        { SVC_PRIVATE_KEY: KEY.slice(0, -2) },
        [],
        "SVC_PRIVATE_KEY holds no private key: 0x and 64 hexadecimal digits.",
      ],
      [
        { SVC_PRIVATE_KEY: zero },
        [],
        "SVC_PRIVATE_KEY holds no private key: 0x and 64 hexadecimal digits.",
      ],
      [
        { SVC_PRIVATE_KEY: KEY },
        ["--keystore", path],
        "There are two keys: a keystore file and SVC_PRIVATE_KEY.",
      ],
      [
        {},
        ["--keystore", path],
        "The keystore file needs a password, and there is no terminal to ask on.",
      ],
      [
        { SVC_KEYSTORE_PASSWORD: "wrong" },
        ["--keystore", path],
        "The password does not open the keystore file.",
      ],
      [password, ["--keystore", other], "The keystore file names another account than its key's."],
      [
        password,
        ["--keystore", huge],
        `${huge} is not a keystore file: the key derivation is unknown, or asks for too much work.`,
      ],
      [
        password,
        ["--keystore", keyInFile],
        `${keyInFile} is not a keystore file: version 3 is expected.`,
      ],
      [password, ["--keystore", file("none")], `The file ${file("none")} does not exist.`],
    ];
    for (const [env, args, message] of cases) {
      const { code, stdout, stderr } = await svc(["whoami", ...args], { env });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr.split("\n")[0]).toBe(`svc whoami: ${message}`);
      expect(stderr).not.toContain(KEY.slice(4, -4));
    }
  });
});

describe("svc hash", () => {
  const TEXT = "# Heron\n\nCounts herons at dawn.\n";

  it("hashes a soul with a new salt, which its owner alone can read and does not show it", async () => {
    const path = await written("soul.md", TEXT);
    const { code, stdout, stderr } = await svc(["hash", path, "--json"]);
    const answer = JSON.parse(stdout);
    const salt = (await readFile(`${path}.salt`, "utf8")).trim();
    expect(code).toBe(0);
    expect(salt).toMatch(/^0x[0-9a-f]{64}$/);
    expect((await stat(`${path}.salt`)).mode & 0o777).toBe(0o600);
    expect(stdout + stderr).not.toContain(salt.slice(2));
    expect(stderr).toBe(
      `Wrote a new salt to ${path}.salt. Keep it secret and safe: no field can be proved without it.\n`,
    );
    expect(answer).toMatchObject({
      agentName: "heron",
      sourceFormat: "soul_md",
      saltFile: `${path}.salt`,
    });
    expect(rootOfLeaves(answer.merkleLeaves)).toBe(answer.soulMerkleRoot);
    // The same soul and salt have the same hash.
    const again = await svc(["hash", path]);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toContain(`soul hash    ${answer.soulHash}\n`);
    expect(again.stdout).not.toContain(salt.slice(2));
  });

  it("names the fields without a value, which would be sealed as empty", async () => {
    const path = await written(
      "sparse.md",
      "---\nname: heron\ntype: other\n---\n\n## Purpose\n\nA\n",
    );
    const empty =
      "identity.description, soul.personality, soul.constraints, soul.guidelines, capabilities.skills, capabilities.tools, capabilities.languages, capabilities.models, soul.documents";
    expect((await svc(["hash", path])).stdout).toContain(`\nempty        ${empty}\n`);
    const { stdout } = await svc(["hash", path, "--json"]);
    expect(JSON.parse(stdout).emptyFields).toEqual(empty.split(", "));
  });

  it("says which option gives what the text does not state", async () => {
    const path = await written("unnamed.txt", "Counts herons.");
    for (const [args, message, option] of [
      [[], "identity.name is missing.", "--name"],
      [["--name", "heron"], "identity.agent_type is missing.", "--type"],
    ] as const) {
      expect(await svc(["hash", path, ...args])).toEqual({
        code: 2,
        stdout: "",
        stderr: `svc hash: ${message}\nGive it in the file, or with ${option}.\n`,
      });
    }
    const unknown = await written("unknown.json", { identity: {}, mood: "calm" });
    expect((await svc(["hash", unknown])).stderr).toBe("svc hash: mood is not a known key.\n");
  });

  it("reads standard input with a format and a salt file", async () => {
    const salt = await written("known.salt", `0x${"11".repeat(32)}\n`);
    const args = ["hash", "-", "--format", "plaintext", "--name", "heron", "--type", "other"];
    const hashed = await svc([...args, "--salt-file", salt], { standardInput: "Counts herons." });
    expect(hashed.code).toBe(0);
    expect(hashed.stdout).toContain("name         heron\n");
    expect((await svc(args, { standardInput: "Counts." })).stderr).toContain(
      "--salt-file is needed with standard input.",
    );
  });

  it.each([
    [["soul.xyz"], "--format is needed: one of plaintext, soul_md,"],
    [["soul.md", "--format", "odt"], "--format is one of: plaintext, soul_md,"],
    [["missing.md"], "does not exist."],
    [
      ["bad.md", "--salt-file", "bad.salt"],
      "holds no salt: 0x and 64 lower-case hexadecimal digits.",
    ],
  ])("explains what is wrong with %j", async (args, message) => {
    await written("soul.md", TEXT);
    await written("soul.xyz", TEXT);
    await written("bad.md", TEXT);
    await written("bad.salt", "0x1234");
    const placed = args.map((arg) => (/\.(md|xyz|salt)$/.test(arg) ? file(arg) : arg));
    const { code, stdout, stderr } = await svc(["hash", ...placed]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("0x1234");
  });
});
