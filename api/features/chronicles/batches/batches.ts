import type { Hex } from "viem";
import { batchList, buildChronicleTree, ZERO_HASH } from "../../../../protocol/index.ts";
import { RevertedError } from "../../../kernel/errors.ts";
import type { Call, Lease, Relayer } from "../../../platform/chain/transactions.ts";
import type { ChronicleDeployment } from "../content.ts";

/** See the table `chronicle_batch` for what they mean. */
export const BATCH_STAGES = ["open", "built", "anchored", "confirmed"] as const;

/** A batch on its way. */
export interface ChronicleBatch {
  readonly id: bigint;
  readonly stage: (typeof BATCH_STAGES)[number];
  readonly leafCount: number;
  /** Null while open, like the two after it. */
  readonly root: Hex | null;
  readonly previousRoot: Hex | null;
  readonly archiveId: string | null;
  /** Null unless it is mined. */
  readonly txHash: Hex | null;
  /** How many of its transactions were mined and reverted. */
  readonly failures: number;
}

/** A chronicle that becomes a member of a batch. */
export interface BatchMember {
  /** Its place in the order of arrival. */
  readonly seq: bigint;
  readonly tokenId: bigint;
  readonly chronicleId: bigint;
  readonly leaf: Hex;
  readonly archiveId: string;
}

/** What is fixed once a batch is built. */
export interface BuiltBatch {
  readonly root: Hex;
  readonly previousRoot: Hex;
  readonly archiveId: string;
}

/** The members of a batch in the order of its tree. */
export interface BuiltMembers {
  /** Of each member. */
  readonly seqs: readonly bigint[];
  /** The siblings of the member at `position`, 32 bytes each, concatenated. */
  proofOf(position: number): Uint8Array;
}

export interface BatchStore {
  /** Batches that are not confirmed, in the order of their ids. */
  listUnconfirmed(): Promise<ChronicleBatch[]>;
  /** The last batch, at any stage; null before the first. */
  last(): Promise<ChronicleBatch | null>;
  /**
   * Members for the batch `id`, in pieces: those of an open batch, or else what is queued, the oldest first,
   * at most `maxLeaves`.
   */
  members(id: bigint, isOpen: boolean, maxLeaves: number): AsyncIterable<readonly BatchMember[]>;
  /**
   * Writes a built batch and its members in one transaction. Null, and without an effect, when another process built this batch
   * or took one of its members.
   */
  add(
    id: bigint,
    isOpen: boolean,
    batch: BuiltBatch,
    members: BuiltMembers,
  ): Promise<ChronicleBatch | null>;
  /** The batch is mined; a job that looks at it again is put into the queue with it. Does nothing unless it is built. */
  anchored(batchId: bigint, mined: { readonly txHash: Hex; readonly block: bigint }): Promise<void>;
  /** Its transaction was mined and reverted: the next one is another operation. */
  failed(batchId: bigint, failures: number): Promise<void>;
  /** Its block was given up: it is built, and no more. */
  unanchored(batchId: bigint): Promise<void>;
  confirmed(batchId: bigint): Promise<void>;
  /** Puts a job into the queue that looks at what is not confirmed yet. */
  checkAgain(): Promise<void>;
  /** Confirmed batches whose chronicles' webhooks have not all been notified. */
  listUnannounced(): Promise<bigint[]>;
  /** Tells the webhooks of the next few chronicles; resolves to whether more are left. */
  announceSome(batchId: bigint): Promise<boolean>;
}

/** The anchor contract as the batch job uses it. */
export interface AnchorChain {
  /** How many batches the contract has, as of the latest block. */
  batchCount(): Promise<bigint>;
  /** Zero for a batch that it does not have. */
  rootOf(batchId: bigint): Promise<Hex>;
  anchorCall(batch: BuiltBatch & { readonly batchId: bigint; readonly leafCount: number }): Call;
  /** The transaction that anchored a batch, and its block; null for none. */
  anchoredIn(
    batchId: bigint,
    root: Hex,
  ): Promise<{ readonly txHash: Hex; readonly block: bigint } | null>;
  /** The block in which a transaction succeeded, in the chain as it is now; null when it is in none. */
  minedIn(txHash: Hex): Promise<bigint | null>;
  /** The last block that is deep enough to be relied on. */
  settledBlock(): Promise<bigint>;
}

