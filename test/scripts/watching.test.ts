import { expect, it } from "vitest";
import { servedMetrics, watchingProblems } from "../../scripts/checks/watching.ts";

const PARTS = [
  "What it means",
  "What users notice",
  "How to look",
  "What to do",
  "How to see that it has ended",
];
const served = await servedMetrics();
const metricNames = new Set(
  [...served.matchAll(/^# TYPE (svc_\w+)/gm)].map(([, name]) => `\`${name}\``),
);

/** Files in which one alert and one panel ask for `expr`. */
const filesWith = (expr: string) => ({
  rules: JSON.stringify({
    groups: [
      {
        rules: [
          {
            alert: "Late",
            expr,
            annotations: { summary: "It is late.", runbook: "docs/runbooks.md#late" },
          },
        ],
      },
    ],
  }),
  faultTests: 'expect(await alerts()).toEqual(["Late"]);',
  runbooks: `### Late\n\n${PARTS.map((part) => `- **${part}.** Text.`).join("\n")}\n`,
  operations: [...metricNames].join(" "),
  dashboards: [
    {
      path: "one.json",
      text: JSON.stringify({
        uid: "one",
        panels: [{ id: 1, title: "Lag", targets: [{ expr }] }],
      }),
    },
  ],
});
const good = filesWith('max by (queue) (svc_queue_jobs{state="waiting"}) > 5');

/** The problems of the alert; the panel has the same. */
const alertProblems = (expr: string) =>
  watchingProblems(filesWith(expr), served).filter((line) => line.startsWith("alert "));

it("accepts rules and panels whose metrics and labels are served", () => {
  expect(watchingProblems(good, served)).toEqual([]);
  expect(alertProblems('sum by (instance) (up{job="a"}) == 0')).toEqual([]);
  expect(
    alertProblems(
      "histogram_quantile(0.9, sum by (le, route) (rate(svc_http_request_seconds_bucket[5m])))",
    ),
  ).toEqual([]);
});

it.each([
  ["svc_queue_job > 1", "alert Late: /metrics has no svc_queue_job."],
  ["svc_http_request_seconds > 1", "alert Late: /metrics has no svc_http_request_seconds."],
  ['svc_queue_jobs{name="a"} > 1', "alert Late: svc_queue_jobs has no label name."],
  ["sum by (kind) (svc_queue_jobs) > 1", "alert Late: every metric of it has no label kind."],
  ["sum(svc_queue_jobs", 'alert Late: "sum(svc_queue_jobs" is not a valid expression.'],
])("refuses %s", (expr, problem) => {
  expect(alertProblems(expr)).toEqual([problem]);
  expect(watchingProblems(filesWith(expr), served)).toContain(
    problem.replace("alert Late", "one.json, Lag"),
  );
});

it("wants a runbook with every part for each alert, and no other", () => {
  const problemsWith = (runbooks: string) => watchingProblems({ ...good, runbooks }, served);
  expect(problemsWith("")).toEqual(["docs/runbooks.md has no section Late."]);
  expect(problemsWith(good.runbooks.replace("**How to look.**", "Look:"))).toEqual([
    'docs/runbooks.md, Late: the part "How to look." is missing.',
  ]);
  expect(problemsWith(`${good.runbooks}\n### Early\n`)).toEqual([
    "docs/runbooks.md has a runbook for Early, which is no alert.",
  ]);
  const rules = good.rules.replace("#late", "#early").replace("It is late.", "");
  expect(watchingProblems({ ...good, rules }, served)).toEqual([
    "alert Late: it has no summary.",
    "alert Late: its runbook must be docs/runbooks.md#late.",
  ]);
});

it("wants a test that makes the fault of each alert", () => {
  const faultTests = 'expect(await alerts()).toEqual(["Early"]);';
  expect(watchingProblems({ ...good, faultTests }, served)).toEqual([
    "alert Late: no test makes its fault.",
  ]);
});

it("wants every metric of the service to be described, and dashboards to be distinct", () => {
  const operations = good.operations.replace("`svc_jobs_total`", "");
  expect(watchingProblems({ ...good, operations }, served)).toEqual([
    "docs/operations.md does not describe svc_jobs_total.",
  ]);
  const dashboards = [...good.dashboards, ...good.dashboards];
  expect(watchingProblems({ ...good, dashboards }, served)).toEqual([
    "Two dashboards have the uid one.",
  ]);
});
