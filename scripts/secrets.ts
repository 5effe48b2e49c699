import { readArguments, UsageError } from "./lib/usage.ts";
import { makeEnvFile } from "./processes/secrets.ts";

const HELP = `Usage: npm run secrets [-- options]

Makes .env from .env.example, with new random secrets, readable by its owner only. It never changes a file that exists.

Options
  --file <path>   Default .env
  --help          Show this
`;

try {
  const { values } = readArguments({
    options: {
      file: { type: "string", default: ".env" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  process.stdout.write(values.help ? HELP : makeEnvFile(values.file));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
