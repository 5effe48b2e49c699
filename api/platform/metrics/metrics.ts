import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { SPONSORSHIP_REFUSALS, type SponsorshipRefusal } from "../sponsorship/gas-budget.store.ts";
import { UPLOAD_FAILURES } from "../storage/items.ts";
import { addGauges, type MetricSources } from "./gauges.ts";

export type ChainCallOutcome = "answered" | "refused" | "failed";

export interface Metrics {
  /** `route` is a route's pattern, never a path: what callers send is no label. */
  request(of: { method: string; route: string; status: number }, seconds: number): void;
  /** An answer that may be kept: sent again, or built. `outcome` must be one of a few words. */
  keptAnswer(outcome: string): void;
  chainCall(method: string, outcome: ChainCallOutcome, seconds: number): void;
  job(name: string, outcome: "done" | "failed"): void;
  /** One try to deliver an event to a webhook. `outcome` must be one of a few words. */
  delivery(outcome: string): void;
  /** A transaction that the service does not pay for today. */
  gasRefused(reason: SponsorshipRefusal): void;
  /** One try to hand an item to the bundler. `outcome` must be one of a few words. */
  upload(outcome: string): void;
  /** One read from a gateway, by its host, or from the service's own copies. `outcome` as above. */
  storageRead(source: string, outcome: string): void;
  /** Spans that were handed to the trace collector. */
  spans(outcome: "sent" | "failed", count: number): void;
  /** Adds the gauges. */
  observe(sources: MetricSources): void;
  /**
   * Everything in Prometheus's text format. A source that does not answer in time is left out and
   * counted.
   */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** From a cached answer to a registration that waits for its block. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Node takes several dozen methods, and a caller could make a series of each. */
const METHODS: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
]);

/** The process's own numbers, for operators. */
export function createMetrics(): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];

  const requests = new Histogram({
    name: "svc_http_request_seconds",
    help: "Time to answer a request, by route pattern and status.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const keptAnswers = new Counter({
    name: "svc_kept_answers_total",
    help: "Answers that are made from the database alone, by whether a kept one was sent.",
    labelNames: ["outcome"],
    registers,
  });
  const chainCalls = new Histogram({
    name: "svc_chain_call_seconds",
    help: "Time to an answer of the node, by JSON-RPC method: answered, refused (a revert), or failed (no answer).",
    labelNames: ["method", "outcome"],
    buckets: SECONDS,
    registers,
  });
  const jobs = new Counter({
    name: "svc_jobs_total",
    help: "Tries of jobs that ended in this process.",
    labelNames: ["queue", "outcome"],
    registers,
  });
  const deliveries = new Counter({
    name: "svc_deliveries_total",
    help: "Tries to deliver an event to a webhook.",
    labelNames: ["outcome"],
    registers,
  });
  const gasRefusals = new Counter({
    name: "svc_sponsored_gas_refused_total",
    help: "Transactions that the service refused to pay for, by the share or quota that was used up.",
    labelNames: ["reason"],
    registers,
  });
  const uploads = new Counter({
    name: "svc_storage_uploads_total",
    help: "Tries to hand an item to the bundler.",
    labelNames: ["outcome"],
    registers,
  });
  const storageReads = new Counter({
    name: "svc_storage_reads_total",
    help: "Reads of stored items, from the service's own copies and from each gateway.",
    labelNames: ["source", "outcome"],
    registers,
  });
  const spans = new Counter({
    name: "svc_trace_spans_total",
    help: "Spans that the trace collector took (sent), or did not take (failed).",
    labelNames: ["outcome"],
    registers,
  });
  const failures = new Counter({
    name: "svc_metric_failures_total",
    help: "Times that a gauge could not be read, and was left out.",
    labelNames: ["metric"],
    registers,
  });

  // Prometheus sees no increase when a series begins with 1: the words that alerts ask for begin
  // with 0.
  for (const reason of SPONSORSHIP_REFUSALS) gasRefusals.inc({ reason }, 0);
  for (const outcome of UPLOAD_FAILURES) uploads.inc({ outcome }, 0);
  storageReads.inc({ source: "copy", outcome: "altered" }, 0);
  spans.inc({ outcome: "failed" }, 0);

  return {
    request({ method, route, status }, seconds) {
      requests.observe(
        { method: METHODS.has(method) ? method : "OTHER", route, status: String(status) },
        seconds,
      );
    },
    keptAnswer: (outcome) => keptAnswers.inc({ outcome }),
    chainCall: (method, outcome, seconds) => chainCalls.observe({ method, outcome }, seconds),
    job: (queue, outcome) => jobs.inc({ queue, outcome }),
    delivery: (outcome) => deliveries.inc({ outcome }),
    gasRefused: (reason) => gasRefusals.inc({ reason }),

    upload: (outcome) => uploads.inc({ outcome }),
    storageRead: (source, outcome) => storageReads.inc({ source, outcome }),

    spans: (outcome, count) => spans.inc({ outcome }, count),

    observe: (sources) => addGauges(register, failures, sources),

    async scrape() {
      return { contentType: register.contentType, text: await register.metrics() };
    },
  };
}
