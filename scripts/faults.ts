import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skippedFaults } from "./faults/faults.ts";
import { printReport } from "./faults/report.ts";
import { runFaults } from "./faults/run.ts";
import { lineProgress } from "./lib/progress.ts";
import { helpText, readArguments, UsageError } from "./lib/usage.ts";

const values = faultArguments();
if (values.help) {
  process.stdout.write(helpText("faults"));
  process.exit(0);
}
if (process.platform !== "linux") {
  process.stderr.write("The faults find processes in /proc, which only Linux has.\n");
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), "faults-"));
process.once("exit", (code) => {
  if (code === 0) rmSync(directory, { recursive: true, force: true });
  else process.stderr.write(`The logs of all processes are in ${join(directory, "logs")}.\n`);
});
const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => abort.abort(new Error("The faults were interrupted.")));
}
for (const sentence of skippedFaults()) console.log(`SKIPPED: ${sentence}`);
console.log(`The same kills again: --seed ${number("seed")}`);
try {
  const report = await runFaults({
    size: "whole",
    kills: number("kills"),
    seed: number("seed"),
    rate: number("rate"),
    minutes: number("minutes"),
    only: values.only.split(",").filter((word) => word !== ""),
    directory,
    progress: lineProgress(),
    signal: abort.signal,
  });
  process.exit(printReport(report) ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function number(name: "kills" | "seed" | "rate" | "minutes"): number {
  const value = Number(values[name]);
  if (values[name] !== "" && Number.isFinite(value) && value >= 0) return value;
  process.stderr.write(`--${name} must be a number of 0 or above; it is "${values[name]}".\n`);
  process.exit(2);
}

function faultArguments() {
  try {
    return readArguments({
      options: {
        kills: { type: "string", default: "100" },
        minutes: { type: "string", default: "0" },
        only: { type: "string", default: "" },
        rate: { type: "string", default: "20" },
        seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${helpText("faults")}`);
    process.exit(2);
  }
}
