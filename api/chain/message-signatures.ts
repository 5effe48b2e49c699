import type { Address, Hash, Hex, PublicClient } from "viem";
import {
  BaseError,
  encodeFunctionData,
  HttpRequestError,
  hashMessage,
  isAddressEqual,
  LimitExceededRpcError,
  parseAbi,
  ResourceUnavailableRpcError,
  recoverAddress,
  SocketClosedError,
  size,
  TimeoutError,
  WebSocketRequestError,
} from "viem";
import { ApiError } from "../errors.ts";
import type { MessageSignatures } from "../services/sign-in.ts";
import { chainAnswer } from "./bounded.ts";

const erc1271Abi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);

/** What isValidSignature returns for a good signature, padded as the ABI pads it. */
const ACCEPTED = `0x1626ba7e${"0".repeat(56)}`;

/** A wallet's code is its owner's: it may burn this much of the node's time, and no more. */
const MAX_GAS = 5_000_000n;

/** The node gave no answer about the call. Anything else it says is about the wallet's code. */
const NO_ANSWER = [
  HttpRequestError,
  WebSocketRequestError,
  SocketClosedError,
  TimeoutError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
] as const;

export interface MessageSignaturesOptions {
  readonly client: PublicClient;
  /** Milliseconds that asking a contract may take. */
  readonly timeoutMs: number;
}

/** Signatures over messages (EIP-191). ECDSA first: an account with EIP-7702 code still signs as itself. Then ERC-1271. */
export function createMessageSignatures(options: MessageSignaturesOptions): MessageSignatures {
  return {
    async assertSigned(signer, message, signature) {
      const hash = hashMessage(message);
      const recovered = await recover(hash, signature);
      if (recovered !== null && isAddressEqual(recovered, signer)) return;
      if (!(await acceptedByContract(options, signer, hash, signature))) {
        throw new ApiError("INVALID_SIGNATURE");
      }
    },
  };
}

/** Who made an ECDSA signature, or null when it is none. */
async function recover(hash: Hash, signature: Hex): Promise<Address | null> {
  if (size(signature) !== 65) return null;
  try {
    return await recoverAddress({ hash, signature });
  } catch {
    return null;
  }
}

async function acceptedByContract(
  { client, timeoutMs }: MessageSignaturesOptions,
  signer: Address,
  hash: Hash,
  signature: Hex,
): Promise<boolean> {
  const data = encodeFunctionData({
    abi: erc1271Abi,
    functionName: "isValidSignature",
    args: [hash, signature],
  });
  return chainAnswer(timeoutMs, async () => {
    try {
      const answer = await client.call({ to: signer, data, gas: MAX_GAS });
      // An account without code answers with nothing. Longer answers are not what the standard says, and prove nothing.
      return answer.data === ACCEPTED;
    } catch (error) {
      if (gaveNoAnswer(error)) throw error;
      return false;
    }
  });
}

function gaveNoAnswer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  return error.walk((part) => NO_ANSWER.some((kind) => part instanceof kind)) !== null;
}
