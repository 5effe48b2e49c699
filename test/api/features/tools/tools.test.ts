import { describe, expect, it } from "vitest";
import { createTools } from "../../../../api/features/tools/tools.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import {
  buildFieldTree,
  type Ccsf,
  FIELDS,
  normaliseCcsf,
  parseSource,
  SOURCE_FORMATS,
  soulHash,
  sourceHash,
} from "../../../../protocol/index.ts";
import { directSoulReader } from "../../../fixtures/soul-reader.ts";
import { testApp } from "../../helpers.ts";

const SALT = `0x${"5a".repeat(32)}` as const;
const document = normaliseCcsf({
  identity: { name: "Ada", agent_type: "specialist", description: "Ledgers." },
  soul: { purpose: "Add up." },
});
const ON_CHAIN = soulHash(SALT, document);

const profiles = {
  profile: async (agent: { kind: string; name?: string }) => {
    if (agent.name === "unclaimed")
      return { value: { agentName: "unclaimed", tokenId: null, soulHash: null } };
    if (agent.name !== "ada") throw new ApiError("NOT_FOUND");
    return { value: { agentName: "ada", tokenId: 7n, soulHash: ON_CHAIN } };
  },
} as never;

const app = testApp({ tools: createTools({ profiles, souls: directSoulReader }) });

function normalise(fields: Readonly<Record<string, string | Blob>>) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  return app.request("/v1/tools/normalise", { method: "POST", body: form });
}

const file = (text: string | Uint8Array<ArrayBuffer>) => new File([text], "soul.txt");

interface Answer {
  soulHash: `0x${string}`;
  soulSalt: `0x${string}`;
  soulMerkleRoot: string;
  merkleLeaves: unknown[];
  normalisedCcsf: Ccsf;
}

async function issues(response: Response) {
  const { error } = (await response.json()) as {
    error: { type: string; details: { issues: unknown } };
  };
  return { status: response.status, type: error.type, issues: error.details.issues };
}

