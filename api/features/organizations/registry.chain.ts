import type { Address, Hex, PublicClient } from "viem";
import { getAddress, isAddressEqual, parseEventLogs, zeroAddress } from "viem";
import { organizationRegistryAbi } from "../../../protocol/generated/abi.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { ChainMembership, ChainOrganization, RegistryEvents } from "./registry.ts";

export type OrganizationRegistry = ReturnType<typeof createOrganizationRegistry>;

/** The organization registry as operations use it. Reads reject with CHAIN_UNAVAILABLE. */
export function createOrganizationRegistry({
  client,
  address,
}: {
  readonly client: PublicClient;
  readonly address: Address;
}) {
  const registry = { address, abi: organizationRegistryAbi } as const;

  return {
    address,

    /**
     * Null when there is no such organization.
     *
     * @param block Default: the newest.
     */
    organization: (organizationId: bigint, block?: bigint) =>
      withChainErrors(async (): Promise<ChainOrganization | null> => {
        const blockNumber = block ?? (await client.getBlockNumber({ cacheTime: 0 }));
        const read = { ...registry, args: [organizationId] as const, blockNumber } as const;
        const [admin, pendingAdmin, version] = await Promise.all([
          client.readContract({ ...read, functionName: "adminOf" }),
          client.readContract({ ...read, functionName: "pendingAdminOf" }),
          client.readContract({ ...read, functionName: "versionOf" }),
        ]);
        if (admin === zeroAddress) return null;
        return {
          organizationId,
          version,
          admin: getAddress(admin),
          pendingAdmin: pendingAdmin === zeroAddress ? null : getAddress(pendingAdmin),
        };
      }),

    membership: (tokenId: bigint, blockNumber: bigint) =>
      withChainErrors(async (): Promise<ChainMembership> => {
        const [organizationId, epoch, version] = await client.readContract({
          ...registry,
          functionName: "membershipOf",
          args: [tokenId],
          blockNumber,
        });
        return { organizationId, epoch, version };
      }),

    /** The event that the carrying out of this signature emitted. */
    async eventOf<Name extends keyof RegistryEvents>(
      name: Name,
      { txHash, digest }: { readonly txHash: Hex; readonly digest: Hex },
    ): Promise<RegistryEvents[Name]> {
      const { logs } = await withChainErrors(() => client.getTransactionReceipt({ hash: txHash }));
      const events = parseEventLogs({
        abi: organizationRegistryAbi,
        logs: logs.filter((log) => isAddressEqual(log.address, address)),
      });
      // Another sender can carry out several signatures in one transaction.
      const authorized = events.findIndex(
        (event) => event.eventName === "NonceUsed" && event.args.digest === digest,
      );
      const event = events.slice(authorized).find(({ eventName }) => eventName === name);
      if (authorized < 0 || event === undefined) {
        throw new Error(`Transaction ${txHash} has no ${name} after the signature ${digest}.`);
      }
      return event.args as never;
    },

    blockTime: async (blockNumber: bigint) => {
      const { timestamp } = await withChainErrors(() => client.getBlock({ blockNumber }));
      return dateOf(timestamp);
    },
  };
}
