import { describe, expect, it, vi } from "vitest";
import { createOperatorsApp } from "../../../../api/app.ts";
import type { MetricSources } from "../../../../api/platform/metrics/gauges.ts";
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import { testApp, testDeps } from "../../helpers.ts";

const TOKEN = "a-token-of-twenty-four-characters";

/** A request as it arrives over a connection from `address`. */
const from = (address: string) => ({
  incoming: { socket: { remoteAddress: address, remotePort: 1, remoteFamily: "IPv4" } },
});

const sources: MetricSources = {
  indexerLag: async () => 3,
  queueDepth: async () => [{ queue: "test.once", state: "waiting", jobs: 2 }],
  queueAges: async () => [{ queue: "test.once", seconds: 12.5 }],
  openTransactions: async () => ({ count: 2, oldestSeconds: 40 }),
  indexFaults: async () => ({ open: 2, passports: 7, rereadBlock: 9n }),
  storageAudit: async () => ({ finishedAt: new Date(1_700_000_000_000), problems: 6 }),
  readReplica: () => ({ isUsable: true }),
  replicas: async () => [
    { replica: "near", lagSeconds: 0.25 },
    { replica: "new", lagSeconds: null },
  ],
  relayers: async () => [
    { account: "0xA", state: "usable" as const, balance: 1_500_000_000_000_000_000n },
    { account: "0xB", state: "unknown" as const, balance: null },
  ],
  unsettledUploads: async () => 4,
  sponsoredGas: async () => ({
    used: { all: 7n, strangers: 5n },
    limit: { all: 100n, strangers: 75n },
  }),
  databasePool: () => ({ totalCount: 5, idleCount: 2, waitingCount: 1 }),
  chainCircuit: () => "closed" as const,
  chainAnswerAge: () => 2_500,
  chainNodes: () => [
    { host: "one.example", standing: "closed" as const, isResting: false, blocksBehind: 0 },
    { host: "two.example", standing: "open" as const, isResting: false, blocksBehind: null },
  ],
};

/** The samples whose names begin with `prefix`. */
async function samples(metrics: ReturnType<typeof createMetrics>, prefix: string) {
  const { text } = await metrics.scrape();
  return text.split("\n").filter((line) => line.startsWith(prefix));
}

describe("GET /metrics", () => {
  const status = async (
    init: RequestInit,
    address: string | undefined,
    metricsToken: string | undefined,
  ) => {
    const app = testApp({ metricsToken });
    return (await app.request("/metrics", init, address && from(address))).status;
  };

  it.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])(
    "answers %s when there is no token",
    async (address) => {
      expect(await status({}, address, undefined)).toBe(200);
    },
  );

  it.each([
    ["Prometheus", { "X-Prometheus-Scrape-Timeout-Seconds": "10", "Accept-Encoding": "gzip" }],
    ["curl", { Accept: "*/*", "User-Agent": "curl/8" }],
    [
      "a browser",
      { "Sec-Fetch-Site": "none", "Accept-Language": "en", "Cache-Control": "no-cache" },
    ],
  ])("without a token answers %s on this machine", async (_who, headers) => {
    expect(await status({ headers }, "127.0.0.1", undefined)).toBe(200);
  });

  it.each([
    ["http://localhost:8787/metrics", 200],
    ["http://127.0.0.1:8787/metrics", 200],
    ["http://127.9.9.9/metrics", 200],
    ["http://[::1]:8787/metrics", 200],
    ["https://agents.example/metrics", 200],
    ["http://rebound.example:8787/metrics", 401],
    ["http://localhost.rebound.example/metrics", 401],
    ["http://10.0.0.7:8787/metrics", 401],
    ["http://agents.example.rebound.example/metrics", 401],
  ])(
    "without a token, %s requested on this machine is %d: a page may have rebound its host",
    async (url, expected) => {
      const app = testApp({ publicUrl: new URL("https://agents.example") });
      expect((await app.request(url, {}, from("127.0.0.1"))).status).toBe(expected);
      const withToken = testApp({ metricsToken: TOKEN });
      const headers = { Authorization: `Bearer ${TOKEN}` };
      expect((await withToken.request(url, { headers }, from("10.0.0.7"))).status).toBe(200);
    },
  );

  it.each([
    ["another machine", "10.0.0.7", {}],
    ["the world", "2001:db8::1", {}],
    ["an invalid address", "here", {}],
    ["no connection", undefined, {}],
    ["a proxy on this machine", "127.0.0.1", { "X-Forwarded-For": "192.0.2.1" }],
    ["a proxy of another kind", "127.0.0.1", { Forwarded: "for=192.0.2.1" }],
    ["a third kind", "127.0.0.1", { Via: "1.1 edge" }],
    ["a fourth", "127.0.0.1", { "X-Real-IP": "192.0.2.1" }],
    ["a proxy's header of any other name", "127.0.0.1", { "CF-Connecting-IP": "192.0.2.1" }],
    ["a header of no known meaning", "127.0.0.1", { "X-Acme-Edge": "7" }],
    ["another page's script on this machine", "127.0.0.1", { Origin: "http://localhost:3000" }],
    ["a guess", "10.0.0.7", { Authorization: "Bearer undefined" }],
  ])("refuses %s when there is no token", async (_who, address, headers) => {
    expect(await status({ headers }, address, undefined)).toBe(401);
  });

  it("with a token answers exactly its holder, from any address", async () => {
    const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
    expect(await status(bearer(TOKEN), "10.0.0.7", TOKEN)).toBe(200);
    expect(await status(bearer(`${TOKEN}x`), "10.0.0.7", TOKEN)).toBe(401);
    expect(await status({}, "127.0.0.1", TOKEN)).toBe(401);
    expect(await status({ headers: { Authorization: TOKEN } }, "127.0.0.1", TOKEN)).toBe(401);
  });

  it("refuses with the catalogue's error", async () => {
    const response = await testApp().request("/metrics");
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: {
        code: 401,
        type: "UNAUTHORIZED",
        message: "This is for operators of the service.",
        details: { requestId: expect.any(String) },
      },
    });
  });

  it("is served by a process that only runs jobs, with the health checks and nothing else", async () => {
    const app = createOperatorsApp(testDeps());
    const ask = async (path: string) => (await app.request(path, {}, from("127.0.0.1"))).status;
    expect(await Promise.all(["/metrics", "/health", "/ready", "/v1/status"].map(ask))).toEqual([
      200, 200, 200, 404,
    ]);
  });
});

