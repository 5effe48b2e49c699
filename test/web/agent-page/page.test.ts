import { describe, expect, it } from "vitest";
import { createProfileService } from "../../../api/features/profile/profile.ts";
import { createLinks } from "../../../api/kernel/links.ts";
import type { IndexedAgent } from "../../../api/soul/index-reads.ts";
import type { AgentDealings } from "../../../web/agent-page/dealings.ts";
import { testApp } from "../../api/helpers.ts";
import { LOCAL, testPages } from "../page-kit.ts";

// What the page of an agent says in each of the states in which its soul can be.

const SEALER = "0x1111111111111111111111111111111111111111";
const BUYER = "0x2222222222222222222222222222222222222222";
const HASH = `0x${"5a".repeat(32)}` as const;
const at = { block: 51_234n, timestamp: 1_700_000_000n };

type Change = { soul?: object; passport?: object | null };

function indexedAgent({ soul = {}, passport = {} }: Change): IndexedAgent {
  return {
    soul: {
      tokenId: 7n,
      name: "heron",
      passportId: 9n,
      owner: SEALER,
      sealer: SEALER,
      operator: null,
      parentTokenId: 0n,
      epoch: 1,
      status: "SEALED",
      agentType: 1,
      soulHash: HASH,
      soulMerkleRoot: HASH,
      archiveId: null,
      didArchiveId: null,
      suspended: false,
      suspendedAt: null,
      alignmentScore: null,
      alignmentAt: null,
      mintTimestamp: 1_600_000_000n,
      sealedAt: 1_610_000_000n,
      burnedAt: null,
      lastActiveAt: 1_610_000_000n,
      ...soul,
    },
    passport:
      passport === null
        ? null
        : { id: 9n, owner: SEALER, uri: null, ownerSince: 1_600_000_000n, ...passport },
    agentWallet: null,
    membership: null,
    bindings: 2,
    duplicateOf: null,
    successorTokenId: null,
    earned: 0n,
    published: {
      publicFields: { "identity.description": "Counts <b>herons</b>.\u202e" },
      birthBundle: null,
    },
    identity: null,
    displayName: null,
    image: null,
    display: null,
    tasksCompleted: 0,
    lastChronicleAt: null,
  } as unknown as IndexedAgent;
}

const DEALINGS: AgentDealings = {
  organizationName: null,
  allowance: {
    version: 1,
    active: true,
    perTransaction: 2_000_000n,
    dailyLimit: 5_000_000n,
    validUntil: 4_102_444_799n,
    onlyWithAgentWallet: true,
  },
  spending: [
    { day: 19_670, spent: 2n ** 200n },
    { day: 19_675, spent: 1_750_000n },
  ],
  bindings: {
    partners: [
      { tokenId: 8n, agentName: "egret", soulHash: HASH, outbound: "trusted", inbound: null },
    ],
    more: 5,
    isPartial: true,
  },
};

