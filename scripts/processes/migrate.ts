import { type EnvironmentVariables, parseEnvironment } from "../../api/platform/config/config.ts";
import { ENVIRONMENT_SECTIONS } from "../../api/platform/config/environment.ts";
import { migrate } from "../../api/platform/database/migrate.ts";
import { redactText } from "../../api/platform/log/log.ts";

interface Terminal {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Brings the schema `app` up to date. @returns the exit status. */
export async function runMigrations(
  environment: EnvironmentVariables,
  { print, complain }: Terminal,
): Promise<number> {
  try {
    const { DATABASE_URL, MIGRATION_DATABASE_URL } = parseEnvironment(
      ENVIRONMENT_SECTIONS.Database,
      environment,
    );
    const applied = await migrate(DATABASE_URL, MIGRATION_DATABASE_URL);
    print(
      applied === 0
        ? "The database is up to date.\n"
        : `Applied ${applied} ${applied === 1 ? "migration" : "migrations"}. The database is up to date.\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    complain(`${redactText(error.message)}\n`);
    return 1;
  }
}
