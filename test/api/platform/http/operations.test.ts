import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createRoute } from "@hono/zod-openapi";
import { describe, expect, it, vi } from "vitest";
import { operations } from "../../../../api/features.ts";
import { errorCatalogue } from "../../../../api/kernel/errors.ts";
import { everyRequest } from "../../../../api/platform/http/answers/every-request.ts";
import { isKeepable } from "../../../../api/platform/http/cache-rules.ts";
import { requestContext } from "../../../../api/platform/http/context.ts";
import type { Gate } from "../../../../api/platform/http/env.ts";
import { errorHandler, notFoundHandler } from "../../../../api/platform/http/error-handler.ts";
import {
  errorsOfRules,
  provideGate,
  rulesAmong,
  rulesOf,
} from "../../../../api/platform/http/guard.ts";
import { openApiDocument } from "../../../../api/platform/http/openapi.ts";
import type { OperationRules } from "../../../../api/platform/http/operations.ts";
import { BODY_BYTES, FIRST_RELEASE, SUNSET } from "../../../../api/platform/http/operations.ts";
import { createRouter, errorResponses } from "../../../../api/platform/http/router.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { testApp, testDeps } from "../../helpers.ts";

interface DocumentedOperation {
  readonly operationId?: string;
  readonly deprecated?: boolean;
  readonly security?: unknown;
  readonly requestBody?: unknown;
  readonly responses: Record<string, { description: string }>;
  readonly [extension: `x-${string}`]: unknown;
}

const app = testApp();
const document = openApiDocument(app, new URL("http://127.0.0.1:8787"));

const documented = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    route: `${method.toUpperCase()} ${path.replaceAll(/\{(.+?)\}/g, ":$1")}`,
    operation: operation as DocumentedOperation,
  })),
);

const table: Record<string, OperationRules> = operations;

/** A former path follows the rules of the operation that replaced it. */
const rulesOfDocumented = ({ operationId }: DocumentedOperation) =>
  table[(operationId ?? "").replace(/Legacy[0-9]*$/, "")];

/** For operators alone; in no document. */
const OPERATORS = ["GET /metrics"];

/** Browser pages and their files; in no document either. */
const pages = app.routes.flatMap(({ method, path, handler }) => {
  const rules = rulesAmong([handler]);
  return rules?.answers === undefined ? [] : [{ route: `${method} ${path}`, rules }];
});

const ROOT = join(import.meta.dirname, "../../../..");
/** Where a feature takes the connection that may lead to a replica. */
const READS_POOL = /\breads\.pool\b/;
const sourceFiles = () =>
  ["api", "web"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join(ROOT, folder, path)),
  );

