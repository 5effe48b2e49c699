import { writeFileSync } from "node:fs";
import { helpText } from "./lib/usage.ts";
import { buildPackage } from "./package/build.ts";
import { measureSizes, SIZES_FILE } from "./package/sizes.ts";

if (process.argv.includes("--help")) {
  process.stdout.write(helpText("build"));
} else {
  await buildPackage();
  if (process.argv.includes("--record-sizes")) {
    writeFileSync(SIZES_FILE, `${JSON.stringify(await measureSizes(), null, 2)}\n`);
  }
}
