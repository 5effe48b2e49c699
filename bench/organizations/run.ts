import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import pg from "pg";
import { createOrganizationReads } from "../../api/features/organizations/organizations.store.ts";
import type { TestDatabase } from "../../test/fixtures/databases.ts";
import { recordingPool } from "../../test/fixtures/index-tables.ts";
import { LARGE, SMALL, seedOrganizations } from "../../test/fixtures/organization-index.ts";
import { withDatabase } from "../lib/database.ts";
import { type Comparison, comparisonTable, publish } from "../lib/report.ts";

const HELP = `Usage: npm --prefix bench run organizations [-- options]

Measures the numbers of an organization of ${LARGE} agents beside one of ${SMALL}, among 20,000 agents in PostgreSQL. Prints a table
and writes it into bench/README.md. An aim that is missed is reported, not an error.

Options
  --queries <n>  Queries of each, default 200
  --dry-run      Print only
  --help         Show this
`;

const { values } = parseArgs({
  options: {
    queries: { type: "string", default: "200" },
    "dry-run": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  const queries = Number(values.queries);
  const section = await withDatabase((database) => measure(database, queries));
  publish("organizations", section, values["dry-run"]);
}
process.exit();

async function measure(database: TestDatabase, queries: number): Promise<string> {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await seedOrganizations(pool);
  const small = await medianOf(pool, 1n, queries);
  const large = await medianOf(pool, 2n, queries);
  await pool.end();
  const comparison: Comparison = {
    what: `stats of ${LARGE.toLocaleString("en-US")} agents, ms`,
    ours: large,
    peer: { name: `the same of ${SMALL} agents`, value: small },
    aim: { text: "at most 100 times, as many times the agents", atMost: small * (LARGE / SMALL) },
    bound: "reads per member",
  };
  return [
    comparisonTable([comparison]),
    "",
    `Medians of ${queries} queries each, ${(large / LARGE).toFixed(4)} ms per agent of the large one.`,
  ].join("\n");
}

/** Milliseconds of one reading, which sends one statement. */
async function medianOf(pool: pg.Pool, organizationId: bigint, queries: number): Promise<number> {
  const { pool: recording, sent } = recordingPool(pool);
  const reads = createOrganizationReads(recording);
  await reads.stats(organizationId);
  if (sent.length !== 1) throw new Error(`The numbers took ${sent.length} statements.`);
  const times: number[] = [];
  for (let query = 0; query < queries; query += 1) {
    const started = performance.now();
    await reads.stats(organizationId);
    times.push(performance.now() - started);
  }
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)] ?? 0;
}
