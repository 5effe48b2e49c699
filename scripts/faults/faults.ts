import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { migrate } from "../../api/platform/database/migrate.ts";
import type { Fault as NodeFault } from "../../test/fixtures/faulty-node.ts";
import type { Alerts } from "./alerts.ts";
import { fillDisk, mayMount } from "./disk.ts";
import type { Ledger } from "./ledger.ts";
import { makeNextVersion } from "./next-version.ts";
import { pause } from "./parts.ts";
import { missingParts, PARTS, type PartName, type Topology } from "./topology.ts";

/** Something that happens to a part. */
export interface Fault {
  readonly what: string;
  /** Alerts that must have fired when it has ended. */
  readonly fires?: readonly string[];
  /** Alerts that may fire because of it. */
  readonly mayFire?: readonly string[];
  readonly isOnce?: boolean;
  /** Resolves when it has ended, and every part runs and is ready. */
  happen(): Promise<void>;
}

/** What a fault did. */
export interface Recovery {
  readonly what: string;
  /** Milliseconds until the parts were ready again. */
  readonly readyMs: number;
  /** Milliseconds until an agent could be registered. */
  readonly recoveredMs: number;
  /** Milliseconds until every write without an answer had completed or been refused. */
  readonly settledMs: number;
  readonly errors: number;
}

const SECOND = 1_000;
const PAUSE_MS = 3 * SECOND;
const LONG_MS = 60 * SECOND;
const SHORT_MS = 20 * SECOND;
const DEPTH = 10;
const RETRY_MS = 3 * SECOND;
/** Longest wait for a registration after a fault. */
const GIVEN_UP_MS = 20 * 60 * SECOND;
/** Restarts for each kill: 20 for 100. */
const RESTARTS = 5;
const KILLED = ["api", "worker", "indexer"] as const;
/** Longest time between a start and the next kill. */
const STEP_MS = 12 * SECOND;
const CLOCK_SKEW = "+90s";
/** Where Debian's libfaketime is, by the machine's library folder. */
const FAKETIME = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;

/** Resolves when every part is ready. */
export async function allReady({ parts }: Topology): Promise<void> {
  await Promise.all(Object.values(parts).map((part) => part.ready()));
}

/**
 * Ends processes of the service at random moments, those of their start included: as many of each
 * kind. Every fifth time PostgreSQL ends as well.
 *
 * @param random numbers from 0 to 1, the same for the same seed
 * @param wait resolves after so many milliseconds
 */
export function killsOf(
  topology: Topology,
  ledger: Ledger,
  count: number,
  random: () => number,
  wait: (ms: number) => Promise<unknown> = delay,
): readonly Fault[] {
  const { parts } = topology;
  const namesOf = (kind: string) =>
    (Object.keys(parts) as PartName[]).filter((name) => name.startsWith(kind));
  return Array.from({ length: Math.ceil(count / RESTARTS) }, (_, series) => {
    const victims = Array.from(
      { length: Math.min(RESTARTS, count - series * RESTARTS) },
      (_, index) => {
        const names = namesOf(KILLED[(series * RESTARTS + index) % KILLED.length] ?? "api");
        return {
          name: names[Math.floor(random() * names.length)] as PartName,
          afterMs: random() * STEP_MS,
        };
      },
    );
    const order = victims.map(({ name, afterMs }) => `${name} +${(afterMs / SECOND).toFixed(1)} s`);
    return {
      what: `kills ${order.join(", ")}, postgres restarted`,
      mayFire: ["MetricsIncomplete"],
      async happen() {
        for (const { name, afterMs } of victims) {
          await wait(afterMs);
          const left = (await parts[name]?.kill()) ?? 0;
          if (left > 0) ledger.broken.push(`${name} left ${left} processes behind its kill.`);
          ledger.kills.set(name, (ledger.kills.get(name) ?? 0) + 1);
        }
        await parts.postgres?.start();
        ledger.kills.set("postgres", (ledger.kills.get("postgres") ?? 0) + 1);
        await allReady(topology);
      },
    };
  });
}

/** Every other fault, and at last the upgrade. */
export function faultsOf(topology: Topology, ledger: Ledger, alerts: Alerts): readonly Fault[] {
  return [
    ...nodeFaults(topology, ledger, alerts),
    ...clockFaults(topology),
    ...PARTS.flatMap((name) => partFaults(name, topology)),
    ...diskFaults(topology),
    {
      what: "rolling upgrade with a migration",
      isOnce: true,
      async happen() {
        const version = makeNextVersion(topology.root(), topology.stack.directory);
        const applied = await migrate(
          topology.stack.urls.database,
          undefined,
          join(version, "api/platform/database/migrations"),
        );
        if (applied !== 1) throw new Error(`The upgrade applied ${applied} migrations, not one.`);
        topology.upgradeTo(version);
        for (const name of topology.service.filter((part) => part !== "indexer")) {
          await topology.parts[name]?.stop();
          await topology.parts[name]?.start();
        }
      },
    },
  ];
}

