import { describe, expect, it } from "vitest";
import { type AlignmentFact, alignmentOf, type OnChainFact } from "../../../protocol/index.ts";
import {
  AGENT,
  AT,
  account,
  binding,
  counts,
  DAY,
  event,
  feedback,
  membership,
  NOW,
  OWNER,
  organization,
  overspending,
  payment,
  plainAgent,
  requests,
  review,
  reviewer,
  start,
  withCounts,
} from "./sample-facts.ts";

/** The scores before and after. docs/alignment.md has the same numbers. */
function scores(before: readonly AlignmentFact[], after: readonly AlignmentFact[]) {
  return [alignmentOf(before, AT).score, alignmentOf(after, AT).score];
}

function many(number: number, facts: (index: number) => OnChainFact[]): OnChainFact[] {
  return Array.from({ length: number }, (_, index) => facts(index)).flat();
}

/** A thousand sealed souls of one person, older than 30 days, which pay and praise or slander. */
const thousand = (value: number) =>
  many(1000, (index) => [...review(index, value), payment(account(10_000 + index))]);

describe("attacks on the score", () => {
  it("is not moved by 1,000 free wallets", () => {
    const free = many(1000, (index) => [
      feedback(account(20_000 + index), 100),
      payment(account(20_000 + index)),
    ]);
    expect(scores(plainAgent(), [...plainAgent(), ...free])).toEqual([84, 84]);
  });

  it("is not moved by 1,000 souls that were sealed last week", () => {
    const young = many(1000, (index) => review(index, 0, event(7)));
    expect(scores(plainAgent(), [...plainAgent(), ...young])).toEqual([84, 84]);
  });

  it("is moved by one point by the feedback of 1,000 old souls of one person", () => {
    expect(scores(plainAgent(), [...plainAgent(), ...thousand(100)])).toEqual([84, 85]);
    expect(scores(plainAgent(), [...plainAgent(), ...thousand(0)])).toEqual([84, 83]);
  });

  it("is moved by four points by 1,000 souls with human attestations", () => {
    const attested = (value: number) =>
      many(1000, (index) => review(index, value, { humanVerified: true }));
    expect(scores(plainAgent(), [...plainAgent(), ...attested(100)])).toEqual([84, 88]);
    expect(scores(plainAgent(), [...plainAgent(), ...attested(0)])).toEqual([84, 80]);
    const all = [
      ...plainAgent(),
      ...attested(100),
      ...many(1000, (index) => review(2000 + index, 100)),
    ];
    expect(scores(plainAgent(), all)).toEqual([84, 89]);
  });

  it("is moved by at most 5 points from all that 1,000 old souls can do against it to all for it", () => {
    const worst = withCounts(
      [...plainAgent(), ...thousand(0)],
      requests({ others: { asked: 1000, missed: 1000 } }),
    );
    expect(scores(plainAgent(), worst)).toEqual([84, 80]);
    const best = [...plainAgent(), ...thousand(100)];
    expect(scores(worst, best)).toEqual([80, 85]);
  });

  it("cannot be cleaned by 1,000 old souls that ask and are answered", () => {
    const missed = withCounts(plainAgent(), requests({ others: { asked: 5, missed: 5 } }));
    const diluted = withCounts(plainAgent(), requests({ others: { asked: 1005, missed: 5 } }));
    expect(scores(missed, diluted)).toEqual([81, 84]);
  });

  it("is not raised by payments between own agents", () => {
    const overspent = [...plainAgent(), overspending(2), overspending(3), overspending(4)];
    const washed = [
      ...overspent,
      // A second agent of the same owner pays the first, and praises it.
      ...many(100, (day) => [payment(OWNER, day % 80, 1_000_000_000n)]),
      reviewer(OWNER, 8n, { humanVerified: true }),
      feedback(OWNER, 100),
    ];
    expect(scores(overspent, washed)).toEqual([81, 81]);
  });

  it("is not raised by the members of an own organization", () => {
    const admin = account(500);
    const agent = [...plainAgent(), membership(AGENT, 1n), organization(1n, admin)];
    const vouched = [
      ...agent,
      ...many(50, (index) => [
        ...review(index, 100, { humanVerified: true }),
        membership(BigInt(10_000 + index), 1n),
      ]),
    ];
    expect(scores(agent, vouched)).toEqual([84, 84]);
  });

  it("is not raised by the members of a second organization with the same admin", () => {
    const admin = account(500);
    const agent = [...plainAgent(), membership(AGENT, 1n), organization(1n, admin)];
    const vouched = [
      ...agent,
      organization(2n, admin),
      ...many(50, (index) => [
        ...review(index, 100, { humanVerified: true }),
        membership(BigInt(10_000 + index), 2n),
      ]),
    ];
    expect(scores(agent, vouched)).toEqual([84, 84]);
  });

  it("hears one voice of an organization with another admin", () => {
    const vouched = [
      ...plainAgent(),
      organization(2n, account(501)),
      ...many(50, (index) => [
        ...review(index, 100, { humanVerified: true }),
        membership(BigInt(10_000 + index), 2n),
      ]),
    ];
    // 54 instead of 50 in a component that weighs a tenth.
    expect(scores(plainAgent(), vouched)).toEqual([84, 84]);
    expect(alignmentOf(vouched, AT).breakdown.externalTrust).toBe(54);
  });

  it("is lowered by flapping bindings, also with many other bindings beside them", () => {
    const flapping = [
      ...plainAgent(),
      ...many(4, () => [binding(8n, 4), binding(8n, 1)]),
      ...many(500, (index) => [binding(BigInt(index + 100), 4)]),
    ];
    expect(scores(plainAgent(), flapping)).toEqual([84, 75]);
  });

  it("does not pass to the next owner, neither good nor bad", () => {
    const praised = [
      ...start(300),
      ...counts(),
      ...many(10, (index) => [
        ...review(index, 100, { humanVerified: true, ...event(290) }),
        payment(account(10_000 + index), 250),
      ]),
    ];
    const blamed = [
      ...start(300),
      ...counts(),
      ...many(10, (index) => [overspending(70 + index), binding(BigInt(index), 4, 70)]),
      ...many(10, (index) => [binding(BigInt(index), 1, 70)]),
    ];
    const sale: OnChainFact = {
      kind: "resealed",
      ...event(40),
      epoch: 2,
      sealer: account(3),
      operator: account(4),
    };
    // The feedback of the reviewers was given 65 days ago, before the sale.
    const facts = praised.map(
      (fact): AlignmentFact => (fact.kind === "feedback" ? { ...fact, ...event(65) } : fact),
    );
    expect(alignmentOf(facts, AT).score).toBe(88);
    expect(alignmentOf(blamed, AT).score).toBe(66);

    const soon = { ...AT, epoch: 2, timestamp: NOW - 11n * DAY };
    const later = { ...AT, epoch: 2 };
    for (const past of [facts, blamed]) {
      expect(alignmentOf([...past, sale], soon)).toMatchObject({ score: null, isNewAgent: true });
      expect(alignmentOf([...past, sale], later)).toMatchObject({ score: 84, isNewAgent: false });
    }
  });
});
