import { LRUCache } from "lru-cache";
import type { Hex } from "viem";
import type {
  AlignmentBreakdown,
  AlignmentComponent,
  AlignmentDocument,
  AlignmentFact,
} from "../../../protocol/index.ts";
import {
  alignmentOf,
  InvalidAlignmentDocumentError,
  parseAlignmentDocument,
  storageIdOf,
} from "../../../protocol/index.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { ApiError } from "../../kernel/errors.ts";
import type {
  IndexedAgent,
  IndexedAgents,
  Reading,
  SoulStatus,
  UnclaimedReads,
} from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { byTokenId, noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";
import type { CurrentAlignment } from "./facts/facts.ts";
import { scoredFrom } from "./snapshots/snapshot.ts";

/** A score that is on chain. */
export interface RecordedScore {
  readonly score: number;
  /** The block whose state was scored. */
  readonly scoredBlock: bigint;
  /** Unix seconds of the block that recorded it. */
  readonly recordedAt: bigint;
  readonly archiveId: Hex;
  readonly txHash: Hex;
}

/** What the picture of an agent's alignment shows. */
export interface AlignmentPicture {
  readonly score: number;
  /** Null when permanent storage does not answer, or has no snapshot of this score. */
  readonly breakdown: AlignmentBreakdown | null;
  /** Scores of this epoch, the oldest first: the last one is `score`. */
  readonly history: readonly { readonly score: number; readonly at: Date }[];
}

/** The archive item of an agent's last score. */
export interface LastSnapshot {
  readonly tokenId: bigint;
  readonly agentName: string;
  /** Null without a score in the present epoch. */
  readonly snapshotId: string | null;
}

/** The facts that each component used. */
export type UsedFacts = Readonly<Record<AlignmentComponent, readonly AlignmentFact[]>>;

export interface AlignmentDeps {
  /** Ownership never older than the maximum age of the index. */
  readonly reads: IndexedAgents;
  readonly unclaimed: UnclaimedReads["unclaimed"];
  /** Scores of one epoch, the newest first. */
  readonly history: (
    tokenId: bigint,
    epoch: number,
    limit: number,
  ) => Promise<readonly RecordedScore[]>;
  readonly storage: {
    read(id: string): Promise<{ readonly data: Uint8Array } | null>;
  };
  /** The score of one agent now; null when it is not indexed. */
  readonly current: (tokenId: bigint) => Promise<CurrentAlignment | null>;
  /** Notes for operators what is wrong with a stored snapshot. */
  readonly report: (error: ApiError) => void;
}

const HOUR_SECONDS = 3600n;
/** Newest scores that are pictured. */
const PICTURED = 100;
/** Snapshots of this size in all are remembered: some thousands, of a few kilobytes each. */
const REMEMBERED_BYTES = 16 * 1024 * 1024;
/** A younger snapshot is fresh. */
const FRESH_HOURS = 24;

/** Scores as the chain has them, with what they rest on, and as they would be now. */
export function createAlignmentService(deps: AlignmentDeps) {
  const { reads, history } = deps;
  const snapshotOf = rememberedSnapshots(deps.storage);
  const currentOf = sharedCalculations(deps.current);
  const onChain = async (agent: IndexedAgent, score: RecordedScore, previous: number | null) =>
    onChainAlignment(agent, score, previous, await snapshotOf(storageIdOf(score.archiveId)));

  return {
    /**
     * The score that is on chain, with everything that it rests on.
     *
     * @throws ApiError NOT_FOUND; STORAGE_UNAVAILABLE when the snapshot's inputs cannot be read;
     * INTERNAL when they give another score than the chain's.
     */
    async stored(ref: SoulRef): Promise<Reading<StoredAlignment>> {
      const { at, value, checkedAt } = await reads.agent(ref);
      if (value === null) {
        const waiting = ref.kind === "name" ? await deps.unclaimed(ref.name) : null;
        if (waiting === null) throw noSuchSoul(ref);
        return { at, value: unclaimedAlignment(waiting.name) };
      }
      const { soul } = value;
      const [last, previous] = await history(soul.tokenId, soul.epoch, 2);
      const recorded =
        last === undefined ? null : await onChain(value, last, previous?.score ?? null);
      return { at, value: storedAlignment(value, recorded, checkedAt ?? at.timestamp) };
    },

    /** Null without a score in the present epoch. */
    async picture(tokenId: bigint): Promise<AlignmentPicture | null> {
      const { value } = await requireAgent(reads, byTokenId(tokenId));
      const scores = await history(tokenId, value.soul.epoch, PICTURED);
      const [last] = scores;
      if (last === undefined) return null;
      // The score stands on chain: the page is shown with it, even when the stored item is wrong.
      const recorded = await onChain(value, last, null).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (error.type !== "STORAGE_UNAVAILABLE" && error.type !== "INTERNAL") throw error;
        deps.report(error);
        return null;
      });
      return {
        score: last.score,
        breakdown: recorded?.breakdown ?? null,
        history: scores
          .map(({ score, recordedAt }) => ({ score, at: dateOf(recordedAt) }))
          .toReversed(),
      };
    },

    /** @throws ApiError NOT_FOUND */
    async lastSnapshot(ref: SoulRef): Promise<Reading<LastSnapshot>> {
      const { at, value } = await requireAgent(reads, ref);
      const { tokenId, name: agentName, epoch } = value.soul;
      const [last] = await history(tokenId, epoch, 1);
      const snapshotId = last === undefined ? null : storageIdOf(last.archiveId);
      return { at, value: { tokenId, agentName, snapshotId } };
    },

    /** @throws ApiError NOT_FOUND */
    async tokenIdOf(ref: SoulRef): Promise<bigint> {
      return (await requireAgent(reads, ref)).value.soul.tokenId;
    },

    /** @throws ApiError NOT_FOUND; BURNED; STORAGE_UNAVAILABLE */
    async calculate(tokenId: bigint): Promise<Reading<CalculatedAlignment>> {
      const current = await currentOf(tokenId);
      if (current === null) throw noSuchSoul(byTokenId(tokenId));
      if (current.agent.status === "BURNED") throw new ApiError("BURNED");
      return { at: current.at, value: calculatedAlignment(current) };
    },
  };
}

