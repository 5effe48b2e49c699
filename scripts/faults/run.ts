import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { tableHashes } from "../../test/indexer/rows.ts";
import type { Progress } from "../lib/progress.ts";
import { randomNumbers } from "../lib/random-numbers.ts";
import { sharedBuild } from "../service/shared-build.ts";
import { type Alerts, watchAlerts } from "./alerts.ts";
import { allReady, type Fault, faultsOf, killsOf, type Recovery, recover } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { createLoad, newClient } from "./load.ts";
import { endedAuthority, type Kept, limitWithoutRedis, sharedLimit } from "./promises.ts";
import { startReceiver } from "./receiver.ts";
import { startTopology, type Topology } from "./topology.ts";

/** Lives that go on at the same time, and the pause between two of one lane. */
const LANES = 2;
const PAUSE_MS = 1_000;
const AFTER_FAILURE_MS = 5_000;
const TURN_MS = 50;
/** Reads that may be under way at once: a service that stands still is not sent more. */
const MOST_READS = 40;
const UNDISTURBED_MS = 30_000;
/** The longest age of an answer about authority. */
const MOST_VALID_MS = 10_000;
/** Time for the index and the webhooks to be right after the last fault. */
const HEALED_MS = 20 * 60_000;
/** They fire when enough of the requests are disturbed, which is what the faults are for. */
const MAY_FIRE = ["RequestsFail", "ReadsSlow", "ChainCallsFail"];

