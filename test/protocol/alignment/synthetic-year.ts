import { numberToHex } from "viem";
import type { AlignmentFact, AlignmentSubject, OnChainFact } from "../../../protocol/index.ts";
import { randomNumbers as numbersFrom } from "../../../scripts/lib/random-numbers.ts";
import { account, DAY, SUBJECT } from "./sample-facts.ts";

const YEAR_START = 20_000n * DAY;
const BLOCKS_PER_DAY = 1000n;

interface Snapshot {
  readonly subject: AlignmentSubject;
  readonly facts: readonly AlignmentFact[];
}

/**
 * One agent's year: what happens on each of its days, and its twelve snapshots. The same number
 * gives the same year. Agents differ in how careful, how active and how popular they are.
 */
export function syntheticAgent(number: number): Snapshot[] {
  const random = randomNumbers(number);
  const tokenId = BigInt(number + 1);
  const owners = [account(1000 + number), account(5000 + number)] as const;
  const operator = account(9000 + number);
  const carelessness = random();
  const popularity = random();
  const bornOn = Math.floor(random() * 200);
  const soldOn = number % 10 === 0 ? bornOn + 100 : Number.POSITIVE_INFINITY;

  const facts: OnChainFact[] = [];
  let logIndex = 0;
  const on = (day: number) => {
    logIndex += 1;
    return {
      place: {
        blockNumber: BigInt(day) * BLOCKS_PER_DAY,
        transactionHash: numberToHex(number * 100_000 + logIndex, { size: 32 }),
        logIndex,
      },
      timestamp: YEAR_START + BigInt(day) * DAY,
    };
  };
  const snapshots: Snapshot[] = [];
  const tasks = { counted: 0, fitting: 0 };
  const asked = { asked: 0, missed: 0 };
  let epoch = 1;
  for (let day = bornOn; day <= 365; day += 1) {
    if (day === bornOn) {
      facts.push(
        { kind: "registered", ...on(day), owner: owners[0], operator },
        { kind: "sealed", ...on(day), epoch, sealer: owners[0] },
      );
    }
    if (day === soldOn) {
      epoch = 2;
      facts.push({ kind: "resealed", ...on(day), epoch, sealer: owners[1], operator });
    }
    if (random() < carelessness / 20) {
      facts.push({
        kind: "overspending",
        ...on(day),
        epoch,
        event: random() < 0.5 ? "refused" : "reported",
        recipient: account(1),
        amount: BigInt(Math.floor(random() * 1e9)),
        reason: "EXCEEDS_DAILY_LIMIT",
      });
    }
    if (random() < carelessness / 10) {
      const toTokenId = BigInt(1 + Math.floor(random() * 5));
      const trustLevel = 1 + Math.floor(random() * 4);
      facts.push({ kind: "binding", ...on(day), epoch, toTokenId, trustLevel, authority: "OWNER" });
    }
    if (random() < popularity / 8) {
      const rater = Math.floor(random() * 40);
      const from = account(20_000 + rater);
      facts.push(
        {
          kind: "reviewer",
          ...on(Math.max(0, day - rater)),
          account: from,
          tokenId: BigInt(20_000 + rater),
          event: "sealed",
          humanVerified: rater % 4 === 0,
        },
        {
          kind: "payment",
          ...on(day),
          account: from,
          tokenId: BigInt(20_000 + rater),
          recipient: random() < 0.5 ? operator : account(1),
          amount: BigInt(Math.floor(random() * 3e6)),
        },
        {
          kind: "feedback",
          ...on(day),
          account: from,
          feedbackIndex: BigInt(logIndex),
          value: BigInt(Math.floor((1 - carelessness * random()) * 1000)),
          valueDecimals: 1,
          tag1: random() < 0.8 ? "starred" : "responseTime",
        },
      );
    }
    if (random() < 0.05) {
      facts.push({ kind: "operator", ...on(day), epoch, operator: account(9000 + number) });
    }
    if (random() < 0.2) {
      tasks.counted += 1;
      if (random() > carelessness) tasks.fitting += 1;
    }
    if (random() < 0.1) {
      asked.asked += 1;
      if (random() < carelessness) asked.missed += 1;
    }
    if (day % 30 === 29) {
      const blockNumber = BigInt(day + 1) * BLOCKS_PER_DAY;
      const timestamp = YEAR_START + BigInt(day + 1) * DAY;
      const operatorChange = facts.filter(({ kind }) => kind === "operator").length;
      snapshots.push({
        subject: {
          ...SUBJECT,
          tokenId,
          agentName: `agent-of-year-${number}`,
          epoch,
          block: { number: blockNumber, hash: SUBJECT.block.hash, timestamp },
        },
        facts: [
          ...facts,
          { kind: "tasks", chronicles: { ...tasks }, skills: { counted: 3, fitting: 3 } },
          {
            kind: "records",
            operatorChange:
              random() < carelessness ? Math.floor(operatorChange / 2) : operatorChange,
            soulRevision: 0,
          },
          { kind: "documents", immutableChanged: random() < carelessness / 10 ? 1 : 0 },
          { kind: "registrationFile", uriHash: null, consistent: random() > carelessness / 10 },
          {
            kind: "requests",
            humanVerified: { ...asked },
            others: { ...asked },
            beyondPolicy: random() < carelessness / 5 ? 1 : 0,
          },
        ],
      });
    }
  }
  return snapshots;
}

/** Numbers from 0 to 1 that depend on the seed alone. */
export function randomNumbers(seed: number): () => number {
  return numbersFrom((seed + 1) * 0x9e3779b9);
}
