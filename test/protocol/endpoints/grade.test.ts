import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgentFacts,
  CHECK_IDS,
  ENDPOINT_KINDS,
  FILE_READINGS,
  GRADES,
  gradeAgent,
  missingFile,
} from "../../../protocol/endpoints/index.ts";
import { numRuns } from "../arbitraries.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const LATER = "2027-06-01T00:00:00.000Z";
const SOON = "2026-11-25T00:00:00.000Z";

const PERFECT: AgentFacts = {
  file: {
    reading: "read",
    hasType: true,
    hasName: true,
    hasDescription: true,
    hasImage: true,
    namesPassport: true,
    offersPayment: true,
  },
  endpoints: [
    {
      kind: "mcp",
      endpoint: "https://a.example/mcp",
      answers: true,
      domainProven: true,
      quotesPayment: true,
      certificateEnds: LATER,
    },
  ],
  hasWallet: true,
  soul: { state: "valid", metadataCurrent: true, didPublished: true, identityPublished: true },
  now: NOW,
};

const NOTHING: AgentFacts = {
  file: missingFile("no_uri"),
  endpoints: [],
  hasWallet: false,
  soul: { state: "none", metadataCurrent: false, didPublished: false, identityPublished: false },
  now: NOW,
};

const maybe = fc.option(fc.boolean(), { nil: null });

const endpoint = fc.record({
  kind: fc.option(fc.constantFrom(...ENDPOINT_KINDS), { nil: null }),
  endpoint: fc.webUrl(),
  answers: maybe,
  domainProven: maybe,
  quotesPayment: maybe,
  certificateEnds: fc.option(fc.constantFrom(SOON, LATER), { nil: null }),
});

const facts: fc.Arbitrary<AgentFacts> = fc.record({
  file: fc.record({
    reading: fc.constantFrom(...FILE_READINGS),
    hasType: fc.boolean(),
    hasName: fc.boolean(),
    hasDescription: fc.boolean(),
    hasImage: fc.boolean(),
    namesPassport: fc.boolean(),
    offersPayment: fc.boolean(),
  }),
  endpoints: fc.array(endpoint, { maxLength: 5 }),
  hasWallet: fc.boolean(),
  soul: fc.option(
    fc.record({
      state: fc.constantFrom("none", "provisional", "suspended", "valid"),
      metadataCurrent: maybe,
      didPublished: maybe,
      identityPublished: maybe,
    }),
    { nil: null },
  ),
  now: fc.constant(NOW),
});

/** Every way in which one fact of an agent can be mended. */
function mended(of: AgentFacts): readonly AgentFacts[] {
  const { file, endpoints, soul } = of;
  const withFile = (change: Partial<AgentFacts["file"]>) => ({
    ...of,
    file: { ...file, ...change },
  });
  const withSoul = (change: Partial<NonNullable<AgentFacts["soul"]>>) =>
    soul === null ? of : { ...of, soul: { ...soul, ...change } };
  const withEndpoint = (index: number, change: Partial<AgentFacts["endpoints"][number]>) => ({
    ...of,
    endpoints: endpoints.map((one, at) => (at === index ? { ...one, ...change } : one)),
  });
  const added: AgentFacts["endpoints"][number] = {
    kind: "web",
    endpoint: "https://a.example/",
    answers: false,
    domainProven: false,
    quotesPayment: null,
    certificateEnds: SOON,
  };
  const isFirst = !endpoints.some(({ kind }) => kind !== null);
  const changes: readonly (readonly [boolean | undefined, AgentFacts])[] = [
    [true, withFile({ reading: "read" })],
    [true, withFile({ hasType: true })],
    [true, withFile({ hasName: true })],
    [true, withFile({ hasDescription: true })],
    [true, withFile({ hasImage: true })],
    [true, withFile({ namesPassport: true })],
    [true, { ...of, hasWallet: true }],
    [true, withSoul({ state: "valid" })],
    [soul?.state === "none", withSoul({ state: "provisional" })],
    [soul?.metadataCurrent === false, withSoul({ metadataCurrent: true })],
    [soul?.didPublished === false, withSoul({ didPublished: true })],
    [soul?.identityPublished === false, withSoul({ identityPublished: true })],
    // A first endpoint, even one that does nothing.
    [isFirst, { ...of, endpoints: [...endpoints, added] }],
    ...endpoints.flatMap((one, index): [boolean, AgentFacts][] => [
      [one.answers === false, withEndpoint(index, { answers: true })],
      [one.domainProven === false, withEndpoint(index, { domainProven: true })],
      [one.certificateEnds === SOON, withEndpoint(index, { certificateEnds: LATER })],
      [true, withEndpoint(index, { quotesPayment: true })],
    ]),
  ];
  return changes.filter(([applies]) => applies === true).map(([, facts]) => facts);
}

