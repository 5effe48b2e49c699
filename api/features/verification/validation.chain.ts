import type { Address, PublicClient } from "viem";
import { encodeFunctionData, isAddressEqual, zeroHash } from "viem";
import { validationRegistryAbi } from "../../../protocol/generated/abi.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { findNewestLog } from "../../platform/chain/log-search.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { ValidationRegistry } from "./validation.ts";

/** How many requests on one passport are searched, newest first. Only its owner can make more. */
const LOOKED_THROUGH = 20;

/**
 * An ERC-8004 validation registry.
 *
 * @param startBlock The first block that can hold a response of this deployment.
 */
export function createValidationRegistry(
  client: PublicClient,
  address: Address,
  validator: Address,
  startBlock: bigint,
): ValidationRegistry {
  const contract = { address, abi: validationRegistryAbi } as const;

  return {
    address,
    validator,

    newestRequest: (passportId) =>
      withChainErrors(async () => {
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const hashes = await client.readContract({
          ...contract,
          functionName: "getAgentValidations",
          args: [passportId],
          blockNumber,
        });
        for (const hash of hashes.slice(-LOOKED_THROUGH).toReversed()) {
          const [asked, , response, , tag, updated] = await client.readContract({
            ...contract,
            functionName: "getValidationStatus",
            args: [hash],
            blockNumber,
          });
          if (!isAddressEqual(asked, validator)) continue;
          return { hash, response, tag, updatedAt: dateOf(updated) };
        }
        return null;
      }),

    respondedIn: (hash) =>
      findNewestLog(client, startBlock, (range) =>
        client.getContractEvents({
          ...contract,
          eventName: "ValidationResponse",
          strict: true,
          args: { validatorAddress: validator, requestHash: hash },
          ...range,
        }),
      ),

    timeOf: (blockNumber) =>
      withChainErrors(async () => {
        const { timestamp } = await client.getBlock({ blockNumber });
        return dateOf(timestamp);
      }),

    respond: ({ hash, response, uri, tag }) => ({
      to: address,
      // The response commits to no document: the URI answers with the current checks.
      data: encodeFunctionData({
        abi: validationRegistryAbi,
        functionName: "validationResponse",
        args: [hash, response, uri, zeroHash, tag],
      }),
    }),
  };
}
