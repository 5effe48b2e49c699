import { describe, expect, it } from "vitest";
import type { AgentFilter, ExploredAgent } from "../../../api/features/profile/agents.ts";
import type { IndexedPassport } from "../../../api/soul/index-reads.ts";
import { testApp } from "../../api/helpers.ts";
import { testPages as pages } from "../page-kit.ts";

// The page of agents over made-up lists.

const ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const at = { block: 1n, timestamp: 1n };

function agent(agentName: string, change: Partial<ExploredAgent> = {}): ExploredAgent {
  return {
    agentName,
    tokenId: 1n,
    did: `did:svc:31337:${agentName}`,
    agentType: "specialist",
    genesisStatus: "SEALED",
    soulValidity: "valid",
    owner: ACCOUNT,
    operator: ACCOUNT,
    erc8004AgentId: 1n,
    organizationId: 0n,
    mintTimestamp: new Date(0),
    profileUrl: `http://127.0.0.1:8787/agents/${agentName}`,
    soulHash: `0x${"5a".repeat(32)}`,
    alignmentScore: null,
    lastActiveAt: new Date(0),
    isHumanVerified: false,
    duplicateOf: null,
    resembles: null,
    words: null,
    ...change,
  };
}

type Found = Partial<Record<keyof AgentFilter, readonly ExploredAgent[]>>;

/** The page for a query, over what each filter finds. */
async function shown(query: string, found: Found, passport: IndexedPassport | null = null) {
  const app = testApp({
    pages,
    unclaimed: async (name) => (name === "waiting" ? { name, agentType: 2 } : null),
    index: { passport: async () => ({ at, value: passport }) } as never,
    agentList: {
      async explore(filter: AgentFilter) {
        const [named] = Object.entries(filter)
          .filter(([key, value]) => value !== undefined && key !== "isInWords")
          .map(([key]) => key as keyof AgentFilter);
        const agents = (named && found[named]) ?? [];
        return { at, value: { agents, next: agents.length > 23 ? "7" : null } };
      },
    } as never,
  });
  const answer = await app.request(`/agents${query}`, { headers: { accept: "text/html" } });
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    text: await answer.text(),
  };
}

describe("digits", () => {
  const weir = agent("weir", { tokenId: 7n, erc8004AgentId: 30n });
  const heron = agent("heron", { tokenId: 40n, erc8004AgentId: 7n });
  const burned = agent("ash", { tokenId: 39n, erc8004AgentId: 7n, genesisStatus: "BURNED" });

  it("name a certificate and a passport before the names that begin with them", async () => {
    const crowd = Array.from({ length: 24 }, (_, n) => agent(`7-heron-${n}`));
    const passport = { id: 7n } as IndexedPassport;
    const { text } = await shown(
      "?q=7",
      { q: crowd, tokenId: [weir], erc8004AgentId: [burned, heron] },
      passport,
    );
    expect(text).toContain(
      '<dt>Certificate 7</dt><dd><a href="/agents/weir">weir</a> · <a href="/certificates/7">the certificate</a></dd>',
    );
    expect(text).toContain(
      '<dt>Passport 7</dt><dd><a href="/agents/heron">heron</a> · <a href="/passports/7">the passport</a></dd>',
    );
    expect(text).not.toContain("ash");
    expect(text.indexOf("Passport 7")).toBeLessThan(text.indexOf("7-heron-0"));
    expect(text).toContain('href="/agents?q=7&amp;after=7" rel="next"');
  });

  it("name a passport that carries no soul, or nothing", async () => {
    const { text } = await shown("?q=7", {}, { id: 7n } as IndexedPassport);
    expect(text).toContain('<dt>Certificate 7</dt><dd><span class="muted">none</span></dd>');
    expect(text).toContain('<dt>Passport 7</dt><dd><a href="/passports/7">the passport</a></dd>');
    const { text: nothing } = await shown("?q=7", {});
    expect(nothing).toContain('<dt>Passport 7</dt><dd><span class="muted">none</span></dd>');
  });

  it("lead from the address of an agent's page to both", async () => {
    const answer = await testApp({ pages }).request("/agents/7");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/agents?q=7"]);
  });

  it.each([
    ["7", { kind: "passportId", passportId: 7n }, true],
    ["heron", { kind: "name", name: "heron" }, false],
  ] as const)("in the form of events, as %s, are a passport's", async (typed, ref, isSaid) => {
    const asked: unknown[] = [];
    const app = testApp({
      pages,
      eventLists: {
        findLife: async (one: unknown) => {
          asked.push(one);
          return { tokenId: 40n, passportId: 7n, firstBlock: 1n, lastBlock: null };
        },
        older: async () => ({ at, value: { events: [], older: null, newer: null } }),
      } as never,
    });
    const answer = await app.request(`/events?agent=${typed}`, {
      headers: { accept: "text/html" },
    });
    const text = await answer.text();
    expect([answer.status, asked]).toEqual([200, [ref]]);
    expect(text.includes("7 is read as a passport")).toBe(isSaid);
    expect(text.includes('<a href="/agents?q=7">see both</a>')).toBe(isSaid);
    // The list of programs takes a token id.
    expect(text).toContain('href="/v1/events?agent=40"');
  });
});

