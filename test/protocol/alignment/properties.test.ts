import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALIGNMENT_WEIGHTS,
  type AlignmentComponent,
  type AlignmentFact,
  alignmentDocument,
  alignmentDocumentBytes,
  alignmentOf,
  type OffChainFact,
  type OnChainFact,
  parseAlignmentDocument,
} from "../../../protocol/index.ts";
import {
  AT,
  account,
  binding,
  event,
  feedback,
  membership,
  organization,
  overspending,
  payment,
  requests,
  review,
  reviewer,
  SUBJECT,
  start,
} from "./sample-facts.ts";
import { syntheticAgent } from "./synthetic-year.ts";

const NAMES = Object.keys(ALIGNMENT_WEIGHTS) as AlignmentComponent[];

const DAYS_AGO = fc.integer({ min: 0, max: 450 });
const PERCENT = fc.integer({ min: 0, max: 100 });
const FEW = fc.integer({ min: 0, max: 12 });
/** The fewer accounts there are, the more often facts meet. */
const ACCOUNTS = fc.integer({ min: 1, max: 8 }).map((number) => account(10_000 + number));
const TOKENS = fc.integer({ min: 10_001, max: 10_008 }).map(BigInt);
const ORGANIZATIONS = fc.integer({ min: 1, max: 3 }).map(BigInt);

const REVIEW = fc
  .tuple(ACCOUNTS, TOKENS, PERCENT, DAYS_AGO, DAYS_AGO, fc.boolean())
  .map(([from, tokenId, value, sealed, given, humanVerified]): OnChainFact[] => [
    reviewer(from, tokenId, { humanVerified, ...event(sealed) }),
    feedback(from, value, given),
  ]);

const EVENTS: fc.Arbitrary<OnChainFact[]> = fc
  .array(
    fc.oneof(
      DAYS_AGO.map((days) => [overspending(days)]),
      fc
        .tuple(fc.integer({ min: 8, max: 10 }), fc.integer({ min: 1, max: 4 }), DAYS_AGO)
        .map(([to, level, days]) => [binding(BigInt(to), level, days)]),
      REVIEW,
      fc.tuple(ACCOUNTS, DAYS_AGO).map(([from, days]) => [payment(from, days)]),
      fc.tuple(TOKENS, ORGANIZATIONS).map(([token, id]) => [membership(token, id)]),
      fc.tuple(ORGANIZATIONS, ACCOUNTS).map(([id, admin]) => [organization(id, admin)]),
      DAYS_AGO.map((days): OnChainFact[] => [
        { kind: "operator", ...event(days), epoch: 1, operator: account(3) },
      ]),
    ),
    { maxLength: 40 },
  )
  .map((groups) => groups.flat());

const REQUESTERS = fc.tuple(FEW, FEW).map(([missed, more]) => ({ missed, asked: missed + more }));
const FITTING = fc.tuple(FEW, FEW).map(([fitting, more]) => ({ fitting, counted: fitting + more }));

const COUNTS: fc.Arbitrary<OffChainFact[]> = fc
  .record({
    chronicles: FITTING,
    skills: FITTING,
    operatorChange: FEW,
    immutableChanged: fc.integer({ min: 0, max: 4 }),
    consistent: fc.boolean(),
    humanVerified: REQUESTERS,
    others: REQUESTERS,
    beyondPolicy: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ chronicles, skills, operatorChange, immutableChanged, consistent, ...asked }) => [
    { kind: "tasks", chronicles, skills },
    { kind: "records", operatorChange, soulRevision: 0 },
    { kind: "documents", immutableChanged },
    { kind: "registrationFile", uriHash: null, consistent },
    requests(asked),
  ]);

const AGENTS: fc.Arbitrary<AlignmentFact[]> = fc
  .tuple(EVENTS, COUNTS)
  .map(([events, counts]) => [...start(460), ...events, ...counts]);

