import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { operations } from "../../api/features.ts";
import type { AccessRule } from "../../api/kernel/access.ts";
import type { OperationTable } from "../../api/platform/http/operations.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import {
  bearer,
  newAgent,
  ownerSession,
  signedInOwner,
  type TestAgent,
} from "../fixtures/agents.ts";
import { freshName, idempotencyKey, PRIVATE_TEXT } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// The rights of sign-in tokens, for every operation that is not public, on the running API.

let service: Service;
/** Two agents of one owner, and one of another. */
let agent: TestAgent;
let sibling: TestAgent;
let stranger: TestAgent;
let webhookId: string;
let bindingId: string;
/** The key that `agent` was registered with. */
let keyId: string;
let tokens: Readonly<Record<TokenName, string>>;

type TokenName = "identity" | "elsewhere" | "bound" | "boundToSibling" | "account" | "stranger";

beforeAll(async () => {
  service = await sharedService();
  documented = await readDocument();
  agent = await newAgent(service);
  const { owner } = agent;
  const { body } = (await service.register(freshName(), owner)).answer;
  sibling = {
    owner,
    name: body.agentName,
    tokenId: body.tokenId,
    passportId: body.erc8004AgentId,
    apiKey: body.apiKey,
  };
  stranger = await newAgent(service);
  const created = await service.post("/v1/webhooks", webhookFor(agent), bearer(agent.apiKey));
  expect(created.status).toBe(201);
  webhookId = created.body.webhookId;
  const keys = await service.pool.query("select id from app.api_key where token_id = $1", [
    agent.tokenId,
  ]);
  expect(keys.rowCount).toBe(1);
  keyId = keys.rows[0].id;
  const announced = await service.post("/v1/chronicle", announcement(agent), bearer(agent.apiKey));
  expect(announced.status).toBe(201);
  const bound = await service.post(
    "/v1/binding",
    {
      tokenId: agent.tokenId,
      partnerTokenId: sibling.tokenId,
      trustLevel: "limited",
      context: "",
    },
    bearer(agent.apiKey),
  );
  expect(bound.status).toBe(201);
  bindingId = bound.body.bindingId;
  // Both agents' events follow from the indexed binding. Later tests compare what is stored.
  await vi.waitFor(
    async () => {
      expect((await stored()).webhook_event).toHaveLength(2);
    },
    { timeout: 30_000, interval: 100 },
  );
  const [identity, elsewhere, boundToAgent, boundToSibling, account, other] = await Promise.all([
    signedInOwner(service, owner, { agentId: agent.passportId, scope: ["identity", "soul"] }),
    signedInOwner(service, owner, { agentId: agent.passportId, audience: "https://shop.example" }),
    ownerSession(service, owner, { agentId: agent.passportId }),
    ownerSession(service, owner, { agentId: sibling.passportId }),
    ownerSession(service, owner),
    ownerSession(service, stranger.owner, { agentId: stranger.passportId }),
  ]);
  tokens = {
    identity: identity.accessToken,
    elsewhere: elsewhere.accessToken,
    bound: boundToAgent.accessToken,
    boundToSibling: boundToSibling.accessToken,
    account: account.accessToken,
    stranger: other.accessToken,
  };
});
afterAll(() => service?.stop());

const webhookFor = ({ tokenId }: TestAgent) => ({
  tokenId,
  url: "https://93.184.216.34/hook",
  // An event that nothing here causes: a delivery would change the webhook's row meanwhile.
  events: ["disclosure.requested"],
});

const announcement = ({ tokenId }: TestAgent) => ({
  tokenId,
  category: "document",
  data: {
    documentId: "manifesto",
    documentType: "manifesto",
    title: "Manifesto",
    format: "markdown",
    contentHash: CONTENT_HASH,
  },
});

const CONTENT_HASH = `0x${"ab".repeat(32)}`;

interface Documented {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}
let documented: readonly Documented[];

interface Sample {
  readonly path: () => string;
  readonly body?: () => object;
  /** The answer to a caller that may act for the agent. */
  readonly admitted: string;
  /**
   * How the session of another agent is refused; a webhook is not found without the right to it.
   */
  readonly foreign: readonly [sibling: string, stranger: string];
}

const FORBIDDEN = ["403 FORBIDDEN", "403 FORBIDDEN"] as const;
const NOT_FOUND = ["404 NOT_FOUND", "404 NOT_FOUND"] as const;

