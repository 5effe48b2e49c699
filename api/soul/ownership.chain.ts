import type { Address, PublicClient } from "viem";
import { zeroAddress } from "viem";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import { chainAnswer } from "../platform/chain/bounded.ts";
import type { ReadOwnership } from "./current-reads.ts";

/** In the order of ISoulRegistry.Status after NONE: a soul that does not exist is bound to nothing. */
const STATUSES = ["PROVISIONAL", "SEALED", "BURNED"] as const;

/** The view also counts the passports of an account. A registry refuses to count those of the zero address. */
const ANY_ACCOUNT: Address = "0x0000000000000000000000000000000000000001";

export interface OwnershipOptions {
  readonly client: PublicClient;
  readonly soulView: Address;
  /** Milliseconds that one read may take in all. */
  readonly timeoutMs: number;
}

/** Who owns and controls an agent in the chain's latest block: one call. */
export function createOwnershipReads(options: OwnershipOptions): ReadOwnership {
  const { client, soulView, timeoutMs } = options;
  return async (passportId) => {
    const state = await chainAnswer(timeoutMs, () =>
      client.readContract({
        address: soulView,
        abi: soulViewAbi,
        functionName: "passportStates",
        args: [ANY_ACCOUNT, [passportId]],
      }),
    );
    const [passport] = state.passports;
    if (passport === undefined) throw new Error("The view answered for no passport.");
    const { owner, tokenId, soul, suspended } = passport;
    return {
      block: state.blockNumber,
      blockTime: state.blockTime,
      owner: orNull(owner),
      soul:
        tokenId === 0n
          ? null
          : {
              tokenId,
              status: STATUSES[soul.status - 1] ?? "BURNED",
              epoch: soul.epoch,
              sealer: soul.sealer,
              suspended,
              operator: orNull(soul.operator),
              soulHash: soul.soulHash,
            },
    };
  };
}

function orNull(address: Address): Address | null {
  return address === zeroAddress ? null : address;
}
