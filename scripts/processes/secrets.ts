import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { UsageError } from "../lib/usage.ts";

const EXAMPLE = join(import.meta.dirname, "../../.env.example");
const SECRET_BYTES = 32;

/**
 * Writes a copy of `.env.example` with new secrets to `path`.
 *
 * @returns what the operator does next, without a secret.
 * @throws UsageError when the file exists: a lost master key cannot be made again.
 */
export function makeEnvFile(path: string): string {
  const random = () => randomBytes(SECRET_BYTES).toString("base64");
  const relayer = generatePrivateKey();
  const storage = generatePrivateKey();
  const secrets = {
    RELAYER_PRIVATE_KEY: relayer,
    STORAGE_PRIVATE_KEY: storage,
    MASTER_KEYS: `v1:${random()}`,
    JWT_SECRETS: `k1:${random()}`,
    METRICS_TOKEN: randomBytes(SECRET_BYTES).toString("base64url"),
  };
  let text = readFileSync(EXAMPLE, "utf8");
  for (const [name, value] of Object.entries(secrets)) {
    const line = new RegExp(`^(?:# )?${name}=$`, "m");
    if (!line.test(text)) throw new Error(`.env.example has no line for ${name}.`);
    text = text.replace(line, `${name}=${value}`);
  }
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError(
      `${path} exists and was not changed: its MASTER_KEYS may be the only copy. Give another name with --file, or remove it yourself.`,
    );
  }
  return `Wrote ${path} with new secrets.

  relayer          ${privateKeyToAccount(relayer).address}   send it ether, and name it in npm run deploy
  storage signer   ${privateKeyToAccount(storage).address}   a bundler charges this account

Next: set PUBLIC_URL, DATABASE_URL, RPC_URL, SVC_DEPLOYMENT and TRUSTED_PROXIES in it, back it up where the
database's backups are not, and run npm run doctor.
`;
}
