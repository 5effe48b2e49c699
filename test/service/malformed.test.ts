import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCatalogue } from "../../api/kernel/errors.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer } from "../fixtures/agents.ts";
import { knownAgent } from "../fixtures/disclosures.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Malformed requests never cause a server error: requests that are almost right, to the running
// API.

/** The number of mutated requests; a long run sets SVC_MUTATIONS=20000. */
const MUTATIONS = Number(process.env.SVC_MUTATIONS ?? (process.env.CI ? 1200 : 400));
const numRuns = Math.ceil(MUTATIONS / 2);
/** Milliseconds for one of the two runs: generous, since it only ends a run that hangs. */
const LONG_MS = 60_000 + MUTATIONS * 100;

let service: Service;
let samples: Sample[];
beforeAll(async () => {
  service = await sharedService();
  samples = await validRequests();
});
afterAll(() => service?.stop());

interface Sample {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  /** Absent: sent without a credential. */
  readonly apiKey?: string;
}

/** One valid request for each operation. */
async function validRequests(): Promise<Sample[]> {
  const owner = newAccount();
  const { answer } = await service.register(freshName(), owner);
  const { tokenId, agentName, arweaveTxId, apiKey } = answer.body;
  const { address } = owner;
  const auth = "/api/v1/auth";
  const { body: challenge } = await service.post(`${auth}/challenge`, { address });
  const { nonce, message } = challenge;
  const signature = await owner.signMessage({ message });
  const body = registrationBody(freshName(), owner);
  return [
    ...[
      `/v1/profile/${agentName}?minBlock=1`,
      `/v1/profile/${tokenId}/status`,
      `/v1/soul-validity/${tokenId}`,
      `/v1/registration-file/${agentName}`,
      `/v1/register/check-name/${agentName}`,
      `/v1/name-available/${agentName}`,
      `/ar/${arweaveTxId}`,
      `/ar/${arweaveTxId}/item`,
      `/v1/did/${agentName}?versionId=x`,
      `/v1/did/${tokenId}`,
      `/v1/domain-verification/${tokenId}`,
      `/v1/endpoint-checks/${agentName}?before=2027-01-01T00:00:00Z`,
      `/v1/chronicle/${agentName}?changeType=x&page=1`,
      `/v1/verify/${agentName}`,
      `/v1/agents?q=${agentName}&sort=name&limit=2`,
      `/v1/agents?owner=${address}&type=other&validity=valid&category=other`,
      `/v1/events?agent=${agentName}&kind=soul.sealed&limit=2`,
      "/v1/status",
      "/v1/openapi.json",
    ].map((path) => ({ method: "GET" as const, path })),
    ...Object.entries({
      [`${auth}/challenge`]: { address, scope: ["identity"], minTier: 1, chainId: 31337 },
      [`${auth}/verify`]: { nonce, message, signature },
      [`${auth}/account/challenge`]: { address },
      [`${auth}/account/verify`]: { nonce, message, signature },
      [`${auth}/token`]: { code: "c".repeat(43) },
      [`${auth}/agent/challenge`]: { agentId: 0, address, scope: [], minTier: 1 },
      [`${auth}/agent/verify`]: { nonce, message, signature },
      [`${auth}/token/introspect`]: { token: apiKey },
      "/v1/typed-data/register": body,
      "/v1/register": await service.signedRegistration(body, owner),
      "/v1/keys/rotate": { tokenId, graceSeconds: 1 },
    }).map(([path, value]) => ({ method: "POST" as const, path, body: value })),
    ...(await validDisclosures({ tokenId, apiKey })),
  ];
}

