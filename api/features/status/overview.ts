import type { Readiness, ReadinessCheck } from "./readiness.ts";
import type { StatusService } from "./status.ts";

/** Whether transactions can be sent now; `unknown` while the chain's node has not answered. */
export type SendingState = "usable" | "no_money" | "no_role" | "unknown";

/** The batch of records that was anchored last. */
export interface LastBatch {
  readonly id: bigint;
  readonly records: bigint;
  readonly anchoredAt: Date;
}

/** How the service is, for people. It holds nothing that `/ready` and `/v1/status` do not imply. */
export interface Overview {
  /** Null before anything was indexed. */
  readonly status: Awaited<ReturnType<StatusService["read"]>> | null;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Null before the first batch. */
  readonly lastBatch: LastBatch | null | "unknown";
  /** Of registrations, and of all other operations. */
  readonly registrations: SendingState;
  readonly operations: SendingState;
  /** Seconds for which the oldest due job has waited; null when it cannot be read. */
  readonly jobsWaitSeconds: number | null;
  readonly readAt: Date;
}

export interface OverviewPorts {
  readonly status: StatusService;
  readonly readiness: Readiness;
  lastBatch(): Promise<LastBatch | null>;
  /** Of the accounts that send transactions; registrations use the first. */
  relayers(): Promise<readonly { readonly state: SendingState }[]>;
  jobAges(): Promise<readonly { readonly seconds: number }[]>;
  readonly clock: () => Date;
  /** Milliseconds for which one reading serves everyone. */
  readonly keptMs: number;
}

export type OverviewService = ReturnType<typeof createOverview>;

/** Reads how the service is. What cannot be read is null: the page must not fail with its parts. */
export function createOverview(ports: OverviewPorts) {
  const { status, readiness, clock, keptMs } = ports;
  let last: { readonly at: number; readonly overview: Promise<Overview> } | undefined;

  async function read(): Promise<Overview> {
    const [standing, checks, lastBatch, relayers, ages] = await Promise.all([
      status.read().catch(() => null),
      readiness.check(),
      ports.lastBatch().catch(() => "unknown" as const),
      ports.relayers().catch(() => []),
      ports.jobAges().catch(() => null),
    ]);
    const [registrar, ...further] = relayers.map(({ state }) => state);
    const others = further.length === 0 ? [registrar ?? "unknown"] : further;
    return {
      status: standing,
      checks,
      lastBatch,
      registrations: registrar ?? "unknown",
      operations: others.find((state) => state === "usable") ?? others[0] ?? "unknown",
      jobsWaitSeconds: ages === null ? null : Math.max(0, ...ages.map(({ seconds }) => seconds)),
      readAt: clock(),
    };
  }

  return {
    /** Never rejects for a part that does not answer. */
    now(): Promise<Overview> {
      const at = clock().getTime();
      if (last === undefined || at - last.at >= keptMs) {
        const overview = read();
        last = { at, overview };
        overview.catch(() => {
          last = undefined;
        });
      }
      return last.overview;
    },
  };
}
