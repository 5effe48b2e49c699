import type { Hex } from "viem";
import { archiveIdOf, type EventPlace } from "../../../../protocol/index.ts";
import { ApiError, RevertedError } from "../../../kernel/errors.ts";
import type { Lease, Relayer } from "../../../platform/chain/transactions.ts";
import type { Database } from "../../../platform/database/connect.ts";
import { isStatementLimit } from "../../../platform/database/unavailable.ts";
import type { JobQueue } from "../../../platform/jobs/ports.ts";
import type { PermanentStorage } from "../../../platform/storage/permanent.ts";
import type { EventSink } from "../../webhooks/index.ts";
import type { MinedRecords, RecordingChain } from "./recording.chain.ts";
import type { Scoring } from "./scoring.store.ts";
import type * as snapshotStore from "./snapshots.store.ts";
import type {
  ArchivedSnapshot,
  ComputedSnapshot,
  OpenSnapshot,
  SnapshotBatch,
} from "./snapshots.store.ts";

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

/** What snapshots are computed, archived and recorded with. */
export interface SnapshotWork {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly events: EventSink;
  readonly clock: () => Date;
  readonly store: typeof snapshotStore;
  readonly scoring: Scoring;
  readonly chain: RecordingChain;
  readonly relayer: Pick<Relayer, "run">;
  readonly archive: Pick<PermanentStorage, "archive">;
  readonly lease: Lease;
  /** Most scores that one transaction records. */
  readonly batchSize?: number;
}

/** One run: what it works with, and keeps in mind. */
type Round = ReturnType<typeof newRound>;

/** @param goOn Rejects when the run must end. */
function newRound(work: SnapshotWork, goOn: () => Promise<void>) {
  const failures: unknown[] = [];
  /** Ids of what could not be archived: the next run tries it again. */
  const notArchived: string[] = [];
  return { batchSize: BATCH_SIZE, ...work, goOn, failures, notArchived };
}

/**
 * Finishes what was begun, then computes what is open. Every step is atomic and can be repeated, so
 * the next run continues one that was killed. What fails holds up nothing else of the run.
 *
 * @throws LeaseUnavailableError while another process does this; the first error that stopped a
 * step, which the next run repeats.
 */
export function runSnapshots(work: SnapshotWork, signal?: AbortSignal): Promise<void> {
  const { db, store } = work;
  return work.lease.hold("alignment-snapshots", LEASE_WAIT_MS, async (assertHeld) => {
    const round = newRound(work, async () => {
      signal?.throwIfAborted();
      await assertHeld();
    });
    for (const batch of await store.listUnconfirmed(db)) await advanceIn(round, batch);
    await recordArchived(round);
    await finishComputed(round);
    let last: OpenSnapshot | null = null;
    let unfinished = 0;
    for (let isFull = true; isFull; ) {
      await round.goOn();
      const page: readonly OpenSnapshot[] = await store.computing(db, last, PAGE_SIZE);
      last = page.at(-1) ?? null;
      const canGoOn = await compute(page, round);
      isFull = canGoOn && page.length === PAGE_SIZE;
      unfinished += page.length;
      if (isFull && unfinished < round.batchSize) continue;
      unfinished = 0;
      await finishComputed(round);
    }
    await store.continueLater(db, work.jobs, work.clock());
    if (round.failures.length > 0) throw round.failures[0];
  });
}

/**
 * An agent whose facts are too many to be read in time is found by halves, and dropped. Resolves to
 * whether more can be computed now.
 */
async function compute(page: readonly OpenSnapshot[], round: Round): Promise<boolean> {
  if (page.length === 0) return true;
  await round.goOn();
  let results: Awaited<ReturnType<Scoring["score"]>>;
  try {
    results = await round.scoring.score(page);
  } catch (error) {
    if (!isStatementLimit(error)) {
      round.failures.push(error);
      return false;
    }
    const middle = Math.ceil(page.length / 2);
    if (page.length > 1) {
      return (await compute(page.slice(0, middle), round)) && compute(page.slice(middle), round);
    }
    results = page.map(({ id }) => ({ id, result: { kind: "dropped", reason: TOO_MANY_FACTS } }));
  }
  await round.store.computed(
    round.db,
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
  const { db, store, chain } = round;
  const [settled, oldest] = [await chain.settledBlock(), await oldestState(chain)];
  const isInBranch = currentBranch(chain);
  for (;;) {
    await round.goOn();
    const items = await store.listComputed(db, settled, round.notArchived, ARCHIVED_AT_ONCE);
    if (items.length === 0) break;
    const current: ComputedSnapshot[] = [];
    for (const item of items) {
      if (item.scoredAt >= oldest && (await isInBranch(item))) current.push(item);
    }
    const outdated = items.filter((item) => !current.includes(item));
    if (outdated.length > 0) {
      await store.recompute(
        db,
        outdated.map(({ id }) => id),
      );
    }
    const results = await Promise.allSettled(current.map((item) => archive(round, item)));
    round.notArchived.push(
      ...current.flatMap(({ id }, index) => (results[index]?.status === "rejected" ? [id] : [])),
    );
    await store.archived(
      db,
      results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
    );
    round.failures.push(
      ...results.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])),
    );
  }
  await recordArchived(round);
}

