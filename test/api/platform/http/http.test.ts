import { createRoute, z } from "@hono/zod-openapi";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { describe, expect, it } from "vitest";
import { ApiError, errorBody, errorCatalogue } from "../../../../api/kernel/errors.ts";
import { everyRequest } from "../../../../api/platform/http/answers/every-request.ts";
import { readBody } from "../../../../api/platform/http/bodies/body.ts";
import { requestContext } from "../../../../api/platform/http/context.ts";
import type { AppEnv } from "../../../../api/platform/http/env.ts";
import { errorHandler, notFoundHandler } from "../../../../api/platform/http/error-handler.ts";
import { BODY_BYTES, UPLOAD_BYTES } from "../../../../api/platform/http/operations.ts";
import { createRouter, errorResponses, jsonBody } from "../../../../api/platform/http/router.ts";
import {
  AddressSchema,
  AgentIdParam,
  AgentIdSchema,
  AmountSchema,
  Hex32Schema,
  idNumber,
  NameOrTokenIdParam,
  NameParam,
} from "../../../../api/platform/http/schemas.ts";
import { ProtocolError } from "../../../../protocol/errors.ts";
import { capturedLog, testApp } from "../../helpers.ts";

class SampleProtocolError extends ProtocolError {
  override readonly name = "SampleProtocolError";
  constructor(readonly code: string) {
    super("The sample is not right.");
  }
}

const SECRET = "hunter2-in-the-inner-message";
const REQUEST_ID = "request-0001";

const echo = createRoute({
  method: "post",
  path: "/echo/{name}",
  request: {
    params: z.object({ name: NameParam }),
    body: jsonBody(
      z.strictObject({ address: AddressSchema, inner: z.strictObject({ n: z.int() }).optional() }),
    ),
  },
  responses: { 200: { description: "The body." }, ...errorResponses("INVALID_REQUEST") },
});

function sampleApp() {
  const { log, lines, entries } = capturedLog();
  const app = createRouter();
  app.onError(errorHandler(log));
  app.notFound(notFoundHandler(app));
  app.use(everyRequest([requestContext(log)]));
  const [ordinary, upload] = [readBody(1024), readBody(2048)];
  app.use((c, next) => (c.req.path === "/files" ? upload : ordinary)(c, next));
  app.openapi(echo, (c) => c.json(c.req.valid("json"), 200));
  app.post("/same", async (c) => {
    const first: unknown = await c.req.json();
    const second: unknown = await c.req.json();
    return c.json(first === second);
  });
  app.post("/files", async (c) => c.text(String((await c.req.arrayBuffer()).byteLength)));
  const thrown: Record<string, unknown> = {
    api: new ApiError("TIER_TOO_LOW", { details: { tier: 1, big: 2n ** 70n, requestId: "mine" } }),
    limited: new ApiError("RATE_LIMIT_EXCEEDED", { retryAfter: 7 }),
    protocol: new SampleProtocolError("sample_code"),
    name: new SampleProtocolError("invalid_name"),
    http: new HTTPException(418, { message: SECRET }),
    plain: new Error(SECRET),
    behind: new ApiError("INDEX_BEHIND", {
      cause: new Error("outer", { cause: new Error("inner\nmore") }),
    }),
  };
  app.get("/throw/:what", (c) => {
    throw thrown[c.req.param("what")];
  });
  const request = (path: string, init: RequestInit = {}) =>
    app.request(path, {
      ...init,
      headers: { "X-Request-Id": REQUEST_ID, ...(init.headers as Record<string, string>) },
    });
  const post = (path: string, body: BodyInit | null, type = "application/json") =>
    request(path, { method: "POST", body, headers: { "Content-Type": type } });
  return { app, request, post, lines, entries };
}

const ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

async function expectError(response: Response, expected: Record<string, unknown>) {
  const body = (await response.json()) as unknown;
  expect(body).toEqual({ error: expected });
  expect(response.status).toBe(expected.code);
  expect(response.headers.get("X-Request-Id")).toBe(REQUEST_ID);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
}

