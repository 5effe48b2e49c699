import { createTransport } from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport/index.js";
import type { Mailer } from "./ports.ts";

export interface SmtpConfig {
  /** `smtp://` or `smtps://`, with the account's credentials. */
  readonly url: string;
  /** Sender. */
  readonly from: string;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const TIMEOUT_MS = 15_000;

/**
 * How the server of an SMTP address is reached. Without TLS nothing leaves the machine.
 *
 * @param timeoutMs limit for the connection, the greeting and each silence.
 */
export function smtpOptions(url: string, timeoutMs = TIMEOUT_MS): SMTPTransport.Options {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || (secure ? 465 : 587)),
    secure,
    requireTLS: !secure && !LOOPBACK.has(hostname),
    ...(LOOPBACK.has(hostname) ? { ignoreTLS: !secure } : {}),
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A mail is only its text: nothing in it may name a file or URL to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Mail over the operator's SMTP server. */
export function createSmtpMailer({ url, from }: SmtpConfig): Mailer & { close(): void } {
  const transport = createTransport(smtpOptions(url));
  const domain = from.slice(from.lastIndexOf("@") + 1).replace(/>$/, "");
  return {
    async send({ to, subject, text, id }) {
      await transport.sendMail({
        from,
        // As an object it is one address, with any content.
        to: { name: "", address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
    close: () => transport.close(),
  };
}
