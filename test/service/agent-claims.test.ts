import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { Ccsf } from "../../protocol/index.ts";
import {
  buildFieldTree,
  contentHash,
  fieldValue,
  normaliseCcsf,
  parseSource,
  soulHash,
  verifyFieldProof,
  withoutIds,
} from "../../protocol/index.ts";
import type { Answer } from "../api/features/sign-in/harness.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { agentVerbs, answerTo, SECRET_PROMPT } from "../fixtures/agent-verbs.ts";
import { everythingStored } from "../fixtures/everything-stored.ts";
import {
  freshName,
  idempotencyKey,
  offeredAgentWallet,
  registrationBody,
} from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Agents that register themselves and owners who claim them, on the running service: real
// contracts, the real index, real Postgres, over HTTP.

let service: Service;
let verbs: ReturnType<typeof agentVerbs>;
beforeAll(async () => {
  service = await sharedService();
  verbs = agentVerbs(service);
});
afterAll(() => service?.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const text = expect.any(String) as string;
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

const soulNow = (tokenId: number) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "soulOf",
    args: [BigInt(tokenId)],
  });

/** Everything that a claim changes. */
async function footprint() {
  const { rows } = await service.pool.query(`
    select (select count(*)::int from app.registration) as registrations,
           (select count(*)::int from app.relayer_transaction) as transactions,
           (select count(*)::int from app.api_key where revoked_at is null) as keys,
           (select count(*)::int from app.soul_secret) as secrets,
           (select count(*)::int from app.storage_item) as items,
           (select count(*)::int from app.agent_registration where state <> 'pending') as claims,
           (select count(*)::int from app.name_lock) as names`);
  return { ...rows[0], block: await service.chain.client.getBlockNumber({ cacheTime: 0 }) };
}

/** Submits a request that must be refused, and checks that it left nothing behind. */
async function refused(work: () => Promise<Answer>) {
  const before = await footprint();
  const answer = await work();
  expect(await footprint()).toEqual(before);
  return refusal(answer);
}

const EDITED_PROMPT = "You count the stars in the river and forget them before breakfast.";
const DOCUMENT = { title: "Manners", content: "Says please, and means it.", immutable: true };

