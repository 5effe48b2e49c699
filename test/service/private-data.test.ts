import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { OWNED_ROWS, PUBLISHED } from "../../api/features/private-data/inventory.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { bearer, ownerSession } from "../fixtures/agents.ts";
import { type OwnedAgent, ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// What an owner exports and deletes, over HTTP: real contracts, the real index, real Postgres.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
beforeAll(async () => {
  service = await sharedService();
  world = ownerSigned(service);
});
afterAll(() => service?.stop());

const SOON = { timeout: 30_000, interval: 100 };
const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as string;
const refused = ({ status, body }: Answer) => [status, body.error?.type];

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const signedExport = (account: LocalAccount, change = {}) =>
  world.signed("private-data-export", { accountAddress: account.address }, account, change);
const signedDeletion = (account: LocalAccount, salts: "keep" | "delete", key = account) =>
  world.signed("private-data-deletion", { accountAddress: account.address, salts }, key);
const sendExport = (body: object) => world.send("POST", "/v1/private-data/export", body);
const sendDeletion = (body: object, headers = {}) =>
  world.send("POST", "/v1/private-data/deletion", body, headers);

/** The rows of an account, by kind. */
async function exported(account: LocalAccount): Promise<Rows> {
  const answer = await sendExport(await signedExport(account));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toMatchObject({ exportedAt: TIME, published: PUBLISHED });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return Object.fromEntries(
    (answer.body.data as { name: string; rows: never[] }[]).map(({ name, rows }) => [name, rows]),
  );
}

async function deleted(account: LocalAccount, salts: "keep" | "delete"): Promise<Answer> {
  const answer = await sendDeletion(await signedDeletion(account, salts));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
}

/** An agent of which the service stores something of most kinds. */
async function busyAgent(owner = newAccount()) {
  const agent = await world.newAgent(owner);
  const { tokenId, apiKey } = agent;
  const session = (await ownerSession(service, owner)).accessToken;
  const webhook = {
    tokenId,
    url: "https://93.184.216.34/hook",
    events: ["disclosure.requested"],
    notifyEmail: "owner@example.com",
  };
  const policy = { name: "Ask me", rules: [] };
  const request = {
    tokenId,
    category: "certification",
    data: { title: "Ringer", changeType: "licence_granted" },
    description: "Please sign this licence.",
  };
  const answers = [
    await service.post("/v1/webhooks", webhook, bearer(apiKey)),
    await service.post("/v1/disclose/policy", { tokenId, policy }, bearer(session)),
    await service.post("/v1/chronicle/request", request, bearer(apiKey)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  return { ...agent, session };
}

const statusWith = async (credential: string) =>
  (await service.request("/v1/status", { headers: bearer(credential) })).status;

/** How many rows of each kind an export has. */
const counts = (rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, list.length]));

async function askFor(target: OwnedAgent, requester: OwnedAgent): Promise<string> {
  const { status, body } = await service.post(
    "/v1/disclose/request",
    {
      requesterTokenId: requester.tokenId,
      targetAgentName: target.name,
      requestedFields: ["soul.purpose"],
      reason: "To compare notes.",
    },
    bearer(requester.apiKey),
  );
  expect(status, JSON.stringify(body)).toBe(202);
  return body.requestId as string;
}

/** Sells the agent, and seals it again for the buyer. */
async function resealedBy(buyer: LocalAccount, agent: OwnedAgent): Promise<string> {
  await service.chain.fund(buyer.address);
  await service.chain.transferPassport(agent.passportId, agent.owner, buyer.address);
  const soul = registrationBody(agent.name, buyer);
  const wish = {
    tokenId: agent.tokenId,
    newSoulHash: soul.soulHash,
    newSoulSalt: soul.soulSalt,
    newSoulMerkleRoot: soul.soulMerkleRoot,
    merkleLeaves: soul.merkleLeaves,
    publicFields: soul.publicFields,
  };
  const answer = await vi.waitFor(async () => {
    await service.chain.client.mine({ blocks: 1 });
    const signed = await world.signed("reseal", wish, buyer);
    const sent = await world.send("POST", `/v1/reseal/${agent.tokenId}`, signed);
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    return sent;
  }, SOON);
  return answer.body.apiKey as string;
}

describe("POST /v1/private-data/export", () => {
  it("shows the account's rows, with the salts of its souls, and no row of another account", async () => {
    const agent = await busyAgent();
    const stranger = await busyAgent();
    await askFor(agent, stranger);
    const rows = await exported(agent.owner);
    expect(counts(rows)).toMatchObject({
      sessions: 1,
      apiKeys: 1,
      webhooks: 1,
      disclosurePolicies: 1,
      chronicleRequests: 1,
      disclosureRequestsReceived: 1,
      disclosureRequestsSent: 0,
      souls: 1,
      registrations: 1,
    });
    expect(rows.souls).toEqual([
      { tokenId: agent.tokenId, epoch: 1, soulHash: agent.soulHash, salt: expect.any(String) },
    ]);
    const { body: found } = await service.get(`/v1/profile/${agent.name}`);
    expect(rows.souls?.[0]?.soulHash).toBe(found.soulHash);
    expect(rows.webhooks?.[0]).toMatchObject({
      tokenId: agent.tokenId,
      url: "https://93.184.216.34/hook",
      notifyEmail: "owner@example.com",
      createdAt: TIME,
    });
    expect(rows.chronicleRequests?.[0]?.description).toBe("Please sign this licence.");
    const text = JSON.stringify(rows);
    expect(text).not.toContain(stranger.owner.address);
    expect(Object.keys(rows)).toEqual(OWNED_ROWS.map(({ name }) => name));
  });

  it("exports the salt that the soul was hashed with", async () => {
    const owner = newAccount();
    const { body } = await service.register(freshName(), owner);
    const { souls } = await exported(owner);
    expect(souls).toMatchObject([{ soulHash: body.soulHash, salt: body.soulSalt }]);
  });

  it("refuses another account's signature, and one that was used", async () => {
    const owner = newAccount();
    const other = newAccount();
    const body = { accountAddress: owner.address };
    const foreign = await world.signed("private-data-export", body, other);
    expect(refused(await sendExport(foreign))).toEqual([403, "NOT_OWNER"]);
    expect(refused(await sendExport({ ...foreign, signer: owner.address }))).toEqual([
      401,
      "INVALID_SIGNATURE",
    ]);
    const signed = await signedExport(owner);
    expect((await sendExport(signed)).status).toBe(200);
    expect(refused(await sendExport(signed))).toEqual([401, "NONCE_USED"]);
    const elsewhere = await signedExport(owner, { account: other.address });
    expect(refused(await sendExport(elsewhere))).toEqual([400, "INVALID_REQUEST"]);
  });

  it("shows the seller the epochs before a sale, and the buyer those after it", async () => {
    const agent = await busyAgent();
    const buyer = newAccount();
    await resealedBy(buyer, agent);
    const [sellers, buyers] = [await exported(agent.owner), await exported(buyer)];
    const epochs = (rows: Rows, name: string) => rows[name]?.map(({ epoch }) => epoch);
    expect(epochs(sellers, "souls")).toEqual([1]);
    expect(epochs(buyers, "souls")).toEqual([2]);
    expect(epochs(sellers, "apiKeys")).toEqual([1]);
    expect(epochs(buyers, "apiKeys")).toEqual([2]);
    expect(counts(buyers)).toMatchObject({ webhooks: 0, disclosurePolicies: 0 });
  });
});

describe("pages that publish", () => {
  const FOR_EVER = "What you publish is on chain and on permanent storage for ever.";

  it("say before a claim, a record and a founding that it cannot be deleted", async () => {
    const agent = await world.newAgent();
    const asked = await service.post(
      "/v1/chronicle/request",
      {
        tokenId: agent.tokenId,
        category: "certification",
        data: { title: "Ringer", changeType: "licence_granted" },
      },
      bearer(agent.apiKey),
    );
    const { registrationId } = await agentVerbs(service).registerAgent(freshName());
    const pages = [
      new URL(asked.body.signUrl).pathname,
      `/claim/${registrationId}`,
      "/organizations",
    ];
    for (const page of pages) {
      const { status, body } = await service.get(page);
      expect([status, body.includes(FOR_EVER)], page).toEqual([200, true]);
    }
  });
});

describe("POST /v1/private-data/deletion", () => {
  it("ends what acts for the account's agents, deletes its rows, and leaves other accounts alone", async () => {
    const agent = await busyAgent();
    const stranger = await busyAgent();
    const asked = await askFor(agent, stranger);
    const sent = await askFor(stranger, agent);
    const before = await exported(stranger.owner);

    const { body } = await deleted(agent.owner, "keep");
    expect(body).toEqual({
      accountAddress: agent.owner.address,
      deletedAt: TIME,
      deleted: OWNED_ROWS.filter(({ deletion }) => deletion.kind === "deleted").map(
        ({ name }) => name,
      ),
      kept: OWNED_ROWS.flatMap(({ name, deletion }) =>
        deletion.kind === "deleted" ? [] : [{ name, why: deletion.why }],
      ),
      published: PUBLISHED,
    });
    expect(await statusWith(agent.apiKey)).toBe(401);
    expect(await statusWith(agent.session)).toBe(401);
    expect([await statusWith(stranger.apiKey), await statusWith(stranger.session)]).toEqual([
      200, 200,
    ]);

    const left = await exported(agent.owner);
    for (const name of body.deleted) expect(left[name], name).toEqual([]);
    expect(counts(left)).toMatchObject({ souls: 1, disclosureRequestsSent: 1, registrations: 1 });
    expect(left.disclosureRequestsSent?.[0]).toMatchObject({
      id: sent,
      reason: "",
      state: "cancelled",
    });
    const after = await exported(stranger.owner);
    expect(before.disclosureRequestsSent?.map(({ id }) => id)).toEqual([asked]);
    expect(after.disclosureRequestsSent).toEqual([]);
    for (const name of ["apiKeys", "webhooks", "sessions", "souls", "disclosurePolicies"]) {
      expect(after[name], name).toEqual(before[name]);
    }
    const { body: validity } = await service.get(`/v1/soul-validity/${agent.tokenId}`);
    expect(validity).toMatchObject({ valid: true });
  });

  it("deletes salts only when the account signed that", async () => {
    const owner = newAccount();
    await world.newAgent(owner);
    const signed = await signedDeletion(owner, "keep");
    expect(refused(await sendDeletion({ ...signed, salts: "delete" }))).toEqual([
      400,
      "INVALID_REQUEST",
    ]);
    expect((await exported(owner)).souls).toHaveLength(1);
    const { body } = await deleted(owner, "delete");
    expect(body.deleted).toContain("souls");
    expect(body.kept).not.toContainEqual(expect.objectContaining({ name: "souls" }));
    expect((await exported(owner)).souls).toEqual([]);
  });

  it("answers the same signature again, and deletes nothing that came later", async () => {
    const { owner, tokenId } = await busyAgent();
    const signed = await signedDeletion(owner, "keep");
    const [first, second] = await Promise.all([sendDeletion(signed), sendDeletion(signed)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    const session = (await ownerSession(service, owner)).accessToken;
    const { body } = await service.post("/v1/keys/rotate", { tokenId }, bearer(session));
    expect((await sendDeletion(signed)).body).toEqual(first.body);
    expect(await statusWith(body.apiKey)).toBe(200);
  });

  it("refuses another account's signature, and deletes nothing", async () => {
    const agent = await busyAgent();
    const foreign = await signedDeletion(agent.owner, "delete", newAccount());
    expect(refused(await sendDeletion(foreign))).toEqual([403, "NOT_OWNER"]);
    expect(await statusWith(agent.apiKey)).toBe(200);
    expect((await exported(agent.owner)).souls).toHaveLength(1);
  });

  it("leaves the buyer's keys and webhooks when the seller deletes its data", async () => {
    const agent = await busyAgent();
    const buyer = newAccount();
    const key = await resealedBy(buyer, agent);
    expect(await statusWith(key)).toBe(200);
    const before = await exported(buyer);
    await deleted(agent.owner, "delete");
    expect(await statusWith(key)).toBe(200);
    const after = await exported(buyer);
    for (const name of ["apiKeys", "souls", "registrations", "webhooks"]) {
      expect(after[name], name).toEqual(before[name]);
    }
    expect((await exported(agent.owner)).souls).toEqual([]);
  });
});
