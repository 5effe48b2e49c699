import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { svc } from "../fixtures/svc.ts";

// One agent, from its soul in a file to what others verify, with the command alone.

const PURPOSE = "Counts herons at dawn, and tells no one where they nest.";
const PERSONALITY = "Quiet as reeds.";

let service: Service;
let directory: string;
let soul: string;
let env: Record<string, string>;
let apiKey: string;
const key = generatePrivateKey();
const owner = privateKeyToAccount(key);
const name = freshName();
const file = (ending: string) => join(directory, ending);

beforeAll(async () => {
  service = await sharedService();
  directory = await mkdtemp(join(tmpdir(), "svc-cli-service-"));
  soul = file("soul.md");
  await writeFile(
    soul,
    `---\nname: ${name}\ntype: specialist\n---\n\n## Purpose\n\n${PURPOSE}\n\n## Personality\n\n${PERSONALITY}\n`,
  );
  env = {
    SVC_SERVICE: service.url,
    SVC_RPC_URL: service.chain.rpcUrl,
    SVC_DEPLOYMENT: service.chain.deploymentPath,
  };
  const { code, stderr } = await svc(["register", soul, "--public", "identity.description"], {
    env: { ...env, SVC_PRIVATE_KEY: key },
  });
  if (code !== 0) throw new Error(stderr);
  apiKey = (await readFile(`${soul}.api-key`, "utf8")).trim();
}, 180_000);

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await service?.stop();
});

const asOwner = () => ({ env: { ...env, SVC_PRIVATE_KEY: key } });
const asAgent = () => ({ env: { ...env, SVC_API_KEY: apiKey } });

/** Answers hold no secret of the owner or the agent. */
async function expectNoSecrets(text: string): Promise<void> {
  const salt = (await readFile(`${soul}.salt`, "utf8")).trim();
  for (const secret of [key.slice(2), apiKey, salt.slice(2), PERSONALITY]) {
    expect(text).not.toContain(secret);
  }
}

