import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { everyRequest } from "../../../../api/platform/http/answers/every-request.ts";
import { compression } from "../../../../api/platform/http/bodies/compression.ts";
import { contentTag, isHeld } from "../../../../api/platform/http/conditional.ts";
import type { AppEnv } from "../../../../api/platform/http/env.ts";

const LONG = { text: "A heron waits at the weir. ".repeat(100) };
const TAG = contentTag(Buffer.from("a version"));

function app() {
  return new Hono<AppEnv>()
    .use(everyRequest([compression()]))
    .get("/long", (c) => {
      c.header("Cache-Control", "max-age=60");
      c.header("ETag", TAG);
      if (isHeld(c, TAG)) return c.body(null, 304);
      return c.json(LONG);
    })
    .get("/short", (c) => c.json({ text: "heron" }, 200, { "Cache-Control": "no-cache" }))
    .get("/secret", (c) => c.json(LONG, 200, { "Cache-Control": "no-store" }))
    .get("/archived", (c) => c.json(LONG, 200, { "Cache-Control": "public, immutable" }))
    .get("/stream", (c) =>
      c.body(`data: ${LONG.text}\n\n`, 200, {
        "Cache-Control": "no-cache",
        "Content-Type": "text/event-stream",
      }),
    )
    .get("/drawing", (c) =>
      c.body(`<svg>${LONG.text}</svg>`, 200, {
        "Cache-Control": "max-age=60",
        "Content-Type": "image/svg+xml",
      }),
    )
    .get("/map", (c) =>
      c.body(`<urlset>${LONG.text}</urlset>`, 200, {
        "Cache-Control": "max-age=60",
        "Content-Type": "application/xml; charset=utf-8",
      }),
    )
    .get("/file", (c) =>
      c.body(JSON.stringify(LONG), 200, {
        "Cache-Control": "max-age=60",
        "Content-Type": "application/octet-stream",
      }),
    );
}

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  app().request(path, { method, headers });

const tagFor = (encoding: string) => `${TAG.slice(0, -1)}-${encoding}"`;

describe("compression", () => {
  it("sends brotli before gzip, each with an ETag of its own", async () => {
    const both = await ask("/long", { "accept-encoding": "gzip, br" });
    expect(both.headers.get("content-encoding")).toBe("br");
    expect(both.headers.get("etag")).toBe(tagFor("br"));
    expect(both.headers.get("vary")).toBe("Accept-Encoding");
    expect(both.headers.get("content-type")).toBe("application/json");
    const brotli = brotliDecompressSync(Buffer.from(await both.arrayBuffer()));
    expect(JSON.parse(brotli.toString())).toEqual(LONG);

    const one = await ask("/long", { "accept-encoding": "br;q=0, gzip;q=0.5" });
    expect(one.headers.get("content-encoding")).toBe("gzip");
    expect(one.headers.get("etag")).toBe(tagFor("gzip"));
    const gzipped = gunzipSync(Buffer.from(await one.arrayBuffer()));
    expect(JSON.parse(gzipped.toString())).toEqual(LONG);
  });

  it("leaves the answer as it is for a client that names no known encoding", async () => {
    for (const accepted of [{}, { "accept-encoding": "zstd, gzip;q=0" }]) {
      const plain = await ask("/long", accepted);
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(plain.headers.get("etag")).toBe(TAG);
      expect(plain.headers.get("vary")).toBe("Accept-Encoding");
      expect(await plain.json()).toEqual(LONG);
    }
  });

  it.each(["/drawing", "/map"])("compresses %s", async (path) => {
    const answer = await ask(path, { "accept-encoding": "br" });
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, "br"]);
  });

  it.each(["/short", "/secret", "/archived", "/file", "/stream"])(
    "never compresses %s",
    async (path) => {
      const plain = await ask(path, { "accept-encoding": "gzip, br" });
      expect([plain.status, plain.headers.get("content-encoding")]).toEqual([200, null]);
    },
  );

  it("answers 304 to the tag of any encoding, with the tag that the client has", async () => {
    for (const held of [TAG, tagFor("br"), tagFor("gzip")]) {
      const same = await ask("/long", { "accept-encoding": "br", "if-none-match": held });
      expect([same.status, same.headers.get("etag")]).toEqual([304, held]);
      expect(same.headers.get("content-encoding")).toBeNull();
    }
    const other = `"${"x".repeat(27)}-br"`;
    expect((await ask("/long", { "if-none-match": other })).status).toBe(200);
  });

  it("answers HEAD with the headers of GET", async () => {
    const head = await ask("/long", { "accept-encoding": "gzip" }, "HEAD");
    expect(head.headers.get("content-encoding")).toBe("gzip");
    expect(head.headers.get("etag")).toBe(tagFor("gzip"));
    expect(await head.text()).toBe("");
  });
});
