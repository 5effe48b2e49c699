import type { Address, Hex, PublicClient } from "viem";
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isAddressEqual,
  isErc6492Signature,
  parseAbi,
  size,
  slice,
} from "viem";
import { ApiError } from "../../kernel/errors.ts";
import type { MessageSignatures, OwnerSignatures } from "../../kernel/signatures.ts";
import { chainAnswer } from "./bounded.ts";
import { isUnavailable, toChainError, withChainErrors } from "./reverts.ts";
import { messageDigest, recovery } from "./signer-recovery.ts";

const erc1271Abi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);
/** ERC-1271's positive answer, as 32 returned bytes. */
const ERC1271_YES = `0x1626ba7e${"00".repeat(28)}`;

/** Far above any wallet's need; the signer chooses the code, so its work is limited. */
const WALLET_GAS = 3_000_000n;
/** The same, with the wallet's deployment. */
const UNDEPLOYED_WALLET_GAS = 6_000_000n;
/** The positive answer of the validator that deploys a wallet in a simulation. */
const ERC6492_YES = "0x01";

const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

type Verdict = "valid" | "invalid" | "wallet_not_deployed";

/**
 * Checks owners' signatures exactly as the contracts do, so that invalid ones are rejected before
 * sending.
 */
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
 * Whether a contract would accept `signature` as `signer`'s over `digest` now. Wallets that are not
 * deployed yet (ERC-6492) are not accepted.
 *
 * @throws ApiError CHAIN_UNAVAILABLE when only the chain can decide and does not answer.
 */
export async function isSignedBy(
  client: PublicClient,
  signer: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  return (await judge(client, signer, digest, signature)) === "valid";
}

export interface MessageSignaturesOptions {
  readonly client: PublicClient;
  /** Time limit for a contract call, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Checks message signatures (EIP-191), which no contract verifies: by key in any encoding, by a
 * contract wallet (ERC-1271), or by a wallet that is not deployed yet (ERC-6492).
 */
export function createMessageSignatures(options: MessageSignaturesOptions): MessageSignatures {
  const { client, timeoutMs } = options;
  return {
    async assertSigned(signer, message, signature) {
      const digest = messageDigest(message);
      if (await isRecovered(signer, digest, signature)) return;
      const agrees = isErc6492Signature(signature) ? undeployedWalletAgrees : walletAgreesExactly;
      if (!(await chainAnswer(timeoutMs, () => agrees(client, signer, digest, signature)))) {
        throw new ApiError("INVALID_SIGNATURE");
      }
    },
  };
}

/** ECDSA first: an account with EIP-7702 code still signs with its own key. */
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

/** Accepts exactly what the contracts' library accepts: 65 bytes, `v` 27 or 28, the lower `s`. */
async function isEcdsaSignatureOf(signer: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== 65) return false;
  const v = Number(slice(signature, 64));
  if (v !== 27 && v !== 28) return false;
  if (BigInt(slice(signature, 32, 64)) > HALF_CURVE_ORDER) return false;
  return isRecovered(signer, digest, signature);
}

async function isRecovered(signer: Address, digest: Hex, signature: Hex): Promise<boolean> {
  const recovered = await recovery.recover(digest, signature);
  return recovered !== null && isAddressEqual(recovered, signer);
}

/** As in the contracts' library: only the first word counts. */
async function walletAgrees(
  client: PublicClient,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const answer = await walletAnswer(client, wallet, digest, signature);
  return answer?.slice(0, ERC1271_YES.length) === ERC1271_YES;
}

/** As in the standard: an answer of any other length is not valid. */
async function walletAgreesExactly(
  client: PublicClient,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  return (await walletAnswer(client, wallet, digest, signature)) === ERC1271_YES;
}

function walletAnswer(client: PublicClient, wallet: Address, digest: Hex, signature: Hex) {
  const data = encodeFunctionData({
    abi: erc1271Abi,
    functionName: "isValidSignature",
    args: [digest, signature],
  });
  return simulated(client, { to: wallet, data, gas: WALLET_GAS });
}

/** The signature names a factory and its calldata; the simulation has no lasting effect. */
async function undeployedWalletAgrees(
  client: PublicClient,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, digest, signature],
  });
  return (await simulated(client, { data, gas: UNDEPLOYED_WALLET_GAS })) === ERC6492_YES;
}

/** The returned bytes; undefined when the call fails or returns nothing. */
async function simulated(
  client: PublicClient,
  call: { readonly to?: Address; readonly data: Hex; readonly gas: bigint },
): Promise<Hex | undefined> {
  try {
    return (await client.call(call)).data;
  } catch (error) {
    // The signer chooses the wallet's code: any failure of it (revert, gas, bad opcode) means
    // invalid.
    if (isUnavailable(error)) throw toChainError(error);
    return undefined;
  }
}
