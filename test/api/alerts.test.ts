import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { mountSmallDisk } from "../../scripts/lib/small-disk.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { firingAlerts, hasPromtool, type Phase, scrapePhase } from "../fixtures/alert-rules.ts";
import { runJob } from "../fixtures/built-command.ts";
import type { TestDatabase } from "../fixtures/databases.ts";
import { createDatabase } from "../fixtures/postgres.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { startService } from "../fixtures/service.ts";
import { createDatabaseOnDisk } from "../fixtures/small-disk.ts";
import { startTcpGate, type TcpGate } from "../fixtures/tcp-gate.ts";
import { newAccount } from "./features/sign-in/harness.ts";

// Each fault is made in a running service, one after the other. What its processes then answer at /metrics is given
// to the alert rules: the alerts of this fault fire, and they alone.

/** A loaded machine may answer slowly in any state, and too late for a gauge. */
const OF_THE_MACHINE = ["MetricsIncomplete", "ReadsSlow"];
/** Grows in a healthy service without a caller. */
const PASSPORTS_WATCHED = /^svc_jobs_total\{queue="passports\.watch",outcome="done"\}/;
const REQUESTS_FAILED = /^svc_http_request_seconds_count\{.*status="5/;
const LAG = /^svc_indexer_lag_blocks /;
const DELIVERIES_FAILED = /^svc_deliveries_total\{outcome="(?!delivered")/;
const SOON = { timeout: 60_000, interval: 100 };

const disk = hasPromtool ? mountSmallDisk(128) : null;
let gate: TcpGate;
let service: Awaited<ReturnType<typeof startService>>;
let agent: TestAgent;
let webhook: string;
let healthy: Phase;

/** Takes what is delivered to webhooks. */
const receiver = createServer((_request, response) => {
  if (isReceiving) response.writeHead(204).end();
  else response.destroy();
});
let isReceiving = true;

/** A database on the small disk, where there is one, that falls silent when the gate is frozen. */
async function createGatedDatabase(): Promise<TestDatabase> {
  const own = await (disk === null ? createDatabase() : createDatabaseOnDisk(disk));
  const url = new URL(own.url);
  gate = await startTcpGate({ host: url.hostname, port: Number(url.port) });
  url.port = String(gate.port);
  return {
    url: url.href,
    async drop() {
      await gate.stop();
      await own.drop();
    },
  };
}

const challenge = () => service.post("/api/v1/auth/challenge", { address: newAccount().address });

/** Requests of callers, of which some read and some write, and an event for a webhook. */
function traffic(): void {
  const answers = [
    service.get("/v1/agents"),
    service.get("/v1/status"),
    challenge(),
    service.post("/v1/typed-data/register", registrationBody(freshName(), newAccount())),
    service.post(`/v1/webhooks/${webhook}/test`, {}, bearer(agent.apiKey)),
  ];
  for (const answer of answers) answer.catch(() => {});
}

const metricsOf = (url: string) => () =>
  fetch(`${url}/metrics`).then(
    (answer) => answer.text(),
    () => null,
  );

const scraped = (growing: readonly RegExp[], between: () => Promise<void> | void = traffic) =>
  scrapePhase(
    { "api-1:8787": metricsOf(service.url), "worker-1:8787": metricsOf(service.workerUrl) },
    between,
    growing,
  );

/** Expects that these alerts fire, and no others, when the service stays as it is now. */
async function expectAlerts(
  expected: readonly string[],
  { growing = [PASSPORTS_WATCHED], between, mayFire = [] }: Watched = {},
): Promise<void> {
  const firing = firingAlerts(healthy, await scraped(growing, between), OF_THE_MACHINE);
  const ignored = [...OF_THE_MACHINE, ...mayFire].filter((name) => !expected.includes(name));
  expect(firing.filter((name) => !ignored.includes(name))).toEqual(expected);
}

interface Watched {
  /** Series that tell of the fault: one that matches each must be seen to grow. */
  readonly growing?: readonly RegExp[];
  readonly between?: () => Promise<void>;
  /** The alerts of what may come of the fault. */
  readonly mayFire?: readonly string[];
}

/** Waits until API and worker answer that value of a series. */
function untilBoth(series: RegExp, value: number): Promise<void> {
  const urls = [service.url, service.workerUrl];
  return vi.waitFor(async () => {
    const values = await Promise.all(urls.map((url) => valueAt(url, series)));
    expect(values).toEqual([value, value]);
  }, SOON);
}

async function valuesAt(url: string, series: RegExp): Promise<readonly number[]> {
  const text = (await metricsOf(url)()) ?? "";
  const lines = text.split("\n").filter((one) => series.test(one));
  return lines.map((line) => Number(line.split(" ").at(-1)));
}

const valueAt = async (url: string, series: RegExp) => (await valuesAt(url, series))[0];

/** Makes requests until the worker has failed once more to deliver. */
async function untilDeliveryFails(): Promise<void> {
  const failed = async () => {
    const values = await valuesAt(service.workerUrl, DELIVERIES_FAILED);
    return values.reduce((sum, value) => sum + value, 0);
  };
  const before = await failed();
  await vi.waitFor(async () => {
    traffic();
    expect(await failed()).toBeGreaterThan(before);
  }, SOON);
}

/** Waits until the API answers a higher value of a series. */
const untilAbove = (series: RegExp, least: number) =>
  expect.poll(() => valueAt(service.url, series), SOON).toBeGreaterThan(least);

const untilAnswered = (status: number) =>
  expect.poll(async () => (await challenge()).status, SOON).toBe(status);

/** For several blocks at once the node invents the hashes, and the indexer stops. */
async function mineOneByOne(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) await service.chain.client.mine({ blocks: 1 });
}