describe("an agent that registers itself", () => {
  const name = freshName();
  const owner = newAccount();
  let registered: Answer["body"];
  let webhookId: string;

  it("is asked for a hash, and its name is reserved meanwhile", async () => {
    const before = Date.now();
    const first = await verbs.challenge(name);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      challengeId: matching(/^[0-9a-f-]{36}$/),
      type: "sha256",
      question: matching(
        new RegExp(`SHA-256 hex digest .* of this string: svc:${name}:[0-9]{10}$`),
      ),
      nameAvailable: true,
      expiresAt: text,
    });
    expect(first.headers.get("cache-control")).toBe("no-store");
    const lasts = Date.parse(first.body.expiresAt) - before;
    expect(lasts).toBeGreaterThanOrEqual(10 * 60_000);
    expect(lasts).toBeLessThan(11 * 60_000);

    expect((await verbs.challenge(name)).body).toMatchObject({ nameAvailable: false });
    expect((await service.get(`/v1/register/check-name/${name}`)).body).toEqual({
      available: false,
      reason: "The name is being registered.",
    });

    const answer = await service.post("/v1/register", {
      step: "register",
      agentName: name,
      agentType: "companion",
      challengeId: first.body.challengeId,
      challengeAnswer: answerTo(first.body.question),
      systemPrompt: SECRET_PROMPT,
      agentDescription: "Listens to the weir.",
      publicFields: ["identity.description", "identity.agent_type"],
      publicIdentity: { tagline: "All ears.", tags: ["river"] },
      agentAvatar: "https://weir.example/face.png",
      services: [
        { type: "A2A", url: "https://weir.example/a2a" },
        { type: "web", url: "https://weir.example/" },
      ],
      personalityDocument: DOCUMENT,
      birthBundle: { note: "Born at the weir", creatorName: "Ada" },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    registered = answer.body;
    expect(registered).toEqual({
      registrationId: matching(/^[A-Za-z0-9_-]{22}$/),
      agentName: name,
      status: "pending_owner_claim",
      profileUrl: `${service.url}/agents/${name}`,
      claimUrl: `${service.url}/claim/${registered.registrationId}`,
      apiKey: matching(/^svc_provisional_[0-9A-Za-z]{49}$/),
      soulHash: "pending: it is final once the owner claims this agent",
      message: matching(/claimUrl/),
      claimExpiresAt: matching(/:[0-9]{2}\.000Z$/),
      provisionalLimits: {
        note: text,
        canRead: true,
        canPost: false,
        canDisclose: false,
        canBind: false,
      },
    });
    const remains = Date.parse(registered.claimExpiresAt) - Date.now();
    expect(remains).toBeGreaterThan(24 * 60 * 60_000 - 60_000);
    expect(remains).toBeLessThanOrEqual(24 * 60 * 60_000);
  });

  it("stores its id as a hash only", async () => {
    const stored = await everythingStored(service.pool);
    expect(stored).not.toContain(registered.registrationId);
    expect(stored).not.toContain(registered.apiKey);
  });

  it("can be read before its claim, without its own statements", async () => {
    const profile = await service.get(`/v1/profile/${name}`);
    expect(profile.status).toBe(200);
    expect(profile.headers.get("cache-control")).toBe("max-age=60, stale-while-revalidate=300");
    expect(profile.body).toEqual({
      agentName: name,
      tokenId: null,
      did: `did:svc:31337:${name}`,
      agentType: "companion",
      genesisStatus: "PROVISIONAL",
      soulHash: null,
      soulMerkleRoot: null,
      owner: null,
      operator: null,
      parentTokenId: 0,
      successorTokenId: null,
      organizationId: 0,
      mintTimestamp: null,
      sealedAt: null,
      erc8004AgentId: null,
      erc8004Url: null,
      agentWallet: null,
      duplicateOf: null,
      soulValidity: { status: "not_linked", passportOwnerMatch: false, lastChecked: null },
      soulAlignment: { score: null, lastSnapshot: null },
      activity: {
        tasksCompleted: 0,
        lifetimeEarned: "0.00",
        currency: "USDC",
        agentBindings: 0,
        lastActive: null,
      },
      chainAddresses: [],
      disclosedFields: {},
      arweaveTxId: null,
      arweaveUrl: null,
      operatorLabel: null,
      publicIdentity: null,
      avatarUrl: null,
      displayName: null,
      birthBundle: null,
      profileUrl: `${service.url}/agents/${name}`,
    });
    expect((await service.get(`/v1/profile/${name}/status`)).body).toEqual({
      agentName: name,
      tokenId: null,
      erc8004AgentId: null,
      genesisStatus: "PROVISIONAL",
      soulAlignment: null,
      lastSnapshot: null,
      alive: true,
      trustworthy: false,
    });
    expect((await service.get(`/v1/chronicle/${name}`)).body).toEqual({
      tokenId: null,
      erc8004AgentId: null,
      chronicles: [],
      pagination: { page: 1, limit: 25, total: 0, totalPages: 0 },
      nextCursor: null,
    });
    const details = "The agent waits for its owner to claim it.";
    expect((await service.get(`/v1/verify/${name}`)).body).toEqual({
      agentName: name,
      tokenId: null,
      erc8004AgentId: null,
      overallStatus: "partial",
      duplicateOf: null,
      checks: {
        soulHash: { status: "pending", details, txHash: null },
        arweave: { status: "pending", details, txId: null },
        baseTx: { status: "pending", details, txHash: null, timestamp: null },
        sealed: { status: "provisional", timestamp: null },
        soulValidity: { status: "not_linked", reason: text },
        passport: {
          status: "pending",
          details,
          needsAgentUriUpdate: false,
          pendingMetadata: [],
          approvalTransaction: null,
        },
      },
    });
  });

  it("is pending for clients that poll, and unknown ids are not found", async () => {
    const poll = (id: string) => service.get(`/api/v1/register?id=${id}`);
    const { status, body } = await poll(registered.registrationId);
    expect([status, body]).toEqual([200, { status: "pending_owner_claim", tokenId: null }]);
    for (const id of ["AAAAAAAAAAAAAAAAAAAAAA", "x", "5b6f8a52-0000-4000-8000-000000000001"]) {
      expect(refusal(await poll(id))).toMatchObject({ status: 404, type: "NOT_FOUND" });
    }
  });

  it("shows its owner what is to be claimed, without any private text", async () => {
    const draft = await service.get(`/v1/register/claim?id=${registered.registrationId}`);
    expect(draft.status).toBe(200);
    expect(draft.headers.get("cache-control")).toBe("no-store");
    expect(draft.body).toEqual({
      registrationId: registered.registrationId,
      status: "pending_owner_claim",
      agentName: name,
      profileUrl: `${service.url}/agents/${name}`,
      createdAt: text,
      claimExpiresAt: registered.claimExpiresAt,
      tokenId: null,
      ownerAddress: null,
      draft: {
        agentType: "companion",
        sourceFormat: "plaintext",
        agentDescription: "Listens to the weir.",
        publicIdentity: {
          tagline: "All ears.",
          tags: ["river"],
          image: "https://weir.example/face.png",
          website: "https://weir.example/",
          serviceEndpoints: { A2A: "https://weir.example/a2a" },
        },
        publicFields: {
          "identity.agent_type": "companion",
          "identity.description": "Listens to the weir.",
        },
        birthBundle: { note: "Born at the weir", creatorName: "Ada", creatorImageUrl: "" },
        personalityDocument: { ...DOCUMENT, id: "personality", contentHash: matching(/^0x/) },
        erc8004AgentId: null,
      },
    });
  });

  it("reads, registers webhooks and nothing else with its provisional key", async () => {
    const headers = bearer(registered.apiKey);
    const read = await service.request(`/v1/profile/${name}`, { headers });
    expect(read.status).toBe(200);
    const webhook = await service.post(
      "/v1/webhooks",
      { url: "https://1.1.1.1/agent", events: ["owner.claimed"] },
      headers,
    );
    expect(webhook.status).toBe(201);
    webhookId = webhook.body.webhookId;
    const chronicle = { tokenId: 1, category: "achievement", data: { title: "x" } };
    expect(refusal(await service.post("/v1/chronicle", chronicle, headers))).toMatchObject({
      status: 403,
      type: "FULL_KEY_REQUIRED",
    });
    // A key in the request does not prevent registering another agent.
    const other = await service.post(
      "/v1/register",
      { step: "challenge", agentName: freshName() },
      headers,
    );
    expect(other.status).toBe(200);
  });

  it("is claimed and sealed by one signature, which answers everything once", async () => {
    const signed = await verbs.signedClaim(registered.registrationId, owner);
    const key = idempotencyKey();
    const claimed = await verbs.submitClaim(signed, key);
    expect(claimed.status).toBe(200);
    expect(claimed.headers.get("cache-control")).toBe("no-store");
    const { tokenId, soulSalt, soulHash: sealedHash } = claimed.body;
    expect(claimed.body).toEqual({
      success: true,
      tokenId: expect.any(Number) as number,
      agentName: name,
      did: `did:svc:31337:${name}`,
      ownerAddress: owner.address,
      profileUrl: `${service.url}/agents/${name}`,
      txHash: matching(/^0x[0-9a-f]{64}$/),
      arweaveTxId: matching(/^[A-Za-z0-9_-]{43}$/),
      soulHash: matching(/^0x[0-9a-f]{64}$/),
      soulMerkleRoot: matching(/^0x[0-9a-f]{64}$/),
      genesisStatus: "SEALED",
      message: matching(/sealed/),
      erc8004AgentId: expect.any(Number) as number,
      agentUriArweaveTxId: matching(/^[A-Za-z0-9_-]{43}$/),
      newAgentUriUrl: `${service.url}/ar/${claimed.body.agentUriArweaveTxId}`,
      newAgentUriTxId: claimed.body.agentUriArweaveTxId,
      needsAgentUriUpdate: false,
      agentUriTransaction: null,
      pendingMetadata: [],
      approvalTransaction: null,
      agentWallet: offeredAgentWallet(
        service.chain.contracts.identityRegistry,
        claimed.body.erc8004AgentId,
        { owner: owner.address },
        claimed.body.agentWallet.transaction.args[2],
      ),
      soulSalt: matching(/^0x[0-9a-f]{64}$/),
      merkleLeaves: expect.any(Array) as unknown[],
      apiKey: matching(/^svc_live_[0-9A-Za-z]{49}$/),
      agentKeeps: true,
    });

    // The owner, who knows the prompt, computes the same hash without the service.
    const ccsf = offline("plaintext", SECRET_PROMPT, name, "companion", {
      description: "Listens to the weir.",
      withDocument: true,
    });
    expect(soulHash(soulSalt, ccsf)).toBe(sealedHash);
    const tree = buildFieldTree({ ccsf, salt: soulSalt, soulHash: sealedHash });
    expect(claimed.body.merkleLeaves).toEqual(tree.leaves);
    expect(await soulNow(tokenId)).toMatchObject({
      sealer: owner.address,
      status: 2,
      agentType: 1,
      soulHash: sealedHash,
      name,
      soulMerkleRoot: tree.root,
    });

    // The same request gets the same answer, and no other caller gets it.
    expect(await verbs.submitClaim(signed, key)).toMatchObject({
      status: 200,
      body: claimed.body,
    });
    for (const again of [idempotencyKey(), null]) {
      expect(await refused(() => verbs.submitClaim(signed, again))).toEqual({
        status: 409,
        type: "ALREADY_CLAIMED",
        details: { agentName: name },
      });
    }

    expect((await service.get(`/api/v1/register?id=${registered.registrationId}`)).body).toEqual({
      status: "claimed",
      tokenId,
      agentName: name,
      ownerAddress: owner.address,
    });
    expect(
      (await service.get(`/v1/register/claim?id=${registered.registrationId}`)).body,
    ).toMatchObject({ status: "claimed", tokenId, ownerAddress: owner.address, draft: null });

    // The agent's provisional key can still read, until it is exchanged.
    const old = await service.request("/v1/status", { headers: bearer(registered.apiKey) });
    expect(old.status).toBe(200);
    expect(
      (await service.post("/api/v1/auth/verify-key", { apiKey: claimed.body.apiKey })).body,
    ).toMatchObject({ valid: true, agentName: name, tokenId });

    // The agent's webhooks were notified.
    const { rows: hooks } = await service.pool.query(
      "select token_id, epoch from app.webhook where id = $1",
      [webhookId],
    );
    expect(hooks).toEqual([{ token_id: String(tokenId), epoch: 1 }]);
    const { rows: events } = await service.pool.query(
      `select e.data, (select count(*)::int from app.webhook_delivery d where d.event_id = e.id) as notified
       from app.webhook_event e where e.event = 'owner.claimed' and e.data->>'agentName' = $1`,
      [name],
    );
    expect(events).toEqual([
      {
        notified: 1,
        data: {
          tokenId,
          agentName: name,
          registrationId: registered.registrationId,
          ownerAddress: owner.address,
          erc8004AgentId: claimed.body.erc8004AgentId,
          keyStatus: "full",
          genesisStatus: "SEALED",
          txHash: claimed.body.txHash,
          agentKeeps: true,
          exchangeUntil: text,
          claimedAt: text,
        },
      },
    ]);

    // The staged values are published now.
    expect((await service.get(`/v1/profile/${name}`)).body).toMatchObject({
      tokenId,
      genesisStatus: "SEALED",
      soulHash: sealedHash,
      owner: owner.address,
      disclosedFields: {
        "identity.agent_type": { value: "companion", verified: true },
        "identity.description": { value: "Listens to the weir.", verified: true },
      },
      birthBundle: { note: "Born at the weir", creatorName: "Ada", creatorImageUrl: "" },
    });
    const archived = (await service.get(`/ar/${claimed.body.arweaveTxId}`)).body;
    for (const { field, value, merkleProof } of archived.publicFields) {
      expect(verifyFieldProof({ root: tree.root, field, value, merkleProof })).toBe(true);
    }
    const file = (await service.get(`/ar/${claimed.body.newAgentUriTxId}`)).body;
    expect(file).toMatchObject({
      name,
      description: "All ears.",
      image: "https://weir.example/face.png",
      registrations: [{ agentId: claimed.body.erc8004AgentId }],
    });
    const onChain = await service.chain.client.readContract({
      address: service.chain.contracts.identityRegistry,
      abi: identityRegistryAbi,
      functionName: "tokenURI",
      args: [BigInt(claimed.body.erc8004AgentId)],
    });
    expect(onChain).toBe(`ar://${claimed.body.newAgentUriTxId}`);
    expect(contentHash(withoutIds(file))).toMatch(/^0x/);

    // From here on the registration itself reserves the name.
    const { rows: locks } = await service.pool.query(
      "select * from app.name_lock where name = $1",
      [name],
    );
    expect(locks).toEqual([]);
    expect((await verbs.challenge(name)).body).toMatchObject({ nameAvailable: false });
  });
});

