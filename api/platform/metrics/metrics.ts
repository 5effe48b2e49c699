import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { bounded } from "../../kernel/bounded.ts";
import type { CircuitStanding } from "../chain/circuit.ts";
import type { NodeState } from "../chain/nodes.ts";

const CIRCUIT_STANDINGS: readonly CircuitStanding[] = ["closed", "open", "half-open"];

export type ChainCallOutcome = "answered" | "refused" | "failed";

/** The sources of the gauges, read at each scrape. */
export interface MetricSources {
  /** Blocks between the chain's head and the index. */
  readonly indexerLag: () => Promise<number>;
  readonly queueDepth: () => Promise<
    readonly { readonly queue: string; readonly state: string; readonly jobs: number }[]
  >;
  /** Wei of the account that pays for transactions. */
  readonly relayerBalance: () => Promise<bigint>;
  /** Uploads that were begun and have no known end. */
  readonly unsettledUploads: () => Promise<number>;
  /** State of the circuit breaker in api/platform/chain/circuit.ts. */
  readonly chainCircuit: () => CircuitStanding;
  readonly chainNodes: () => readonly NodeState[];
  /** Today's gas: reserved, and the limit. */
  readonly sponsoredGas: () => Promise<{
    readonly used: GasByShare;
    readonly limit: GasByShare;
  }>;
  readonly databasePool: () => {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
  };
}

export interface GasByShare {
  /** Of all callers together. */
  readonly all: bigint;
  readonly strangers: bigint;
}

export interface Metrics {
  /** `route` is a route's pattern, never a path: what callers send is no label. */
  request(of: { method: string; route: string; status: number }, seconds: number): void;
  chainCall(method: string, outcome: ChainCallOutcome, seconds: number): void;
  job(name: string, outcome: "done" | "failed"): void;
  /** One try to deliver an event to a webhook. `outcome` must be one of a few words. */
  delivery(outcome: string): void;
  /** A transaction that the service does not pay for today. `reason` must be one of a few words. */
  gasRefused(reason: string): void;
  /** One try to hand an item to the bundler. `outcome` must be one of a few words. */
  upload(outcome: string): void;
  /** One read from a gateway, by its host, or from the service's own copies. `outcome` as above. */
  storageRead(source: string, outcome: string): void;
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

/** Longest wait for one source, in milliseconds. */
const SOURCE_MS = 2_000;
/** The balance changes slowly, and a node may charge for each question. */
const BALANCE_KEPT_MS = 30_000;
const WEI_PER_ETHER = 1e18;

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
  const failures = new Counter({
    name: "svc_metric_failures_total",
    help: "Times that a gauge could not be read, and was left out.",
    labelNames: ["metric"],
    registers,
  });

  /** A gauge that `read` fills at each scrape; empty when it fails. */
  function gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (gauge: Gauge<Label>) => Promise<void> | void,
  ): void {
    new Gauge<Label>({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        // A gauge without labels is 0 after a reset, which would be wrong.
        if (labelNames.length === 0) this.remove();
        try {
          await bounded(
            SOURCE_MS,
            async () => read(this),
            () => new Error("too late"),
          );
        } catch {
          failures.inc({ metric: name });
        }
      },
    });
  }

  return {
    request({ method, route, status }, seconds) {
      requests.observe(
        { method: METHODS.has(method) ? method : "OTHER", route, status: String(status) },
        seconds,
      );
    },
    chainCall: (method, outcome, seconds) => chainCalls.observe({ method, outcome }, seconds),
    job: (queue, outcome) => jobs.inc({ queue, outcome }),
    delivery: (outcome) => deliveries.inc({ outcome }),
    gasRefused: (reason) => gasRefusals.inc({ reason }),

    upload: (outcome) => uploads.inc({ outcome }),
    storageRead: (source, outcome) => storageReads.inc({ source, outcome }),

    observe({
      indexerLag,
      queueDepth,
      relayerBalance,
      unsettledUploads,
      databasePool,
      chainCircuit,
      chainNodes,
      ...sources
    }) {
      gauge(
        "svc_chain_circuit",
        "State of the circuit breaker before the chain's node: 1 for the present one.",
        ["state"],
        (it) => {
          const standing = chainCircuit();
          for (const state of CIRCUIT_STANDINGS) it.set({ state }, state === standing ? 1 : 0);
        },
      );
      gauge(
        "svc_chain_node_usable",
        "Whether a node is asked: its circuit is closed, and it has not asked for a pause.",
        ["node"],
        (it) => {
          for (const { host, standing, isResting } of chainNodes()) {
            it.set({ node: host }, standing === "closed" && !isResting ? 1 : 0);
          }
        },
      );
      gauge(
        "svc_chain_node_blocks_behind",
        "Blocks by which a node's head is behind the newest of all nodes.",
        ["node"],
        (it) => {
          for (const { host, blocksBehind } of chainNodes()) {
            if (blocksBehind !== null) it.set({ node: host }, blocksBehind);
          }
        },
      );
      gauge(
        "svc_indexer_lag_blocks",
        "Blocks between the chain's head and the index.",
        [],
        async (it) => it.set(await indexerLag()),
      );
      gauge(
        "svc_queue_jobs",
        "Jobs in the queue, by kind and state; of dead-letters each one wants looking after.",
        ["queue", "state"],
        async (it) => {
          for (const { queue, state, jobs: count } of await queueDepth()) {
            it.set({ queue, state }, count);
          }
        },
      );
      const balance = cached(BALANCE_KEPT_MS, relayerBalance);
      gauge(
        "svc_relayer_balance_ether",
        "What the account that pays for transactions has left.",
        [],
        async (it) => it.set(Number(await balance()) / WEI_PER_ETHER),
      );
      gauge(
        "svc_storage_unsettled_uploads",
        "Uploads that were begun and have no known end.",
        [],
        async (it) => it.set(await unsettledUploads()),
      );
      for (const kind of ["used", "limit"] as const) {
        gauge(`svc_sponsored_gas_${kind}`, GAS_HELP[kind], ["share"], async (it) => {
          const gas = (await sources.sponsoredGas())[kind];
          it.set({ share: "all" }, Number(gas.all));
          it.set({ share: "strangers" }, Number(gas.strangers));
        });
      }
      gauge(
        "svc_database_connections",
        "Connections of this process's pool, and requests that wait for one.",
        ["state"],
        (it) => {
          const { totalCount, idleCount, waitingCount } = databasePool();
          it.set({ state: "busy" }, totalCount - idleCount);
          it.set({ state: "idle" }, idleCount);
          it.set({ state: "waiting" }, waitingCount);
        },
      );
    },

    async scrape() {
      return { contentType: register.contentType, text: await register.metrics() };
    },
  };
}

const GAS_HELP = {
  used: "Gas set aside today (UTC) for transactions that the service pays for.",
  limit: "Gas that the service pays for in a day: in all, and for owners without a sealed agent.",
} as const;

/** What `read` answered last, if that is not too long ago. A failure is not kept. */
function cached<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly value: T; readonly at: number } | undefined;
  return async () => {
    if (last === undefined || performance.now() - last.at > ms) {
      last = { value: await read(), at: performance.now() };
    }
    return last.value;
  };
}