describe("svc register", () => {
  it("leaves a sealed agent, its key in a file of mode 600, and nothing pending", async () => {
    expect(apiKey).toMatch(/^svc_live_/);
    expect((await stat(`${soul}.api-key`)).mode & 0o777).toBe(0o600);
    await expect(stat(`${soul}.registration`)).rejects.toThrow("ENOENT");
    const gateway = ["--gateway", `${service.url}/ar/{id}/item`];
    const run = await svc(["verify", "agent", name, ...gateway, "--json"], { env });
    const report = JSON.parse(run.stdout);
    expect([run.code, report.verdict]).toEqual([0, "valid"]);
    const hashed = await svc(["hash", soul, "--json"]);
    const values = Object.fromEntries(
      report.steps.map(({ step, value }: { step: string; value: string }) => [step, value]),
    );
    expect(values["soul hash"]).toBe(JSON.parse(hashed.stdout).soulHash);
    expect(values["soul archive"]).toMatch(/^ar:\/\//);
    expect(values.owner).toBe(owner.address);
    await expectNoSecrets(run.stdout + hashed.stdout + hashed.stderr);
  });

  it("refuses a taken name with 1, and sends nothing when the key's file exists", async () => {
    const copy = file("copy.md");
    await writeFile(copy, await readFile(soul));
    const taken = await svc(["register", copy, "--json"], asOwner());
    expect([taken.code, JSON.parse(taken.stdout).error.type]).toEqual([1, "NAME_TAKEN"]);
    await expect(stat(`${copy}.registration`)).rejects.toThrow("ENOENT");
    await expectNoSecrets(taken.stdout + taken.stderr);
    const again = await svc(["register", soul], asOwner());
    expect(again).toEqual({
      code: 2,
      stdout: "",
      stderr: `svc register: The file ${soul}.api-key exists already and is not overwritten.\nName another file for the API key with --api-key-out.\n`,
    });
  });

  it("continues an interrupted registration, and does not register twice", async () => {
    const interrupted = freshName();
    const path = file("interrupted.md");
    await writeFile(path, `---\nname: ${interrupted}\ntype: other\n---\n\nCounts reeds.\n`);
    // The key cannot be written, after the registration was made.
    const unwritable = ["--api-key-out", join(file("no-such-folder"), "key")];
    const first = await svc(["register", path, ...unwritable], asOwner());
    expect(first.code).toBe(2);
    expect(first.stderr).toContain("does not exist.");
    const second = await svc(["register", path], asOwner());
    expect(second.stderr).toContain(`Continuing the registration of ${path}.registration.`);
    expect([second.code, second.stdout.split("\n")[0]]).toEqual([
      0,
      `registered   ${interrupted}, sealed`,
    ]);
    await expectNoSecrets(second.stdout + second.stderr);
  });
});

describe("svc whoami", () => {
  it("names the account's agents and for whom the API key acts", async () => {
    const run = await svc(["whoami", "--json"], {
      env: { ...env, SVC_PRIVATE_KEY: key, SVC_API_KEY: apiKey },
    });
    const answer = JSON.parse(run.stdout);
    expect(run.code).toBe(0);
    expect(answer.account).toBe(owner.address);
    expect(answer.agents.map(({ agentName }: { agentName: string }) => agentName)).toContain(name);
    expect(answer.credential).toMatchObject({ kind: "apiKey", valid: true, agentName: name });
    await expectNoSecrets(run.stdout + run.stderr);
  });

  it("exits with 1 for a key that the service does not know", async () => {
    const unknown = apiKey.slice(0, -6).concat("aaaaaa");
    const run = await svc(["whoami"], { env: { ...env, SVC_API_KEY: unknown } });
    expect([run.code, run.stdout]).toEqual([1, `service  ${service.url}\nAPI key  not valid\n`]);
    const both = { ...env, SVC_API_KEY: apiKey, SVC_ACCESS_TOKEN: "x" };
    expect((await svc(["whoami"], { env: both })).stderr).toContain(
      "There is more than one credential.",
    );
  });
});

describe("svc sign-in", () => {
  it("prints the token alone, for the agent and the audience that were named", async () => {
    const args = ["sign-in", "--agent", name, "--audience", "https://shop.example"];
    const { code, stdout, stderr } = await svc(args, asOwner());
    expect([code, stdout.split(".").length, stdout.split("\n").length]).toEqual([0, 3, 2]);
    expect(stderr).toContain(`Signed in as ${name}, tier 2, scopes identity`);
    const { body } = await service.post("/api/v1/auth/token/introspect", { token: stdout.trim() });
    expect(body).toMatchObject({ active: true, agentName: name, aud: "https://shop.example" });
    await expectNoSecrets(stdout + stderr);
  });

  it("reads a number as a passport's, and with --certificate as a certificate's", async () => {
    const { body } = await service.get(`/v1/profile/${name}`);
    for (const number of [[`${body.erc8004AgentId}`], [`${body.tokenId}`, "--certificate"]]) {
      const { code, stderr } = await svc(["sign-in", "--agent", ...number], asOwner());
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(`Signed in as ${name}, tier 2`) as string,
      ]);
    }
    const named = await svc(["sign-in", "--agent", name, "--certificate"], asOwner());
    expect(named.stderr).toContain("--certificate belongs to a number.");
  });

  it("writes the token to a file on request, for a session that adds a chronicle", async () => {
    const out = file("session.token");
    const args = ["sign-in", "--scope", "identity", "--scope", "manage", "--out", out, "--json"];
    const { code, stdout } = await svc(args, asOwner());
    const token = (await readFile(out, "utf8")).trim();
    expect([code, JSON.parse(stdout).tokenFile]).toEqual([0, out]);
    expect(stdout).not.toContain(token);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const add = ["chronicle", "add", "--category", "experience", "--title", "A quiet dawn"];
    const session = ["--token-file", out, "--agent", name];
    expect((await svc([...add, ...session], { env })).code).toBe(0);
    expect((await svc([...add, "--token-file", out], { env })).stderr).toContain(
      "--agent is missing. An access token needs it.",
    );
  });

  it("exits with 1 when the tier is too low or the account owns no such passport", async () => {
    const low = await svc(["sign-in", "--agent", name, "--min-tier", "3", "--json"], asOwner());
    expect([low.code, JSON.parse(low.stdout).error.type]).toEqual([1, "TIER_TOO_LOW"]);
    const stranger = { env: { ...env, SVC_PRIVATE_KEY: generatePrivateKey() } };
    const other = await svc(["sign-in", "--agent", name, "--json"], stranger);
    expect([other.code, JSON.parse(other.stdout).error.type]).toEqual([1, "NOT_OWNER"]);
    const unknown = await svc(["sign-in", "--agent", "999999"], asOwner());
    expect(unknown).toEqual({
      code: 1,
      stdout: "",
      stderr: "svc sign-in: The service knows no agent with passport 999999.\nCheck the id.\n",
    });
    const audience = await svc(["sign-in", "--agent", name, "--audience", "shop"], asOwner());
    expect([audience.code, audience.stderr.split("\n")]).toEqual([
      1,
      [
        "svc sign-in: The request is not valid.",
        expect.stringMatching(/^ {2}audience: ./),
        "Correct what is named above.",
        "",
      ],
    ]);
    for (const wrong of [
      ["--scope", "everything"],
      ["--min-tier", "4"],
    ]) {
      expect((await svc(["sign-in", ...wrong], asOwner())).code).toBe(2);
    }
  });
});

