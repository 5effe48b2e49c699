import { bytesToHex, type Hex, sha256 } from "viem";
import { concatBytes, hashBytes, hmacSha256, isHash, utf8 } from "./bytes.ts";
import { type Ccsf, type FieldValue, fieldValue, normaliseCcsf } from "./ccsf.ts";
import { ProtocolError } from "./errors.ts";
import { FIELDS, type Field, fieldIndex, isField } from "./fields.ts";
import { canonicalJson } from "./json.ts";
import { soulHash as hashOfSoul, saltBytes } from "./soul-hash.ts";

export { FIELDS, type Field, fieldIndex, isField } from "./fields.ts";

/**
 * Format tag of the tree. It is hashed into every blinding and into the empty leaf; bump it when any rule below changes.
 *
 * The tree of a soul has 16 leaves: one for each of the 12 fields, then four times {@link EMPTY_LEAF}.
 *   blind_i = HMAC-SHA-256(key: salt, message: part(tag) || part(field) || part(soulHash)),
 *             part(x) = length of x in bytes as 4 bytes, big endian || x; the soul hash as 32 raw bytes
 *   leaf_i  = SHA-256(0x00 || i as one byte || blind_i || SHA-256(field || 0x00 || canonical value))
 *   inner   = SHA-256(0x01 || left || right)
 * A field has few likely values, so an unblinded leaf could be guessed from a neighbour's proof. With the blinding a proof
 * shows one value and nothing about the others.
 */
export const FIELD_TREE_FORMAT = "svc-field-tree-v1";

/**
 * SHA-256 of `svc-field-tree-v1:empty`. Its first byte is neither 0x00 nor 0x01, so it equals no
 * leaf or inner node.
 */
export const EMPTY_LEAF: Hex = sha256(utf8(`${FIELD_TREE_FORMAT}:empty`));

const WIDTH = 16;
const LEAF_PREFIX = Uint8Array.of(0x00);
const NODE_PREFIX = Uint8Array.of(0x01);
const FIELD_SEPARATOR = Uint8Array.of(0x00);

/** Number of hashes in a proof: the leaf's blinding and four siblings. */
export const PROOF_LENGTH = 5;

export interface FieldLeaf {
  index: number;
  field: Field;
  hash: Hex;
}

export interface FieldTree {
  format: typeof FIELD_TREE_FORMAT;
  root: Hex;
  /** The 12 leaves in index order. */
  leaves: FieldLeaf[];
}

/**
 * A value and its proof: `[blinding, sibling, sibling, sibling, sibling]`, siblings from the leaf
 * upward.
 */
export interface FieldProof<Value = FieldValue> {
  field: Field;
  value: Value;
  merkleProof: Hex[];
}

/** What a field tree is made of. */
export interface TreeInput {
  ccsf: Ccsf;
  /** 32 secret bytes; a new one for every revision of a soul. */
  salt: Hex;
  /** Hash of exactly this soul with this salt. */
  soulHash: Hex;
}

/** The soul hash does not match the soul and the salt, so the blindings would be wrong. */
export class SoulHashMismatchError extends ProtocolError {
  override readonly name = "SoulHashMismatchError";
  readonly code = "soul_hash_mismatch";

  constructor(
    readonly expected: Hex,
    readonly computed: Hex,
  ) {
    super(`The soul and its salt hash to ${computed}, not to ${expected}.`);
  }
}

/** The list is not the 12 leaves in order; `index` is the first wrong position. */
export class InvalidLeavesError extends ProtocolError {
  override readonly name = "InvalidLeavesError";
  readonly code = "invalid_leaves";

  constructor(readonly index: number) {
    super(
      `A soul has ${FIELDS.length} leaves {index, field, hash} in order; position ${index} is wrong.`,
    );
  }
}

/** The value is not the one the leaf commits to. */
export class LeafMismatchError extends ProtocolError {
  override readonly name = "LeafMismatchError";
  readonly code = "leaf_mismatch";

