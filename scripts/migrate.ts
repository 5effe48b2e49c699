import { helpText } from "./lib/usage.ts";
import { loadEnvFile } from "./processes/environment.ts";
import { helpAsked } from "./processes/help.ts";
import { runMigrations } from "./processes/migrate.ts";

if (!helpAsked(helpText("migrate"))) {
  loadEnvFile();
  process.exitCode = await runMigrations(process.env, {
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  });
}