/** The same for selective disclosure, with the keys of the agents that ask and answer. */
async function validDisclosures(requester: {
  readonly tokenId: number;
  readonly apiKey: string;
}): Promise<Sample[]> {
  const target = await knownAgent(service);
  const { tokenId, name: agentName, apiKey } = target;
  const wish = {
    requesterTokenId: requester.tokenId,
    targetAgentName: agentName,
    requestedFields: ["soul.purpose"],
    reason: "To compare notes.",
    disclosureEndpoint: "https://93.184.216.34/",
  };
  const ask = () => service.post("/v1/disclose/request", wish, bearer(requester.apiKey));
  const [relayed, direct] = [(await ask()).body.requestId, (await ask()).body.requestId];
  const disclosures = [target.stated("soul.purpose")];
  const stated = { tokenId, disclosures, expiresIn: "1d" };
  const { body: made } = await service.post("/v1/disclose", stated, bearer(apiKey));
  const { disclosureId } = made;
  const policy = { name: "Flock", rules: [{ fields: ["soul.purpose"], condition: "any" }] };
  const set = await service.post("/v1/disclose/policy", { tokenId, policy }, bearer(apiKey));
  const proof = target.proof("soul.purpose");
  return [
    ...[
      `/v1/disclose/history/${tokenId}?limit=2&since=2026-01-31`,
      `/v1/disclose/policy/${tokenId}`,
      `/v1/disclose/summary/${agentName}`,
      `/v1/disclose/request/${relayed}`,
    ].map((path) => ({ method: "GET" as const, path, apiKey })),
    ...Object.entries({
      "/v1/disclose": stated,
      "/v1/disclose/verify": { agentName, ...proof },
      "/v1/disclose/batch-verify": { agentName, proofs: [proof] },
      "/v1/disclose/policy": { tokenId, policy },
      [`/v1/disclose/request/${relayed}/fulfill`]: { requestId: relayed, ...stated },
      [`/v1/disclose/request/${direct}/confirm-p2p`]: {
        tokenId,
        fulfilledFields: ["soul.purpose"],
        deniedFields: [],
      },
      "/v1/disclose/revoke": { tokenId, disclosureId, reason: "No longer needed." },
      [`/v1/disclose/policy/${set.body.policyId}/deactivate`]: { tokenId },
    }).map(([path, body]) => ({ method: "POST" as const, path, body, apiKey })),
    { method: "POST", path: "/v1/disclose/request", body: wish, apiKey: requester.apiKey },
  ];
}

const credential = ({ apiKey }: Sample): Record<string, string> =>
  apiKey === undefined ? {} : bearer(apiKey);

/** Values that a field's parser may not expect. */
const oddities: unknown[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 53, 1e308, "", " ", "0x", "-0", "1e9", "__proto__"],
  ...["\u0000", "\ud800", "\u202e", "é".repeat(300), "9".repeat(400), `0x${"f".repeat(64)}`],
  ...[[], [[]], {}, { a: { b: [{}] } }, ["x", 1, null], "../../etc/passwd", "%00", "';--"],
];
const oddity = fc.constantFrom(...oddities);

/** The place of a change in a body, as turns at each level, and the change. */
const change = fc.record({
  turns: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  how: fc.constantFrom("replace", "remove", "add", "rename"),
  value: fc.oneof(oddity, fc.jsonValue({ maxDepth: 3 })),
  name: fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("__proto__", "constructor", "")),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(value: unknown, { turns, how, value: odd, name }: Change): unknown {
  const [turn = 0, ...rest] = turns;
  if (typeof value !== "object" || value === null) return odd;
  const keys = Object.keys(value);
  const key = keys[turn % Math.max(keys.length, 1)];
  if (key === undefined) return odd;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  if (rest.length > 0 && typeof copy[key] === "object" && copy[key] !== null) {
    copy[key] = changed(copy[key], { turns: rest, how, value: odd, name });
  } else if (how === "replace") copy[key] = odd;
  else if (how === "remove") delete copy[key];
  else if (how === "add") define(copy, name, odd);
  else {
    const value = copy[key];
    delete copy[key];
    define(copy, name, value);
  }
  return copy;
}

/** Also when the name is `__proto__`, which an assignment would not add. */
function define(object: object, name: string, value: unknown): void {
  const how = { enumerable: true, configurable: true, writable: true };
  if (!Array.isArray(object)) Object.defineProperty(object, name, { ...how, value });
}

/** A change of a body's bytes. */
const garble = fc.record({
  at: fc.nat(),
  how: fc.constantFrom("cut", "flip", "repeat", "deepen"),
});

function garbled(text: string, { at, how }: { at: number; how: string }): Uint8Array {
  const bytes = Buffer.from(text);
  const place = at % Math.max(bytes.length, 1);
  if (how === "cut") return bytes.subarray(0, place);
  if (how === "repeat") return Buffer.concat([bytes, bytes.subarray(place)]);
  if (how === "deepen") return Buffer.from(`${"[".repeat(place)}${text}${"]".repeat(place)}`);
  const copy = Buffer.from(bytes);
  copy[place] = (copy[place] ?? 0) ^ 0x80;
  return copy;
}

const contentTypes = fc.constantFrom(
  ...["application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data"],
  ...["application/x-www-form-urlencoded", "application/vnd.api+json", "x/y;;", ""],
);

const headers = fc.dictionary(
  fc.constantFrom(
    ...["Authorization", "Idempotency-Key", "If-None-Match", "X-Forwarded-For", "X-Request-Id"],
    ...["X-Svc-Owner-Signature", "Accept", "Origin"],
  ),
  fc.oneof(
    fc.stringMatching(/^[\x21-\x7e]{0,60}$/),
    fc.constantFrom("*", 'W/"', "Bearer ", "Bearer svc_live_", "Bearer a.b.c", "::ffff:1.2.3.4, x"),
  ),
  { maxKeys: 3 },
);

/** Every answer is a success or a refusal from the catalogue. */
async function expectNoFault(response: Response, context: unknown) {
  const text = await response.text();
  if (response.status < 400) return;
  if (response.status >= 500)
    throw new Error(`${response.status} ${text} to ${describeIt(context)}`);
  const { error } = JSON.parse(text) as { error: { code: number; type: string } };
  expect(error.code).toBe(response.status);
  expect(Object.keys(errorCatalogue)).toContain(error.type);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("X-RateLimit-Limit")).toMatch(/^[0-9]+$/);
}

