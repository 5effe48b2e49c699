import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { bearer, newAgent } from "../fixtures/agents.ts";
import { freshName } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// What a request accepts is found again, or was refused by name.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

/** A value for every member of a public identity. */
const IDENTITY = {
  bio: "Counts herons.",
  category: "knowledge",
  tags: ["birds", "rivers"],
  modelFamily: "reed",
  contacts: [{ type: "x", value: "@herons" }],
  monetization: "subscription",
  model: "reed-1",
  modelProvider: "Reed Works",
  serviceEndpoints: {
    Mcp: "https://heron.example/mcp",
    a2a: "https://heron.example/a2a",
    oasf: "https://heron.example/oasf",
  },
  x402Support: true,
  tagline: "Up before the birds.",
  description: "Counts birds along the river, at dawn.",
  image: "https://heron.example/face.png",
  website: "https://heron.example/",
  displayName: "Heron",
};

const BIRTH = {
  note: "Born at the weir.",
  creatorName: "Ada",
  creatorImageUrl: "https://weir.example/ada.png",
};

interface Read {
  readonly archive: Record<string, unknown>;
  readonly file: Record<string, unknown>;
  readonly profile: Record<string, unknown>;
}

/** An agent as others read it: its archive, the file that its passport names, its profile. */
async function readAgain(name: string): Promise<Read> {
  const { body: profile } = await service.get(`/v1/profile/${name}`);
  const { body: archive } = await service.get(`/ar/${profile.arweaveTxId}`);
  const uri = await service.chain.client.readContract({
    address: service.chain.contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "tokenURI",
    args: [BigInt(profile.erc8004AgentId)],
  });
  const { body: file } = await service.get(`/ar/${uri.slice("ar://".length)}`);
  return { archive, file, profile };
}

/** Every member is in the archive; what has a place in file and profile is there too. */
function expectIdentity({ archive, file, profile }: Read): void {
  expect(archive.publicIdentity).toEqual(IDENTITY);
  const { tagline, displayName, image, website, x402Support } = IDENTITY;
  expect(file).toMatchObject({ description: tagline, displayName, image, x402Support });
  expect((file.services as unknown[]).slice(3)).toEqual([
    { name: "A2A", endpoint: IDENTITY.serviceEndpoints.a2a },
    { name: "MCP", endpoint: IDENTITY.serviceEndpoints.Mcp },
    { name: "web", endpoint: website },
    { name: "oasf", endpoint: IDENTITY.serviceEndpoints.oasf },
  ]);
  const { bio, category, tags, modelFamily, contacts } = IDENTITY;
  expect(profile).toMatchObject({
    displayName,
    avatarUrl: image,
    publicIdentity: { bio, category, tags, modelFamily, contacts },
  });
}

describe("a public identity with every member", () => {
  it("is found again after an owner's registration", async () => {
    const name = freshName();
    const { answer } = await service.register(name, newAccount(), { publicIdentity: IDENTITY });
    expect(answer.status).toBe(201);
    expectIdentity(await readAgain(name));
  });

  /** Registers an agent by itself, and claims it with edits. */
  async function claimed(registered: object, editedData?: object): Promise<Read> {
    const verbs = agentVerbs(service);
    const [name, owner]: [string, LocalAccount] = [freshName(), newAccount()];
    const { registrationId } = await verbs.registerAgent(name, registered);
    const signed = await verbs.signedClaim(registrationId, owner, { editedData });
    expect((await verbs.submitClaim(signed)).status).toBe(200);
    return readAgain(name);
  }

  it("is found again after an agent's registration, given in all its forms", async () => {
    const { image, website, serviceEndpoints, description, ...identity } = IDENTITY;
    const { oasf, ...others } = serviceEndpoints;
    const read = await claimed({
      publicIdentity: { ...identity, serviceEndpoints: others },
      agentAvatar: image,
      agentDescription: description,
      services: [
        { type: "oasf", url: oasf },
        { type: "web", url: website },
      ],
      birthBundle: BIRTH,
      publicFields: ["identity.description"],
      personalityDocument: { title: "Manners", content: "Bow first.", immutable: true },
      sourceFormat: "plaintext",
    });
    expectIdentity(read);
    expect(read.profile).toMatchObject({
      birthBundle: BIRTH,
      disclosedFields: { "identity.description": { value: description, verified: true } },
    });
    expect(read.archive).toMatchObject({
      birthBundle: BIRTH,
      soulDocuments: [{ id: "personality", title: "Manners", immutable: true }],
      sourceFormat: "plaintext",
    });
  });

  it("is found again after a claim that edits every member", async () => {
    const { displayName, image, x402Support, ...identity } = IDENTITY;
    const read = await claimed(
      { publicIdentity: { tagline: "Before.", serviceEndpoints: { MCP: "https://a.example/" } } },
      {
        publicIdentity: identity,
        displayName,
        agentAvatarUrl: image,
        x402Support,
        birthBundle: BIRTH,
      },
    );
    expectIdentity(read);
    expect(read.profile).toMatchObject({ birthBundle: BIRTH });
  });

  it("is found again after a change", async () => {
    const { name, tokenId, apiKey } = await newAgent(service);
    const { bio, category, tags, modelFamily, contacts } = IDENTITY;
    const publicIdentity = { bio, category, tags, modelFamily, contacts };
    const { status } = await service.request(`/v1/public-identity/${tokenId}`, {
      method: "PUT",
      headers: { "content-type": "application/json", ...bearer(apiKey) },
      body: JSON.stringify({ tokenId, publicIdentity }),
    });
    expect(status).toBe(200);
    expect((await readAgain(name)).profile).toMatchObject({ publicIdentity });
  });
});
