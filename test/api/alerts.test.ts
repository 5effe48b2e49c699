import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { jobsCommand } from "../../scripts/jobs/command.ts";
import { mountSmallDisk } from "../../scripts/lib/small-disk.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { firingAlerts, hasPromtool, type Phase, scrapePhase } from "../fixtures/alert-rules.ts";
import type { TestDatabase } from "../fixtures/databases.ts";
import { createDatabase } from "../fixtures/postgres.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { startService } from "../fixtures/service.ts";
import { createDatabaseOnDisk } from "../fixtures/small-disk.ts";
import { startTcpGate, type TcpGate } from "../fixtures/tcp-gate.ts";
import { newAccount } from "./features/sign-in/harness.ts";

// Each fault is made in a running service, one after the other. What its processes then answer at /metrics is given
// to the alert rules: the alerts of this fault fire, and they alone.

/** A loaded machine may answer slowly in any state. */
const OF_THE_MACHINE = new Set(["ReadsSlow"]);
/** A gauge that asks the database is read again after five seconds. */
const AGES_MS = 6_000;
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

const scraped = (spanMs?: number) =>
  scrapePhase(
    { "api-1:8787": metricsOf(service.url), "worker-1:8787": metricsOf(service.workerUrl) },
    traffic,
    spanMs,
  );

/** What fires when the service stays as it is now. */
async function alerts(spanMs?: number): Promise<readonly string[]> {
  const names = firingAlerts(healthy, await scraped(spanMs));
  return names.filter((name) => !OF_THE_MACHINE.has(name));
}

/** Waits until API and worker answer that value of a series. */
function untilBoth(series: RegExp, value: number): Promise<void> {
  const urls = [service.url, service.workerUrl];
  return vi.waitFor(async () => {
    const values = await Promise.all(urls.map((url) => valueAt(url, series)));
    expect(values).toEqual([value, value]);
  }, SOON);
}

async function valueAt(url: string, series: RegExp): Promise<number | undefined> {
  const text = (await metricsOf(url)()) ?? "";
  const line = text.split("\n").find((one) => series.test(one));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

/** Waits until the API answers a higher value of a series. */
const untilAbove = (series: RegExp, least: number) =>
  expect.poll(() => valueAt(service.url, series), SOON).toBeGreaterThan(least);

const untilAnswered = (status: number) =>
  expect.poll(async () => (await challenge()).status, SOON).toBe(status);

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
    healthy = await scraped();
  }, 300_000);
  afterAll(async () => {
    gate?.open();
    disk?.free();
    await service?.stop();
    disk?.unmount();
    receiver.close();
  });

  it("stay silent in a healthy service", () => {
    expect(firingAlerts(healthy, healthy).filter((name) => !OF_THE_MACHINE.has(name))).toEqual([]);
  });

  it("when a transaction is not mined", async () => {
    const { client } = service.chain;
    await client.setAutomine(false);
    const registered = newAgent(service);
    onTestFinished(async () => {
      await client.setAutomine(true);
      await client.mine({ blocks: 1 });
      await registered;
    });
    await untilAbove(/^svc_relayer_oldest_open_transaction_seconds /, 0);
    expect(await alerts(AGES_MS)).toEqual(["RelayerTransactionStuck"]);
  });

  it("when the receiver of a webhook is gone", async () => {
    isReceiving = false;
    onTestFinished(() => {
      isReceiving = true;
    });
    expect(await alerts()).toEqual(["DeliveriesFail"]);
  });

  it("when PostgreSQL is frozen", async () => {
    gate.freeze();
    onTestFinished(async () => {
      gate.open();
      await untilAnswered(200);
    });
    await untilAnswered(503);
    expect(await alerts()).toEqual(["MetricsIncomplete", "PassportWatchStopped", "RequestsFail"]);
  });

  describe("while the indexer is stopped", () => {
    beforeAll(() => service.indexer.stop());
    afterAll(async () => {
      await service.indexer.start();
      // It shows the newest blocks of an existing chain only with the next one.
      await service.chain.client.mine({ blocks: 1 });
      await untilBoth(/^svc_indexer_lag_blocks /, 0);
    });

    it.skipIf(disk === null)("when the disk of PostgreSQL is full", async () => {
      disk?.fill();
      onTestFinished(async () => {
        disk?.free();
        await untilAnswered(200);
      });
      // Pages that are there already have some room.
      for (let tries = 0; tries < 1_000 && (await challenge()).status === 200; tries += 1);
      const firing = await alerts();
      expect(firing).toContain("RequestsFail");
      // Jobs that cannot be written down wait.
      expect(["JobsWait", "PassportWatchStopped", "RequestsFail"]).toEqual(
        expect.arrayContaining([...firing]),
      );
    });

    it("when the index lacks a sale", async () => {
      await setIndexedOwner(newAccount().address);
      onTestFinished(async () => {
        await setIndexedOwner(agent.owner.address);
        await service.pool.query("truncate app.index_fault, app.passport_difference");
        await untilBoth(/^svc_index_passports_different /, 0);
      });
      const status = await jobsCommand(["run", "index.compare"], {
        environment: { DATABASE_URL: service.place.databaseUrl },
        print() {},
        complain() {},
      });
      expect(status).toBe(0);
      await untilBoth(/^svc_index_passports_different /, 1);
      // The agent's passport is too old for every decision: what its key asks for is refused.
      expect(await alerts()).toEqual(["IndexDiffers", "RequestsFail"]);
    });

    it("when the chain goes on", async () => {
      // One by one: for several at once the node invents the hashes, and the indexer stops.
      for (let block = 0; block < 20; block += 1) await service.chain.client.mine({ blocks: 1 });
      await untilAbove(/^svc_indexer_lag_blocks /, 10);
      expect(await alerts()).toEqual(["IndexBehind"]);
    });
  });

  it("when the worker is killed", async () => {
    await service.worker?.kill();
    traffic();
    await untilAbove(/^svc_queue_oldest_waiting_seconds\{queue="webhook.deliver"\} /, 2);
    expect(await alerts(AGES_MS)).toEqual(["JobsWait", "PassportWatchStopped", "ServiceDown"]);
  });

  it("when the relayer has no gas left", async () => {
    const { address } = stackAccounts().relayer;
    await service.chain.client.setBalance({ address, value: 0n });
    // The API looks again when it cannot send, and the worker when it starts.
    await expect(newAgent(service)).rejects.toThrow("GAS_BUDGET_EXHAUSTED");
    await service.worker?.start();
    await untilBoth(/^svc_relayer_state\{.*state="usable"\} /, 0);
    expect(await alerts()).toEqual(["RelayerAccountUnusable", "RelayerBalanceEmpty"]);
  });
});
