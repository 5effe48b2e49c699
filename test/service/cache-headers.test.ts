import { randomUUID } from "node:crypto";
import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OperationId, operations } from "../../api/features.ts";
import { CACHE_RULES } from "../../api/platform/http/cache-rules.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The operations table against the Cache-Control of real answers. docs/access.md is generated from
// the same table.

interface Agent {
  readonly name: string;
  readonly owner: LocalAccount;
  readonly tokenId: number;
  readonly passportId: number;
  readonly archiveId: string;
  readonly apiKey: string;
}

let service: Service;
let valid: Agent;
let sold: Agent & { readonly block: bigint };
let unclaimed: { readonly name: string; readonly registrationId: string };
let organizationId: number;
let documented: ReadonlyMap<string, { readonly method: string; readonly path: string }>;

async function newAgent(): Promise<Agent> {
  const owner = newAccount();
  const { answer } = await service.register(freshName(), owner);
  const { agentName, tokenId, erc8004AgentId, arweaveTxId, apiKey } = answer.body;
  return {
    name: agentName,
    owner,
    tokenId,
    passportId: erc8004AgentId,
    archiveId: arweaveTxId,
    apiKey,
  };
}

beforeAll(async () => {
  service = await sharedService();
  valid = await newAgent();
  const agent = await newAgent();
  await service.chain.fund(agent.owner.address);
  const buyer = newAccount().address;
  const block = await service.chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer);
  sold = { ...agent, block };
  organizationId = await organizationVerbs(service).found(newAccount());
  const name = freshName();
  const { registrationId } = await agentVerbs(service).registerAgent(name);
  unclaimed = { name, registrationId };
  const { body } = await service.get("/v1/openapi.json");
  documented = new Map(
    Object.entries(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, item]) =>
        Object.entries(item).map(([method, { operationId }]) => [
          operationId,
          { method: method.toUpperCase(), path },
        ]),
    ),
  );
});
afterAll(() => service?.stop());

const ids = Object.keys(operations) as OperationId[];
const cacheOf = (id: OperationId) => CACHE_RULES[operations[id].cache];

/** Reads of one agent whose caching depends on its seal. */
const OF_AN_AGENT = {
  getProfile: (name: string) => `/v1/profile/${name}`,
  getProfileStatus: (name: string) => `/v1/profile/${name}/status`,
  getRegistrationFile: (name: string) => `/v1/registration-file/${name}`,
  getStaticRegistrationFile: (name: string) => `/agents/${name}/registration.json`,
  listSoulDocuments: (name: string) => `/v1/soul-documents/${name}`,
  verifyAgent: (name: string) => `/v1/verify/${name}`,
  getDidDocument: (name: string) => `/v1/did/${name}`,
  getDomainProof: (name: string) => `/v1/domain-verification/${name}`,
  getAgentCard: (name: string) => `/agents/${name}/card.png`,
  getAgentBadge: (name: string) => `/agents/${name}/badge.svg`,
  getCertificateImage: (name: string) =>
    `/certificates/${name === sold.name ? sold.tokenId : valid.tokenId}/image.svg`,
} as const satisfies Partial<Record<OperationId, (name: string) => string>>;

const KNOW_THE_UNCLAIMED = ["getProfile", "getProfileStatus", "verifyAgent"] as const;