describe("the table of operations", () => {
  it("has a row for every operation, and an operation for every row", () => {
    const current = documented.filter(({ operation }) => !operation.deprecated);
    const ids = current.map(({ operation }) => operation.operationId).toSorted();
    const rows = Object.entries(table).filter(([, { answers }]) => answers === undefined);
    expect(ids).toEqual(rows.map(([id]) => id).toSorted());
  });

  it("has a row for every page, and a page for every row", () => {
    const rows = Object.values(table).filter(({ answers }) => answers !== undefined);
    expect(pages).toHaveLength(rows.length);
    expect(new Set(pages.map(({ rules }) => rules))).toEqual(new Set(rows));
    for (const { route, rules } of pages) {
      // The token in the path of this form's page is the credential.
      const isForm = route === "POST /confirm-mail/:token";
      if (!isForm) expect(route).toMatch(/^GET /);
      expect(rules).toMatchObject({
        access: "none",
        effect: isForm ? "writes" : "reads",
        origins: "own",
        cache: isForm ? "never" : rules.cache,
        bodyBytes: 0,
      });
    }
  });

  it("takes the console's cookie where an owner's session acts, and on the console's pages", () => {
    const bySession = ["any-key", "agent", "session", "agent-or-signature", "session-or-signature"];
    const expected = Object.entries(table).filter(([, { access }]) => bySession.includes(access));
    const shown = [
      ...["showAccessPage", "showDisclosuresPage", "showDisclosureRequestPage"],
      ...["showConsolePage", "showConsoleAgentPage", "showConsoleSectionPage"],
    ];
    const taking = Object.entries(table).filter(([, rules]) => rules.console === true);
    expect(taking.map(([id]) => id).toSorted()).toEqual(
      [...expected.map(([id]) => id), ...shown].toSorted(),
    );
  });

  it("lets a replica answer these reads of public lists, and nothing else", () => {
    const onReplica = Object.entries(table).filter(([, { reads }]) => reads === "replica");
    expect(onReplica.map(([id]) => id).toSorted()).toEqual([
      "getAlignment",
      "getBindingHistory",
      "getOrganization",
      "getOrganizationStats",
      "getSitemapPart",
      "listAgents",
      "listBindings",
      "listEvents",
      "listOrganizations",
    ]);
    for (const [id, rules] of onReplica) {
      expect({ id, ...rules }).toMatchObject({ id, access: "none", effect: "reads", rate: "read" });
    }
  });

  it("gives the replica's connection to stores of lists, and to nothing that decides", () => {
    const users = sourceFiles().filter((path) => READS_POOL.test(readFileSync(path, "utf8")));
    expect(users.map((path) => relative(ROOT, path)).toSorted()).toEqual([
      "api/features/alignment/build.ts",
      "api/features/bindings/build.ts",
      "api/features/events/build.ts",
      "api/features/organizations/build.ts",
      "api/features/profile/build.ts",
      "web/sharing/build.ts",
    ]);
  });

  it("covers every route that answers", () => {
    const answering = app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path}`);
    const known = new Set([...[...documented, ...pages].map(({ route }) => route), ...OPERATORS]);
    expect(new Set(answering)).toEqual(known);
  });

  it("refuses to mount a route without a row", () => {
    const route = createRoute({
      method: "get",
      path: "/x",
      operationId: "unheardOf",
      responses: { 200: { description: "x" } },
    });
    expect(() => createRouter().openapi(route, (c) => c.body(null, 200))).toThrow(
      new Error(
        "The operation unheardOf has no rules: add it to its feature's operation-rules.ts.",
      ),
    );
    const inherited = { ...route, operationId: "toString" };
    expect(() => createRouter().openapi(inherited, (c) => c.body(null, 200))).toThrow(
      "The operation toString has no rules",
    );
  });

  it.each(documented)(
    "lists the rules of $name and every error that they cause",
    ({ operation }) => {
      const rules = rulesOfDocumented(operation);
      if (rules === undefined) throw new Error("not in the table");
      expect(operation["x-svc-access"]).toBe(rules.access);
      expect(operation["x-svc-rate-category"]).toBe(rules.rate);
      expect(operation["x-svc-cache"]).toBe(rules.cache);
      expect(operation["x-svc-body-bytes"]).toBe(rules.bodyBytes);
      expect(operation["x-svc-idempotent"]).toBe(rules.idempotent);
      expect(operation["x-svc-reads"]).toBe(rules.reads ?? "primary");
      for (const type of [...errorsOfRules(rules), "RATE_LIMIT_EXCEEDED", "INTERNAL"] as const) {
        expect(operation.responses[errorCatalogue[type].status]?.description).toContain(
          `\`${type}\`: ${errorCatalogue[type].title}`,
        );
      }
    },
  );

  it.each(documented)("has consistent rules for $name", ({ name, operation }) => {
    const rules = rulesOfDocumented(operation);
    if (rules === undefined) throw new Error("not in the table");
    const isGet = name.startsWith("GET ");
    if (isGet) expect(rules.effect).toBe("reads");
    // Many clients drop the body of a DELETE. Only an owner's signature may come in one, because a
    // header takes it too.
    const isDelete = name.startsWith("DELETE ");
    const isSigned = rules.access === "signature" || rules.access === "session-or-signature";
    // A POST that anyone may send can say everything by its path.
    const isPathOnly = rules.access === "none" && operation.requestBody === undefined;
    const hasBody = !isGet && !isPathOnly && (!isDelete || isSigned);
    expect(rules.bodyBytes > 0).toBe(hasBody);
    // Answers that depend on the caller, or that act, are not cached. Cacheable answers have an
    // ETag.
    const mayBeKept = isGet && rules.access === "none";
    if (!mayBeKept) expect(rules.cache).toBe("never");
    expect("304" in operation.responses).toBe(isGet && isKeepable(rules.cache));
    // Only public answers are readable from any origin.
    if (rules.origins === "any") expect(rules).toMatchObject({ access: "none", effect: "reads" });
    // A POST that changes data is idempotent by its key; other methods state the resulting
    // state themselves.
    const isPost = name.startsWith("POST ");
    if (isPost && rules.effect === "writes" && rules.access !== "none") {
      // Except where that would store what must not be stored.
      expect(rules.idempotent).toBe(rules.holdsValues !== true);
    }
  });
});

const route = (operationId: string, method: "get" | "post", path: string) =>
  createRoute({
    method,
    path,
    operationId,
    responses: { 200: { description: "Well." }, ...errorResponses() },
  });

const publicRules: OperationRules = { ...operations.getProfile };

