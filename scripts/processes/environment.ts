import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Where `npm run secrets` writes the configuration. */
export const ENV_FILE = join(ROOT, ".env");

/** Adds the variables of `.env` to this process's environment. Variables that are set there win. */
export function loadEnvFile(): void {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
}
