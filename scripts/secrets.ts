import { helpText, readArguments, UsageError } from "./lib/usage.ts";
import { rotateSecret } from "./processes/rotation.ts";
import { makeEnvFile } from "./processes/secrets.ts";

try {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      file: { type: "string", default: ".env" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  process.stdout.write(values.help ? helpText("secrets") : answer(values.file, positionals));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

function answer(file: string, [command, ...words]: readonly string[]): string {
  if (command === undefined) return makeEnvFile(file);
  if (command === "rotate") return rotateSecret(file, words, new Date());
  throw new UsageError(`Unknown command '${command}'. See --help.`);
}
