import type { Address, Hex, PublicClient } from "viem";
import { encodeFunctionData, getAddress, isAddressEqual, parseEventLogs, zeroAddress } from "viem";
import { organizationRegistryAbi } from "../../../protocol/generated/abi.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { ChainMembership, ChainOrganization, OrganizationRegistry } from "./registry.ts";

/** What the registry takes for a consent that is not needed. */
const NO_CONSENT = { nonce: 0n, deadline: 0n, signature: "0x" } as const;

/** The organization registry as operations use it. */
export function createOrganizationRegistry({
  client,
  address,
}: {
  readonly client: PublicClient;
  readonly address: Address;
}): OrganizationRegistry {
  const registry = { address, abi: organizationRegistryAbi } as const;

  const to = (data: Hex): Call => ({ to: address, data });

  return {
    organization: (organizationId, block) =>
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

    membership: (tokenId, blockNumber) =>
      withChainErrors(async (): Promise<ChainMembership> => {
        const [organizationId, epoch, version] = await client.readContract({
          ...registry,
          functionName: "membershipOf",
          args: [tokenId],
          blockNumber,
        });
        return { organizationId, epoch, version };
      }),

    createCall: ({ message, signature }) =>
      to(
        encodeFunctionData({
          abi: organizationRegistryAbi,
          functionName: "create",
          args: [message, signature],
        }),
      ),

    joinCall: ({ message, signature }, admission) =>
      to(
        encodeFunctionData({
          abi: organizationRegistryAbi,
          functionName: "join",
          args: [message, signature, consentOf(admission)],
        }),
      ),

    leaveCall: ({ message, signature, signer }) =>
      to(
        encodeFunctionData({
          abi: organizationRegistryAbi,
          functionName: "leaveOrganization",
          args: [message, signer, signature],
        }),
      ),

    changeAdminCall: ({ message, signature }, acceptance) =>
      to(
        encodeFunctionData({
          abi: organizationRegistryAbi,
          functionName: "changeAdmin",
          args: [message, signature, consentOf(acceptance)],
        }),
      ),

    acceptAdminCall: ({ message, signature }) =>
      to(
        encodeFunctionData({
          abi: organizationRegistryAbi,
          functionName: "acceptAdmin",
          args: [message, signature],
        }),
      ),

    async eventOf(name, { txHash, digest }) {
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

    blockTime: async (blockNumber) => {
      const { timestamp } = await withChainErrors(() => client.getBlock({ blockNumber }));
      return dateOf(timestamp);
    },
  };
}

function consentOf(
  given: {
    readonly message: { readonly nonce: bigint; readonly deadline: bigint };
    readonly signature: Hex;
  } | null,
) {
  if (given === null) return NO_CONSENT;
  const { message, signature } = given;
  return { nonce: message.nonce, deadline: message.deadline, signature };
}
