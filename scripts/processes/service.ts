import type { ProcessRole } from "../../api/platform/config/values.ts";
import { explain, serve } from "../../api/server.ts";
import { loadEnvFile } from "./environment.ts";
import { helpAsked } from "./help.ts";

/** Runs a process of the service with one role, until SIGTERM or SIGINT. */
export async function runService(role: ProcessRole, help: string): Promise<void> {
  if (helpAsked(help)) return;
  loadEnvFile();
  try {
    await serve({ ...process.env, SVC_ROLES: role });
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    // Open timers of a half-started process would keep it alive.
    process.exit(1);
  }
}
