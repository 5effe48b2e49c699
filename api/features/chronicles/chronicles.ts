import { randomUUID } from "node:crypto";
import type { Address, Hex } from "viem";
import { bytesToHex, hexToBytes, isAddressEqual } from "viem";
import type {
  ChronicleCategory,
  FieldLeaf,
  RecordEvolutionMessage,
} from "../../../protocol/index.ts";
import { chronicleLeaf, didOf } from "../../../protocol/index.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, isRefusal, RevertedError } from "../../kernel/errors.ts";
import {
  assertEndsSoon,
  assertNotOver,
  signingDeadline,
  unixSeconds,
} from "../../operations/signing-deadline.ts";
import type { Call, Relayer } from "../../platform/chain/transactions.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { Requester, Sponsor } from "../../platform/sponsorship/sponsorship.ts";
import { assertActive, assertNeedsNoSignature, authoriseChronicle } from "./callers.ts";
import type {
  ChronicleDraft,
  ChronicleInput,
  ChroniclePlace,
  ChronicleSoul,
  CompleteOperatorChange,
  CompleteRevision,
} from "./content.ts";
import {
  assertAgrees,
  chronicleDraft,
  chroniclePublication,
  completed,
  evolutionDigest,
  evolutionMessage,
} from "./content.ts";

/** How far a chronicle has come. `batched`: its batch is mined; `confirmed`: mined deep enough, or recorded on chain by itself. */
export type ChronicleStatus = "queued" | "batched" | "confirmed";

export type ChronicleAuthority = "owner" | "session" | "api_key" | "service";

/** What an owner signed, and with what. */
export interface OwnerEvidence {
  readonly message: RecordEvolutionMessage;
  readonly signature: Hex;
  readonly signer: Address;
}

/** The part of a chronicle that never changes. */
export interface ChronicleEntry {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly category: ChronicleCategory;
  readonly changeType: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly recordedAt: Date;
  readonly contentHash: Hex;
  readonly archiveId: string;
  readonly newSoulHash: Hex | null;
  readonly authority: ChronicleAuthority;
  readonly evidence: OwnerEvidence | null;
  /** Names the request that made it. */
  readonly operationKey: string;
}

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

/** A change that is carried out on chain at once: from its acceptance on it is driven to its end, by whichever process lives. */
export interface PendingEvolution {
  readonly id: string;
  readonly digest: Hex;
  readonly effect:
    | (Omit<CompleteRevision, "soulSalt" | "merkleLeaves"> & {
        readonly merkleLeaves: readonly FieldLeaf[];
      })
    | CompleteOperatorChange;
  readonly entry: ChronicleEntry & { readonly evidence: OwnerEvidence };
  /** Of a revision, bound to its soul hash. */
  readonly saltEncrypted: Buffer | null;
}

/**
 * Which of an agent's two daily limits a chronicle counts on. `mandatory`: revisions and operator changes, which only the owner
 * signs; they have a limit of their own, so that a stolen key cannot use it up. `ordinary`: every other chronicle.
 */
export type DailyLimitKind = "ordinary" | "mandatory";

/** Most chronicles of one agent and day, and the UTC day (`YYYY-MM-DD`) that they count for. */
export interface DailyLimit {
  readonly kind: DailyLimitKind;
  readonly max: number;
  readonly day: string;
}

/** Gas that a change sets aside, and whose share of the day's gas it takes. */
export interface EvolutionGas {
  readonly gas: bigint;
  readonly sponsor: Sponsor;
}

/** When a queued chronicle's batch is due; the job is put into the queue with the chronicle. */
export interface BatchDue {
  readonly at: Date;
}

/** The soul's new secrets after a revision. */
export interface RevisedSecrets {
  readonly soulHash: Hex;
  readonly saltEncrypted: Buffer;
  readonly leaves: readonly FieldLeaf[];
}

