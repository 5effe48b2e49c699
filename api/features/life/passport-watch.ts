import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import { isWithSealer } from "../../soul/with-sealer.ts";
import type { EventSink } from "../webhooks/index.ts";
import {
  COMPARED_PAGE,
  type ComparedChain,
  type ComparedIndex,
  createIndexComparison,
  type DifferenceStore,
  type Judgement,
  type SeenPassport,
} from "./index-comparison.ts";

/** Where a scan continues: everything before it has been checked. */
export interface WatchCursor {
  /** For the poll 0 among the souls, and 1 among the passports without one. */
  readonly block: bigint;
  /** Passport id within the block; for the poll a token id or a passport id. */
  readonly id: bigint;
}

export type WatchRound = "traces" | "poll";

/**
 * A reason to look at a passport: it was transferred in this block, or its `agentWallet` was
 * cleared.
 */
export interface PassportTrace {
  readonly block: bigint;
  readonly passportId: bigint;
}

/**
 * What the index says that a watch should look at. Only of passports with a soul that is not
 * burned.
 */
export interface WatchIndex extends ComparedIndex {
  indexedBlock(): Promise<bigint>;
  /**
   * The first `limit` traces from `from` on, up to and with block `upTo`, in order of block and
   * passport.
   */
  passportTraces(from: WatchCursor, upTo: bigint, limit: number): Promise<readonly PassportTrace[]>;
}

/**
 * A passport that left the sealer of its soul: until a reseal, also when it is back and a
 * suspension stands.
 */
export interface Suspension {
  readonly id: string;
  readonly passportId: bigint;
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly sealer: Address;
  readonly owner: Address;
  readonly observedBlock: bigint;
}

/** A step between two cursors, by the state of one block. */
export interface WatchStep {
  readonly from: WatchCursor;
  readonly to: WatchCursor;
  readonly seenBlock: bigint;
}

export interface SuspensionStore {
  /** The start, when a round has never run. */
  cursor(round: WatchRound): Promise<WatchCursor>;
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Advances a round. False when another process has, or when any round has seen a later block:
   * this step's result is then outdated. Concurrent calls wait for the end of the transaction.
   */
  move(transaction: Transaction, round: WatchRound, step: WatchStep): Promise<boolean>;
  /** The suspensions of these passports that have not ended. */
  lasting(transaction: Transaction, passportIds: readonly bigint[]): Promise<readonly Suspension[]>;
  begin(transaction: Transaction, suspension: Suspension, at: Date): Promise<void>;
  end(transaction: Transaction, id: string, at: Date): Promise<void>;
}

export interface PassportWatchOptions {
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

export interface PassportWatch {
  /**
   * Looks at every passport that the index has seen moving since the last time, and compares it. Ends early when
   * `signal` says so.
   */
  followTraces(signal: AbortSignal): Promise<void>;
  /**
   * Compares the next souls with the chain, independently of what the index has seen, and restarts after the last. Those that differed
   * or were asked for come first each time, and counters with each new start.
   */
  compare(signal: AbortSignal): Promise<void>;
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
export function createPassportWatch(options: PassportWatchOptions): PassportWatch {
  const { index, chain, store, differences, jobs, events, clock, confirmations, chainId } = options;

  const comparison = createIndexComparison({ index, chain, differences, clock });

  /** The last block that counts. */
  async function settledBlock(): Promise<bigint> {
    return (await index.indexedBlock()) - BigInt(confirmations - 1);
  }

  /**
   * Stores the result with its consequences, and advances the round. False when another process
   * has.
   */
  async function record(
    round: WatchRound,
    step: WatchStep,
    seen: readonly SeenPassport[],
    judgement?: Judgement,
  ): Promise<boolean> {
    return store.inTransaction(async (tx) => {
      if (!(await store.move(tx, round, step))) return false;
      if (judgement) await differences.judge(tx, judgement, clock());
      const lasting = new Map(
        (
          await store.lasting(
            tx,
            seen.map(({ passportId }) => passportId),
          )
        ).map((suspension) => [suspension.passportId, suspension]),
      );
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
          await begin(tx, now, {
            agentName: passport.soul?.name ?? "",
            previousOwner: isSale ? (previousOwner ?? now.sealer) : null,
          });
        }
      }
      return true;
    });
  }

  async function begin(
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

  return {
    async followTraces(signal) {
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
        if (!(await record("traces", step, seen, judgement)) || !last) return;
      }
    },

    async compare(signal) {
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
        if (!(await record("poll", step, seen, judgement))) return;
        if (isLast) return comparison.counters(settled);
      }
    },
  };
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