const describeIt = (context: unknown) => JSON.stringify(context)?.slice(0, 2_000);

describe("a request that is almost right", () => {
  it("exists for every operation that takes a body", async () => {
    for (const sample of samples) {
      const { method, path, body } = sample;
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { ...credential(sample), "Content-Type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      // Some end in a refusal (an unknown code, no session), but none as malformed.
      expect([path, response.status]).not.toEqual([path, 400]);
      await expectNoFault(response, path);
    }
  });

  it(
    "never makes the service fail with any error in its body",
    async () => {
      const posts = samples.filter(({ body }) => body !== undefined);
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.array(change, { minLength: 1, maxLength: 3 }),
          fc.option(garble),
          fc.oneof({ weight: 4, arbitrary: fc.constant("application/json") }, contentTypes),
          headers,
          async (turn, changes, bytes, contentType, sent) => {
            const sample = posts[turn % posts.length] as Sample;
            const { path, body } = sample;
            const wrong = changes.reduce<unknown>((value, one) => changed(value, one), body);
            const text = JSON.stringify(wrong) ?? "";
            const response = await fetch(`${service.url}${path}`, {
              method: "POST",
              headers: { ...credential(sample), ...sent, "Content-Type": contentType },
              body: bytes === null ? text : new Uint8Array(garbled(text, bytes)),
            });
            await expectNoFault(response, { path, wrong, bytes, contentType, sent });
          },
        ),
        { numRuns },
      );
    },
    LONG_MS,
  );

  it(
    "never makes the service fail with any error in its path, query and headers",
    async () => {
      const gets = samples.filter(({ method }) => method === "GET");
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.nat(),
          fc.oneof(oddity.map(String), fc.string({ maxLength: 40 })),
          fc.constantFrom("segment", "query", "parameter", "name", "append", "raw"),
          fc.constantFrom("GET", "GET", "GET", "HEAD", "DELETE", "PUT", "POST", "PATCH", "OPTIONS"),
          headers,
          async (turn, place, odd, how, method, sent) => {
            const sample = gets[turn % gets.length] as Sample;
            const { path } = sample;
            const [pathname = "", query = ""] = path.split("?");
            const segments = pathname.split("/");
            const text = encodeURIComponent(odd.replace(/\p{Surrogate}/gu, ""));
            if (how === "segment") segments[1 + (place % (segments.length - 1))] = text;
            if (how === "append") segments.push(text);
            if (how === "raw") segments[segments.length - 1] += "%ff%fe%";
            const pairs = query.split("&").map((pair) => pair.split("="));
            const pair = pairs[place % pairs.length] ?? [];
            if (how === "parameter") pair[1] = text;
            if (how === "name") pair[0] = text;
            const mutated = pairs.map((parts) => parts.join("=")).join("&");
            const asked = how === "query" ? `minBlock=${text}&minBlock=${text}` : mutated;
            const url = `${service.url}${segments.join("/")}?${asked}`;
            const headers = { ...credential(sample), ...sent };
            const response = await fetch(url, { method, headers });
            if (method === "HEAD" || method === "OPTIONS") {
              expect([url, response.status < 500]).toEqual([url, true]);
            } else await expectNoFault(response, { url, method, sent });
          },
        ),
        { numRuns },
      );
    },
    LONG_MS,
  );
});
