import { SETTINGS_HELP } from "./processes/help.ts";
import { runService } from "./processes/service.ts";

await runService(
  "jobs",
  `Usage: npm run worker

Runs the jobs of the service: transactions, batches, webhooks, checks. Any number of these processes can share one database; each
job runs in one of them. It answers /health, /ready and /metrics at SVC_HOST and SVC_API_PORT. SIGTERM ends it after the
jobs under way, or leaves them to the next worker.
${SETTINGS_HELP}`,
);
