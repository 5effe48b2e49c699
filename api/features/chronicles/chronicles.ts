import type { Address, Hex } from "viem";
import type { ChronicleCategory, RecordEvolutionMessage } from "../../../protocol/index.ts";
import { chronicleLeaf } from "../../../protocol/index.ts";
import { authoriseOn } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ListPage } from "../../kernel/list-pages.ts";
import type { OperationEngine, PreparedMessage } from "../../operations/engine.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import type {
  ChronicleDeployment,
  ChronicleDraft,
  ChronicleInput,
  CompleteEffect,
} from "./content.ts";
import { chronicleDraft, chroniclePublication, completed } from "./content.ts";
import { type DailyLimit, dailyLimit, dayIsFull } from "./daily-limit.ts";
import type { ChronicleEntry, OwnerEvidence } from "./entries.ts";
import type { ChangeDraft, SignedChronicleStore, signedChronicleOperations } from "./evolutions.ts";

/**
 * How far a chronicle has come. `batched`: its batch is mined; `confirmed`: mined deep enough, or
 * recorded on chain by itself.
 */
export type ChronicleStatus = "queued" | "batched" | "confirmed";

/** A chronicle on record, and how far it has come. */
export interface RecordedChronicle extends ChronicleEntry {
  readonly chronicleId: bigint;
  readonly leaf: Hex;
  readonly status: ChronicleStatus;
  readonly batchId: bigint | null;
  /** Of its batch, or its own when it was recorded at once; null while queued. */
  readonly txHash: Hex | null;
}

/** Where a chronicle stands in its batch. */
export interface ChronicleInclusion {
  readonly merkleProof: readonly Hex[];
  readonly root: Hex;
  readonly leavesArchiveId: string;
}

export interface ChronicleStore extends SignedChronicleStore {
  /**
   * Adds a queued chronicle. One that the same operation added before is returned as it is. Null
   * when the day is full.
   */
  append(
    entry: ChronicleEntry,
    limit: DailyLimit | null,
    leafOf: (chronicleId: bigint) => Hex,
    due: { readonly at: Date },
  ): Promise<RecordedChronicle | null>;
  /** By the signer's nonce. */
  findSigned(signer: Address, nonce: bigint): Promise<RecordedChronicle | null>;
  find(tokenId: bigint, chronicleId: bigint): Promise<RecordedChronicle | null>;
  inclusion(tokenId: bigint, chronicleId: bigint): Promise<ChronicleInclusion | null>;
  list(
    tokenId: bigint,
    filter: ChronicleFilter,
    page: ListPage<ChroniclePosition>,
  ): Promise<ChroniclePage>;
}

export interface ChronicleFilter {
  readonly category?: ChronicleCategory | undefined;
  readonly changeType?: string | undefined;
}

/** Where a chronicle is in its agent's list. */
export type ChroniclePosition = Pick<RecordedChronicle, "chronicleId">;

/** A page of an agent's chronicles, the newest first. */
export interface ChroniclePage {
  /** Of all pages. */
  readonly total: number;
  readonly chronicles: readonly RecordedChronicle[];
  /** Where the next page begins; null on the last page. */
  readonly next: ChroniclePosition | null;
}

export interface ChronicleDeps {
  readonly deployment: ChronicleDeployment;
  readonly souls: ChainSouls;
  readonly archive: {
    archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
  };
  /** EIP-712 digest of a message on this deployment. */
  readonly digestOf: (message: RecordEvolutionMessage) => Hex;
  readonly signatures: {
    assertSignedBy(signer: Address, digest: Hex, signature: Hex): Promise<void>;
  };
  readonly store: ChronicleStore;
  readonly operations: Pick<OperationEngine, "prepare" | "perform" | "settle">;
  /** What owners sign. */
  readonly signed: ReturnType<typeof signedChronicleOperations>;
  readonly clock: () => Date;
}

const HOUR_MS = 60 * 60 * 1000;

export type ChronicleService = ReturnType<typeof createChronicleService>;

