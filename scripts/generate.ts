import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generatedFiles, isMissing, leftoverFiles } from "./generate/generated.ts";

const files = await generatedFiles();
for (const file of files) {
  const unchanged = !isMissing(file) && readFileSync(file.path, "utf8") === file.content;
  if (!unchanged) {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.content);
  }
  console.log(`${unchanged ? "unchanged" : "written  "} ${file.path}`);
}
for (const path of leftoverFiles(files)) {
  rmSync(path);
  console.log(`removed   ${path}`);
}
