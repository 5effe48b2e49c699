import { describe, expect, it } from "vitest";
import { buildGuides } from "../../../web/guides/build.ts";
import { createGuides } from "../../../web/guides/guides.ts";
import { createSearch } from "../../../web/guides/search.ts";

/** The page of one document `guide.md`, beside `other.md` and `adr/README.md`. */
function rendered(text: string) {
  const guides = createGuides([
    { path: "guide.md", text: `# Guide\n\n${text}` },
    { path: "other.md", text: "# Other" },
    { path: "adr/README.md", text: "# Records" },
  ]);
  const guide = guides.find("/docs/guide");
  if (guide === undefined) throw new Error("The guide was not found.");
  return guide;
}

describe("a guide", () => {
  it("shows tags of its source as text", () => {
    const { html } = rendered(
      '<script>alert("1")</script>\n\nA <b onclick="x">tag</b> & `<code>`.',
    );
    expect(html).not.toMatch(/<(script|b)\b/);
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    expect(html).toContain('<code class="code">&lt;code&gt;</code>');
  });

  it.each([
    ["other.md", "/docs/other"],
    ["other.md#a-part", "/docs/other#a-part"],
    ["#here", "#here"],
    ["adr/README.md", "/docs/adr"],
    ["adr/", "/docs/adr"],
    ["openapi.json", "/v1/openapi.json"],
    ["../README.md", "/"],
    ["https://example.org/?a=1&b=2", "https://example.org/?a=1&amp;b=2"],
  ])("links %s to %s", (href, target) => {
    expect(rendered(`[text](${href})`).html).toBe(`<p><a href="${target}">text</a></p>\n`);
  });

  it.each(["../contracts/Soul.sol", "missing.md", "javascript:alert(1)", "//example.org/"])(
    "shows a link to %s, which the site does not answer, as text",
    (href) => {
      expect(rendered(`[text](${href})`).html).toBe("<p>text</p>\n");
    },
  );

  it("gives headings the anchors that links between documents use", () => {
    const { contents, html } = rendered(
      "## What `a` *does*: in short\n\n### Twice\n\n### Twice\n\n### Twice 1",
    );
    expect(contents).toEqual([
      { id: "what-a-does-in-short", text: "What a does: in short", depth: 2 },
      { id: "twice", text: "Twice", depth: 3 },
      { id: "twice-1", text: "Twice", depth: 3 },
      { id: "twice-1-1", text: "Twice 1", depth: 3 },
    ]);
    expect(html).toContain(
      '<h3 id="twice-1"><a class="heading-link" href="#twice-1">Twice</a></h3>',
    );
  });

  it("names the file of a code block, and lets a keyboard scroll it", () => {
    const { html } = rendered('```js title="a.mjs"\nif (1 < 2) {}\n```');
    expect(html).toBe(
      '<figure class="file"><figcaption>a.mjs</figcaption>' +
        '<pre tabindex="0"><code>if (1 &lt; 2) {}\n</code></pre></figure>\n',
    );
  });

  it("begins with a title", () => {
    expect(() => createGuides([{ path: "a.md", text: "Text" }])).toThrow(
      new Error("A document begins with a title, not with Text."),
    );
  });
});

describe("the search", () => {
  const search = createSearch(
    createGuides([
      { path: "tokens.md", text: "# Tokens\n\nWords.\n\n## Revoking\n\nA token ends at once." },
      { path: "other.md", text: "# Other\n\nA token is named here." },
    ]).all,
  );
  const urls = (query: string) => search.find(query).map(({ url }) => url);

  it("finds the section with all words, with what stands around them", () => {
    expect(search.find("revoking ends")).toEqual([
      {
        url: "/docs/tokens#revoking",
        title: "Tokens",
        heading: "Revoking",
        excerpt: "A token ends at once.",
      },
    ]);
  });

  it("finds the beginning of a word, and a word with a typing error", () => {
    expect(urls("revok")).toEqual(["/docs/tokens#revoking"]);
    expect(urls("revokign")).toEqual(["/docs/tokens#revoking"]);
  });

  it("puts sections of a guide with the word in its title above a mention", () => {
    expect(urls("token")).toEqual(["/docs/tokens#revoking", "/docs/tokens", "/docs/other"]);
  });

  it("finds nothing for words that no section has together", () => {
    expect(urls("revoking named")).toEqual([]);
    expect(urls("   ")).toEqual([]);
  });

  it("finds entries that are added later", () => {
    search.add([{ url: "/docs/api/x#y", title: "API, X", heading: "GET /y", text: "Zebras" }]);
    expect(urls("zebra")).toEqual(["/docs/api/x#y"]);
  });
});

describe("the project's documents", () => {
  const { guides } = buildGuides();

  it("link only to pages and headings that exist", () => {
    const served = new Set(["/", "/v1/openapi.json"]);
    const dead = guides.all.flatMap(({ url, html }) =>
      [...html.matchAll(/href="([/#][^"]*)"/g)]
        .map(([, href = ""]) => new URL(href, `http://localhost${url}`))
        .filter(({ pathname, hash }) => {
          if (served.has(pathname)) return false;
          const id = decodeURIComponent(hash.slice(1));
          return !guides.find(pathname)?.html.includes(id === "" ? "" : `id="${id}"`);
        })
        .map(({ pathname, hash }) => `${url} links to ${pathname}${hash}`),
    );
    expect(dead).toEqual([]);
  });

  it("are all in the list", () => {
    const { html: list } = guides.find("/docs") ?? { html: "" };
    const { html: records } = guides.find("/docs/adr") ?? { html: "" };
    const unlisted = guides.all
      .map(({ url }) => url)
      .filter((url) => url !== "/docs" && !`${list}${records}`.includes(`href="${url}"`));
    expect(unlisted).toEqual([]);
  });

  it("have no document with the address of the reference", () => {
    expect(guides.find("/docs/api")).toBeUndefined();
  });
});
