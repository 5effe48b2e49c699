import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../api/features.ts";
import type { OperationTable } from "../../api/platform/http/operations.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { TERMS } from "../fixtures/audits.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// After a burn or a sale, every operation of the OpenAPI document that changes an agent refuses this one.

let service: Service;
let burned: AgentWithIds;
let sold: AgentWithIds;
let partner: TestAgent;
let session: string;
let organizationId: number;
let documented: readonly Documented[];

interface Documented {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

interface AgentWithIds extends TestAgent {
  readonly webhookId: string;
  readonly bindingId: string;
  readonly keyId: string;
}

/** An agent with a webhook, a binding and a key, whose ids paths name. */
async function agentWithIds(): Promise<AgentWithIds> {
  const agent = await newAgent(service);
  const { tokenId, apiKey } = agent;
  const url = "https://93.184.216.34/hook";
  const hook = await service.post(
    "/v1/webhooks",
    { tokenId, url, events: ["owner.claimed"] },
    bearer(apiKey),
  );
  const bound = await service.post("/v1/binding", binding(agent), bearer(apiKey));
  const keys = await service.pool.query("select id from app.api_key where token_id = $1", [
    tokenId,
  ]);
  const { webhookId } = hook.body;
  return { ...agent, webhookId, bindingId: bound.body.bindingId, keyId: keys.rows[0].id };
}

beforeAll(async () => {
  service = await sharedService();
  const verbs = ownerSigned(service);
  partner = await newAgent(service);
  [burned, sold] = [await agentWithIds(), await agentWithIds()];
  const { tokenId, owner } = burned;
  const wish = { tokenId, reason: "Its work is done." };
  const { tokenId: _id, ...body } = await verbs.signed("burn", wish, owner);
  const answer = await service.post(`/v1/burn/${tokenId}`, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  ({ accessToken: session } = await ownerSession(service, owner));
  organizationId = await organizationVerbs(service).found(owner);
  documented = await readDocument();
});
afterAll(() => service?.stop());

async function readDocument(): Promise<Documented[]> {
  const { body } = await service.get("/v1/openapi.json");
  const paths = body.paths as Record<string, Record<string, { operationId?: string }>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId = "" }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
    })),
  );
}

const binding = ({ tokenId }: TestAgent) => ({
  tokenId,
  partnerTokenId: partner.tokenId,
  trustLevel: "limited",
  context: "",
});
const CONTENT_HASH = `0x${"ab".repeat(32)}`;
const chronicle = ({ tokenId }: TestAgent) => ({
  tokenId,
  category: "achievement",
  data: { title: "Still here" },
});
const did = ({ tokenId }: TestAgent) => ({
  tokenId,
  addAddress: {
    chain: "eip155:1",
    address: newAccount().address,
    label: "Tips",
    keyType: "EcdsaSecp256k1",
  },
});
const soul = ({ name, owner, tokenId }: TestAgent) => {
  const body = registrationBody(name, owner);
  return {
    tokenId,
    newSoulHash: body.soulHash,
    newSoulSalt: body.soulSalt,
    newSoulMerkleRoot: body.soulMerkleRoot,
    merkleLeaves: body.merkleLeaves,
  };
};
const token = ({ tokenId }: TestAgent) => ({ tokenId });

/** A valid body of each operation, about an agent. */
const BODIES: Readonly<Record<string, (agent: TestAgent) => object | undefined>> = {
  createWebhook: (agent) => ({
    ...token(agent),
    url: "https://93.184.216.34/hook",
    events: ["owner.claimed"],
  }),
  updateWebhook: () => ({ enabled: false }),
  deleteWebhook: () => undefined,
  rotateWebhook: () => ({ graceSeconds: 0 }),
  testWebhook: () => undefined,
  recoverWebhook: () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
  resendWebhookDelivery: () => undefined,
  rotateKeys: token,
  revokeKey: () => undefined,
  recordChronicle: chronicle,
  requestChronicle: chronicle,
  prepareChronicle: chronicle,
  requestDocumentUpload: (agent) => ({
    ...token(agent),
    documentId: "manifesto",
    contentHash: CONTENT_HASH,
  }),
  putPublicIdentity: (agent) => ({ ...token(agent), publicIdentity: { bio: "Counts." } }),
  putDisplaySettings: () => ({ displaySettings: { showWalletBalances: true } }),
  validateAgent: () => ({}),
  prepareValidation: token,
  discloseFields: (agent) => ({
    ...token(agent),
    disclosures: [{ field: "soul.purpose", value: "Anything." }],
  }),
  revokeDisclosure: (agent) => ({ ...token(agent), disclosureId: randomUUID() }),
  requestDisclosure: (agent) => ({
    requesterTokenId: agent.tokenId,
    targetAgentName: partner.name,
    requestedFields: ["soul.purpose"],
    reason: "Once more.",
  }),
  fulfilDisclosureRequest: (agent) => ({ ...token(agent), deniedFields: ["soul.purpose"] }),
  confirmDisclosureDelivery: (agent) => ({ ...token(agent), deniedFields: ["soul.purpose"] }),
  setDisclosurePolicy: (agent) => ({ ...token(agent), policy: { name: "None", rules: [] } }),
  endDisclosurePolicy: token,
  prepareRegulatoryAudit: (agent) => ({ ...token(agent), ...TERMS }),
  requestSnapshot: token,
  createBinding: binding,
  updateBinding: (agent) => ({ ...token(agent), trustLevel: "revoked" }),
  prepareBinding: binding,
  prepareSeal: token,
  prepareRegistrationFile: (agent) => ({ ...token(agent), services: [] }),
  prepareDidUpdate: did,
  prepareAgentKeySet: (agent) => ({ ...token(agent), keys: [] }),
  prepareReseal: soul,
  prepareRelease: token,
  prepareSuspend: token,
  prepareAllowance: (agent) => ({ ...token(agent), perTransaction: 1, dailyLimit: 1 }),
  prepareAllowanceEnd: token,
  prepareBurn: (agent) => ({ ...token(agent), reason: "Again." }),
  stopAgent: token,
  prepareEmergencyStop: token,
  prepareMembership: (agent) => ({ ...token(agent), organizationId, role: "owner" }),
};