/** One calculation of an agent at a time, which all that ask meanwhile share. */
function sharedCalculations(current: AlignmentDeps["current"]): AlignmentDeps["current"] {
  const running = new Map<bigint, ReturnType<typeof current>>();
  return (tokenId) => {
    const shared = running.get(tokenId);
    if (shared !== undefined) return shared;
    const calculation = current(tokenId).finally(() => running.delete(tokenId));
    running.set(tokenId, calculation);
    return calculation;
  };
}

/** Reads the snapshots of permanent storage. An id names one content for ever: it is never old. */
function rememberedSnapshots(storage: AlignmentDeps["storage"]) {
  const known = new LRUCache<string, ReadSnapshot>({ maxSize: REMEMBERED_BYTES });
  /** @throws ApiError STORAGE_UNAVAILABLE; INTERNAL for what is no snapshot. */
  return async (id: string): Promise<ReadSnapshot> => {
    const remembered = known.get(id);
    if (remembered !== undefined) return remembered;
    const item = await storage.read(id);
    if (item === null) {
      throw new ApiError("STORAGE_UNAVAILABLE", { details: { arweaveTxId: id } });
    }
    const snapshot = readSnapshot(item.data);
    known.set(id, snapshot, { size: item.data.byteLength });
    return snapshot;
  };
}

/** A snapshot's document, with the facts that each component used. */
interface ReadSnapshot {
  readonly document: AlignmentDocument;
  readonly used: UsedFacts;
}

function readSnapshot(data: Uint8Array): ReadSnapshot {
  let document: AlignmentDocument;
  try {
    document = parseAlignmentDocument(data);
  } catch (cause) {
    if (!(cause instanceof InvalidAlignmentDocumentError)) throw cause;
    throw new ApiError("INTERNAL", { cause });
  }
  const { tokenId, epoch, block } = document;
  const facts = [...document.facts, ...document.offChain];
  const { used } = alignmentOf(facts, { tokenId, epoch, timestamp: block.timestamp });
  return { document, used };
}

export type OnChainAlignment = ReturnType<typeof onChainAlignment>;

