import { describe, expect, it } from "vitest";
import { createGuides } from "../../../web/guides/guides.ts";
import { testApp } from "../../api/helpers.ts";
import { testPages } from "../page-kit.ts";

const ORIGIN = "http://127.0.0.1:8787";

/** An index of `count` agents, in which certificate 2 is burned. */
function appWith(count: bigint) {
  const asked: (readonly [bigint, bigint])[] = [];
  const app = testApp({
    pages: testPages,
    guides: createGuides([
      { path: "README.md", text: "# Documents" },
      { path: "sign-in.md", text: "# Sign-in" },
    ]),
    sitemapReads: {
      highestTokenId: async () => count,
      async namesBetween(first, last) {
        asked.push([first, last]);
        const size = Number(last < count ? last : count) - Number(first) + 1;
        return Array.from({ length: Math.max(0, size) }, (_, n) => `agent${first + BigInt(n)}`);
      },
    },
  });
  return { app, asked };
}

const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);

describe("the site map", () => {
  it.each([
    [0n, []],
    [1n, [1]],
    [10_000n, [1]],
    [10_001n, [1, 2]],
    [100_000n, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])("of %i certificates has the parts %j", async (count, parts) => {
    const response = await appWith(count).app.request("/sitemap.xml");
    expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("max-age=300");
    expect(locations(await response.text())).toEqual([
      `${ORIGIN}/sitemaps/pages.xml`,
      ...parts.map((part) => `${ORIGIN}/sitemaps/agents-${part}.xml`),
    ]);
  });

  it("reads one range of certificates for a part", async () => {
    const { app, asked } = appWith(10_003n);
    const xml = await (await app.request("/sitemaps/agents-2.xml")).text();
    expect(asked).toEqual([[10_001n, 20_000n]]);
    expect(locations(xml)).toEqual([
      `${ORIGIN}/agents/agent10001`,
      `${ORIGIN}/agents/agent10002`,
      `${ORIGIN}/agents/agent10003`,
    ]);
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">\n/);
  });

  it("lists the service's pages and documents once", async () => {
    const listed = locations(await (await appWith(0n).app.request("/sitemaps/pages.xml")).text());
    expect(listed).toEqual([...new Set(listed)]);
    for (const path of ["/", "/organizations", "/docs", "/docs/api", "/docs/sign-in"]) {
      expect(listed).toContain(`${ORIGIN}${path}`);
    }
    expect(listed).not.toContain(`${ORIGIN}/console`);
  });

  it.each([
    "agents-0.xml",
    "agents-2.xml",
    "agents-01.xml",
    "agents-1",
    "agents--1.xml",
    "other.xml",
  ])("has no part %s", async (part) => {
    expect((await appWith(5n).app.request(`/sitemaps/${part}`)).status).toBe(404);
  });
});

describe("what robots may read", () => {
  it("leaves out answers for programs and pages whose address gives access", async () => {
    const response = await appWith(0n).app.request("/robots.txt");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
    expect(await response.text()).toBe(
      `User-agent: *\nDisallow: /v1/\nDisallow: /api/\nDisallow: /claim/\nDisallow: /sign/\nDisallow: /console\n\nSitemap: ${ORIGIN}/sitemap.xml\n`,
    );
  });
});
