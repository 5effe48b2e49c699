import { createHash, timingSafeEqual } from "node:crypto";

/**
 * What is stored of a secret that the service issued: its SHA-256. No salt is needed, because each
 * has at least 128 random bits.
 */
export function hashOfSecret(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}

/** Whether a caller presented this secret. The time that the answer takes reveals nothing of it. */
export function isSameSecret(presented: string, secret: string): boolean {
  return timingSafeEqual(hashOfSecret(presented), hashOfSecret(secret));
}