/** Changes the owner of the agent's passport in the index, past the triggers of the indexer. */
const setIndexedOwner = (owner: string) =>
  service.pool.query(`begin; set local session_replication_role = replica;
    update chain.passport set owner = lower('${owner}') where id = ${agent.passportId};
    commit`);

describe.skipIf(!hasPromtool)("the alerts that fire", () => {
  beforeAll(async () => {
    service = await startService({
      createDatabase: createGatedDatabase,
      environment: { DATABASE_SILENCE_MS: "5000" },
    });
    agent = await newAgent(service);
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const wanted = {
      tokenId: agent.tokenId,
      url: `http://127.0.0.1:${port}/`,
      events: ["soul.burned"],
    };
    const created = await service.post("/v1/webhooks", wanted, bearer(agent.apiKey));
    webhook = created.body.webhookId;
    healthy = await scraped([PASSPORTS_WATCHED]);
  }, 300_000);
  afterAll(async () => {
    gate?.open();
    disk?.free();
    await service?.stop();
    disk?.unmount();
    receiver.close();
  });

  it("stay silent in a healthy service", () => expectAlerts([]));

  it("when a transaction is not mined", async () => {
    const { client } = service.chain;
    await client.setAutomine(false);
    const registered = newAgent(service).catch(() => {});
    onTestFinished(async () => {
      await client.setAutomine(true);
      await client.mine({ blocks: 1 });
      await registered;
    });
    await untilAbove(/^svc_relayer_oldest_open_transaction_seconds /, 0);
    await expectAlerts(["RelayerTransactionStuck"], {
      growing: [PASSPORTS_WATCHED, /^svc_relayer_oldest_open_transaction_seconds$/],
      // The caller who waits for it is answered at last.
      mayFire: ["RequestsFail"],
    });
  });

  it("when the receiver of a webhook is gone", async () => {
    isReceiving = false;
    onTestFinished(() => {
      isReceiving = true;
    });
    await expectAlerts(["DeliveriesFail"], {
      growing: [PASSPORTS_WATCHED, DELIVERIES_FAILED],
      between: untilDeliveryFails,
    });
  });

  it("when PostgreSQL is frozen", async () => {
    gate.freeze();
    onTestFinished(async () => {
      gate.open();
      await untilAnswered(200);
      await untilBoth(LAG, 0);
    });
    await untilAnswered(503);
    // The chain goes on, and how far the index is behind is measured from the last block it had.
    await mineOneByOne(20);
    await untilAbove(LAG, 10);
    const expected = ["IndexBehind", "MetricsIncomplete", "PassportWatchStopped", "RequestsFail"];
    await expectAlerts(expected, { growing: [REQUESTS_FAILED, /^svc_metric_failures_total/] });
  });

  describe("while the indexer is stopped", () => {
    beforeAll(() => service.indexer.stop());
    afterAll(async () => {
      await service.indexer.start();
      // It shows the newest blocks of an existing chain only with the next one.
      await service.chain.client.mine({ blocks: 1 });
      await untilBoth(LAG, 0);
    });

    it.skipIf(disk === null)("when the disk of PostgreSQL is full", async () => {
      disk?.fill();
      onTestFinished(async () => {
        disk?.free();
        await untilAnswered(200);
      });
      // Pages that are there already have some room.
      for (let tries = 0; tries < 1_000 && (await challenge()).status === 200; tries += 1);
      await expectAlerts(["RequestsFail"], {
        growing: [REQUESTS_FAILED],
        // Jobs that cannot be written down wait.
        mayFire: ["JobsWait", "PassportWatchStopped"],
      });
    });

    it("when the index lacks a sale", async () => {
      await setIndexedOwner(newAccount().address);
      onTestFinished(async () => {
        await setIndexedOwner(agent.owner.address);
        await service.pool.query("truncate app.index_fault, app.passport_difference");
        await untilBoth(/^svc_index_passports_different /, 0);
      });
      await runJob(service.place.databaseUrl, "index.compare");
      await untilBoth(/^svc_index_passports_different /, 1);
      // The agent's passport is too old for every decision: what its key asks for is refused.
      await expectAlerts(["IndexDiffers", "RequestsFail"], {
        growing: [PASSPORTS_WATCHED, REQUESTS_FAILED],
      });
    });

    it("when the chain goes on", async () => {
      await mineOneByOne(20);
      await untilAbove(LAG, 10);
      await expectAlerts(["IndexBehind"]);
    });
  });

  it("when the worker is killed", async () => {
    await service.worker?.kill();
    traffic();
    await untilAbove(/^svc_queue_oldest_waiting_seconds\{queue="webhook.deliver"\} /, 2);
    await expectAlerts(["JobsWait", "PassportWatchStopped", "ServiceDown"], {
      growing: [/^svc_queue_oldest_waiting_seconds/],
    });
  });

  it("when the relayer has no gas left", async () => {
    const { address } = stackAccounts().relayer;
    await service.chain.client.setBalance({ address, value: 0n });
    // The API looks again when it cannot send, and the worker when it starts.
    // A loaded machine may have left the index behind for a moment, which refuses before the relayer is asked.
    const isBehind = /INDEX_BEHIND|REGISTRY_PENDING|CHAIN_UNAVAILABLE/;
    let outcome = "";
    do outcome = await newAgent(service).then(() => "registered", String);
    while (isBehind.test(outcome));
    expect(outcome).toContain("GAS_BUDGET_EXHAUSTED");
    await service.worker?.start();
    await untilBoth(/^svc_relayer_state\{.*state="usable"\} /, 0);
    // A balance that is gone at once fell.
    await expectAlerts(["RelayerAccountUnusable", "RelayerBalanceEmpty", "RelayerBalanceFalling"]);
  });
});
