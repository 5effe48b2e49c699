import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../../api/kernel/callers.ts";
import type { ApiError } from "../../../../api/kernel/errors.ts";
import { createSmtpMailer } from "../../../../api/platform/mail/smtp.ts";
import {
  createWebhookWorld,
  eventOf,
  FULL_KEY,
  OWNER,
  type WebhookWorld,
} from "../../../fixtures/webhooks.ts";

interface Mail {
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly content: string;
}

const mails: Mail[] = [];
let smtp: SMTPServer;
let world: WebhookWorld;
let mailer: ReturnType<typeof createSmtpMailer>;

beforeAll(async () => {
  smtp = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong password")),
    onData(stream, session, done) {
      text(stream).then((content) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? undefined : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user as unknown as string,
          content,
        });
        done();
      }, done);
    },
  });
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const { port } = smtp.server.address() as AddressInfo;
  mailer = createSmtpMailer({
    url: `smtp://service:p%40ss@127.0.0.1:${port}`,
    from: "service@example.com",
  });
  world = await createWebhookWorld(mailer);
});
afterAll(async () => {
  mailer.close();
  await world.close();
  await new Promise<void>((closed) => smtp.close(() => closed()));
});

const readable = (content = "") =>
  content.replace(/=\r\n/g, "").replace(/\r\n /g, " ").replace(/=3D/g, "=");

/** The token in a confirming mail. */
const tokenIn = (mail: Mail | undefined) =>
  /https:\/\/svc\.test\/confirm-mail\/(\S+)/.exec(readable(mail?.content))?.[1] ?? "";

const mailTo = (address: string) => mails.find(({ to }) => to[0] === address);

const notified = (notifyEmail: string | null = "owner@example.com") =>
  ({
    tokenId: null,
    url: world.receiver.url,
    events: ["binding.created"],
    notifyEmail,
  }) as const;

const fail = async () => {
  world.receiver.answer((_request, response) => void response.writeHead(500).end("<script>"));
  await world.emit(eventOf("binding.created", randomUUID()));
  await world.runAll();
};

const keyOf = (tokenId: bigint) => ({ ...FULL_KEY, id: `agent:${tokenId}:1`, tokenId }) as Caller;

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ApiError) => ({ type: error.type, retryAfter: error.retryAfter }),
  );

beforeEach(async () => {
  mails.length = 0;
  await world.clear();
  for (const tokenId of [8n, 9n, 10n]) {
    world.agents.set(tokenId, { epoch: 1, sealer: OWNER, owner: OWNER, status: "SEALED" });
  }
});

describe("a mail address that a webhook names", () => {
  it("is asked once, and gets no notice before its holder has confirmed", async () => {
    const { webhookId } = await world.service.create(FULL_KEY, notified(), randomUUID());
    await world.run();
    await fail();
    expect(mails.map(({ to }) => to)).toEqual([["owner@example.com"]]);
    expect((await world.store.rows.findWebhook(webhookId))?.enabled).toBe(false);
    const [asking] = mails;
    const content = readable(asking?.content);
    expect(content).toMatch(/^Subject: Confirm this address for notices of a webhook$/m);
    expect(content).toContain(
      `An agent registered the webhook ${webhookId}, and gave this address`,
    );
    // Nothing of the agent's choice: a host's name can be a sentence.
    expect(content).not.toContain("hooks.test");

    await world.confirmations.confirm(tokenIn(asking));
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    await fail();
    expect(
      mails.slice(1).map(({ content }) => /^Subject: Webhook to \S+ (\w+)/m.exec(content)?.[1]),
    ).toEqual(["failing", "disabled"]);
  });

  it("is confirmed by the link once, for the webhooks of the same owner", async () => {
    await world.service.create(FULL_KEY, notified(), randomUUID());
    await world.run();
    const token = tokenIn(mails[0]);
    const { rows } = await world.db.execute<{ kept: string }>(
      sql`select json_agg(c)::text as kept from app.mail_confirmation c`,
    );
    expect(rows[0]?.kept).not.toContain(token);
    expect(rows[0]?.kept).not.toContain("owner@example.com");
    const results = await Promise.all(
      [1, 2].map(() => refusalOf(world.confirmations.confirm(token))),
    );
    expect(results.filter((result) => result === null)).toHaveLength(1);
    expect(results).toContainEqual({ type: "CODE_USED", retryAfter: undefined });
    expect(await refusalOf(world.confirmations.confirm(`${token.slice(1)}A`))).toMatchObject({
      type: "GONE",
    });
    expect(await refusalOf(world.confirmations.confirm("short"))).toMatchObject({ type: "GONE" });

    const { webhookId } = await world.service.create(FULL_KEY, notified(), randomUUID());
    await world.service.create(FULL_KEY, notified("other@example.com"), randomUUID());
    await world.runAll();
    expect(mails.map(({ to }) => to[0])).toEqual(["owner@example.com", "other@example.com"]);
    const listed = await world.service.list(FULL_KEY, null);
    const confirmed = listed.filter(({ mailConfirmedAt }) => mailConfirmedAt !== null);
    expect(confirmed.map(({ notifyEmail }) => notifyEmail)).toEqual([
      "owner@example.com",
      "owner@example.com",
    ]);
    expect(confirmed.map(({ id }) => id)).toContain(webhookId);
    expect(listed).toHaveLength(3);
  });

  it("is not confirmed by a link that is three days old, or whose webhook is gone", async () => {
    const { webhookId } = await world.service.create(FULL_KEY, notified(), randomUUID());
    await world.service.create(FULL_KEY, notified("other@example.com"), randomUUID());
    await world.run();
    await world.service.remove(FULL_KEY, webhookId);
    expect(
      await refusalOf(world.confirmations.confirm(tokenIn(mailTo("owner@example.com")))),
    ).toMatchObject({
      type: "GONE",
    });
    world.wait(3 * 24 * 60 * 60_000);
    expect(
      await refusalOf(world.confirmations.confirm(tokenIn(mailTo("other@example.com")))),
    ).toMatchObject({
      type: "GONE",
    });
  });

  it("gets at most three confirming mails a day of all agents, and an agent sends five", async () => {
    const agents = [7n, 8n, 9n, 10n];
    const tried = await Promise.all(
      agents.map((tokenId) =>
        refusalOf(
          world.service.create(keyOf(tokenId), notified("Victim@example.com"), randomUUID()),
        ),
      ),
    );
    const limited = { type: "RATE_LIMIT_EXCEEDED", retryAfter: 86_400 };
    expect(tried.filter((result) => result === null)).toHaveLength(3);
    expect(tried).toContainEqual(limited);
    const lists = await Promise.all(agents.map((id) => world.service.list(keyOf(id), null)));
    expect(lists.flat()).toHaveLength(3);

    await world.clear();
    for (let one = 0; one < 5; one += 1) {
      await world.service.create(FULL_KEY, notified(`a${one}@example.com`), randomUUID());
    }
    const sixth = () => world.service.create(FULL_KEY, notified("a5@example.com"), randomUUID());
    expect(await refusalOf(sixth())).toEqual(limited);
    await world.run();
    expect(mails).toHaveLength(5);
    world.wait(24 * 60 * 60_000);
    expect(await refusalOf(sixth())).toBeNull();
  });

  it("gets the same mail again when the job is repeated, and none once it has confirmed", async () => {
    await world.service.create(FULL_KEY, notified(), randomUUID());
    const { rows } = await world.db.execute<{ id: string }>(
      sql`select id from app.mail_confirmation`,
    );
    const repeat = () =>
      world.confirmations.mail({ confirmationId: rows[0]?.id ?? "" }, new AbortController().signal);
    await repeat();
    await repeat();
    const [first, second] = mails;
    expect(tokenIn(second)).toBe(tokenIn(first));
    expect(first?.content).toContain(`Message-ID: <${rows[0]?.id}.confirm@example.com>`);
    await world.confirmations.confirm(tokenIn(first));
    await repeat();
    expect(mails).toHaveLength(2);
  });
});

