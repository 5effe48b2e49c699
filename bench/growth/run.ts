import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { TestDatabase } from "../../test/fixtures/databases.ts";
import { measureJobs } from "../../test/fixtures/growth/jobs.ts";
import {
  findingsOf,
  type Measured,
  type MeasuredRead,
  measureReads,
} from "../../test/fixtures/growth/measure.ts";
import { tableSizes } from "../../test/fixtures/growth/plans.ts";
import { NOT_ASKED } from "../../test/fixtures/growth/reads.ts";
import { growTo } from "../../test/fixtures/growth/rows.ts";
import { startGrowthWorld } from "../../test/fixtures/growth/world.ts";
import { withDatabase } from "../lib/database.ts";
import { publish } from "../lib/report.ts";

/** Characters of a statement that are printed: its end says what it reads. */
const MAX_STATEMENT = 900;

const HELP = `Usage: npm --prefix bench run growth -- [options]

Asks every read of the API over a database with generated agents, at each size, and explains every statement that it sends.
Does the same with one round of each recurring job.
Prints the time and pages of each request with their slopes, statements that read a growing table from end to end, and the
sizes of all tables. Writes the tables of requests and jobs into bench/README.md.

Options
  --agents <list>  Numbers of agents, ascending, default 1000,10000,100000
  --dry-run        Print only
  --help           Show this
`;

