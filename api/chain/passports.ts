import type { Address, PublicClient } from "viem";
import { encodeFunctionData, zeroAddress } from "viem";
import { soulRegistryAbi, soulViewAbi } from "../../protocol/generated/abi.ts";
import type { WatchedChain } from "../services/passport-watch.ts";
import type { SuspensionRegistry } from "../services/suspension.ts";
import { decodeRevert, revertData, toChainError, withChainErrors } from "./reverts.ts";

export interface PassportsOptions {
  readonly client: PublicClient;
  readonly soulView: Address;
  readonly soulRegistry: Address;
  /** The account that submits. */
  readonly relayer: Address;
}

/** What `suspend` refuses when there is nothing to record: it is recorded, the passport is back, the soul is burned. */
const NOTHING_TO_RECORD: ReadonlySet<string> = new Set([
  "AlreadySuspended",
  "NotSuspended",
  "WrongStatus",
]);

/** Passports and their souls as the passport watch asks the chain, and how it records what it saw. */
export function createPassports(options: PassportsOptions): WatchedChain & SuspensionRegistry {
  const { client, soulView, soulRegistry, relayer } = options;
  return {
    async passportsAt(passportIds, blockNumber) {
      const { passports } = await withChainErrors(() =>
        client.readContract({
          address: soulView,
          abi: soulViewAbi,
          functionName: "passportStates",
          // Whose passports are counted does not matter here; the registry refuses only to count nobody's.
          args: [soulRegistry, passportIds],
          blockNumber,
        }),
      );
      return passports.map(({ passportId, owner, tokenId, soul }) => ({
        passportId,
        owner: owner === zeroAddress ? null : owner,
        soul:
          tokenId === 0n
            ? null
            : { tokenId, epoch: soul.epoch, name: soul.name, sealer: soul.sealer },
      }));
    },

    async suspendCall(tokenId) {
      const call = {
        to: soulRegistry,
        data: encodeFunctionData({
          abi: soulRegistryAbi,
          functionName: "suspend",
          args: [tokenId],
        }),
      };
      try {
        await client.call({ ...call, account: relayer });
        return call;
      } catch (error) {
        const data = revertData(error);
        const refusal = data === null ? null : decodeRevert(data, [soulRegistryAbi]);
        if (refusal && NOTHING_TO_RECORD.has(refusal.name)) return null;
        throw toChainError(error);
      }
    },
  };
}
