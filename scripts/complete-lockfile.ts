import { readFileSync, writeFileSync } from "node:fs";
import { completeLockfile, missingEntries } from "./checks/lockfile.ts";

// Run after changing a dependency: scripts/with-toolchain tsx scripts/complete-lockfile.ts
const path = "package-lock.json";
const lockfile = JSON.parse(readFileSync(path, "utf8"));
const added = Object.entries(missingEntries(lockfile));

for (const [entry, { version, os, cpu, libc }] of added) {
  console.log(`${entry}@${version}: os ${os ?? "-"}, cpu ${cpu ?? "-"}, libc ${libc ?? "-"}`);
}
console.log(`${added.length} entries added.`);
if (added.length > 0) {
  writeFileSync(path, `${JSON.stringify(completeLockfile(lockfile), null, 2)}\n`);
}
