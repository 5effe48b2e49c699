import { createServer } from "node:net";
import { Redis } from "ioredis";
import { createTransport } from "nodemailer";
import { redactText } from "../../api/platform/log/log.ts";
import { smtpOptions } from "../../api/platform/mail/smtp.ts";
import { uploadUrl } from "../../api/platform/storage/settings.ts";
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

/** Whether bundler and gateways answer at all. Uploads nothing. */
export async function checkStorage(settings: Settings): Promise<Finding[]> {
  const { STORAGE_DRIVER, BUNDLER_URL, BUNDLER_KIND, GATEWAY_URLS = [], PUBLIC_URL } = settings;
  const findings: Finding[] = [];
  const isPublic = PUBLIC_URL?.protocol === "https:";
  if (STORAGE_DRIVER === "local" && isPublic) {
    findings.push(
      warning(
        "STORAGE_DRIVER is local: what agents are promised to be permanent is in this database alone.",
        "Set STORAGE_DRIVER=bundler with BUNDLER_URL and BUNDLER_KIND, and GATEWAY_URLS.",
      ),
    );
  }
  const targets = GATEWAY_URLS.map((url): readonly [name: string, origin: string] => [
    "GATEWAY_URLS",
    new URL(url.replace("{id}", "doctor")).origin,
  ]);
  if (BUNDLER_URL !== undefined && BUNDLER_KIND !== undefined) {
    targets.push(["BUNDLER_URL", new URL(uploadUrl(BUNDLER_URL, BUNDLER_KIND)).origin]);
  }
  const answers = await Promise.all(
    targets.map(async ([name, origin]): Promise<Finding> => {
      try {
        // Any status is an answer: what these servers have at their root is theirs.
        await fetch(origin, {
          method: "HEAD",
          signal: AbortSignal.timeout(TIMEOUT_MS),
          redirect: "manual",
        });
        return ok(`${origin} (${name}) answers.`);
      } catch (error) {
        const { cause } = error as { readonly cause?: unknown };
        return fault(
          `${origin} (${name}) does not answer: ${reason(cause ?? error, redactText)}`,
          "Correct the address, or use another service.",
        );
      }
    }),
  );
  return [...findings, ...answers];
}

/** Whether the API can listen, or listens already. */
export async function checkPort(settings: Settings): Promise<Finding[]> {
  const { SVC_HOST: host, SVC_API_PORT: port } = settings;
  if (host === undefined || port === undefined || port === 0) return [];
  const problem = await listenProblem(host, port);
  if (problem === null) return [ok(`The API can listen on ${host}:${port}.`)];
  if (problem === "EADDRINUSE" && (await isOwnApi(host, port))) {
    return [ok(`The API runs on ${host}:${port}.`)];
  }
  return [
    fault(
      `The API cannot listen on ${host}:${port}: ${problem === "EADDRINUSE" ? "another program does" : problem}.`,
      "Set SVC_API_PORT to a free port and SVC_HOST to an address of this machine, or end that program.",
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

async function isOwnApi(host: string, port: number): Promise<boolean> {
  const name = host.includes(":") ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`http://${name}:${port}/health`, { signal });
    return answer.ok && answer.headers.get("content-type")?.startsWith("application/json") === true;
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
