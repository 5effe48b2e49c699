import type { Hex } from "viem";
import { archiveIdOf, type EventPlace } from "../../../../protocol/index.ts";
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
  readonly scoredAt: Date;
}

/** A snapshot that can be recorded. */
export interface ArchivedSnapshot extends Omit<OpenSnapshot, "createdAt"> {
  readonly score: number;
  readonly scoredBlock: bigint;
  readonly scoredAt: Date;
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
  computing(
    after: Pick<OpenSnapshot, "id"> | null,
    limit: number,
  ): Promise<readonly OpenSnapshot[]>;
  /** Fixes scores and contents, and drops the others. What is not `computing` stays as it is. */
  computed(
    scored: readonly ({ readonly id: string } & ScoredSnapshot)[],
    dropped: readonly DroppedSnapshot[],
  ): Promise<void>;
  /** Those that score a block up to `settled`, the oldest first, without some. */
  listComputed(
    settled: bigint,
    except: readonly string[],
    limit: number,
  ): Promise<readonly ComputedSnapshot[]>;
  /** What they scored is of a removed block, or long ago: they are computed again. */
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
  /** The time of that block. */
  settledTime(): Promise<Date>;
  /** The hash of a block in the chain as it is now; null when there is no such block. */
  blockHash(block: bigint): Promise<Hex | null>;
  /** The places of all events of these blocks, which facts can be. */
  eventsIn(range: {
    readonly fromBlock: bigint;
    readonly toBlock: bigint;
  }): Promise<readonly EventPlace[]>;
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
  /** Whether an error of a port says that the facts could not be read in time. */
  readonly isTooSlow: (error: unknown) => boolean;
  /** Most agents that are scored together. */
  readonly pageSize?: number;
  /** Most scores that one transaction records. */
  readonly batchSize?: number;
}

/** So many records are in one transaction: some 35,000 gas each, of the 16,777,216 it may use. */
const BATCH_SIZE = 200;
/** Facts of so many agents are in memory at once. */
const PAGE_SIZE = 50;
/** Items that are signed and stored at the same time. */
const ARCHIVED_AT_ONCE = 10;
/** Events of so many blocks before a scored one can have been removed after they were indexed. */
const RECENT_BLOCKS = 64n;
/** A state that is older when it would be stored or recorded is scored again. */
const MOST_AGE_MS = 60 * 60 * 1000;
/** Wait for another process that works on snapshots, in milliseconds. */
const LEASE_WAIT_MS = 5_000;

const TOO_MANY_FACTS = "Its facts are too many to be read in time.";

export type Snapshots = ReturnType<typeof createSnapshots>;

