import type { Hex } from "viem";
import type {
  AlignmentFact,
  FeedbackFact,
  MembershipFact,
  OnChainFact,
  OrganizationFact,
  PaymentFact,
  ReviewerFact,
  ValidationFact,
} from "./facts.ts";
import { type AlignmentInputs, MONTH_SECONDS, YEAR_SECONDS } from "./inputs.ts";
import { comparePlaces } from "./order.ts";
import { NO_DATA } from "./task-type.ts";

/** What one voice moves the component by at most, and what all of its group move it by together. */
const HUMAN_VOICES = { each: 4, together: 40 } as const;

/** Without a human attestation a thousand reviewers can be one person: together they move little. */
const OTHER_VOICES = { each: 1, together: 10 } as const;

/**
 * Most voices of a group that are heard: those with the oldest seals. Its limit is reached with
 * fewer, and a crowd must not make the document of an agent too large.
 */
const MOST_VOICES = 200;

/** How much more a voice counts that paid the agent before its feedback. */
const PAID_FACTOR = 2;

/** Least payment that counts, in base units of the stablecoin: 1.00. */
export const LEAST_PAYMENT = 1_000_000n;

/**
 * Values of `tag1` under which feedback is a rating from 0 to 100. Other tags have other units,
 * such as milliseconds.
 */
export const RATING_TAGS = ["", "starred", "successRate", "uptime"] as const;

/** Opinions are in hundredths: 0 is the worst, 10,000 the best. */
const NEUTRAL = 5000;

interface Voice {
  /** The account that speaks for its organization, or its own. */
  readonly cluster: Hex;
  readonly reviewer: ReviewerFact;
  readonly opinion: number;
  readonly factor: number;
  readonly isHuman: boolean;
  readonly used: readonly OnChainFact[];
}

/**
 * 50 without data. Reviewers raise or lower it from there: each by a little, and all together by no
 * more than their group's limit.
 */
export function externalTrust(inputs: AlignmentInputs) {
  const organizations = organizationsOf(inputs);
  const own = new Set(inputs.ownAccounts);
  const ownMembership = organizations.of(inputs.at.tokenId);
  if (ownMembership !== null) own.add(ownMembership.admin);

  const voices = heardOf(voicesOf(inputs, organizations, own));
  const clusters = Map.groupBy(voices, ({ cluster }) => cluster);
  const opinions = [...clusters.values()].map((members) => {
    // Members without an attestation must not speak with the weight of those that have one.
    const humans = members.filter(({ isHuman }) => isHuman);
    return jointVoice(humans.length > 0 ? humans : members);
  });
  const influence = (
    isHuman: boolean,
    { each, together }: typeof HUMAN_VOICES | typeof OTHER_VOICES,
  ) =>
    clamp(
      opinions
        .filter((voice) => voice.isHuman === isHuman)
        .reduce((sum, { factor, opinion }) => sum + each * factor * (opinion - NEUTRAL), 0),
      together * NEUTRAL,
    );
  const moved = influence(true, HUMAN_VOICES) + influence(false, OTHER_VOICES);
  const value = NO_DATA + Math.floor((2 * moved + NEUTRAL) / (2 * NEUTRAL));
  const used: AlignmentFact[] = [
    ...(ownMembership?.used ?? []),
    ...voices.flatMap((voice) => voice.used),
  ];
  return { value, used };
}

/** The voices of each group that have the oldest seals. */
function heardOf(voices: readonly Voice[]): Voice[] {
  const oldest = [...voices].sort((one, other) =>
    comparePlaces(one.reviewer.place, other.reviewer.place),
  );
  return [true, false].flatMap((isHuman) =>
    oldest.filter((voice) => voice.isHuman === isHuman).slice(0, MOST_VOICES),
  );
}