function diskFaults(topology: Topology): readonly Fault[] {
  if (!mayMount()) return [];
  return [
    {
      what: `PostgreSQL's disk full for ${SHORT_MS / SECOND} s`,
      mayFire: ["MetricsIncomplete"],
      async happen() {
        await fillDisk(topology, SHORT_MS);
        await allReady(topology);
      },
    },
  ];
}

/** What this machine cannot do, one sentence each. */
export function skippedFaults(): readonly string[] {
  const skipped = missingParts().map((name) => `No ${name}: its program is not installed.`);
  if (!mayMount()) skipped.push("No full disk: only root may mount one.");
  if (!existsSync(FAKETIME)) skipped.push("No wrong clock: libfaketime is not installed.");
  return skipped;
}

/** What the service's only node does wrong. */
function nodeFaults(topology: Topology, ledger: Ledger, alerts: Alerts): readonly Fault[] {
  const { node, parts } = topology;
  const misbehaving = (
    what: string,
    ms: number,
    fault: NodeFault,
    more: Partial<Fault> & { readonly during?: () => Promise<unknown> } = {},
  ): Fault => ({
    what: `the node ${what} for ${ms / SECOND} s`,
    mayFire: ["MetricsIncomplete"],
    ...more,
    async happen() {
      const until = performance.now() + ms;
      await node.misbehave(fault);
      try {
        await more.during?.();
        await delay(Math.max(0, until - performance.now()));
        await alerts.fired(more.fires ?? []);
      } finally {
        node.behave();
      }
      await allReady(topology);
    },
  });
  return [
    misbehaving("is silent", LONG_MS, { kind: "is silent" }, { fires: ["ChainUnreachable"] }),
    misbehaving(
      "has no logs",
      LONG_MS,
      { kind: "lacks logs" },
      {
        async during() {
          // The restarted indexer reads history from a node that leaves it out.
          await parts.indexer?.kill();
        },
      },
    ),
    misbehaving("is slow", SHORT_MS, { kind: "is slow", ms: 1_500 }),
    misbehaving("resets connections", SHORT_MS, { kind: "cuts connections" }),
    misbehaving("refuses requests", SHORT_MS, { kind: "limits requests", retryAfter: "2" }),
    misbehaving("serves an old head", SHORT_MS, { kind: "stands still", behind: 5 }),
    misbehaving("lacks the newest logs", SHORT_MS, { kind: "lacks recent logs", blocks: 3 }),
    misbehaving("is on another chain", SHORT_MS, { kind: "is on another chain", chainId: 8453 }),
    ...[1, 3, DEPTH].map((depth) => ({
      what: `reorganization of ${depth} blocks`,
      async happen() {
        const since = performance.now();
        await node.reorganize(depth);
        ledger.reorganized(since);
        await allReady(topology);
      },
    })),
  ];
}

function partFaults(name: PartName, topology: Topology): readonly Fault[] {
  const part = topology.parts[name];
  if (part === undefined) return [];
  return [
    {
      what: `${name} killed`,
      async happen() {
        await part.kill();
        await part.ready();
      },
    },
    { what: `${name} paused for ${PAUSE_MS / SECOND} s`, happen: () => pause(part, PAUSE_MS) },
    {
      what: `${name} restarted`,
      async happen() {
        await part.stop();
        await part.start();
      },
    },
    {
      what: `${name} away for ${SHORT_MS / SECOND} s`,
      mayFire: ["MetricsIncomplete"],
      async happen() {
        await part.stop();
        await delay(SHORT_MS);
        await part.start();
        await allReady(topology);
      },
    },
  ];
}

/** A process whose clock is wrong. */
function clockFaults({ parts, environment }: Topology): readonly Fault[] {
  return (["api-2", "worker-2"] as const).flatMap((name) => {
    const part = parts[name];
    if (part === undefined || !existsSync(FAKETIME)) return [];
    const restartWith = async (variables: Readonly<Record<string, string>>) => {
      environment[name] = variables;
      await part.stop();
      await part.start();
    };
    return {
      what: `clock of ${name} at ${CLOCK_SKEW}`,
      async happen() {
        const variables = { LD_PRELOAD: FAKETIME, FAKETIME: CLOCK_SKEW, DONT_FAKE_MONOTONIC: "1" };
        await restartWith(variables);
        await delay(SHORT_MS);
        await restartWith({});
      },
    };
  });
}

/** Lets a fault happen, and measures until `register` succeeds afterwards. */
export async function recover(
  fault: Fault,
  ledger: Ledger,
  register: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<Recovery> {
  const [begun, before] = [performance.now(), ledger.failures.length];
  await fault.happen();
  const readyMs = performance.now() - begun;
  const isRegistered = () =>
    register().then(
      () => true,
      () => false,
    );
  while (!(await isRegistered())) {
    signal.throwIfAborted();
    if (performance.now() - begun > GIVEN_UP_MS) throw new Error("No agent can be registered.");
    // A refused registration may be accepted all the same: a flood of them would have to be sent first.
    await delay(RETRY_MS);
  }
  const recoveredMs = performance.now() - begun;
  const errors = ledger.failures.length - before;
  await ledger.settle();
  const settledMs = performance.now() - begun;
  return { what: fault.what, readyMs, recoveredMs, settledMs, errors };
}