/** An app with one operation and the rules that a test gives it. */
function sample(
  rules: Partial<OperationRules>,
  gate: Partial<Gate> = {},
  answer: () => Response = () => Response.json({ well: true }),
  method: "get" | "post" = "get",
) {
  const log = createLog("silent");
  const routes = createRouter({ sample: { ...publicRules, ...rules } });
  const reached: (OperationRules | undefined)[] = [];
  routes.openapi(route("sample", method, "/current/{id}"), (c) => {
    reached.push(rulesOf(c));
    return answer();
  });
  const app = createRouter();
  app.onError(errorHandler(log));
  app.notFound(notFoundHandler(app));
  app.use(everyRequest([requestContext(log), provideGate({ ...testDeps(), ...gate })]));
  app.route("/v1", routes);
  return { app, reached };
}

describe("a former path", () => {
  it("answers like the current one, and names its end", async () => {
    const { app, reached } = sample({ legacyPaths: ["/former/{id}", "/ancient/{id}"] });
    const [current, former, ancient] = await Promise.all(
      ["current", "former", "ancient"].map((name) => app.request(`/v1/${name}/7`)),
    );
    expect(await former?.json()).toEqual({ well: true });
    expect(await ancient?.json()).toEqual(await current?.json());
    expect(reached).toHaveLength(3);
    expect(current?.headers.get("Deprecation")).toBeNull();
    expect(current?.headers.get("Sunset")).toBeNull();
    for (const response of [former, ancient]) {
      expect(response?.headers.get("Deprecation")).toBe(`@${FIRST_RELEASE.getTime() / 1000}`);
      expect(response?.headers.get("Sunset")).toBe(SUNSET.toUTCString());
    }
    expect(SUNSET.getUTCFullYear() - FIRST_RELEASE.getUTCFullYear()).toBe(1);
    expect(dayOf(SUNSET)).toEqual(dayOf(FIRST_RELEASE));
  });

  it("names its end in refusals too", async () => {
    const { app, reached } = sample({ access: "agent", legacyPaths: ["/former/{id}"] });
    const response = await app.request("/v1/former/7");
    expect(response.status).toBe(401);
    expect(response.headers.get("Sunset")).toBe(SUNSET.toUTCString());
    expect(reached).toEqual([]);
  });

  it("takes an Idempotency-Key as that of the current one", async () => {
    const scopes: string[] = [];
    const { begin } = testDeps().idempotency;
    const idempotency: Gate["idempotency"] = {
      begin: (request) => {
        scopes.push(request.route);
        return begin(request);
      },
    };
    const { app } = sample(
      { effect: "writes", idempotent: true, legacyPaths: ["/former/{id}", "/ancient/{id}"] },
      { idempotency },
      undefined,
      "post",
    );
    const headers = { "Idempotency-Key": "0123456789abcdef" };
    for (const path of ["/v1/current/7", "/v1/former/7", "/v1/ancient/7", "/v1/current/8"]) {
      expect((await app.request(path, { method: "POST", headers })).status).toBe(200);
    }
    const scope = (id: number) => `POST /v1/current/:id [["id","${id}"]]`;
    expect(scopes).toEqual([scope(7), scope(7), scope(7), scope(8)]);
  });

  it("is marked as deprecated in the document", () => {
    const { app } = sample({ legacyPaths: ["/former/{id}", "/ancient/{id}"] });
    const { paths } = openApiDocument(app, new URL("http://127.0.0.1:8787"));
    expect(paths?.["/v1/current/{id}"]?.get?.deprecated).toBeUndefined();
    expect(paths?.["/v1/former/{id}"]?.get).toMatchObject({
      deprecated: true,
      operationId: "sampleLegacy",
    });
    expect(paths?.["/v1/ancient/{id}"]?.get).toMatchObject({
      deprecated: true,
      operationId: "sampleLegacy2",
    });
  });
});

function dayOf(date: Date) {
  return [date.getUTCMonth(), date.getUTCDate()];
}

