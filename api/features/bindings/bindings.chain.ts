import type { Address, PublicClient } from "viem";
import { encodeFunctionData, parseEventLogs } from "viem";
import { bindingRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { BindingChain } from "./pairs.ts";
import { trustLevelNumber, trustLevelOf } from "./pairs.ts";

/** In the order of IBindingRegistry.Authority. */
const AUTHORITIES = ["NONE", "SERVICE", "OWNER"] as const;

export interface BindingChainOptions {
  readonly client: PublicClient;
  readonly bindingRegistry: Address;
  readonly soulRegistry: Address;
}

/** The binding registry, and the agents that it binds. */
export function createBindingChain(options: BindingChainOptions): BindingChain {
  const { client, bindingRegistry, soulRegistry } = options;
  const registry = { address: bindingRegistry, abi: bindingRegistryAbi } as const;

  return {
    pair: (fromTokenId, toTokenId) =>
      withChainErrors(async () => {
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const [partner, recorded] = await Promise.all([
          client.readContract({
            address: soulRegistry,
            abi: soulRegistryAbi,
            functionName: "soulOf",
            args: [toTokenId],
            blockNumber,
          }),
          client.readContract({
            ...registry,
            functionName: "recordOf",
            args: [fromTokenId, toTokenId],
            blockNumber,
          }),
        ]);
        const authority = AUTHORITIES[recorded.authority];
        if (authority === undefined) throw new Error(`No such authority: ${recorded.authority}.`);
        return {
          partner: partner.epoch === 0 ? null : { name: partner.name, epoch: partner.epoch },
          recorded: {
            authority,
            trustLevel: trustLevelOf(recorded.trustLevel),
            epoch: recorded.epoch,
            version: recorded.version,
            serviceVersion: recorded.serviceVersion,
            contextHash: recorded.contextHash,
          },
        };
      }),

    writeIn: (hash, { fromTokenId, toTokenId, authority }) =>
      withChainErrors(async () => {
        const { logs, blockNumber } = await client.getTransactionReceipt({ hash });
        const { timestamp } = await client.getBlock({ blockNumber });
        const writes = parseEventLogs({ abi: bindingRegistryAbi, eventName: "BindingSet", logs });
        const write = writes.findLast(
          ({ args, address }) =>
            address.toLowerCase() === bindingRegistry.toLowerCase() &&
            args.fromTokenId === fromTokenId &&
            args.toTokenId === toTokenId &&
            AUTHORITIES[args.authority] === authority,
        );
        const trustLevel = write && trustLevelOf(write.args.trustLevel);
        if (!write || !trustLevel) throw new Error(`Transaction ${hash} wrote no such binding.`);
        return {
          bindingId: write.args.bindingId,
          previousTrustLevel: trustLevelOf(write.args.previousTrustLevel),
          trustLevel,
          context: write.args.context,
          writtenAt: dateOf(timestamp),
        };
      }),

    setBinding: (message, signature) => ({
      to: bindingRegistry,
      data: encodeFunctionData({
        abi: bindingRegistryAbi,
        functionName: "setBinding",
        args: [message, signature],
      }),
    }),

    setServiceBinding: (request, { epoch, toEpoch, serviceVersion }) => ({
      to: bindingRegistry,
      data: encodeFunctionData({
        abi: bindingRegistryAbi,
        functionName: "setServiceBinding",
        args: [
          request.fromTokenId,
          epoch,
          request.toTokenId,
          toEpoch,
          trustLevelNumber(request.trustLevel),
          request.context,
          serviceVersion,
        ],
      }),
    }),
  };
}
