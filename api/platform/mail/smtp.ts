import { createTransport } from "nodemailer";
import type { Mailer } from "./ports.ts";

export interface SmtpConfig {
  /** `smtp://` or `smtps://`, with the account's credentials. */
  readonly url: string;
  /** Sender. */
  readonly from: string;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const TIMEOUT_MS = 15_000;

/** Mail over the operator's SMTP server. Without TLS nothing leaves the machine. */
export function createSmtpMailer({ url, from }: SmtpConfig): Mailer & { close(): void } {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || (secure ? 465 : 587)),
    secure,
    requireTLS: !secure && !LOOPBACK.has(hostname),
    ...(LOOPBACK.has(hostname) ? { ignoreTLS: !secure } : {}),
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // A mail is only its text: nothing in it may name a file or URL to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
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
