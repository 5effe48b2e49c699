import { describe, expect, it } from "vitest";
import { createApp } from "../../api/app.ts";
import { currentOf, FOOTER_LINKS, HEADER_LINKS } from "../../web/ui/navigation.ts";
import { testApp, testDeps } from "../api/helpers.ts";
import { testPages } from "./page-kit.ts";

const LINKS = [
  { href: "/agents", label: "Agents", within: ["/passports"] },
  { href: "/docs", label: "Docs" },
  { href: "/docs/api", label: "API" },
];

const currentAt = (path: string) =>
  LINKS.map((link) => [link.label, currentOf(link, path, LINKS)]).filter(([, how]) => how);

describe("the current link", () => {
  it.each([
    ["/", []],
    ["/agents", [["Agents", "page"]]],
    ["/agents/heron", [["Agents", "true"]]],
    ["/passports/7", [["Agents", "true"]]],
    ["/agentsandmore", []],
    ["/docs/registration", [["Docs", "true"]]],
    ["/docs/api", [["API", "page"]]],
    ["/docs/api/souls", [["API", "true"]]],
  ])("at %s is %j", (path, current) => {
    expect(currentAt(path)).toEqual(current);
  });
});

describe("the links of every page", () => {
  const app = createApp(testDeps({ pages: testPages }));
  const paths = new Set(app.routes.map(({ path }) => path));

  it.each([...HEADER_LINKS, ...FOOTER_LINKS].map(({ href }) => href))("%s is a page", (href) => {
    const isRoute = [...paths].some((path) =>
      new RegExp(`^${path.replaceAll(/:[a-zA-Z]+(\\{[^}]*\\})?/g, "[^/]+")}$`).test(href),
    );
    expect(isRoute).toBe(true);
  });

  it("marks the current one in the answer", async () => {
    const response = await testApp({ pages: testPages }).request("/docs/api/no/such/page", {
      headers: { accept: "text/html" },
    });
    const text = await response.text();
    expect(text).toContain('<a class="header-link" href="/docs/api" aria-current="true">API</a>');
    expect(text).toContain('<a class="header-link" href="/docs">Docs</a>');
    expect(text.match(/aria-current/g)).toHaveLength(1);
  });
});