export interface FaultOptions {
  readonly size: "small" | "whole";
  readonly kills: number;
  readonly seed: number;
  /** Requests a second. */
  readonly rate: number;
  /** Faults begin again until then. Each happens once at least. */
  readonly minutes: number;
  /** Only faults whose name has one of these words. Empty: all. */
  readonly only: readonly string[];
  readonly directory: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

type Latencies = ReadonlyMap<string, readonly number[]>;

export interface FaultReport {
  readonly recoveries: readonly Recovery[];
  readonly undisturbed: Latencies;
  readonly disturbed: Latencies;
  readonly rows: readonly Kept[];
  /** Broken promises, one sentence each. */
  readonly broken: readonly string[];
  /** Requests without a success. */
  readonly failures: readonly string[];
}

/**
 * Disturbs every part of the built service of many processes under load, and judges what the
 * service promised by the logs of its clients and by the chain.
 */
export async function runFaults(options: FaultOptions): Promise<FaultReport> {
  const { directory, progress, signal, size, only } = options;
  mkdirSync(join(directory, "logs"), { recursive: true });
  const step = progress.step("Service built");
  const root = await sharedBuild();
  step.done();
  const topology = await startTopology({ directory, root, size, progress, signal });
  const receiver = await startReceiver();
  const end = new AbortController();
  let alerts: Alerts | undefined;
  try {
    alerts = await watchAlerts(directory, size === "small" ? [] : topology.metrics);
    const ledger = new Ledger();
    const load = createLoad(topology, ledger, receiver);
    const register = () => load.register(newClient(topology));
    // The first requests compile code and open connections.
    for (let warm = 0; warm < LANES; warm += 1) await register();
    ledger.takeLatencies();
    const until = AbortSignal.any([signal, end.signal]);
    const working = keepBusy(load, ledger, options, until);

    const isWhole = size === "whole" && only.length === 0;
    if (isWhole) await delay(UNDISTURBED_MS, undefined, { signal });
    const undisturbed = ledger.takeLatencies();
    const kept: Kept[] = [];
    if (isWhole) {
      kept.push(...(await endedAuthority(topology, register)));
      kept.push(...(await sharedLimit(topology)));
      kept.push(...(await limitWithoutRedis(topology, ledger)));
      const failed = ledger.failures.length;
      kept.push({
        what: "requests that failed undisturbed",
        found: String(failed),
        held: failed === 0,
      });
    }
    const faults = wantedFaults(topology, ledger, alerts, options);
    const recoveries = await disturb(faults, ledger, register, options);
    const lastFault = performance.now();
    const disturbed = ledger.takeLatencies();
    end.abort();
    await working;
    await ledger.settle();
    await allReady(topology);
    const step = progress.step("Promises judged");
    const healed = await untilHealed(topology, load.wronglyNotified, lastFault);
    await ledger.verify();
    kept.push(...judged(ledger, topology), ...healed, ...(await firedAlerts(alerts, faults)));
    step.done();
    return {
      recoveries,
      undisturbed,
      disturbed,
      rows: kept,
      broken: [...ledger.broken, ...ledger.wrongAbsences, ...load.wronglyNotified()],
      failures: ledger.failures.map(({ what }) => what),
    };
  } finally {
    end.abort();
    await alerts?.stop();
    await topology.stop();
    receiver.stop();
  }
}

/** Lets agents live, and fills up with reads to the wanted number of requests a second. */
async function keepBusy(
  load: ReturnType<typeof createLoad>,
  ledger: Ledger,
  { rate, seed }: FaultOptions,
  signal: AbortSignal,
): Promise<void> {
  const random = randomNumbers(seed + 1);
  const begun = performance.now();
  const before = ledger.requests;
  const lanes = Array.from({ length: LANES }, async () => {
    while (!signal.aborted) {
      const pause = (await load.live()) ? PAUSE_MS : AFTER_FAILURE_MS;
      await delay(pause, undefined, { signal }).catch(() => {});
    }
  });
  const reads = new Set<Promise<void>>();
  while (!signal.aborted) {
    const due = ((performance.now() - begun) / 1_000) * rate;
    for (let sent = ledger.requests - before; sent < due && reads.size < MOST_READS; sent += 1) {
      const read = load.read(random()).finally(() => reads.delete(read));
      reads.add(read);
    }
    await delay(TURN_MS, undefined, { signal }).catch(() => {});
  }
  await Promise.all([...lanes, ...reads]);
}

function wantedFaults(
  topology: Topology,
  ledger: Ledger,
  alerts: Alerts,
  { kills, seed, only, size }: FaultOptions,
): readonly Fault[] {
  const all = [
    ...killsOf(topology, ledger, kills, randomNumbers(seed)),
    ...(size === "small" ? [] : faultsOf(topology, ledger, alerts)),
  ];
  return all.filter(({ what }) => only.length === 0 || only.some((word) => what.includes(word)));
}

async function disturb(
  faults: readonly Fault[],
  ledger: Ledger,
  register: () => Promise<unknown>,
  { minutes, progress, signal }: FaultOptions,
): Promise<readonly Recovery[]> {
  const endsAt = performance.now() + minutes * 60_000;
  const interrupted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  interrupted.catch(() => {});
  const recoveries: Recovery[] = [];
  for (let round = 0; round === 0 || performance.now() < endsAt; round += 1) {
    for (const fault of faults) {
      // The version of an upgrade stays: it happens once.
      if (round > 0 && (fault.isOnce || performance.now() > endsAt)) continue;
      signal.throwIfAborted();
      const step = progress.step(fault.what);
      try {
        const recovering = recover(fault, ledger, register, signal);
        recovering.catch(() => {});
        recoveries.push(await Promise.race([recovering, interrupted]));
        step.done();
      } catch (error) {
        signal.throwIfAborted();
        step.fail(error instanceof Error ? error.message : String(error));
        ledger.broken.push(`${fault.what}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  return recoveries;
}

/** What the clients saw. */
function judged(ledger: Ledger, topology: Topology): readonly Kept[] {
  const { done, completed, refused } = ledger.counts;
  const longest = ledger.longestValid;
  const kills = [...ledger.kills].map(([name, count]) => `${name} ${count}`).join(", ");
  const ends = Object.values(topology.parts).map((part) => `${part.name} ${part.ends()}`);
  return [
    {
      what: `writes that are lost, there twice or half, of ${done} (${completed} completed under their key) and ${refused} refused`,
      found: String(ledger.broken.length),
      held: ledger.broken.length === 0 && done > 0,
    },
    {
      what: `longest time after a sale with an answer of "valid", at most ${MOST_VALID_MS / 1_000} s`,
      found:
        longest === undefined
          ? "never"
          : `${(longest.ms / 1_000).toFixed(1)} s, by ${longest.operation}`,
      held: (longest?.ms ?? 0) <= MOST_VALID_MS,
    },
    {
      what: "answers 404 for an agent that was registered",
      found: String(ledger.wrongAbsences.length),
      held: ledger.wrongAbsences.length === 0,
    },
    { what: "kills at random moments", found: kills || "none", held: true },
    { what: "processes that ended by themselves", found: ends.join(", "), held: true },
  ];
}

/** Waits until the index is a new one's, and each sale has been delivered. */
async function untilHealed(
  topology: Topology,
  wronglyNotified: () => readonly string[],
  since: number,
): Promise<readonly Kept[]> {
  const fresh = await topology.rebuildIndex();
  const [index, rebuilt] = [topology.stack.urls.database, fresh].map(
    (connectionString) => new pg.Pool({ connectionString, max: 2 }),
  ) as [pg.Pool, pg.Pool];
  const differing = async () => {
    const [own, other] = await Promise.all([tableHashes(index), tableHashes(rebuilt)]);
    return Object.keys(other).filter((name) => own[name]?.hash !== other[name]?.hash);
  };
  try {
    let tables = await differing();
    let sales = wronglyNotified();
    while (tables.length + sales.length > 0 && performance.now() < since + HEALED_MS) {
      await delay(1_000);
      tables = await differing();
      sales = wronglyNotified();
    }
    const after = `after ${((performance.now() - since) / 1_000).toFixed(0)} s`;
    const rows = Object.values(await tableHashes(rebuilt)).reduce((sum, at) => sum + at.rows, 0);
    return [
      {
        what: `tables of the index that differ from a rebuilt one of ${rows} rows`,
        found: tables.length === 0 ? `none, ${after}` : `${tables.join(", ")}, ${after}`,
        held: tables.length === 0 && rows > 0,
      },
      {
        what: "sales that were not delivered, or more than once",
        found: `${sales.length}, ${after}`,
        held: sales.length === 0,
      },
    ];
  } finally {
    await Promise.all([index.end(), rebuilt.end()]);
  }
}

async function firedAlerts(alerts: Alerts, faults: readonly Fault[]): Promise<readonly Kept[]> {
  const fired = await alerts.all();
  if (fired === null) {
    return [{ what: "alerts", found: "not judged: no Prometheus runs", held: true }];
  }
  const due = [...new Set(faults.flatMap(({ fires = [] }) => fires))];
  const allowed = new Set([...due, ...MAY_FIRE, ...faults.flatMap(({ mayFire = [] }) => mayFire)]);
  const missing = due.filter((name) => !fired.includes(name));
  const wrong = fired.filter((name) => !allowed.has(name));
  return [
    {
      what: `alerts that did not fire, of ${due.join(", ") || "none"}`,
      found: missing.join(", ") || "none",
      held: missing.length === 0,
    },
    {
      what: "alerts that fired without their fault",
      found: wrong.join(", ") || "none",
      held: wrong.length === 0,
    },
    { what: "alerts that fired", found: fired.join(", ") || "none", held: true },
  ];
}
