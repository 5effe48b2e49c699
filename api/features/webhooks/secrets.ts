import { timingSafeEqual } from "node:crypto";
import { WEBHOOK_SECRET_PREFIX } from "../../../protocol/webhook-signature.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { WebhookRecord } from "./records.ts";

/** Never changes: every secret in use is derived under it. */
const PURPOSE = "webhook.secret";

/** A webhook's secret, with its stored values. */
export interface WebhookSecret {
  readonly secret: string;
  readonly hash: Buffer;
  /** Version of the master key that it is derived from. */
  readonly master: number;
}

/** A webhook's secret cannot be derived any more: a version of the master key is missing. */
export class LostWebhookSecretError extends Error {
  override readonly name = "LostWebhookSecretError";
  constructor(readonly webhookId: string) {
    super(`The secret of webhook ${webhookId} cannot be derived: was a master key removed?`);
  }
}

/**
 * Secrets of webhooks: `whsec_` and the base64 of 32 bytes, derived from the master key, the
 * webhook's id and the secret's version. So no stored value can sign, and yet every delivery can be
 * signed.
 */
export function createWebhookSecrets(secrets: Secrets) {
  function derive(webhookId: string, version: number, master: number): WebhookSecret {
    const bytes = secrets.hmac(PURPOSE, [webhookId, String(version)], master);
    const secret = `${WEBHOOK_SECRET_PREFIX}${bytes.toString("base64")}`;
    return { secret, hash: hashOfSecret(secret), master };
  }

  return {
    /** A version's secret under the current master key. */
    create(webhookId: string, version: number): WebhookSecret {
      const [master] = secrets.versions;
      if (master === undefined) throw new Error("There is no master key.");
      return derive(webhookId, version, master);
    },

    /**
     * The secrets that sign a delivery made at `at`: the webhook's secret, and the previous one
     * during its grace period.
     *
     * @throws LostWebhookSecretError
     */
    signingWith(
      webhook: WebhookRecord,
      at: Date,
    ): { readonly current: string; readonly previous: string | null } {
      const derived = (version: number, master: number) => {
        if (!secrets.versions.includes(master)) throw new LostWebhookSecretError(webhook.id);
        return derive(webhook.id, version, master);
      };
      const current = derived(webhook.secretVersion, webhook.secretMaster);
      if (!timingSafeEqual(current.hash, webhook.secretHash)) {
        throw new LostWebhookSecretError(webhook.id);
      }
      const { previousMaster, previousUntil, secretVersion } = webhook;
      const inGrace = previousMaster !== null && previousUntil !== null && previousUntil > at;
      return {
        current: current.secret,
        previous: inGrace ? derived(secretVersion - 1, previousMaster).secret : null,
      };
    },
  };
}

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;