/** A webhook whose mail address has confirmed, before any other mail. */
async function confirmedWebhook(): Promise<string> {
  const { webhookId } = await world.service.create(FULL_KEY, notified(), randomUUID());
  await world.run();
  await world.confirmations.confirm(tokenIn(mails[0]));
  mails.length = 0;
  return webhookId;
}

describe("the owner of a webhook that is disabled after failures", () => {
  it("gets one mail after the third failure and one at the end, and no other within a day", async () => {
    const webhookId = await confirmedWebhook();
    await world.service.create(FULL_KEY, notified(null), randomUUID());
    const since = world.clock().toISOString();
    await fail();
    expect(mails.length).toBe(2);
    const [warning, mail] = mails;
    expect(warning?.to).toEqual(["owner@example.com"]);
    expect(readable(warning?.content)).toMatch(/^Subject: Webhook to hooks\.test:\d+ failing$/m);
    expect(readable(warning?.content)).toContain(
      `The webhook ${webhookId} to hooks.test:${world.receiver.port} has failed 3 times in a row since ${since}. It is retried, and disabled after more failures.`,
    );
    expect(mail).toMatchObject({
      from: "service@example.com",
      to: ["owner@example.com"],
      user: "service",
    });
    const disabledAt = (await world.store.rows.findWebhook(webhookId))?.disabledAt;
    const content = readable(mail?.content);
    expect(content).toMatch(/^Subject: Webhook to hooks\.test:\d+ disabled$/m);
    expect(content).toContain("Auto-Submitted: auto-generated");
    expect(content).toContain(`Message-ID: <${webhookId}.${disabledAt?.getTime()}@example.com>`);
    expect(content).toContain(
      `The webhook ${webhookId} to hooks.test:${world.receiver.port} was disabled`,
    );
    expect(content).toContain(`PATCH /v1/webhooks/${webhookId}`);
    expect(content).not.toContain("<script>");
    expect(content).not.toContain("/hook ");

    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    await fail();
    expect((await world.store.rows.findWebhook(webhookId))?.enabled).toBe(false);
    // Its tries took 14 hours and 36 minutes, so the second time is less than a day after the
    // first.
    expect(mails.length).toBe(2);
    await world.service.setEnabled(FULL_KEY, webhookId, "enabled");
    await fail();
    const subjects = mails.map(
      ({ content }) => /^Subject: Webhook to \S+ (\w+)/m.exec(content)?.[1],
    );
    expect(subjects).toEqual(["failing", "disabled", "failing", "disabled"]);
  });

  it("gets no mail when the webhook was enabled meanwhile", async () => {
    const webhookId = await confirmedWebhook();
    await world.delivery.handlers["webhook.tell-owner"](
      { webhookId },
      new AbortController().signal,
    );
    expect(mails).toEqual([]);
  });
});
