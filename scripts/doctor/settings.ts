import { statSync } from "node:fs";
import type { Network } from "../../api/kernel/networks.ts";
import {
  ConfigError,
  type EnvironmentVariables,
  readConfig,
} from "../../api/platform/config/config.ts";
import { type Deployment, readDeployment } from "../../api/platform/config/deployment.ts";
import { Environment } from "../../api/platform/config/environment.ts";
import { IndexerEnvironment } from "../processes/indexer-environment.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** The values that can be read, each for itself: one wrong variable must not hide other faults. */
export type Settings = Partial<
  ReturnType<typeof Environment.parse> & ReturnType<typeof IndexerEnvironment.parse>
>;

export function readSettings(environment: EnvironmentVariables): Settings {
  const schemas = { ...IndexerEnvironment.shape, ...Environment.shape };
  const values = Object.entries(schemas).flatMap(([name, schema]) => {
    const text = environment[name];
    const parsed = schema.safeParse(text === "" ? undefined : text);
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return Object.fromEntries(values);
}

/** Whether the processes would accept the environment. */
export function checkSettings(environment: EnvironmentVariables): Finding[] {
  try {
    const { publicUrl, trustedProxies } = readConfig(environment);
    const findings = [ok("The configuration is complete.")];
    if (publicUrl.protocol === "https:" && trustedProxies.length === 0) {
      findings.push(
        warning(
          "PUBLIC_URL is https, which a proxy in front of the API serves, but TRUSTED_PROXIES names no proxy: all clients share one rate limit.",
          "Set TRUSTED_PROXIES to the addresses from which the proxy reaches the API.",
        ),
      );
    }
    findings.push(...trustedProxies.filter(isTooWide).map(tooWide));
    return findings;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) =>
      fault(
        `${problem}.`,
        "Correct it in the environment or in .env; .env.example explains every variable.",
      ),
    );
  }
}

/** Larger than any private network (10.0.0.0/8, fc00::/7): it has clients in it. */
function isTooWide([address, bits]: Network): boolean {
  return bits < (address.kind() === "ipv4" ? 8 : 7);
}

function tooWide([address, bits]: Network): Finding {
  return warning(
    `TRUSTED_PROXIES has ${address}/${bits}, in which clients are too: each can name any address in X-Forwarded-For, so limits by address have no effect.`,
    "Name only the addresses from which the proxy reaches the API.",
  );
}

/** A file with secrets that other accounts of this machine can read. */
export function checkEnvFile(path: string): Finding[] {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || (file.mode & 0o077) === 0) return [];
  return [
    warning(
      `${path} holds secrets, and other accounts of this machine can read it.`,
      `Run chmod 600 ${path}.`,
    ),
  ];
}

/** @returns the deployment, when there is one. */
export async function checkDeployment(
  path: string,
): Promise<{ readonly deployment: Deployment | null; readonly findings: Finding[] }> {
  try {
    const deployment = await readDeployment(path);
    return { deployment, findings: [ok(`${path} names the contracts.`)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((problem) =>
      fault(`${problem}.`, "Set SVC_DEPLOYMENT to the file that npm run deploy wrote."),
    );
    return { deployment: null, findings };
  }
}