/** Every other public read, with a request that succeeds. */
const OTHERS: Partial<Record<OperationId, () => string | Promise<string>>> = {
  getHealth: () => "/health",
  getReady: () => "/ready",
  getStatus: () => "/v1/status",
  getOpenApiDocument: () => "/v1/openapi.json",
  getAuthorizationServerMetadata: () => "/.well-known/oauth-authorization-server",
  getServiceDomainProof: () => "/.well-known/agent-registration.json",
  getArchivedContent: () => `/ar/${valid.archiveId}`,
  getArchivedItem: () => `/ar/${valid.archiveId}/item`,
  getRegistrationStatus: () => `/api/v1/register?id=${unclaimed.registrationId}`,
  getClaimDraft: () => `/v1/register/claim?id=${unclaimed.registrationId}`,
  checkName: () => `/v1/register/check-name/${freshName()}`,
  nameAvailable: () => `/v1/name-available/${freshName()}`,
  getSoulValidity: () => `/v1/soul-validity/${valid.tokenId}`,
  getDisplaySettings: () => `/v1/profile/${valid.name}/display`,
  listChronicles: () => `/v1/chronicle/${valid.name}`,
  listAgents: () => "/v1/agents?limit=1",
  listEvents: () => `/v1/events?agent=${valid.name}`,
  showEventsPage: () => "/events",
  showStatusPage: () => "/status",
  listBindings: () => `/v1/binding/${valid.name}`,
  getAllowance: () => `/v1/allowance/${valid.tokenId}`,
  canSpend: () => `/v1/allowance/${valid.tokenId}/can-spend?amount=1`,
  getAllowanceHistory: () => `/v1/allowance/${valid.tokenId}/history`,
  getAlignment: () => `/v1/alignment/${valid.name}`,
  getEndpointChecks: () => `/v1/endpoint-checks/${valid.name}`,
  getDisclosureSummary: () => `/v1/disclose/summary/${valid.name}`,
  listOrganizations: () => "/v1/org?limit=1",
  getOrganization: () => `/v1/org/${organizationId}`,
  getOrganizationStats: () => `/v1/org/${organizationId}/stats`,
  showHomePage: () => "/",
  showEndpointsPage: () => `/endpoints/${valid.name}`,
  showAgentsPage: () => "/agents",
  showPassportPage: () => `/passports/${valid.passportId}`,
  showCertificatePage: () => `/certificates/${valid.tokenId}`,
  showOwnerPage: () => `/owners/${valid.owner.address}`,
  showProfilePage: () => `/agents/${valid.name}`,
  showAllowancePage: () => `/allowances/${valid.tokenId}`,
  showBindingsPage: () => `/bindings/${valid.tokenId}`,
  showOrganizationsPage: () => "/organizations",
  showOrganizationPage: () => `/organizations/${organizationId}`,
  showSalePage: () => `/sales/${valid.tokenId}`,
  showAccessPage: () => `/access/${valid.tokenId}`,
  showDisclosuresPage: () => `/disclosures/${valid.tokenId}`,
  showDisclosureRequestPage: () => `/disclosures/${valid.tokenId}/requests/${randomUUID()}`,
  showDisclosureVerificationPage: () => "/verify-disclosure",
  showVerificationPage: () => "/verify",
  showCertificateProofPage: () => `/proofs/certificates/${valid.tokenId}`,
  showAlignmentProofPage: () => `/proofs/alignment/${valid.name}`,
  showManagePage: () => `/manage/${valid.tokenId}`,
  showConsolePage: () => "/console",
  showConsoleAgentPage: () => `/console/${valid.tokenId}`,
  showConsoleSectionPage: () => `/console/${valid.tokenId}/keys`,
  showResealPage: () => `/reseal/${valid.tokenId}`,
  showBurnPage: () => `/burn/${valid.tokenId}`,
  showReincarnatePage: () => `/reincarnate/${valid.tokenId}`,
  showPrivateDataPage: () => "/private-data",
  showMailConfirmationPage: () => `/confirm-mail/${"A".repeat(43)}`,
  showDocsPage: () => "/docs",
  showGuidePage: () => "/docs/sign-in",
  showTutorialPage: () => "/docs/tutorials/sign-in",
  showDecisionRecordPage: () => "/docs/adr/0003-epochs",
  showReferencePage: () => "/docs/api",
  showReferenceGroupPage: () => "/docs/api/sign-in",
  showClaimPage: () => `/claim/${unclaimed.registrationId}`,
  getServiceCard: () => "/card.png",
  getFavicon: () => "/favicon.ico",
  getTouchIcon: () => "/apple-touch-icon.png",
  getRobots: () => "/robots.txt",
  getSitemap: () => "/sitemap.xml",
  getSitemapPart: () => "/sitemaps/pages.xml",
  getPageAsset: async () => {
    const { body } = await service.get("/");
    const [asset] = /\/assets\/[^"]+/.exec(body) ?? [];
    if (asset === undefined) throw new Error("The home page names no asset.");
    return asset;
  },
};

/**
 * These need keys that an owner set, a binding, or a chronicle that is requested or anchored, or
 * have an answer without an end. test/api/features/did/key-sets.test.ts,
 * test/service/bindings.test.ts, test/service/chronicles.test.ts, test/service/events.test.ts and
 * the browser's tests cover them.
 */
const ELSEWHERE: readonly OperationId[] = [
  "followEvents",
  "getAgentKeySet",
  "getBindingHistory",
  "getChronicleRequest",
  "getChronicleProof",
  "showChronicleProofPage",
  "showSignPage",
];

async function cacheControl(path: string): Promise<readonly [number, string | null]> {
  const answer = await fetch(`${service.url}${path}`, { redirect: "manual" });
  await answer.arrayBuffer();
  return [answer.status, answer.headers.get("cache-control")];
}

describe("Cache-Control of an answer about one agent", () => {
  const rows = Object.entries(OF_AN_AGENT) as [
    keyof typeof OF_AN_AGENT,
    (name: string) => string,
  ][];

  it.each(rows)("of %s is long while the seal is valid", async (id, path) => {
    const { sealed } = cacheOf(id) as { sealed: string };
    expect(await cacheControl(path(valid.name))).toEqual([200, sealed]);
  });

  it.each(rows)("of %s is short once the passport is sold", async (id, path) => {
    const { other } = cacheOf(id) as { other: string };
    const { headers } = await service.get(`/v1/profile/${sold.name}?minBlock=${sold.block}`);
    expect(headers.get("cache-control")).toBe(CACHE_RULES.profile.other);
    expect(await cacheControl(path(sold.name))).toEqual([200, other]);
  });

  it.each(KNOW_THE_UNCLAIMED)("of %s is short before the claim", async (id) => {
    const { other } = cacheOf(id) as { other: string };
    expect(await cacheControl(OF_AN_AGENT[id](unclaimed.name))).toEqual([200, other]);
  });

  it("is tested here for every operation whose rule depends on the seal", () => {
    const dependent = ids.filter(
      (id) => typeof cacheOf(id) !== "string" && !ELSEWHERE.includes(id),
    );
    expect(dependent.toSorted()).toEqual(Object.keys(OF_AN_AGENT).toSorted());
  });
});

describe("Cache-Control of every other operation", () => {
  it.each(Object.entries(OTHERS))("of %s is that of the table", async (id, path) => {
    const [status, sent] = await cacheControl(await path());
    expect([status < 400, sent]).toEqual([true, cacheOf(id as OperationId)]);
  });

  it("is no-store in every refusal", async () => {
    for (const [id, { method, path }] of documented) {
      const wrong = path.replaceAll(/\{.+?\}/g, "x");
      const answer = await service.request(`${wrong}?x=%00`, { method });
      expect([id, answer.status, answer.headers.get("cache-control")]).toEqual([
        id,
        400,
        "no-store",
      ]);
    }
  });

  it("is no-store in an answer to an agent's key", async () => {
    const headers = { authorization: `Bearer ${valid.apiKey}` };
    const { status, headers: sent } = await service.request("/v1/webhooks", { headers });
    expect([status, sent.get("cache-control")]).toEqual([200, "no-store"]);
  });

  it("is tested here for every public and cacheable operation", () => {
    const seen = new Set<string>([
      ...Object.keys(OF_AN_AGENT),
      ...Object.keys(OTHERS),
      ...ELSEWHERE,
    ]);
    const open = ids.filter((id) => {
      const { access, bodyBytes, effect } = operations[id];
      return access === "none" && bodyBytes === 0 && effect === "reads";
    });
    expect(open.filter((id) => !seen.has(id))).toEqual([]);
    // An operation with a body, an effect or an answer for one agent alone is never cached.
    const closed = ids.filter((id) => !seen.has(id));
    expect(closed.filter((id) => operations[id].cache !== "never")).toEqual([]);
  });
});