/** Records agents' lives: what an agent may add by itself, and what only its owner may change. */
export function createChronicleService(deps: ChronicleDeps) {
  const { souls, store, clock, operations, signed } = deps;

  return {
    /**
     * The message to sign for a chronicle, with a fresh nonce and deadline.
     *
     * @throws ApiError all that `recordSigned` refuses before it checks the signature.
     */
    async prepare(input: ChronicleInput): Promise<PreparedMessage> {
      const draft = completed(chronicleDraft(input));
      const [prepared] = isChange(draft)
        ? await operations.prepare(signed.change, draft)
        : await operations.prepare(signed.record, draft);
      return prepared;
    },

    /**
     * Records by API key or session. The same operation adds one chronicle, however often it is
     * repeated.
     *
     * @throws ApiError WALLET_SIGNATURE_REQUIRED for what only the owner may change;
     * RATE_LIMIT_EXCEEDED past the daily limit.
     */
    async record(input: ChronicleInput, caller: Caller, operationKey: string) {
      const draft = chronicleDraft(input);
      // Both come before the soul is read, so that neither answer tells whether it exists.
      assertNeedsNoSignature(draft);
      if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
      const soul = await requireSoul(souls, draft.tokenId, "registered");
      const authority = authoriseOn(soul, caller, "writes");
      assertSoul(soul, "active");
      const limit = dailyLimit("ordinary", clock());
      // Before anything is archived for good.
      if (!(await store.hasRoom(draft.tokenId, limit))) throw dayIsFull(limit, clock());
      const recorded = await append(deps, draft, soul.epoch, { authority, operationKey }, limit);
      if (!recorded) throw dayIsFull(limit, clock());
      return recorded;
    },

    /**
     * Records what the service itself derives from another operation, which `key` names. It does not
     * count for the day.
     */
    async derive(input: ChronicleInput, key: string): Promise<RecordedChronicle> {
      const draft = chronicleDraft(input);
      const { epoch } = await requireSoul(souls, draft.tokenId, "registered");
      const by = { authority: "service", operationKey: key } as const;
      const recorded = await append(deps, draft, epoch, by, null);
      if (!recorded) throw new Error("A chronicle without a limit was not added.");
      return recorded;
    },

    /**
     * Records by the owner's signature, and carries out what it changes. A repeated signature gives
     * the same answer.
     */
    async recordSigned(input: ChronicleInput, evidence: OwnerEvidence, requester: Requester) {
      const draft = completed(chronicleDraft(input));
      const signatures = [{ role: "owner" as const, ...evidence }];
      if (isChange(draft)) {
        await operations.perform(signed.change, draft, signatures, requester);
      } else {
        const known = await recordedBefore(deps, draft, evidence, requester);
        if (known) return known;
        await operations.settle(signed.record, draft, signatures, requester);
      }
      const recorded = await store.findSigned(evidence.signer, evidence.message.nonce);
      if (!recorded) throw new Error("A chronicle that was just added is not there.");
      return recorded;
    },

    /** A queued chronicle's batch is due at the next full hour. */
    estimatedConfirmation: (recordedAt: Date) =>
      batchDue(recordedAt > clock() ? recordedAt : clock()).at,
    find: store.find,
    inclusion: store.inclusion,
    list: store.list,
  };
}

/** What this signature has recorded already. */
async function recordedBefore(
  { store, digestOf, deployment, signatures }: ChronicleDeps,
  draft: ChronicleDraft,
  { message, signature, signer }: OwnerEvidence,
  { operationKey }: Requester,
): Promise<RecordedChronicle | null> {
  const found = await store.findSigned(signer, message.nonce);
  if (!found?.evidence) return null;
  const digest = digestOf(message);
  const same =
    digestOf(found.evidence.message) === digest &&
    chroniclePublication(draft, found.epoch, deployment).contentHash === found.contentHash;
  if (!same) throw new ApiError("NONCE_USED");
  // The digest proves no signature: anyone can compute it from public values.
  if (found.operationKey !== operationKey && found.evidence.signature !== signature) {
    await signatures.assertSignedBy(signer, digest, signature);
  }
  return found;
}

/** Archives a chronicle and queues it; null when the day is full. */
async function append(
  { deployment, archive, store, clock }: ChronicleDeps,
  draft: ChronicleDraft,
  epoch: number,
  by: Pick<ChronicleEntry, "authority" | "operationKey">,
  limit: DailyLimit | null,
): Promise<RecordedChronicle | null> {
  const { tokenId, category, changeType, data } = draft;
  const { bytes, contentHash } = chroniclePublication(draft, epoch, deployment);
  const entry: ChronicleEntry = {
    tokenId,
    epoch,
    category,
    changeType,
    data,
    contentHash,
    archiveId: await archive.archive({ data: bytes, contentType: "application/json" }),
    recordedAt: clock(),
    newSoulHash: null,
    evidence: null,
    ...by,
  };
  return store.append(entry, limit, leafOf(entry), batchDue(entry.recordedAt));
}

function isChange(draft: ChronicleDraft<CompleteEffect>): draft is ChangeDraft {
  return draft.effect.kind !== "none";
}

/** `<tokenId>-<chronicleId>-<epoch_ms>` */
export function queueIdOf(
  chronicle: Pick<RecordedChronicle, "tokenId" | "chronicleId" | "recordedAt">,
): string {
  return `${chronicle.tokenId}-${chronicle.chronicleId}-${chronicle.recordedAt.getTime()}`;
}

export function leafOf(entry: ChronicleEntry): (chronicleId: bigint) => Hex {
  const timestamp = unixSeconds(entry.recordedAt);
  return (chronicleId) => chronicleLeaf({ ...entry, chronicleId, timestamp });
}

/** When the batch of a chronicle that is queued at `time` is due: at the next full hour. The job is put into the queue with it. */
export function batchDue(time: Date): { readonly at: Date } {
  return { at: new Date((Math.floor(time.getTime() / HOUR_MS) + 1) * HOUR_MS) };
}

/** Rejects a mandatory chronicle without the owner's signature, from any caller. */
function assertNeedsNoSignature(draft: ChronicleDraft): void {
  if (draft.effect.kind === "none") return;
  const { changeType } = draft;
  throw signatureRequired("chronicle", `A chronicle of ${changeType}`, { changeType });
}
