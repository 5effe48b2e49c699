import type { Address, PublicClient } from "viem";
import { getAddress } from "viem";
import { identityRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { OperatedPassports } from "./file-update.ts";

/** ERC-8004 passports as their owners' operations see them. */
export function createOperatedPassports(options: {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  readonly passportWriter: Address;
  readonly identityRegistry: Address;
}): OperatedPassports {
  const { client, soulRegistry, passportWriter, identityRegistry } = options;
  const souls = { address: soulRegistry, abi: soulRegistryAbi } as const;
  const passports = { address: identityRegistry, abi: identityRegistryAbi } as const;

  return {
    metadata: (passportId, key) =>
      withChainErrors(() =>
        client.readContract({
          ...passports,
          functionName: "getMetadata",
          args: [passportId, key],
        }),
      ),

    read: (passportId) =>
      withChainErrors(async () => {
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const args = [passportId] as const;
        const tokenId = await client.readContract({
          ...souls,
          functionName: "tokenOfPassport",
          args,
          blockNumber,
        });
        // Without a soul there may be no passport either, and then the registry reverts.
        if (tokenId === 0n) return null;
        const [owner, uri, approved] = await Promise.all([
          client.readContract({ ...passports, functionName: "ownerOf", args, blockNumber }),
          client.readContract({ ...passports, functionName: "tokenURI", args, blockNumber }),
          client.readContract({
            ...passports,
            functionName: "isAuthorizedOrOwner",
            args: [passportWriter, passportId],
            blockNumber,
          }),
        ]);
        return {
          passportId,
          tokenId,
          uri,
          owner: getAddress(owner),
          approved,
        };
      }),
  };
}