describe("POST /v1/tools/normalise", () => {
  it("answers a soul that its owner can recompute offline", async () => {
    const text = "You are Ada.\r\n";
    const response = await normalise({
      file: file(text),
      format: "plaintext",
      agentName: "Ada",
      agentType: "coding",
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const answer = (await response.json()) as Answer;

    const ccsf = parseSource("plaintext", text, { name: "Ada", agent_type: "coding" });
    const tree = buildFieldTree({ ccsf, salt: answer.soulSalt, soulHash: answer.soulHash });
    expect(answer).toEqual({
      soulHash: soulHash(answer.soulSalt, ccsf),
      soulSalt: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      soulMerkleRoot: tree.root,
      merkleLeaves: tree.leaves.slice(0, 11),
      normalisedCcsf: ccsf,
      extractedFields: ["identity.name", "identity.agent_type", "soul.purpose"],
      defaultedFields: [],
      sourceFormat: "plaintext",
      sourceHash: sourceHash(text),
    });
    expect(tree.leaves.map(({ field }) => field)).toEqual([...FIELDS]);
  });

  it("gives the same text with a former salt the same hashes, and refuses any other salt", async () => {
    const fields = { format: "plaintext", agentName: "ada", agentType: "coding" };
    const once = async (more: Readonly<Record<string, string>> = {}) =>
      normalise({ ...fields, file: file("You are Ada."), ...more });
    const first = (await (await once()).json()) as Answer;
    const second = (await (await once()).json()) as Answer;
    expect(second.soulSalt).not.toBe(first.soulSalt);
    expect(await (await once({ soulSalt: first.soulSalt })).json()).toEqual(first);
    const short = await once({ soulSalt: "0x12" });
    expect([short.status, (await short.json()).error.details.issues[0].path]).toEqual([
      400,
      "soulSalt",
    ]);
  });

  it("reads name and type of a Markdown file from its heading, and reports that", async () => {
    const response = await normalise({
      file: file("# Ada Lovelace!\n\nLedgers.\n\n## Purpose\nAdd up.\n"),
      format: "soul_md",
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      normalisedCcsf: {
        identity: { name: "ada-lovelace", agent_type: "other", description: "Ledgers." },
      },
      extractedFields: [
        "identity.name",
        "identity.agent_type",
        "identity.description",
        "soul.purpose",
      ],
      defaultedFields: ["identity.name", "identity.agent_type"],
    });
  });

  it("prefers the form to the heading, and the front matter to the form", async () => {
    const named = { format: "soul_md", agentName: "countess", agentType: "coding" };
    const heading = await normalise({ ...named, file: file("# Ada\n") });
    expect(await heading.json()).toMatchObject({
      normalisedCcsf: { identity: { name: "countess", agent_type: "specialist" } },
      defaultedFields: [],
    });
    const stated = await normalise({ ...named, file: file("---\nname: Ada\n---\n# Countess\n") });
    expect(await stated.json()).toMatchObject({
      normalisedCcsf: { identity: { name: "Ada", agent_type: "specialist" } },
      defaultedFields: [],
    });
  });

  it("takes a new salt every time", async () => {
    const request = () => normalise({ file: file(JSON.stringify(document)), format: "ccsf_json" });
    const [first, second] = (await Promise.all(
      [await request(), await request()].map((response) => response.json()),
    )) as [Answer, Answer];
    expect(first.soulSalt).not.toBe(second.soulSalt);
    expect(first.normalisedCcsf).toEqual(second.normalisedCcsf);
  });

  it.each([
    [
      { file: file("x"), format: "toml" },
      { path: "format", message: `A source format is one of: ${SOURCE_FORMATS.join(", ")}.` },
    ],
    [
      { file: file(new Uint8Array([0xff, 0xfe])), format: "plaintext" },
      { path: "file", message: "Not valid UTF-8" },
    ],
    [
      { file: file("---\nname: A\nflavour: x\n---\n"), format: "soul_md" },
      { path: "file", message: "Line 3 has an unknown key." },
    ],
    [
      { file: file("# 你好\n"), format: "soul_md" },
      {
        path: "agentName",
        message:
          "The first heading cannot be made into a name of 3 to 32 letters, digits and hyphens: send agentName",
      },
    ],
    [
      { file: file("x"), format: "plaintext" },
      { path: "file.identity.name", message: "identity.name is missing." },
    ],
    [
      { file: file("[".repeat(200_000)), format: "ccsf_json" },
      {
        path: "file.[0][0][0][0][0][0][0][0]",
        message: "Invalid JSON at [0][0][0][0][0][0][0][0]: it is nested too deeply.",
      },
    ],
    [
      { file: file('{"soul":{"purpose":"a","purpose":"b"}}'), format: "ccsf_json" },
      {
        path: "file.soul.purpose",
        message: "Invalid JSON at soul.purpose: a key appears twice in one object.",
      },
    ],
    [
      { file: file("identity: {}\nsoul: *a\n"), format: "ccsf_yaml" },
      { path: "file", message: "Line 2 has an alias, which is not allowed." },
    ],
    [
      { file: file("- ".repeat(200_000)), format: "ccsf_yaml" },
      { path: "file", message: "Line 1 is nested too deeply." },
    ],
    [
      { file: file("x".repeat(600_000)), format: "soul_md" },
      { path: "file", message: "The text must not exceed 524288 bytes." },
    ],
    [
      { file: "x", format: "plaintext" },
      { path: "file", message: "Not a file" },
    ],
    [
      { file: file("x"), format: "plaintext", surname: "y" },
      { path: "surname", message: "Unknown field" },
    ],
  ])("refuses %#", async (fields, issue) => {
    expect(await issues(await normalise(fields))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      issues: [issue],
    });
  });
});

describe("POST /v1/tools/verify-hash", () => {
  const verify = (body: unknown) =>
    app.request("/v1/tools/verify-hash", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });

  it("answers whether the document is the agent's", async () => {
    const same = await verify({ agentName: "ada", soulSalt: SALT, normalisedCcsf: document });
    expect(same.status).toBe(200);
    expect(same.headers.get("cache-control")).toBe("no-store");
    expect(await same.json()).toEqual({
      match: true,
      computedHash: ON_CHAIN,
      onChainHash: ON_CHAIN,
      agentName: "ada",
      tokenId: 7,
    });
    const otherSalt = `0x${"5b".repeat(32)}` as const;
    const other = await verify({ agentName: "ada", soulSalt: otherSalt, normalisedCcsf: document });
    expect(await other.json()).toEqual({
      match: false,
      computedHash: soulHash(otherSalt, document),
      onChainHash: ON_CHAIN,
      agentName: "ada",
      tokenId: 7,
    });
  });

  it("reports no match while there is no certificate", async () => {
    const answer = await verify({
      agentName: "unclaimed",
      soulSalt: SALT,
      normalisedCcsf: document,
    });
    expect(await answer.json()).toEqual({
      match: false,
      computedHash: ON_CHAIN,
      onChainHash: null,
      agentName: "unclaimed",
      tokenId: null,
    });
  });

  it("refuses an invalid soul document and an unknown agent", async () => {
    expect(
      await issues(
        await verify({ agentName: "ada", soulSalt: SALT, normalisedCcsf: { mood: "good" } }),
      ),
    ).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      issues: [{ path: "normalisedCcsf.mood", message: "mood is not a known key." }],
    });
    const missing = await verify({
      agentName: "unknown",
      soulSalt: SALT,
      normalisedCcsf: document,
    });
    expect(missing.status).toBe(404);
  });
});
