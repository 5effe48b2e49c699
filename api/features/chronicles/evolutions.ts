import { encodeFunctionData, type Hex, hexToBytes } from "viem";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { archiveIdOf, didOf, type FieldLeaf } from "../../../protocol/index.ts";
import type {
  ArchivedContent,
  ChainOperation,
  ContentIds,
  Operation,
  PostgresOperation,
  SignedOperation,
} from "../../operations/operation.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ActiveSoul, ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import type {
  ChronicleDeployment,
  ChronicleDraft,
  CompleteEffect,
  CompleteOperatorChange,
  CompleteRevision,
} from "./content.ts";
import { chroniclePublication, evolutionMessage } from "./content.ts";
import { type DailyLimit, dailyLimit, dayIsFull } from "./daily-limit.ts";
import type { ChronicleEntry, OwnerEvidence, RevisedSecrets } from "./entries.ts";

/** A change that is carried out on chain at once. */
export type ChangeDraft = ChronicleDraft<CompleteRevision | CompleteOperatorChange>;

/** What a change does, without the new soul's salt. */
export type ChangeEffect =
  | (Omit<CompleteRevision, "soulSalt" | "merkleLeaves"> & {
      readonly merkleLeaves: readonly FieldLeaf[];
    })
  | CompleteOperatorChange;

/** The chronicle of an operation, apart from what its signed message says. */
export interface ChroniclePayload
  extends Pick<ChronicleEntry, "category" | "changeType" | "data" | "contentHash" | "archiveId"> {
  /** As events name the agent. */
  readonly name: string;
  /** ISO 8601. */
  readonly recordedAt: string;
}

export interface ChangePayload extends ChroniclePayload {
  readonly effect: ChangeEffect;
}

/** A change that was carried out, as it is recorded. */
export interface RecordedChange {
  /** Of its operation. */
  readonly id: string;
  readonly entry: ChronicleEntry;
  readonly effect: ChangeEffect;
  readonly txHash: Hex;
  /** Of a revision. */
  readonly secrets: RevisedSecrets | null;
  /** As events name it. */
  readonly agent: { readonly name: string; readonly did: string };
}

/** What is written in the transactions of operations. */
export interface SignedChronicleStore {
  /** Whether one more chronicle fits the day. Only a hint: what adds it decides. */
  hasRoom(tokenId: bigint, limit: DailyLimit): Promise<boolean>;
  /** Whether the day had room for one more, which is then taken. */
  takeRoom(transaction: Transaction, tokenId: bigint, limit: DailyLimit): Promise<boolean>;
  /** Gives back the room of a change that was not carried out. */
  returnRoom(transaction: Transaction, tokenId: bigint, limit: DailyLimit): Promise<void>;
  /** Adds a queued chronicle, together with the job that batches it. */
  addQueued(transaction: Transaction, entry: ChronicleEntry): Promise<void>;
  /** Adds the chronicle of a change, its events and a revised soul's secrets. */
  addChange(transaction: Transaction, change: RecordedChange): Promise<void>;
}

/**
 * The registration file of a soul once it has that hash. Null when the file that its passport points
 * at now cannot be read, and nothing may take its place.
 */
export type RevisedFile = (
  soul: ChainSoul,
  soulHash: Hex,
) => Promise<{ readonly uri: string; readonly content: ArchivedContent } | null>;

/** The next file of the passport; null for a draft that does not revise the soul. */
export async function revisedFileOf(
  revisedFile: RevisedFile,
  { effect }: ChronicleDraft,
  soul: ChainSoul,
) {
  return effect.kind === "soul_revision" && effect.soulHash !== null
    ? revisedFile(soul, effect.soulHash)
    : null;
}

