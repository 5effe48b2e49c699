import { glob, readFile } from "node:fs/promises";
import { getRequestListener } from "@hono/node-server";
import { type Handler, Hono } from "hono";
import { html, raw } from "hono/html";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bodyOfAnswer,
  bytesOfAnswer,
  headersOfAnswer,
  recordOfAnswer,
} from "../../../../../api/platform/http/answers/answer-body.ts";
import {
  everyRequest,
  type RequestPart,
} from "../../../../../api/platform/http/answers/every-request.ts";
import { applyCacheRule } from "../../../../../api/platform/http/caching.ts";
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

describe("an answer of a handler", () => {
  /** Asks once, and gives the answer with what a part saw of it. */
  async function made(handler: Handler<AppEnv>) {
    let seen: unknown;
    const looking: RequestPart = {
      after: (c) => {
        seen = { body: bodyOfAnswer(c), headers: { ...recordOfAnswer(c) } };
        return undefined;
      },
    };
    const app = new Hono<AppEnv>().use(everyRequest([looking])).get("/", handler);
    app.onError((error, c) => c.text(error.name, 500));
    return { answer: await app.request("/"), seen };
  }

  it("is a page whose text is known, also when it waits for its elements", async () => {
    const element = Promise.resolve(raw("<b>heron</b>"));
    for (const page of [
      "<p><b>heron</b></p>",
      html`<p>${raw("<b>heron</b>")}</p>`,
      html`<p>${element}</p>`,
    ]) {
      const { answer, seen } = await made((c) => c.html(page, 201));
      expect(seen).toEqual({
        body: "<p><b>heron</b></p>",
        headers: { "content-type": "text/html; charset=UTF-8" },
      });
      expect([answer.status, await answer.text()]).toEqual([201, "<p><b>heron</b></p>"]);
    }
  });

  it("is a redirect with the headers that were set before it", async () => {
    const { answer, seen } = await made((c) => {
      c.header("X-Before", "1");
      return c.redirect("/elsewhere", 303);
    });
    expect(answer.status).toBe(303);
    expect(seen).toEqual({ body: null, headers: { location: "/elsewhere", "x-before": "1" } });
  });

  it("takes headers in the library's other form", async () => {
    const { answer } = await made((c) =>
      c.newResponse("a,b", {
        status: 203,
        headers: { "Content-Type": "text/csv", "X-More": "1" },
      }),
    );
    expect([
      answer.status,
      answer.headers.get("content-type"),
      answer.headers.get("x-more"),
    ]).toEqual([203, "text/csv", "1"]);
  });

  it("joins a header's values, replaces them, and leaves out what was taken back", async () => {
    const { answer } = await made((c) => {
      c.header("Vary", "Accept");
      c.header("vary", "Origin", { append: true });
      c.header("X-Once", "1");
      c.header("X-Once", "2");
      c.header("X-Gone", "1");
      c.header("X-Gone", undefined);
      return c.text("");
    });
    expect(["vary", "x-once", "x-gone"].map((name) => answer.headers.get(name))).toEqual([
      "Accept, Origin",
      "2",
      null,
    ]);
  });

  it("sends the last of the cookies that replace each other", async () => {
    const { answer } = await made((c) => {
      c.header("Set-Cookie", "a=1");
      c.header("Set-Cookie", "a=2");
      return c.text("");
    });
    expect(answer.headers.getSetCookie()).toEqual(["a=2"]);
  });

  it.each(["a\r\nX-Other: 1", "a\u0000"])("fails with the header value %j", async (value) => {
    const before = await made((c) => {
      c.header("X-Value", value);
      return c.text("sent");
    });
    const within = await made((c) => c.text("sent", 200, { "X-Value": value }));
    expect([await before.answer.text(), await within.answer.text()]).toEqual([
      "TypeError",
      "TypeError",
    ]);
  });

  it("is changed by those who set a header after it", async () => {
    const changing: RequestPart = {
      after: (c) => {
        headersOfAnswer(c).set("X-Later", "1");
        headersOfAnswer(c).delete("Content-Type");
        c.header("X-Latest", "2");
        return undefined;
      },
    };
    for (const path of ["/own", "/text"]) {
      const { headers } = await app(changing).request(path);
      expect(["x-later", "x-latest"].map((name) => headers.get(name))).toEqual(["1", "2"]);
      expect(headers.get("content-type")).not.toBe("text/csv");
    }
  });

  it("has its headers changed by headersOfAnswer in all of the service", async () => {
    const files = await glob("{api,web}/**/*.{ts,tsx}", {
      exclude: (name) => name === "answer-body.ts",
    });
    const found: string[] = [];
    for await (const file of files) {
      if (/\.res\.headers\b\s*\.\s*(?:set|append|delete)/.test(await readFile(file, "utf8"))) {
        found.push(file);
      }
    }
    expect(found).toEqual([]);
  });
});

describe.each(["Node's", "the server's"])("with %s Response, an answer", (whose) => {
  const nodes = { Request, Response };
  const define = (values: typeof nodes) => {
    for (const [name, value] of Object.entries(values)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  };

  beforeAll(() => {
    // The first listener replaces both for the whole process.
    if (whose === "the server's") getRequestListener(() => new Response());
  });
  afterAll(() => define(nodes));

  it("is sent with what was set after its headers were read", async () => {
    const late: RequestPart = {
      after: async (c) => {
        const headers = headersOfAnswer(c);
        expect(c.res.headers.get("content-type")).not.toBeNull();
        headers.set("X-Early", "1");
        await bytesOfAnswer(c);
        headers.set("X-Late", "2");
      },
    };
    for (const [path, text] of [
      ["/own", "made elsewhere"],
      ["/text", "a heron"],
    ] as const) {
      const answer = await app(adding, late).request(path);
      expect(
        ["x-early", "x-late", "referrer-policy"].map((name) => answer.headers.get(name)),
      ).toEqual(["1", "2", "no-referrer"]);
      expect(await answer.text()).toBe(text);
    }
  });

  it("has its rule for caches and a tag, and is 304 to a client with a copy", async () => {
    const age = { isFresh: () => true, standing: () => ({ behind: false }) as never };
    const cached: RequestPart = { after: (c) => applyCacheRule(c, "revalidate", age) };
    for (const path of ["/own", "/json/7"]) {
      const first = await app(cached).request(path);
      const tag = first.headers.get("etag") ?? "";
      expect([first.headers.get("cache-control"), tag]).toEqual([
        "no-cache",
        expect.stringMatching(/^"[\w-]{27}"$/),
      ]);
      const second = await app(cached).request(path, { headers: { "if-none-match": tag } });
      expect([second.status, second.headers.get("etag"), await second.text()]).toEqual([
        304,
        tag,
        "",
      ]);
      expect(second.headers.get("content-type")).toBeNull();
    }
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