const invitationPath = () => `/v1/org/invitations/${randomUUID()}`;
const webhookPath = (rest = "") => `/v1/webhooks/${webhookId}${rest}`;
const chronicle = () => ({
  tokenId: agent.tokenId,
  category: "certification",
  data: { title: "Bird ringer", changeType: "licence_granted" },
});

/** A request of every operation that a session may use, about `agent`. The deletion is the last. */
const samples: Readonly<Record<string, Sample>> = {
  rotateKeys: {
    path: () => "/v1/keys/rotate",
    body: () => ({ tokenId: agent.tokenId }),
    admitted: "200",
    foreign: FORBIDDEN,
  },
  listKeys: {
    path: () => `/v1/keys?tokenId=${agent.tokenId}`,
    admitted: "200",
    foreign: FORBIDDEN,
  },
  revokeKey: { path: () => `/v1/keys/${keyId}`, admitted: "204", foreign: FORBIDDEN },
  listSessions: {
    path: () => `/v1/sessions?tokenId=${agent.tokenId}`,
    admitted: "200",
    foreign: FORBIDDEN,
  },
  endSession: {
    path: () => `/v1/sessions/${randomUUID()}`,
    admitted: "404 NOT_FOUND",
    foreign: NOT_FOUND,
  },
  requestDocumentUpload: {
    path: () => `/v1/soul-documents/${agent.tokenId}/upload-url`,
    body: () => ({ tokenId: agent.tokenId, documentId: "manifesto", contentHash: CONTENT_HASH }),
    admitted: "200",
    foreign: FORBIDDEN,
  },
  putPublicIdentity: {
    path: () => `/v1/public-identity/${agent.tokenId}`,
    body: () => ({ tokenId: agent.tokenId, publicIdentity: { bio: "Counts herons." } }),
    admitted: "200",
    foreign: FORBIDDEN,
  },
  putDisplaySettings: {
    path: () => `/v1/profile/${agent.name}/display`,
    body: () => ({ displaySettings: { showWalletBalances: true } }),
    admitted: "200",
    foreign: FORBIDDEN,
  },
  validateAgent: {
    path: () => `/v1/validate/${agent.tokenId}`,
    body: () => ({}),
    admitted: "403 APPROVAL_REQUIRED",
    foreign: FORBIDDEN,
  },
  recordChronicle: {
    path: () => "/v1/chronicle",
    body: chronicle,
    admitted: "201",
    foreign: FORBIDDEN,
  },
  requestChronicle: {
    path: () => "/v1/chronicle/request",
    body: chronicle,
    admitted: "201",
    foreign: FORBIDDEN,
  },
  createBinding: {
    path: () => "/v1/binding",
    body: () => ({
      tokenId: agent.tokenId,
      partnerTokenId: stranger.tokenId,
      trustLevel: "limited",
      context: "",
    }),
    admitted: "201",
    foreign: FORBIDDEN,
  },
  updateBinding: {
    path: () => `/v1/binding/${bindingId}`,
    body: () => ({ tokenId: agent.tokenId, trustLevel: "trusted", context: "" }),
    admitted: "200",
    foreign: FORBIDDEN,
  },
  discloseFields: {
    path: () => "/v1/disclose",
    body: () => ({
      tokenId: agent.tokenId,
      disclosures: [{ field: "soul.purpose", value: PRIVATE_TEXT.purpose }],
    }),
    admitted: "200",
    foreign: FORBIDDEN,
  },
  listDisclosures: {
    path: () => `/v1/disclose/history/${agent.tokenId}`,
    admitted: "200",
    foreign: FORBIDDEN,
  },
  revokeDisclosure: {
    path: () => "/v1/disclose/revoke",
    body: () => ({ tokenId: agent.tokenId, disclosureId: randomUUID() }),
    admitted: "404 NOT_FOUND",
    foreign: FORBIDDEN,
  },
  requestDisclosure: {
    path: () => "/v1/disclose/request",
    body: () => ({
      requesterTokenId: agent.tokenId,
      targetAgentName: stranger.name,
      requestedFields: ["soul.purpose"],
      reason: "To compare notes.",
    }),
    admitted: "202",
    foreign: FORBIDDEN,
  },
  getDisclosureRequest: {
    path: () => `/v1/disclose/request/${randomUUID()}`,
    admitted: "404 NOT_FOUND",
    foreign: NOT_FOUND,
  },
  listDisclosureRequests: {
    path: () => `/v1/disclose/requests/${agent.tokenId}`,
    admitted: "200",
    foreign: FORBIDDEN,
  },
  fulfilDisclosureRequest: {
    path: () => `/v1/disclose/request/${randomUUID()}/fulfill`,
    body: () => ({ tokenId: agent.tokenId, deniedFields: ["soul.purpose"] }),
    admitted: "404 NOT_FOUND",
    foreign: FORBIDDEN,
  },
  confirmDisclosureDelivery: {
    path: () => `/v1/disclose/request/${randomUUID()}/confirm-p2p`,
    body: () => ({ tokenId: agent.tokenId, deniedFields: ["soul.purpose"] }),
    admitted: "404 NOT_FOUND",
    foreign: FORBIDDEN,
  },
  setDisclosurePolicy: {
    path: () => "/v1/disclose/policy",
    body: () => ({ tokenId: agent.tokenId, policy: { name: "None", rules: [] } }),
    admitted: "201",
    foreign: FORBIDDEN,
  },
  listDisclosurePolicies: {
    path: () => `/v1/disclose/policy/${agent.tokenId}`,
    admitted: "200",
    foreign: FORBIDDEN,
  },
  endDisclosurePolicy: {
    path: () => `/v1/disclose/policy/${randomUUID()}/deactivate`,
    body: () => ({ tokenId: agent.tokenId }),
    admitted: "404 NOT_FOUND",
    foreign: FORBIDDEN,
  },
  getStoredAlignment: {
    path: () => `/v1/alignment/calculate?tokenId=${agent.tokenId}`,
    admitted: "200",
    foreign: FORBIDDEN,
  },
  calculateAlignment: {
    path: () => "/v1/alignment/calculate",
    body: () => ({ tokenId: agent.tokenId }),
    admitted: "200",
    foreign: FORBIDDEN,
  },
  // The agent is too young for a score.
  requestSnapshot: {
    path: () => "/v1/snapshot",
    body: () => ({ tokenId: agent.tokenId }),
    admitted: "403 FORBIDDEN",
    foreign: FORBIDDEN,
  },
  createWebhook: {
    path: () => "/v1/webhooks",
    body: () => webhookFor(agent),
    admitted: "201",
    foreign: FORBIDDEN,
  },
  listWebhooks: {
    path: () => `/v1/webhooks?tokenId=${agent.tokenId}`,
    admitted: "200",
    foreign: FORBIDDEN,
  },
  // Before the update, which disables the webhook.
  recoverWebhook: {
    path: () => webhookPath("/recover"),
    body: () => ({ since: new Date(Date.now() - 60 * 60 * 1000).toISOString() }),
    admitted: "202",
    foreign: NOT_FOUND,
  },
  updateWebhook: {
    path: webhookPath,
    body: () => ({ enabled: false }),
    admitted: "200",
    foreign: NOT_FOUND,
  },
  rotateWebhook: {
    path: () => webhookPath("/rotate"),
    body: () => ({ graceSeconds: 0 }),
    admitted: "200",
    foreign: NOT_FOUND,
  },
  testWebhook: { path: () => webhookPath("/test"), admitted: "202", foreign: NOT_FOUND },
  listWebhookDeliveries: {
    path: () => webhookPath("/deliveries"),
    admitted: "200",
    foreign: NOT_FOUND,
  },
  resendWebhookDelivery: {
    path: () => webhookPath(`/deliveries/${randomUUID()}/resend`),
    admitted: "404 NOT_FOUND",
    foreign: NOT_FOUND,
  },
  deleteWebhook: { path: webhookPath, admitted: "204", foreign: NOT_FOUND },
  // Of a whole account, so a session for one agent is refused. Each account has its own.
  signOut: { path: () => "/v1/sessions", admitted: "403 FORBIDDEN", foreign: FORBIDDEN },
  listInvitations: {
    path: () => "/v1/org/invitations",
    admitted: "403 FORBIDDEN",
    foreign: ["403 FORBIDDEN", "403 FORBIDDEN"],
  },
  getInvitation: {
    path: invitationPath,
    admitted: "403 FORBIDDEN",
    foreign: ["403 FORBIDDEN", "403 FORBIDDEN"],
  },
};

