import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../api/kernel/errors.ts";
import { createLinks } from "../../api/kernel/links.ts";
import { bundlePageAssets } from "../../web/assets.ts";
import { buildPages } from "../../web/build.ts";
import { walletNetwork } from "../../web/ui/network.ts";
import { contentSecurityPolicy } from "../../web/ui/send.tsx";
import { inWords, visibleText } from "../../web/ui/text.ts";
import { testApp } from "../api/helpers.ts";
import { LOCAL, testPages as pages } from "./page-kit.ts";

const publicUrl = new URL("https://agents.example");

const REQUEST = `/sign/chr_${"A".repeat(22)}`;
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** The app whose sign requests all fail with `thrown`. */
const failing = (thrown: unknown) =>
  testApp({
    pages,
    chronicleRequests: {
      open: async () => {
        throw thrown;
      },
    } as never,
  });

describe("a page's error", () => {
  const cases = [
    [new ApiError("NOT_FOUND"), 404, "There is nothing here"],
    [new ApiError("GONE"), 410, "This has expired"],
    [new Error("select secret"), 500, "Something went wrong on our side"],
    [new ApiError("CHAIN_UNAVAILABLE"), 503, "Not available right now"],
  ] as const;

  it.each(cases)("%s is a page for a browser", async (thrown, status, heading) => {
    const response = await failing(thrown).request(REQUEST, { headers: BROWSER });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(response.headers.get("content-security-policy")).toBe(contentSecurityPolicy(pages));
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const text = await response.text();
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
    expect(text).toContain(`<h1>${heading}</h1>`);
    expect(text).toContain(response.headers.get("x-request-id"));
    expect(text).not.toContain("secret");
  });

  it.each(cases)("%s is JSON for other clients", async (thrown, status) => {
    for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
      const response = await failing(thrown).request(REQUEST, { headers });
      expect(response.status).toBe(status);
      const body = (await response.json()) as { error: { code: number } };
      expect(body.error.code).toBe(status);
    }
  });

  it("keeps the time to wait", async () => {
    const limited = new ApiError("RATE_LIMIT_EXCEEDED", { retryAfter: 7 });
    const response = await failing(limited).request(REQUEST, { headers: BROWSER });
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.text()).toContain("Try again in 7 seconds.");
  });

  it("shows the requested path as text", async () => {
    const odd = new ApiError("GONE", { message: '<script>alert("1")</script>' });
    const response = await failing(odd).request(REQUEST, { headers: BROWSER });
    expect(await response.text()).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
  });
});

