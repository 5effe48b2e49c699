import { loadEnvFile } from "./processes/environment.ts";
import { helpAsked, SETTINGS_HELP } from "./processes/help.ts";
import { runMigrations } from "./processes/migrate.ts";

const HELP = `Usage: npm run migrate

Brings the tables of the API up to date, and says whether that changed anything. Safe beside running processes: it waits for others
that migrate. It needs DATABASE_URL, and MIGRATION_DATABASE_URL when another role owns the tables. npm run api and
npm run worker do the same when they start.
${SETTINGS_HELP}`;

if (!helpAsked(HELP)) {
  loadEnvFile();
  process.exitCode = await runMigrations(process.env, {
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  });
}
