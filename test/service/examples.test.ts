import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "../../api/features.ts";
import type { OperationRules } from "../../api/platform/http/operations.ts";
import {
  type OpenApiDocument,
  operationsOf,
  type PlacedOperation,
} from "../../api/reference/openapi.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Sends the requests of the OpenAPI document's examples again. Names, ids, credentials and
// signatures are those of agents that this test registers; everything else is the example's.

type Members = Readonly<Record<string, unknown>>;

let service: Service;
let document: OpenApiDocument;
let verbs: ReturnType<typeof ownerSigned>;
let agent: TestAgent;
let partner: TestAgent;
let session: string;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
/** Ids of what the set-up made, by the name that requests give them. */
let ids: Members;

const validator = new Ajv2020({ strict: false, validateFormats: false });

beforeAll(async () => {
  service = await sharedService();
  verbs = ownerSigned(service);
  document = (await service.get("/v1/openapi.json")).body;
  validator.addSchema(document as object, "openapi");
  agent = await newAgent(service);
  partner = await newAgent(service);
  session = (await ownerSession(service, agent.owner)).accessToken;
  await service.chain.fund(agent.owner.address);
  await verbs.approve({ owner: agent.owner, passportId: BigInt(agent.passportId) });
  receiver = await startOpenReceiver(service);
  ids = await setUp();
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

/** What the examples are about: a binding, an organization, a webhook, a record and requests. */
async function setUp(): Promise<Members> {
  const key = bearer(agent.apiKey);
  const { tokenId, name } = agent;
  const made = async (path: string, body: object, headers: Record<string, string> = key) => {
    const { status, body: answer } = await service.post(path, body, headers);
    expect(status, `${path}: ${JSON.stringify(answer)}`).toBeLessThan(300);
    return answer;
  };
  const { bindingId } = await made("/v1/binding", {
    tokenId,
    partnerTokenId: partner.tokenId,
    trustLevel: "verified",
    context: "Shares its bird counts.",
  });
  const { webhookId, url: webhookUrl } = await receiver.subscribe(agent, ["binding.created"]);
  const data = { title: "Bird ringer", changeType: "licence_granted" };
  const record = { tokenId, category: "certification", data };
  const { queueId, arweaveTxId } = await made("/v1/chronicle", record);
  const { requestId: chronicleRequest } = await made("/v1/chronicle/request", record);
  const found = { name: freshName(), adminAddress: agent.owner.address };
  const signed = await verbs.signed("org", found, agent.owner);
  const { organizationId } = await made("/v1/org", signed, {});
  return {
    tokenId,
    name,
    agentName: name,
    bindingId,
    webhookId,
    webhookUrl,
    organizationId,
    queueId,
    chronicleRequest,
    archiveId: arweaveTxId,
    partnerTokenId: partner.tokenId,
    erc8004AgentId: agent.passportId,
    agentId: agent.passportId,
    admin: agent.owner.address,
    owner: agent.owner.address,
    adminAddress: agent.owner.address,
    accountAddress: agent.owner.address,
    address: agent.owner.address,
    apiKey: agent.apiKey,
    token: session,
    recipientDid: `did:svc:${partner.name}`,
    requesterTokenId: tokenId,
    targetAgentName: partner.name,
  };
}

interface Row {
  /** Whose credential goes with it. */
  readonly as?: "key" | "session";
  /** Members and parameters with another value than the set-up's. Undefined leaves one out. */
  readonly change?: () => Members;
}

const key: Row = { as: "key" };
const owner: Row = { as: "session" };
const signed: Row = {};
const open: Row = {};
const named = (): Members => ({ name: freshName() });
const toReceiver = (): Members => ({ url: ids.webhookUrl });

/** In this order: the last ones end what the others need. */
const ROWS: Readonly<Record<string, Row>> = {
  getHealth: open,
  getReady: open,
  getStatus: open,
  getAuthorizationServerMetadata: open,
  getServiceDomainProof: open,
  getArchivedContent: { change: () => ({ id: ids.archiveId }) },
  getArchivedItem: { change: () => ({ id: ids.archiveId }) },
  checkName: { change: named },
  nameAvailable: { change: named },
  signInChallenge: open,
  introspectToken: open,
  verifyApiKey: open,
  getRegistrationFile: open,
  getStaticRegistrationFile: open,
  getDomainProof: open,
  getProfile: open,
  getProfileStatus: open,
  getDisplaySettings: open,
  getSoulValidity: open,
  getDidDocument: open,
  listAgents: open,
  listSoulDocuments: open,
  verifyAgent: open,
  getAlignment: open,
  getEndpointChecks: { change: () => ({ before: undefined }) },
  requestEndpointCheck: open,
  listChronicles: open,
  getChronicleProof: open,
  getChronicleRequest: { change: () => ({ id: ids.chronicleRequest }) },
  listBindings: open,
  listEvents: { change: () => ({ agent: ids.name }) },
  getBindingHistory: open,
  listOrganizations: { change: () => ({ q: undefined }) },
  getOrganization: open,
  getOrganizationStats: open,
  getAllowance: open,
  canSpend: open,
  getAllowanceHistory: open,
  getDisclosureSummary: open,
  normaliseSource: open,
  prepareBinding: open,
  prepareBurn: open,
  prepareSuspend: open,
  prepareDidUpdate: open,
  prepareInvitationList: open,
  prepareOrganization: open,
  prepareRegulatoryAudit: open,
  prepareAllowance: open,
  prepareEmergencyStop: open,
  prepareRegistrationFile: open,
  updateRegistrationFile: signed,
  prepareAgentUri: open,
  updateAgentUri: signed,
  prepareMembership: open,
  preparePrivateDataExport: open,
  preparePrivateDataDeletion: open,
  prepareAdminChange: open,
  listWebhooks: key,
  createWebhook: { as: "key", change: toReceiver },
  updateWebhook: { as: "key", change: toReceiver },
  rotateWebhook: key,
  testWebhook: key,
  // Events are stored for 30 days, and the example gets older.
  recoverWebhook: { as: "key", change: () => ({ since: new Date().toISOString() }) },
  listWebhookDeliveries: key,
  listDisclosures: key,
  listDisclosureRequests: key,
  setDisclosurePolicy: key,
  listDisclosurePolicies: key,
  getStoredAlignment: key,
  calculateAlignment: key,
  putDisplaySettings: key,
  putPublicIdentity: key,
  requestChronicle: key,
  requestDisclosure: key,
  listKeys: { as: "session", change: () => ({ cursor: undefined }) },
  listSessions: { as: "session", change: () => ({ cursor: undefined }) },
  listInvitations: owner,
  listInvitationsBySignature: signed,
  createBinding: signed,
  updateBinding: signed,
  createOrganization: signed,
  addOrganizationMember: signed,
  removeOrganizationMember: signed,
  updateDidDocument: signed,
  setAllowance: signed,
  changeAllowance: signed,
  prepareAllowanceEnd: open,
  endAllowance: signed,
  requestRegulatoryAudit: signed,
  exportPrivateData: signed,
  deleteWebhook: key,
  rotateKeys: owner,
  burnAgent: signed,
  revokeToken: open,
  deletePrivateData: signed,
};

/** Operations whose examples cannot be sent again, by the reason. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "The example's hashes, values or proofs are of its own soul.": [
    ...["prepareRegistration", "registerAgent", "prepareBatchRegistration", "registerBatch"],
    ...["prepareReincarnation", "reincarnateAgent", "prepareReseal", "resealAgent"],
    ...["prepareChronicle", "recordChronicle", "discloseFields", "verifyDisclosure"],
    ...["verifyDisclosures", "verifyHash", "requestDocumentUpload", "uploadSoulDocument"],
    ...["uploadRegulatoryAudit", "uploadOrganizationAudit", "prepareSeal", "sealAgent"],
    ...["updateAgentKeySet", "prepareAgentKeySet", "getAgentKeySet"],
  ],
  "It belongs to a registration that its owner has not claimed.": [
    ...["prepareClaim", "claimAgent", "getClaimDraft", "getRegistrationStatus", "exchangeKey"],
  ],
  "It is a step of a longer exchange, in which it can be sent once.": [
    ...["signInVerify", "signInToken", "agentSignInChallenge", "agentSignInVerify"],
    ...["accountSignInChallenge", "accountSignInVerify", "signOut", "endSession", "revokeKey"],
    ...["stopAgent", "suspendAgent", "resendWebhookDelivery", "endDisclosurePolicy"],
    ...["revokeDisclosure", "getDisclosureRequest", "fulfilDisclosureRequest"],
    ...["confirmDisclosureDelivery", "getInvitation", "prepareInvitationEnd", "endInvitation"],
    ...["changeOrganizationAdmin", "prepareAdminAcceptance", "acceptOrganizationAdmin"],
    ...["prepareMembershipEnd", "prepareOrganizationAudit", "requestOrganizationAudit"],
    ...["prepareRelease", "releaseAgent", "requestSnapshot", "verifyFreshness"],
  ],
  "The passport's owner must first send a request to the validation registry.": [
    ...["prepareValidation", "validateAgent"],
  ],
  "Its answer is the document itself.": ["getOpenApiDocument"],
  "Its answer has no end.": ["followEvents"],
};

const SIGNATURE = ["message", "signature", "signer", "permit"];
/** These name a block of another chain, and places in lists of others. */
const OF_ANOTHER_CHAIN = [
  "minBlock",
  "page",
  "offset",
  "membersOffset",
  "cursor",
  "since",
  "before",
  "after",
];

const documented = () =>
  new Map(
    operationsOf(document)
      .filter(({ operation }) => operation.deprecated !== true)
      .map((placed) => [placed.id, placed]),
  );

interface Sent {
  readonly path: string;
  readonly init: RequestInit;
}

/** The request of an operation's example. */
async function requestOf({ path, method, operation }: PlacedOperation, row: Row): Promise<Sent> {
  const own = row.change?.() ?? {};
  const change = { ...ids, ...own };
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, in: place, example } of operation.parameters ?? []) {
    const value = name in change ? change[name] : example;
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    if (place !== "query" || OF_ANOTHER_CHAIN.includes(name)) continue;
    const isSent = value !== undefined && (example !== undefined || name in own);
    if (isSent) query.set(name, String(value));
  }
  const headers = new Headers();
  if (row.as === "key") headers.set("authorization", `Bearer ${agent.apiKey}`);
  if (row.as === "session") headers.set("authorization", `Bearer ${session}`);
  if (operation["x-svc-idempotent"]) headers.set("Idempotency-Key", idempotencyKey());
  const body = await bodyOf(operation, change, row);
  if (typeof body === "string") headers.set("content-type", "application/json");
  const address = query.size === 0 ? filled : `${filled}?${query}`;
  return { path: address, init: { method: method.toUpperCase(), headers, body } };
}