describe("svc chronicle add", () => {
  it("records data from standard input and options for the key's agent", async () => {
    const args = ["chronicle", "add", "-", "--category", "achievement", "--title", "Counted"];
    const { code, stdout, stderr } = await svc([...args, "--json"], {
      ...asAgent(),
      standardInput: JSON.stringify({ herons: 41 }),
    });
    const answer = JSON.parse(stdout);
    expect([code, stderr, answer.status, answer.agentName]).toEqual([0, "", "queued", name]);
    const proof = await service.get(`/v1/chronicle/${answer.queueId}/proof`);
    expect(proof.body.category).toBe("achievement");
    await writeFile(file("proof.json"), JSON.stringify(proof.body));
    const check = await svc(["verify", "chronicle", file("proof.json")], { env });
    expect([check.code, check.stdout]).toEqual([
      1,
      "not valid: The chronicle is queued and not on chain yet. Try again later.\n",
    ]);
    await expectNoSecrets(stdout + stderr);
  });

  it("refuses what is no record, and passes on why the service refuses", async () => {
    const add = ["chronicle", "add"];
    expect((await svc([...add, "--title", "x"], asAgent())).stderr).toContain(
      "--category is one of:",
    );
    expect((await svc([...add, "--category", "other"], asAgent())).stderr).toContain(
      "There is nothing to record",
    );
    const anonymous = [...add, "--category", "other", "--title", "x"];
    expect((await svc(anonymous, { env })).stderr).toContain("This needs the agent's API key");
    const signed = [...anonymous, "--change-type", "operator_change"];
    expect(await svc(signed, asAgent())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("svc chronicle add: "),
    });
    const away = { env: { ...asAgent().env, SVC_SERVICE: "http://127.0.0.1:1" } };
    expect((await svc([...anonymous, "--agent", name], away)).code).toBe(2);
  });
});

describe("svc disclose", () => {
  it("writes a document that proves one field, and no other", async () => {
    const args = ["disclose", soul, "--field", "soul.purpose", "--expires", "7d"];
    const { code, stdout, stderr } = await svc(args, asAgent());
    expect([code, stderr.split(" ").slice(0, 3).join(" ")]).toEqual([0, "Recorded as disclosure"]);
    expect(JSON.parse(stdout).disclosures).toMatchObject([
      { field: "soul.purpose", value: PURPOSE },
    ]);
    await expectNoSecrets(stdout + stderr);
    const check = ["verify", "disclosure", "-"];
    expect(await svc(check, { env, standardInput: stdout })).toEqual({
      code: 0,
      stdout: `valid: soul.purpose of ${name} has this value on chain.\n`,
      stderr: "",
    });
    const changed = stdout.replace(PURPOSE, "Counts geese.");
    expect((await svc(check, { env, standardInput: changed })).code).toBe(1);
    const json = await svc([...args, "--json"], asAgent());
    expect(Object.keys(JSON.parse(json.stdout))).toEqual(["disclosureId", "document"]);
  });

  it("exits with 1 for another text than the sealed one, and with 2 for a wrong field", async () => {
    const other = file("other.md");
    await writeFile(other, `---\nname: ${name}\ntype: specialist\n---\n\n## Purpose\n\nOther.\n`);
    const run = await svc(["disclose", other, "--field", "soul.purpose", "--json"], asAgent());
    expect([run.code, JSON.parse(run.stdout).error.type]).toEqual([1, "HASH_MISMATCH"]);
    const misspelt = await svc(["disclose", soul, "--field", "soul.porpose"], asAgent());
    expect([misspelt.code, misspelt.stderr.split("\n")[0]]).toEqual([
      2,
      'svc disclose: --field: there is no field "soul.porpose". Did you mean soul.purpose?',
    ]);
    expect((await svc(["disclose", soul], asAgent())).stderr).toContain("--field is missing");
  });
});