/** Computes open snapshots, archives what they used, and records the scores on chain. */
export function createSnapshots(deps: SnapshotDeps) {
  const { store, chain, scoring, pageSize = PAGE_SIZE, batchSize = BATCH_SIZE } = deps;

  /**
   * Finishes what was begun, then computes what is open. Every step is atomic and can be repeated,
   * so the next run continues one that was killed. What fails holds up nothing else of the run.
   *
   * @throws LeaseUnavailableError while another process does this; the first error that stopped a
   * step, which the next run repeats.
   */
  function run(signal?: AbortSignal): Promise<void> {
    return deps.lease.hold("alignment-snapshots", LEASE_WAIT_MS, async (assertHeld) => {
      const round: Round = {
        failures: [],
        notArchived: [],
        async goOn() {
          signal?.throwIfAborted();
          await assertHeld();
        },
      };
      for (const batch of await store.listUnconfirmed()) await advanceIn(round, batch);
      await recordArchived(round);
      await finishComputed(round);
      let last: OpenSnapshot | null = null;
      let unfinished = 0;
      for (let isFull = true; isFull; ) {
        await round.goOn();
        const page: readonly OpenSnapshot[] = await store.computing(last, pageSize);
        last = page.at(-1) ?? null;
        const canGoOn = await compute(page, round);
        isFull = canGoOn && page.length === pageSize;
        unfinished += page.length;
        if (isFull && unfinished < batchSize) continue;
        unfinished = 0;
        await finishComputed(round);
      }
      await store.continueLater();
      if (round.failures.length > 0) throw round.failures[0];
    });
  }

  /**
   * An agent whose facts are too many to be read in time is found by halves, and dropped. Resolves
   * to whether more can be computed now.
   */
  async function compute(page: readonly OpenSnapshot[], round: Round): Promise<boolean> {
    if (page.length === 0) return true;
    await round.goOn();
    let results: Awaited<ReturnType<Scoring["score"]>>;
    try {
      results = await scoring.score(page);
    } catch (error) {
      if (!deps.isTooSlow(error)) {
        round.failures.push(error);
        return false;
      }
      const middle = Math.ceil(page.length / 2);
      if (page.length > 1) {
        return (await compute(page.slice(0, middle), round)) && compute(page.slice(middle), round);
      }
      results = page.map(({ id }) => ({ id, result: { kind: "dropped", reason: TOO_MANY_FACTS } }));
    }
    await store.computed(
      results.flatMap(({ id, result }) =>
        result.kind === "scored" ? [{ id, ...result.snapshot }] : [],
      ),
      results.flatMap(({ id, result }) =>
        result.kind === "dropped" ? [{ id, reason: result.reason }] : [],
      ),
    );
    return true;
  }

  /** Archives what is computed of settled blocks, each once in a run, and records what is archived. */
  async function finishComputed(round: Round): Promise<void> {
    const [settled, oldest] = [await chain.settledBlock(), await oldestState()];
    const branch = currentBranch();
    for (;;) {
      await round.goOn();
      const items = await store.listComputed(settled, round.notArchived, ARCHIVED_AT_ONCE);
      if (items.length === 0) break;
      const standing: ComputedSnapshot[] = [];
      for (const item of items) {
        if (item.scoredAt >= oldest && (await branch.has(item))) standing.push(item);
      }
      const outdated = items.filter((item) => !standing.includes(item));
      if (outdated.length > 0) await store.recompute(outdated.map(({ id }) => id));
      const results = await Promise.allSettled(standing.map(archived));
      round.notArchived.push(
        ...standing.flatMap(({ id }, index) => (results[index]?.status === "rejected" ? [id] : [])),
      );
      await store.archived(
        results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
      );
      round.failures.push(
        ...results.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])),
      );
    }
    await recordArchived(round);
  }

  async function recordArchived(round: Round): Promise<void> {
    for (;;) {
      await round.goOn();
      const batch = await store.openBatch(batchSize);
      if (batch === null) return;
      await advanceIn(round, batch);
    }
  }

  /** One batch that cannot go on now does not hold up the others. */
  async function advanceIn(round: Round, batch: SnapshotBatch): Promise<void> {
    await round.goOn();
    await advance(batch, round).catch((error: unknown) => round.failures.push(error));
  }

  /** What was scored before is not worth a record any more. In chain time, as states are dated. */
  async function oldestState(): Promise<Date> {
    return new Date((await chain.settledTime()).getTime() - MOST_AGE_MS);
  }

  /** The chain as it is now; each block is asked for once. */
  function currentBranch() {
    const hashes = new Map<bigint, Promise<Hex | null>>();
    const events = new Map<bigint, Promise<ReadonlySet<string>>>();
    const hashOf = (block: bigint) => once(hashes, block, () => chain.blockHash(block));
    const eventsUpTo = (block: bigint) =>
      once(events, block, async () => {
        const places = await chain.eventsIn({ fromBlock: firstRecent(block), toBlock: block });
        return new Set(places.map(placeKey));
      });
    return {
      /**
       * Whether the scored block is in it. The index can have followed another branch than the node
       * that gave the hash: its recent events must be in the chain too.
       */
      async has({ scoredBlock, scoredHash, content }: ComputedSnapshot): Promise<boolean> {
        if ((await hashOf(scoredBlock)) !== scoredHash) return false;
        const first = firstRecent(scoredBlock);
        const recent = placesIn(content).filter(({ blockNumber }) => blockNumber >= first);
        if (recent.length === 0) return true;
        const standing = await eventsUpTo(scoredBlock);
        return recent.every((place) => standing.has(placeKey(place)));
      },
    };
  }

  /** The same content has the same id, however often this is repeated. */
  async function archived({ id, content }: ComputedSnapshot) {
    const data = new TextEncoder().encode(content);
    return { id, archiveId: await deps.archive.archive({ data, contentType: "application/json" }) };
  }

  /** Drives one batch as far as it goes now. */
  async function advance({ id, failures, txHash: known }: SnapshotBatch, round: Round) {
    let txHash = known;
    let mined = known === null ? null : await chain.mined(known);
    if (mined === null) {
      if (known !== null) await store.unrecorded(id);
      txHash = await record(id, failures, round);
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
  async function record(batchId: bigint, failures: number, round: Round): Promise<Hex | null> {
    for (let reverted = failures; ; ) {
      try {
        const receipt = await deps.relayer.run(`alignment-batch:${batchId}:${reverted}`, async () =>
          chain.recordCall(await currentMembers(batchId)),
        );
        return receipt.transactionHash;
      } catch (error) {
        await round.goOn();
        const members = await store.members(batchId);
        if (members.length === 0) return null;
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

  /**
   * The members of a batch that can still be recorded: the registry does not know how old a state
   * is, and whether the soul is valid. The others leave the batch.
   *
   * @throws Error when none is left.
   */
  async function currentMembers(batchId: bigint): Promise<readonly ArchivedSnapshot[]> {
    const members = await store.members(batchId);
    const ended = await scoring.ended(members);
    if (ended.length > 0) await store.drop(batchId, ended);
    const gone = new Set(ended.map(({ id }) => id));
    const oldest = await oldestState();
    const valid = members.filter(({ id }) => !gone.has(id));
    const old = valid.filter(({ scoredAt }) => scoredAt < oldest);
    if (old.length > 0) await store.recompute(old.map(({ id }) => id));
    const left = valid.filter((member) => !old.includes(member));
    if (left.length === 0) throw new Error("No snapshot of this batch can be recorded any more.");
    return left;
  }

  return { run };
}

function firstRecent(block: bigint): bigint {
  return block > RECENT_BLOCKS ? block - RECENT_BLOCKS : 0n;
}

function once<Key, Value>(known: Map<Key, Value>, key: Key, ask: () => Value): Value {
  const value = known.get(key) ?? ask();
  known.set(key, value);
  return value;
}

/** The places of the facts in a content of this service. */
function placesIn(content: string): EventPlace[] {
  const { facts } = JSON.parse(content) as {
    facts: readonly { place: Record<keyof EventPlace, string | number> }[];
  };
  return facts.map(({ place }) => ({
    blockNumber: BigInt(place.blockNumber),
    transactionHash: String(place.transactionHash) as Hex,
    logIndex: Number(place.logIndex),
  }));
}

function placeKey({ blockNumber, transactionHash, logIndex }: EventPlace): string {
  return `${blockNumber} ${transactionHash} ${logIndex}`;
}

/** What one run keeps in mind. */
interface Round {
  readonly failures: unknown[];
  /** Ids of what could not be archived: the next run tries it again. */
  readonly notArchived: string[];
  /** @throws Error when the run must end. */
  goOn(): Promise<void>;
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
