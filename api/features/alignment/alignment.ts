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
  UnclaimedReads,
} from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { byTokenId, noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import { type ValidityStatus, validityOf } from "../../soul/validity.ts";
import { scoredFrom } from "./new-agent.ts";
import type { Scoring } from "./snapshots/scoring.ts";
import type { SnapshotProgress } from "./snapshots/snapshot.ts";

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

/** The scores that the chain has of an agent. */
export interface ScoreHistory {
  /** Those of one epoch, the newest first. */
  list(tokenId: bigint, epoch: number, limit: number): Promise<readonly RecordedScore[]>;
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

/** The record of an agent's score that the chain has. */
export interface OnChainAlignment {
  readonly score: number;
  /** Of the record before it in this epoch; null for the first. */
  readonly previousScore: number | null;
  readonly breakdown: AlignmentBreakdown;
  readonly used: UsedFacts;
  readonly scoredBlock: bigint;
  readonly scoredAt: Date;
  readonly recordedAt: Date;
  readonly archiveId: string;
  readonly txHash: Hex;
}

/** What is known of an agent's alignment. */
export interface StoredAlignment {
  readonly agentName: string;
  /** Null before the claim. */
  readonly tokenId: bigint | null;
  readonly passportId: bigint | null;
  readonly soulValidity: ValidityStatus;
  readonly isNewAgent: boolean;
  readonly isProvisional: boolean;
  /** Of the present epoch; null without a score. */
  readonly recorded: OnChainAlignment | null;
  /** Whole hours since the block that was scored, in chain time. */
  readonly ageHours: number | null;
  readonly isFresh: boolean;
  readonly message: string;
}

/** The score as it would be now. */
export interface CalculatedAlignment {
  readonly agentName: string;
  readonly tokenId: bigint;
  readonly score: number | null;
  readonly breakdown: AlignmentBreakdown;
  readonly used: UsedFacts;
  readonly isNewAgent: boolean;
  readonly isProvisional: boolean;
  /** The last recorded score of this epoch; null without one. */
  readonly previousScore: number | null;
  /** Whether the chain has this very score as the last one. */
  readonly onChainRecorded: boolean;
  readonly calculatedAt: Date;
  readonly message: string;
}

export interface AlignmentDeps {
  /** Ownership never older than the maximum age of the index. */
  readonly reads: IndexedAgents;
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly history: ScoreHistory;
  readonly storage: {
    read(id: string): Promise<{ readonly data: Uint8Array } | null>;
  };
  readonly scoring: Pick<Scoring, "current">;
  /** How far the agent's last snapshot has come; null without one. */
  readonly progress: (tokenId: bigint) => Promise<SnapshotProgress | null>;
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

export type AlignmentService = ReturnType<typeof createAlignmentService>;

/** Scores as the chain has them, with what they rest on, and as they would be now. */
export function createAlignmentService(deps: AlignmentDeps) {
  const { reads, history, storage } = deps;
  // An id names one content for ever, so what is remembered is never old.
  const known = new LRUCache<string, ReadSnapshot>({ maxSize: REMEMBERED_BYTES });
  const running = new Map<bigint, ReturnType<Scoring["current"]>>();

  /** One calculation of an agent at a time, which all that ask meanwhile share. */
  function currentOf(tokenId: bigint): ReturnType<Scoring["current"]> {
    const shared = running.get(tokenId);
    if (shared !== undefined) return shared;
    const calculation = deps.scoring.current(tokenId).finally(() => running.delete(tokenId));
    running.set(tokenId, calculation);
    return calculation;
  }

  /** @throws ApiError STORAGE_UNAVAILABLE; INTERNAL for what is no snapshot. */
  async function snapshotOf(id: string): Promise<ReadSnapshot> {
    const remembered = known.get(id);
    if (remembered !== undefined) return remembered;
    const item = await storage.read(id);
    if (item === null) {
      throw new ApiError("STORAGE_UNAVAILABLE", { details: { arweaveTxId: id } });
    }
    const snapshot = readSnapshot(item.data);
    known.set(id, snapshot, { size: item.data.byteLength });
    return snapshot;
  }

  /**
   * @throws ApiError NOT_FOUND; STORAGE_UNAVAILABLE when the snapshot's inputs cannot be read;
   * INTERNAL when they give another score than the chain's.
   */
  async function stored(ref: SoulRef): Promise<Reading<StoredAlignment>> {
    const { at, value, checkedAt } = await reads.agent(ref);
    if (value === null) {
      const waiting = ref.kind === "name" ? await deps.unclaimed(ref.name) : null;
      if (waiting === null) throw noSuchSoul(ref);
      return { at, value: unclaimedAlignment(waiting.name) };
    }
    const { soul } = value;
    const [last, previous] = await history.list(soul.tokenId, soul.epoch, 2);
    const recorded =
      last === undefined ? null : await onChain(value, last, previous?.score ?? null);
    return { at, value: storedAlignment(value, recorded, checkedAt ?? at.timestamp) };
  }

  async function onChain(
    { soul }: IndexedAgent,
    { score, scoredBlock, recordedAt, archiveId, txHash }: RecordedScore,
    previousScore: number | null,
  ): Promise<OnChainAlignment> {
    const id = storageIdOf(archiveId);
    const { document, used } = await snapshotOf(id);
    const { block, breakdown } = document;
    const isRecorded =
      document.tokenId === soul.tokenId &&
      document.epoch === soul.epoch &&
      document.score === score &&
      block.number === scoredBlock;
    if (!isRecorded) throw contradiction(id);
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

  return {
    stored,

    progress: deps.progress,

    /** Null without a score in the present epoch. */
    async picture(tokenId: bigint): Promise<AlignmentPicture | null> {
      const { value } = await requireAgent(reads, byTokenId(tokenId));
      const scores = await history.list(tokenId, value.soul.epoch, PICTURED);
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
      const [last] = await history.list(tokenId, epoch, 1);
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
      const { agent, alignment, at } = current;
      if (agent.status === "BURNED") throw new ApiError("BURNED");
      const { breakdown, used, isNewAgent, isProvisional } = alignment;
      const score = isProvisional ? null : alignment.score;
      const onChainRecorded = score !== null && score === agent.recordedScore;
      return {
        at,
        value: {
          agentName: agent.agentName,
          tokenId,
          score,
          breakdown,
          used,
          isNewAgent,
          isProvisional,
          previousScore: agent.recordedScore,
          onChainRecorded,
          calculatedAt: dateOf(at.timestamp),
          message: calculatedMessage({
            isNewAgent,
            isProvisional,
            onChainRecorded,
            isHeldBySealer: agent.isHeldBySealer,
          }),
        },
      };
    },
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

function contradiction(id: string): ApiError {
  return new ApiError("INTERNAL", {
    cause: new Error(`The archived snapshot ${id} is not the recorded one.`),
  });
}

function storedAlignment(
  agent: IndexedAgent,
  recorded: OnChainAlignment | null,
  now: bigint,
): StoredAlignment {
  const { soul } = agent;
  const { name: agentName, tokenId, passportId, status } = soul;
  const scoredAt = soul.alignmentAt;
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
    message: storedMessage({ status, isNewAgent, isProvisional, ageHours }),
  };
}

function unclaimedAlignment(agentName: string): StoredAlignment {
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
  };
}

const NOT_SEALED = "The soul is not sealed. It has no score.";
const SUSPENDED =
  "The soul is suspended. No score can be recorded until its passport's owner reseals it.";
const NEW_AGENT = "The agent, or its present epoch, is under 30 days old. It has no score yet.";

function storedMessage({
  status,
  isNewAgent,
  isProvisional,
  ageHours,
}: Pick<StoredAlignment, "isNewAgent" | "isProvisional" | "ageHours"> & {
  readonly status: IndexedAgent["soul"]["status"];
}): string {
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
  if (isProvisional) return NOT_SEALED;
  if (isNewAgent) return NEW_AGENT;
  return "No score is on chain yet. The agent or its owner can ask for one with POST /v1/snapshot.";
}

function calculatedMessage({
  isNewAgent,
  isProvisional,
  onChainRecorded,
  isHeldBySealer,
}: Pick<CalculatedAlignment, "isNewAgent" | "isProvisional" | "onChainRecorded"> & {
  readonly isHeldBySealer: boolean;
}): string {
  if (isProvisional) return NOT_SEALED;
  if (!isHeldBySealer) return SUSPENDED;
  if (isNewAgent) return NEW_AGENT;
  return onChainRecorded
    ? "The last score on chain is the same."
    : "This score is not on chain. POST /v1/snapshot records it.";
}