export interface ChronicleStore {
  /** Whether one more chronicle fits the day. Only a hint: `append` and `accept` decide. */
  hasRoom(tokenId: bigint, limit: DailyLimit): Promise<boolean>;
  /**
   * Adds a queued chronicle. One that the same operation added before is returned as it is. Null when the day is full; a
   * signer's nonce that another chronicle used rejects with NONCE_USED.
   */
  append(
    entry: ChronicleEntry,
    limit: DailyLimit | null,
    leafOf: (chronicleId: bigint) => Hex,
    due: BatchDue,
  ): Promise<RecordedChronicle | null>;
  /**
   * Keeps an accepted change and sets its gas aside, unless the day is full or the digest is known already.
   *
   * @throws ApiError GAS_BUDGET_EXHAUSTED
   */
  accept(
    pending: PendingEvolution,
    limit: DailyLimit,
    gas: EvolutionGas,
  ): Promise<"accepted" | "known" | "full">;
  findEvolution(
    digest: Hex,
  ): Promise<{ pending: PendingEvolution; completed: RecordedChronicle | null } | null>;
  listPendingEvolutions(): Promise<PendingEvolution[]>;
  /** Writes the end of a change, its chronicle, its events and a revised soul's secrets in one transaction, once. */
  complete(
    pending: PendingEvolution,
    outcome: {
      readonly txHash: Hex;
      readonly secrets: RevisedSecrets | null;
      /** As events name it. */
      readonly agent: { readonly name: string; readonly did: string };
    },
    leafOf: (chronicleId: bigint) => Hex,
    due: BatchDue,
  ): Promise<RecordedChronicle>;
  /** Forgets a change that the chain refused: it does not count for its day. Gives back its gas unless that was spent. */
  discard(pending: PendingEvolution, gas: "spent" | "unspent"): Promise<void>;
  /** By the signer's nonce. */
  findSigned(signer: Address, nonce: bigint): Promise<RecordedChronicle | null>;
  find(tokenId: bigint, chronicleId: bigint): Promise<RecordedChronicle | null>;
  inclusion(tokenId: bigint, chronicleId: bigint): Promise<ChronicleInclusion | null>;
  list(
    tokenId: bigint,
    filter: { readonly category?: string; readonly changeType?: string },
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly chronicles: readonly RecordedChronicle[] }>;
}

