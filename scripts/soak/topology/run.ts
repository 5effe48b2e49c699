import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "../../lib/progress.ts";
import { faultsOf, type Recovery, recover } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { createLoad, newClient } from "./load.ts";
import { endedAuthority, type Kept, limitWithoutRedis, sharedLimit } from "./promises.ts";
import { missingPrograms, startTopology } from "./topology.ts";

/** Lives that go on at the same time, and the pause between two of one lane. */
const LANES = 2;
const PAUSE_MS = 500;
/** Part of the time in which nothing is disturbed. */
const UNDISTURBED = 0.2;
const SHOWN = 20;

interface TopologyOptions {
  readonly minutes: number;
  /** Only faults whose name has one of these words. Empty: all. */
  readonly faults: readonly string[];
  readonly directory: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Disturbs every part of a service of many processes under load, and judges what the service
 * promised. Resolves to whether all promises held. Without haproxy or redis-server it is skipped.
 */
export async function soakTopology(options: TopologyOptions): Promise<boolean> {
  const missing = missingPrograms();
  if (missing.length > 0) {
    console.log(`SKIPPED: the topology needs ${missing.join(" and ")}, which Debian has.`);
    return true;
  }
  const { minutes, progress, signal } = options;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const topology = await startTopology(options).finally(() => receiver.unref());
  const ledger = new Ledger();
  const end = new AbortController();
  const until = AbortSignal.any([signal, end.signal]);
  try {
    const load = createLoad(topology, ledger, `http://127.0.0.1:${port}`);
    const register = () => load.register(newClient(topology));
    const lanes = Array.from({ length: LANES }, async () => {
      while (!until.aborted) {
        await load.live();
        await delay(PAUSE_MS, undefined, { signal: until }).catch(() => {});
      }
    });

    // The first requests compile code and open connections.
    for (let warm = 0; warm < LANES; warm += 1) await register();
    ledger.takeLatencies();
    const endsAt = performance.now() + minutes * 60_000;
    await delay(minutes * 60_000 * UNDISTURBED, undefined, { signal });
    const undisturbed = ledger.takeLatencies();
    const kept = [
      ...(await endedAuthority(topology, register)),
      ...(await sharedLimit(topology)),
      ...(await limitWithoutRedis(topology, ledger)),
    ];
    const undisturbedErrors = ledger.failures.map(({ what }) => what);
    ledger.takeLatencies();

    const faults = faultsOf(topology).filter(
      ({ what }) =>
        options.faults.length === 0 || options.faults.some((word) => what.includes(word)),
    );
    // The version of an upgrade stays: it happens once.
    const repeated = faults.filter(({ isOnce }) => !isOnce);
    const recoveries: Recovery[] = [];
    for (
      let round = 0;
      round === 0 || (repeated.length > 0 && performance.now() < endsAt);
      round += 1
    ) {
      for (const fault of round === 0 ? faults : repeated) {
        if (round > 0 && performance.now() > endsAt) break;
        signal.throwIfAborted();
        const step = progress.step(fault.what);
        recoveries.push(await recover(fault, ledger, register, signal));
        step.done();
      }
    }
    const disturbed = ledger.takeLatencies();
    end.abort();
    await Promise.all(lanes);
    await ledger.settle();
    await ledger.verify();
    return summarise({ ledger, kept, recoveries, undisturbed, disturbed, undisturbedErrors });
  } finally {
    end.abort();
    await topology.stop();
    receiver.close();
  }
}

type Latencies = ReadonlyMap<string, readonly number[]>;

function summarise(found: {
  readonly ledger: Ledger;
  readonly kept: readonly Kept[];
  readonly recoveries: readonly Recovery[];
  readonly undisturbed: Latencies;
  readonly disturbed: Latencies;
  readonly undisturbedErrors: readonly string[];
}): boolean {
  const { ledger, kept, recoveries, undisturbed, disturbed, undisturbedErrors } = found;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  console.log(
    "\n| fault | part ready after | agents registered after | open writes settled after | errors |\n| --- | --- | --- | --- | --- |",
  );
  for (const { what, readyMs, recoveredMs, settledMs, errors } of recoveries) {
    const times = [readyMs, recoveredMs, settledMs].map(seconds).join(" | ");
    console.log(`| ${what} | ${times} | ${errors} |`);
  }
  console.log("\n| request | undisturbed p50, p95, p99 | disturbed |\n| --- | --- | --- |");
  for (const [what, times] of undisturbed) {
    console.log(`| ${what} | ${percentiles(times)} | ${percentiles(disturbed.get(what) ?? [])} |`);
  }
  const { done, completed, refused } = ledger.counts;
  const rows: readonly Kept[] = [
    ...kept,
    {
      what: "requests that failed undisturbed",
      found: String(undisturbedErrors.length),
      held: undisturbedErrors.length === 0,
    },
    {
      what: `writes that are lost, there twice or half, of ${done} (${completed} completed under their key) and ${refused} refused`,
      found: String(ledger.broken.length),
      held: ledger.broken.length === 0 && done > 0,
    },
  ];
  console.log("\n| promise | found | held |\n| --- | --- | --- |");
  for (const { what, found: value, held } of rows) {
    console.log(`| ${what} | ${value} | ${held ? "yes" : "**no**"} |`);
  }
  for (const sentence of [...ledger.broken, ...undisturbedErrors].slice(0, SHOWN)) {
    console.log(`  ${sentence}`);
  }
  console.log("\nRequests that failed, with those after a fault:");
  for (const [what, count] of counted(ledger.failures.map((failure) => failure.what))) {
    console.log(`  ${count} × ${what}`);
  }
  return rows.every(({ held }) => held);
}

function percentiles(times: readonly number[]): string {
  if (times.length === 0) return "none";
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  const all = [0.5, 0.95, 0.99].map((part) => `${at(part).toFixed(0)} ms`);
  return `${all.join(", ")} (${times.length})`;
}

function counted(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
}
