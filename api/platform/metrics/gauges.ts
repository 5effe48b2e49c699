import { type Counter, Gauge, type Registry } from "prom-client";
import { bounded } from "../../kernel/bounded.ts";
import type { CircuitStanding } from "../chain/circuit.ts";
import { LANE_STATES, type LaneState } from "../chain/lanes/standing.ts";
import type { NodeState } from "../chain/nodes.ts";

const CIRCUIT_STANDINGS: readonly CircuitStanding[] = ["closed", "open", "half-open"];

/** The sources of the gauges, read at each scrape. */
export interface MetricSources {
  /** Blocks between the chain's head and the index. */
  readonly indexerLag: () => Promise<number>;
  /** Open faults of the index, passports that it has otherwise than the contracts, and the last block that was read twice. */
  readonly indexFaults: () => Promise<{
    readonly open: number;
    readonly passports: number;
    readonly rereadBlock: bigint | null;
  }>;
  readonly queueDepth: () => Promise<
    readonly { readonly queue: string; readonly state: string; readonly jobs: number }[]
  >;
  /** For each queue, how long its oldest due job has waited, in seconds; 0 without one. */
  readonly queueAges: () => Promise<
    readonly { readonly queue: string; readonly seconds: number }[]
  >;
  /** The accounts that pay for transactions, the registrar's first. */
  readonly relayers: () => Promise<
    readonly {
      readonly account: string;
      readonly state: LaneState;
      /** In wei; null while it is not known. */
      readonly balance: bigint | null;
    }[]
  >;
  /** Signed transactions that are not mined yet. */
  readonly openTransactions: () => Promise<{
    readonly count: number;
    /** Seconds since the oldest one was signed; 0 without one. */
    readonly oldestSeconds: number;
  }>;
  /** Uploads that were begun and have no known end. */
  readonly unsettledUploads: () => Promise<number>;
  /** The last finished audit of permanent storage; null before the first one. */
  readonly storageAudit: () => Promise<{
    readonly finishedAt: Date;
    readonly problems: number;
  } | null>;
  /** State of the circuit breaker in api/platform/chain/circuit.ts. */
  readonly chainCircuit: () => CircuitStanding;
  readonly chainNodes: () => readonly NodeState[];
  /** Milliseconds since a node last answered with a result. */
  readonly chainAnswerAge: () => number;
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
  /** The replica that answers reads; null without one. */
  readonly readReplica: () => { readonly isUsable: boolean } | null;
  /** Replicas that stream from PostgreSQL, by their name; the lag is null while it is unknown. */
  readonly replicas: () => Promise<
    readonly { readonly replica: string; readonly lagSeconds: number | null }[]
  >;
}

interface GasByShare {
  /** Of all callers together. */
  readonly all: bigint;
  readonly strangers: bigint;
}

/** Longest wait for one source, in milliseconds. */
const SOURCE_MS = 2_000;
/** Several readers of `/metrics` cost PostgreSQL no more than one. */
const QUERIED_KEPT_MS = 5_000;
const WEI_PER_ETHER = 1e18;

/** Adds a gauge that `read` fills at each scrape; it is empty when that fails. */
type AddGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  read: (gauge: Gauge<Label>) => Promise<void> | void,
) => void;

/**
 * Adds every gauge to a registry.
 *
 * @param failures Counts the gauges that could not be read, by `metric`.
 */
export function addGauges(
  register: Registry,
  failures: Counter<"metric">,
  sources: MetricSources,
): void {
  const add: AddGauge = (name, help, labelNames, read) => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [register],
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
  };
  addChainGauges(add, sources);
  addRelayerGauges(add, sources);
  addQueueGauges(add, sources);
  addStorageGauges(add, sources);
  addDatabaseGauges(add, sources);
}

function addChainGauges(add: AddGauge, sources: MetricSources) {
  const { chainAnswerAge, chainCircuit, chainNodes, indexerLag, indexFaults } = sources;
  add(
    "svc_chain_circuit",
    "State of the circuit breaker before the chain's node: 1 for the present one.",
    ["state"],
    (it) => {
      const standing = chainCircuit();
      for (const state of CIRCUIT_STANDINGS) it.set({ state }, state === standing ? 1 : 0);
    },
  );
  add(
    "svc_chain_answer_age_seconds",
    "Time since a node of the right chain last answered with a result.",
    [],
    (it) => it.set(chainAnswerAge() / 1000),
  );
  add(
    "svc_chain_node_usable",
    "Whether a node is asked: its circuit is closed, and it has not asked for a pause.",
    ["node"],
    (it) => {
      for (const { host, standing, isResting } of chainNodes()) {
        it.set({ node: host }, standing === "closed" && !isResting ? 1 : 0);
      }
    },
  );
  add(
    "svc_chain_node_blocks_behind",
    "Blocks by which a node's head is behind the newest of all nodes.",
    ["node"],
    (it) => {
      for (const { host, blocksBehind } of chainNodes()) {
        if (blocksBehind !== null) it.set({ node: host }, blocksBehind);
      }
    },
  );
  add("svc_indexer_lag_blocks", "Blocks between the chain's head and the index.", [], async (it) =>
    it.set(await indexerLag()),
  );
  const faults = cached(QUERIED_KEPT_MS, indexFaults);
  add(
    "svc_index_faults",
    "Ranges of blocks that the index has wrong, and that are not read again yet.",
    [],
    async (it) => it.set((await faults()).open),
  );
  add(
    "svc_index_passports_different",
    "Passports that the index has otherwise than the contracts. They are answered from the chain.",
    [],
    async (it) => it.set((await faults()).passports),
  );
  add(
    "svc_index_reread_block",
    "The last block that the indexer has read a second time; absent before the first.",
    [],
    async (it) => {
      const { rereadBlock } = await faults();
      if (rereadBlock !== null) it.set(Number(rereadBlock));
    },
  );
}

