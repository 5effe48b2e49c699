import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The local stack's secrets, in the form of the API's environment. */
export interface LocalSecrets {
  readonly MASTER_KEYS: string;
  readonly JWT_SECRETS: string;
}

/**
 * Reads the secrets of `directory`, or creates them once: 32 random bytes each, in a file only its
 * owner can read. They survive a restart, so that data of an earlier start stays readable.
 */
export function localSecrets(directory: string): LocalSecrets {
  const path = join(directory, "secrets.json");
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new Error(`${path} cannot be read. Remove it and start again.`, { cause: error });
    }
  }
  const secrets: LocalSecrets = {
    MASTER_KEYS: `v1:${randomBytes(32).toString("base64")}`,
    JWT_SECRETS: `local:${randomBytes(32).toString("base64")}`,
  };
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return secrets;
}