describe("requests", () => {
  it("are counted by route, without the values in their paths", async () => {
    const metrics = createMetrics();
    const app = testApp({ metrics });
    for (const path of ["/health", "/health", "/nowhere/1", "/nowhere/2", "/nowhere/3?x=1"]) {
      await app.request(path);
    }
    await app.request("/health", { method: "PROPFIND" });
    expect(await samples(metrics, "svc_http_request_seconds_count")).toEqual([
      'svc_http_request_seconds_count{method="GET",route="/health",status="200"} 2',
      'svc_http_request_seconds_count{method="GET",route="/*",status="404"} 3',
      'svc_http_request_seconds_count{method="OTHER",route="/*",status="405"} 1',
    ]);
  });
});

describe("gauges", () => {
  it("report the current values of their sources", async () => {
    const metrics = createMetrics();
    metrics.observe(sources);
    metrics.delivery("delivered");
    metrics.job("test.once", "failed");
    metrics.gasRefused("network");
    metrics.upload("out_of_balance");
    metrics.storageRead("gateway.example", "altered");
    expect(await samples(metrics, "svc_")).toEqual([
      'svc_jobs_total{queue="test.once",outcome="failed"} 1',
      'svc_deliveries_total{outcome="delivered"} 1',
      'svc_sponsored_gas_refused_total{reason="wallet"} 0',
      'svc_sponsored_gas_refused_total{reason="network"} 1',
      'svc_sponsored_gas_refused_total{reason="strangers"} 0',
      'svc_sponsored_gas_refused_total{reason="budget"} 0',
      'svc_storage_uploads_total{outcome="out_of_balance"} 1',
      'svc_storage_uploads_total{outcome="refused"} 0',
      'svc_storage_uploads_total{outcome="too_large"} 0',
      'svc_storage_uploads_total{outcome="wrong_answer"} 0',
      'svc_storage_uploads_total{outcome="throttled"} 0',
      'svc_storage_uploads_total{outcome="unreachable"} 0',
      'svc_storage_uploads_total{outcome="unavailable"} 0',
      'svc_storage_reads_total{source="copy",outcome="altered"} 0',
      'svc_storage_reads_total{source="gateway.example",outcome="altered"} 1',
      'svc_trace_spans_total{outcome="failed"} 0',
      'svc_chain_circuit{state="closed"} 1',
      'svc_chain_circuit{state="open"} 0',
      'svc_chain_circuit{state="half-open"} 0',
      "svc_chain_answer_age_seconds 2.5",
      'svc_chain_node_usable{node="one.example"} 1',
      'svc_chain_node_usable{node="two.example"} 0',
      'svc_chain_node_blocks_behind{node="one.example"} 0',
      "svc_indexer_lag_blocks 3",
      "svc_index_faults 2",
      "svc_index_passports_different 7",
      "svc_index_reread_block 9",
      'svc_relayer_balance_ether{account="0xA"} 1.5',
      'svc_relayer_state{account="0xA",state="usable"} 1',
      'svc_relayer_state{account="0xA",state="no_money"} 0',
      'svc_relayer_state{account="0xA",state="no_role"} 0',
      'svc_relayer_state{account="0xA",state="unknown"} 0',
      'svc_relayer_state{account="0xB",state="usable"} 0',
      'svc_relayer_state{account="0xB",state="no_money"} 0',
      'svc_relayer_state{account="0xB",state="no_role"} 0',
      'svc_relayer_state{account="0xB",state="unknown"} 1',
      "svc_relayer_open_transactions 2",
      "svc_relayer_oldest_open_transaction_seconds 40",
      'svc_sponsored_gas_used{share="all"} 7',
      'svc_sponsored_gas_used{share="strangers"} 5',
      'svc_sponsored_gas_limit{share="all"} 100',
      'svc_sponsored_gas_limit{share="strangers"} 75',
      'svc_queue_jobs{queue="test.once",state="waiting"} 2',
      'svc_queue_oldest_waiting_seconds{queue="test.once"} 12.5',
      "svc_storage_unsettled_uploads 4",
      "svc_storage_audit_finished_timestamp_seconds 1700000000",
      "svc_storage_audit_problems 6",
      'svc_database_connections{state="busy"} 3',
      'svc_database_connections{state="idle"} 2',
      'svc_database_connections{state="waiting"} 1',
      "svc_database_replica_usable 1",
      "svc_database_replicas 2",
      'svc_database_replication_lag_seconds{replica="near"} 0.25',
    ]);
  });

  it("are left out when their source fails, and the failure is counted", async () => {
    const metrics = createMetrics();
    const indexerLag = vi.fn(sources.indexerLag);
    metrics.observe({ ...sources, indexerLag });
    expect(await samples(metrics, "svc_indexer_lag")).toEqual(["svc_indexer_lag_blocks 3"]);
    indexerLag.mockRejectedValue(new Error("down"));
    expect(await samples(metrics, "svc_indexer_lag")).toEqual([]);
    // Counted after the counters of that scrape were read.
    expect(await samples(metrics, "svc_metric_failures")).toEqual([
      'svc_metric_failures_total{metric="svc_indexer_lag_blocks"} 1',
    ]);
    expect(await samples(metrics, "svc_queue_jobs")).toHaveLength(1);
  });

  it("wait for a source within a time limit", async () => {
    const metrics = createMetrics();
    metrics.observe({ ...sources, queueDepth: () => new Promise(() => {}) });
    expect(await samples(metrics, "svc_queue_jobs")).toEqual([]);
    expect(await samples(metrics, "svc_metric_failures")).toEqual([
      'svc_metric_failures_total{metric="svc_queue_jobs"} 1',
    ]);
  });

  it("are absent for what never happened", async () => {
    const metrics = createMetrics();
    metrics.observe({ ...sources, storageAudit: async () => null });
    expect(await samples(metrics, "svc_storage_audit")).toEqual([]);
    expect(await samples(metrics, "svc_metric_failures")).toEqual([]);
  });

  it.each([
    "queueDepth",
    "queueAges",
    "openTransactions",
    "sponsoredGas",
    "storageAudit",
    "unsettledUploads",
    "replicas",
  ] as const)("ask for %s only at intervals", async (name) => {
    const read = vi.fn<() => Promise<never>>(sources[name] as () => Promise<never>);
    const metrics = createMetrics();
    metrics.observe({ ...sources, [name]: read });
    await Promise.all([metrics.scrape(), metrics.scrape()]);
    await metrics.scrape();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("are read again after a failure", async () => {
    const replicas = vi.fn(sources.replicas).mockRejectedValueOnce(new Error("down"));
    const metrics = createMetrics();
    metrics.observe({ ...sources, replicas, readReplica: () => null });
    expect(await samples(metrics, "svc_database_repl")).toEqual([]);
    expect(await samples(metrics, "svc_database_repl")).toEqual([
      "svc_database_replicas 2",
      'svc_database_replication_lag_seconds{replica="near"} 0.25',
    ]);
  });
});
