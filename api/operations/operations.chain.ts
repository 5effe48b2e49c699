import type { Address, PublicClient } from "viem";
import { encodeFunctionData, isAddressEqual } from "viem";
import { agentKeysAbi, passportWriterAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { HumanProof } from "../../protocol/index.ts";
import { archiveIdOf } from "../../protocol/index.ts";
import { findNewestLog } from "../platform/chain/log-search.ts";
import { reportOutOfGas } from "../platform/chain/out-of-gas.ts";
import { withChainErrors } from "../platform/chain/reverts.ts";
import type { Call } from "../platform/chain/transactions.ts";
import type { ChainSouls } from "../soul/chain-soul.ts";
import type { OperationChain } from "./operation.ts";
import { createPermits } from "./permit.chain.ts";
import type { OperatedSouls, OwnerEvidence } from "./soul-operation.ts";

export interface OperationChainOptions {
  readonly client: PublicClient;
  readonly souls: ChainSouls;
  readonly agentKeys: Address;
  readonly stablecoin: Address;
  readonly chainId: number;
  /** The accounts that submit. Operations are simulated as the first. */
  readonly senders: readonly [Address, ...Address[]];
}

/** The chain as operations use it, and the souls that they are about. */
export function createOperationChain(
  options: OperationChainOptions,
): OperationChain & OperatedSouls {
  const { client, souls, agentKeys, senders } = options;
  const permits = createPermits(client, options.stablecoin, options.chainId);
  const isStablecoin = (verifier: Address) => isAddressEqual(verifier, options.stablecoin);

  return {
    soul: souls.soul,

    async versionIn(contract, soul) {
      if (contract === "SoulRegistry") return soul.version;
      if (contract === "PassportWriter") return soul.passportVersion;
      return withChainErrors(() =>
        client.readContract({
          address: agentKeys,
          abi: agentKeysAbi,
          functionName: "versionOf",
          args: [soul.tokenId],
          blockNumber: soul.block,
        }),
      );
    },

    head: () => withChainErrors(() => client.getBlockNumber({ cacheTime: 0 })),

    async simulate({ to, data }, gas, sender = senders[0]) {
      await withChainErrors(() =>
        reportOutOfGas(gas, () => client.call({ account: sender, to, data, gas })),
      );
    },

    async isNonceUsed(verifier, signer, nonce) {
      // A permit that another account submitted first must not stop the owner's decision.
      if (isStablecoin(verifier)) return false;
      return withChainErrors(() =>
        client.readContract({
          address: verifier,
          abi: soulRegistryAbi,
          functionName: "isNonceUsed",
          args: [signer, nonce],
        }),
      );
    },

    // A permit alone carries nothing out.
    async executedIn({ verifier, signer, digest, fromBlock: firstBlock }) {
      if (isStablecoin(verifier)) return null;
      const found = await findNewestLog(client, firstBlock, (range) =>
        client.getContractEvents({
          address: verifier,
          abi: soulRegistryAbi,
          eventName: "NonceUsed",
          args: { signer, digest },
          strict: true,
          ...range,
        }),
      );
      if (found === null) return null;
      const { txHash: hash } = found;
      const { from } = await withChainErrors(() => client.getTransaction({ hash }));
      return { ...found, isOwn: senders.some((sender) => isAddressEqual(from, sender)) };
    },

    permitDomain: permits.domain,
    permitNonce: permits.nonceOf,
  };
}

/** Calls of the soul registry that carry out what an owner signed. */
export function createOwnerCalls(soulRegistry: Address) {
  return {
    setDidArchive: ({ message, signature }: OwnerEvidence<"SetDidArchive">): Call => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "setDidArchive",
        args: [message, signature],
      }),
    }),

    suspendBySealer: ({ message, signature }: OwnerEvidence<"Suspend">): Call => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "suspendBySealer",
        args: [message, signature],
      }),
    }),

    /** @param archiveId Where the registrar stored the soul's archive. */
    seal: (
      { message, signature }: OwnerEvidence<"Seal">,
      archiveId: string,
      humanProof: HumanProof,
    ): Call => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "seal",
        args: [message, archiveIdOf(archiveId), humanProof, signature],
      }),
    }),
  };
}

/** Calls of the passport writer that carry out what an owner signed. */
export function createPassportCalls(passportWriter: Address) {
  return {
    setAgentURI: ({ message, signature }: OwnerEvidence<"SetAgentURI">): Call => ({
      to: passportWriter,
      data: encodeFunctionData({
        abi: passportWriterAbi,
        functionName: "setAgentURI",
        args: [message, signature],
      }),
    }),
  };
}
