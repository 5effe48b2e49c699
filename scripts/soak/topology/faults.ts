import { join } from "node:path";
import { migrate } from "../../../api/platform/database/migrate.ts";
import type { Ledger } from "./ledger.ts";
import { makeNextVersion } from "./next-version.ts";
import { pause } from "./parts.ts";
import { PARTS, type PartName, SERVICE_PARTS, type Topology } from "./topology.ts";

/** Something that happens to a part. */
interface Fault {
  readonly what: string;
  readonly isOnce?: boolean;
  /** Resolves when it is over, and the part runs and is ready. */
  happen(): Promise<void>;
}

/** What a fault did. */
export interface Recovery {
  readonly what: string;
  /** Milliseconds until the part was ready again. */
  readonly readyMs: number;
  /** Milliseconds until an agent could be registered. */
  readonly recoveredMs: number;
  /** Milliseconds until every write without an answer had completed or been refused. */
  readonly settledMs: number;
  readonly errors: number;
}

const PAUSE_MS = 3_000;

/** Every fault of every part, and at last the upgrade. */
export function faultsOf(topology: Topology): readonly Fault[] {
  const { parts } = topology;
  return [
    ...PARTS.flatMap((name) => faultsOfPart(name, topology)),
    {
      what: "rolling upgrade with a migration",
      isOnce: true,
      async happen() {
        const version = makeNextVersion(topology.stack.directory);
        const applied = await migrate(
          topology.stack.urls.database,
          undefined,
          join(version, "api/platform/database/migrations"),
        );
        if (applied !== 1) throw new Error(`The upgrade applied ${applied} migrations, not one.`);
        topology.upgradeTo(version);
        for (const name of SERVICE_PARTS) {
          await parts[name].stop();
          await parts[name].start();
        }
      },
    },
  ];
}

function faultsOfPart(name: PartName, { parts }: Topology): readonly Fault[] {
  const part = parts[name];
  return [
    {
      what: `${name} killed`,
      async happen() {
        await part.kill();
        await part.start();
      },
    },
    {
      what: `${name} paused for ${PAUSE_MS / 1_000} s`,
      happen: () => pause(part, PAUSE_MS),
    },
    {
      what: `${name} restarted`,
      async happen() {
        await part.stop();
        await part.start();
      },
    },
  ];
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
  while (!(await isRegistered())) signal.throwIfAborted();
  const recoveredMs = performance.now() - begun;
  const errors = ledger.failures.length - before;
  await ledger.settle();
  const settledMs = performance.now() - begun;
  return { what: fault.what, readyMs, recoveredMs, settledMs, errors };
}
