import type { Hex } from "viem";
import type { AlignmentContracts } from "../../protocol/alignment/index.ts";
import { reputationRegistryAbi, validationRegistryAbi } from "../../protocol/generated/abi.ts";
import { type LogReader, placeOf, topicOf } from "./logs.ts";
import type { UntimedFact } from "./untimed.ts";

type Statement = Extract<UntimedFact, { kind: "feedback" | "validation" }>;

/** What accounts said about a passport: feedback that they did not revoke, and validations. */
export async function readStatements(
  logs: LogReader,
  { reputationRegistry, validationRegistry }: AlignmentContracts,
  passportId: bigint,
  fromBlock: bigint,
): Promise<Statement[]> {
  const passport = topicOf(passportId);
  const feedback = await readFeedback(logs, reputationRegistry, passport, fromBlock);
  if (validationRegistry === null) return feedback;
  const responses = await logs.read({
    address: validationRegistry,
    abi: validationRegistryAbi,
    events: ["ValidationResponse"],
    topics: [null, passport],
    fromBlock,
  });
  const validations = responses.map((log): Statement => {
    const { validatorAddress, requestHash, response } = log.args;
    const place = placeOf(log);
    return { kind: "validation", place, account: validatorAddress, requestHash, response };
  });
  return [...feedback, ...validations];
}

async function readFeedback(
  logs: LogReader,
  address: Hex,
  passport: Hex,
  fromBlock: bigint,
): Promise<Statement[]> {
  const events = await logs.read({
    address,
    abi: reputationRegistryAbi,
    events: ["NewFeedback", "FeedbackRevoked"],
    topics: [passport],
    fromBlock,
  });
  const standing = new Map<string, Statement>();
  for (const log of events) {
    const { clientAddress: account, feedbackIndex } = log.args;
    const key = `${account} ${feedbackIndex}`;
    if (log.eventName === "FeedbackRevoked") {
      standing.delete(key);
      continue;
    }
    const { value, valueDecimals, tag1 } = log.args;
    const place = placeOf(log);
    standing.set(key, {
      kind: "feedback",
      place,
      account,
      feedbackIndex,
      value,
      valueDecimals,
      tag1,
    });
  }
  return [...standing.values()];
}
