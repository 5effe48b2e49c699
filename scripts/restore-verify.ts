import { loadEnvFile } from "./processes/environment.ts";
import { restoreCommand } from "./restore/command.ts";

loadEnvFile();
process.exitCode = await restoreCommand(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
