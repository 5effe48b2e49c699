import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generatedFiles, isMissing } from "./generate/generated.ts";

for (const file of await generatedFiles()) {
  const unchanged = !isMissing(file) && readFileSync(file.path, "utf8") === file.content;
  if (!unchanged) {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.content);
  }
  console.log(`${unchanged ? "unchanged" : "written  "} ${file.path}`);
}
