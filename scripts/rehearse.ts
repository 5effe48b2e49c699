import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { helpText, readArguments, UsageError } from "./lib/usage.ts";
import { rehearse } from "./rehearsal/rehearse.ts";

try {
  const { values } = readArguments({
    options: {
      service: { type: "string" },
      image: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) process.stdout.write(helpText("rehearse"));
  else {
    const directory = mkdtempSync(join(tmpdir(), "svc-rehearsal-"));
    await rehearse({
      directory,
      service: values.service,
      image: values.image,
      print: (text) => process.stdout.write(`${text}\n`),
    });
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
