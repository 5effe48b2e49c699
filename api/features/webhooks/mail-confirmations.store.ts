import { randomUUID } from "node:crypto";
import { and, count, eq, gt, isNull, sql } from "drizzle-orm";
import { ApiError } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobHandler, JobQueue } from "../../platform/jobs/ports.ts";
import type { Mailer } from "../../platform/mail/ports.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import { WEBHOOK_JOBS } from "./job-names.ts";
import { mailConfirmation, webhook } from "./tables.ts";
import { confirmMail } from "./webhooks.store.ts";

const DAY_MS = 24 * 60 * 60_000;
/** How long a link in a mail is valid. */
const VALID_MS = 3 * DAY_MS;

/** Confirming mails of 24 hours: to one address for all agents, and for one agent to all addresses. */
const MAILS_A_DAY = { ofAddress: 3, ofSubject: 5 } as const;

/** Form of a token: 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Confirming {
  readonly db: Database;
  readonly queue: Pick<JobQueue, "send">;
  readonly secrets: Pick<Secrets, "hmac" | "versions">;
  /** Null when the operator has not configured any: then no address is asked, and none is confirmed. */
  readonly mailer: Mailer | null;
  readonly links: Pick<Links, "mailConfirmation">;
  readonly clock: () => Date;
}

/**
 * Any agent can name any mail address. So its holder is asked first, with one mail that says nothing of the agent's choice, and
 * no notice is sent before the answer.
 */
export function createMailConfirmations(options: Confirming) {
  const job: JobHandler = (data) => mail(options, String(data.confirmationId));
  return {
    ask: (tx: Transaction, asked: AskedAddress) => ask(options, tx, asked),
    mail: job,
    confirm: (token: string) => confirm(options, token),
  };
}

/** Derived, so that a repeated mail has the same link although only the token's hash is stored. */
const tokenOf = ({ secrets }: Confirming, id: string, master: number) =>
  secrets.hmac("webhook.mail-confirmation", [id], master).toString("base64url");

interface AskedAddress {
  readonly webhookId: string;
  readonly address: string;
  /** The agent, or the registration before its claim. */
  readonly subject: string;
}

/**
 * Has the address asked, within the transaction that stores the webhook and has locked its subject.
 *
 * @throws ApiError RATE_LIMIT_EXCEEDED when the address, or other addresses for this agent, were asked too often.
 */
async function ask(
  options: Confirming,
  tx: Transaction,
  { webhookId, address, subject }: AskedAddress,
): Promise<void> {
  const { secrets, mailer, queue, clock } = options;
  const [master] = secrets.versions;
  if (mailer === null || master === undefined) return;
  const addressHash = secrets.hmac("webhook.mail-address", [address.toLowerCase()], master);
  // Until the transaction's end, no other one asks this address.
  const lock = `mail ${addressHash.toString("hex")}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const at = clock();
  const since = new Date(at.getTime() - DAY_MS);
  const countOf = async (which: ReturnType<typeof eq>) => {
    const [row] = await tx
      .select({ asked: count() })
      .from(mailConfirmation)
      .where(and(which, gt(mailConfirmation.createdAt, since)));
    return row?.asked ?? 0;
  };
  const isFree =
    (await countOf(eq(mailConfirmation.addressHash, addressHash))) < MAILS_A_DAY.ofAddress &&
    (await countOf(eq(mailConfirmation.subject, subject))) < MAILS_A_DAY.ofSubject;
  if (!isFree) {
    throw new ApiError("RATE_LIMIT_EXCEEDED", {
      message:
        "This mail address, or others for this agent, were asked for confirmation too often today. Leave notifyEmail out, or try again tomorrow.",
      retryAfter: DAY_MS / 1000,
    });
  }
  const id = randomUUID();
  await tx.insert(mailConfirmation).values({
    id,
    webhookId,
    tokenHash: hashOfSecret(tokenOf(options, id, master)),
    tokenMaster: master,
    addressHash,
    subject,
    createdAt: at,
    expiresAt: new Date(at.getTime() + VALID_MS),
  });
  await queue.send(tx, WEBHOOK_JOBS.confirmMail, { confirmationId: id }, { singletonKey: id });
}

/** Sends the mail of a confirmation, if its answer still matters. */
async function mail(options: Confirming, id: string): Promise<void> {
  const { db, secrets, mailer, links, clock } = options;
  const [row] = await db
    .select({ asked: mailConfirmation, webhook })
    .from(mailConfirmation)
    .innerJoin(webhook, eq(webhook.id, mailConfirmation.webhookId))
    .where(
      and(
        eq(mailConfirmation.id, id),
        isNull(mailConfirmation.usedAt),
        gt(mailConfirmation.expiresAt, clock()),
        isNull(webhook.endedAt),
        isNull(webhook.mailConfirmedAt),
      ),
    );
  const to = row?.webhook.notifyEmail ?? null;
  if (mailer === null || row === undefined || to === null) return;
  const { asked } = row;
  if (!secrets.versions.includes(asked.tokenMaster)) return;
  const link = links.mailConfirmation(tokenOf(options, id, asked.tokenMaster));
  await mailer.send({
    to,
    subject: "Confirm this address for notices of a webhook",
    text: [
      `An agent registered the webhook ${row.webhook.id}, and gave this address for notices about its failures.`,
      `To get them, open this page and confirm: ${link}`,
      `The link is valid until ${asked.expiresAt.toISOString()}. If you know of no such webhook, do nothing: nothing more is sent.`,
    ].join("\n\n"),
    id: `${id}.confirm`,
  });
}

/**
 * The holder of the address agrees: notices may go there for all webhooks of the same owner that name it.
 *
 * @throws ApiError CODE_USED for a second time; GONE for a link that is unknown or expired, or whose webhook is gone.
 */
async function confirm({ db, clock }: Confirming, token: string): Promise<void> {
  if (!TOKEN.test(token)) throw gone();
  const isToken = eq(mailConfirmation.tokenHash, hashOfSecret(token));
  await db.transaction(async (tx) => {
    const at = clock();
    const [used] = await tx
      .update(mailConfirmation)
      .set({ usedAt: at })
      .where(and(isToken, isNull(mailConfirmation.usedAt), gt(mailConfirmation.expiresAt, at)))
      .returning({ webhookId: mailConfirmation.webhookId });
    if (used === undefined) {
      const [known] = await tx.select().from(mailConfirmation).where(isToken);
      if (!known?.usedAt) throw gone();
      throw new ApiError("CODE_USED", { message: "This address has been confirmed already." });
    }
    if ((await confirmMail(tx, used.webhookId, at)) === 0) throw gone();
  });
}

function gone(): ApiError {
  return new ApiError("GONE", {
    message:
      "This link is not valid, or no longer. Register the webhook again to get another mail.",
  });
}
