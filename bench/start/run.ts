import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BUNDLES, findBundle } from "../../scripts/local-stack/bundle/bundle.ts";
import { processFamily } from "../../scripts/local-stack/process-family.ts";
import { TICKS_PER_SECOND } from "../lib/cpu.ts";
import { publish } from "../lib/report.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const BUNDLE_MS = 300_000;
const POLL_MS = 250;
const READY = /^ok +API: .*$/m;

/** The most, in seconds from the command to the API's line. */
const AIM = 6;

/** Where a process of the stack belongs, by a part of its command line. */
const COMPONENTS = [
  ["chain", "chain-process"],
  ["PostgreSQL", "postgres-process"],
  ["indexer", "ponder"],
  ["API", "api/server"],
] as const;

const HELP = `Usage: npm --prefix bench run start -- [options]

Runs \`npm start\` in this clone until the API is ready: once, then until the bundle of the next start is made, then again.
Prints a table and writes it into bench/README.md. No other stack may run in the clone.

Options
  --rounds <n>  Starts with the bundle, default 3
  --dry-run     Print only
  --help        Show this
`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    "dry-run": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

interface Start {
  readonly seconds: number;
  /** Processor seconds, by component. */
  readonly processor: Readonly<Record<string, number>>;
}

if (values.help) process.stdout.write(HELP);
else {
  const first = await start(true);
  const later: Start[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) later.push(await start(false));
  publish("start", sectionOf(first, later), values["dry-run"]);
}

async function start(untilBundled: boolean): Promise<Start> {
  const startedAt = performance.now();
  const ports = ["api", "indexer", "chain", "postgres"].flatMap((name) => [`--${name}-port`, "0"]);
  const child = spawn("npm", ["start", "--", "--no-demo", ...ports], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "exit");
  try {
    let output = "";
    const ready = new Promise<void>((done, fail) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          if (READY.test(output)) done();
        });
      }
      void ended.then(() => fail(new Error(`npm start ended:\n${output}`)));
    });
    await ready;
    const seconds = (performance.now() - startedAt) / 1_000;
    const processor = processorSeconds(child.pid ?? 0);
    if (untilBundled) await bundled();
    return { seconds, processor };
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    await ended;
  }
}

async function bundled(): Promise<void> {
  const end = performance.now() + BUNDLE_MS;
  while (findBundle() === undefined) {
    if (performance.now() > end) throw new Error(`There is no bundle in ${BUNDLES}.`);
    await delay(POLL_MS);
  }
}

/** A process counts for the component that it or the nearest process above it names. */
function processorSeconds(root: number): Record<string, number> {
  const family = processFamily(root);
  const componentOf = (pid: number): string => {
    const command = readFileSync(join("/proc", String(pid), "cmdline"), "utf8");
    const own = COMPONENTS.find(([, part]) => command.includes(part))?.[0];
    if (own !== undefined) return own;
    const parent = family.find((member) => member.pid === pid)?.parent;
    return parent === undefined || pid === root ? "the command" : componentOf(parent);
  };
  const seconds: Record<string, number> = {};
  for (const { pid, ticks, endedTicks } of family) {
    const component = componentOf(pid);
    seconds[component] = (seconds[component] ?? 0) + (ticks + endedTicks) / TICKS_PER_SECOND;
  }
  return seconds;
}

function sectionOf(first: Start, later: readonly Start[]): string {
  const fastest = later.toSorted((a, b) => a.seconds - b.seconds)[0];
  if (fastest === undefined) throw new Error("--rounds must be 1 or more.");
  const names = ["the command", ...COMPONENTS.map(([name]) => name)];
  const total = ({ processor }: Start) =>
    Object.values(processor).reduce((sum, seconds) => sum + seconds, 0);
  const cells = (what: string, one: Start) => [
    what,
    one.seconds.toFixed(1),
    ...names.map((name) => (one.processor[name] ?? 0).toFixed(1)),
    total(one).toFixed(1),
  ];
  const header = ["start", "seconds", ...names.map((name) => `${name}, CPU s`), "all, CPU s"];
  const table = [
    header,
    header.map(() => "---"),
    cells("before there is a bundle", first),
    ...later.map((one, index) => cells(`from the bundle, ${index + 1}`, one)),
  ].map((row) => `| ${row.join(" | ")} |`);
  const verdict = fastest.seconds <= AIM ? "met" : "**missed**";
  return `${table.join("\n")}\n\nAim: at most ${AIM} s from the bundle: ${verdict}. Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`;
}
