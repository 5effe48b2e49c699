import { randomBytes } from "node:crypto";

/** A nonce that no other signature has: unordered, as the contracts take them. */
export function randomNonce(): bigint {
  return BigInt(`0x${randomBytes(32).toString("hex")}`);
}