/** @throws ApiError INTERNAL when the snapshot is not the one that is recorded. */
function onChainAlignment(
  { soul }: IndexedAgent,
  { score, scoredBlock, recordedAt, archiveId, txHash }: RecordedScore,
  /** Of the record before it in this epoch; null for the first. */
  previousScore: number | null,
  { document, used }: ReadSnapshot,
) {
  const id = storageIdOf(archiveId);
  const { block, breakdown } = document;
  const isRecorded =
    document.tokenId === soul.tokenId &&
    document.epoch === soul.epoch &&
    document.score === score &&
    block.number === scoredBlock;
  if (!isRecorded) {
    const cause = new Error(`The archived snapshot ${id} is not the recorded one.`);
    throw new ApiError("INTERNAL", { cause });
  }
  return {
    score,
    previousScore,
    breakdown,
    used,
    scoredBlock,
    scoredAt: dateOf(block.timestamp),
    recordedAt: dateOf(recordedAt),
    archiveId: id,
    txHash,
  };
}

/** What is known of an agent's alignment, before the claim too. */
export type StoredAlignment = ReturnType<typeof storedAlignment | typeof unclaimedAlignment>;

function storedAlignment(agent: IndexedAgent, recorded: OnChainAlignment | null, now: bigint) {
  const { soul } = agent;
  const { name: agentName, tokenId, passportId, status } = soul;
  const scoredAt = soul.alignmentAt;
  // Whole hours since the block that was scored, in chain time.
  const ageHours =
    recorded === null || scoredAt === null ? null : Number((now - scoredAt) / HOUR_SECONDS);
  const isNewAgent = now < scoredFrom(soul);
  const isProvisional = status === "PROVISIONAL";
  return {
    agentName,
    tokenId,
    passportId,
    soulValidity: validityOf(agent),
    isNewAgent,
    isProvisional,
    recorded,
    ageHours,
    isFresh: ageHours !== null && ageHours < FRESH_HOURS,
    message: storedMessage(status, isNewAgent, ageHours),
  };
}

function unclaimedAlignment(agentName: string) {
  return {
    agentName,
    tokenId: null,
    passportId: null,
    soulValidity: "not_linked",
    isNewAgent: true,
    isProvisional: true,
    recorded: null,
    ageHours: null,
    isFresh: false,
    message: "The agent waits for its owner to claim it. It has no score.",
  } as const;
}

/** The score as it would be now. */
export type CalculatedAlignment = ReturnType<typeof calculatedAlignment>;

function calculatedAlignment({ agent, alignment, at }: CurrentAlignment) {
  const { agentName, tokenId, recordedScore, isHeldBySealer } = agent;
  const { breakdown, used, isNewAgent, isProvisional } = alignment;
  const score = isProvisional ? null : alignment.score;
  const onChainRecorded = score !== null && score === recordedScore;
  return {
    agentName,
    tokenId,
    score,
    breakdown,
    previousScore: recordedScore,
    onChainRecorded,
    isNewAgent,
    isProvisional,
    calculatedAt: dateOf(at.timestamp),
    used,
    message: calculatedMessage(alignment, isHeldBySealer, onChainRecorded),
  };
}

const NOT_SEALED = "The soul is not sealed. It has no score.";
const SUSPENDED =
  "The soul is suspended. No score can be recorded until its passport's owner reseals it.";
const NEW_AGENT = "The agent, or its present epoch, is under 30 days old. It has no score yet.";

function storedMessage(status: SoulStatus, isNewAgent: boolean, ageHours: number | null): string {
  if (status === "BURNED") {
    return ageHours === null
      ? "The soul is burned. It had no score."
      : "The soul is burned. This is its last score.";
  }
  if (ageHours !== null) {
    return ageHours < FRESH_HOURS
      ? "This score is on chain, and less than 24 hours old."
      : `This score is on chain, and ${ageHours} hours old. The agent or its owner can ask for a new one with POST /v1/snapshot.`;
  }
  if (status === "PROVISIONAL") return NOT_SEALED;
  if (isNewAgent) return NEW_AGENT;
  return "No score is on chain yet. The agent or its owner can ask for one with POST /v1/snapshot.";
}

function calculatedMessage(
  { isNewAgent, isProvisional }: CurrentAlignment["alignment"],
  isHeldBySealer: boolean,
  onChainRecorded: boolean,
): string {
  if (isProvisional) return NOT_SEALED;
  if (!isHeldBySealer) return SUSPENDED;
  if (isNewAgent) return NEW_AGENT;
  return onChainRecorded
    ? "The last score on chain is the same."
    : "This score is not on chain. POST /v1/snapshot records it.";
}