  constructor(
    readonly field: Field,
    readonly expectedLeafHash: Hex,
    readonly computedLeafHash: Hex,
  ) {
    super(
      `The value of ${field} hashes to the leaf ${computedLeafHash}, not to ${expectedLeafHash}.`,
    );
  }
}

/** The blinding of a field's leaf. @throws InvalidSaltError; RangeError for an invalid soul hash */
export function fieldBlinding(input: { salt: Hex; soulHash: Hex; field: Field }): Hex {
  if (!isHash(input.soulHash)) throw new RangeError("A soul hash is 0x and 64 hexadecimal digits.");
  const message = concatBytes(
    part(utf8(FIELD_TREE_FORMAT)),
    part(utf8(input.field)),
    part(hashBytes(input.soulHash)),
  );
  return bytesToHex(hmacSha256(saltBytes(input.salt), message));
}

/**
 * A part of a message after its length, so that different lists of parts give different messages.
 */
function part(bytes: Uint8Array): Uint8Array {
  const prefixed = new Uint8Array(4 + bytes.length);
  new DataView(prefixed.buffer).setUint32(0, bytes.length);
  prefixed.set(bytes, 4);
  return prefixed;
}

/**
 * Hash of one leaf.
 * @param value Exactly the field's value in the normalised soul; it is not normalised here.
 * @throws InvalidJsonError when the value has no JSON form.
 */
export function leafHash(input: { field: Field; value: unknown; blinding: Hex }): Hex {
  const content = sha256(
    concatBytes(utf8(input.field), FIELD_SEPARATOR, utf8(canonicalJson(input.value))),
    "bytes",
  );
  return sha256(
    concatBytes(
      LEAF_PREFIX,
      Uint8Array.of(fieldIndex(input.field)),
      hashBytes(input.blinding),
      content,
    ),
  );
}

/** The leaf of one field: its blinding derived from salt and soul hash, then {@link leafHash}. */
export function fieldLeaf(input: {
  salt: Hex;
  soulHash: Hex;
  field: Field;
  value: unknown;
}): FieldLeaf {
  const { field, value } = input;
  return {
    index: fieldIndex(field),
    field,
    hash: leafHash({ field, value, blinding: fieldBlinding(input) }),
  };
}

/**
 * The field tree of a soul.
 * @throws SoulHashMismatchError when `soulHash` is not the hash of `ccsf` and `salt`; InvalidSaltError, InvalidCcsfError
 */
export function buildFieldTree(input: TreeInput): FieldTree {
  const ccsf = normaliseCcsf(input.ccsf);
  const computed = hashOfSoul(input.salt, ccsf);
  if (computed !== input.soulHash.toLowerCase()) {
    throw new SoulHashMismatchError(input.soulHash, computed);
  }
  const leaves = FIELDS.map((field) =>
    fieldLeaf({
      salt: input.salt,
      soulHash: input.soulHash,
      field,
      value: fieldValue(ccsf, field),
    }),
  );
  return { format: FIELD_TREE_FORMAT, root: rootOfLeaves(leaves), leaves };
}

/** The proof of one field from the whole soul. @throws as {@link buildFieldTree} */
export function proveField(input: TreeInput, field: Field): FieldProof {
  const ccsf = normaliseCcsf(input.ccsf);
  const { leaves } = buildFieldTree({ ...input, ccsf });
  return proveFromLeaves({ ...input, leaves }, field, fieldValue(ccsf, field));
}

/**
 * The proof of one field from salt, hashes and the value alone. This is all that is stored of a
 * soul whose text is not stored.
 * @throws LeafMismatchError when the leaf commits to another value; InvalidLeavesError,
 * InvalidSaltError, InvalidJsonError
 */
