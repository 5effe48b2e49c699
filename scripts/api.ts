import { SETTINGS_HELP } from "./processes/help.ts";
import { runService } from "./processes/service.ts";

await runService(
  "api",
  `Usage: npm run api

Answers requests of the API and the pages. Any number of these processes can share one database. It migrates the database
before it listens. SIGTERM ends it after the requests under way, at most ten seconds later. Jobs run in npm run worker.
${SETTINGS_HELP}`,
);
