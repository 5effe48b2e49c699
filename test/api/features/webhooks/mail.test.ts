import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSmtpMailer } from "../../../../api/platform/mail/smtp.ts";
import {
  createWebhookWorld,
  eventOf,
  FULL_KEY,
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

describe("the owner of a webhook that is disabled after failures", () => {
  it("gets one mail after the third failure and one at the end, and no other within a day", async () => {
    const webhook = {
      tokenId: null,
      url: world.receiver.url,
      events: ["binding.created"],
      notifyEmail: "owner@example.com",
    } as const;
    const { webhookId } = await world.service.create(FULL_KEY, webhook, randomUUID());
    const silent = { ...webhook, notifyEmail: null };
    await world.service.create(FULL_KEY, silent, randomUUID());
    world.receiver.answer((_request, response) => void response.writeHead(500).end("<script>"));

    const fail = async () => {
      await world.emit(eventOf("binding.created", randomUUID()));
      await world.runAll();
    };
    await fail();
    expect(mails.length).toBe(2);
    const [warning, mail] = mails;
    const readable = (content = "") => content.replace(/=\r\n/g, "").replace(/\r\n /g, " ");
    expect(warning?.to).toEqual(["owner@example.com"]);
    expect(readable(warning?.content)).toMatch(/^Subject: Webhook to hooks\.test:\d+ failing$/m);
    expect(readable(warning?.content)).toContain(
      `The webhook ${webhookId} to hooks.test:${world.receiver.port} has failed 3 times in a row since 2026-03-01T12:00:00.000Z. It is retried, and disabled after more failures.`,
    );
    expect(mail).toMatchObject({
      from: "service@example.com",
      to: ["owner@example.com"],
      user: "service",
    });
    const disabledAt = (await world.store.rows.findWebhook(webhookId))?.disabledAt;
    const content = readable(mail?.content).replace(/=3D/g, "=");
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
    const { length } = mails;
    await world.clear();
    const { webhookId } = await world.service.create(
      FULL_KEY,
      {
        tokenId: null,
        url: world.receiver.url,
        events: ["binding.created"],
        notifyEmail: "owner@example.com",
      },
      randomUUID(),
    );
    await world.delivery.handlers["webhook.tell-owner"](
      { webhookId },
      new AbortController().signal,
    );
    expect(mails.length).toBe(length);
  });
});