/**
 * A soul as its owner builds it offline, from the source and the fields of the registration.
 */
function offline(
  format: string,
  source: string,
  name: string,
  type: string,
  { description, withDocument = false }: { description?: string; withDocument?: boolean } = {},
): Ccsf {
  const ccsf = parseSource(format, source, { name, agent_type: type });
  return normaliseCcsf({
    ...ccsf,
    identity: { ...ccsf.identity, ...(description === undefined ? {} : { description }) },
    soul: {
      ...ccsf.soul,
      documents: withDocument
        ? [{ id: "personality", contentHash: DOCUMENT_HASH, immutable: true }]
        : [],
    },
  });
}
const DOCUMENT_HASH = "0x92e0da7d9e7c148677613d4662e345d0f5b2b9785e93e5ed1fce1c00aa426f7b" as const;

describe("a soul in each format", () => {
  /**
   * Formats that state the name state the agent's, or another spelling of it. A mere title may
   * differ.
   */
  const SOURCES: Record<string, (name: string) => string> = {
    plaintext: () => SECRET_PROMPT,
    soul_md: (name) =>
      `---\nname: ${name.replaceAll("-", " ").toUpperCase()}\n---\n# Weir\n${SECRET_PROMPT}\n`,
    ccsf_yaml: (name) => `identity:\n  name: ${name}\nsoul:\n  purpose: ${SECRET_PROMPT}\n`,
    ccsf_json: (name) =>
      JSON.stringify({
        identity: { name, agent_type: "creative" },
        soul: { purpose: SECRET_PROMPT, constraints: ["Never hum."] },
      }),
    a2a_agent_card: () =>
      JSON.stringify({
        name: "Weir",
        description: SECRET_PROMPT,
        url: "https://weir.example/",
        version: "1",
        capabilities: {},
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [{ id: "hum", name: "Hum", description: "Hums.", tags: [] }],
      }),
    character_json: () =>
      JSON.stringify({ name: "Weir", bio: [SECRET_PROMPT], lore: [], topics: [] }),
  };

  it.each(Object.entries(SOURCES))(
    "%s is the soul that its owner hashes offline",
    async (format, sourceOf) => {
      const name = freshName();
      const source = sourceOf(name);
      const registered = await verbs.registerAgent(name, {
        agentType: "creative",
        sourceFormat: format,
        systemPrompt: source,
      });
      const owner = newAccount();
      const { body } = await verbs.submitClaim(
        await verbs.signedClaim(registered.registrationId, owner),
      );
      const ccsf = offline(format, source, name, "creative");
      expect(fieldValue(ccsf, "identity.agent_type")).toBe("creative");
      expect(soulHash(body.soulSalt, ccsf)).toBe(body.soulHash);
      expect((await soulNow(body.tokenId)).soulHash).toBe(body.soulHash);
    },
  );
});

