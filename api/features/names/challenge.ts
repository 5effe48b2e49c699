import { createHash, timingSafeEqual } from "node:crypto";
import { SERVICE_SEGMENT } from "../../../protocol/constants.ts";

/** The challenge that an agent answers before it may register a name. */
export interface NameChallenge {
  /** Random: only the recipient of the challenge can answer it. */
  readonly id: string;
  readonly name: string;
  /** Unix seconds of its creation. */
  readonly seconds: bigint;
  readonly expiresAt: Date;
}

/** The string to hash. */
export function challengeText({ name, seconds }: Pick<NameChallenge, "name" | "seconds">): string {
  return `${SERVICE_SEGMENT}:${name}:${seconds}`;
}

/** The challenge in words. */
export function challengeQuestion(challenge: Pick<NameChallenge, "name" | "seconds">): string {
  return `Compute the SHA-256 hex digest (64 lowercase digits, without 0x prefix) of this string: ${challengeText(challenge)}`;
}

/** Whether `answer` is the digest, in either case of hex digits. */
export function isRightAnswer(
  challenge: Pick<NameChallenge, "name" | "seconds">,
  answer: string,
): boolean {
  if (!/^[0-9a-fA-F]{64}$/.test(answer)) return false;
  const digest = createHash("sha256").update(challengeText(challenge), "utf8").digest();
  return timingSafeEqual(digest, Buffer.from(answer, "hex"));
}
