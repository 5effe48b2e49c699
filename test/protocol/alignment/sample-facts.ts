import { type Hex, numberToHex } from "viem";
import type {
  AlignmentFact,
  AlignmentMoment,
  AlignmentSubject,
  BindingFact,
  FeedbackFact,
  MembershipFact,
  OffChainFact,
  OnChainFact,
  OrganizationFact,
  PaymentFact,
  RequestsFact,
  ReviewerFact,
} from "../../../protocol/index.ts";

export const DAY = 86_400n;

/** The moment of the snapshot: noon of some day. */
export const NOW = 20_000n * DAY + DAY / 2n;

export const AGENT = 7n;
export const OWNER = account(1);
export const OPERATOR = account(2);

export const AT: AlignmentMoment = { tokenId: AGENT, epoch: 1, timestamp: NOW };

/** An account by its number. */
export function account(number: number | bigint): Hex {
  return numberToHex(number, { size: 20 });
}

/** What the documents of the agent say beside its facts. */
export const SUBJECT: AlignmentSubject = {
  chainId: 31_337,
  contracts: {
    soulRegistry: account(101),
    identityRegistry: account(102),
    reputationRegistry: account(103),
    validationRegistry: null,
    allowanceVault: account(104),
    bindingRegistry: account(105),
    organizationRegistry: account(106),
    alignmentRegistry: account(107),
  },
  tokenId: AGENT,
  passportId: 0n,
  agentName: "ada",
  epoch: 1,
  block: { number: 1_000_000n, hash: `0x${"a".repeat(64)}`, timestamp: NOW },
  issuer: account(108),
};

let lastLog = 0;

/** A new event, some days before the snapshot. Later calls make later logs. */
export function event(daysAgo: number | bigint = 1) {
  lastLog += 1;
  return {
    place: {
      blockNumber: 1_000_000n - BigInt(daysAgo) * 1000n,
      transactionHash: numberToHex(lastLog, { size: 32 }),
      logIndex: lastLog,
    },
    timestamp: NOW - BigInt(daysAgo) * DAY,
  };
}

/** An agent's beginning: registered and sealed `age` days ago. */
export function start(age = 200): OnChainFact[] {
  return [
    { kind: "registered", ...event(age), owner: OWNER, operator: OPERATOR },
    { kind: "sealed", ...event(age), epoch: 1, sealer: OWNER },
  ];
}

/** Counts of an agent that did nothing wrong, and recorded nothing. */
export function counts(): OffChainFact[] {
  const none = { counted: 0, fitting: 0 };
  return [
    { kind: "tasks", chronicles: none, skills: none },
    { kind: "records", operatorChange: 0, soulRevision: 0 },
    { kind: "documents", immutableChanged: 0 },
    { kind: "registrationFile", uriHash: null, consistent: true },
    requests({}),
  ];
}

export function requests(some: Partial<Omit<RequestsFact, "kind">>): RequestsFact {
  const none = { asked: 0, missed: 0 };
  return { kind: "requests", humanVerified: none, others: none, beyondPolicy: 0, ...some };
}

/** The facts with other counts in place of those of the same kind. */
export function withCounts(
  facts: readonly AlignmentFact[],
  ...others: OffChainFact[]
): AlignmentFact[] {
  const kinds = others.map(({ kind }) => kind as string);
  return [...facts.filter(({ kind }) => !kinds.includes(kind)), ...others];
}

/** An agent of 200 days without any data beside its seal. */
export function plainAgent(): AlignmentFact[] {
  return [...start(), ...counts()];
}

export function overspending(daysAgo: number | bigint): OnChainFact {
  return {
    kind: "overspending",
    ...event(daysAgo),
    epoch: 1,
    event: "refused",
    recipient: account(900),
    amount: 5_000_000n,
    reason: "EXCEEDS_DAILY_LIMIT",
  };
}

export function binding(toTokenId: bigint, trustLevel: number, daysAgo = 10): BindingFact {
  const authority = "OWNER";
  return { kind: "binding", ...event(daysAgo), epoch: 1, toTokenId, trustLevel, authority };
}

/** Rating from 0 to 100. */
export function feedback(from: Hex, value: number, daysAgo = 5): FeedbackFact {
  return {
    kind: "feedback",
    ...event(daysAgo),
    account: from,
    feedbackIndex: 1n,
    value: BigInt(value),
    valueDecimals: 0,
    tag1: "starred",
  };
}

export function reviewer(of: Hex, tokenId: bigint, some: Partial<ReviewerFact> = {}): ReviewerFact {
  return {
    kind: "reviewer",
    ...event(60),
    account: of,
    tokenId,
    event: "sealed",
    humanVerified: false,
    ...some,
  };
}

/** A sealed agent of its own account, sealed 60 days ago, that gives this rating. */
export function review(
  number: number,
  value: number,
  some: Partial<ReviewerFact> = {},
): OnChainFact[] {
  const from = account(10_000 + number);
  return [reviewer(from, BigInt(10_000 + number), some), feedback(from, value)];
}

export function payment(from: Hex, daysAgo = 20, amount = 1_000_000n): PaymentFact {
  return {
    kind: "payment",
    ...event(daysAgo),
    account: from,
    tokenId: 1n,
    recipient: OPERATOR,
    amount,
  };
}

export function membership(tokenId: bigint, organizationId: bigint): MembershipFact {
  return { kind: "membership", ...event(50), tokenId, organizationId };
}

export function organization(organizationId: bigint, admin: Hex): OrganizationFact {
  return { kind: "organization", ...event(55), organizationId, admin };
}
