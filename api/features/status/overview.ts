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

/** Numbers of the whole deployment at one moment. */
export interface ServiceStatistics {
  /** Sealed souls with a passport, suspended ones included. */
  readonly sealed: number;
  /** ERC-8004 passports that the index has seen. */
  readonly passports: number;
  /** Records in batches on chain, or on chain by themselves. */
  readonly chronicles: number;
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

export type OverviewService = ReturnType<typeof createOverview>;

/**
 * Reads how the service is. What cannot be read is null: the page must not fail with its parts.
 *
 * @param parts `relayers`: the accounts that send transactions; registrations use the first.
 * `keptMs`: milliseconds for which one reading serves everyone.
 */
export function createOverview(parts: {
  readonly status: StatusService;
  readonly readiness: Readiness;
  readonly lastBatch: () => Promise<LastBatch | null>;
  readonly relayers: () => Promise<readonly { readonly state: SendingState }[]>;
  readonly jobAges: () => Promise<readonly { readonly seconds: number }[]>;
  readonly clock: () => Date;
  readonly keptMs: number;
}) {
  const { status, readiness, clock, keptMs } = parts;
  let last: { readonly at: number; readonly overview: Promise<Overview> } | undefined;

  async function read(): Promise<Overview> {
    const [reading, checks, lastBatch, relayers, ages] = await Promise.all([
      status.read().catch(() => null),
      readiness.check(),
      parts.lastBatch().catch(() => "unknown" as const),
      parts.relayers().catch(() => []),
      parts.jobAges().catch(() => null),
    ]);
    const [registrar, ...further] = relayers.map(({ state }) => state);
    const others = further.length === 0 ? [registrar ?? "unknown"] : further;
    return {
      status: reading,
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