export function proveFromLeaves<Value>(
  input: { salt: Hex; soulHash: Hex; leaves: readonly FieldLeaf[] },
  field: Field,
  value: Value,
): FieldProof<Value> {
  const levels = treeLevels(checkedLeaves(input.leaves));
  const index = fieldIndex(field);
  const blinding = fieldBlinding({ ...input, field });
  const computed = leafHash({ field, value, blinding });
  const expected = levels[0]?.[index] ?? EMPTY_LEAF;
  if (computed !== expected) throw new LeafMismatchError(field, expected, computed);

  // At each level the neighbour of the path's node: the index with its lowest bit flipped.
  const siblings = levels.slice(0, -1).map((level, height) => level[(index >> height) ^ 1] as Hex);
  return { field, value, merkleProof: [blinding, ...siblings] };
}

/**
 * The root of 12 leaves from an untrusted source.
 * @throws InvalidLeavesError unless they are all 12, in order, each with its own index, field and a
 * hash.
 */
export function rootOfLeaves(leaves: readonly FieldLeaf[]): Hex {
  return treeLevels(checkedLeaves(leaves)).at(-1)?.[0] as Hex;
}

/**
 * The root computed from a proof, or null when the proof is malformed. It equals a soul's root
 * exactly when `value` is that soul's `field`.
 */
export function rootOfProof(proof: {
  field: string;
  value: unknown;
  merkleProof: readonly unknown[];
}): Hex | null {
  return nodesOfProof(proof)?.at(-1) ?? null;
}

/**
 * The nodes that a proof leads through, computed from its value: the leaf first, the root last.
 * Null when the proof is malformed.
 */
export function nodesOfProof(proof: {
  field: string;
  value: unknown;
  merkleProof: readonly unknown[];
}): Hex[] | null {
  const { field, value, merkleProof } = proof;
  const hashes = merkleProof.filter(isHash);
  const [blinding, ...siblings] = hashes;
  if (!isField(field) || !blinding) return null;
  if (merkleProof.length !== PROOF_LENGTH || hashes.length !== PROOF_LENGTH) return null;

  let node: Hex;
  try {
    node = leafHash({ field, value, blinding });
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
  const nodes = [node];
  let position = fieldIndex(field);
  for (const sibling of siblings) {
    node = position % 2 === 0 ? nodeHash(node, sibling) : nodeHash(sibling, node);
    nodes.push(node);
    position >>= 1;
  }
  return nodes;
}

/**
 * Whether `value` is the content of `field` in the soul with this root. Never throws: a malformed
 * proof is a wrong one. The value is compared as it is, not normalised.
 */
export function verifyFieldProof(proof: {
  root: Hex;
  field: string;
  value: unknown;
  merkleProof: readonly unknown[];
}): boolean {
  return isHash(proof.root) && rootOfProof(proof) === proof.root.toLowerCase();
}

function checkedLeaves(leaves: readonly FieldLeaf[]): Hex[] {
  const hashes = FIELDS.map((field, index) => {
    const leaf = leaves[index];
    if (leaf?.index !== index || leaf.field !== field || !isHash(leaf.hash)) {
      throw new InvalidLeavesError(index);
    }
    return leaf.hash.toLowerCase() as Hex;
  });
  if (leaves.length !== FIELDS.length) throw new InvalidLeavesError(FIELDS.length);
  return hashes;
}

/** All levels from the 16 leaves to the root. */
function treeLevels(leaves: readonly Hex[]): Hex[][] {
  const padding = Array.from({ length: WIDTH - leaves.length }, () => EMPTY_LEAF);
  const levels: Hex[][] = [[...leaves, ...padding]];
  for (let level = levels[0] as Hex[]; level.length > 1; ) {
    level = level.flatMap((left, index) =>
      index % 2 === 0 ? [nodeHash(left, level[index + 1] as Hex)] : [],
    );
    levels.push(level);
  }
  return levels;
}

function nodeHash(left: Hex, right: Hex): Hex {
  return sha256(concatBytes(NODE_PREFIX, hashBytes(left), hashBytes(right)));
}
