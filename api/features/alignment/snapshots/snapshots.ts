import type { Hex } from "viem";
import { archiveIdOf } from "../../../../protocol/index.ts";
import { ApiError, RevertedError } from "../../../kernel/errors.ts";
import type { Call, Lease, Relayer } from "../../../platform/chain/transactions.ts";
import type { Scoring } from "./scoring.ts";
import type { OpenSnapshot, ScoredSnapshot } from "./snapshot.ts";

/** See the table `alignment_snapshot`. */
export const SNAPSHOT_STATES = [
  "computing",
  "computed",
  "archived",
  "recorded",
  "dropped",
] as const;

/** The states of a snapshot that is still under way. */
export const UNFINISHED = [
  "computing",
  "computed",
  "archived",
] as const satisfies readonly (typeof SNAPSHOT_STATES)[number][];

/** See the table `alignment_batch`. */
export const BATCH_STAGES = ["open", "recorded", "confirmed"] as const;

/** `requested` by the agent or its owner, or `scheduled` because the agent is active. */
export const SNAPSHOT_TRIGGERS = ["requested", "scheduled"] as const;

/** A snapshot whose content is fixed. */
export interface ComputedSnapshot {
  readonly id: string;
  readonly content: string;
  readonly scoredBlock: bigint;
  /** Hash of that block, as the content names it. */
  readonly scoredHash: Hex;
}

/** A snapshot that can be recorded. */
export interface ArchivedSnapshot extends Omit<OpenSnapshot, "createdAt"> {
  readonly score: number;
  readonly scoredBlock: bigint;
  readonly archiveId: string;
}

export interface SnapshotBatch {
  readonly id: bigint;
  readonly stage: (typeof BATCH_STAGES)[number];
  /** How many of its transactions were mined and reverted. */
  readonly failures: number;
  /** Null unless it was mined. */
  readonly txHash: Hex | null;
}

/** A snapshot that ends without a record. */
export interface DroppedSnapshot {
  readonly id: string;
  /** For operators. */
  readonly reason: string;
}

/** The records of one transaction, as its events state them. */
export interface MinedRecords {
  readonly block: bigint;
  /** Time of that block. */
  readonly at: Date;
  readonly records: readonly {
    readonly tokenId: bigint;
    readonly archiveId: Hex;
    readonly previousScore: number;
  }[];
}

/** Every method is one step: it is there afterwards or not. */
export interface SnapshotStore {
  /** The next snapshots to compute, the oldest first, after one of an earlier page. */
  computing(after: OpenSnapshot | null, limit: number): Promise<readonly OpenSnapshot[]>;
  /** Fixes scores and contents, and drops the others. What is not `computing` stays as it is. */
  computed(
    scored: readonly ({ readonly id: string } & ScoredSnapshot)[],
    dropped: readonly DroppedSnapshot[],
  ): Promise<void>;
  /** Those that score a block up to `settled`, the oldest first. */
  listComputed(settled: bigint, limit: number): Promise<readonly ComputedSnapshot[]>;
  /** Their block was removed by a reorganization: they are computed again. */
  recompute(ids: readonly string[]): Promise<void>;
  archived(items: readonly { readonly id: string; readonly archiveId: string }[]): Promise<void>;
  /** Opens a batch over archived snapshots, the oldest first; null when there are none. */
  openBatch(limit: number): Promise<SnapshotBatch | null>;
  listUnconfirmed(): Promise<readonly SnapshotBatch[]>;
  members(batchId: bigint): Promise<readonly ArchivedSnapshot[]>;
  /** The batch goes on without these. */
  drop(batchId: bigint, dropped: readonly DroppedSnapshot[]): Promise<void>;
  /** Its transaction was mined and reverted: the next one is another operation. */
  failed(batchId: bigint, failures: number): Promise<void>;
  /** The batch is mined; a job that follows it is queued with it. */
  recorded(batchId: bigint, mined: { readonly txHash: Hex; readonly block: bigint }): Promise<void>;
  /** Its block was removed by a reorganization. */
  unrecorded(batchId: bigint): Promise<void>;
  /** Ends the batch and its snapshots, and notifies webhooks of the scores that moved. */
  confirmed(
    batchId: bigint,
    txHash: Hex | null,
    recordedAt: Date | null,
    records: readonly { readonly id: string; readonly previousScore: number }[],
  ): Promise<void>;
  /** Queues the job again, unless nothing is unfinished. */
  continueLater(): Promise<void>;
}

