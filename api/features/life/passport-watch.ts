import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import { isWithSealer } from "../../soul/with-sealer.ts";
import type { EventSink } from "../webhooks/index.ts";
import type { DifferenceStore, Judgement } from "./index-comparison.store.ts";
import { COMPARED_PAGE, createIndexComparison } from "./index-comparison.ts";
import type { ComparedChain, SeenPassport } from "./passports.chain.ts";
import type { WatchedIndex } from "./suspension-candidates.store.ts";
import type { Suspension, SuspensionStore, WatchRound, WatchStep } from "./suspensions.store.ts";

/** What the index says that a watch should look at. */
export type WatchIndex = Omit<WatchedIndex, "statusesLeft"> & {
  indexedBlock(): Promise<bigint>;
};

interface Watched {
  readonly index: WatchIndex;
  readonly chain: ComparedChain;
  readonly store: SuspensionStore;
  readonly differences: DifferenceStore;
  readonly jobs: JobQueue;
  readonly events: EventSink;
  readonly clock: () => Date;
  /** Blocks until something counts; 1 means included. */
  readonly confirmations: number;
  readonly chainId: number;
}

/** Name of the job that records on chain what a watch has seen. */
export const SUSPEND_JOB = "passport.suspend";

/** Passports in one call to the chain. */
const PAGE = 100;
/** The second part of the poll's round. */
const SOULLESS = 1n;
/**
 * Finds passports that left the owners who sealed their souls.
 *
 * The index only gives hints; the chain decides, at a depth at which it is final. A cleared
 * `agentWallet` is such a hint, because a self-transfer and the owner also clear it. The hand-over
 * by a registration leads to the sealer. The comparison covers what the index does not have. Validity, keys and sessions never wait for any of this: they follow from the
 * index and the contracts at once.
 */
export function createPassportWatch(watched: Watched) {
  const { index, chain, store, differences, clock, confirmations } = watched;
  const comparison = createIndexComparison({ index, chain, differences, clock });

  /** The last block that counts. */
  async function settledBlock(): Promise<bigint> {
    return (await index.indexedBlock()) - BigInt(confirmations - 1);
  }

  return {
    /**
     * Looks at every passport that the index has seen moving since the last time, and compares it. Ends early when
     * `signal` says so.
     */
    async followTraces(signal: AbortSignal): Promise<void> {
      const settled = await settledBlock();
      while (!signal.aborted) {
        const from = await store.cursor("traces");
        if (from.block > settled) return;
        const traces = await index.passportTraces(from, settled, PAGE);
        const ids = [...new Set(traces.map(({ passportId }) => passportId))];
        const seen = ids.length === 0 ? [] : await chain.passportsAt(ids, settled);
        // What was sold is compared at once, with what the chain said of it.
        const judgement =
          ids.length === 0 ? undefined : await comparison.judgementOf(seen, settled);
        const last = traces.length < PAGE ? undefined : traces.at(-1);
        const to = last
          ? { block: last.block, id: last.passportId + 1n }
          : { block: settled + 1n, id: 0n };
        const step = { from, to, seenBlock: settled };
        if (!(await record(watched, "traces", step, seen, judgement)) || !last) return;
      }
    },

    /**
     * Compares the next souls with the chain, independently of what the index has seen, and restarts after the last. Those that differed
     * or were asked for come first each time, and counters with each new start.
     */
    async compare(signal: AbortSignal): Promise<void> {
      const settled = await settledBlock();
      if (settled < 0n) return;
      await comparison.first(settled);
      const pages = await comparison.pagesOfRound(settled);
      for (let page = 0; page < pages && !signal.aborted; page += 1) {
        const from = await store.cursor("poll");
        const isOfSouls = from.block === 0n;
        const indexed = isOfSouls
          ? await index.comparedSouls(from.id, COMPARED_PAGE)
          : await index.comparedSoulless(from.id, COMPARED_PAGE);
        const { seen, judgement } = await comparison.judged(indexed, settled);
        const isLast = !isOfSouls && indexed.next === null;
        const to =
          indexed.next === null
            ? { block: isOfSouls ? SOULLESS : 0n, id: 0n }
            : { block: from.block, id: indexed.next };
        const step = { from, to, seenBlock: settled };
        if (!(await record(watched, "poll", step, seen, judgement))) return;
        if (isLast) return comparison.counters(settled);
      }
    },
  };
}

/**
 * Stores the result with its consequences, and advances the round. False when another process
 * has.
 */
async function record(
  watched: Watched,
  round: WatchRound,
  step: WatchStep,
  seen: readonly SeenPassport[],
  judgement?: Judgement,
): Promise<boolean> {
  const { store, differences, clock } = watched;
  return store.inTransaction(async (tx) => {
    if (!(await store.move(tx, round, step))) return false;
    if (judgement) await differences.judge(tx, judgement, clock());
    const passportIds = seen.map(({ passportId }) => passportId);
    const suspensions = await store.lasting(tx, passportIds);
    const lasting = new Map(suspensions.map((one) => [one.passportId, one]));
    for (const passport of seen) {
      const known = lasting.get(passport.passportId);
      const now = departure(passport, step.seenBlock);
      if (known && now && isSame(known, now)) continue;
      if (known) await store.end(tx, known.id, clock());
      if (now) {
        // One that came back did so from its last known owner.
        const previousOwner = now.owner === now.sealer ? known?.owner : now.sealer;
        // Found without a transfer: its sealer suspended it itself, and still has the passport.
        const isSale = round === "traces" || known !== undefined || now.owner !== now.sealer;
        await begin(watched, tx, now, {
          agentName: passport.soul?.name ?? "",
          previousOwner: isSale ? (previousOwner ?? now.sealer) : null,
        });
      }
    }
    return true;
  });
}

async function begin(
  { store, jobs, events, clock, chainId }: Watched,
  tx: Transaction,
  suspension: Suspension,
  { agentName, previousOwner }: { agentName: string; previousOwner: Address | null },
): Promise<void> {
  const { id, tokenId, passportId, owner, observedBlock } = suspension;
  await store.begin(tx, suspension, clock());
  await jobs.send(tx, SUSPEND_JOB, { suspensionId: id, tokenId: tokenId.toString() });
  if (previousOwner === null) return;
  await events.emit(tx, {
    event: "passport.transferred",
    tokenId,
    registrationId: null,
    key: `passport.transferred:${id}`,
    data: {
      agentName,
      tokenId: Number(tokenId),
      erc8004AgentId: Number(passportId),
      chainId,
      previousOwner,
      newOwner: owner,
      soulValidity: "suspended",
      observedBlock: Number(observedBlock),
    },
  });
}

/** The suspension of a soul whose passport left its sealer; null for none. */
function departure({ passportId, owner, soul }: SeenPassport, block: bigint): Suspension | null {
  if (owner === null || soul === null) return null;
  const { tokenId, epoch, sealer, suspended } = soul;
  if (isWithSealer({ sealer, owner, suspended })) return null;
  return { id: randomUUID(), passportId, tokenId, epoch, sealer, owner, observedBlock: block };
}

function isSame(known: Suspension, now: Suspension): boolean {
  return known.tokenId === now.tokenId && known.epoch === now.epoch && known.owner === now.owner;
}
