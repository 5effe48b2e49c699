import {
  type Address,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  recoverAddress,
  size,
  slice,
} from "viem";
import { ApiError } from "../errors.ts";
import type { OwnerSignatures } from "../services/registration.ts";
import { chainError } from "./reverts.ts";

const ERC1271 = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);
const ERC1271_VALID = "0x1626ba7e";

/** What a wallet that is not deployed yet appends to its signature (ERC-6492). */
const ERC6492_SUFFIX = `0x${"6492".repeat(16)}`;

const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Signatures as the contracts check them: ECDSA first, then ERC-1271. */
export function createOwnerSignatures(client: PublicClient): OwnerSignatures {
  return {
    async assertSignedBy(signer, digest, signature) {
      if (await isSignedBy(client, signer, digest, signature)) return;

      const details = { reason: "InvalidSignature", signer };
      const wrapped = size(signature) > 32 && slice(signature, -32) === ERC6492_SUFFIX;
      throw new ApiError(wrapped ? "WALLET_NOT_DEPLOYED" : "INVALID_SIGNATURE", { details });
    },
  };
}

/**
 * Whether a contract would accept `signature` as `signer`'s over `digest` now.
 *
 * @throws ApiError CHAIN_UNAVAILABLE
 */
export async function isSignedBy(
  client: PublicClient,
  signer: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  if (await isEcdsaSignatureOf(signer, digest, signature)) return true;

  try {
    const code = await client.getCode({ address: signer });
    if (code === undefined || code === "0x") return false;
    const answer = await client.readContract({
      address: signer,
      abi: ERC1271,
      functionName: "isValidSignature",
      args: [digest, signature],
    });
    return answer === ERC1271_VALID;
  } catch (error) {
    const failure = chainError(error);
    // A wallet that reverts, or answers something else, has refused.
    if (failure.type === "CHAIN_UNAVAILABLE" && !isWalletsOwnAnswer(error)) throw failure;
    return false;
  }
}

/** As OpenZeppelin's ECDSA: 65 bytes, v 27 or 28, low s. */
async function isEcdsaSignatureOf(signer: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== 65) return false;
  const v = hexToBigInt(slice(signature, 64));
  const s = hexToBigInt(slice(signature, 32, 64));
  if ((v !== 27n && v !== 28n) || s > HALF_CURVE_ORDER) return false;
  try {
    return isAddressEqual(await recoverAddress({ hash: digest, signature }), signer);
  } catch {
    return false;
  }
}

/** An answer that cannot be decoded came from the wallet's code, not from a node that is down. */
function isWalletsOwnAnswer(error: unknown): boolean {
  return (
    error instanceof Error &&
    /ContractFunctionZeroDataError|AbiDecoding|ContractFunctionRevertedError/.test(
      `${error.name} ${error.cause instanceof Error ? error.cause.name : ""}`,
    )
  );
}
