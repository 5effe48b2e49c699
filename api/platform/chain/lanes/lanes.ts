import type { Address, TransactionReceipt } from "viem";
import { ApiError, RevertedError } from "../../../kernel/errors.ts";
import { busy } from "../relayer.ts";
import {
  type Call,
  OtherSenderError,
  type Relayer,
  type Signer,
  type TransactionStore,
} from "../transactions.ts";
import type { LaneWatch } from "./standing.ts";

/** One key of the service, with its own nonces and its own lease. */
interface Lane {
  readonly account: Address;
  readonly relayer: Relayer;
}

interface RelayerLanesOptions {
  /** The first has the registrar's key: everything that predicts ids is sent by it. */
  readonly lanes: readonly [Lane, ...Lane[]];
  readonly store: Pick<TransactionStore, "find">;
  readonly watch: LaneWatch;
}

type Standings = Awaited<ReturnType<LaneWatch["standings"]>>;

/**
 * Spreads transactions over several keys, which work at the same time. The first key sends what the
 * registrar has to, and everything while no other key can be used. The further keys send the rest.
 *
 * An operation keeps the key that signed its transaction: only that key may replace it.
 */
export function createRelayerLanes({ lanes, store, watch }: RelayerLanesOptions): Relayer {
  const [registrar, ...further] = lanes;
  /** Operations of this process that a lane is working on. */
  const load = new Map<Lane, number>();

  /** The usable further lane with the least to do in this process, or the registrar's. */
  function choose(standings: Standings, refused: ReadonlySet<Lane>): Lane {
    const usable = further.filter(
      (lane, index) => standings[index + 1]?.state === "usable" && !refused.has(lane),
    );
    return usable.reduce<Lane | null>(leastLoaded, null) ?? registrar;
  }

  function leastLoaded(best: Lane | null, lane: Lane): Lane {
    return best !== null && (load.get(best) ?? 0) <= (load.get(lane) ?? 0) ? best : lane;
  }

  /** The lane whose key signed the operation's transaction; null without a transaction. */
  async function signerOf(operationId: string): Promise<Lane | null> {
    const known = await store.find(operationId);
    if (known === null) return null;
    // Without its key the first lane still finds its receipt.
    return lanes.find(({ account }) => account === known.sender) ?? registrar;
  }

  /** Whether the lane's account is the cause, and nothing was signed: another one may do it. */
  async function isOfLane(error: unknown, lane: Lane, operationId: string): Promise<boolean> {
    if (!(error instanceof ApiError) || error instanceof RevertedError) return false;
    if (error.type !== "GAS_BUDGET_EXHAUSTED" && error.type !== "INTERNAL") return false;
    if ((await signerOf(operationId)) !== null) return false;
    const standings = await watch.refresh();
    const isUsable = standings[lanes.indexOf(lane)]?.state === "usable";
    return error.type === "GAS_BUDGET_EXHAUSTED" || !isUsable;
  }

  async function runOn(lane: Lane, operationId: string, build: () => Promise<Call>) {
    load.set(lane, (load.get(lane) ?? 0) + 1);
    try {
      return await lane.relayer.run(operationId, build);
    } finally {
      load.set(lane, (load.get(lane) ?? 1) - 1);
    }
  }

  async function run(
    operationId: string,
    build: () => Promise<Call>,
    signer: Signer = "any",
  ): Promise<TransactionReceipt> {
    const refused = new Set<Lane>();
    const hasChoice = further.length > 0;
    let signed = hasChoice ? await signerOf(operationId) : null;
    for (;;) {
      const isFree = hasChoice && signer === "any" && signed === null;
      const standings = isFree ? await watch.standings() : [];
      // Chosen and counted in one step: two operations at the same time take two lanes.
      const lane = signed ?? choose(standings, refused);
      try {
        return await runOn(lane, operationId, build);
      } catch (error) {
        if (error instanceof OtherSenderError) {
          // Another process was faster, with another key. Its transaction is the operation's.
          const other = await signerOf(operationId);
          if (other === lane) throw busy(error);
          signed = other;
        } else {
          if (lane === registrar || signed !== null) throw error;
          if (!(await isOfLane(error, lane, operationId))) throw error;
          refused.add(lane);
        }
      }
    }
  }

  return {
    run,

    async recover() {
      // A lane that cannot be used now may have open transactions too.
      const results = await Promise.allSettled(lanes.map(({ relayer }) => relayer.recover()));
      for (const result of results) if (result.status === "rejected") throw result.reason;
    },

    async close() {
      await Promise.all(lanes.map(({ relayer }) => relayer.close()));
    },
  };
}
