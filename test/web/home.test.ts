import { describe, expect, it } from "vitest";
import type { ListedAgent } from "../../api/features/profile/agents.ts";
import { ApiError } from "../../api/kernel/errors.ts";
import { testApp } from "../api/helpers.ts";
import { testPages } from "./page-kit.ts";

const BROWSER = { accept: "text/html" };

const agent = (agentName: string, soulHash = `0x${"5a".repeat(32)}`) =>
  ({
    agentName,
    agentType: "specialist",
    genesisStatus: "SEALED",
    soulValidity: "valid",
    soulHash,
  }) as ListedAgent;

async function homeWith(agents: readonly ListedAgent[] | ApiError) {
  const asked: unknown[] = [];
  const app = testApp({
    pages: testPages,
    statistics: { now: async () => ({ sealed: 1234, passports: 56, chronicles: 7 }) },
    agentList: {
      async list(...request) {
        asked.push(request);
        if (agents instanceof ApiError) throw agents;
        return { at: { block: 1n, timestamp: 1n }, value: { agents, next: null } };
      },
      explore: () => Promise.reject(new Error("Not for this page.")),
    },
  });
  const response = await app.request("/", { headers: BROWSER });
  expect(response.status).toBe(200);
  return { asked, text: await response.text() };
}

describe("the home page", () => {
  it("shows the newest valid agents by their emblems", async () => {
    const { asked, text } = await homeWith([agent("heron"), agent("weir")]);
    expect(asked).toEqual([[{ validity: "valid" }, { order: "newest", after: null }, 6]]);
    expect(text.match(/<li class="agent-card">/g)).toHaveLength(2);
    expect(text).toContain('<a class="agent-card-name" href="/agents/weir">weir</a>');
    // One large one beside the heading, and one on each card.
    expect(text.match(/<span class="emblem" aria-hidden="true"><svg /g)).toHaveLength(3);
    expect(text).toContain("<dd>1,234</dd>");
  });

  it("says what to do while there is no agent", async () => {
    const { text } = await homeWith([]);
    expect(text).toContain("No agent is sealed here yet.");
    expect(text).toContain('href="#begin-title"');
    expect(text).toContain('id="begin-title"');
  });

  it("is there while the index is behind", async () => {
    const { text } = await homeWith(new ApiError("INDEX_BEHIND"));
    expect(text).toContain("A passport says that an agent exists.");
    expect(text).not.toContain("Newest agents");
  });

  it("has nothing inline but drawings", async () => {
    const { text } = await homeWith([agent("heron")]);
    expect(text).not.toMatch(/ style=|<style|<script(?! type="module" src="\/assets\/)| on[a-z]+=/);
  });
});

describe("what a page says of itself to other sites", () => {
  it("names its canonical address and its picture", async () => {
    const { text } = await homeWith([]);
    const origin = testPages.origin;
    for (const line of [
      `<link rel="canonical" href="${origin}/"/>`,
      '<meta property="og:title" content="Identity for AI agents"/>',
      `<meta property="og:url" content="${origin}/"/>`,
      `<meta property="og:image" content="${origin}/card.png"/>`,
      '<meta property="og:image:width" content="1200"/>',
      '<meta name="twitter:card" content="summary_large_image"/>',
      '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1c2024"/>',
      '<link rel="apple-touch-icon" href="/apple-touch-icon.png"/>',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toContain("noindex");
  });

  it("is nothing where its address gives access, or there is no page", async () => {
    const app = testApp({
      pages: testPages,
      chronicleRequests: {
        open: async () => {
          throw new ApiError("GONE");
        },
      } as never,
    });
    for (const path of [`/sign/chr_${"A".repeat(22)}`, "/nowhere"]) {
      const text = await (await app.request(path, { headers: BROWSER })).text();
      expect(text).toContain('<meta name="robots" content="noindex"/>');
      expect(text).not.toMatch(/canonical|og:/);
    }
  });
});
