import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// From a Markdown file to a sealed agent over HTTP alone: the client hashes nothing.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

/** A file whose heading is a title; the name made from it is `name`. */
const fileOf = (name: string) => `# ${name.replaceAll("-", " ").toUpperCase()}

Keeps the tide tables.

## Purpose
Warn the ferries before the water does.

## Rules
- Say how sure you are.
`;

async function normalise(text: string, format = "soul_md") {
  const form = new FormData();
  form.set("file", new File([text], "soul.md"));
  form.set("format", format);
  const answer = await service.request("/v1/tools/normalise", { method: "POST", body: form });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The result of normalise, in the form that registration takes. */
function registrable(soul: Record<string, unknown>, owner: { address: string }) {
  const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves, sourceFormat, sourceHash } = soul;
  const { name } = (soul.normalisedCcsf as { identity: { name: string } }).identity;
  return {
    agentName: name,
    soulHash,
    soulSalt,
    soulMerkleRoot,
    merkleLeaves,
    sourceFormat,
    sourceHash,
    ownerAddress: owner.address,
  };
}

describe("a Markdown file", () => {
  it("is normalised and registered by its owner", async () => {
    const name = freshName();
    const owner = newAccount();
    const soul = await normalise(fileOf(name));
    expect(soul).toMatchObject({
      defaultedFields: ["identity.name", "identity.agent_type"],
      normalisedCcsf: { identity: { name, agent_type: "other" } },
    });
    expect(soul.merkleLeaves).toHaveLength(11);
    const signed = await service.signedRegistration(registrable(soul, owner) as never, owner);
    const { status, body } = await service.submit(signed, idempotencyKey());
    expect(status).toBe(201);
    expect(body).toMatchObject({
      agentName: name,
      genesisStatus: "SEALED",
      soulHash: soul.soulHash,
      soulMerkleRoot: soul.soulMerkleRoot,
    });
    const { body: archived } = await service.get(`/ar/${body.arweaveTxId}`);
    expect(archived).toMatchObject({ agentType: "other", soulMerkleRoot: soul.soulMerkleRoot });
    expect(archived.merkleLeaves).toHaveLength(12);
    expect(archived.merkleLeaves.slice(0, 11)).toEqual(soul.merkleLeaves);

    const check = await service.post("/v1/tools/verify-hash", {
      agentName: name,
      soulSalt: soul.soulSalt,
      normalisedCcsf: soul.normalisedCcsf,
    });
    expect(check.body).toMatchObject({ match: true, tokenId: body.tokenId });
  });

  it("is registered by the agent itself, and claimed by its owner", async () => {
    const name = freshName();
    const text = fileOf(name);
    const { normalisedCcsf } = await normalise(text);
    const verbs = agentVerbs(service);
    const registered = await verbs.registerAgent(name, {
      agentType: normalisedCcsf.identity.agent_type,
      sourceFormat: "soul_md",
      systemPrompt: text,
    });
    const claim = await verbs.signedClaim(registered.registrationId, newAccount());
    const { status, body } = await verbs.submitClaim(claim);
    expect(status).toBe(200);
    const check = await service.post("/v1/tools/verify-hash", {
      agentName: name,
      soulSalt: body.soulSalt,
      normalisedCcsf,
    });
    expect(check.body).toMatchObject({ match: true, tokenId: body.tokenId });
  });
});

describe("eleven leaves", () => {
  const document = {
    id: "manifesto",
    type: "manifesto",
    title: "What herons are owed",
    format: "markdown",
    contentHash: `0x${"5a".repeat(32)}`,
    immutable: true,
  };
  const soulOf = (name: string) =>
    JSON.stringify({
      identity: { name, agent_type: "other" },
      soul: {
        documents: [{ id: document.id, contentHash: document.contentHash, immutable: true }],
      },
    });

  it("are completed with the leaf of the documents that the request declares", async () => {
    const owner = newAccount();
    const soul = await normalise(soulOf(freshName()), "ccsf_json");
    const body = { ...registrable(soul, owner), soulDocuments: [document] };
    const signed = await service.signedRegistration(body as never, owner);
    const answer = await service.submit(signed, idempotencyKey());
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ soulMerkleRoot: soul.soulMerkleRoot });
  });

  it("are refused when the root commits to other documents", async () => {
    const soul = await normalise(soulOf(freshName()), "ccsf_json");
    const answer = await service.post("/v1/typed-data/register", registrable(soul, newAccount()));
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      type: "INVALID_MERKLE_DATA",
      details: {
        soulMerkleRoot: soul.soulMerkleRoot,
        computedRoot: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    });
  });
});