/** The page's text, with its marks of tone. */
async function pageOf(change: Change, dealings: AgentDealings | null = DEALINGS) {
  const links = createLinks("http://127.0.0.1:8787");
  const app = testApp({
    pages: testPages,
    profiles: createProfileService({
      reads: {
        agent: async () => ({ at, value: indexedAgent(change) }),
        passport: async () => ({ at, value: null }),
      },
      unclaimed: async () => null,
      chainId: LOCAL.chainId,
      links,
      didRecords: { of: async () => null } as never,
    }),
    timelines: { page: async () => null } as never,
    resemblances: { resembled: async () => null } as never,
    endpointChecks: { last: async () => null } as never,
    alignments: { picture: async () => null } as never,
    dealingsOf: async () => dealings && { at, value: dealings },
    registrationFileAt: async () =>
      ({
        description: null,
        supportedTrust: ["human-verified"],
        services: [{ name: "MCP", endpoint: "https://heron.example/mcp", version: null }],
      }) as never,
  });
  const response = await app.request("/agents/heron");
  expect(response.status).toBe(200);
  const html = await response.text();
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  return { main, text: main.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") };
}

describe("the page of a valid soul", () => {
  it("says since when, as of which block, and shows what is proven and granted", async () => {
    const { main, text } = await pageOf({});
    for (const part of [
      "Since 7 January 2021 at 06:13 UTC .",
      "Known as of block 51,234, of 14 November 2023 at 22:13 UTC .",
      "What is proven",
      "3. Description Counts &lt;b&gt;herons&lt;/b&gt;.[U+202E] proven",
      "Closed: 1. Name, 2. Agent type, 4. Purpose,",
      "1.75 USDC of 5 USDC spent today",
      "it trusts them: trusted",
      "And at least 5 more.",
      "Connect to it",
      "&quot;url&quot;: &quot;https://heron.example/mcp&quot;",
    ]) {
      expect(text).toContain(part);
    }
    // The way from the third of sixteen leaves up to the root.
    expect(main.match(/class="way"/g)).toHaveLength(4);
    expect(main).not.toMatch(/ style=| on[a-z]+=/);
  });

  it("counts from the return of a passport that was away without a record of it", async () => {
    const { text } = await pageOf({ passport: { ownerSince: 1_620_000_000n } });
    expect(text).toContain("Since 3 May 2021 at 00:00 UTC .");
  });

  it("shows no dealings while the index is too old for them", async () => {
    const { text } = await pageOf({}, null);
    expect(text).not.toContain("USDC spent today");
    expect(text).not.toContain("Whom it trusts, and who trusts it");
  });
});

describe("the page of a soul that is not valid", () => {
  const suspended = { soul: { suspended: true, suspendedAt: 1_630_000_000n } };

  it.each([
    [
      "was sold",
      { passport: { owner: BUYER, ownerSince: 1_620_000_000n } },
      "3 May 2021 at 00:00 UTC",
    ],
    [
      "was sold, which is on record",
      { ...suspended, passport: { owner: BUYER, ownerSince: 1_620_000_000n } },
      "3 May 2021 at 00:00 UTC",
    ],
    [
      "was sold on",
      { ...suspended, passport: { owner: BUYER, ownerSince: 1_640_000_000n } },
      "26 August 2021 at 17:46 UTC",
    ],
    ["has its passport back", suspended, "26 August 2021 at 17:46 UTC"],
  ])("shows nothing as proven or granted when it %s", async (_, change, since) => {
    const { main, text } = await pageOf(change);
    expect(text).toContain("The passport left the owner who sealed the soul");
    expect(text).toContain(`Since ${since} . Known as of block 51,234`);
    expect(text).toContain("What is on record");
    expect(text).toContain("3. Description Counts");
    expect(text).toContain("The soul is not valid, so the agent can pay nothing.");
    expect(text).toContain("The soul is not valid, so none of its bindings counts.");
    for (const part of ["spent today", "it trusts them", "Connect to it", "verified human"]) {
      expect(text).not.toContain(part);
    }
    expect(main).not.toMatch(/class="[^"]*\b(?:good|way|shown)\b/);
    expect(main).not.toMatch(/>\s*proven\s*</);
    expect(main).toContain('class="portrait faded"');
  });

  it.each([
    [
      "passport that cannot be read",
      { passport: null },
      "The owner of its passport cannot be read",
      null,
    ],
    [
      "soul that was never sealed",
      { soul: { status: "PROVISIONAL", sealedAt: null, soulMerkleRoot: null } },
      "This soul is not sealed yet",
      "13 September 2020 at 12:26 UTC",
    ],
    [
      "soul that was burned",
      { soul: { status: "BURNED", burnedAt: 1_650_000_000n } },
      "This agent's soul was burned by its owner",
      "15 April 2022 at 05:20 UTC",
    ],
  ])("tells a %s apart", async (_, change, title, since) => {
    const { main, text } = await pageOf(change);
    const others = ["cannot be read", "not sealed yet", "was burned", "left the owner"];
    expect(text).toContain(title.replace("'", "&#39;"));
    expect(others.filter((other) => text.includes(other))).toHaveLength(1);
    if (since === null) expect(text).not.toContain("Since ");
    else expect(text).toContain(`Since ${since} .`);
    expect(main).not.toMatch(/class="[^"]*\b(?:good|way|shown)\b/);
  });
});