describe("an owner's edits", () => {
  it("are a new prompt, type and face, sealed with a new salt", async () => {
    const name = freshName();
    const owner = newAccount();
    const registered = await verbs.registerAgent(name, {
      publicFields: ["identity.description"],
      personalityDocument: DOCUMENT,
    });
    const editedData = {
      systemPrompt: EDITED_PROMPT,
      agentType: 3,
      agentDescription: "Counts stars.",

      displayName: "Stella",

      agentAvatarUrl: "https://stars.example/s.png",

      x402Support: true,
      publicIdentity: { tagline: "Bright." },
      birthBundle: { note: "Renamed." },
    };
    const { status, body } = await verbs.submitClaim(
      await verbs.signedClaim(registered.registrationId, owner, { editedData }),
    );
    expect(status).toBe(200);
    const ccsf = offline("plaintext", EDITED_PROMPT, name, "creative", {
      description: "Counts stars.",
      withDocument: true,
    });
    expect(soulHash(body.soulSalt, ccsf)).toBe(body.soulHash);
    expect((await service.get(`/ar/${body.arweaveTxId}`)).body).toMatchObject({
      agentType: "creative",
      publicIdentity: {
        tagline: "Bright.",
        displayName: "Stella",
        x402Support: true,
        image: "https://stars.example/s.png",
        description: "Counts stars.",
      },
      publicFields: [{ field: "identity.description", value: "Counts stars." }],
      birthBundle: { note: "Renamed.", creatorName: "", creatorImageUrl: "" },
    });
    expect((await service.get(`/ar/${body.newAgentUriTxId}`)).body).toMatchObject({
      description: "Bright.",
      image: "https://stars.example/s.png",
      x402Support: true,
    });
  });

  it("are a bio and a display name, beside which everything that the agent declared stays", async () => {
    const name = freshName();
    const registered = await verbs.registerAgent(name, {
      publicIdentity: { tagline: "All ears.", tags: ["river"], modelFamily: "small" },
      agentAvatar: "https://weir.example/face.png",
      services: [
        { type: "A2A", url: "https://weir.example/a2a" },
        { type: "web", url: "https://weir.example/" },
      ],
      birthBundle: { note: "Born at the weir", creatorName: "Ada" },
    });
    const displayName = "Weir <b>& co</b>";
    const editedData = { displayName, publicIdentity: { bio: "Hums.", modelFamily: null } };
    const { status, body } = await verbs.submitClaim(
      await verbs.signedClaim(registered.registrationId, newAccount(), { editedData }),
    );
    expect(status).toBe(200);

    const profile = await service.get(`/v1/profile/${name}`);
    expect(profile.body).toMatchObject({
      displayName,
      avatarUrl: "https://weir.example/face.png",
      birthBundle: { note: "Born at the weir", creatorName: "Ada", creatorImageUrl: "" },
    });
    expect(profile.body.publicIdentity).toEqual({
      bio: "Hums.",
      category: null,
      tags: ["river"],
      modelFamily: null,
      contacts: [],
    });
    const { body: file } = await service.get(`/v1/registration-file/${name}`);
    expect(file).toMatchObject({
      name,
      displayName,
      description: "All ears.",
      image: "https://weir.example/face.png",
    });
    expect(file.services).toEqual(
      expect.arrayContaining([
        { name: "A2A", endpoint: "https://weir.example/a2a" },
        { name: "web", endpoint: "https://weir.example/" },
      ]),
    );
    expect(body.newAgentUriTxId).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const page = await service.get(`/agents/${name}`);
    expect(page.body).toContain("Its owner calls it “");
    expect(page.body).toContain("Weir &lt;b&gt;&amp; co&lt;/b&gt;");
  });

  it("are a whole soul", async () => {
    const name = freshName();
    const registered = await verbs.registerAgent(name);
    const ccsf = {
      identity: { name, agent_type: "creative" },
      soul: { purpose: EDITED_PROMPT },
    };
    const { body } = await verbs.submitClaim(
      await verbs.signedClaim(registered.registrationId, newAccount(), { editedData: { ccsf } }),
    );
    expect(soulHash(body.soulSalt, normaliseCcsf(ccsf))).toBe(body.soulHash);
    expect(await soulNow(body.tokenId)).toMatchObject({ agentType: 3, status: 2 });
  });

  it("leave the soul unsealed when the owner says so", async () => {
    const name = freshName();
    const registered = await verbs.registerAgent(name);
    const { body } = await verbs.submitClaim(
      await verbs.signedClaim(registered.registrationId, newAccount(), { seal: false }),
    );
    expect(body).toMatchObject({ success: true, genesisStatus: "PROVISIONAL" });
    expect(await soulNow(body.tokenId)).toMatchObject({ status: 1 });
    expect((await service.get(`/v1/profile/${name}`)).body).toMatchObject({
      tokenId: body.tokenId,
      genesisStatus: "PROVISIONAL",
    });
  });

  it.each([
    ["agentType", { agentType: 4 }, "identity.agent_type"],
    ["agentDescription", { agentDescription: "Other." }, "identity.description"],
  ])(
    "are refused for %s without the private text, naming the leaf",
    async (edit, editedData, leaf) => {
      const { registrationId } = await verbs.registerAgent(freshName());
      const terms = { registrationId, ownerAddress: newAccount().address, editedData };
      expect(await refused(() => service.post("/v1/typed-data/claim", terms))).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: {
          issues: [
            {
              path: `editedData.${edit}`,
              message: `It changes the leaf ${leaf}: send systemPrompt or ccsf with it`,
            },
          ],
        },
      });
    },
  );

  it.each([
    ["name", { name: "Stella", agent_type: "creative" }, {}, "identity.name"],
    ["type", { agent_type: "creative" }, { agentType: "assistant" }, "identity.agent_type"],
  ])("are refused for a soul with another %s", async (_what, identity, edits, field) => {
    const name = freshName();
    const { registrationId } = await verbs.registerAgent(name);
    const ccsf = { identity: { name, ...identity }, soul: { purpose: EDITED_PROMPT } };
    const editedData = { ccsf, ...edits };
    const terms = { registrationId, ownerAddress: newAccount().address, editedData };
    expect(await refused(() => service.post("/v1/typed-data/claim", terms))).toEqual({
      status: 422,
      type: "HASH_MISMATCH",
      details: { field, expected: field === "identity.name" ? name : "assistant" },
    });
  });

  it("publish only values that the leaves commit to", async () => {
    const { registrationId } = await verbs.registerAgent(freshName());
    const editedData = { publicFields: { "soul.personality": "Another." } };
    const terms = { registrationId, ownerAddress: newAccount().address, editedData };
    expect(await refused(() => service.post("/v1/typed-data/claim", terms))).toMatchObject({
      status: 422,
      type: "HASH_MISMATCH",
      details: { field: "soul.personality" },
    });
  });
});

