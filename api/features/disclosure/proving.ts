import { bytesToHex, type Hex } from "viem";
import type { Field, FieldProof } from "../../../protocol/index.ts";
import {
  InvalidJsonError,
  isField,
  LeafMismatchError,
  proveFromLeaves,
  rootOfLeaves,
} from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import type { DisclosureContext } from "./context.ts";

// Fields of souls are proved from their stored leaves. Values pass through memory only.

/** A field and the value that its owner says it has. */
export interface StatedField {
  readonly field: Field;
  readonly value: unknown;
}

/** A field with its value and the proof against a root. */
export interface ProvenField extends FieldProof<unknown> {
  readonly merkleRoot: Hex;
}

/**
 * Proves each of the stated values.
 *
 * @throws ApiError HASH_MISMATCH when a value is not the field's; INVALID_REQUEST when it can
 * be no field's; NOT_FOUND when the soul was sealed without this service.
 */
export async function proveStated(
  context: DisclosureContext,
  soul: ChainSoul,
  stated: readonly StatedField[],
): Promise<readonly ProvenField[]> {
  const input = await leavesOf(context, soul);
  if (input === null) {
    throw new ApiError("NOT_FOUND", {
      message:
        "The service has no salt of this soul, and cannot prove its fields. Prove them with the salt, offline.",
    });
  }
  const merkleRoot = soul.soulMerkleRoot;
  return stated.map(({ field, value }, index) => {
    try {
      return { ...proveFromLeaves(input, field, value), merkleRoot };
    } catch (error) {
      throw refusalOf(error, `disclosures.${index}.value`);
    }
  });
}

/** Proves those of the published values that are the soul's on chain. */
export async function provePublished(
  context: DisclosureContext,
  soul: ChainSoul,
  values: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<Field, ProvenField>> {
  const proven = new Map<Field, ProvenField>();
  const input = Object.keys(values).length === 0 ? null : await leavesOf(context, soul);
  if (input === null) return proven;
  for (const [field, value] of Object.entries(values)) {
    if (!isField(field)) continue;
    try {
      const merkleRoot = soul.soulMerkleRoot;
      proven.set(field, { ...proveFromLeaves(input, field, value), merkleRoot });
    } catch (error) {
      // A revision changed the field since.
      if (!(error instanceof LeafMismatchError)) throw error;
    }
  }
  return proven;
}

/** What proofs of the soul as it is on chain are made from; null when it is not stored here. */
async function leavesOf({ sealedLeaves, secrets }: DisclosureContext, soul: ChainSoul) {
  const stored = await sealedLeaves(soul);
  const soulHash = soul.soulHash.toLowerCase() as Hex;
  if (stored?.soulHash.toLowerCase() !== soulHash) return null;
  const { leaves, saltEncrypted } = stored;
  if (rootOfLeaves(leaves) !== soul.soulMerkleRoot.toLowerCase()) return null;
  const salt = bytesToHex(secrets.decrypt(SALT_PURPOSE, saltEncrypted, stored.soulHash));
  return { salt, soulHash, leaves };
}

function refusalOf(error: unknown, path: string): unknown {
  if (error instanceof LeafMismatchError) {
    const { field, expectedLeafHash, computedLeafHash } = error;
    return new ApiError("HASH_MISMATCH", {
      message: `This is not the value of ${field}. Give it exactly as in the normalised soul.`,
      details: { field, expectedLeafHash, computedLeafHash },
    });
  }
  // Its own message could quote the value.
  if (error instanceof InvalidJsonError) return badRequest(path, "Not a field's value");
  return error;
}