const { values } = parseArgs({
  options: {
    agents: { type: "string", default: "1000,10000,100000" },
    "dry-run": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

type Tables = Awaited<ReturnType<typeof tableSizes>>;

/** What was measured with one number of agents. */
interface Size {
  readonly agents: number;
  readonly reads: readonly MeasuredRead[];
  readonly jobs: readonly Measured[];
  readonly tables: Tables;
}

if (values.help) {
  process.stdout.write(HELP);
} else {
  const counts = values.agents.split(",").map(Number);
  const sizes = await withDatabase((database) => measure(database, counts));
  console.log(tablesText(sizes));
  console.log(findingsText(sizes));
  const section = [readsText(sizes), jobsText(sizes), remarks(sizes)].join("\n\n");
  publish("growth", section, values["dry-run"]);
}
process.exit();

async function measure(
  database: TestDatabase,
  counts: readonly number[],
): Promise<readonly Size[]> {
  const world = await startGrowthWorld(database);
  const sizes: Size[] = [];
  let from = 0;
  try {
    for (const agents of counts) {
      const started = performance.now();
      await growTo(world.pool, world.subject, { from, to: agents });
      from = agents;
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      console.log(`${number(agents)} agents: rows made in ${seconds} s`);
      const options = { isRun: true, allowScans: true };
      const reads = await measureReads(world, options);
      const tables = await tableSizes(world.pool);
      const jobs = await measureJobs(world, options);
      sizes.push({ agents, reads, jobs, tables });
    }
  } finally {
    await world.stop();
  }
  return sizes;
}

function tablesText(sizes: readonly Size[]): string {
  const { agents, tables } = lastOf(sizes);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    `Tables at ${number(agents)} agents: ${megabytes(total)} MB, ${Math.round(total / agents)} bytes per agent`,
    ...tables
      .filter(({ rows }) => rows > 0)
      .map(
        ({ table, rows, bytes }) =>
          `${table.padEnd(34)} ${number(rows)} rows, ${megabytes(bytes)} MB`,
      ),
    "",
  ].join("\n");
}

/** Statements that read too much of a table that grew between the sizes. */
function findingsText(sizes: readonly Size[]): string {
  const [first] = sizes;
  const { reads, jobs, tables } = lastOf(sizes);
  const before = new Map(first?.tables.map(({ table, rows }) => [table, rows]));
  const hasGrown = ({ table, rows }: Tables[number]) =>
    sizes.length < 2 || rows > (before.get(table) ?? 0);
  const rowsOf = new Map(tables.filter(hasGrown).map(({ table, rows }) => [table, rows]));
  const findings = findingsOf<string>([...reads, ...jobs], rowsOf);
  if (findings.length === 0) return "No statement reads a growing table from end to end.\n";
  const byText = Map.groupBy(findings, ({ text }) => text);
  return [...byText]
    .map(([text, of]) =>
      [
        `Asked by ${[...new Set(of.flatMap(({ askedBy }) => askedBy))].join(", ")}`,
        ...of.map(
          ({ table, rowsOfTable, rowsRead }) =>
            `  ${table}: reads ${number(rowsRead)} of ${number(rowsOfTable)} rows`,
        ),
        `  … ${text.replaceAll(/\s+/g, " ").slice(-MAX_STATEMENT)}`,
      ].join("\n"),
    )
    .join("\n\n");
}

function readsText(sizes: readonly Size[]): string {
  const rows = lastOf(sizes).reads.flatMap((read, index) => {
    if (read.statements.length === 0) return [];
    const growth = growthOf(
      sizes,
      sizes.map(({ reads }) => reads[index]),
    );
    const kilobytes = (read.bytes / 1_000).toLocaleString("en-US", { maximumFractionDigits: 1 });
    return [[read.id, `\`${pathWithoutIds(read.path)}\``, ...growth, kilobytes]];
  });
  return tableText([["operation", "request", ...headerOf(sizes), "kB of the answer"], ...rows]);
}

function jobsText(sizes: readonly Size[]): string {
  const rows = lastOf(sizes).jobs.flatMap((job, index) => {
    if (job.statements.length === 0) return [];
    return [
      [
        job.id,
        ...growthOf(
          sizes,
          sizes.map(({ jobs }) => jobs[index]),
        ),
      ],
    ];
  });
  return tableText([["job", ...headerOf(sizes)], ...rows]);
}

function headerOf(sizes: readonly Size[]): readonly string[] {
  return [
    "statements",
    ...sizes.map(({ agents }) => `ms at ${number(agents)}`),
    "slope",
    ...sizes.map(({ agents }) => `pages at ${number(agents)}`),
    "slope",
  ];
}

/** What the same reads cost at each size, and how fast that grows. */
function growthOf(
  sizes: readonly Size[],
  measured: readonly (Measured | undefined)[],
): readonly string[] {
  const costs = measured.map(costOf);
  const slope = (of: (cost: ReturnType<typeof costOf>) => number) => {
    const [first, last] = [sizes[0], sizes.at(-1)];
    const [before, after] = [costs[0], costs.at(-1)];
    if (sizes.length < 2 || !first || !last || !before || !after) return "";
    const growth = Math.max(of(after), 0.1) / Math.max(of(before), 0.1);
    return (Math.log(growth) / Math.log(last.agents / first.agents)).toFixed(2);
  };
  return [
    String(measured.at(-1)?.statements.length ?? 0),
    ...costs.map(({ ms }) => ms.toFixed(1)),
    slope(({ ms }) => ms),
    ...costs.map(({ pages }) => number(pages)),
    slope(({ pages }) => pages),
  ];
}

function tableText([header = [], ...rows]: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function remarks(sizes: readonly Size[]): string {
  const unexpected = lastOf(sizes).reads.filter(({ status, expected }) => status !== expected);
  return [
    ...unexpected.map(({ id, path, status }) => `${id} (${path}) answered ${status}.`),
    ...Object.entries(NOT_ASKED).map(([id, reason]) => `${id} is not asked: ${reason}`),
    `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
  ].join("\n");
}

function costOf(measured: Measured | undefined) {
  const statements = measured?.statements ?? [];
  return {
    ms: statements.reduce((sum, { ms }) => sum + ms, 0),
    pages: statements.reduce((sum, { pages }) => sum + pages, 0),
  };
}

/** The same text in every run. */
function pathWithoutIds(path: string): string {
  return path
    .replaceAll(/0x[0-9a-fA-F]{40,64}/g, "0x…")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")
    .replaceAll(/(?<=[/=])[A-Za-z0-9_-]{20,43}(?=$|\/|&)/g, "…")
    .replaceAll(/1-2-\d+/g, "1-2-…");
}

function lastOf(sizes: readonly Size[]): Size {
  const last = sizes.at(-1);
  if (last === undefined) throw new Error("Name at least one number of agents.");
  return last;
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 });
}
