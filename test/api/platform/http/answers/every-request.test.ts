import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { bodyOfAnswer } from "../../../../../api/platform/http/answers/answer-body.ts";
import {
  everyRequest,
  type RequestPart,
} from "../../../../../api/platform/http/answers/every-request.ts";
import type { AppEnv } from "../../../../../api/platform/http/env.ts";
import { securityHeaders } from "../../../../../api/platform/http/headers.ts";

const STANDARD = { "x-frame-options": "DENY", "referrer-policy": "no-referrer" };

/** Notes in `log` when it is asked. */
function noting(name: string, log: string[]): RequestPart {
  return {
    before: () => {
      log.push(`before ${name}`);
      return undefined;
    },
    after: async () => {
      log.push(`after ${name}`);
    },
  };
}

const adding: RequestPart = {
  after: (c, { headers, varies, route }) => {
    headers["x-added"] = `${c.res.status} ${route}`;
    varies.push("Origin");
    return undefined;
  },
};

function app(...parts: RequestPart[]) {
  return new Hono<AppEnv>()
    .use(everyRequest(parts, Promise.resolve(STANDARD)))
    .get("/json/:id", (c) => {
      c.header("X-Frame-Options", "SAMEORIGIN");
      c.header("X-Added", "by the handler");
      c.header("Vary", "Accept");
      return c.json({ id: c.req.param("id") });
    })
    .get("/text", (c) => c.text("a heron", 201))
    .get("/bytes", (c) => c.body(new Uint8Array([1, 2, 3]), 200, { "Content-Type": "image/png" }))
    .get("/none", (c) => c.body(null, 304, { ETag: '"1"' }))
    .get(
      "/own",
      () =>
        new Response("made elsewhere", { headers: { "Content-Type": "text/csv", Vary: "Accept" } }),
    )
    .get("/cookies", (c) => {
      c.header("Set-Cookie", "a=1", { append: true });
      c.header("Set-Cookie", "b=2", { append: true });
      return c.json({});
    });
}

describe("every request", () => {
  it("runs parts in order before the handler, and in the opposite order after it", async () => {
    const log: string[] = [];
    await app(noting("outer", log), noting("inner", log)).request("/text");
    expect(log).toEqual(["before outer", "before inner", "after inner", "after outer"]);
  });

  it("ends with the first part that answers, and finishes that answer", async () => {
    const log: string[] = [];
    const refusing: RequestPart = { before: async () => new Response("early", { status: 418 }) };
    const answer = await app(adding, refusing, noting("later", log)).request("/text");
    expect(answer.status).toBe(418);
    expect(await answer.text()).toBe("early");
    expect(answer.headers.get("x-added")).toBe("418 /text");
    expect(log).toEqual(["after later"]);
  });

  it("keeps a handler's header above a standard one, and below one of a part", async () => {
    const answer = await app(adding).request("/json/7");
    expect(Object.fromEntries(answer.headers)).toEqual({
      "content-type": "application/json",
      "referrer-policy": "no-referrer",
      "x-frame-options": "SAMEORIGIN",
      "x-added": "200 /json/:id",
      vary: "Accept, Origin",
    });
    expect(await answer.json()).toEqual({ id: "7" });
  });

  it("treats an answer that was made elsewhere the same", async () => {
    const answer = await app(adding).request("/own");
    expect(Object.fromEntries(answer.headers)).toEqual({
      "content-type": "text/csv",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "x-added": "200 /own",
      vary: "Accept, Origin",
    });
    expect(await answer.text()).toBe("made elsewhere");
  });

  it("sends text, bytes and empty answers as they were made", async () => {
    const text = await app(adding).request("/text");
    expect([text.status, text.headers.get("content-type"), await text.text()]).toEqual([
      201,
      "text/plain; charset=UTF-8",
      "a heron",
    ]);
    const bytes = await app(adding).request("/bytes");
    expect(bytes.headers.get("content-type")).toBe("image/png");
    expect([...new Uint8Array(await bytes.arrayBuffer())]).toEqual([1, 2, 3]);
    const none = await app(adding).request("/none");
    expect([none.status, none.headers.get("etag"), await none.text()]).toEqual([304, '"1"', ""]);
  });

  it("sends each of several cookies", async () => {
    const { headers } = await app(adding).request("/cookies");
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(headers.get("x-added")).toBe("200 /cookies");
  });

  it("finishes the answer to an error and to an unknown path", async () => {
    const failing = app(adding).get("/fails", () => {
      throw new Error("a fault");
    });
    failing.onError((_error, c) => c.json({ failed: true }, 500));
    const failed = await failing.request("/fails");
    expect([failed.status, failed.headers.get("x-added")]).toEqual([500, "500 /fails"]);
    expect(failed.headers.get("x-frame-options")).toBe("DENY");
    expect((await app(adding).request("/nowhere")).headers.get("x-frame-options")).toBe("DENY");
  });

  it("knows the body of the present answer alone", async () => {
    const bodies: unknown[] = [];
    const looking: RequestPart = {
      after: (c) => {
        bodies.push(bodyOfAnswer(c));
        return undefined;
      },
    };
    for (const path of ["/json/7", "/text", "/none", "/own"]) await app(looking).request(path);
    expect(bodies).toEqual(['{"id":"7"}', "a heron", null, undefined]);
  });
});

describe("security headers", () => {
  it("are the library's, with nothing that may be loaded or framed", async () => {
    expect(await securityHeaders(new URL("https://svc.example"))).toEqual({
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "cross-origin",
      "origin-agent-cluster": "?1",
      "referrer-policy": "no-referrer",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "x-dns-prefetch-control": "off",
      "x-download-options": "noopen",
      "x-frame-options": "DENY",
      "x-permitted-cross-domain-policies": "none",
      "x-xss-protection": "0",
    });
  });

  it("pin no loopback host to https", async () => {
    const headers = await securityHeaders(new URL("http://127.0.0.1:8787"));
    expect(headers["strict-transport-security"]).toBeUndefined();
  });
});
