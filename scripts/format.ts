import { runAttached } from "./lib/run.ts";

const statuses = [
  await runAttached("biome", ["check", "--write", "."]),
  await runAttached("prettier", ["--write", "--log-level", "warn", "{contracts,test}/**/*.sol"]),
];
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