/** The voices of all accounts that may review. */
function voicesOf(
  inputs: AlignmentInputs,
  organizations: Organizations,
  own: ReadonlySet<Hex>,
): Voice[] {
  const feedback = newestByAccount(inputs.of("feedback").filter(isRating), inputs);
  const validations = newestByAccount(inputs.of("validation"), inputs);
  const reviewers = reviewersOf(inputs);
  const payments = Map.groupBy(inputs.of("payment"), ({ account }) => account);
  return [...reviewers.values()].flatMap((reviewer) => {
    const { account } = reviewer;
    const given = feedback.get(account) ?? null;
    const responded = validations.get(account) ?? null;
    const membership = organizations.of(reviewer.tokenId);
    const cluster = membership?.admin ?? account;
    if (own.has(account) || own.has(cluster) || (given === null && responded === null)) return [];
    const payment =
      given === null ? null : paymentBefore(given, payments.get(account) ?? [], inputs);
    const opinions = [
      given === null ? null : ratingOf(given),
      responded === null ? null : responded.response * 100,
    ].filter((opinion) => opinion !== null);
    const voice: Voice = {
      cluster,
      reviewer,
      opinion: mean(opinions),
      factor: payment === null ? 1 : PAID_FACTOR,
      isHuman: reviewer.humanVerified,
      used: [reviewer, given, responded, payment, ...(membership?.used ?? [])].filter(
        (fact) => fact !== null,
      ),
    };
    return [voice];
  });
}

/** Each account's best seal that may review: with a human attestation, else the oldest. */
function reviewersOf({ at, of }: AlignmentInputs): Map<Hex, ReviewerFact> {
  const reviewers = new Map<Hex, ReviewerFact>();
  for (const fact of of("reviewer")) {
    if (!fact.humanVerified && fact.timestamp > at.timestamp - MONTH_SECONDS) continue;
    const best = reviewers.get(fact.account);
    // The facts are in order of time: the first is the oldest.
    if (best === undefined || (fact.humanVerified && !best.humanVerified)) {
      reviewers.set(fact.account, fact);
    }
  }
  return reviewers;
}

/** An account speaks once: its newest statement counts. */
function newestByAccount<Fact extends FeedbackFact | ValidationFact>(
  facts: readonly Fact[],
  { at }: AlignmentInputs,
): Map<Hex, Fact> {
  const recent = facts.filter(({ timestamp }) => timestamp > at.timestamp - YEAR_SECONDS);
  return new Map(recent.map((fact) => [fact.account, fact]));
}

/** Whether a feedback is a rating: any other value is in an unknown unit. */
function isRating({ tag1, value, valueDecimals }: FeedbackFact): boolean {
  if (!RATING_TAGS.some((tag) => tag === tag1)) return false;
  return value >= 0n && value <= 100n * 10n ** BigInt(valueDecimals);
}

function ratingOf({ value, valueDecimals }: FeedbackFact): number {
  return Number((value * 100n) / 10n ** BigInt(valueDecimals));
}

function paymentBefore(
  given: FeedbackFact,
  payments: readonly PaymentFact[],
  { ownAccounts }: AlignmentInputs,
): PaymentFact | null {
  const isProof = ({ amount, place, recipient }: PaymentFact) =>
    ownAccounts.has(recipient) && amount >= LEAST_PAYMENT && comparePlaces(place, given.place) < 0;
  return payments.find(isProof) ?? null;
}

/** The members of one organization speak with one voice. */
function jointVoice(members: readonly Voice[]) {
  return {
    isHuman: members.some(({ isHuman }) => isHuman),
    opinion: mean(members.map(({ opinion }) => opinion)),
    factor: Math.max(...members.map(({ factor }) => factor)),
  };
}

interface Organizations {
  of(tokenId: bigint): {
    readonly admin: Hex;
    readonly used: readonly [MembershipFact, OrganizationFact];
  } | null;
}

function organizationsOf({ of }: AlignmentInputs): Organizations {
  const memberships = new Map(of("membership").map((fact) => [fact.tokenId, fact]));
  const organizations = new Map(of("organization").map((fact) => [fact.organizationId, fact]));
  return {
    of(tokenId) {
      const membership = memberships.get(tokenId);
      if (membership === undefined) return null;
      const organization = organizations.get(membership.organizationId);
      if (organization === undefined) return null;
      return { admin: organization.admin, used: [membership, organization] };
    },
  };
}

function mean(values: readonly number[]): number {
  return Math.floor(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function clamp(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value));
}
