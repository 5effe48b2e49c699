import { loadEnvFile } from "./processes/environment.ts";
import { helpAsked, SETTINGS_HELP } from "./processes/help.ts";
import { runIndexer } from "./processes/indexer.ts";

const HELP = `Usage: npm run indexer

Reads the contracts' events from the chain into PostgreSQL: one process for each database. It writes a schema whose name is computed
from its own code and the deployment file, and points the views in the schema chain at it when it has caught up. So a new
version builds its index beside the old one. SIGTERM and SIGINT stop it cleanly.

It exits with status 75 when the index stands still behind the chain's head: run it under a supervisor that starts it again.
${SETTINGS_HELP}`;

if (!helpAsked(HELP)) {
  loadEnvFile();
  process.exitCode = await runIndexer(process.env, (text) => process.stderr.write(text));
}
