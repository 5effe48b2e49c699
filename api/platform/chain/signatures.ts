import type { Address, Hex, PublicClient } from "viem";
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  isAddressEqual,
  isErc6492Signature,
  parseAbi,
  size,
  slice,
} from "viem";
import type { OwnerSignatures } from "../../features/registration/ports.ts";
import type { MessageSignatures } from "../../features/sign-in/sign-in.ts";
import { ApiError } from "../../kernel/errors.ts";
import { chainAnswer } from "./bounded.ts";
import { recovery } from "./recovery.ts";
import { isUnavailable, toChainError, withChainErrors } from "./reverts.ts";

const erc1271Abi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);
/** The answer of a wallet that agrees, as the 32 bytes that a call returns. */
const ERC1271_YES = `0x1626ba7e${"00".repeat(28)}`;

/** Far above what verifying costs any wallet; the signer chooses the code, and must not keep the node busy with it. */
const WALLET_GAS = 3_000_000n;
/** The same with the wallet's deployment before it. */
const UNDEPLOYED_WALLET_GAS = 6_000_000n;
/** The answer of the validator that deploys a wallet in a simulation and asks it. */
const ERC6492_YES = "0x01";

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

export interface MessageSignaturesOptions {
  readonly client: PublicClient;
  /** Milliseconds that asking a contract may take. */
  readonly timeoutMs: number;
}

/**
 * Checks signatures over messages (EIP-191), which no contract will ever see: by key in any form of the same numbers, by a
 * contract wallet (ERC-1271), or by one that is not deployed yet (ERC-6492).
 */
export function createMessageSignatures(options: MessageSignaturesOptions): MessageSignatures {
  const { client, timeoutMs } = options;
  return {
    async assertSigned(signer, message, signature) {
      const digest = hashMessage(message);
      if (await isRecovered(signer, digest, signature)) return;
      const agrees = isErc6492Signature(signature) ? undeployedWalletAgrees : walletAgreesExactly;
      if (!(await chainAnswer(timeoutMs, () => agrees(client, signer, digest, signature)))) {
        throw new ApiError("INVALID_SIGNATURE");
      }
    },
  };
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
  return isRecovered(signer, digest, signature);
}

async function isRecovered(signer: Address, digest: Hex, signature: Hex): Promise<boolean> {
  const recovered = await recovery.recover(digest, signature);
  return recovered !== null && isAddressEqual(recovered, signer);
}

/** As the contracts' library sees it: only the first word counts. */
async function walletAgrees(
  client: PublicClient,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const answer = await walletAnswer(client, wallet, digest, signature);
  return answer?.slice(0, ERC1271_YES.length) === ERC1271_YES;
}

/** As the standard has it: an answer of any other length proves nothing. */
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

/** The signature names a factory and what to tell it; nothing of that outlives the simulation. */
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

/** What the call returns; undefined when it fails or returns nothing. */
async function simulated(
  client: PublicClient,
  call: { readonly to?: Address; readonly data: Hex; readonly gas: bigint },
): Promise<Hex | undefined> {
  try {
    return (await client.call(call)).data;
  } catch (error) {
    // The wallet's code is the signer's choice: however it fails (revert, no gas, bad opcode), that is a no, not our fault.
    if (isUnavailable(error)) throw toChainError(error);
    return undefined;
  }
}