/** What begins without a living agent. */
const ABOUT_NO_LIVING_AGENT: ReadonlySet<string> = new Set([
  ...["prepareRegistration", "prepareClaim", "prepareReincarnation"],
  // Of a passport, which carries no soul any more.
  "prepareAgentUri",
  // Of the caller's account.
  ...["endSession", "signOut"],
  // A burn ended the membership.
  "prepareMembershipEnd",
  // Of an organization and its admins.
  ...["prepareOrganization", "prepareAdminChange", "prepareAdminAcceptance", "endInvitation"],
  ...["prepareInvitationList", "prepareInvitationEnd"],
  // Of an account, which may have no living agent.
  ...["preparePrivateDataExport", "preparePrivateDataDeletion"],
  ...["prepareBatchRegistration", "prepareOrganizationAudit"],
]);

const table: OperationTable = operations;

/**
 * Operations that change an agent by a key, a session or both, and the preparation of what owners
 * sign: the signed operations read the agent in the same way.
 */
const writes = () =>
  documented.filter(({ operationId, path }) => {
    const rules = table[operationId];
    if (rules === undefined || ABOUT_NO_LIVING_AGENT.has(operationId)) return false;
    if (path.startsWith("/v1/typed-data/")) return true;
    const byCredential = ["any-key", "agent", "session"].concat([
      "agent-or-signature",
      "session-or-signature",
    ]);
    return rules.effect === "writes" && byCredential.includes(rules.access);
  });

/** The operations that a key acts by. */
const writesByKey = () =>
  writes().filter(({ operationId }) =>
    ["any-key", "agent", "agent-or-signature"].includes(table[operationId]?.access ?? ""),
  );

const filled = (path: string, agent: AgentWithIds) =>
  path
    .replace("{tokenId}", String(agent.tokenId))
    .replace("{name}", agent.name)
    .replace("{webhookId}", agent.webhookId)
    .replace("{bindingId}", agent.bindingId)
    .replace("{keyId}", agent.keyId)
    .replaceAll(/\{\w+\}/g, () => randomUUID());

/** How each operation answers when it is asked to change an agent. */
async function answersTo(
  operations: readonly Documented[],
  agent: AgentWithIds,
  credential: string,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const { operationId, method, path } of operations) {
    const body = BODIES[operationId]?.(agent);
    const headers: Record<string, string> = {
      ...bearer(credential),
      "Idempotency-Key": idempotencyKey(),
    };
    if (body !== undefined) headers["content-type"] = "application/json";
    const answer = await service.request(filled(path, agent), {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    answers[operationId] =
      answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.body.error.type}`;
  }
  return answers;
}

const everyOne = (answers: Readonly<Record<string, string>>, answer: string) =>
  Object.fromEntries(Object.keys(answers).map((operationId) => [operationId, answer]));

/**
 * From now on the index keeps what it has of this passport: its indexer waits for the row.
 *
 * @returns what lets it go on.
 */
async function holdIndexBack({ passportId }: TestAgent): Promise<() => Promise<void>> {
  const client = await service.pool.connect();
  const { rows } = await client.query(
    `select table_schema as schema from information_schema.view_table_usage
      where view_schema = 'chain' and table_name = 'passport'`,
  );
  await client.query("begin");
  await client.query(`select from "${rows[0].schema}".passport where id = $1 for update`, [
    passportId,
  ]);
  return async () => {
    await client.query("rollback");
    client.release();
  };
}

describe("a burned agent", () => {
  it("is refused by every operation that would change it", async () => {
    const answers = await answersTo(writes(), burned, session);
    expect(answers).toEqual(everyOne(answers, "409 BURNED"));
    expect(Object.keys(answers).length).toBeGreaterThan(20);
  });

  it("is read as before, and its former key does nothing", async () => {
    for (const path of ["profile", "verify", "binding", "chronicle", "soul-documents"]) {
      expect((await service.get(`/v1/${path}/${burned.name}`)).status, path).toBe(200);
    }
    const answer = await service.post("/v1/chronicle", chronicle(burned), bearer(burned.apiKey));
    expect(["UNAUTHORIZED", "BURNED"]).toContain(refusal(answer).type);
  });
});

describe("an agent whose passport was sold, before the index has seen it", () => {
  it("is refused by every operation that its key would change it by", async () => {
    const { tokenId, passportId, owner, apiKey } = sold;
    const letGo = await holdIndexBack(sold);
    try {
      await service.chain.fund(owner.address);
      const buyer = newAccount().address;
      await service.chain.transferPassport(BigInt(passportId), owner, buyer);
      const profile = await service.get(`/v1/profile/${sold.name}`);
      expect(profile.body).toMatchObject({ tokenId, owner: owner.address });

      const answers = await answersTo(writesByKey(), sold, apiKey);
      expect(answers).toEqual(everyOne(answers, "409 SUSPENDED"));
      expect(Object.keys(answers).length).toBeGreaterThan(20);
      const { rows } = await service.pool.query("select id from app.webhook where token_id = $1", [
        tokenId,
      ]);
      expect(rows).toEqual([{ id: sold.webhookId }]);
    } finally {
      await letGo();
    }
  });
});
