import { Redis } from "ioredis";
import { createTransport } from "nodemailer";
import { redactText } from "../../api/platform/log/log.ts";
import { smtpOptions } from "../../api/platform/mail/smtp.ts";
import { type Finding, fault, ok, reason, warning } from "./finding.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 5_000;

/** Whether Redis answers and takes writes. */
export async function checkRedis({ REDIS_URL: url, REPLICAS: replicas = 1 }: Settings) {
  if (url === undefined) {
    if (replicas === 1) return [];
    return [
      warning(
        `REPLICAS is ${replicas} without REDIS_URL: each process counts limits alone, so clients get ${replicas} times as much.`,
        "Set REDIS_URL to a Redis or Valkey that all processes reach.",
      ),
    ];
  }
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
  });
  let cause: unknown;
  redis.on("error", (error) => {
    cause ??= error;
  });
  try {
    await redis.connect();
    await redis.set("svc:doctor", "1", "PX", 1_000);
    return [ok("Redis answers and takes writes.")];
  } catch (error) {
    return [
      fault(
        `Redis cannot be used at REDIS_URL: ${reason(cause ?? error, redactText)}`,
        "Start it, and correct host, port, user and password. Meanwhile each process counts limits alone.",
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

/** Whether the mail server takes this account. Sends nothing. */
export async function checkMail({ SMTP_URL: url }: Settings): Promise<Finding[]> {
  if (url === undefined) return [];
  const transport = createTransport(smtpOptions(url, TIMEOUT_MS));
  try {
    await transport.verify();
    return [ok("The mail server takes the account.")];
  } catch (error) {
    return [
      fault(
        `The mail server refuses SMTP_URL: ${reason(error, redactText)}`,
        "Correct host, port, account and password. Until then owners get no mail about failing webhooks.",
      ),
    ];
  } finally {
    transport.close();
  }
}

/** Whether the collector takes traces. Without it they are lost, and nothing else is. */
export async function checkTraces({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: headers = {},
}: Settings): Promise<Finding[]> {
  if (endpoint === undefined) return [];
  const url = new URL(`${endpoint.replace(/\/$/, "")}/v1/traces`);
  const remedy =
    "Start the collector, and correct OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP, port 4318) and OTEL_EXPORTER_OTLP_HEADERS. Until then traces are lost.";
  try {
    const { ok: isTaken, status } = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ resourceSpans: [] }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    if (isTaken) return [ok("The collector takes traces.")];
    return [
      warning(`${url.host}${url.pathname} does not take traces: HTTP status ${status}`, remedy),
    ];
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    const what = `The collector of traces ${url.host} does not answer: ${reason(cause ?? error, redactText)}`;
    return [warning(what, remedy)];
  }
}
