import { runBatchNow } from "../../api/features/chronicles/batches/batches.jobs.ts";
import { JOBS } from "../../api/features.ts";
import { connectDatabase, type Database } from "../../api/platform/database/connect.ts";
import { JobsRefusedError, retryJobs, runRound } from "../../api/platform/jobs/admin.ts";
import { openJobs } from "../../api/platform/jobs/queue.ts";
import {
  type FailedJob,
  failedJobs,
  type QueueDepth,
  queueDepth,
} from "../../api/platform/jobs/report.ts";
import { createLog, redactText } from "../../api/platform/log/log.ts";
import { GATEWAY_URLS_RULE, gatewayUrls } from "../../api/platform/storage/settings.ts";
import { helpText, readArguments, UsageError } from "../lib/usage.ts";
import { readPorts } from "../local-stack/ports.ts";
import { storageAudit } from "./storage-audit.ts";

/** Inputs of the command from outside. */
export interface JobsCommandContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

type Order =
  | { readonly command: "help" }
  | { readonly command: "list"; readonly limit: number }
  | { readonly command: "retry" | "run"; readonly which: string }
  | { readonly command: "batch"; readonly waitMs: number }
  | { readonly command: "audit"; readonly gateways: readonly string[] };

/**
 * Runs `npm run jobs` and returns its exit status: 0 done, 1 rejected, failed or problems found, 2
 * wrong usage.
 */
export async function jobsCommand(
  args: readonly string[],
  context: JobsCommandContext,
): Promise<number> {
  try {
    const order = readOrder(args, context.environment);
    if (order.command === "audit") return (await audit(order.gateways, context)) ? 0 : 1;
    if (order.command === "help") context.print(helpText("jobs"));
    else await obey(order, context);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      context.complain(`${error.message}\nnpm run jobs -- --help explains the commands.\n`);
      return 2;
    }
    context.complain(`${explain(error)}\n`);
    return 1;
  }
}

function readOrder(args: readonly string[], environment: NodeJS.ProcessEnv): Order {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      now: { type: "boolean" },
      limit: { type: "string" },
      wait: { type: "string" },
    },
  });
  if (values.help) return { command: "help" };
  const [command, which, ...more] = positionals;
  if (command === "list" && which === undefined) {
    const limit = values.limit ?? "20";
    if (!/^[1-9][0-9]{0,4}$/.test(limit)) {
      throw new UsageError("--limit must be a number from 1 to 99999.");
    }
    return { command, limit: Number(limit) };
  }
  if ((command === "retry" || command === "run") && which !== undefined && more.length === 0) {
    return { command, which };
  }
  if (command === "batch" && which === undefined) {
    if (!values.now) {
      throw new UsageError("Batches run by themselves on the hour; batch --now runs one at once.");
    }
    const wait = values.wait ?? "120";
    if (!/^[1-9][0-9]{0,4}$/.test(wait)) {
      throw new UsageError("--wait must be a number of seconds from 1 to 99999.");
    }
    return { command, waitMs: Number(wait) * 1000 };
  }
  if (command === "storage" && which === "audit" && more.length === 0) {
    const gateways = environment.GATEWAY_URLS ? gatewayUrls(environment.GATEWAY_URLS) : [];
    if (gateways === null) throw new UsageError(`GATEWAY_URLS ${GATEWAY_URLS_RULE}.`);
    return { command: "audit", gateways };
  }
  throw new UsageError(
    command === undefined ? "A command is missing." : `Not understood: ${positionals.join(" ")}.`,
  );
}

function audit(
  gateways: readonly string[],
  { environment, print, complain }: JobsCommandContext,
): Promise<boolean> {
  const databaseUrl = databaseUrlOf(environment);
  return storageAudit({ databaseUrl, gatewayUrls: gateways, print, complain });
}

async function obey(
  order: Exclude<Order, { command: "help" | "audit" }>,
  { environment, print }: JobsCommandContext,
): Promise<void> {
  const databaseUrl = databaseUrlOf(environment);
  const log = createLog("silent");
  const jobs = await openJobs({ databaseUrl, log, rules: JOBS, purpose: "send" });
  const { db, close } = connectDatabase(databaseUrl, log);
  try {
    switch (order.command) {
      case "list":
        print(await report(db, order.limit));
        return;
      case "retry": {
        const count = await retryJobs(db, jobs, order.which);
        print(
          count === 0 ? `Nothing of ${order.which} has failed.\n` : `Queued again: ${count}.\n`,
        );
        return;
      }
      case "run":
        await runRound(db, jobs, order.which);
        print(`${order.which} runs as soon as a worker is free.\n`);
        return;
      case "batch":
        print(`${await runBatchNow(db, jobs, order.waitMs)}\n`);
    }
  } finally {
    await close();
    await jobs.close(1_000);
  }
}

function databaseUrlOf(environment: NodeJS.ProcessEnv): string {
  if (environment.DATABASE_URL) return environment.DATABASE_URL;
  return `postgresql://postgres:postgres@127.0.0.1:${readPorts(environment).postgres}/postgres`;
}

/** What `list` prints. */
async function report(db: Database, limit: number): Promise<string> {
  const [depth, failed] = [await queueDepth(db), await failedJobs(db, limit)];
  return `${queueTable(depth)}\n${failureList(failed)}`;
}

const STATES = ["waiting", "retry", "active", "failed"] as const;

function queueTable(depth: readonly QueueDepth[]): string {
  const queues = [...new Set(depth.map(({ queue }) => queue))];
  const count = (queue: string, state: string) =>
    depth.find((row) => row.queue === queue && row.state === state)?.jobs ?? 0;
  const rows = queues.map((queue) => [
    queue,
    ...STATES.map((state) => String(count(queue, state) || "-")),
  ]);
  return table([["queue", ...STATES], ...rows]);
}

function failureList(failed: readonly FailedJob[]): string {
  if (failed.length === 0) return "No job has failed.\n";
  return failed
    .map(({ id, queue, tries, failedAt, nextTry, lastError, data }) => {
      const next = nextTry === null ? "dead letter" : `next try ${nextTry.toISOString()}`;
      return [
        `${id}  ${queue}  ${JSON.stringify(data)}`,
        `  ${tries} ${tries === 1 ? "try" : "tries"}, last ${failedAt.toISOString()}; ${next}`,
        `  ${redactText(lastError)}`,
        "",
      ].join("\n");
    })
    .join("\n");
}

/** Columns as wide as their widest cell; numbers to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** One sentence; a refused connection's own message is empty. */
function explain(error: unknown): string {
  if (error instanceof JobsRefusedError) return error.message;
  const code = (error as { code?: unknown } | null)?.code;
  const message = error instanceof Error && error.message !== "" ? error.message : String(code);
  return redactText(`The jobs' database cannot be used: ${message}.`);
}
