import { LabelName, parser, VectorSelector } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";
import type { MetricSources } from "../../api/platform/metrics/gauges.ts";
import { createMetrics } from "../../api/platform/metrics/metrics.ts";

/** The parts of each runbook, as they begin. */
const RUNBOOK_PARTS = [
  "**What it means.**",
  "**What users notice.**",
  "**How to look.**",
  "**What to do.**",
  "**How to see that it has ended.**",
];

/** Made by Prometheus itself, with the labels of a target. */
const OWN_METRICS = ["up", "ALERTS"];
const TARGET_LABELS = ["instance", "job", "alertname", "alertstate"];

/** The texts of what watches the service. */
export interface WatchingFiles {
  readonly rules: string;
  /** The tests that make faults, and name the alerts that fire. */
  readonly faultTests: string;
  readonly runbooks: string;
  /** docs/operations.md, which describes every metric. */
  readonly operations: string;
  readonly dashboards: readonly { readonly path: string; readonly text: string }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary?: string; readonly runbook?: string };
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/**
 * What is wrong with the alert rules and their runbooks, the tests that make their faults, and the dashboards.
 *
 * @param served What `GET /metrics` answers.
 */
export function watchingProblems(files: WatchingFiles, served: string): string[] {
  const labels = servedLabels(served);
  const rules = (parse(files.rules) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    (group) => group.rules,
  );
  const dashboards = files.dashboards.map(({ path, text }) => ({
    path,
    dashboard: JSON.parse(text) as Dashboard,
  }));
  return [
    ...rules.flatMap(({ alert, expr }) => expressionProblems(`alert ${alert}`, expr, labels)),
    ...rules.flatMap(({ alert, annotations }) => runbookProblems(alert, annotations, files)),
    ...sectionsOf(files.runbooks)
      .filter(({ title }) => !rules.some(({ alert }) => alert === title))
      .map(({ title }) => `docs/runbooks.md has a runbook for ${title}, which is no alert.`),
    ...rules
      .filter(({ alert }) => !files.faultTests.includes(`"${alert}"`))
      .map(({ alert }) => `alert ${alert}: no test makes its fault.`),
    ...dashboards.flatMap(({ path, dashboard }) => dashboardProblems(path, dashboard, labels)),
    ...repeated(dashboards.map(({ dashboard }) => dashboard.uid)).map(
      (uid) => `Two dashboards have the uid ${uid}.`,
    ),
    ...[...labels.keys()]
      .map((name) => name.replace(/_(?:bucket|sum|count)$/, ""))
      .filter((name) => name.startsWith("svc_") && !files.operations.includes(`\`${name}\``))
      .map((name) => `docs/operations.md does not describe ${name}.`),
  ];
}

/** What `/metrics` answers when everything was counted and every source answers. */
export async function servedMetrics(): Promise<string> {
  const metrics = createMetrics();
  metrics.request({ method: "GET", route: "/", status: 200 }, 0);
  metrics.chainCall("eth_call", "answered", 0);
  metrics.job("queue", "done");
  metrics.delivery("delivered");
  metrics.observe(EXAMPLE_SOURCES);
  // The second one shows the failed source of the first.
  await metrics.scrape();
  return (await metrics.scrape()).text;
}

const gas = { all: 1n, strangers: 1n };
const EXAMPLE_SOURCES: MetricSources = {
  indexerLag: () => Promise.reject(new Error("not known")),
  indexFaults: async () => ({ open: 0, passports: 0, rereadBlock: 0n }),
  queueDepth: async () => [{ queue: "queue", state: "waiting", jobs: 1 }],
  queueAges: async () => [{ queue: "queue", seconds: 1 }],
  relayers: async () => [{ account: "0x0", state: "usable", balance: 1n }],
  openTransactions: async () => ({ count: 1, oldestSeconds: 1 }),
  unsettledUploads: async () => 1,
  storageAudit: async () => ({ finishedAt: new Date(), problems: 0 }),
  chainCircuit: () => "closed",
  chainNodes: () => [{ host: "node", standing: "closed", isResting: false, blocksBehind: 0 }],
  chainAnswerAge: () => 0,
  sponsoredGas: async () => ({ used: gas, limit: gas }),
  databasePool: () => ({ totalCount: 1, idleCount: 1, waitingCount: 0 }),
  readReplica: () => ({ isUsable: true }),
  replicas: async () => [{ replica: "replica", lagSeconds: 0 }],
};