describe("a claim that differs from its draft", () => {
  const owner = newAccount();
  let registrationId: string;
  beforeAll(async () => {
    ({ registrationId } = await verbs.registerAgent(freshName()));
  });

  it.each<[string, object, string]>([
    ["seal", { seal: false }, "The draft of this nonce says true"],
    [
      "editedData",
      { editedData: { displayName: "Eve" } },
      "These edits differ from those of this nonce's draft",
    ],
    [
      "ownerAddress",
      { ownerAddress: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045" },
      `The draft of this nonce is for ${owner.address}`,
    ],
  ])("is refused for its %s", async (path, change, message) => {
    const signed = await verbs.signedClaim(registrationId, owner);
    expect(await refused(() => verbs.submitClaim({ ...signed, ...change }))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path, message }] },
    });
  });

  it("is refused for a nonce of no draft, or of another registration's draft", async () => {
    const signed = await verbs.signedClaim(registrationId, owner);
    const other = await verbs.registerAgent(freshName());
    for (const change of [{ nonce: "7" }, { registrationId: other.registrationId }]) {
      expect(await refused(() => verbs.submitClaim({ ...signed, ...change }))).toMatchObject({
        status: 401,
        type: "NONCE_EXPIRED",
      });
    }
  });

  it("is refused for a signature over other content, or of another account", async () => {
    const other = `0x${"33".repeat(32)}`;
    for (const message of [{ contentHash: other }, { name: "eve" }, { seal: false }]) {
      const signed = await verbs.signedClaim(registrationId, owner, {}, { message });
      expect(await refused(() => verbs.submitClaim(signed))).toMatchObject({
        status: 401,
        type: "INVALID_SIGNATURE",
      });
    }
    const signed = await verbs.signedClaim(registrationId, newAccount());
    const { signature } = await verbs.signedClaim(registrationId, owner);
    expect(await refused(() => verbs.submitClaim({ ...signed, signature }))).toMatchObject({
      status: 401,
      type: "INVALID_SIGNATURE",
    });
  });

  it("is not found for an unknown registration", async () => {
    const signed = await verbs.signedClaim(registrationId, owner);
    const unknown = { ...signed, registrationId: "AAAAAAAAAAAAAAAAAAAAAA" };
    expect(await refused(() => verbs.submitClaim(unknown))).toMatchObject({ status: 404 });
    const { nonce: _, signature: __, ...terms } = unknown;
    expect(await refused(() => service.post("/v1/typed-data/claim", terms))).toMatchObject({
      status: 404,
    });
  });

  it("leaves the agent claimable, under the former path too", async () => {
    const signed = await verbs.signedClaim(registrationId, owner);
    const claimed = await service.post("/v1/claim", signed);
    expect(claimed.status).toBe(200);
    expect(claimed.headers.get("sunset")).not.toBeNull();
  });
});