async function bodyOf(
  operation: PlacedOperation["operation"],
  change: Members,
  { as }: Row,
): Promise<string | FormData | null> {
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (content?.example === undefined) return null;
  const example: Members = Object.fromEntries(
    Object.entries(content.example as Members).map(([name, value]) => [
      name,
      name in change ? change[name] : value,
    ]),
  );
  if (type === "multipart/form-data") {
    const form = new FormData();
    for (const [name, value] of Object.entries(example)) {
      form.set(name, name === "file" ? new File([String(value)], "soul") : String(value));
    }
    return form;
  }
  const rules = (operations as Readonly<Record<string, OperationRules>>)[
    operation.operationId ?? ""
  ];
  const terms = Object.entries(example).filter(([name]) => !SIGNATURE.includes(name));
  const isSigned = as === undefined && rules?.typedData !== undefined && rules.access !== "none";
  if (!isSigned) return JSON.stringify(example);
  // Typed data is asked for the agent by its tokenId.
  const inPath = (operation.parameters ?? []).flatMap(({ name, in: place }) =>
    place === "path" && name !== "name" && name in change ? [[name, change[name]] as const] : [],
  );
  const wish = Object.fromEntries([...inPath, ...terms]);
  const extra = Object.keys(wish).filter((name) => !terms.some(([own]) => own === name));
  const request: Record<string, unknown> = await verbs.signed(
    rules.typedData as string,
    wish,
    agent.owner,
  );
  for (const name of extra) delete request[name];
  return JSON.stringify(request);
}