/** The facts with a changed count of one kind. */
function changed<Kind extends OffChainFact["kind"]>(
  facts: readonly AlignmentFact[],
  kind: Kind,
  change: (count: Extract<OffChainFact, { kind: Kind }>) => OffChainFact,
): AlignmentFact[] {
  return facts.map((fact) =>
    fact.kind === kind ? change(fact as Extract<OffChainFact, { kind: Kind }>) : fact,
  );
}

/** That the second facts give no more than the first in one component, nor in the score. */
function expectNoHigher(
  name: AlignmentComponent,
  before: readonly AlignmentFact[],
  after: readonly AlignmentFact[],
) {
  const [one, other] = [alignmentOf(before, AT), alignmentOf(after, AT)];
  expect(other.breakdown[name]).toBeLessThanOrEqual(one.breakdown[name]);
  expect(other.score ?? 0).toBeLessThanOrEqual(one.score ?? 0);
}

describe("properties of the score", () => {
  it("stays within 0 and 100, in integers", () => {
    fc.assert(
      fc.property(AGENTS, (facts) => {
        const { score, breakdown: values } = alignmentOf(facts, AT);
        for (const value of [score, ...NAMES.map((name) => values[name])]) {
          expect(value).toSatisfy(Number.isInteger);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it("depends neither on the order of the facts nor on repetitions", () => {
    fc.assert(
      fc.property(
        AGENTS.chain((facts) =>
          fc.tuple(
            fc.constant(facts),
            fc.shuffledSubarray([...facts, ...facts], {
              minLength: 2 * facts.length,
            }),
          ),
        ),
        ([facts, shuffled]) => {
          expect(alignmentOf(shuffled, AT)).toEqual(alignmentOf(facts, AT));
        },
      ),
    );
  });

  it("is the same from the document as from the facts", () => {
    fc.assert(
      fc.property(AGENTS, (facts) => {
        const written = alignmentDocument(SUBJECT, facts);
        const { facts: read, offChain } = parseAlignmentDocument(alignmentDocumentBytes(written));
        expect(alignmentOf([...read, ...offChain], AT)).toEqual(alignmentOf(facts, AT));
      }),
    );
  });

  it("spendingAlignment never rises with a payment outside the allowance", () => {
    fc.assert(
      fc.property(AGENTS, DAYS_AGO, (facts, days) => {
        expectNoHigher("spendingAlignment", facts, [...facts, overspending(days)]);
      }),
    );
  });

  it("taskTypeAlignment never falls with a fitting chronicle, nor rises with one that does not fit", () => {
    fc.assert(
      fc.property(AGENTS, (facts) => {
        const more = (fitting: number) =>
          changed(facts, "tasks", ({ skills, chronicles }) => ({
            kind: "tasks",
            skills,
            chronicles: {
              counted: chronicles.counted + 1,
              fitting: chronicles.fitting + fitting,
            },
          }));
        expectNoHigher("taskTypeAlignment", more(1), facts);
        expectNoHigher("taskTypeAlignment", facts, more(0));
      }),
    );
  });

  it("protocolAdherence never rises with an unrecorded decision, a changed document or a wrong file", () => {
    fc.assert(
      fc.property(AGENTS, DAYS_AGO, (facts, days) => {
        const operator = account(5);
        const decision: OnChainFact = { kind: "operator", ...event(days), epoch: 1, operator };
        const edited = changed(facts, "documents", ({ kind, immutableChanged }) => ({
          kind,
          immutableChanged: immutableChanged + 1,
        }));
        const wrong = changed(facts, "registrationFile", ({ kind, uriHash }) => ({
          kind,
          uriHash,
          consistent: false,
        }));
        for (const after of [[...facts, decision], edited, wrong]) {
          expectNoHigher("protocolAdherence", facts, after);
        }
      }),
    );
  });

  it("policyCompliance never rises with a missed request or a disclosure beyond the policy", () => {
    fc.assert(
      fc.property(AGENTS, fc.constantFrom("humanVerified", "others"), (facts, group) => {
        const missed = changed(facts, "requests", (count) => {
          const { asked, missed: before } = count[group];
          return { ...count, [group]: { asked: Math.max(asked, before + 1), missed: before + 1 } };
        });
        const beyond = changed(facts, "requests", (count) => ({
          ...count,
          beyondPolicy: count.beyondPolicy + 1,
        }));
        expectNoHigher("policyCompliance", facts, beyond);
        // A further requester may have been answered before: compare within the same number.
        const asked = changed(missed, "requests", (count) => {
          const { asked: all, missed: some } = count[group];
          return { ...count, [group]: { asked: all, missed: some - 1 } };
        });
        expectNoHigher("policyCompliance", asked, missed);
      }),
    );
  });

  it("bindingConsistency never rises with a further change of a binding", () => {
    fc.assert(
      fc.property(
        AGENTS,
        fc.integer({ min: 8, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        (facts, to, level) => {
          const later = binding(BigInt(to), level, 0);
          const past = facts.filter(({ kind }) => kind !== "binding");
          const bindings = facts.filter(
            (fact) => fact.kind === "binding" && fact.timestamp < later.timestamp,
          );
          const before = [...past, ...bindings];
          expectNoHigher("bindingConsistency", before, [...before, later]);
        },
      ),
    );
  });

  it("externalTrust never falls with a higher rating, nor with a further good reviewer", () => {
    fc.assert(
      fc.property(AGENTS, PERCENT, fc.boolean(), (facts, rating, humanVerified) => {
        const raised = facts.map(
          (fact): AlignmentFact =>
            fact.kind === "feedback" && fact.value < rating
              ? { ...fact, value: BigInt(rating) }
              : fact,
        );
        expectNoHigher("externalTrust", raised, facts);
        const stranger = review(77, 50 + Math.floor(rating / 2), { humanVerified });
        expectNoHigher("externalTrust", [...facts, ...stranger], facts);
        const critic = review(77, Math.floor(rating / 2), { humanVerified });
        expectNoHigher("externalTrust", facts, [...facts, ...critic]);
      }),
    );
  });

  it("is moved by at most 5 points by any acts of souls without a human attestation", () => {
    const crowd = fc
      .array(
        fc
          .tuple(fc.integer({ min: 100, max: 160 }), PERCENT, fc.boolean(), ORGANIZATIONS)
          .map(([number, value, isPaying, organizationId]) => [
            ...review(number, value),
            ...(isPaying ? [payment(account(10_000 + number))] : []),
            membership(BigInt(10_000 + number), organizationId),
          ]),
        { maxLength: 60 },
      )
      .map((groups) => groups.flat());
    fc.assert(
      fc.property(AGENTS, crowd, crowd, REQUESTERS, REQUESTERS, (facts, one, two, some, others) => {
        const acted = (events: readonly OnChainFact[], asked: typeof some) =>
          changed([...facts, ...events], "requests", (count) => ({ ...count, others: asked }));
        const [first, second] = [acted(one, some), acted(two, others)].map(
          (all) => alignmentOf(all, AT).score ?? 0,
        );
        expect(Math.abs((first ?? 0) - (second ?? 0))).toBeLessThanOrEqual(5);
      }),
    );
  });

  it("gives 200 agents the same score from their documents, on each month of a year", () => {
    const scores = new Set<number | null>();
    for (let number = 0; number < 200; number += 1) {
      const agent = syntheticAgent(number);
      for (const { subject, facts } of agent) {
        const at = {
          tokenId: subject.tokenId,
          epoch: subject.epoch,
          timestamp: subject.block.timestamp,
        };
        const document = alignmentDocument(subject, facts);
        const read = parseAlignmentDocument(alignmentDocumentBytes(document));
        const again = alignmentOf([...read.facts, ...read.offChain], at);
        expect(again).toEqual(alignmentOf(facts, at));
        expect(read.score).toBe(again.score);
        scores.add(read.score);
      }
    }
    // The year is worth comparing only if it is eventful.
    expect(scores.size).toBeGreaterThan(30);
  });
});
