import { randomUUID } from "node:crypto";
import { ApiError } from "../../../kernel/errors.ts";
import type { Links } from "../../../kernel/links.ts";
import { hashOfSecret } from "../../../kernel/secret-hash.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import type { JobHandler, JobQueue } from "../../../platform/jobs/ports.ts";
import type { Mailer } from "../../../platform/mail/ports.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import { WEBHOOK_JOBS } from "../job-names.ts";
import type { WebhookRows, WebhookStore } from "../ports.ts";

const DAY_MS = 24 * 60 * 60_000;
/** How long a link in a mail is valid. */
const VALID_MS = 3 * DAY_MS;

/** Confirming mails of 24 hours: to one address for all agents, and for one agent to all addresses. */
const MAILS_A_DAY = { ofAddress: 3, ofSubject: 5 } as const;

/** Form of a token: 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface MailConfirmationsOptions {
  readonly store: WebhookStore;
  readonly queue: Pick<JobQueue, "send">;
  readonly secrets: Pick<Secrets, "hmac" | "versions">;
  /** Null when the operator has not configured any: then no address is asked, and none is confirmed. */
  readonly mailer: Mailer | null;
  readonly links: Pick<Links, "mailConfirmation">;
  readonly clock: () => Date;
}

export type MailConfirmations = ReturnType<typeof createMailConfirmations>;

/**
 * Any agent can name any mail address. So its holder is asked first, with one mail that says nothing of the agent's choice, and
 * no notice is sent before the answer.
 */
export function createMailConfirmations(options: MailConfirmationsOptions) {
  const { store, queue, secrets, mailer, links, clock } = options;

  /** Derived, so that a repeated mail has the same link although only the token's hash is stored. */
  const tokenOf = (id: string, master: number) =>
    secrets.hmac("webhook.mail-confirmation", [id], master).toString("base64url");

  /** Sends the mail of `{confirmationId}`, if its answer still matters. */
  const mail: JobHandler = async (data) => {
    const id = String(data.confirmationId);
    const asked = await store.rows.findConfirmation({ id });
    if (mailer === null || asked === null || asked.usedAt !== null) return;
    if (asked.expiresAt <= clock() || !secrets.versions.includes(asked.tokenMaster)) return;
    const webhook = await store.rows.findWebhook(asked.webhookId);
    if (webhook === null || webhook.notifyEmail === null || webhook.endedAt !== null) return;
    if (webhook.mailConfirmedAt !== null) return;
    const link = links.mailConfirmation(tokenOf(id, asked.tokenMaster));
    await mailer.send({
      to: webhook.notifyEmail,
      subject: "Confirm this address for notices of a webhook",
      text: [
        `An agent registered the webhook ${webhook.id}, and gave this address for notices about its failures.`,
        `To get them, open this page and confirm: ${link}`,
        `The link is valid until ${asked.expiresAt.toISOString()}. If you know of no such webhook, do nothing: nothing more is sent.`,
      ].join("\n\n"),
      id: `${id}.confirm`,
    });
  };

  return {
    /**
     * Has the address asked, within the transaction that stores the webhook and has locked its subject.
     *
     * @throws ApiError RATE_LIMIT_EXCEEDED when the address, or other addresses for this agent, were asked too often.
     */
    async ask(
      tx: Transaction,
      own: WebhookRows,
      asked: { readonly webhookId: string; readonly address: string; readonly subject: string },
    ): Promise<void> {
      const [master] = secrets.versions;
      if (mailer === null || master === undefined) return;
      const { webhookId, address, subject } = asked;
      const addressHash = secrets.hmac("webhook.mail-address", [address.toLowerCase()], master);
      await own.lockAddress(addressHash);
      const at = clock();
      const since = new Date(at.getTime() - DAY_MS);
      const counts = await own.countConfirmations({ addressHash, subject }, since);
      const isFree =
        counts.ofAddress < MAILS_A_DAY.ofAddress && counts.ofSubject < MAILS_A_DAY.ofSubject;
      if (!isFree) throw tooManyMails();
      const id = randomUUID();
      await own.insertConfirmation({
        id,
        webhookId,
        tokenHash: hashOfSecret(tokenOf(id, master)),
        tokenMaster: master,
        addressHash,
        subject,
        createdAt: at,
        expiresAt: new Date(at.getTime() + VALID_MS),
        usedAt: null,
      });
      await queue.send(tx, WEBHOOK_JOBS.confirmMail, { confirmationId: id }, { singletonKey: id });
    },

    mail,

    /**
     * The holder of the address agrees: notices may go there for all webhooks of the same owner that name it.
     *
     * @throws ApiError CODE_USED for a second time; GONE for a link that is unknown or expired, or whose webhook is gone.
     */
    async confirm(token: string): Promise<void> {
      const tokenHash = TOKEN.test(token) ? hashOfSecret(token) : null;
      if (tokenHash === null) throw gone();
      await store.transaction(async (_tx, own) => {
        const at = clock();
        const used = await own.useConfirmation(tokenHash, at);
        if (used === null) {
          const known = await own.findConfirmation({ tokenHash });
          throw known?.usedAt ? alreadyUsed() : gone();
        }
        if ((await own.confirmMail(used.webhookId, at)) === 0) throw gone();
      });
    },
  };
}

function tooManyMails(): ApiError {
  return new ApiError("RATE_LIMIT_EXCEEDED", {
    message:
      "This mail address, or others for this agent, were asked for confirmation too often today. Leave notifyEmail out, or try again tomorrow.",
    retryAfter: DAY_MS / 1000,
  });
}

function alreadyUsed(): ApiError {
  return new ApiError("CODE_USED", { message: "This address has been confirmed already." });
}

function gone(): ApiError {
  return new ApiError("GONE", {
    message:
      "This link is not valid, or no longer. Register the webhook again to get another mail.",
  });
}