/** What the operations are made from. */
interface SignedChronicles {
  readonly deployment: ChronicleDeployment;
  readonly souls: ChainSouls;
  readonly revisedFile: RevisedFile;
  readonly ids: ContentIds;
  readonly store: SignedChronicleStore;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

/** Gas set aside for a change, and the most that it may use: more than twice of what was measured. See docs/gas.json. */
const GAS: Readonly<Record<ChangeEffect["kind"], bigint>> = {
  // With four metadata entries that are written for the first time.
  soul_revision: 600_000n,
  operator_change: 250_000n,
};

const SALT = "soulSalt";

/** The operations of chronicles that owners sign: changes reach the chain at once, every other chronicle is queued. */
export function signedChronicleOperations(parts: SignedChronicles) {
  return { change: changeOperation(parts), record: recordOperation(parts) };
}

function changeOperation(
  parts: SignedChronicles,
): ChainOperation<ChangeDraft, ActiveSoul, ChangePayload, null> {
  const { deployment, store, clock } = parts;
  return {
    ...common(parts),
    kind: "evolution",
    prefix: "evolution",
    settlement: "chain",
    gas: ({ effect }) => GAS[effect.kind],

    async plan(draft, soul) {
      const { messages, items, payload } = await planned(parts, draft, soul);
      const { effect } = draft;
      return {
        messages,
        items,
        payload: { ...payload, effect: withoutSalt(effect) },
        secrets: effect.kind === "soul_revision" ? sealedSalt(parts, effect) : null,
      };
    },

    call({ payload: { effect, archiveId }, signatures }) {
      const { message, signature } = evidenceOf(signatures);
      const abi = soulRegistryAbi;
      const data =
        effect.kind === "soul_revision"
          ? encodeFunctionData({
              abi,
              functionName: "revise",
              args: [message, archiveIdOf(archiveId), signature],
            })
          : encodeFunctionData({
              abi,
              functionName: "changeOperator",
              args: [message, effect.operator, signature],
            });
      return { to: deployment.soulRegistry, data };
    },

    // The signed nonce identifies the chronicle.
    result: async () => null,

    async onAccept(tx, operation) {
      const limit = dailyLimit("mandatory", operation.acceptedAt);
      const { tokenId } = evidenceOf(operation.signatures).message;
      if (!(await store.takeRoom(tx, tokenId, limit))) throw dayIsFull(limit, clock());
    },

    async onSettle(tx, operation, { txHash }) {
      const { id, payload, secrets } = operation;
      const { effect, name } = payload;
      const saltEncrypted = secrets?.[SALT];
      await store.addChange(tx, {
        id,
        txHash,
        effect,
        entry: entryOf(operation, effect.kind === "soul_revision" ? effect.soulHash : null),
        secrets:
          effect.kind === "soul_revision" && saltEncrypted
            ? { soulHash: effect.soulHash, saltEncrypted, leaves: effect.merkleLeaves }
            : null,
        agent: { name, did: didOf(deployment.chainId, name) },
      });
    },

    async onEnd(tx, { acceptedAt, signatures }) {
      const { tokenId } = evidenceOf(signatures).message;
      await store.returnRoom(tx, tokenId, dailyLimit("mandatory", acceptedAt));
    },
  };
}

function recordOperation(
  parts: SignedChronicles,
): PostgresOperation<ChronicleDraft<CompleteEffect>, ActiveSoul, ChroniclePayload, null> {
  const { store, clock } = parts;
  return {
    ...common(parts),
    kind: "chronicle",
    settlement: "postgres",
    plan: async (draft, soul) => ({ ...(await planned(parts, draft, soul)), secrets: null }),
    settle: async () => null,
    async onAccept(tx, operation) {
      const limit = dailyLimit("ordinary", clock());
      const entry = entryOf(operation, null);
      if (!(await store.takeRoom(tx, entry.tokenId, limit))) throw dayIsFull(limit, clock());
      await store.addQueued(tx, entry);
    },
  };
}

const common = ({ souls }: SignedChronicles) => ({
  messageTypes: {
    owner: { contract: "SoulRegistry", primaryType: "RecordEvolution" },
  } as const,
  requestJson: ({ tokenId, category, changeType, data }: ChronicleDraft) => ({
    tokenId: tokenId.toString(),
    category,
    changeType,
    data,
  }),
  read: ({ tokenId }: ChronicleDraft): Promise<ActiveSoul> => requireSoul(souls, tokenId, "active"),
  signatures: (_draft: unknown, soul: ActiveSoul) => [
    { role: "owner" as const, signer: soul.owner },
  ],
  subjects: (_draft: unknown, { tokenId, epoch }: ActiveSoul) => [
    { kind: "soul" as const, id: tokenId, epoch },
  ],
});

async function planned(
  { deployment, store, revisedFile, ids, clock }: SignedChronicles,
  draft: ChronicleDraft<CompleteEffect>,
  soul: ActiveSoul,
) {
  const limit = dailyLimit(draft.effect.kind === "none" ? "ordinary" : "mandatory", clock());
  // Before anything is archived for good.
  if (!(await store.hasRoom(draft.tokenId, limit))) throw dayIsFull(limit, clock());
  const { bytes, contentHash } = chroniclePublication(draft, soul.epoch, deployment);
  const item = { data: bytes, contentType: "application/json" };
  const file = await revisedFileOf(revisedFile, draft, soul);
  const unsigned = evolutionMessage(draft, soul, deployment, {
    agentURI: file?.uri ?? "",
    nonce: 0n,
    deadline: 0n,
  });
  const { nonce: _nonce, deadline: _deadline, ...message } = unsigned;
  const payload: ChroniclePayload = {
    name: soul.name,
    category: draft.category,
    changeType: draft.changeType,
    data: draft.data,
    contentHash,
    archiveId: await ids.idOf(item),
    recordedAt: clock().toISOString(),
  };
  return { messages: { owner: message }, items: file ? [item, file.content] : [item], payload };
}

const sealedSalt = ({ secrets }: SignedChronicles, { soulSalt, soulHash }: CompleteRevision) => ({
  [SALT]: secrets.encrypt(SALT_PURPOSE, hexToBytes(soulSalt), soulHash),
});

function entryOf(operation: Operation<ChroniclePayload>, newSoulHash: Hex | null): ChronicleEntry {
  const { payload, operationKey } = operation;
  const evidence = evidenceOf(operation.signatures);
  const { tokenId, epoch } = evidence.message;
  const { category, changeType, data, contentHash, archiveId, recordedAt } = payload;
  return {
    tokenId,
    epoch,
    category,
    changeType,
    data,
    contentHash,
    archiveId,
    newSoulHash,
    evidence,
    operationKey,
    recordedAt: new Date(recordedAt),
    authority: "owner",
  };
}

function evidenceOf([owner]: SignedOperation["signatures"]): OwnerEvidence {
  if (!owner) throw new Error("An owner signs every chronicle of an operation.");
  const { signature, signer } = owner;
  return { signature, signer, message: owner.message as OwnerEvidence["message"] };
}

function withoutSalt(effect: CompleteRevision | CompleteOperatorChange): ChangeEffect {
  if (effect.kind === "operator_change") return effect;
  const { soulSalt: _secret, ...publicPart } = effect;
  return publicPart;
}