const rank = (of: AgentFacts) => GRADES.length - GRADES.indexOf(gradeAgent(of).grade);

describe("gradeAgent", () => {
  it("gives A and nothing to mend to an agent that has everything", () => {
    const report = gradeAgent(PERFECT);
    expect([report.grade, report.reached, report.fixes]).toEqual(["A", report.of, []]);
    expect(report.of).toBe(100);
    expect(report.checks.map(({ id }) => id)).toEqual(CHECK_IDS);
  });

  it("gives F to a passport that has nothing, and begins with what nothing stands before", () => {
    const report = gradeAgent(NOTHING);
    expect([report.grade, report.reached]).toEqual(["F", 0]);
    expect(report.fixes.slice(0, 3).map(({ id, after }) => [id, after])).toEqual([
      ["registration-file", []],
      ["soul-sealed", []],
      ["agent-wallet", []],
    ]);
    expect(report.fixes.find(({ id }) => id === "endpoints-answer")?.after).toEqual([
      "registration-file",
      "services",
    ]);
  });

  it("never falls when one fact is mended", () => {
    fc.assert(
      fc.property(facts, (of) => {
        const { reached, of: sum } = gradeAgent(of);
        for (const better of mended(of)) {
          const report = gradeAgent(better);
          expect(report.reached / report.of).toBeGreaterThanOrEqual(reached / sum - 1e-9);
          expect(rank(better)).toBeGreaterThanOrEqual(rank(of));
        }
      }),
      { numRuns },
    );
  });

  it("lists a fix for every check that was not reached, and one that can be done first", () => {
    fc.assert(
      fc.property(facts, (of) => {
        const { checks, fixes } = gradeAgent(of);
        const open = checks.filter(({ reached, points }) => reached !== null && reached < points);
        expect(fixes.map(({ id }) => id).sort()).toEqual(open.map(({ id }) => id).sort());
        if (fixes.length > 0) expect(fixes[0]?.after).toEqual([]);
        for (const fix of fixes) expect(fix.action).not.toBe("");
      }),
      { numRuns },
    );
  });

  it("leaves what is not known out of the sum", () => {
    const known = gradeAgent({ ...PERFECT, soul: null });
    expect([known.grade, known.fixes]).toEqual(["A", []]);
    expect(known.of).toBe(74);
    const unasked = PERFECT.endpoints.map((one) => ({ ...one, answers: null, domainProven: null }));
    expect(gradeAgent({ ...PERFECT, endpoints: unasked }).of).toBe(75);
  });

  it("gives a suspended soul D at best, and says to reseal it", () => {
    const soul = { ...PERFECT.soul, state: "suspended" } as NonNullable<AgentFacts["soul"]>;
    const report = gradeAgent({ ...PERFECT, soul });
    expect([report.grade, report.fixes.map(({ id }) => id)]).toEqual(["D", ["soul-valid"]]);
    expect(report.fixes[0]?.action).toContain("POST /v1/reseal/{tokenId}");
  });

  it("names the endpoints that a fix is about", () => {
    const [first] = PERFECT.endpoints;
    if (first === undefined) throw new Error("no endpoint");
    const silent = { ...first, endpoint: "https://b.example/", answers: false };
    const expiring = { ...first, endpoint: "https://c.example/", certificateEnds: SOON };
    const { fixes } = gradeAgent({ ...PERFECT, endpoints: [first, silent, expiring] });
    expect(fixes.map(({ id, about, adds }) => [id, about, adds])).toEqual([
      ["endpoints-answer", ["https://b.example/"], 5],
      ["certificates", ["https://c.example/"], 0.3],
    ]);
  });
});