export interface ChronicleBatchDeps {
  readonly deployment: ChronicleDeployment;
  readonly store: BatchStore;
  readonly chain: AnchorChain;
  readonly relayer: Pick<Relayer, "run">;
  readonly archive: {
    archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
  };
  readonly lease: Lease;
  /** Most chronicles in one batch. */
  readonly maxLeaves?: number;
}

/** What one run did. */
export interface BatchReport {
  /** Ids of the batches that were mined in this run, and of those that were confirmed. */
  readonly anchored: readonly bigint[];
  readonly confirmed: readonly bigint[];
  /** Batches that are mined, but not deep enough yet. */
  readonly waiting: number;
}

/** The contract has other batches than the database: another account anchored, or a backup was restored. */
export class BatchConflictError extends Error {
  override readonly name = "BatchConflictError";
}

/** A batch of this size is built within some 50 MB. */
const MAX_LEAVES = 100_000;
/** Another process that works on batches is waited for this long, in milliseconds. */
const LEASE_WAIT_MS = 5_000;

export type ChronicleBatches = ReturnType<typeof createChronicleBatches>;

/** Puts queued chronicles on chain, one Merkle root per batch. */
export function createChronicleBatches(deps: ChronicleBatchDeps) {
  const { maxLeaves = MAX_LEAVES } = deps;
  return {
    /**
     * Finishes what was begun, batches what is queued now, and confirms what is deep enough. What is queued meanwhile waits for the
     * next run. Every step is atomic and can be repeated, so the next run continues one that was killed.
     *
     * @throws LeaseUnavailableError while another process does this; the error that stops a batch, which the next run continues.
     */
    run: (signal?: AbortSignal) =>
      alone(deps, signal, async (goOn, report) => {
        await advanceAll(deps, goOn, report);
        for (let isFull = true; isFull; ) {
          await goOn();
          const built = await buildNext(deps);
          if (!built) return;
          await advance(deps, built, report);
          isFull = built.leafCount === maxLeaves;
        }
      }),

    /** As `run`, but begins nothing. */
    follow: (signal?: AbortSignal) =>
      alone(deps, signal, (goOn, report) => advanceAll(deps, goOn, report)),
  };
}

interface Progress {
  readonly anchored: bigint[];
  readonly confirmed: bigint[];
}

function alone(
  { lease, store }: ChronicleBatchDeps,
  signal: AbortSignal | undefined,
  work: (goOn: () => Promise<void>, report: Progress) => Promise<void>,
): Promise<BatchReport> {
  return lease.hold("chronicle-batch", LEASE_WAIT_MS, async (assertHeld) => {
    const goOn = async () => {
      signal?.throwIfAborted();
      await assertHeld();
    };
    const report: Progress = { anchored: [], confirmed: [] };
    await work(goOn, report);
    for (const batchId of await store.listUnannounced()) {
      while (await store.announceSome(batchId)) await goOn();
    }
    const waiting = (await store.listUnconfirmed()).length;
    if (waiting > 0) await store.checkAgain();
    return { ...report, waiting };
  });
}

async function advanceAll(
  deps: ChronicleBatchDeps,
  goOn: () => Promise<void>,
  report: Progress,
): Promise<void> {
  for (const batch of await deps.store.listUnconfirmed()) {
    await goOn();
    const built = batch.stage === "open" ? await build(deps, batch.id, true) : batch;
    if (built) await advance(deps, built, report);
  }
}

/** Drives one batch as far as it goes now. */
async function advance(
  deps: ChronicleBatchDeps,
  batch: ChronicleBatch,
  report: Progress,
): Promise<void> {
  const { store, chain } = deps;
  const { id } = batch;
  let txHash = batch.txHash;
  let block = txHash === null ? null : await chain.minedIn(txHash);
  if (block === null) {
    if (txHash !== null) await store.unanchored(id);
    const mined = await anchor(deps, batch, contentsOf(batch));
    await store.anchored(id, mined);
    report.anchored.push(id);
    ({ txHash, block } = mined);
  }
  if (block > (await chain.settledBlock())) return;
  await store.confirmed(id);
  report.confirmed.push(id);
}

