import type { Address, Hex, PublicClient } from "viem";
import { getAddress } from "viem";
import { identityRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";

export type OperatedPassports = ReturnType<typeof createOperatedPassports>;

/** ERC-8004 passports as their owners' operations see them. */
export function createOperatedPassports(
  client: PublicClient,
  contracts: Readonly<Record<"soulRegistry" | "passportWriter" | "identityRegistry", Address>>,
) {
  const souls = { address: contracts.soulRegistry, abi: soulRegistryAbi } as const;
  const passports = { address: contracts.identityRegistry, abi: identityRegistryAbi } as const;

  return {
    /** What a passport holds under a metadata key; `0x` for nothing. */
    metadata: (passportId: bigint, key: string): Promise<Hex> =>
      withChainErrors(() =>
        client.readContract({ ...passports, functionName: "getMetadata", args: [passportId, key] }),
      ),

    /** A passport, everything of one block; null when it carries no soul, or does not exist. */
    read: (passportId: bigint) =>
      withChainErrors(async () => {
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const of = { args: [passportId], blockNumber } as const;
        const tokenId = await client.readContract({
          ...souls,
          functionName: "tokenOfPassport",
          ...of,
        });
        // Without a soul there may be no passport either, and then the registry reverts.
        if (tokenId === 0n) return null;
        const [owner, uri, approved] = await Promise.all([
          client.readContract({ ...passports, functionName: "ownerOf", ...of }),
          client.readContract({ ...passports, functionName: "tokenURI", ...of }),
          client.readContract({
            ...passports,
            functionName: "isAuthorizedOrOwner",
            args: [contracts.passportWriter, passportId],
            blockNumber,
          }),
        ]);
        /** `approved`: whether the passport writer may write to it. */
        return { passportId, tokenId, uri, owner: getAddress(owner), approved };
      }),
  };
}
