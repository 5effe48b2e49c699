import type { Address, Hex, PublicClient } from "viem";
import { parseEventLogs } from "viem";
import { bindingRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import { type BindingAuthority, type BindingRequest, trustLevelOf } from "./pairs.ts";

/** In the order of IBindingRegistry.Authority. */
const AUTHORITIES = ["NONE", "SERVICE", "OWNER"] as const;

export type BindingChain = ReturnType<typeof createBindingChain>;

/** The binding registry, and the agents that it binds. */
export function createBindingChain(
  client: PublicClient,
  { bindingRegistry, soulRegistry }: Readonly<Record<"bindingRegistry" | "soulRegistry", Address>>,
) {
  const registry = { address: bindingRegistry, abi: bindingRegistryAbi } as const;

  return {
    registry: bindingRegistry,

    /** The second agent, null when there is no such one, and the recorded binding, in one block. */
    pair: (fromTokenId: bigint, toTokenId: bigint) =>
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
          /** It may be suspended or burned. */
          partner: partner.epoch === 0 ? null : { name: partner.name, epoch: partner.epoch },
          /** Also after one of its epochs has ended. */
          recorded: { ...recorded, authority, trustLevel: trustLevelOf(recorded.trustLevel) },
        };
      }),

    /** The last write of this pair with this authority in a transaction, as its event tells it. */
    writeIn: (
      hash: Hex,
      {
        fromTokenId,
        toTokenId,
        authority,
      }: Pick<BindingRequest, "fromTokenId" | "toTokenId"> & {
        readonly authority: BindingAuthority;
      },
    ) =>
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
  };
}
