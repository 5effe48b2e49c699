import type { EnvironmentVariables } from "../../api/platform/config/config.ts";
import { helpText, readArguments, UsageError } from "../lib/usage.ts";
import { ENV_FILE } from "../processes/environment.ts";
import { checkHeads, checkNode, checkSocket, connectChain } from "./chain.ts";
import { addressOf, checkContracts, checkRelayer } from "./contracts.ts";
import { checkDatabase } from "./database.ts";
import { type Finding, fault } from "./finding.ts";
import { checkMail, checkRedis, checkTraces } from "./neighbours.ts";
import { checkPorts } from "./ports.ts";
import { checkDeployment, checkEnvFile, checkSettings, readSettings } from "./settings.ts";
import { checkStorage } from "./storage.ts";

export interface DoctorParts {
  readonly environment: EnvironmentVariables;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

type Area = "settings" | "database" | "chain" | "relayer" | "storage" | "neighbours";
type Report = readonly (Finding & { readonly area: Area })[];

/** Runs the command. @returns its exit status. */
export async function doctorCommand(
  args: readonly string[],
  { environment, print, complain }: DoctorParts,
): Promise<number> {
  try {
    const { values } = readArguments({
      args: [...args],
      options: {
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      print(helpText("doctor"));
      return 0;
    }
    const report = await examine(environment);
    print(values.json ? `${JSON.stringify({ findings: report }, null, 2)}\n` : written(report));
    return report.some(({ level }) => level === "fault") ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message}. See --help.\n`);
    return 2;
  }
}

async function examine(environment: EnvironmentVariables): Promise<Report> {
  const settings = readSettings(environment);
  const { deployment, findings: deploymentFindings } =
    settings.SVC_DEPLOYMENT === undefined
      ? { deployment: null, findings: [] }
      : await checkDeployment(settings.SVC_DEPLOYMENT);
  const inArea = (area: Area, findings: readonly Finding[]): Report =>
    findings.map((finding) => ({ area, ...finding }));

  const chain = async (): Promise<Report> => {
    if (settings.RPC_URL === undefined) return [];
    const nodes = await Promise.all(
      settings.RPC_URL.map(async (url) => {
        const client = connectChain(url);
        const { host } = new URL(url);
        return { client, host, ...(await checkNode(client, deployment, host)) };
      }),
    );
    const report = nodes.flatMap(({ findings }) => inArea("chain", findings));
    const usable = nodes.filter(({ isUsable }) => isUsable);
    report.push(...inArea("chain", await checkHeads(usable)));
    const client = usable[0]?.client;
    if (client === undefined || deployment === null) return report;
    const contracts = await checkContracts(client, deployment);
    report.push(...inArea("chain", contracts));
    const { RELAYER_PRIVATE_KEY: key, STORAGE_PRIVATE_KEY: storage } = settings;
    // Roles are not asked of contracts that are not there.
    if (key === undefined || contracts.some(({ level }) => level === "fault")) return report;
    const keys = {
      relayer: addressOf(key),
      further: (settings.RELAYER_PRIVATE_KEYS ?? []).map(addressOf),
      storage: storage && addressOf(storage),
    };
    return [...report, ...inArea("relayer", await checkRelayer(client, deployment, keys))];
  };

  const parts = await Promise.all([
    inArea("settings", [...checkSettings(environment), ...checkEnvFile(ENV_FILE)]),
    inArea("settings", deploymentFindings),
    settle("database", async () =>
      inArea("database", await checkDatabase({ settings, deployment })),
    ),
    settle("chain", chain),
    settle("chain", async () => inArea("chain", await checkSocket(settings, deployment))),
    settle("storage", async () => inArea("storage", await checkStorage(settings))),
    settle("neighbours", async () => inArea("neighbours", await checkRedis(settings))),
    settle("neighbours", async () => inArea("neighbours", await checkMail(settings))),
    settle("neighbours", async () => inArea("neighbours", await checkTraces(settings))),
    settle("neighbours", async () => inArea("neighbours", await checkPorts(settings, deployment))),
  ]);
  return parts.flat();
}

/** A check that fails itself is a fault too: nothing is known of its area. */
async function settle(area: Area, check: () => Promise<Report>): Promise<Report> {
  try {
    return await check();
  } catch (error) {
    const what = `The check did not end: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`;
    return [{ area, ...fault(what, "Mend what the message names, and run the command again.") }];
  }
}

const MARKS = { ok: "ok      ", warning: "WARNING ", fault: "FAULT   " } as const;

function written(report: Report): string {
  const lines = report.map((finding) => {
    const line = `${MARKS[finding.level]} ${finding.what}`;
    return finding.level === "ok" ? line : `${line}\n          ${finding.remedy}`;
  });
  const count = (level: Finding["level"]) => report.filter((one) => one.level === level).length;
  const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  lines.push("", `${plural(count("fault"), "fault")}, ${plural(count("warning"), "warning")}.`);
  return `${lines.join("\n")}\n`;
}
