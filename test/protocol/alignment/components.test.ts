import { describe, expect, it } from "vitest";
import {
  type AlignmentComponent,
  type AlignmentFact,
  alignmentOf,
  chronicleFits,
  type FeedbackFact,
  InvalidAlignmentFactsError,
  type OffChainFact,
  type OnChainFact,
  weightedScore,
} from "../../../protocol/index.ts";
import {
  AT,
  account,
  binding,
  counts,
  DAY,
  event,
  feedback,
  membership,
  NOW,
  OPERATOR,
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

/** One component of an old, sealed agent with these facts more. */
function component(name: AlignmentComponent, ...facts: AlignmentFact[]): number {
  return alignmentOf([...start(500), ...counts(), ...facts], AT).breakdown[name];
}

/** The same with other counts. */
function counted(name: AlignmentComponent, count: OffChainFact): number {
  return alignmentOf(withCounts(plainAgent(), count), AT).breakdown[name];
}

function days(number: number, daysAgo: (day: number) => number): OnChainFact[] {
  return Array.from({ length: number }, (_, day) => overspending(daysAgo(day)));
}

describe("score", () => {
  it("is 84 for a sealed agent without data", () => {
    expect(alignmentOf(plainAgent(), AT)).toMatchObject({
      score: 84,
      isNewAgent: false,
      isProvisional: false,
      breakdown: {
        spendingAlignment: 100,
        taskTypeAlignment: 50,
        protocolAdherence: 100,
        policyCompliance: 100,
        bindingConsistency: 100,
        externalTrust: 50,
      },
    });
  });

  it.each([
    [[0, 0, 0, 0, 0, 0], 0],
    [[100, 100, 100, 100, 100, 100], 100],
    [[0, 0, 0, 0, 0, 4], 0],
    [[0, 0, 0, 0, 0, 5], 1],
    [[100, 0, 0, 0, 0, 0], 22],
    [[0, 100, 0, 0, 0, 0], 22],
    [[0, 0, 100, 0, 0, 0], 18],
    [[0, 0, 0, 100, 0, 0], 14],
    [[0, 0, 0, 0, 100, 0], 14],
    [[0, 0, 0, 0, 0, 100], 10],
  ])("weighs %j to %i, rounded half up", (values, score) => {
    const [spending = 0, taskType = 0, protocol = 0, policy = 0, bindings = 0, trust = 0] = values;
    const breakdown = {
      spendingAlignment: spending,
      taskTypeAlignment: taskType,
      protocolAdherence: protocol,
      policyCompliance: policy,
      bindingConsistency: bindings,
      externalTrust: trust,
    };
    expect(weightedScore(breakdown)).toBe(score);
  });

  it("is missing until the agent is 30 days old", () => {
    const young = { ...AT, timestamp: NOW - 170n * DAY - 1n };
    expect(alignmentOf(plainAgent(), young)).toMatchObject({ score: null, isNewAgent: true });
    const old = { ...AT, timestamp: NOW - 170n * DAY };
    expect(alignmentOf(plainAgent(), old)).toMatchObject({ score: 84, isNewAgent: false });
  });

  it("is provisional for a soul that is not sealed", () => {
    const unsealed = plainAgent().filter(({ kind }) => kind !== "sealed");
    expect(alignmentOf(unsealed, AT)).toMatchObject({ score: 84, isProvisional: true });
  });

  it("does not count facts after the moment", () => {
    const before = { ...AT, timestamp: NOW - 2n * DAY };
    expect(alignmentOf([...plainAgent(), overspending(1)], before).score).toBe(84);
  });

  it.each([
    [
      "the event that started the epoch",
      counts(),
      "A score needs exactly one event that started epoch 1. There are 0.",
    ],
    [
      "a count",
      [...start(), ...counts().slice(1)],
      "A score needs exactly one count of the kind tasks. There are 0.",
    ],
    [
      "agreement between two counts",
      [...plainAgent(), requests({ beyondPolicy: 1 })],
      "A score needs exactly one count of the kind requests. There are 2.",
    ],
  ])("is refused without %s", (_, facts, message) => {
    expect(() => alignmentOf(facts, AT)).toThrow(new InvalidAlignmentFactsError(message));
  });
});

describe("spendingAlignment", () => {
  it.each<[string, OnChainFact[], number]>([
    ["nothing was spent beyond the limits", [], 100],
    ["one day had a payment beyond the limits", [overspending(3)], 95],
    ["one day had several", [overspending(3), overspending(3), overspending(3)], 95],
    ["nineteen days had", days(19, (day) => day + 1), 5],
    ["twenty days had", days(20, (day) => day + 1), 0],
    ["twenty-one days had", days(21, (day) => day + 1), 0],
    ["the payment is 89 days old", [overspending(89)], 95],
    ["the payment is 90 days old", [overspending(90)], 100],
  ])("when %s", (_, facts, value) => {
    expect(component("spendingAlignment", ...facts)).toBe(value);
  });
});

it("lists the first payment of each overspent day", () => {
  const [first, second, other] = [overspending(3), overspending(3), overspending(2)];
  const { used } = alignmentOf([...plainAgent(), other, second, first], AT);
  expect(used.spendingAlignment).toEqual([first, other]);
});

describe("taskTypeAlignment", () => {
  const none = { counted: 0, fitting: 0 };
  it.each([
    ["nothing can be compared", none, none, 50],
    ["everything fits", { counted: 4, fitting: 4 }, { counted: 1, fitting: 1 }, 100],
    ["nothing fits", { counted: 4, fitting: 0 }, none, 0],
    ["one of three fits", { counted: 2, fitting: 1 }, { counted: 1, fitting: 0 }, 33],
    ["two of three fit", { counted: 2, fitting: 1 }, { counted: 1, fitting: 1 }, 67],
    ["one of eight fits", { counted: 8, fitting: 1 }, none, 13],
  ])("when %s", (_, chronicles, skills, value) => {
    expect(counted("taskTypeAlignment", { kind: "tasks", chronicles, skills })).toBe(value);
  });

  const published = { skills: ["Translation"], tools: ["calculator"], agentType: "specialist" };
  const secret = { skills: null, tools: null, agentType: null };
  it.each([
    [{ skill: " translation " }, published, true],
    [{ skills: ["translation", "CALCULATOR"] }, published, true],
    [{ skills: ["translation", "surgery"] }, published, false],
    [{ skill: "surgery" }, secret, null],
    [{ skill: "surgery" }, { ...secret, tools: ["calculator"] }, null],
    [{ skill: "calculator" }, { ...secret, tools: ["calculator"] }, true],
    [{ taskType: "Specialist" }, published, true],
    [{ taskType: "creative", skill: "translation" }, published, false],
    [{ taskType: "creative" }, secret, null],
    [{ skill: 3, skills: "translation", title: "surgery" }, published, null],
  ])("compares a chronicle %j with public leaves alone", (data, leaves, fits) => {
    expect(chronicleFits(data, leaves)).toBe(fits);
  });
});

describe("protocolAdherence", () => {
  const change = (daysAgo: number): OnChainFact => ({
    kind: "operator",
    ...event(daysAgo),
    epoch: 1,
    operator: account(3),
  });
  const revision = (daysAgo: number): OnChainFact => ({
    kind: "revised",
    ...event(daysAgo),
    epoch: 1,
    dataHash: `0x${"1".repeat(64)}`,
  });

  it.each<[string, OnChainFact[], number]>([
    ["a change of operator has no chronicle", [change(2)], 80],
    ["a revision has no chronicle", [revision(2)], 80],
    ["five decisions have none", [1, 2, 3, 4, 5].map(change), 0],
    ["six decisions have none", [1, 2, 3, 4, 5, 6].map(revision), 0],
    ["the decision is less than a day old", [change(0)], 100],
    ["the decision is a day old", [change(1)], 80],
  ])("when %s", (_, facts, value) => {
    expect(component("protocolAdherence", ...facts)).toBe(value);
  });

  it("is 100 when each decision has its chronicle", () => {
    const records = { kind: "records", operatorChange: 1, soulRevision: 1 } as const;
    const facts = withCounts([...plainAgent(), change(2), revision(2)], records);
    expect(alignmentOf(facts, AT).breakdown.protocolAdherence).toBe(100);
  });

  it("does not take one kind of chronicle for another", () => {
    const records = { kind: "records", operatorChange: 2, soulRevision: 0 } as const;
    const facts = withCounts([...plainAgent(), change(2), revision(2)], records);
    expect(alignmentOf(facts, AT).breakdown.protocolAdherence).toBe(80);
  });

  it.each([
    ["one immutable document changed", { kind: "documents", immutableChanged: 1 }, 70],
    ["four immutable documents changed", { kind: "documents", immutableChanged: 4 }, 0],
    [
      "the registration file is not this agent's",
      { kind: "registrationFile", uriHash: null, consistent: false },
      75,
    ],
  ] as const)("when %s", (_, count, value) => {
    expect(counted("protocolAdherence", count)).toBe(value);
  });
});

describe("policyCompliance", () => {
  it.each([
    ["no owner asked", requests({}), 100],
    ["all were answered", requests({ humanVerified: { asked: 9, missed: 0 } }), 100],
    [
      "one human-verified requester was missed",
      requests({ humanVerified: { asked: 1, missed: 1 } }),
      88,
    ],
    [
      "half of ten human-verified were missed",
      requests({ humanVerified: { asked: 10, missed: 5 } }),
      70,
    ],
    [
      "all of ten human-verified were missed",
      requests({ humanVerified: { asked: 10, missed: 10 } }),
      40,
    ],
    ["one other requester was missed", requests({ others: { asked: 1, missed: 1 } }), 96],
    ["a thousand others were missed", requests({ others: { asked: 1000, missed: 1000 } }), 80],
    [
      "all of both were missed",
      requests({
        humanVerified: { asked: 10, missed: 10 },
        others: { asked: 1000, missed: 1000 },
      }),
      20,
    ],
    ["one disclosure went beyond the policy", requests({ beyondPolicy: 1 }), 80],
    ["a hundred disclosures went beyond the policy", requests({ beyondPolicy: 100 }), 0],
    [
      "one of eight others was missed: half a point is rounded up",
      requests({ others: { asked: 8, missed: 1 } }),
      98,
    ],
  ])("when %s", (_, count, value) => {
    expect(counted("policyCompliance", count)).toBe(value);
  });
});

describe("bindingConsistency", () => {
  it.each<[string, OnChainFact[], number]>([
    ["no binding was changed", [binding(8n, 4), binding(9n, 2)], 100],
    ["a binding was raised", [binding(8n, 2), binding(8n, 4)], 100],
    ["a binding was raised twice", [binding(8n, 2), binding(8n, 3), binding(8n, 4)], 100],
    ["a binding was lowered", [binding(8n, 4), binding(8n, 2)], 100],
    ["a binding was revoked", [binding(8n, 4), binding(8n, 1)], 95],
    ["it was revoked twice in a row", [binding(8n, 4), binding(8n, 1), binding(8n, 1)], 95],
    ["an agent was refused that was never bound", [binding(8n, 1)], 100],
    ["a binding was lowered and raised", [binding(8n, 4), binding(8n, 2), binding(8n, 3)], 85],
    ["a binding was revoked and set again", [binding(8n, 4), binding(8n, 1), binding(8n, 4)], 80],
    [
      "two agents have bindings of their own",
      [binding(8n, 4), binding(9n, 1), binding(8n, 4)],
      100,
    ],
    ["a revocation is a year old", [binding(8n, 4, 400), binding(8n, 1, 365)], 100],
    ["a revocation is younger than a year", [binding(8n, 4, 400), binding(8n, 1, 364)], 95],
  ])("when %s", (_, facts, value) => {
    expect(component("bindingConsistency", ...facts)).toBe(value);
  });

  it("is 0 after twenty revocations, and lists no more of them", () => {
    const revoked = Array.from({ length: 50 }, (_, index) => BigInt(index + 8)).flatMap((to) => [
      binding(to, 4),
      binding(to, 1),
    ]);
    const { breakdown, used } = alignmentOf([...plainAgent(), ...revoked], AT);
    expect(breakdown.bindingConsistency).toBe(0);
    expect(used.bindingConsistency).toHaveLength(40);
    const again = alignmentOf([...plainAgent(), ...used.bindingConsistency], AT);
    expect(again.used.bindingConsistency).toEqual(used.bindingConsistency);
  });
});

describe("externalTrust of a crowd", () => {
  it("hears the 200 voices with the oldest seals of each group, and lists no others", () => {
    const crowd = (humanVerified: boolean) =>
      Array.from({ length: 250 }, (_, index) =>
        review(index + (humanVerified ? 1000 : 0), 100, { humanVerified }),
      ).flat();
    const facts = [...crowd(true), ...crowd(false)];
    const { used, breakdown } = alignmentOf([...plainAgent(), ...facts], AT);
    expect(breakdown.externalTrust).toBe(100);
    expect(used.externalTrust).toHaveLength(800);
    const heard = used.externalTrust.filter(({ kind }) => kind === "reviewer");
    const oldest = facts.filter(({ kind }) => kind === "reviewer");
    expect(heard).toEqual([...oldest.slice(0, 200), ...oldest.slice(250, 450)]);
    const again = alignmentOf([...plainAgent(), ...used.externalTrust], AT);
    expect(again.used.externalTrust).toEqual(used.externalTrust);
  });
});

describe("externalTrust", () => {
  const human = { humanVerified: true };
  const first = account(10_001);
  const many = (number: number, value: number, some = {}) =>
    Array.from({ length: number }, (_, index) => review(index, value, some)).flat();
  const rated = (some: Partial<FeedbackFact>): OnChainFact[] => [
    reviewer(first, 10_001n, human),
    { ...feedback(first, 100), ...some },
  ];
  const validation = (response: number): OnChainFact => ({
    kind: "validation",
    ...event(3),
    account: first,
    requestHash: `0x${"2".repeat(64)}`,
    response,
  });

  it.each<[string, OnChainFact[], number]>([
    ["there is no data", [], 50],
    ["an account without a soul gave feedback", [feedback(first, 100)], 50],
    ["one human-verified reviewer gave 100", review(1, 100, human), 54],
    ["one human-verified reviewer gave 0", review(1, 0, human), 46],
    ["one human-verified reviewer gave 50", review(1, 50, human), 50],
    ["ten human-verified reviewers gave 100", many(10, 100, human), 90],
    ["eleven human-verified reviewers gave 100", many(11, 100, human), 90],
    ["eleven human-verified reviewers gave 0", many(11, 0, human), 10],
    ["one other reviewer gave 100", review(1, 100), 51],
    ["one other reviewer gave 75: half a point is rounded up", review(1, 75), 51],
    ["one other reviewer gave 25: half a point is rounded up", review(1, 25), 50],
    ["one other reviewer gave 0", review(1, 0), 49],
    ["ten other reviewers gave 100", many(10, 100), 60],
    ["a thousand other reviewers gave 100", many(1000, 100), 60],
    ["a thousand other reviewers gave 0", many(1000, 0), 40],
    ["the seal of the reviewer is 30 days old", review(1, 100, event(30)), 51],
    ["the seal of the reviewer is 29 days old", review(1, 100, event(29)), 50],
    ["a human-verified seal is a day old", review(1, 100, { ...human, ...event(1) }), 54],
    ["the feedback is a year old", [reviewer(first, 3n), feedback(first, 100, 365)], 50],
    ["the feedback is younger than a year", [reviewer(first, 3n), feedback(first, 100, 364)], 51],
    ["the newest feedback is worse", [...review(1, 100, human), feedback(first, 0, 4)], 46],
    ["the feedback has decimals", rated({ value: 9950n, valueDecimals: 2 }), 54],
    ["the value is above 100", rated({ value: 101n }), 50],
    ["the value is negative", rated({ value: -1n }), 50],
    ["the value has another unit", rated({ tag1: "responseTime" }), 50],
    ["a validator passed it", [reviewer(first, 3n, human), validation(100)], 54],
    ["a reviewer gave 100 and failed it", [...review(1, 100, human), validation(0)], 50],
    ["the reviewer paid first", [...review(1, 100, human), payment(first)], 58],
    ["four others paid first", [...many(4, 100), ...payments(4)], 58],
    ["six others paid first", [...many(6, 100), ...payments(6)], 60],
    ["the reviewer paid afterwards", [...review(1, 100, human), payment(first, 1)], 54],
    ["the payment is below 1.00", [...review(1, 100, human), payment(first, 20, 999_999n)], 54],
    [
      "the reviewer paid another account",
      [...review(1, 100, human), { ...payment(first), recipient: account(900) }],
      54,
    ],
    [
      "the owner is the reviewer, and a member of another organization",
      [
        reviewer(OWNER, 3n, human),
        feedback(OWNER, 100),
        membership(3n, 3n),
        organization(3n, account(500)),
      ],
      50,
    ],
    ["the owner is the reviewer", [reviewer(OWNER, 3n, human), feedback(OWNER, 100)], 50],
    ["the operator is the reviewer", [reviewer(OPERATOR, 3n, human), feedback(OPERATOR, 100)], 50],
    [
      "a reviewer has two souls, one of them human-verified",
      [...review(1, 100), reviewer(first, 4n, human)],
      54,
    ],
    [
      "two reviewers are in one organization",
      [...many(2, 100, human), ...members(2), organization(3n, account(500))],
      54,
    ],
    [
      "an organization's members disagree",
      [
        ...review(0, 100, human),
        ...review(1, 0, human),
        ...members(2),
        organization(3n, account(500)),
      ],
      50,
    ],
    [
      "a member is human-verified and the others are not",
      [...review(0, 100, human), ...review(1, 0), ...members(2), organization(3n, account(500))],
      54,
    ],
    [
      "the reviewer is in the agent's organization",
      [
        ...review(0, 100, human),
        ...members(1),
        membership(AT.tokenId, 3n),
        organization(3n, account(500)),
      ],
      50,
    ],
  ])("when %s", (_, facts, value) => {
    expect(component("externalTrust", ...facts)).toBe(value);
  });

  function payments(number: number): OnChainFact[] {
    return Array.from({ length: number }, (_, index) => payment(account(10_000 + index)));
  }
  function members(number: number): OnChainFact[] {
    return Array.from({ length: number }, (_, index) => membership(BigInt(10_000 + index), 3n));
  }
});
