import { describe, expect, it } from "vitest";
import type { Caller } from "../../../../api/kernel/callers.ts";
import { ApiError, errorBody, errorCatalogue } from "../../../../api/kernel/errors.ts";
import { openApiDocument } from "../../../../api/platform/http/openapi.ts";
import { refuseUnknownParameters } from "../../../../api/platform/http/parameters.ts";
import { testApp, testDeps } from "../../helpers.ts";

// Rules for every route: the encoding of its URL, its parameters and its methods.

const REQUEST_ID = "request-0001";

const CALLERS: Readonly<Record<string, Caller>> = {
  full: { kind: "full", id: "key", tokenId: 1n, epoch: 1, suspended: false },
  session: {
    kind: "session",
    id: "session",
    sessionId: "5b6f8a52-0000-4000-8000-000000000002",
    owner: `0x${"1".repeat(40)}`,
    agentId: null,
  },
};

const app = testApp({
  access: {
    authenticate: async (authorization) => {
      const caller = CALLERS[authorization ?? ""] ?? { kind: "anonymous" };
      return { caller, account: null };
    },
    authorise: testDeps().access.authorise,
  },
});

interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Documented {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly [access: `x-${string}`]: unknown;
}

const document = openApiDocument(app, new URL("http://127.0.0.1:8787"));
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Documented>).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{.+?\}/g, "1"),
    operation,
  })),
);

/**
 * Links to archived files are shared with added parameters, and monitors add parameters to probes.
 */
const LENIENT = new Set(["getArchivedContent", "getArchivedItem", "getHealth", "getReady"]);
const strict = operations.filter(({ operation }) => !LENIENT.has(operation.operationId));

