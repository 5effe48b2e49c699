import { createServer } from "node:net";
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

/** Whether the API can listen, or listens already. */
export async function checkPort({ SVC_HOST, SVC_API_PORT }: Settings): Promise<Finding[]> {
  return portFindings({
    name: "API",
    host: SVC_HOST,
    port: SVC_API_PORT,
    variables: ["SVC_API_PORT", "SVC_HOST"],
    isOwn: isOwnApi,
  });
}

/** The same of the indexer. */
export async function checkIndexerPort(settings: Settings): Promise<Finding[]> {
  return portFindings({
    name: "indexer",
    host: settings.SVC_INDEXER_HOST,
    port: settings.SVC_INDEXER_PORT,
    variables: ["SVC_INDEXER_PORT", "SVC_INDEXER_HOST"],
    isOwn: isOwnIndexer,
  });
}

interface Listener {
  readonly name: string;
  readonly host: string | undefined;
  /** 0 takes any free one. */
  readonly port: number | undefined;
  readonly variables: readonly [port: string, host: string];
  /** Whether the program that has the port is this service's. */
  readonly isOwn: (origin: string) => Promise<boolean>;
}

async function portFindings({ name, host, port, variables, isOwn }: Listener): Promise<Finding[]> {
  if (host === undefined || port === undefined || port === 0) return [];
  const at = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const problem = await listenProblem(host, port);
  if (problem === null) return [ok(`The ${name} can listen on ${at}.`)];
  if (problem === "EADDRINUSE" && (await isOwn(`http://${at}`))) {
    return [ok(`The ${name} runs on ${at}.`)];
  }
  return [
    fault(
      `The ${name} cannot listen on ${at}: ${problem === "EADDRINUSE" ? "another program does" : problem}.`,
      `Set ${variables[0]} to a free port and ${variables[1]} to an address of this machine, or end that program.`,
    ),
  ];
}

function listenProblem(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

async function isOwnApi(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${origin}/health`, { signal });
    return answer.ok && answer.headers.get("content-type")?.startsWith("application/json") === true;
  } catch {
    return false;
  }
}

/** Ponder's metrics: what other programs answer at /health can look like the indexer's. */
async function isOwnIndexer(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${origin}/metrics`, { signal });
    return answer.ok && /^# HELP ponder_/m.test(await answer.text());
  } catch {
    return false;
  }
}

/** Whether the world reaches the API, once it runs. */
export async function checkPublicUrl({ PUBLIC_URL: url }: Settings): Promise<Finding[]> {
  if (url === undefined) return [];
  try {
    const answer = await fetch(new URL("/health", url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.ok) return [ok(`${url.origin} answers.`)];
    return [
      warning(
        `${url.origin}/health answers ${answer.status}.`,
        "Start the API, and let the proxy pass every path to it.",
      ),
    ];
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    return [
      warning(
        `${url.origin} is not reached from here: ${reason(cause ?? error, redactText)}`,
        "Before the first start this is expected. Then check name, proxy and certificate.",
      ),
    ];
  }
}