describe("of two at once", () => {
  it("one gets the name, by challenge", async () => {
    const name = freshName();
    const challenges = await Promise.all(Array.from({ length: 6 }, () => verbs.challenge(name)));
    expect(challenges.filter(({ body }) => body.nameAvailable)).toHaveLength(1);
    const loser = challenges.find(({ body }) => !body.nameAvailable);
    const step = {
      step: "register",
      agentName: name,
      agentType: 0,
      systemPrompt: SECRET_PROMPT,
      challengeId: loser?.body.challengeId,
      challengeAnswer: answerTo(loser?.body.question),
    };
    expect(await refused(() => service.post("/v1/register", step))).toMatchObject({
      status: 409,
      type: "NAME_TAKEN",
      details: { name },
    });
  });

  it("one registers with the challenge, and its answer is repeated for the same key", async () => {
    const name = freshName();
    const body = await verbs.answered(name);
    const key = idempotencyKey();
    const answers = await Promise.all([
      service.post("/v1/register", body, { "Idempotency-Key": key }),
      service.post("/v1/register", body),
      service.post("/v1/register", body),
    ]);
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 201)) {
      expect(refusal(lost)).toMatchObject({ status: 401, type: "NONCE_USED" });
    }
    const again = await service.post("/v1/register", body, { "Idempotency-Key": key });
    if (answers[0]?.status === 201) expect(again).toMatchObject({ body: answers[0].body });
    else expect(refusal(again)).toMatchObject({ status: 401, type: "NONCE_USED" });
  });

  it("one owner claims", async () => {
    const { registrationId } = await verbs.registerAgent(freshName());
    const owners = [newAccount(), newAccount(), newAccount()];
    const signed = await Promise.all(
      owners.map((owner) => verbs.signedClaim(registrationId, owner)),
    );
    const answers = await Promise.all(signed.map((claim) => verbs.submitClaim(claim)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(lost)).toMatchObject({ status: 409, type: "ALREADY_CLAIMED" });
    }
    const soul = await soulNow(won[0]?.body.tokenId);
    expect(soul.sealer).toBe(won[0]?.body.ownerAddress);
  });

  it("an owner's own registration and an agent's share one set of names", async () => {
    const name = freshName();
    const owner = newAccount();
    const body = registrationBody(name, owner);
    const signed = await service.signedRegistration(body, owner);
    await verbs.registerAgent(name);
    for (const request of [
      () => service.submit(signed),
      () => service.post("/v1/typed-data/register", body),
    ]) {
      expect(await refused(request)).toMatchObject({
        status: 409,
        type: "NAME_TAKEN",
        details: { name },
      });
    }
  });
});

