import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { EXAMPLES_FILE, type RecordedExamples } from "../api/reference/examples.ts";
import { chosenExamples, type Exchange } from "./generate/examples.ts";
import { generatedDocument } from "./generate/generated.ts";
import { runAttached } from "./lib/run.ts";
import { helpText } from "./lib/usage.ts";

const RECORDING = ".local/exchanges.jsonl";
const files = process.argv.slice(2);

if (files.includes("--help")) {
  process.stdout.write(helpText("examples"));
} else {
  rmSync(RECORDING, { force: true });
  // Failed tests leave their mark here, and do not hold up the examples.
  process.exitCode =
    (await runAttached("vitest", ["run", "--config", "vitest.service.config.ts", ...files], {
      environment: { SVC_EXCHANGES: RECORDING },
    })) ?? 1;
  if (existsSync(RECORDING)) writeFileSync(EXAMPLES_FILE, await examples());
}

async function examples(): Promise<string> {
  const lines = readFileSync(RECORDING, "utf8").trimEnd().split("\n");
  const exchanges = lines.map((line) => JSON.parse(line) as Exchange);
  // Some files do not send everything: examples of operations that they do not send stay.
  const kept: RecordedExamples =
    files.length === 0 ? {} : JSON.parse(readFileSync(EXAMPLES_FILE, "utf8"));
  const chosen = chosenExamples(await generatedDocument(), exchanges, kept);
  return `${JSON.stringify(chosen, null, 2)}\n`;
}