describe("an unknown path", () => {
  const app = testApp({ pages });

  it("is a page for a browser, and JSON under the API's paths", async () => {
    const page = await app.request("/nowhere", { headers: BROWSER });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("<h1>There is nothing here</h1>");
    for (const path of ["/v1/nowhere", "/api/v1/nowhere", "/ar/x", "/assets/nothing.js"]) {
      const answer = await app.request(path, { headers: BROWSER });
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
    expect((await app.request("/nowhere")).headers.get("content-type")).toBe("application/json");
  });
});

describe("a page's asset", () => {
  const app = testApp({ pages });
  const { style, icon, font, scripts } = pages.assets;

  it.each([
    [style, /^\/assets\/style-[A-Z0-9]{8}\.css$/, "text/css; charset=utf-8"],
    [icon, /^\/assets\/icon-[A-Z0-9]{8}\.svg$/, "image/svg+xml"],
    [font, /^\/assets\/bricolage-grotesque-latin-600-normal-[A-Z0-9]{8}\.woff2$/, "font/woff2"],
    [scripts.sign, /^\/assets\/sign-[A-Z0-9]{8}\.js$/, "text/javascript; charset=utf-8"],
  ])("%s is cached for ever under its content's name", async (url, form, contentType) => {
    expect(url).toMatch(form);
    const response = await app.request(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(contentType);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  it("is a typeface of less than 30 KB, which the style names by the same address", async () => {
    const bytes = new Uint8Array(await (await app.request(font)).arrayBuffer());
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe("wOF2");
    expect(bytes.length).toBeLessThan(30_000);
    expect(await (await app.request(style)).text()).toContain(`url("${font}") format("woff2")`);
  });

  it.each(["br", "gzip"] as const)(
    "is compressed with %s for clients that take it",
    async (encoding) => {
      const plain = Buffer.from(await (await app.request(scripts.sign)).arrayBuffer());
      const headers = { "accept-encoding": `identity;q=0.5, ${encoding}` };
      const answer = await app.request(scripts.sign, { headers });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("vary")).toBe("Accept-Encoding, Origin");
      expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      const sent = Buffer.from(await answer.arrayBuffer());
      expect(sent.length).toBeLessThan(plain.length / 2);
      const decoded = encoding === "br" ? brotliDecompressSync(sent) : gunzipSync(sent);
      expect(decoded.equals(plain)).toBe(true);
      const tag = answer.headers.get("etag") ?? "";
      const held = await app.request(scripts.sign, {
        headers: { ...headers, "if-none-match": tag },
      });
      expect([held.status, held.headers.get("etag")]).toEqual([304, tag]);
      const head = await app.request(scripts.sign, { method: "HEAD", headers });
      expect([head.headers.get("content-encoding"), await head.text()]).toEqual([encoding, ""]);
    },
  );

  it("is sent as it is when it is small or compressed already", async () => {
    for (const url of [icon, font]) {
      const answer = await app.request(url, { headers: { "accept-encoding": "br, gzip" } });
      expect([url, answer.headers.get("content-encoding")]).toEqual([url, null]);
    }
  });

  it("is served only when it belongs to a page", async () => {
    for (const file of ["style.css", "__proto__", "..%2Fassets.ts", "x".repeat(200)]) {
      const response = await app.request(`/assets/${file}`);
      expect([400, 404]).toContain(response.status);
    }
  });

  it("keeps its name as long as its content is the same", () => {
    expect(bundlePageAssets()).toMatchObject({ style, icon, font, scripts });
  });
});

describe("a page's policy", () => {
  it("allows only the service's own files", () => {
    expect(contentSecurityPolicy(pages)).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it("allows images of the public gateway", () => {
    const common = { chainId: 8453, rpcUrl: "https://node.example/key", publicUrl };
    const links = createLinks(publicUrl.origin);
    expect(buildPages({ ...common, links }).imageOrigin).toBeNull();
    const elsewhere = { ...links, storage: (id: string) => `https://gateway.example/${id}` };
    const kit = buildPages({ ...common, links: elsewhere });
    expect(contentSecurityPolicy(kit)).toContain("img-src 'self' data: https://gateway.example;");
  });
});

describe("the network that pages add to wallets", () => {
  it("never names the operator's own node", () => {
    const node = { rpcUrl: "https://node.example/secret-key", publicUrl };
    const base = walletNetwork({ ...node, chainId: 8453 });
    expect(base).toEqual({
      chainId: 8453,
      name: "Base",
      explorer: "https://basescan.org",
      addable: {
        chainId: "0x2105",
        chainName: "Base",
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: ["https://mainnet.base.org"],
        blockExplorerUrls: ["https://basescan.org"],
      },
    });
    expect(walletNetwork({ ...node, chainId: 987_654_321 })).toEqual({
      chainId: 987_654_321,
      name: "Chain 987654321",
      explorer: null,
      addable: null,
    });
  });

  it("names a node on this machine", () => {
    const { name, addable } = walletNetwork(LOCAL);
    expect(name).toBe("Hardhat");
    expect(addable?.rpcUrls).toEqual([LOCAL.rpcUrl]);
    expect(walletNetwork({ ...LOCAL, publicUrl }).addable).toBeNull();
    const { addable: base } = walletNetwork({ ...LOCAL, chainId: 8453, publicUrl });
    expect(base?.rpcUrls).toEqual(["https://mainnet.base.org"]);
  });
});

describe("untrusted text", () => {
  it("shows characters that would reorder or hide it", () => {
    expect(visibleText("pay\u202e001\u200b to\tme\nnow")).toBe(
      "pay[U+202E]001[U+200B] to\tme\nnow",
    );
    expect(visibleText("Grüße, 名前 👩‍🚀")).toBe("Grüße, 名前 👩‍🚀");
    for (const seen of ["❤️", "1️⃣", "👩🏽‍🚀", "🏳️‍🌈", "می‌خواهم", "क्‍ष", "a\u00a0b"])
      expect(visibleText(seen)).toBe(seen);
  });

  it.each([
    ["a tag character", "\u{e0041}", "E0041"],
    ["the end of tags", "\u{e007f}", "E007F"],
    ["a Hangul filler", "\u3164", "3164"],
    ["a halfwidth filler", "\uffa0", "FFA0"],
    ["a line separator", "\u2028", "2028"],
    ["a paragraph separator", "\u2029", "2029"],
    ["an override", "\u202e", "202E"],
    ["an isolate", "\u2066", "2066"],
    ["an Arabic letter mark", "\u061c", "061C"],
    ["a zero-width space", "\u200b", "200B"],
    ["a joiner between Latin letters", "\u200d", "200D"],
    ["a non-joiner between Latin letters", "\u200c", "200C"],
    ["a variation selector", "\ufe01", "FE01"],
    ["a supplementary variation selector", "\u{e0100}", "E0100"],
    ["a grapheme joiner", "\u034f", "034F"],
    ["a soft hyphen", "\u00ad", "00AD"],
    ["a byte order mark", "\ufeff", "FEFF"],
    ["an empty braille pattern", "\u2800", "2800"],
    ["an annotation anchor", "\ufff9", "FFF9"],
    ["half a surrogate pair", "\ud800", "D800"],
    ["NUL", "\u0000", "0000"],
  ])("shows %s by its number", (_what, character, number) => {
    expect(visibleText(`ad${character}min`)).toBe(`ad[U+${number}]min`);
  });

  it("names keys in words", () => {
    expect(inWords("newSoulHash")).toBe("New soul hash");
    expect(inWords("task_completed")).toBe("Task completed");
    expect(inWords("")).toBe("");
  });
});
