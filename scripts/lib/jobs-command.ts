import { parseArgs } from "node:util";
import { connectDatabase, type Database } from "../../api/db/connect.ts";
import { JobsRefusedError, retryJobs, runRound } from "../../api/jobs/admin.ts";
import { JOBS } from "../../api/jobs/catalogue.ts";
import { openJobs } from "../../api/jobs/queue.ts";
import { type FailedJob, failedJobs, type QueueDepth, queueDepth } from "../../api/jobs/report.ts";
import { createLog, redactText } from "../../api/log.ts";
import { readPorts } from "./ports.ts";

const HELP = `Usage: npm run jobs -- <command>

Looks at the service's jobs, and repairs what failed. The service may run meanwhile.

Commands
  list               Every queue with its jobs by state, and the jobs that failed with their last error
  retry <id|name>    Puts a failed job back at the start of its tries, or all failed jobs of a kind
  run <name>         Runs work that comes round by itself once more, at once

Options
  --limit <n>        Failed jobs that list shows; default 20
  --help             Show this

DATABASE_URL says where; default: the local stack's database (port: SVC_POSTGRES_PORT, default 55432). A retried or run job is
done by whichever process runs jobs (SVC_ROLES).
`;

/** What the command knows of the world. */
export interface JobsCommandContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The arguments cannot be understood. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

type Order =
  | { readonly command: "help" }
  | { readonly command: "list"; readonly limit: number }
  | { readonly command: "retry" | "run"; readonly which: string };

/** Runs `npm run jobs` and returns its exit status: 0 done, 1 refused or failed, 2 not understood. */
export async function jobsCommand(
  args: readonly string[],
  context: JobsCommandContext,
): Promise<number> {
  try {
    const order = readOrder(args);
    if (order.command === "help") context.print(HELP);
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

function readOrder(args: readonly string[]): Order {
  const { values, positionals } = parsed(args);
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
  throw new UsageError(
    command === undefined ? "A command is missing." : `Not understood: ${positionals.join(" ")}.`,
  );
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: "boolean" }, limit: { type: "string" } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function obey(
  order: Exclude<Order, { command: "help" }>,
  { environment, print }: JobsCommandContext,
): Promise<void> {
  const databaseUrl = environment.DATABASE_URL || localDatabaseUrl(environment);
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
    }
  } finally {
    await close();
    await jobs.close(1_000);
  }
}

function localDatabaseUrl(environment: NodeJS.ProcessEnv): string {
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