const table: OperationTable = operations;

/** Every operation whose rule is among `rules`, as the OpenAPI document names it. */
const ofRules = (...rules: AccessRule[]) =>
  documented.filter(({ operationId }) => rules.some((rule) => rule === table[operationId]?.access));

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

const bySession = () => ofRules("any-key", "agent", "session", "agent-or-signature");

async function call(operationId: string, token: string, key = idempotencyKey()) {
  const sample = samples[operationId];
  const found = bySession().find((is) => is.operationId === operationId);
  if (sample === undefined || found === undefined) throw new Error(`No sample of ${operationId}.`);
  const { method } = found;
  const headers = new Headers(bearer(token));
  if (method === "POST") headers.set("Idempotency-Key", key);
  if (sample.body !== undefined) headers.set("content-type", "application/json");
  const body = sample.body === undefined ? null : JSON.stringify(sample.body());
  return service.request(sample.path(), { method, headers, body });
}

/** A path of the OpenAPI document, about `agent`. */
const filled = (path: string) =>
  path
    .replace("{tokenId}", String(agent.tokenId))
    .replace("{name}", agent.name)
    .replace("{webhookId}", webhookId)
    .replaceAll(/\{\w+\}/g, () => randomUUID());

const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) =>
  status < 400 ? String(status) : `${status} ${body.error.type}`;