/** The registry of scores, as the snapshot job uses it. */
export interface RecordingChain {
  recordCall(snapshots: readonly ArchivedSnapshot[]): Call;
  /** The snapshots that the registry would refuse now, each with its error. */
  refused(snapshots: readonly ArchivedSnapshot[]): Promise<readonly DroppedSnapshot[]>;
  /** The transaction that recorded these snapshots, which one transaction does; null for none. */
  recordedIn(snapshots: readonly ArchivedSnapshot[]): Promise<Hex | null>;
  /** What a transaction recorded, in the chain as it is now; null when it is in no block. */
  mined(txHash: Hex): Promise<MinedRecords | null>;
  /** The last block that is deep enough to be relied on. */
  settledBlock(): Promise<bigint>;
  /** The hash of a block in the chain as it is now; null when there is no such block. */
  blockHash(block: bigint): Promise<Hex | null>;
}

export interface SnapshotDeps {
  readonly store: SnapshotStore;
  readonly scoring: Scoring;
  readonly chain: RecordingChain;
  readonly relayer: Pick<Relayer, "run">;
  readonly archive: {
    archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
  };
  readonly lease: Lease;
  /** Most agents that are scored, archived and recorded together. */
  readonly pageSize?: number;
}

/**
 * Facts of so many agents are in memory at once, and so many records in one transaction: some 35,000
 * gas each, of the 16,777,216 that a transaction may use.
 */
const PAGE_SIZE = 200;
/** Items that are signed and stored at the same time. */
const ARCHIVED_AT_ONCE = 10;
/** Wait for another process that works on snapshots, in milliseconds. */
const LEASE_WAIT_MS = 5_000;

export type Snapshots = ReturnType<typeof createSnapshots>;

