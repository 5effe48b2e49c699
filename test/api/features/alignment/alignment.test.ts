import { describe, expect, it } from "vitest";
import {
  type AlignmentDeps,
  createAlignmentService,
} from "../../../../api/features/alignment/alignment.ts";
import { createProfileService } from "../../../../api/features/profile/profile.ts";
import type { ApiError } from "../../../../api/kernel/errors.ts";
import { byName } from "../../../../api/soul/soul-ref.ts";

// What readers get when a stored snapshot is wrong, and when many ask at once.

const AT = { block: 9n, timestamp: 1_700_000_000n };
const SOUL = { tokenId: 7n, epoch: 1, name: "heron", status: "SEALED" };
const RECORDED = {
  score: 84,
  scoredBlock: 5n,
  recordedAt: 1_699_999_000n,
  archiveId: `0x${"ab".repeat(32)}`,
  txHash: `0x${"cd".repeat(32)}`,
} as const;
const BREAKDOWN = {
  spendingAlignment: 100,
  taskTypeAlignment: 50,
  protocolAdherence: 100,
  policyCompliance: 100,
  bindingConsistency: 100,
  externalTrust: 50,
};

function service(some: Partial<AlignmentDeps>) {
  const reported: ApiError[] = [];
  const alignments = createAlignmentService({
    reads: { agent: async () => ({ at: AT, value: { soul: SOUL } }) } as never,
    unclaimed: async () => null,
    history: async () => [RECORDED],
    storage: { read: async () => null },
    current: async () => null,
    report: (error) => reported.push(error),
    ...some,
  });
  return { alignments, reported };
}

it("pictures a score without its components when the stored item is no snapshot of it", async () => {
  const data = new TextEncoder().encode('{"format":"something else"}');
  for (const item of [{ data }, null]) {
    const { alignments, reported } = service({ storage: { read: async () => item } });
    expect(await alignments.picture(7n)).toEqual({
      score: 84,
      breakdown: null,
      history: [{ score: 84, at: new Date(1_699_999_000_000) }],
    });
    expect(reported.map(({ type }) => type)).toEqual([
      item === null ? "STORAGE_UNAVAILABLE" : "INTERNAL",
    ]);
  }
});

const current = (isHeldBySealer: boolean) =>
  ({
    at: AT,
    agent: { status: "SEALED", agentName: "heron", recordedScore: 84, isHeldBySealer },
    alignment: {
      score: 84,
      breakdown: BREAKDOWN,
      used: {},
      isNewAgent: false,
      isProvisional: false,
    },
  }) as never;

it("calculates once for all that ask for an agent at the same time", async () => {
  let calculations = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { alignments } = service({
    async current() {
      calculations += 1;
      await finished;
      return current(true);
    },
  });
  const asked = Array.from({ length: 20 }, () => alignments.calculate(7n));
  finish();
  const answers = await Promise.all(asked);
  expect(answers.map(({ value }) => value.score)).toEqual(Array(20).fill(84));
  expect(calculations).toBe(1);
  await alignments.calculate(7n);
  expect(calculations).toBe(2);
});

it("says of a suspended soul that no score can be recorded", async () => {
  const messageOf = async (isHeldBySealer: boolean) => {
    const { alignments } = service({ current: async () => current(isHeldBySealer) });
    return (await alignments.calculate(7n)).value.message;
  };
  expect(await messageOf(true)).toBe("The last score on chain is the same.");
  expect(await messageOf(false)).toBe(
    "The soul is suspended. No score can be recorded until its passport's owner reseals it.",
  );
});

describe("trustworthy", () => {
  const DAY = 86_400n;
  const OWNER = `0x${"11".repeat(20)}`;

  const isTrustworthy = async (of: {
    readonly score: number | null;
    readonly scoredDaysAgo?: bigint;
    readonly registeredDaysAgo: bigint;
    readonly epoch?: number;
  }) => {
    const soul = {
      ...SOUL,
      epoch: of.epoch ?? 1,
      sealer: OWNER,
      suspended: false,
      mintTimestamp: AT.timestamp - of.registeredDaysAgo * DAY,
      sealedAt: AT.timestamp,
      alignmentScore: of.score,
      alignmentAt: of.scoredDaysAgo === undefined ? null : AT.timestamp - of.scoredDaysAgo * DAY,
    };
    const value = { soul, passport: { owner: OWNER } };
    const profiles = createProfileService({
      reads: { agent: async () => ({ at: AT, value }) },
    } as never);
    return (await profiles.status(byName("heron"))).value.trustworthy;
  };

  it("is an agent with a score of 70 or more of the last 30 days", async () => {
    const registeredDaysAgo = 400n;
    expect(await isTrustworthy({ score: 70, scoredDaysAgo: 29n, registeredDaysAgo })).toBe(true);
    expect(await isTrustworthy({ score: 69, scoredDaysAgo: 0n, registeredDaysAgo })).toBe(false);
    expect(await isTrustworthy({ score: null, registeredDaysAgo })).toBe(false);
    // It has been inactive since, and the score says nothing of the present.
    expect(await isTrustworthy({ score: 100, scoredDaysAgo: 30n, registeredDaysAgo })).toBe(false);
  });

  it("is an agent that was registered in the last 30 days, and none that was only resealed", async () => {
    expect(await isTrustworthy({ score: null, registeredDaysAgo: 29n })).toBe(true);
    expect(await isTrustworthy({ score: null, registeredDaysAgo: 30n, epoch: 2 })).toBe(false);
  });
});