describe("an answer to a challenge", () => {
  it("that is wrong leaves the challenge open for the right answer", async () => {
    const body = await verbs.answered(freshName());
    for (const challengeAnswer of ["0".repeat(64), `0x${body.challengeAnswer}`, "", "é"]) {
      expect(
        await refused(() => service.post("/v1/register", { ...body, challengeAnswer })),
      ).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: {
          issues: [
            {
              path: "challengeAnswer",
              message: "Not the SHA-256 hex digest that the challenge asks for",
            },
          ],
        },
      });
    }
    const upper = body.challengeAnswer.toUpperCase();
    const right = await service.post("/v1/register", { ...body, challengeAnswer: upper });
    expect(right.status).toBe(201);
  });

  it("is valid for the requested name only", async () => {
    const body = await verbs.answered(freshName());
    expect(
      await refused(() => service.post("/v1/register", { ...body, agentName: freshName() })),
    ).toMatchObject({ status: 400, details: { issues: [{ path: "agentName" }] } });
    const challengeId = "5b6f8a52-0000-4000-8000-000000000001";
    expect(
      await refused(() => service.post("/v1/register", { ...body, challengeId })),
    ).toMatchObject({ status: 401, type: "NONCE_EXPIRED" });
  });

  const URL = "https://weir.example/";
  const URL2 = "https://other.example/";
  it.each<[string, object, string]>([
    ["an invalid step", { step: "claim" }, "step"],
    ["an unknown field", { salt: "0x" }, "salt"],
    ["an unknown format", { sourceFormat: "prose" }, "sourceFormat"],
    ["a text that is not of its format", { sourceFormat: "ccsf_json" }, "systemPrompt"],
    ["another chain's passport", { erc8004ChainId: 1 }, "erc8004ChainId"],
    ["a field of no soul", { publicFields: ["soul.secret"] }, "publicFields.0"],
    ["a managed service", { services: [{ type: "Did", url: URL }] }, "services.0.type"],
    [
      "two addresses of a service",
      {
        publicIdentity: { serviceEndpoints: { mcp: URL } },
        services: [{ type: "MCP", url: URL2 }],
      },
      "services.0.type",
    ],
    [
      "two websites",
      { publicIdentity: { website: URL }, services: [{ type: "web", url: URL2 }] },
      "services.0.type",
    ],
    ["two pictures", { publicIdentity: { image: URL }, agentAvatar: URL2 }, "agentAvatar"],
  ])("with %s is refused", async (_what, change, path) => {
    const body = await verbs.answered(freshName());
    const refusalOf = await refused(() => service.post("/v1/register", { ...body, ...change }));
    expect(refusalOf).toMatchObject({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path }] },
    });
  });
});