describe("a list", () => {
  it("says what to do when there is nothing, or nothing more", async () => {
    expect((await shown("", {})).text).toContain("No agent is registered yet");
    expect((await shown("?q=%3Cnothing%3E", {})).text).toContain("No agent matches");
    expect((await shown("?after=7", {})).text).toContain("The list ends here.");
  });

  it("shows marks, standing and an empty emblem for a soul without a hash", async () => {
    const original = {
      tokenId: 1n,
      agentName: "heron",
      genesisStatus: "SEALED",
      sealedAt: new Date(0),
    } as const;
    const agents = [
      agent("her0n", {
        duplicateOf: original,
        resembles: { tokenId: 1n, agentName: "heron" },
        soulValidity: "suspended",
        soulHash: null,
        words: `Long ${"words ".repeat(40)}`,
        alignmentScore: 91,
      }),
      agent("ash", { genesisStatus: "BURNED", soulValidity: "not_linked" }),
      agent("bud", { genesisStatus: "PROVISIONAL", soulValidity: "not_linked" }),
      agent("oak", { isHumanVerified: true }),
    ];
    for (const view of ["cards", "table"]) {
      const { text } = await shown(`?q=a&view=${view}`, { q: agents });
      expect(text).toContain('Has the soul of <a href="/agents/heron">heron</a>');
      expect(text).toContain('Easily mistaken for <a href="/agents/heron">heron</a>');
      expect(text).toMatch(/<span class="emblem(?: small)?" aria-hidden="true"><\/span>/);
      const badges = [...text.matchAll(/class="badge \w+">([^<]+)</g)].map(([, word]) => word);
      expect(badges).toEqual(["Suspended", "Burned", "Not sealed yet", "Valid", "Human-verified"]);
      expect(text).toContain("91");
    }
    const { text } = await shown("?q=a", { q: agents });
    expect(text).toContain(`${`Long ${"words ".repeat(40)}`.slice(0, 140)}…</span>`);
  });

  it("names an agent that waits for its owner, and the page of an account", async () => {
    expect((await shown("?q=WAITING", {})).text).toContain('<a href="/agents/waiting">');
    const { text } = await shown(`?q=${ACCOUNT.toLowerCase()}`, {});
    expect(text).toContain(`<a href="/owners/${ACCOUNT}">Everything of this account</a>`);
  });
});

describe("a name that was sent to find one agent", () => {
  it.each([
    ["weir", [agent("weir"), agent("weir-2")], "/agents/weir"],
    ["weir-", [agent("weir-2")], "/agents/weir-2"],
    ["wei", [agent("weir"), agent("weir-2")], "/agents?q=wei"],
    ["waiting", [], "/agents/waiting"],
    ["unknown", [], "/agents?q=unknown"],
    ["7", [agent("weir")], "/agents?q=7"],
    ["", [], "/agents"],
  ])("%j leads to it, or to the list", async (name, q, location) => {
    expect(await shown(`?name=${name}`, { q })).toMatchObject({ status: 303, location });
  });
});