describe("the error catalogue", () => {
  it("gives every row a body with its status, title and request id", () => {
    for (const [type, row] of Object.entries(errorCatalogue)) {
      const retry = "retryAfter" in row ? { retryAfter: row.retryAfter } : {};
      expect(errorBody(new ApiError(type as keyof typeof errorCatalogue), "r")).toEqual({
        error: {
          code: row.status,
          type,
          message: row.title,
          details: { requestId: "r" },
          ...retry,
        },
      });
    }
  });

  it("gives every temporary error a time to retry", () => {
    const hints = Object.entries(errorCatalogue).flatMap(([type, { status }]) =>
      status === 503 ? [[type, new ApiError(type as keyof typeof errorCatalogue).retryAfter]] : [],
    );
    expect(Object.fromEntries(hints)).toEqual({
      CHAIN_UNAVAILABLE: 2,
      STORAGE_UNAVAILABLE: 2,
      INDEX_BEHIND: 2,
      SERVICE_UNAVAILABLE: 2,
      REGISTRY_PENDING: 1,
    });
    expect(new ApiError("CHAIN_UNAVAILABLE", { retryAfter: 5 }).retryAfter).toBe(5);
  });
});

describe("a thrown error", () => {
  const cases = [
    {
      what: "api",
      error: {
        code: 403,
        type: "TIER_TOO_LOW",
        message: errorCatalogue.TIER_TOO_LOW.title,
        details: { tier: 1, big: (2n ** 70n).toString(), requestId: REQUEST_ID },
      },
    },
    {
      what: "protocol",
      error: {
        code: 400,
        type: "INVALID_REQUEST",
        message: "The sample is not right.",
        details: { code: "sample_code", requestId: REQUEST_ID },
      },
    },
    {
      what: "name",
      error: {
        code: 400,
        type: "INVALID_NAME",
        message: "The sample is not right.",
        details: { code: "invalid_name", requestId: REQUEST_ID },
      },
    },
    ...["http", "plain"].map((what) => ({
      what,
      error: {
        code: 500,
        type: "INTERNAL",
        message: errorCatalogue.INTERNAL.title,
        details: { requestId: REQUEST_ID },
      },
    })),
  ];
  it.each(cases)("answers $what from the catalogue", async ({ what, error }) => {
    await expectError(await sampleApp().request(`/throw/${what}`), error);
  });

  it("names the time to retry", async () => {
    const response = await sampleApp().request("/throw/limited");
    expect(response.headers.get("Retry-After")).toBe("7");
    await expectError(response, {
      code: 429,
      type: "RATE_LIMIT_EXCEEDED",
      message: errorCatalogue.RATE_LIMIT_EXCEEDED.title,
      details: { requestId: REQUEST_ID },
      retryAfter: 7,
    });
  });

  it("logs an unexpected error's inner message, and names it in the request's line", async () => {
    const { request, entries } = sampleApp();
    await request("/throw/plain?token=abc");
    expect(entries()).toMatchObject([
      { level: "error", requestId: REQUEST_ID, errorType: "INTERNAL", err: { message: SECRET } },
      { level: "info", method: "GET", route: "/throw/:what", status: 500, errorType: "INTERNAL" },
    ]);
  });

  it("logs a part that is away once, without a stack", async () => {
    const { request, entries, lines } = sampleApp();
    await request("/throw/behind");
    expect(entries()).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: "request",
        requestId: REQUEST_ID,
        route: "/throw/:what",
        status: 503,
        errorType: "INDEX_BEHIND",
        reason: "inner",
      }),
    ]);
    expect(lines.join()).not.toContain("stack");
  });

  it("answers NOT_FOUND on unknown routes", async () => {
    await expectError(await sampleApp().request("/nope"), {
      code: 404,
      type: "NOT_FOUND",
      message: "There is no such route.",
      details: { requestId: REQUEST_ID },
    });
  });
});

