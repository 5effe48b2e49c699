import type { Address, Hex, PublicClient } from "viem";
import {
  encodeFunctionData,
  isAddressEqual,
  isErc6492Signature,
  parseAbi,
  recoverAddress,
  size,
  slice,
} from "viem";
import { ApiError } from "../errors.ts";
import type { OwnerSignatures } from "../services/registration.ts";
import { isUnavailable, toChainError, withChainErrors } from "./reverts.ts";

const erc1271Abi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);
/** The answer of a wallet that agrees, as the 32 bytes that a call returns. */
const ERC1271_YES = `0x1626ba7e${"00".repeat(28)}`;

/** Far above what verifying costs any wallet; the signer chooses the code, and must not keep the node busy with it. */
const WALLET_GAS = 3_000_000n;

const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

type Verdict = "valid" | "invalid" | "wallet_not_deployed";

/** Checks owners' signatures exactly as the contracts do, so that a request that they would refuse is refused at once. */
export function createOwnerSignatures(client: PublicClient): OwnerSignatures {
  return {
    async assertSignedBy(signer, digest, signature) {
      const verdict = await judge(client, signer, digest, signature);
      if (verdict === "wallet_not_deployed") {
        throw new ApiError("WALLET_NOT_DEPLOYED", { details: { signer } });
      }
      if (verdict === "invalid") {
        throw new ApiError("INVALID_SIGNATURE", {
          details: { reason: "InvalidSignature", signer },
        });
      }
    },
  };
}

/**
 * Whether a contract would accept `signature` as `signer`'s over `digest` now. That of a wallet that is not deployed yet
 * (ERC-6492) is not accepted.
 *
 * @throws ApiError CHAIN_UNAVAILABLE when only the chain could tell, and it does not answer.
 */
export async function isSignedBy(
  client: PublicClient,
  signer: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  return (await judge(client, signer, digest, signature)) === "valid";
}

/** ECDSA first: an account with EIP-7702 code still signs with its own key, although it has code. */
async function judge(
  client: PublicClient,
  signer: Address,
  digest: Hex,
  signature: Hex,
): Promise<Verdict> {
  if (await isEcdsaSignatureOf(signer, digest, signature)) return "valid";
  const [code, agrees] = await Promise.all([
    withChainErrors(() => client.getCode({ address: signer })),
    walletAgrees(client, signer, digest, signature),
  ]);
  if (code !== undefined && code !== "0x") return agrees ? "valid" : "invalid";
  return isErc6492Signature(signature) ? "wallet_not_deployed" : "invalid";
}

/** Accepts what the contracts' library accepts, and nothing more: 65 bytes, `v` 27 or 28, the lower `s` of the two. */
async function isEcdsaSignatureOf(signer: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== 65) return false;
  const v = Number(slice(signature, 64));
  if (v !== 27 && v !== 28) return false;
  if (BigInt(slice(signature, 32, 64)) > HALF_CURVE_ORDER) return false;
  try {
    return isAddressEqual(await recoverAddress({ hash: digest, signature }), signer);
  } catch {
    // Numbers that are no point of the curve.
    return false;
  }
}

async function walletAgrees(
  client: PublicClient,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const data = encodeFunctionData({
    abi: erc1271Abi,
    functionName: "isValidSignature",
    args: [digest, signature],
  });
  try {
    const answer = await client.call({ to: wallet, data, gas: WALLET_GAS });
    return answer.data?.slice(0, ERC1271_YES.length) === ERC1271_YES;
  } catch (error) {
    // The wallet's code is the signer's choice: however it fails (revert, no gas, bad opcode), that is a no, not our fault.
    if (isUnavailable(error)) throw toChainError(error);
    return false;
  }
}