async function ask(path: string, init: RequestInit = {}) {
  const headers = { "X-Request-Id": REQUEST_ID, ...(init.headers as Record<string, string>) };
  const response = await app.request(path, { ...init, headers });
  const text = await response.text();
  return { response, status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const refusal = (issues: readonly object[], others: object = {}) => ({
  error: {
    code: 400,
    type: "INVALID_REQUEST",
    message: errorCatalogue.INVALID_REQUEST.title,
    details: { issues, ...others, requestId: REQUEST_ID },
  },
});

describe("the encoding of a URL", () => {
  it.each([
    ["/v1/chronicle/aurora?changeType=%00", "changeType", "The query contains U+0000."],
    ["/v1/profile/aurora?a%00b=1", "", "The query contains U+0000."],
    ["/v1/agents?owner=%ff", "owner", "The query is not percent-encoded UTF-8."],
    ["/v1/agents?owner=%", "owner", "The query is not percent-encoded UTF-8."],
    ["/v1/agents?owner=%ED%A0%80", "owner", "The query is not percent-encoded UTF-8."],
    ["/v1/profile/aur%00ora", "", "The path contains U+0000."],
    ["/v1/profile/%ff%fe", "", "The path is not percent-encoded UTF-8."],
    ["/agents/%", "", "The path is not percent-encoded UTF-8."],
    ["/no/such/route/%00", "", "The path contains U+0000."],
    ["/metrics?x=%00", "x", "The query contains U+0000."],
  ])("is refused in %s", async (url, path, message) => {
    expect(await ask(url)).toMatchObject({ status: 400, body: refusal([{ path, message }]) });
  });

  it("is reported once for each invalid parameter", async () => {
    const { body } = await ask("/v1/agents?owner=%00&operator=%zz&limit=5");
    expect(body).toEqual(
      refusal([
        { path: "owner", message: "The query contains U+0000." },
        { path: "operator", message: "The query is not percent-encoded UTF-8." },
      ]),
    );
  });

  it.each(operations)("is checked for $name", async ({ method, path }) => {
    const { status, body } = await ask(`${path}?x=%00`, { method });
    expect([status, body.error.details.issues]).toEqual([
      400,
      [{ path: "x", message: "The query contains U+0000." }],
    ]);
  });
});

describe("a query parameter that an operation does not know", () => {
  it.each(strict)("is refused by $name, which says what it accepts", async (documented) => {
    const { method, path, operation } = documented;
    const accepted = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === "query")
      .map(({ name }) => name);
    const takes = accepted.length === 0 ? "none" : accepted.join(", ");
    const authorization = operation["x-svc-access"] === "session" ? "session" : "full";
    const { status, body } = await ask(`${path}?ownr=0x1`, { method, headers: { authorization } });
    expect([status, body]).toEqual([
      400,
      refusal(
        [
          {
            path: "ownr",
            message: `Unknown query parameter. This operation accepts: ${takes}.`,
          },
        ],
        { acceptedParameters: accepted },
      ),
    ]);
  });

  it("is refused with any name, which the error shows shortened", () => {
    const issuesOf = (query: string) => {
      try {
        refuseUnknownParameters(`http://127.0.0.1/v1/agents?${query}`, ["owner"]);
      } catch (error) {
        if (error instanceof ApiError) return error.details?.issues;
      }
      return null;
    };
    expect(issuesOf("owner=1&owner=2")).toBeNull();
    expect(issuesOf("")).toBeNull();
    const message = "Unknown query parameter. This operation accepts: owner.";
    expect(issuesOf("__proto__=1")).toEqual([{ path: "__proto__", message }]);
    expect(issuesOf("Owner&=1")).toEqual([
      { path: "Owner", message },
      { path: "", message },
    ]);
    expect(issuesOf("x".repeat(100))).toEqual([{ path: `${"x".repeat(64)}…`, message }]);
  });

  it.each(["/health", "/ready", "/metrics"])(
    "is ignored by %s, because monitors add parameters",
    async (path) => {
      const socket = { remoteAddress: "127.0.0.1", remotePort: 1, remoteFamily: "IPv4" };
      const probed = await testApp().request(
        `${path}?probe=1&cache-buster=`,
        {},
        { incoming: { socket } },
      );
      expect(probed.status).toBe(200);
    },
  );

  it("is ignored by pages and archived files, because links to them are shared", async () => {
    const archived = testApp({ archive: { read: async () => null } as never });
    const id = "A".repeat(43);
    expect((await archived.request(`/ar/${id}?utm_source=mail`)).status).toBe(404);
    const nothing = { at: { block: 1n, timestamp: 1n }, value: { agents: [], next: null } };
    const searching = testApp({
      agentList: { explore: async () => nothing } as never,
      unclaimed: async () => null,
    });
    const page = await searching.request("/agents?name=aurora&utm_source=mail");
    expect([page.status, page.headers.get("location")]).toEqual([303, "/agents?q=aurora"]);
  });
});

describe("an encoded body", () => {
  const taking = operations.filter(({ operation }) => operation["x-svc-body-bytes"] !== 0);

  it.each(taking)("is refused by $name", async ({ method, path, operation }) => {
    const authorization = operation["x-svc-access"] === "session" ? "session" : "full";
    const headers = { authorization, "Content-Encoding": "gzip", "Content-Type": "text/plain" };
    const { status, body } = await ask(path, { method, headers, body: "x" });
    expect([status, body]).toEqual([
      415,
      {
        error: {
          code: 415,
          type: "UNSUPPORTED_MEDIA_TYPE",
          message: "Bodies are not decoded: send this one without Content-Encoding.",
          details: { contentEncoding: "gzip", requestId: REQUEST_ID },
        },
      },
    ]);
  });

  it("is taken with the encoding identity", async () => {
    const headers = { "Content-Encoding": "Identity", "Content-Type": "application/json" };
    const { status, body } = await ask("/v1/webhooks", {
      method: "POST",
      headers: { ...headers, authorization: "full" },
      body: "{}",
    });
    expect([status, body.error.type]).toEqual([400, "INVALID_REQUEST"]);
  });
});

describe("a method that a path does not take", () => {
  it.each([
    ["POST", "/v1/profile/aurora", "GET, HEAD, OPTIONS"],
    ["GET", "/v1/register", "POST, OPTIONS"],
    ["HEAD", "/v1/register", "POST, OPTIONS"],
    ["DELETE", "/v1/register/claim", "GET, POST, HEAD, OPTIONS"],
    ["GET", "/v1/webhooks/1", "PATCH, DELETE, OPTIONS"],
    ["PATCH", "/v1/did/aurora", "GET, PUT, HEAD, OPTIONS"],
    ["GET", "/v1/claim", "POST, OPTIONS"],
    ["PUT", "/v1/evolution/aurora", "GET, HEAD, OPTIONS"],
    ["POST", "/metrics", "GET, HEAD, OPTIONS"],
    ["POST", "/", "GET, HEAD, OPTIONS"],
    ["PURGE", "/health", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 with Allow: %s", async (method, path, allow) => {
    const { response, status, body } = await ask(path, { method });
    expect([status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const message = `This path does not take ${method}. It takes ${allow}.`;
    const details = { allowedMethods: allow.split(", "), requestId: REQUEST_ID };
    const error = { code: 405, type: "METHOD_NOT_ALLOWED", message, details };
    expect(body).toEqual(method === "HEAD" ? null : { error });
  });

  it.each(operations)("is in Allow of $name when it is supported", async ({ method, path }) => {
    const { response, status, body } = await ask(path, { method: "OPTIONS" });
    expect([status, body]).toEqual([204, null]);
    expect(response.headers.get("allow")?.split(", ")).toContain(method);
  });

  it("is NOT_FOUND for an unknown path, also for OPTIONS", async () => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const { response, status, body } = await ask("/v1/nothing/here", { method });
      expect([status, body.error.type]).toEqual([404, "NOT_FOUND"]);
      expect(response.headers.get("allow")).toBeNull();
    }
  });
});

describe("a list in an error", () => {
  it("has at most 20 entries, and names the total", () => {
    const issues = Array.from({ length: 57 }, (_, index) => ({ path: `x${index}`, message: "?" }));
    const sent = (list: readonly object[]) =>
      errorBody(new ApiError("INVALID_REQUEST", { details: { issues: list } }), "r").error.details;
    expect(sent(issues)).toEqual({
      issues: issues.slice(0, 20),
      issuesTotal: 57,
      requestId: "r",
    });
    expect(sent(issues.slice(0, 20))).toEqual({ issues: issues.slice(0, 20), requestId: "r" });
  });

  it("is cut for a body with a thousand unknown keys", async () => {
    const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]));
    const { status, body } = await ask("/v1/tools/verify-hash", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(keys),
    });
    expect([status, body.error.details.issues.length]).toEqual([400, 20]);
    expect(body.error.details.issuesTotal).toBeGreaterThanOrEqual(1000);
  });
});

describe("an id in an error's details", () => {
  it("is an integer, and an amount a decimal string", () => {
    const details = { tokenId: 7n, minBlock: 9n, id: 3n, gas: 5n, ownerId: 2n ** 60n };
    expect(errorBody(new ApiError("NOT_FOUND", { details }), "r").error.details).toEqual({
      tokenId: 7,
      minBlock: 9,
      id: 3,
      gas: "5",
      ownerId: "1152921504606846976",
      requestId: "r",
    });
  });
});