it("knows every operation of the document", () => {
  const known = [...Object.keys(ROWS), ...Object.values(ELSEWHERE).flat()];
  expect(known.toSorted()).toEqual([...documented().keys()].toSorted());
});

it.each(Object.entries(ROWS))("%s answers its example as the document says", async (id, row) => {
  const placed = documented().get(id);
  if (placed === undefined) throw new Error(`${id} is not in the document.`);
  const { path, init } = await requestOf(placed, row);
  const answer = await service.request(path, init);
  const shown = Object.entries(placed.operation.responses)
    .filter(([status, { content }]) => {
      const json = Object.entries(content ?? {}).filter(([type]) => type.endsWith("json"));
      const isShown = json.length === 0 || json.some(([, { example }]) => example !== undefined);
      return status.startsWith("2") && isShown;
    })
    .map(([status]) => Number(status));
  expect(shown, JSON.stringify(answer.body)).toContain(answer.status);
  const type = answer.headers.get("content-type")?.split(";")[0];
  if (!type?.endsWith("json")) return;
  const types = Object.keys(placed.operation.responses[answer.status]?.content ?? {});
  // Stored content has the type it was stored with.
  if (types.includes("*/*")) return;
  const body = typeof answer.body === "string" ? JSON.parse(answer.body) : answer.body;
  const place = ["paths", placed.path, placed.method, "responses", `${answer.status}`, "content"];
  const pointer = [...place, type, "schema"].map((part) =>
    encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
  );
  const isValid = validator.compile({ $ref: `openapi#/${pointer.join("/")}` });
  isValid(body);
  expect(isValid.errors ?? []).toEqual([]);
});