describe("caching", () => {
  it("follows the rule, and errors are never cached", async () => {
    const { app } = sample({ cache: "revalidate" });
    const response = await app.request("/v1/current/1");
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    const failing = sample({ cache: "revalidate" }, {}, () => {
      throw new Error("inner");
    });
    const failed = await failing.app.request("/v1/current/1");
    expect(failed.status).toBe(500);
    expect(failed.headers.get("Cache-Control")).toBe("no-store");
  });

  it("answers 304 to a client with a current copy", async () => {
    const { app } = sample({ cache: "profile" });
    const first = await app.request("/v1/current/1");
    const etag = first.headers.get("ETag") ?? "";
    expect(first.headers.get("Cache-Control")).toBe("max-age=60, stale-while-revalidate=300");
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{27}"$/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await app.request("/v1/current/1", { headers: { "If-None-Match": held } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      expect(again.headers.get("ETag")).toBe(etag);
      expect(again.headers.get("Content-Type")).toBeNull();
      expect(again.headers.get("Cache-Control")).toBe("max-age=60, stale-while-revalidate=300");
      expect(again.headers.get("X-RateLimit-Limit")).toBe("1000");
    }
    const other = await app.request("/v1/current/1", { headers: { "If-None-Match": '"other"' } });
    expect(other.status).toBe(200);
  });

  it("stores no copy of an uncacheable answer", async () => {
    const { app } = sample({ cache: "never" });
    const response = await app.request("/v1/current/1", { headers: { "If-None-Match": "*" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("ETag")).toBeNull();
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("reads of an operation", () => {
  /** What a replica was asked to show, for each request that may read it. */
  function sampleWithReplica(
    rules: Partial<OperationRules>,
    position = async () => "w1" as string,
  ) {
    const asked: unknown[] = [];
    const reads: Gate["reads"] = {
      position,
      within(after, work) {
        asked.push(after);
        return work();
      },
    };
    return { asked, ...sample({ ...rules, cache: "never" }, { reads }) };
  }

  it("may go to a replica that shows the caller's last write", async () => {
    const { app, asked } = sampleWithReplica({ reads: "replica" });
    const ask = (path: string, position?: string) =>
      app.request(path, position === undefined ? {} : { headers: { "X-Svc-Position": position } });
    const first = await ask("/v1/current/7");
    expect([first.status, first.headers.get("X-Svc-Position")]).toEqual([200, null]);
    await ask("/v1/current/7", "w000000000000002a");
    expect(asked).toEqual(["recent", { position: 42n }]);
    // What the primary alone can tell: an invalid position, and a block that its index waits for.
    await ask("/v1/current/7", "w2a");
    await ask("/v1/current/7", "W000000000000002A");
    await ask("/v1/current/7?minBlock=1");
    expect(asked).toHaveLength(2);
  });

  it("go to the primary where the rules say nothing", async () => {
    const { app, asked } = sampleWithReplica({});
    await app.request("/v1/current/7", { headers: { "X-Svc-Position": "w000000000000002a" } });
    expect(asked).toEqual([]);
  });

  it("are named by writes, and as unknown when the position cannot be read", async () => {
    const position = vi
      .fn<() => Promise<string>>()
      .mockResolvedValueOnce("w000000000000002a")
      .mockRejectedValueOnce(new Error("down"));
    const { app } = sampleWithReplica({ effect: "writes" }, position);
    const named = async () => (await app.request("/v1/current/7")).headers.get("X-Svc-Position");
    expect([await named(), await named()]).toEqual(["w000000000000002a", "wffffffffffffffff"]);
  });
});

describe("the body of an operation", () => {
  it("is limited by its row", async () => {
    const { app, reached } = sample({ bodyBytes: 4, cache: "never" }, {}, undefined, "post");
    const send = (body: string) => app.request("/v1/current/1", { method: "POST", body });
    expect((await send("1234")).status).toBe(200);
    const refused = await send("12345");
    expect(await refused.json()).toMatchObject({
      error: { code: 413, type: "PAYLOAD_TOO_LARGE", details: { limitBytes: 4 } },
    });
    expect(reached).toHaveLength(1);
    expect(operations.registerAgent.bodyBytes).toBe(BODY_BYTES);
  });
});

describe("cross-origin access", () => {
  const evil = { Origin: "https://elsewhere.example" };
  const preflight = (path: string, method: string, origin: string) =>
    app.request(path, {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Method": method },
    });

  it("is open for public reads and for nothing else", async () => {
    const seen = await Promise.all(
      documented.map(async ({ name, operation }) => {
        const [method = "", path = ""] = name.split(" ");
        const response = await preflight(path.replaceAll(/\{.+?\}/g, "1"), method, evil.Origin);
        expect(response.status).toBe(204);
        const origins = rulesOfDocumented(operation)?.origins;
        return [name, response.headers.get("Access-Control-Allow-Origin"), origins];
      }),
    );
    for (const [name, allowed, origins] of seen) {
      expect([name, allowed]).toEqual([name, origins === "any" ? "*" : null]);
    }
    expect(seen.some(([, allowed]) => allowed === "*")).toBe(true);
    expect(seen.some(([, allowed]) => allowed === null)).toBe(true);
  });

  it("allows every operation to the service's own origin", async () => {
    const own = "http://127.0.0.1:8787";
    for (const [path, method] of [
      ["/api/v1/auth/challenge", "POST"],
      ["/v1/profile/aurora", "GET"],
      ["/v1/nothing-here", "GET"],
    ] as const) {
      const response = await preflight(path, method, own);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe(own);
    }
  });
});
