import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ROOT } from "../lib/artifacts.ts";
import { answersOk } from "../local-stack/answers.ts";
import { freePorts } from "../local-stack/ports.ts";
import { inheritedEnvironment } from "../local-stack/processes.ts";
import { processPart } from "./parts.ts";

const SCRAPE_S = 5;
/** Longest time until an alert fires whose fault lasts. */
const FIRED_MS = 240_000;

/** What Prometheus says of the shipped rules. */
export interface Alerts {
  /** Waits until all of them fire. Resolves at once without Prometheus. */
  fired(names: readonly string[]): Promise<void>;
  /** Every alert that has fired so far; null without Prometheus. */
  all(): Promise<readonly string[] | null>;
  stop(): Promise<void>;
}

/** Runs Prometheus with the shipped rules over these addresses of /metrics, where it is installed. */
export async function watchAlerts(directory: string, targets: readonly string[]): Promise<Alerts> {
  if (targets.length === 0 || spawnSync("prometheus", ["--version"]).status !== 0) {
    return { fired: async () => {}, all: async () => null, stop: async () => {} };
  }
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const home = join(directory, "prometheus");
  mkdirSync(home, { recursive: true });
  const settings = join(home, "prometheus.yml");
  writeFileSync(settings, settingsFor(targets));
  const part = processPart(
    () => ({
      name: "prometheus",
      program: "prometheus",
      args: [
        `--config.file=${settings}`,
        `--storage.tsdb.path=${join(home, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      cwd: home,
      environment: inheritedEnvironment(),
      logFile: join(directory, "logs", "prometheus.log"),
      stopSignal: "SIGTERM",
      graceMs: 10_000,
    }),
    () => answersOk(`${url}/-/ready`),
  );
  await part.start();

  async function all(): Promise<readonly string[]> {
    const query = 'group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[1d]))';
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
    const { data } = (await response.json()) as {
      readonly data: {
        readonly result: readonly { readonly metric: { readonly alertname: string } }[];
      };
    };
    return data.result.map(({ metric }) => metric.alertname).sort();
  }
  return {
    all,
    async fired(names) {
      const until = performance.now() + FIRED_MS;
      const missing = async () => {
        const known = new Set(await all());
        return names.some((name) => !known.has(name));
      };
      // What has not fired by then is missing in the table at the end.
      while ((await missing()) && performance.now() < until) await delay(SCRAPE_S * 1_000);
    },
    stop: part.stop,
  };
}

function settingsFor(targets: readonly string[]): string {
  return `global:
  scrape_interval: ${SCRAPE_S}s
  evaluation_interval: ${SCRAPE_S}s
rule_files: ["${join(ROOT, "deploy/prometheus/alerts.yml")}"]
scrape_configs:
  - job_name: agent-identity
    static_configs:
      - targets: [${targets.map((target) => `"${new URL(target).host}"`).join(", ")}]
`;
}
