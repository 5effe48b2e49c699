import type { Address, Hex } from "viem";
import { getAddress, isAddress } from "viem";
import type {
  ChronicleCategory,
  FieldLeaf,
  RecordEvolutionMessage,
} from "../../../protocol/index.ts";
import {
  CHANGE_TYPE_PATTERN,
  CHRONICLE_CATEGORIES,
  canonicalJson,
  chronicleContentHash,
  chronicleRecordBytes,
  FIELDS,
  fieldLeaf,
  MANDATORY_CHANGE_TYPES,
  operatorChangeHash,
  rootOfLeaves,
  ZERO_HASH,
} from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";

/** Where a deployment's souls and batches live on chain. */
export interface ChronicleDeployment {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly chronicleAnchor: Address;
}

/** A chronicle as it was sent. */
export interface ChronicleInput {
  readonly tokenId: bigint;
  /** A category, or the name of a mandatory change type: then the category is technical. */
  readonly category: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a chronicle changes besides being recorded. */
export type ChronicleEffect =
  | { readonly kind: "none" }
  | {
      readonly kind: "soul_revision";
      readonly soulHash: Hex | null;
      readonly soulMerkleRoot: Hex | null;
      readonly soulSalt: Hex | null;
      readonly merkleLeaves: readonly FieldLeaf[] | null;
    }
  | { readonly kind: "operator_change"; readonly operator: Address | null };

/** A revision with everything that carrying it out needs. */
export interface CompleteRevision {
  readonly kind: "soul_revision";
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  readonly soulSalt: Hex;
  readonly merkleLeaves: readonly FieldLeaf[];
}

export interface CompleteOperatorChange {
  readonly kind: "operator_change";
  readonly operator: Address;
}

export type CompleteEffect = { readonly kind: "none" } | CompleteRevision | CompleteOperatorChange;

/** A chronicle of the right form. `data` is what becomes public: a new soul's salt is not in it. */
export interface ChronicleDraft<Effect extends ChronicleEffect = ChronicleEffect> {
  readonly tokenId: bigint;
  readonly category: ChronicleCategory;
  readonly changeType: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
}

/** Most bytes that the public part of a chronicle may have as canonical JSON. */
const MAX_CHRONICLE_BYTES = 16_384;

const HEX32 = /^0x[0-9a-fA-F]{64}$/;
/** Keys whose values have a known form, wherever they occur, and the most characters they may have. */
const TEXTS: Readonly<Record<string, number>> = {
  title: 200,
  description: 4000,
  documentId: 128,
  documentType: 64,
  format: 64,
};

interface Issue {
  readonly path: string;
  readonly message: string;
}

/**
 * Reads the request's content. Fields that a mandatory change needs may still be missing: see {@link completed}.
 *
 * @throws ApiError INVALID_REQUEST naming every part that is wrong.
 */
export function chronicleDraft({ tokenId, category, data }: ChronicleInput): ChronicleDraft {
  const issues: Issue[] = [];
  const mandatory = isMandatory(category) ? category : null;
  const changeType = changeTypeOf(mandatory ?? category, mandatory, data, issues);
  for (const [key, max] of Object.entries(TEXTS)) {
    const value = data[key];
    if (value === undefined) continue;
    if (typeof value !== "string") issues.push({ path: `data.${key}`, message: "Not a text" });
    else if (value.length > max)
      issues.push({ path: `data.${key}`, message: `Longer than ${max} characters` });
  }
  if (data.contentHash !== undefined && !/^(0x)?[0-9a-fA-F]{64}$/.test(String(data.contentHash))) {
    issues.push({ path: "data.contentHash", message: "Not a SHA-256 in hex" });
  }

  const { newSoulSalt: _secret, ...shown } = data;
  let effect: ChronicleEffect = { kind: "none" };
  let publicData: Record<string, unknown> = shown;
  if (changeType === "soul_revision") {
    effect = revisionOf(data, issues);
    publicData = {
      ...shown,
      ...(effect.soulHash && { newSoulHash: effect.soulHash }),
      ...(effect.soulMerkleRoot && { newSoulMerkleRoot: effect.soulMerkleRoot }),
      ...(effect.merkleLeaves && { merkleLeaves: effect.merkleLeaves }),
    };
  } else if (changeType === "operator_change") {
    effect = { kind: "operator_change", operator: operatorOf(data, issues) };
    if (effect.operator !== null) publicData = { ...shown, operator: effect.operator };
  }
  const size = Buffer.byteLength(canonicalJson(publicData));
  if (size > MAX_CHRONICLE_BYTES) {
    issues.push({ path: "data", message: `Larger than ${MAX_CHRONICLE_BYTES} bytes` });
  }
  if (issues.length > 0) throw invalid(issues);
  return {
    tokenId,
    category: mandatory === null ? (category as ChronicleCategory) : "technical",
    changeType,
    data: publicData,
    effect,
  };
}

/**
 * The draft, if it holds all fields of its change and they agree.
 *
 * @throws ApiError INVALID_REQUEST naming what is missing; INVALID_MERKLE_DATA when the leaves do not give the root.
 */
export function completed(draft: ChronicleDraft): ChronicleDraft<CompleteEffect> {
  const { effect } = draft;
  if (effect.kind === "none") return { ...draft, effect };
  if (effect.kind === "operator_change") {
    const { operator } = effect;
    if (operator === null) throw invalid([{ path: "data.operator", message: "Missing" }]);
    return { ...draft, effect: { kind: "operator_change", operator } };
  }
  const { soulHash, soulMerkleRoot, soulSalt, merkleLeaves } = effect;
  if (!soulHash || !soulMerkleRoot || !soulSalt || !merkleLeaves) {
    const missing = {
      newSoulHash: soulHash,
      newSoulMerkleRoot: soulMerkleRoot,
      newSoulSalt: soulSalt,
      merkleLeaves,
    };
    throw invalid(
      Object.entries(missing)
        .filter(([, value]) => value === null)
        .map(([key]) => ({ path: `data.${key}`, message: "Missing" })),
    );
  }
  const computedRoot = rootOfLeaves(merkleLeaves);
  if (computedRoot !== soulMerkleRoot) {
    throw new ApiError("INVALID_MERKLE_DATA", {
      message: "newSoulMerkleRoot is not the root of merkleLeaves.",
      details: { newSoulMerkleRoot: soulMerkleRoot, computedRoot },
    });
  }
  return {
    ...draft,
    effect: { kind: "soul_revision", soulHash, soulMerkleRoot, soulSalt, merkleLeaves },
  };
}

/** The bytes that are archived for a draft in an epoch, and their hash. */
export function chroniclePublication(
  draft: ChronicleDraft,
  epoch: number,
  { chainId, soulRegistry }: ChronicleDeployment,
): { readonly bytes: Uint8Array; readonly contentHash: Hex } {
  const { tokenId, category, changeType, data } = draft;
  const bytes = chronicleRecordBytes({
    chainId,
    soulRegistry,
    tokenId,
    epoch,
    category,
    changeType,
    data,
  });
  return { bytes, contentHash: chronicleContentHash(bytes) };
}

/** The message that the owner of `soul` signs for `draft`. Missing values are signed as zero, which no contract accepts. */
export function evolutionMessage(
  draft: ChronicleDraft,
  soul: Pick<ChainSoul, "epoch" | "version" | "soulHash">,
  deployment: ChronicleDeployment,
  {
    agentURI,
    ...replayGuard
  }: {
    /** Of a revision: the passport's next registration file; empty leaves it as it is. */
    readonly agentURI: string;
    readonly nonce: bigint;
    readonly deadline: bigint;
  },
): RecordEvolutionMessage {
  const { effect } = draft;
  const revision = effect.kind === "soul_revision" ? effect : null;
  return {
    tokenId: draft.tokenId,
    epoch: soul.epoch,
    version: soul.version,
    category: draft.category,
    changeType: draft.changeType,
    previousSoulHash: soul.soulHash,
    newSoulHash: revision?.soulHash ?? ZERO_HASH,
    newSoulMerkleRoot: revision?.soulMerkleRoot ?? ZERO_HASH,
    dataHash:
      effect.kind === "operator_change" && effect.operator !== null
        ? operatorChangeHash(effect.operator)
        : chroniclePublication(draft, soul.epoch, deployment).contentHash,
    agentURI,
    nonce: replayGuard.nonce,
    deadline: replayGuard.deadline,
  };
}

/** A message as JSON: integers beyond 2^53 as decimal strings. */
export function evolutionMessageJson(message: RecordEvolutionMessage) {
  return {
    ...message,
    tokenId: message.tokenId.toString(),
    nonce: message.nonce.toString(),
    deadline: message.deadline.toString(),
  };
}

function isMandatory(text: string): text is (typeof MANDATORY_CHANGE_TYPES)[number] {
  return (MANDATORY_CHANGE_TYPES as readonly string[]).includes(text);
}

function changeTypeOf(
  category: string,
  mandatory: string | null,
  data: Readonly<Record<string, unknown>>,
  issues: Issue[],
): string {
  if (mandatory === null && !(CHRONICLE_CATEGORIES as readonly string[]).includes(category)) {
    issues.push({ path: "category", message: `One of ${CHRONICLE_CATEGORIES.join(", ")}` });
  }
  const key = data.changeType === undefined ? "subtype" : "changeType";
  const stated = data[key];
  if (stated === undefined) return category;
  if (typeof stated !== "string" || !CHANGE_TYPE_PATTERN.test(stated)) {
    issues.push({
      path: `data.${key}`,
      message: "Not 1 to 64 lowercase letters, digits and underscores, beginning with a letter",
    });
    return category;
  }
  if (mandatory !== null && stated !== mandatory) {
    issues.push({ path: `data.${key}`, message: `The category says ${mandatory}` });
  }
  return stated;
}

function revisionOf(
  data: Readonly<Record<string, unknown>>,
  issues: Issue[],
): Extract<ChronicleEffect, { kind: "soul_revision" }> {
  const hash = (key: string): Hex | null => {
    const value = data[key];
    if (value === undefined) return null;
    if (typeof value === "string" && HEX32.test(value)) return value.toLowerCase() as Hex;
    issues.push({ path: `data.${key}`, message: "Not 32 bytes in hex with 0x" });
    return null;
  };
  const soulHash = hash("newSoulHash");
  const soulSalt = hash("newSoulSalt");
  const leaves = leavesOf(data.merkleLeaves, issues);
  return {
    kind: "soul_revision",
    soulHash,
    soulMerkleRoot: hash("newSoulMerkleRoot"),
    soulSalt,
    merkleLeaves:
      soulHash && soulSalt && leaves?.length === FIELDS.length - 1
        ? [...leaves, fieldLeaf({ salt: soulSalt, soulHash, field: "soul.documents", value: [] })]
        : leaves,
  };
}

/** The leaves in index order: all twelve, or those without the documents' leaf, which is the last. */
function leavesOf(value: unknown, issues: Issue[]): FieldLeaf[] | null {
  if (value === undefined) return null;
  const leaves = Array.isArray(value) ? (value as unknown[]) : [];
  const read = FIELDS.flatMap((field, index): FieldLeaf[] => {
    const leaf = leaves[index] as Partial<Record<string, unknown>> | null | undefined;
    const hash = leaf?.hash;
    const right =
      leaf?.index === index &&
      leaf.field === field &&
      typeof hash === "string" &&
      HEX32.test(hash) &&
      Object.keys(leaf).length === 3;
    return right ? [{ index, field, hash: hash.toLowerCase() as Hex }] : [];
  });
  const isWhole = leaves.length === FIELDS.length || leaves.length === FIELDS.length - 1;
  if (isWhole && read.length === leaves.length) return read;
  issues.push({ path: "data.merkleLeaves", message: "Not the twelve fields in index order" });
  return null;
}

/** `newOperator` is what some clients call it. */
function operatorOf(data: Readonly<Record<string, unknown>>, issues: Issue[]): Address | null {
  const key = data.operator === undefined ? "newOperator" : "operator";
  const value = data[key];
  if (value === undefined) return null;
  if (typeof value === "string" && isAddress(value, { strict: true })) return getAddress(value);
  issues.push({ path: `data.${key}`, message: "Not an address, or its checksum is wrong" });
  return null;
}

function invalid(issues: readonly Issue[]): ApiError {
  return new ApiError("INVALID_REQUEST", { details: { issues } });
}
