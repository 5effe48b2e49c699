import { existsSync, writeFileSync } from "node:fs";
import {
  compareGas,
  GAS_FILE,
  type GasReport,
  gasFileContent,
  measureGas,
  unmeasuredFunctions,
} from "./generate/gas-report.ts";
import { productContracts } from "./lib/artifacts.ts";
import { readJson } from "./lib/json-file.ts";
import { helpText } from "./lib/usage.ts";

if (process.argv.includes("--help") || process.argv.includes("-h")) {
  process.stdout.write(helpText("gas"));
} else {
  const measured = await measureGas();
  const changes = compareGas(existsSync(GAS_FILE) ? readJson<GasReport>(GAS_FILE) : {}, measured);
  console.log(changes.length > 0 ? changes.join("\n") : "Nothing changed by more than 1 %.");
  for (const problem of unmeasuredFunctions(productContracts(), measured)) console.log(problem);
  writeFileSync(GAS_FILE, gasFileContent(measured));
  console.log(`Wrote ${GAS_FILE}.`);
}
