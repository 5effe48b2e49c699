import { generateApiKey } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { RegistrationRecord } from "./ports.ts";
import type { RegistrationStore } from "./registrations.store.ts";

const API_KEY_PURPOSE = "registration-api-key";
/** How long an Idempotency-Key repeats its answer. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Deletes stored copies of API keys once their Idempotency-Key has expired. */
export async function forgetApiKeys(
  store: Pick<RegistrationStore, "forgetApiKeys">,
  now: Date,
): Promise<void> {
  await store.forgetApiKeys(new Date(now.getTime() - KEPT_MS));
}

/** A new API key for the agent of a registration, as it is stored. */
export function encryptedApiKey(id: string, secrets: Pick<Secrets, "encrypt">): Buffer {
  return secrets.encrypt(API_KEY_PURPOSE, Buffer.from(generateApiKey("live")), id);
}

/**
 * The agent's API key, for the answer that shows it once.
 *
 * @throws ApiError IDEMPOTENCY_CONFLICT once the stored copy was deleted.
 */
export function apiKeyOf(
  { id, apiKeyEncrypted }: Pick<RegistrationRecord, "id" | "apiKeyEncrypted">,
  secrets: Pick<Secrets, "decrypt">,
): string {
  if (apiKeyEncrypted === null) throw alreadySubmitted();
  return secrets.decrypt(API_KEY_PURPOSE, apiKeyEncrypted, id).toString();
}

/** The answer holds a key that is shown once: a caller that only copied a signature must not read it. */
export function alreadySubmitted(): ApiError {
  return new ApiError("IDEMPOTENCY_CONFLICT", {
    message:
      "This signed registration was already submitted. Repeat it with its own Idempotency-Key to read its answer.",
  });
}
