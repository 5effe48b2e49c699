import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Contraction,
  contractionOf,
  isConcurrent,
  withoutComments,
} from "../../api/platform/database/contraction.ts";
import { run } from "../lib/run.ts";

/** Where the service's migrations are. */
export const MIGRATIONS = "api/platform/database/migrations";

/** The last migration of the releases before the rules: databases have it as it is. */
const LAST_UNCHECKED = 2;
const POSTGRES_VERSION = "18.0";

/** What the migrator sets itself, and rules of taste. */
const EXCLUDED = [
  "require-lock-timeout",
  "require-statement-timeout",
  "prefer-bigint-over-int",
  "prefer-bigint-over-smallint",
  "prefer-identity",
  "prefer-robust-stmts",
  "prefer-text-field",
  "prefer-timestamp-tz",
];

/** What a contraction may do: nothing uses what it removes. */
const CONTRACTS = ["ban-drop-column", "ban-drop-table", "ban-drop-not-null"];

/** What the linter does not know. Each breaks the previous version, or holds a lock for long. */
const OWN_RULES: readonly {
  readonly pattern: RegExp;
  readonly problem: string;
  readonly contracts?: true;
}[] = [
  {
    pattern: /^\s*(update|delete|truncate|merge)\b/im,
    problem: "Changes rows: a job does it in pieces, after the migration.",
  },
  {
    pattern: /\bdrop\s+(schema|view|materialized\s+view|type|function|sequence|domain)\b/i,
    problem: "Drops what the previous version may use.",
    contracts: true,
  },
  {
    pattern: /\bset\s+schema\b/i,
    problem: "Moves a table, which the previous version then does not find.",
  },
  {
    pattern: /\balter\s+table\b[^;]*\bset\s+(logged|unlogged|access\s+method|tablespace)\b/i,
    problem: "Rewrites a table under a lock.",
  },
  {
    pattern: /\b(vacuum\s+full|cluster|reindex)\b(?!\s+concurrently)/i,
    problem: "Rewrites a table under a lock: operators do it.",
  },
  {
    pattern: /\bdrop\s+default\b/i,
    problem: "The previous version inserts rows without this column.",
    contracts: true,
  },
];

const CONCURRENT =
  /^\s*(drop\s+index\s+concurrently\s+if\s+exists\b[^;]*;?|create\s+(unique\s+)?index\s+concurrently\b[^;]*;?)\s*$/i;

interface JournalEntry {
  readonly idx: number;
  readonly tag: string;
}

/**
 * What is wrong with the migrations of a folder: statements that break the previous version, which
 * runs beside this one during an upgrade, or that lock a big table for long.
 *
 * @param release The version of this release.
 */
export async function migrationProblems(folder: string, release: string): Promise<string[]> {
  const journal = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as {
    readonly entries: readonly JournalEntry[];
  };
  const tags = journal.entries.map(({ tag }) => tag);
  const checked = journal.entries.filter(({ idx }) => idx > LAST_UNCHECKED);
  const problems = await Promise.all(
    checked.map(async ({ tag }) => {
      const path = join(folder, `${tag}.sql`);
      const found = await fileProblems(path, tag, { tags, release });
      return found.map((problem) => `${path}: ${problem}`);
    }),
  );
  return problems.flat();
}

interface Known {
  readonly tags: readonly string[];
  readonly release: string;
}

async function fileProblems(path: string, tag: string, known: Known): Promise<string[]> {
  const text = readFileSync(path, "utf8");
  let contraction: Contraction | null;
  try {
    contraction = contractionOf(text);
  } catch (error) {
    return [(error as Error).message];
  }
  const mayContract = contraction !== null;
  const sql = withoutComments(text);
  const own = OWN_RULES.filter(({ pattern, contracts }) => {
    return pattern.test(sql) && !(mayContract && contracts);
  }).map(({ problem }) => problem);
  const stated = contraction === null ? [] : contractionProblems(contraction, tag, known);
  const isAlone = isConcurrent(text);
  const indexes = isAlone ? concurrentProblems(text) : [];
  return [...stated, ...indexes, ...own, ...(await linted(path, isAlone, mayContract))];
}

function contractionProblems(
  { since, needs }: Contraction,
  tag: string,
  { tags, release }: Known,
): string[] {
  const problems: string[] = [];
  const place = tags.indexOf(needs);
  if (place < 0 || place >= tags.indexOf(tag))
    problems.push(`It needs ${needs}, which is not an earlier migration.`);
  if (compareVersions(since, release) >= 0)
    problems.push(
      `It removes what ${since} stopped using, in ${release}: wait for a later release, because the one before still uses it.`,
    );
  return problems;
}

/** Its statements run one by one, and again after an interruption. */
function concurrentProblems(text: string): string[] {
  const statements = text.split("--> statement-breakpoint").map(withoutComments);
  const created = statements.filter((statement) => /\bcreate\b/i.test(statement)).map(indexName);
  const dropped = statements.filter((statement) => /\bdrop\b/i.test(statement)).map(indexName);
  const problems = statements
    .filter((statement) => !CONCURRENT.test(statement))
    .map((statement) => `Not a concurrent index, in a migration of such: ${statement.trim()}`);
  for (const name of created.filter((one) => !dropped.includes(one)))
    problems.push(
      `Drop ${name} first, with drop index concurrently if exists: an interrupted run leaves an invalid index.`,
    );
  return problems;
}

/** Without its schema: CREATE INDEX names none. */
function indexName(statement: string): string {
  const [, name = "?"] =
    /\bconcurrently\s+(?:if\s+(?:not\s+)?exists\s+)?(?:"?\w+"?\.)?"?(\w+)"?/i.exec(statement) ?? [];
  return name;
}

async function linted(path: string, isAlone: boolean, mayContract: boolean): Promise<string[]> {
  const excluded = EXCLUDED.concat(mayContract ? CONTRACTS : []);
  const { output } = await run("squawk", [
    "--reporter=json",
    `--pg-version=${POSTGRES_VERSION}`,
    isAlone ? "--no-assume-in-transaction" : "--assume-in-transaction",
    `--exclude=${excluded.join(",")}`,
    path,
  ]);
  const found = JSON.parse(output) as readonly {
    readonly line: number;
    readonly rule_name: string;
    readonly message: string;
    readonly help: string | null;
  }[];
  return found.map(({ line, rule_name: rule, message, help }) =>
    [`line ${line + 1}, ${rule}: ${message}`, help ?? ""].join(" ").trim(),
  );
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(".").map(Number));
  for (const [place, number] of (left ?? []).entries()) {
    const difference = number - (right?.[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