/** The labels of every series that is served, by its name. */
function servedLabels(served: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const line of served.split("\n")) {
    // A metric without a series has no labels yet.
    const declared = /^# TYPE (\S+) (?:gauge|counter)$/.exec(line)?.[1];
    const [, name = declared, list = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const known = labels.get(name) ?? new Set<string>();
    for (const [, label = ""] of list.matchAll(/(\w+)="/g)) known.add(label);
    labels.set(name, known);
  }
  for (const name of OWN_METRICS) labels.set(name, new Set());
  return labels;
}

/** An expression that Prometheus would refuse, or that asks for series that /metrics does not have. */
function expressionProblems(
  where: string,
  expr: string,
  labels: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  const asked: { readonly label: string; readonly of: string | null }[] = [];
  let selector: { readonly name: string; readonly end: number } | null = null;
  parser.parse(expr).iterate({
    enter({ type, from, to }) {
      const text = expr.slice(from, to);
      if (type.isError) problems.push(`${where}: "${expr}" is not a valid expression.`);
      if (type.id === VectorSelector) {
        selector = { name: /^[\w:]*/.exec(text)?.[0] ?? "", end: to };
        used.add(selector.name);
      }
      if (type.id === LabelName) {
        const isMatcher = selector !== null && from < selector.end;
        asked.push({ label: text, of: isMatcher ? (selector?.name ?? null) : null });
      }
    },
  });
  for (const name of used) {
    if (!labels.has(name)) problems.push(`${where}: /metrics has no ${name}.`);
  }
  const ofAll = [...used].flatMap((name) => [...(labels.get(name) ?? [])]);
  for (const { label, of } of asked) {
    const known = of === null ? ofAll : [...(labels.get(of) ?? [])];
    if (known.includes(label) || TARGET_LABELS.includes(label)) continue;
    problems.push(`${where}: ${of ?? "every metric of it"} has no label ${label}.`);
  }
  return problems;
}

function runbookProblems(
  alert: string,
  { summary, runbook }: Rule["annotations"],
  { runbooks }: WatchingFiles,
): string[] {
  const expected = `docs/runbooks.md#${alert.toLowerCase()}`;
  const problems: string[] = [];
  if (!summary) problems.push(`alert ${alert}: it has no summary.`);
  if (runbook !== expected) problems.push(`alert ${alert}: its runbook must be ${expected}.`);
  const section = sectionsOf(runbooks).find(({ title }) => title === alert);
  if (section === undefined) return [...problems, `docs/runbooks.md has no section ${alert}.`];
  const missing = RUNBOOK_PARTS.filter((part) => !section.text.includes(part));
  return [
    ...problems,
    ...missing.map(
      (part) => `docs/runbooks.md, ${alert}: the part "${part.replaceAll("*", "")}" is missing.`,
    ),
  ];
}

/** The runbooks, by their headings of the third level. */
function sectionsOf(runbooks: string): { title: string; text: string }[] {
  return runbooks
    .split(/^### /m)
    .slice(1)
    .map((text) => ({ title: text.split("\n", 1)[0] ?? "", text }));
}

function dashboardProblems(
  path: string,
  { panels }: Dashboard,
  labels: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return [
    ...panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) => expressionProblems(`${path}, ${title}`, expr, labels)),
    ),
    ...repeated(panels.map(({ id }) => id)).map((id) => `${path}: two panels have the id ${id}.`),
  ];
}

function repeated<Value>(values: readonly Value[]): Value[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
