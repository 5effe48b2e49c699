import { helpText, readArguments, UsageError } from "./lib/usage.ts";
import { makeEnvFile } from "./processes/secrets.ts";

try {
  const { values } = readArguments({
    options: {
      file: { type: "string", default: ".env" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  process.stdout.write(values.help ? helpText("secrets") : makeEnvFile(values.file));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
