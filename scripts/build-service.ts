import { resolve } from "node:path";
import { helpText, readArguments, UsageError } from "./lib/usage.ts";
import { buildService } from "./service/build.ts";

try {
  const { values } = readArguments({
    options: {
      out: { type: "string", default: "dist/service" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) process.stdout.write(helpText("build-service"));
  else {
    const out = resolve(values.out);
    await buildService(out);
    process.stdout.write(`Wrote the service to ${out}.\n`);
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