describe("a request id", () => {
  it.each(["short", "has space in it", "x".repeat(65), "line\tbreak-tab"])(
    "%j is replaced",
    async (id) => {
      const response = await testApp().request("/health", { headers: { "X-Request-Id": id } });
      expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe("a JSON body", () => {
  const invalid = (issues: unknown) => ({
    code: 400,
    type: "INVALID_REQUEST",
    message: errorCatalogue.INVALID_REQUEST.title,
    details: { issues, requestId: REQUEST_ID },
  });
  const simple = (message: string) => ({
    code: 400,
    type: "INVALID_REQUEST",
    message,
    details: { requestId: REQUEST_ID },
  });

  it("reaches the handler normalised", async () => {
    const { post } = sampleApp();
    const response = await post("/echo/Alice", JSON.stringify({ address: ADDRESS.toLowerCase() }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ address: ADDRESS });
  });

  it("is refused with every issue and its path", async () => {
    const { post } = sampleApp();
    const body = JSON.stringify({ address: "0x1", inner: { n: 1.5, x: 1 }, y: 2 });
    await expectError(
      await post("/echo/alice", body),
      invalid([
        { path: "address", message: "Not an address, or its checksum is wrong" },
        { path: "inner.n", message: "Invalid input: expected int, received number" },
        { path: "inner.x", message: "Unknown field" },
        { path: "y", message: "Unknown field" },
      ]),
    );
  });

  it("is refused when absent", async () => {
    await expectError(
      await sampleApp().request("/echo/alice", { method: "POST" }),
      invalid([{ path: "address", message: "Invalid input: expected string, received undefined" }]),
    );
  });

  it("is parsed once for all who read it", async () => {
    const { post } = sampleApp();
    expect(await (await post("/same", JSON.stringify({ address: ADDRESS }))).json()).toBe(true);
  });

  it("is refused when it does not parse", async () => {
    const { post } = sampleApp();
    await expectError(await post("/echo/alice", "{"), simple("The body does not parse."));
  });

  it("is refused when its UTF-8 is broken", async () => {
    const { post } = sampleApp();
    const bytes = Buffer.concat([Buffer.from('{"address":"'), Buffer.of(0xff), Buffer.from('"}')]);
    await expectError(
      await post("/echo/alice", bytes),
      simple("The request body is not valid UTF-8."),
    );
  });

  it.each([
    [
      "a key twice",
      `{"address":"${ADDRESS}","inner":{"n":1,"n":2}}`,
      "inner.n",
      "Invalid JSON at inner.n: a key appears twice in one object.",
    ],
    [
      "a number that would be rounded",
      `{"address":"${ADDRESS}","inner":{"n":9007199254740993}}`,
      "inner.n",
      "Invalid JSON at inner.n: a number cannot be represented exactly.",
    ],
    [
      "half a surrogate pair",
      '{"address":"\\ud800"}',
      "address",
      "Invalid JSON at address: a string is not valid Unicode.",
    ],
    [
      "a key that objects do not keep",
      `{"address":"${ADDRESS}","inner":{"__proto__":1}}`,
      "inner.__proto__",
      "Invalid JSON at inner.__proto__: __proto__ cannot be a key.",
    ],
    ["U+0000", '{"address":"\\u0000"}', "", "U+0000 cannot be kept in any text."],
    [
      "U+0000 behind an escaped backslash",
      '{"address":"\\\\\\u0000"}',
      "",
      "U+0000 cannot be kept in any text.",
    ],
    [
      "33 levels",
      `{"address":${"[".repeat(32)}${"]".repeat(32)}}`,
      `address${"[0]".repeat(31)}`,
      `Invalid JSON at address${"[0]".repeat(31)}: it is nested too deeply.`,
    ],
  ])("is refused with %s, at any depth", async (_what, body, path, message) => {
    await expectError(await sampleApp().post("/echo/alice", body), invalid([{ path, message }]));
  });

  it("may hold an escaped backslash before u0000, and 32 levels", async () => {
    for (const address of ['"\\\\u0000"', `${"[".repeat(31)}${"]".repeat(31)}`]) {
      const response = await sampleApp().post("/echo/alice", `{"address":${address}}`);
      const { error } = (await response.json()) as { error: { details: { issues: unknown } } };
      expect(error.details.issues).toMatchObject([{ path: "address" }]);
    }
  });

  it("of the greatest possible depth is refused without harm", async () => {
    const response = await testApp().request("/v1/typed-data/register", {
      method: "POST",
      body: `{"publicFields":{"soul.purpose":${"[".repeat(400_000)}${"]".repeat(400_000)}}}`,
      headers: { "Content-Type": "application/json" },
    });
    expect(response.status).toBe(400);
  });

  it("is refused with another content type", async () => {
    const { post } = sampleApp();
    await expectError(await post("/echo/alice", "{}", "text/plain"), {
      code: 415,
      type: "UNSUPPORTED_MEDIA_TYPE",
      message: errorCatalogue.UNSUPPORTED_MEDIA_TYPE.title,
      details: { requestId: REQUEST_ID },
    });
  });

  it("reports an invalid agent name as such", async () => {
    const { post } = sampleApp();
    await expectError(await post("/echo/-x-", JSON.stringify({ address: ADDRESS })), {
      code: 400,
      type: "INVALID_NAME",
      message: errorCatalogue.INVALID_NAME.title,
      details: { issues: [{ path: "name", message: "Not an agent name" }], requestId: REQUEST_ID },
    });
  });

  it("cannot be declared in a way that drops unknown keys", () => {
    const loose = z.strictObject({ list: z.array(z.object({ a: z.string() })) });
    expect(() => jsonBody(loose)).toThrow("body.list[] drops unknown keys");
  });
});

describe("the body limit", () => {
  const tooLarge = (limitBytes: number) => ({
    code: 413,
    type: "PAYLOAD_TOO_LARGE",
    message: errorCatalogue.PAYLOAD_TOO_LARGE.title,
    details: { limitBytes, requestId: REQUEST_ID },
  });
  const files = (length: number, headers: Record<string, string> = {}) =>
    sampleApp().request("/files", { method: "POST", body: Buffer.alloc(length), headers });

  it("accepts the last byte and refuses the next", async () => {
    const response = await files(2048);
    expect(await response.text()).toBe("2048");
    await expectError(await files(2049), tooLarge(2048));
  });
  it("applies without a larger one", async () => {
    await expectError(await sampleApp().post("/echo/alice", " ".repeat(1025)), tooLarge(1024));
  });
  it("counts the bytes that arrive, not those of the header", async () => {
    await expectError(await files(2049, { "Content-Length": "10" }), tooLarge(2048));
  });
  it("refuses a declared length without reading", async () => {
    await expectError(await files(10, { "Content-Length": "9999" }), tooLarge(2048));
  });
  it("is 1 MiB, and 10 MiB for uploads", () => {
    expect([BODY_BYTES, UPLOAD_BYTES]).toEqual([1_048_576, 10_485_760]);
  });
});

describe("shared schemas", () => {
  it("take addresses in the usual spellings and checksum them", () => {
    const upper = `0x${ADDRESS.slice(2).toUpperCase()}`;
    for (const spelled of [ADDRESS, ADDRESS.toLowerCase(), upper]) {
      expect(AddressSchema.parse(spelled)).toBe(ADDRESS);
    }
    for (const wrong of [
      ADDRESS.replace("d8dA", "D8da"),
      ADDRESS.slice(0, -1),
      "",
      "vitalik.eth",
    ]) {
      expect(AddressSchema.safeParse(wrong).success).toBe(false);
    }
  });
  it("accept addresses in the usual spellings and checksum them", () => {
    expect(AgentIdSchema.parse(0)).toBe(0n);
    expect(AgentIdSchema.parse(2 ** 53 - 1)).toBe(2n ** 53n - 1n);
    for (const wrong of [2 ** 53, -1, 1.5, "1", Number.NaN]) {
      expect(AgentIdSchema.safeParse(wrong).success).toBe(false);
    }
    expect(AgentIdParam.parse("9007199254740991")).toBe(2n ** 53n - 1n);
    for (const wrong of ["9007199254740992", "01", "-1", "1e3", "", " 1"]) {
      expect(AgentIdParam.safeParse(wrong).success).toBe(false);
    }
    expect(idNumber(7n)).toBe(7);
    expect(() => idNumber(2n ** 53n)).toThrow(RangeError);
  });
  it("refuse ids that a JSON number cannot hold", () => {
    expect(NameOrTokenIdParam.parse("42")).toEqual({ kind: "tokenId", tokenId: 42n });
    expect(NameOrTokenIdParam.parse("Alice-2")).toEqual({ kind: "name", name: "alice-2" });
    for (const wrong of ["0", "99999999999999999", "ab", "a--", "a".repeat(33)]) {
      expect(NameOrTokenIdParam.safeParse(wrong).success).toBe(false);
    }
  });
  it("distinguish a token id from a name", () => {
    expect(Hex32Schema.parse(`0x${"AB".repeat(32)}`)).toBe(`0x${"ab".repeat(32)}`);
    expect(Hex32Schema.safeParse(`0x${"ab".repeat(31)}`).success).toBe(false);
    expect(AmountSchema.parse((2n ** 256n - 1n).toString())).toBe(2n ** 256n - 1n);
    expect(AmountSchema.safeParse((2n ** 256n).toString()).success).toBe(false);
  });
});

describe("limit hashes to 32 bytes and amounts to 256 bits", () => {
  it("answers health, and readiness by name", async () => {
    expect(await (await testApp().request("/health")).json()).toEqual({ status: "ok" });
    const checks = {
      postgres: { ready: true },
      chain: { ready: false, reason: "does not answer" },
    };
    const response = await testApp({ readiness: { check: async () => checks } }).request("/ready");
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ ready: false, checks });
    expect((await testApp().request("/ready")).status).toBe(200);
  });

  it("sends security headers, and allows only its own origin", async () => {
    const app = testApp({ publicUrl: new URL("https://id.example") });
    const response = await app.request("/health", { headers: { Origin: "https://evil.example" } });
    expect(response.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Strict-Transport-Security")).toBe(
      "max-age=31536000; includeSubDomains",
    );
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
    const own = await app.request("/health", { headers: { Origin: "https://id.example" } });
    expect(own.headers.get("Access-Control-Allow-Origin")).toBe("https://id.example");
    expect(own.headers.get("Access-Control-Expose-Headers")).toBe(
      [
        "Deprecation,ETag,Idempotency-Replayed,Retry-After,Sunset,X-RateLimit-Limit",
        "X-RateLimit-Remaining,X-RateLimit-Reset,X-Request-Id,X-Svc-Block,X-Svc-Index-Lag",
        "X-Svc-Position",
      ].join(),
    );
  });

  it("publishes its OpenAPI document with the catalogue's errors", async () => {
    const response = await testApp().request("/v1/openapi.json");
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<string, { get: { responses: Record<string, { $ref: string }> } }>;
      components: { responses: Record<string, { description: string }> };
    };
    expect(document.openapi).toBe("3.1.0");
    expect(document.paths["/health"]?.get.responses["500"]).toEqual({
      $ref: "#/components/responses/INTERNAL",
    });
    expect(document.components.responses.INTERNAL?.description).toBe(
      `\`INTERNAL\`: ${errorCatalogue.INTERNAL.title}`,
    );
  });

  it("answers a thrown error on a plain Hono app", async () => {
    const { log } = capturedLog();
    const app = new Hono<AppEnv>()
      .onError(errorHandler(log))
      .use(everyRequest([requestContext(log)]));
    app.get("/", () => {
      throw new ApiError("GONE");
    });
    expect((await app.request("/")).status).toBe(410);
  });
});