function addRelayerGauges(add: AddGauge, sources: MetricSources) {
  add(
    "svc_relayer_balance_ether",
    "What an account that pays for transactions has left.",
    ["account"],
    async (it) => {
      for (const { account, balance } of await sources.relayers()) {
        if (balance !== null) it.set({ account }, Number(balance) / WEI_PER_ETHER);
      }
    },
  );
  add(
    "svc_relayer_state",
    "Whether an account can send transactions: 1 for its present state.",
    ["account", "state"],
    async (it) => {
      for (const { account, state: present } of await sources.relayers()) {
        for (const state of LANE_STATES) it.set({ account, state }, state === present ? 1 : 0);
      }
    },
  );
  const open = cached(QUERIED_KEPT_MS, sources.openTransactions);
  add(
    "svc_relayer_open_transactions",
    "Signed transactions that are not mined yet.",
    [],
    async (it) => it.set((await open()).count),
  );
  add(
    "svc_relayer_oldest_open_transaction_seconds",
    "Time since the oldest transaction that is not mined yet was signed; 0 without one.",
    [],
    async (it) => it.set((await open()).oldestSeconds),
  );
  const gas = cached(QUERIED_KEPT_MS, sources.sponsoredGas);
  for (const kind of ["used", "limit"] as const) {
    add(`svc_sponsored_gas_${kind}`, GAS_HELP[kind], ["share"], async (it) => {
      const shares = (await gas())[kind];
      it.set({ share: "all" }, Number(shares.all));
      it.set({ share: "strangers" }, Number(shares.strangers));
    });
  }
}

function addQueueGauges(add: AddGauge, sources: MetricSources) {
  const depth = cached(QUERIED_KEPT_MS, sources.queueDepth);
  add(
    "svc_queue_jobs",
    "Jobs in the queue, by kind and state; of dead-letters each one wants looking after.",
    ["queue", "state"],
    async (it) => {
      for (const { queue, state, jobs: count } of await depth()) it.set({ queue, state }, count);
    },
  );
  const ages = cached(QUERIED_KEPT_MS, sources.queueAges);
  add(
    "svc_queue_oldest_waiting_seconds",
    "How long the oldest job that is due has waited for a worker, by kind; 0 without one.",
    ["queue"],
    async (it) => {
      for (const { queue, seconds } of await ages()) it.set({ queue }, seconds);
    },
  );
}

function addStorageGauges(add: AddGauge, sources: MetricSources) {
  const unsettled = cached(QUERIED_KEPT_MS, sources.unsettledUploads);
  add(
    "svc_storage_unsettled_uploads",
    "Uploads that were begun and have no known end.",
    [],
    async (it) => it.set(await unsettled()),
  );
  const audit = cached(QUERIED_KEPT_MS, sources.storageAudit);
  add(
    "svc_storage_audit_finished_timestamp_seconds",
    "When the last audit of permanent storage ended, in Unix seconds; absent before the first one.",
    [],
    async (it) => {
      const last = await audit();
      if (last !== null) it.set(last.finishedAt.getTime() / 1000);
    },
  );
  add(
    "svc_storage_audit_problems",
    "Problems that the last audit of permanent storage found; absent before the first one.",
    [],
    async (it) => {
      const last = await audit();
      if (last !== null) it.set(last.problems);
    },
  );
}

function addDatabaseGauges(add: AddGauge, sources: MetricSources) {
  add(
    "svc_database_connections",
    "Connections of this process's pool, and requests that wait for one.",
    ["state"],
    (it) => {
      const { totalCount, idleCount, waitingCount } = sources.databasePool();
      it.set({ state: "busy" }, totalCount - idleCount);
      it.set({ state: "idle" }, idleCount);
      it.set({ state: "waiting" }, waitingCount);
    },
  );
  add(
    "svc_database_replica_usable",
    "Whether reads go to the replica of DATABASE_READ_URL; absent without one.",
    [],
    (it) => {
      const replica = sources.readReplica();
      if (replica !== null) it.set(replica.isUsable ? 1 : 0);
    },
  );
  const replicas = cached(QUERIED_KEPT_MS, sources.replicas);
  add("svc_database_replicas", "Replicas that stream from PostgreSQL.", [], async (it) =>
    it.set((await replicas()).length),
  );
  add(
    "svc_database_replication_lag_seconds",
    "Time by which a replica shows writes later than PostgreSQL, by the replica's name.",
    ["replica"],
    async (it) => {
      for (const { replica, lagSeconds } of await replicas()) {
        if (lagSeconds !== null) it.set({ replica }, lagSeconds);
      }
    },
  );
}

const GAS_HELP = {
  used: "Gas set aside today (UTC) for transactions that the service pays for.",
  limit: "Gas that the service pays for in a day: in all, and for strangers.",
} as const;

/** The last value of `read`, if it is recent enough. Concurrent readers share one read. A failure is not kept. */
function cached<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly value: Promise<T>; readonly at: number } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > ms) {
      const current = { value: read(), at: performance.now() };
      last = current;
      current.value.catch(() => {
        if (last === current) last = undefined;
      });
    }
    return last.value;
  };
}
