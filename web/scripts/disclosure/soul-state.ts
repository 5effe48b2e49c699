import { createClient, custom, type Hex } from "viem";
import { readContract } from "viem/actions";
import { soulViewAbi } from "../../../protocol/generated/abi.ts";
import type { WalletProvider } from "../wallets/wallets.ts";

/** A soul as the wallet's own node has it. */
export interface SoulState {
  readonly block: bigint;
  readonly agentName: string;
  readonly passportId: bigint;
  readonly owner: Hex;
  readonly soulHash: Hex;
  readonly merkleRoot: Hex;
  readonly valid: boolean;
  readonly humanVerified: boolean;
}

/** In the order of ISoulRegistry.Validity. */
const VALID = 2;

/**
 * Reads a soul through the wallet, so that the service cannot say what is on chain. Null for a
 * token id that was never given.
 *
 * @throws viem's errors when the wallet does not answer.
 */
export async function soulState(
  provider: WalletProvider,
  soulView: Hex,
  tokenId: number,
): Promise<SoulState | null> {
  const client = createClient({ transport: custom(provider, { retryCount: 0 }) });
  const [block, , state] = await readContract(client, {
    address: soulView,
    abi: soulViewAbi,
    functionName: "soulState",
    args: [BigInt(tokenId)],
  });
  if (state.tokenId === 0n) return null;
  const { passportId, owner, soul, humanVerified } = state;
  return {
    block,
    agentName: soul.name,
    passportId,
    owner,
    soulHash: soul.soulHash,
    merkleRoot: soul.soulMerkleRoot,
    valid: state.validity === VALID,
    humanVerified,
  };
}
