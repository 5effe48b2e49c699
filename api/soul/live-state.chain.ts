import type { Address, ContractFunctionReturnType, PublicClient } from "viem";
import { isAddressEqual, zeroAddress } from "viem";
import { identityRegistryAbi, soulViewAbi } from "../../protocol/generated/abi.ts";
import type { AgentTypeIndex } from "../../protocol/index.ts";
import { chainAnswer } from "../platform/chain/bounded.ts";
import type { LivePassport, LiveState } from "./live-state.ts";

/** Most blocks whose logs one sign-in reads: a healthy index is seconds behind, and a sign-in must not pay for a broken one. */
const MAX_LOG_BLOCKS = 5_000n;

/** On-chain value of ISoulRegistry.Validity.VALID. */
const VALID = 2;

export interface LiveStateOptions {
  readonly client: PublicClient;
  readonly soulView: Address;
  readonly identityRegistry: Address;
  /** Milliseconds that one read may take in all. */
  readonly timeoutMs: number;
}

/** The chain's latest block, as sign-in reads it. */
export function createLiveState(options: LiveStateOptions): LiveState {
  const { client, soulView, identityRegistry, timeoutMs } = options;
  return {
    async passportStates(holder, passportIds) {
      const state = await chainAnswer(timeoutMs, () =>
        client.readContract({
          address: soulView,
          abi: soulViewAbi,
          functionName: "passportStates",
          args: [holder, passportIds],
        }),
      );
      return {
        block: state.blockNumber,
        blockTime: state.blockTime,
        passportCount: state.passportCount,
        passports: state.passports.map(livePassport),
      };
    },

    async passportsReceived(holder, from, to) {
      const first = from > to - MAX_LOG_BLOCKS ? from : to - MAX_LOG_BLOCKS + 1n;
      if (first > to) return [];
      const transfers = await chainAnswer(timeoutMs, () =>
        client.getContractEvents({
          address: identityRegistry,
          abi: identityRegistryAbi,
          eventName: "Transfer",
          args: { to: holder },
          fromBlock: first,
          toBlock: to,
          strict: true,
        }),
      );
      const since = new Map<bigint, bigint>();
      for (const { args, blockNumber } of transfers) {
        // An approved account can send a passport to its own owner: that is not a new arrival.
        if (isAddressEqual(args.from, holder)) continue;
        since.delete(args.tokenId);
        since.set(args.tokenId, blockNumber);
      }
      return [...since].map(([id, block]) => ({ id, since: block }));
    },
  };
}

type PassportState = ContractFunctionReturnType<
  typeof soulViewAbi,
  "view",
  "passportStates"
>["passports"][number];

function livePassport(state: PassportState): LivePassport {
  const { passportId, owner, tokenId, validity, soul, humanVerified, suspended } = state;
  return {
    id: passportId,
    owner: owner === zeroAddress ? null : owner,
    soul:
      tokenId === 0n
        ? null
        : {
            tokenId,
            name: soul.name,
            sealer: soul.sealer,
            suspended,
            valid: validity === VALID,
            humanVerified,
            // The contract's enum has these five values and no others.
            agentType: soul.agentType as AgentTypeIndex,
            epoch: soul.epoch,
            soulHash: soul.soulHash,
            soulMerkleRoot: soul.soulMerkleRoot,
          },
  };
}