async function recordArchived(round: Round): Promise<void> {
  const { db, store, batchSize, clock } = round;
  for (;;) {
    await round.goOn();
    const batch = await store.openBatch(db, batchSize, clock());
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
async function oldestState(chain: RecordingChain): Promise<Date> {
  return new Date((await chain.settledTime()).getTime() - MOST_AGE_MS);
}

/**
 * Whether a scored block is in the chain as it is now; each block is asked for once. The index can
 * have followed another branch than the node that gave the hash: its recent events must be in the
 * chain too.
 */
function currentBranch(chain: RecordingChain) {
  const hashes = new Map<bigint, Promise<Hex | null>>();
  const events = new Map<bigint, Promise<ReadonlySet<string>>>();
  const hashOf = (block: bigint) => once(hashes, block, () => chain.blockHash(block));
  const eventsUpTo = (block: bigint) =>
    once(events, block, async () => {
      const places = await chain.eventsIn({ fromBlock: firstRecent(block), toBlock: block });
      return new Set(places.map(placeKey));
    });
  return async ({ scoredBlock, scoredHash, content }: ComputedSnapshot): Promise<boolean> => {
    if ((await hashOf(scoredBlock)) !== scoredHash) return false;
    const first = firstRecent(scoredBlock);
    const recent = placesIn(content).filter(({ blockNumber }) => blockNumber >= first);
    if (recent.length === 0) return true;
    const present = await eventsUpTo(scoredBlock);
    return recent.every((place) => present.has(placeKey(place)));
  };
}

/** The same content has the same id, however often this is repeated. */
async function archive(round: Round, { id, content }: ComputedSnapshot) {
  const data = new TextEncoder().encode(content);
  return { id, archiveId: await round.archive.archive({ data, contentType: "application/json" }) };
}

/** Drives one batch as far as it goes now. */
async function advance({ id, failures, txHash: known }: SnapshotBatch, round: Round) {
  const { db, jobs, events, clock, store, chain } = round;
  let txHash = known;
  let mined = known === null ? null : await chain.mined(known);
  if (mined === null) {
    if (known !== null) await store.unrecorded(db, id);
    txHash = await record(id, failures, round);
    if (txHash === null) return store.confirmed(db, events, id, null, clock());
    mined = await chain.mined(txHash);
    // A reorganization came right after: the next run looks for it again.
    if (mined === null) return;
    await store.recorded(db, jobs, id, { txHash, blockNumber: mined.block }, clock());
  }
  if (txHash === null || mined.block > (await chain.settledBlock())) return;
  const records = recordsOf(await store.members(db, id), mined);
  await store.confirmed(db, events, id, { txHash, recordedAt: mined.at, records }, clock());
}

/**
 * One transaction per batch, which the relayer resumes by its name. A snapshot that the registry
 * refuses leaves the batch. Null when none is left.
 */
async function record(batchId: bigint, failures: number, round: Round): Promise<Hex | null> {
  const { db, store, chain, relayer } = round;
  for (let reverted = failures; ; ) {
    try {
      const receipt = await relayer.run(`alignment-batch:${batchId}:${reverted}`, async () =>
        chain.recordCall(await currentMembers(batchId, round)),
      );
      return receipt.transactionHash;
    } catch (error) {
      await round.goOn();
      const members = await store.members(db, batchId);
      if (members.length === 0) return null;
      const earlier = await chain.recordedIn(members);
      if (earlier !== null) return earlier;
      if (error instanceof RevertedError) {
        reverted += 1;
        await store.failed(db, batchId, reverted);
      }
      const refused = isRefusal(error) ? await chain.refused(members) : [];
      if (refused.length === 0) throw error;
      // It may have been mined in between, which also makes every record of it outdated.
      const late = await chain.recordedIn(members);
      if (late !== null) return late;
      await store.drop(db, batchId, refused);
    }
  }
}

/**
 * The members of a batch that can still be recorded: the registry does not know how old a state is,
 * and whether the soul is valid. The others leave the batch.
 *
 * @throws Error when none is left.
 */
async function currentMembers(
  batchId: bigint,
  { db, store, scoring, chain }: Round,
): Promise<readonly ArchivedSnapshot[]> {
  const members = await store.members(db, batchId);
  const ended = await scoring.ended(members);
  if (ended.length > 0) await store.drop(db, batchId, ended);
  const gone = new Set(ended.map(({ id }) => id));
  const oldest = await oldestState(chain);
  const valid = members.filter(({ id }) => !gone.has(id));
  const old = valid.filter(({ scoredAt }) => scoredAt < oldest);
  if (old.length > 0) {
    await store.recompute(
      db,
      old.map(({ id }) => id),
    );
  }
  const left = valid.filter((member) => !old.includes(member));
  if (left.length === 0) throw new Error("No snapshot of this batch can be recorded any more.");
  return left;
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