/** Everything that sessions change, for both agents of the owner. */
async function stored() {
  const tables = ["api_key", "webhook", "chronicle", "chronicle_request", "document_upload"];
  const rows = await Promise.all(
    [...tables, "public_identity", "display_setting", "webhook_event"].map(async (table) => {
      const found = await service.pool.query(
        table === "webhook_event"
          ? "select key as row from app.webhook_event where split_part(key, ' ', 2) = any($1::bigint[]::text[]) order by 1"
          : `select t::text as row from app.${table} t where token_id = any($1) order by 1`,
        [[agent.tokenId, sibling.tokenId]],
      );
      return [table, found.rows.map(({ row }) => row as string)];
    }),
  );
  return Object.fromEntries(rows) as Record<string, string[]>;
}

describe("a sign-in token", () => {
  it("is tried on every operation that a session may use", () => {
    const ids = bySession().map(({ operationId }) => operationId);
    expect(Object.keys(samples).sort()).toEqual(ids.sort());
  });

  it("that only identifies is refused by every operation that is not public, and changes nothing", async () => {
    const before = await stored();
    for (const { operationId } of bySession()) {
      const answer = await call(operationId, tokens.identity);
      expect([operationId, refusal(answer)]).toEqual([
        operationId,
        { status: 403, type: "MANAGE_SCOPE_REQUIRED", details: {} },
      ]);
      expect(answer.body.error.message).toBe(
        "This token only identifies its holder. To act for the agent, sign in again as its owner with the scope manage.",
      );
    }
    for (const { operationId, method, path } of ofRules("signature")) {
      const answer = await service.request(filled(path), {
        method,
        headers: { ...bearer(tokens.identity), "content-type": "application/json" },
        body: JSON.stringify({ tokenId: agent.tokenId }),
      });
      expect([operationId, refusal(answer)]).toEqual([
        operationId,
        {
          status: 403,
          type: "WALLET_SIGNATURE_REQUIRED",
          details: { typedData: `/v1/typed-data/${table[operationId]?.typedData}` },
        },
      ]);
    }
    expect(await stored()).toEqual(before);
  });

  it("is refused where a provisional key is exchanged, with any scope", async () => {
    const before = await stored();
    const operationsOfRule = ofRules("provisional-key");
    expect(operationsOfRule.map(({ operationId }) => operationId)).toEqual(["exchangeKey"]);
    for (const { method, path } of operationsOfRule) {
      for (const name of ["identity", "bound", "account", "elsewhere"] as const) {
        const answer = await service.request(filled(path), {
          method,
          headers: { ...bearer(tokens[name]), "Idempotency-Key": idempotencyKey() },
        });
        expect([name, refusal(answer)]).toEqual([
          name,
          { status: 401, type: "UNAUTHORIZED", details: {} },
        ]);
      }
    }
    expect(await stored()).toEqual(before);
  });

  it("that only identifies reads public data", async () => {
    const profile = await service.request(`/v1/profile/${agent.name}`, {
      headers: bearer(tokens.identity),
    });
    expect([profile.status, profile.body]).toEqual([
      200,
      (await service.get(`/v1/profile/${agent.name}`)).body,
    ]);
  });

  it("for a relying party is refused, even for public reads", async () => {
    const paths = ["/v1/status", `/v1/webhooks?tokenId=${agent.tokenId}`];
    for (const path of paths) {
      const answer = await service.request(path, { headers: bearer(tokens.elsewhere) });
      expect(refusal(answer)).toEqual({ status: 401, type: "UNAUTHORIZED", details: {} });
      expect(answer.body.error.message).toBe(
        "This access token was issued for https://shop.example. Sign in without an audience to use one here.",
      );
    }
    const { body } = await service.post("/api/v1/auth/token/introspect", {
      token: tokens.elsewhere,
    });
    expect(body).toMatchObject({ active: true, aud: "https://shop.example" });
  });

  it.each(Object.keys(samples))(
    "that manages another agent is refused by %s",
    async (operationId) => {
      const before = await stored();
      const [ofSibling, ofStranger] = samples[operationId]?.foreign ?? [];
      expect(outcome(await call(operationId, tokens.boundToSibling))).toBe(ofSibling);
      expect(outcome(await call(operationId, tokens.stranger))).toBe(ofStranger);
      expect(outcome(await call(operationId, tokens.elsewhere))).toBe("401 UNAUTHORIZED");
      expect(await stored()).toEqual(before);
    },
  );

  it("that manages the sibling is refused with the agent that it manages", async () => {
    const message = `This token manages the agent of passport ${sibling.passportId} only. Sign in for passport ${agent.passportId}, or without agentId.`;
    for (const operationId of ["rotateKeys", "putPublicIdentity", "recordChronicle"]) {
      const answer = await call(operationId, tokens.boundToSibling);
      expect(answer.body.error.message).toBe(message);
    }
  });

  it.each(Object.keys(samples))(
    "that manages this agent is admitted by %s",
    async (operationId) => {
      expect(outcome(await call(operationId, tokens.bound))).toBe(samples[operationId]?.admitted);
    },
  );

  it("that manages the account is admitted for every agent of it", async () => {
    for (const { tokenId } of [agent, sibling]) {
      const path = `/v1/webhooks?tokenId=${tokenId}`;
      const listed = await service.request(path, { headers: bearer(tokens.account) });
      expect(listed.status).toBe(200);
    }
    const foreign = await service.request(`/v1/webhooks?tokenId=${stranger.tokenId}`, {
      headers: bearer(tokens.account),
    });
    expect(refusal(foreign)).toEqual({ status: 403, type: "FORBIDDEN", details: {} });
  });

  it("that manages another agent does not get a repeated answer either, at once or later", async () => {
    const key = idempotencyKey();
    const [rotated, ...others] = await Promise.all([
      call("rotateKeys", tokens.bound, key),
      ...Array.from({ length: 5 }, () => call("rotateKeys", tokens.boundToSibling, key)),
      call("rotateKeys", tokens.identity, key),
    ]);
    expect(outcome(rotated)).toBe("200");
    const later = await call("rotateKeys", tokens.boundToSibling, key);
    for (const answer of [...others, later]) {
      // 409: the same key of the same session is in flight.
      expect(["403 FORBIDDEN", "403 MANAGE_SCOPE_REQUIRED", "409 IDEMPOTENCY_CONFLICT"]).toContain(
        outcome(answer),
      );
      expect(JSON.stringify(answer.body)).not.toContain(rotated.body.apiKey);
    }
    expect(refusal(later)).toEqual({ status: 403, type: "FORBIDDEN", details: {} });
    const again = await call("rotateKeys", tokens.bound, key);
    expect(again.body).toEqual(rotated.body);
  });

  it("that manages the account loses each agent with its sale", async () => {
    const owner = newAccount();
    const remaining = (await service.register(freshName(), owner)).answer.body;
    const sold = (await service.register(freshName(), owner)).answer.body;
    // The session is that of the agent that stays.
    const { accessToken, profile } = await ownerSession(service, owner);
    expect(profile.agentId).toBe(remaining.erc8004AgentId);
    const rotate = (tokenId: number) =>
      service.post("/v1/keys/rotate", { tokenId }, bearer(accessToken));
    expect((await rotate(sold.tokenId)).status).toBe(200);

    await service.chain.fund(owner.address);
    await service.chain.transferPassport(BigInt(sold.erc8004AgentId), owner, newAccount().address);
    // At once: the chain decides, not the index.
    expect(refusal(await rotate(sold.tokenId))).toEqual({
      status: 403,
      type: "FORBIDDEN",
      details: {},
    });
    expect((await rotate(remaining.tokenId)).status).toBe(200);
  });
});
