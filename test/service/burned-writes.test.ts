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

// After a burn, every operation of the OpenAPI document that changes an agent refuses this one.

let service: Service;
let burned: TestAgent;
let partner: TestAgent;
let session: string;
let webhookId: string;
let bindingId: string;
let organizationId: number;
let keyId: string;
let documented: readonly Documented[];

interface Documented {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

beforeAll(async () => {
  service = await sharedService();
  const verbs = ownerSigned(service);
  [burned, partner] = [await newAgent(service), await newAgent(service)];
  const { tokenId, apiKey, owner } = burned;
  const url = "https://93.184.216.34/hook";
  const hook = await service.post(
    "/v1/webhooks",
    { tokenId, url, events: ["owner.claimed"] },
    bearer(apiKey),
  );
  webhookId = hook.body.webhookId;
  const bound = await service.post("/v1/binding", binding(), bearer(apiKey));
  bindingId = bound.body.bindingId;
  const keys = await service.pool.query("select id from app.api_key where token_id = $1", [
    tokenId,
  ]);
  keyId = keys.rows[0].id;
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

const binding = () => ({
  tokenId: burned.tokenId,
  partnerTokenId: partner.tokenId,
  trustLevel: "limited",
  context: "",
});
const CONTENT_HASH = `0x${"ab".repeat(32)}`;
const chronicle = () => ({
  tokenId: burned.tokenId,
  category: "achievement",
  data: { title: "Still here" },
});
const did = () => ({
  tokenId: burned.tokenId,
  addAddress: {
    chain: "eip155:1",
    address: newAccount().address,
    label: "Tips",
    keyType: "EcdsaSecp256k1",
  },
});
const soul = () => {
  const body = registrationBody(burned.name, burned.owner);
  return {
    tokenId: burned.tokenId,
    newSoulHash: body.soulHash,
    newSoulSalt: body.soulSalt,
    newSoulMerkleRoot: body.soulMerkleRoot,
    merkleLeaves: body.merkleLeaves,
  };
};
const token = () => ({ tokenId: burned.tokenId });

/** A valid body of each operation, about the burned agent. */
const BODIES: Readonly<Record<string, () => object | undefined>> = {
  createWebhook: () => ({
    ...token(),
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
  requestDocumentUpload: () => ({
    ...token(),
    documentId: "manifesto",
    contentHash: CONTENT_HASH,
  }),
  putPublicIdentity: () => ({ ...token(), publicIdentity: { bio: "Counts." } }),
  putDisplaySettings: () => ({ displaySettings: { showWalletBalances: true } }),
  validateAgent: () => ({}),
  prepareValidation: token,
  discloseFields: () => ({
    ...token(),
    disclosures: [{ field: "soul.purpose", value: "Anything." }],
  }),
  revokeDisclosure: () => ({ ...token(), disclosureId: randomUUID() }),
  requestDisclosure: () => ({
    requesterTokenId: burned.tokenId,
    targetAgentName: partner.name,
    requestedFields: ["soul.purpose"],
    reason: "Once more.",
  }),
  fulfilDisclosureRequest: () => ({ ...token(), deniedFields: ["soul.purpose"] }),
  confirmDisclosureDelivery: () => ({ ...token(), deniedFields: ["soul.purpose"] }),
  setDisclosurePolicy: () => ({ ...token(), policy: { name: "None", rules: [] } }),
  endDisclosurePolicy: token,
  prepareRegulatoryAudit: () => ({ ...token(), ...TERMS }),
  requestSnapshot: token,
  createBinding: binding,
  updateBinding: () => ({ ...token(), trustLevel: "revoked" }),
  prepareBinding: binding,
  prepareSeal: token,
  prepareRegistrationFile: () => ({ ...token(), services: [] }),
  prepareDidUpdate: did,
  prepareAgentKeySet: () => ({ ...token(), keys: [] }),
  prepareReseal: soul,
  prepareRelease: token,
  prepareAllowance: () => ({ ...token(), perTransaction: 1, dailyLimit: 1 }),
  prepareAllowanceEnd: token,
  prepareBurn: () => ({ ...token(), reason: "Again." }),
  stopAgent: token,
  prepareEmergencyStop: token,
  prepareMembership: () => ({ ...token(), organizationId, role: "owner" }),
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

const filled = (path: string) =>
  path
    .replace("{tokenId}", String(burned.tokenId))
    .replace("{name}", burned.name)
    .replace("{webhookId}", webhookId)
    .replace("{bindingId}", bindingId)
    .replace("{keyId}", keyId)
    .replaceAll(/\{\w+\}/g, () => randomUUID());

describe("a burned agent", () => {
  it("is refused by every operation that would change it", async () => {
    const answers: Record<string, string> = {};
    for (const { operationId, method, path } of writes()) {
      const body = BODIES[operationId]?.();
      const headers: Record<string, string> = {
        ...bearer(session),
        "Idempotency-Key": idempotencyKey(),
      };
      if (body !== undefined) headers["content-type"] = "application/json";
      const answer = await service.request(filled(path), {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      });
      answers[operationId] =
        answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.body.error.type}`;
    }
    const expected = Object.fromEntries(
      Object.keys(answers).map((operationId) => [operationId, "409 BURNED"]),
    );
    expect(answers).toEqual(expected);
    expect(Object.keys(answers).length).toBeGreaterThan(20);
  });

  it("is read as before, and its former key does nothing", async () => {
    for (const path of ["profile", "verify", "binding", "chronicle", "soul-documents"]) {
      expect((await service.get(`/v1/${path}/${burned.name}`)).status, path).toBe(200);
    }
    const answer = await service.post("/v1/chronicle", chronicle(), bearer(burned.apiKey));
    expect(["UNAUTHORIZED", "BURNED"]).toContain(refusal(answer).type);
  });
});