/** Where a change was carried out. */
export interface Execution {
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

/** The soul registry as chronicles use it. */
export interface EvolutionChain {
  soul(tokenId: bigint): Promise<ChronicleSoul>;
  /**
   * @param sender Who would send it: the registrar when absent. The owner needs no signature of its own.
   * @throws ApiError of the contract's refusal; INVALID_REQUEST when it takes more than `gas`.
   */
  simulate(call: Call, gas: bigint, sender?: Address): Promise<void>;
  /** @param archiveId Null in a simulation, before the public record is stored. */
  reviseCall(evidence: OwnerEvidence, archiveId: string | null): Call;
  changeOperatorCall(evidence: OwnerEvidence, operator: Address): Call;
  isNonceUsed(signer: Address, nonce: bigint): Promise<boolean>;
  /** The transaction in which exactly this signature was carried out, whoever sent it; null for none. */
  executedIn(signer: Address, digest: Hex): Promise<Execution | null>;
}

export interface ChronicleDeps {
  readonly place: ChroniclePlace;
  readonly chain: EvolutionChain;
  readonly relayer: Pick<Relayer, "run">;
  readonly archive: {
    archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
  };
  readonly signatures: {
    assertSignedBy(signer: Address, digest: Hex, signature: Hex): Promise<void>;
  };
  readonly store: ChronicleStore;
  readonly secrets: Secrets;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
  /** Chronicles that one agent may record on one UTC day, of each kind. */
  readonly dailyLimit: number;
}

/** Gas set aside for a change, and the most that it may use: more than twice of what was measured. See docs/gas.json. */
const GAS: Readonly<Record<PendingEvolution["effect"]["kind"], bigint>> = {
  // With four metadata entries that are written for the first time.
  soul_revision: 600_000n,
  operator_change: 250_000n,
};

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** What soul salts are sealed for: the registration's purpose, so that both are read alike. */
export const SALT_PURPOSE = "soul-salt";

export type ChronicleService = ReturnType<typeof createChronicleService>;

/** Records agents' lives: what an agent may add by itself, and what only its owner may change. */
export function createChronicleService(deps: ChronicleDeps) {
  const { place, chain, store, clock } = deps;

  /**
   * The message to sign for a chronicle, with a fresh nonce and deadline.
   *
   * @throws ApiError of everything that `recordSigned` would refuse before it looks at a signature.
   */
  async function prepare(input: ChronicleInput): Promise<RecordEvolutionMessage> {
    const draft = completed(chronicleDraft(input));
    const { effect } = draft;
    const soul = await chain.soul(draft.tokenId);
    assertActive(soul);
    await assertRoom(draft.tokenId, dailyLimit(limitKindOf(effect)));
    const message = evolutionMessage(draft, soul, place, {
      nonce: deps.randomNonce(),
      deadline: signingDeadline(clock()),
    });
    if (effect.kind !== "none") {
      const evidence = { message, signature: "0x", signer: soul.owner } as const;
      const call = callOf({ effect, entry: { evidence, archiveId: null } });
      await chain.simulate(call, GAS[effect.kind], soul.owner);
    }
    return message;
  }

  /**
   * Records by API key or session. The same operation adds one chronicle, however often it is repeated.
   *
   * @throws ApiError WALLET_SIGNATURE_REQUIRED for what only the owner may change; RATE_LIMIT_EXCEEDED past the daily limit.
   */
  async function record(
    input: ChronicleInput,
    caller: Caller,
    operationKey: string,
  ): Promise<RecordedChronicle> {
    const draft = chronicleDraft(input);
    // Both before the soul is read: neither answer says whether it exists.
    assertNeedsNoSignature(draft);
    if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
    const soul = await chain.soul(draft.tokenId);
    if (soul.status === "NONE") throw new ApiError("NOT_FOUND");
    const authority = authoriseChronicle(caller, soul);
    assertActive(soul);
    const by = { authority, evidence: null, operationKey } as const;
    return append(draft, soul.epoch, by, dailyLimit(limitKindOf(draft.effect)));
  }

  /** Records what the service itself derives from another operation, which `key` names. It does not count for the day. */
  async function derive(input: ChronicleInput, key: string): Promise<RecordedChronicle> {
    const draft = chronicleDraft(input);
    const soul = await chain.soul(draft.tokenId);
    if (soul.status === "NONE") throw new ApiError("NOT_FOUND");
    const by = { authority: "service", evidence: null, operationKey: key } as const;
    return append(draft, soul.epoch, by, null);
  }

  /** Records by the owner's signature, and carries out what it changes. A repeated signature gives the same answer. */
  async function recordSigned(
    input: ChronicleInput,
    evidence: OwnerEvidence,
    requester: Requester,
  ): Promise<RecordedChronicle> {
    const draft = completed(chronicleDraft(input));
    const { message, signature, signer } = evidence;
    const digest = evolutionDigest(message, place);
    const known = await repeated(draft, evidence, digest);
    if (known) return known;

    const soul = await chain.soul(draft.tokenId);
    assertActive(soul);
    if (!isAddressEqual(signer, soul.owner)) throw new ApiError("NOT_OWNER");
    assertAgrees(message, evolutionMessage(draft, soul, place, message));
    assertNotOver(message.deadline, clock());
    assertEndsSoon(message.deadline, clock());
    await deps.signatures.assertSignedBy(signer, digest, signature);

    if (draft.effect.kind !== "none") {
      const change = { ...draft, effect: draft.effect };
      return carryOut(change, soul.epoch, evidence, digest, requester);
    }
    // Nothing of this reaches the chain, but its owner can cancel a nonce there.
    if (await chain.isNonceUsed(signer, message.nonce)) throw new ApiError("NONCE_USED");
    const { operationKey } = requester;
    const by = { authority: "owner", evidence, operationKey } as const;
    return append(draft, soul.epoch, by, dailyLimit(limitKindOf(draft.effect)));
  }

  /** What this very signature has recorded already, or is about to. */
  async function repeated(
    draft: ChronicleDraft,
    { message, signer }: OwnerEvidence,
    digest: Hex,
  ): Promise<RecordedChronicle | null> {
    const known = await store.findEvolution(digest);
    const found = known?.pending.entry ?? (await store.findSigned(signer, message.nonce));
    if (!found?.evidence) return null;
    const same =
      evolutionDigest(found.evidence.message, place) === digest &&
      chroniclePublication(draft, found.epoch, place).contentHash === found.contentHash;
    if (!same) throw new ApiError("NONCE_USED");
    if (known) return known.completed ?? finish(known.pending);
    return found as RecordedChronicle;
  }

  async function append(
    draft: ChronicleDraft,
    epoch: number,
    by: Pick<ChronicleEntry, "authority" | "evidence" | "operationKey">,
    limit: DailyLimit | null,
  ): Promise<RecordedChronicle> {
    if (limit) await assertRoom(draft.tokenId, limit);
    const entry = await archived(draft, epoch, by);
    const added = await store.append(entry, limit, leafOf(entry), batchDue(entry.recordedAt));
    if (!added) throw dayIsFull(limit as DailyLimit);
    return added;
  }

  async function archived<
    By extends Pick<ChronicleEntry, "authority" | "evidence" | "operationKey">,
  >(draft: ChronicleDraft, epoch: number, by: By): Promise<ChronicleEntry & By> {
    const { bytes, contentHash } = chroniclePublication(draft, epoch, place);
    const archiveId = await deps.archive.archive({ data: bytes, contentType: "application/json" });
    const { tokenId, category, changeType, data, effect } = draft;
    return {
      tokenId,
      epoch,
      category,
      changeType,
      data,
      contentHash,
      archiveId,
      recordedAt: clock(),
      newSoulHash: effect.kind === "soul_revision" ? effect.soulHash : null,
      ...by,
    };
  }

  async function carryOut(
    draft: ChronicleDraft<CompleteRevision | CompleteOperatorChange>,
    epoch: number,
    evidence: OwnerEvidence,
    digest: Hex,
    { operationKey, network }: Requester,
  ): Promise<RecordedChronicle> {
    const { effect } = draft;
    const gas = GAS[effect.kind];
    const limit = dailyLimit(limitKindOf(effect));
    await assertRoom(draft.tokenId, limit);
    const entry = await archived(draft, epoch, {
      authority: "owner",
      evidence,
      operationKey,
    } as const);
    // The contract's own word on everything that it checks, before anything else is written.
    await chain.simulate(callOf({ effect, entry }), gas);
    const id = randomUUID();
    const pending: PendingEvolution = {
      id,
      digest,
      entry,
      effect: withoutSalt(effect),
      saltEncrypted:
        effect.kind === "soul_revision"
          ? deps.secrets.encrypt(SALT_PURPOSE, hexToBytes(effect.soulSalt), effect.soulHash)
          : null,
    };
    // Only a sealed soul is changed, so its owner is known.
    const sponsor: Sponsor = { network, standing: "known" };
    const accepted = await store.accept(pending, limit, { gas, sponsor });
    if (accepted === "full") throw dayIsFull(limit);
    if (accepted === "accepted") return finish(pending);
    const winner = await store.findEvolution(digest);
    if (!winner) throw new ApiError("NONCE_USED");
    return winner.completed ?? finish(winner.pending);
  }

  async function finish(pending: PendingEvolution): Promise<RecordedChronicle> {
    const { entry, effect, saltEncrypted } = pending;
    const { txHash, blockNumber } = await transactionOf(pending);
    const secrets =
      effect.kind === "soul_revision" && saltEncrypted
        ? { soulHash: effect.soulHash, saltEncrypted, leaves: effect.merkleLeaves }
        : null;
    const { name } = await chain.soul(entry.tokenId);
    const outcome = { txHash, secrets, agent: { name, did: didOf(place.chainId, name) } };
    const due = batchDue(clock());
    const recorded = await store.complete(pending, outcome, leafOf(entry), due);
    await deps.index.waitForBlock(blockNumber);
    return recorded;
  }

  async function transactionOf(pending: PendingEvolution): Promise<Execution> {
    try {
      const { transactionHash, blockNumber } = await deps.relayer.run(
        evolutionOperationId(pending),
        async () => ({ ...callOf(pending), gas: GAS[pending.effect.kind] }),
      );
      return { txHash: transactionHash, blockNumber };
    } catch (error) {
      const isReverted = error instanceof RevertedError;
      if (!isRefusal(error) && !isReverted) throw error;
      // Anybody can send a copied signature: then it was carried out, only not by us.
      const { signer } = pending.entry.evidence;
      const elsewhere = await chain.executedIn(signer, pending.digest);
      if (elsewhere) return elsewhere;
      await store.discard(pending, isReverted ? "spent" : "unspent");
      throw error;
    }
  }

  function callOf({
    effect,
    entry,
  }: {
    readonly effect: PendingEvolution["effect"];
    readonly entry: Pick<PendingEvolution["entry"], "evidence"> & {
      readonly archiveId: string | null;
    };
  }): Call {
    return effect.kind === "soul_revision"
      ? chain.reviseCall(entry.evidence, entry.archiveId)
      : chain.changeOperatorCall(entry.evidence, effect.operator);
  }

  /**
   * Drives every change that a stopped process left behind to its end.
   *
   * @throws AggregateError of what could not be finished now, after trying all.
   */
  async function recover(): Promise<void> {
    const failures: unknown[] = [];
    for (const pending of await store.listPendingEvolutions()) {
      await finish(pending).catch((error: unknown) => {
        // Refused by the chain, and forgotten.
        if (!isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} changes could not be carried out.`);
    }
  }

  function dailyLimit(kind: DailyLimitKind): DailyLimit {
    return { kind, max: deps.dailyLimit, day: clock().toISOString().slice(0, 10) };
  }

  /** Asked before anything is archived for good; the store decides when the chronicle is added. */
  async function assertRoom(tokenId: bigint, limit: DailyLimit): Promise<void> {
    if (!(await store.hasRoom(tokenId, limit))) throw dayIsFull(limit);
  }

  function dayIsFull({ kind, max }: DailyLimit): ApiError {
    const now = clock().getTime();
    const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    return new ApiError("RATE_LIMIT_EXCEEDED", {
      message: `${LIMITED[kind]} at most ${max} times a day (UTC).`,
      details: { limit: max, counts: kind, resetAt: new Date(tomorrow).toISOString() },
      retryAfter: Math.ceil((tomorrow - now) / 1000),
    });
  }

  return {
    prepare,
    record,
    derive,
    recordSigned,
    recover,
    /** A queued chronicle's batch is due at the next full hour. */
    estimatedConfirmation: (recordedAt: Date) =>
      batchDue(recordedAt > clock() ? recordedAt : clock()).at,
    find: store.find,
    inclusion: store.inclusion,
    list: store.list,
  };
}

function limitKindOf(effect: { readonly kind: string }): DailyLimitKind {
  return effect.kind === "none" ? "ordinary" : "mandatory";
}

const LIMITED: Readonly<Record<DailyLimitKind, string>> = {
  ordinary: "An agent records chronicles",
  mandatory: "An owner signs a soul_revision or operator_change of an agent",
};

/** The relayer's name for a change, and what its gas is set aside under. */
export function evolutionOperationId({ id }: Pick<PendingEvolution, "id">): string {
  return `evolution:${id}`;
}

/** `<tokenId>-<chronicleId>-<epoch_ms>` */
export function queueIdOf(
  chronicle: Pick<RecordedChronicle, "tokenId" | "chronicleId" | "recordedAt">,
): string {
  return `${chronicle.tokenId}-${chronicle.chronicleId}-${chronicle.recordedAt.getTime()}`;
}

function leafOf(entry: ChronicleEntry): (chronicleId: bigint) => Hex {
  const timestamp = unixSeconds(entry.recordedAt);
  return (chronicleId) => chronicleLeaf({ ...entry, chronicleId, timestamp });
}

/** The first full hour after `time`. */
function batchDue(time: Date): BatchDue {
  return { at: new Date((Math.floor(time.getTime() / HOUR_MS) + 1) * HOUR_MS) };
}

function withoutSalt(
  effect: CompleteRevision | CompleteOperatorChange,
): PendingEvolution["effect"] {
  if (effect.kind === "operator_change") return effect;
  const { soulSalt: _secret, ...kept } = effect;
  return kept;
}

/** The salt of a request that an agent made, as it is sealed. */
export function openSalt(secrets: Secrets, sealed: Buffer, boundTo: string): Hex {
  return bytesToHex(secrets.decrypt(SALT_PURPOSE, sealed, boundTo));
}