/** Computes open snapshots, archives what they used, and records the scores on chain. */
export function createSnapshots(deps: SnapshotDeps) {
  const { store, chain, scoring, pageSize = PAGE_SIZE } = deps;
  type GoOn = () => Promise<void>;

  /**
   * Finishes what was begun, then computes what is open. Every step is atomic and can be repeated,
   * so the next run continues one that was killed.
   *
   * @throws LeaseUnavailableError while another process does this; the error that stops a step,
   * which the next run repeats.
   */
  function run(signal?: AbortSignal): Promise<void> {
    return deps.lease.hold("alignment-snapshots", LEASE_WAIT_MS, async (assertHeld) => {
      const goOn: GoOn = async () => {
        signal?.throwIfAborted();
        await assertHeld();
      };
      const failures: unknown[] = [];
      for (const batch of await store.listUnconfirmed()) {
        await goOn();
        // One batch that cannot go on now must not hold up the others.
        await advance(batch, goOn).catch((error: unknown) => failures.push(error));
      }
      await finishComputed(goOn);
      let last: OpenSnapshot | null = null;
      for (let isFull = true; isFull; ) {
        await goOn();
        const page: readonly OpenSnapshot[] = await store.computing(last, pageSize);
        last = page.at(-1) ?? null;
        isFull = page.length === pageSize;
        await compute(page);
        await finishComputed(goOn);
      }
      await store.continueLater();
      if (failures.length > 0) throw failures[0];
    });
  }

  async function compute(page: readonly OpenSnapshot[]): Promise<void> {
    if (page.length === 0) return;
    const results = await scoring.score(page);
    await store.computed(
      results.flatMap(({ id, result }) =>
        result.kind === "scored" ? [{ id, ...result.snapshot }] : [],
      ),
      results.flatMap(({ id, result }) =>
        result.kind === "dropped" ? [{ id, reason: result.reason }] : [],
      ),
    );
  }

  /** Archives what is computed of settled blocks, and records what is archived. */
  async function finishComputed(goOn: GoOn): Promise<void> {
    const settled = await chain.settledBlock();
    for (;;) {
      await goOn();
      const items = await store.listComputed(settled, ARCHIVED_AT_ONCE);
      if (items.length === 0) break;
      const removed = await ofRemovedBlocks(items);
      if (removed.size > 0) await store.recompute([...removed]);
      const standing = items.filter(({ id }) => !removed.has(id));
      await store.archived(await Promise.all(standing.map(archived)));
    }
    for (;;) {
      await goOn();
      const batch = await store.openBatch(pageSize);
      if (batch === null) return;
      await advance(batch, goOn);
    }
  }

  /** Ids of the snapshots whose block is not in the chain any more. */
  async function ofRemovedBlocks(items: readonly ComputedSnapshot[]): Promise<ReadonlySet<string>> {
    const removed = new Set<string>();
    for (const [block, group] of Map.groupBy(items, ({ scoredBlock }) => scoredBlock)) {
      const hash = await chain.blockHash(block);
      for (const { id, scoredHash } of group) if (scoredHash !== hash) removed.add(id);
    }
    return removed;
  }

  /** The same content has the same id, however often this is repeated. */
  async function archived({ id, content }: ComputedSnapshot) {
    const data = new TextEncoder().encode(content);
    return { id, archiveId: await deps.archive.archive({ data, contentType: "application/json" }) };
  }

  /** Drives one batch as far as it goes now. */
  async function advance({ id, failures, txHash: known }: SnapshotBatch, goOn: GoOn) {
    await goOn();
    let txHash = known;
    let mined = known === null ? null : await chain.mined(known);
    if (mined === null) {
      if (known !== null) await store.unrecorded(id);
      txHash = await record(id, failures, goOn);
      if (txHash === null) return store.confirmed(id, null, null, []);
      mined = await chain.mined(txHash);
      // A reorganization came right after: the next run looks for it again.
      if (mined === null) return;
      await store.recorded(id, { txHash, block: mined.block });
    }
    if (mined.block > (await chain.settledBlock())) return;
    await store.confirmed(id, txHash, mined.at, recordsOf(await store.members(id), mined));
  }

  /**
   * One transaction per batch, which the relayer resumes by its name. A snapshot that the registry
   * refuses leaves the batch. Null when none is left.
   */
  async function record(batchId: bigint, failures: number, goOn: GoOn): Promise<Hex | null> {
    for (let reverted = failures; ; ) {
      const members = await store.members(batchId);
      if (members.length === 0) return null;
      try {
        const receipt = await deps.relayer.run(`alignment-batch:${batchId}:${reverted}`, async () =>
          chain.recordCall(members),
        );
        return receipt.transactionHash;
      } catch (error) {
        await goOn();
        const earlier = await chain.recordedIn(members);
        if (earlier !== null) return earlier;
        if (error instanceof RevertedError) {
          reverted += 1;
          await store.failed(batchId, reverted);
        }
        const refused = isRefusal(error) ? await chain.refused(members) : [];
        if (refused.length === 0) throw error;
        // It may have been mined in between, which also makes every record of it outdated.
        const late = await chain.recordedIn(members);
        if (late !== null) return late;
        await store.drop(batchId, refused);
      }
    }
  }

  return { run };
}

/** Whether the registry may have refused a record: the node answered. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof RevertedError ||
    (error instanceof ApiError && error.type !== "CHAIN_UNAVAILABLE")
  );
}

/** @throws Error when the transaction did not record one of them. */
function recordsOf(members: readonly ArchivedSnapshot[], { records }: MinedRecords) {
  const byArchive = new Map(records.map((record) => [record.archiveId, record]));
  return members.map(({ id, tokenId, archiveId }) => {
    const found = byArchive.get(archiveIdOf(archiveId));
    if (found?.tokenId !== tokenId) throw new Error(`Snapshot ${id} is not in its transaction.`);
    return { id, previousScore: found.previousScore };
  });
}