describe("a text that an agent registers with", () => {
  const ccsf = (identity: object) => ({
    sourceFormat: "ccsf_json",
    systemPrompt: JSON.stringify({ identity, soul: { purpose: SECRET_PROMPT } }),
  });

  it("is refused when it states another name, and registers with the right one", async () => {
    const name = freshName();
    const body = await verbs.answered(name);
    for (const stated of ["Stella", `${name}-2`, `the ${name}`]) {
      const other = { ...body, ...ccsf({ name: stated }) };
      const answer = await service.post("/v1/register", other);
      expect(refusal(answer)).toEqual({
        status: 422,
        type: "HASH_MISMATCH",
        details: { field: "identity.name", expected: name },
      });
      expect(answer.body.error.message).toBe(
        "systemPrompt states another identity.name than agentName. Send the same in both, or leave it out of the text.",
      );
    }
    const front = {
      sourceFormat: "soul_md",
      systemPrompt: `---\nname: Stella\n---\n${SECRET_PROMPT}`,
    };
    expect(await refused(() => service.post("/v1/register", { ...body, ...front }))).toMatchObject({
      status: 422,
      type: "HASH_MISMATCH",
    });

    const right = await service.post("/v1/register", { ...body, ...ccsf({ name }) });
    expect(right.status).toBe(201);
  });

  it("is refused when it states another type", async () => {
    const name = freshName();
    const body = await verbs.answered(name, ccsf({ name, agent_type: "other" }));
    expect(await refused(() => service.post("/v1/register", body))).toEqual({
      status: 422,
      type: "HASH_MISMATCH",
      details: { field: "identity.agent_type", expected: "specialist" },
    });
  });
});

describe("a private text", () => {
  it("is in no table, item or log line, before or after the claim", async () => {
    const stored = await everythingStored(service.pool);
    // Control: the search finds known values.
    expect(stored).toContain("Listens to the weir.");
    expect(stored).toContain("Counts stars.");
    for (const secret of [SECRET_PROMPT, EDITED_PROMPT]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(secret.slice(0, 24));
      expect((await service.logLines()).join("\n")).not.toContain(secret.slice(0, 24));
    }
  });
});