/**
 * Builds a batch and writes it. Nothing of it is stored before, but for its archived list: a process that is killed leaves the
 * members in the queue. Null without any, or when another process built this batch.
 */
async function build(
  { store, chain, archive, deployment, maxLeaves = MAX_LEAVES }: ChronicleBatchDeps,
  id: bigint,
  isOpen: boolean,
): Promise<ChronicleBatch | null> {
  const members: BatchMember[] = [];
  for await (const some of store.members(id, isOpen, maxLeaves)) members.push(...some);
  if (members.length === 0) return null;
  const previousRoot = id === 1n ? ZERO_HASH : await chain.rootOf(id - 1n);
  if (id > 1n && previousRoot === ZERO_HASH) {
    throw new BatchConflictError(`The contract has no batch ${id - 1n} yet.`);
  }
  // Hexadecimal of one length is in the order of its bytes.
  members.sort((a, b) => (a.leaf < b.leaf ? -1 : 1));
  const tree = buildChronicleTree(concatHex(members.map(({ leaf }) => leaf)));
  const archiveId = await archive.archive({
    data: listOf(deployment, id, previousRoot, members),
    contentType: "application/json",
  });
  return store.add(
    id,
    isOpen,
    { root: tree.root, previousRoot, archiveId },
    { seqs: members.map(({ seq }) => seq), proofOf: tree.proofBytes },
  );
}

/** The list of a batch's leaves, as it is archived. */
function listOf(
  { chainId, chronicleAnchor }: ChronicleDeployment,
  batchId: bigint,
  previousRoot: Hex,
  members: readonly BatchMember[],
): Uint8Array {
  const leafCount = members.length;
  const head = batchList.head({ chainId, chronicleAnchor, batchId, previousRoot, leafCount });
  const entries = members.map(batchList.entry).join(batchList.separator);
  return Buffer.from(head + entries + batchList.tail);
}

/** One transaction per batch, resumed by the relayer under its name; a reverted one is followed by another of the same batch. */
async function anchor(
  { relayer, chain, store }: ChronicleBatchDeps,
  { id: batchId, leafCount, failures }: ChronicleBatch,
  built: BuiltBatch,
): Promise<{ txHash: Hex; block: bigint }> {
  try {
    const receipt = await relayer.run(`chronicle-batch:${batchId}:${failures}`, async () =>
      chain.anchorCall({ ...built, batchId, leafCount }),
    );
    return { txHash: receipt.transactionHash, block: receipt.blockNumber };
  } catch (error) {
    const onChain = await chain.rootOf(batchId);
    const mined = onChain === built.root ? await chain.anchoredIn(batchId, onChain) : null;
    if (mined) return mined;
    if (onChain !== ZERO_HASH && onChain !== built.root) {
      throw new BatchConflictError(
        `The contract's batch ${batchId} has the root ${onChain}, the database's ${built.root}.`,
        { cause: error },
      );
    }
    if (error instanceof RevertedError) await store.failed(batchId, failures + 1);
    throw error;
  }
}

async function buildNext(deps: ChronicleBatchDeps): Promise<ChronicleBatch | null> {
  const lastId = (await deps.store.last())?.id ?? 0n;
  const anchored = await deps.chain.batchCount();
  if (anchored !== lastId) {
    throw new BatchConflictError(
      `The contract has ${anchored} batches, the database ${lastId}: nothing can be added until they agree.`,
    );
  }
  return build(deps, lastId + 1n, false);
}

function contentsOf({ id, root, previousRoot, archiveId }: ChronicleBatch): BuiltBatch {
  if (root && previousRoot && archiveId) return { root, previousRoot, archiveId };
  throw new Error(`Batch ${id} is not built.`);
}

function concatHex(hashes: readonly Hex[]): Uint8Array {
  return Buffer.from(hashes.map((hash) => hash.slice(2)).join(""), "hex");
}
