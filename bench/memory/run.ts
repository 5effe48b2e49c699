import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { registerAgents } from "../lib/agents.ts";
import { publish } from "../lib/report.ts";
import { startServers } from "../lib/servers.ts";
import { type MemorySample, memoryOfApi, READABLE } from "./process-memory.ts";
import { CHRONICLES_PER_DAY, startVisits, VISITS_PER_CHRONICLE, type Visits } from "./visits.ts";

const MINUTE_MS = 60_000;
const MEGABYTE = 1_000_000;

/** The most after the start, in megabytes, and the most that may be added from minute ten on. */
const AIMS = { heap: 150, resident: 350, growth: 0.05 } as const;
const GROWTH_FROM_MINUTE = 10;
/** Growth is between the medians of so many samples at the beginning and at the end. */
const SAMPLES_COMPARED = 5;

const HELP = `Usage: npm --prefix bench run memory [-- options]

Boots the whole service, sends it a mixed load (sign-in, reads, pages, chronicles), and samples the API's memory every minute.
Prints a table and writes it into bench/README.md. An aim that is missed is reported, not an error.

Options
  --minutes <n>  How long, default 60
  --rate <n>     Visits a second, default 20. A visit is a sign-in, three reads, a page or a chronicle
  --dry-run      Print only
  --help         Show this
`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "20" },
    "dry-run": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  const section = await measure(Number(values.minutes), Number(values.rate));
  publish("memory", section, values["dry-run"]);
}

async function measure(minutes: number, rate: number): Promise<string> {
  const servers = await startServers("memory", { apiEnvironment: READABLE });
  try {
    const chronicles = (minutes * 60 * rate) / VISITS_PER_CHRONICLE;
    const count = Math.max(50, Math.ceil(chronicles / CHRONICLES_PER_DAY) + 1);
    const { owner, agents } = await registerAgents(servers, count);
    const memory = await memoryOfApi(servers.stack);
    const samples = [await memory.sample()];
    const visits = startVisits({ ours: servers.ours, owner, agents }, rate);
    const startedAt = performance.now();
    while (samples.length <= minutes) {
      await delay(startedAt + samples.length * MINUTE_MS - performance.now());
      const sample = await memory.sample();
      samples.push(sample);
      const { count, failures } = visits.soFar();
      console.error(
        `minute ${samples.length - 1}: ${count} visits (${failures.length} failed), heap ${megabytes(sample.heap)}, RSS ${megabytes(sample.resident)}`,
      );
    }
    const report = sectionOf(samples, await visits.stop(), agents.length);
    memory.close();
    return report;
  } finally {
    await servers.close();
  }
}

function sectionOf(samples: readonly MemorySample[], visits: Visits, agents: number): string {
  const table = [
    "| what | at the start | minute ten | at the end | aim | met |",
    "| --- | --- | --- | --- | --- | --- |",
    ...(["heap", "resident"] as const).map((key) => {
      const of = samples.map((sample) => sample[key]);
      const what = key === "heap" ? "heap after garbage collection" : "RSS";
      const most = Math.max(...of);
      const tenth = of[GROWTH_FROM_MINUTE];
      return row([
        `${what}, highest ${megabytes(most)}`,
        megabytes(of[0]),
        megabytes(tenth),
        megabytes(of.at(-1)),
        `at most ${AIMS[key]} MB`,
        most <= AIMS[key] * MEGABYTE ? "yes" : "**no**",
      ]);
    }),
    ...(["heap", "resident"] as const).map((key) => {
      const growth = growthOf(samples.map((sample) => sample[key]));
      const what = `growth of ${key === "heap" ? "the heap" : "RSS"} from minute ten on`;
      const text = growth === null ? "not measured" : `${(growth * 100).toFixed(1)} %`;
      const met = growth === null ? "" : growth <= AIMS.growth ? "yes" : "**no**";
      return row([what, "", "", text, `at most ${AIMS.growth * 100} %`, met]);
    }),
  ];
  const minutes = samples.flatMap((sample, minute) =>
    minute % 5 === 0 ? [row([minute, megabytes(sample.heap), megabytes(sample.resident)])] : [],
  );
  const { count, failures } = visits;
  const failed = failures.length === 0 ? "all answered as expected" : `${failures.length} failed`;
  return [
    table.join("\n"),
    `${count.toLocaleString("en-US")} visits of ${agents} agents in ${samples.length - 1} minutes, ${failed}. ` +
      `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
    ...failures.slice(0, 1).map((first) => `The first failure: ${first}`),
    ["| minute | heap | RSS |", "| --- | --- | --- |", ...minutes].join("\n"),
  ].join("\n\n");
}

/** The share that was added between minute ten and the end; null when there are too few samples. */
function growthOf(samples: readonly number[]): number | null {
  const from = samples.slice(GROWTH_FROM_MINUTE);
  const compared = Math.min(SAMPLES_COMPARED, Math.floor(from.length / 2));
  if (compared === 0) return null;
  return median(from.slice(-compared)) / median(from.slice(0, compared)) - 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "" : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}
