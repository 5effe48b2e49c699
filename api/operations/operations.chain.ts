import type { Address, PublicClient } from "viem";
import { encodeFunctionData, getAddress, zeroAddress } from "viem";
import { agentKeysAbi, passportWriterAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { AgentTypeIndex, HumanProof } from "../../protocol/index.ts";
import { archiveIdOf } from "../../protocol/index.ts";
import { withinGas } from "../platform/chain/gas-bound.ts";
import { withChainErrors } from "../platform/chain/reverts.ts";
import type { Call } from "../platform/chain/transactions.ts";
import type { OperationChain } from "./engine.ts";
import { executedIn } from "./executions.chain.ts";
import type { OperatedSouls, OwnerEvidence } from "./soul-operation.ts";

export interface OperationChainOptions {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  readonly passportWriter: Address;
  readonly agentKeys: Address;
  /** The account that submits: operations are simulated as it. */
  readonly registrar: Address;
}

/** In the order of ISoulRegistry.Status. */
const STATUSES = ["NONE", "PROVISIONAL", "SEALED", "BURNED"] as const;

/** The chain as operations use it, and the souls that they are about. */
export function createOperationChain(
  options: OperationChainOptions,
): OperationChain & OperatedSouls {
  const { client, soulRegistry, passportWriter, agentKeys, registrar } = options;
  const contract = { address: soulRegistry, abi: soulRegistryAbi } as const;

  return {
    soul: (tokenId) =>
      withChainErrors(async () => {
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const read = { ...contract, args: [tokenId] as const, blockNumber } as const;
        const writer = { ...read, address: passportWriter, abi: passportWriterAbi } as const;
        const keys = { ...read, address: agentKeys, abi: agentKeysAbi } as const;
        const [
          soul,
          [, passportOwner],
          suspended,
          version,
          passportVersion,
          keysVersion,
          didArchiveId,
          humanVerified,
        ] = await Promise.all([
          client.readContract({ ...read, functionName: "soulOf" }),
          client.readContract({ ...read, functionName: "validityOf" }),
          client.readContract({ ...read, functionName: "isSuspended" }),
          client.readContract({ ...read, functionName: "versionOf" }),
          client.readContract({ ...writer, functionName: "versionOf" }),
          client.readContract({ ...keys, functionName: "versionOf" }),
          client.readContract({ ...read, functionName: "didArchiveOf" }),
          client.readContract({ ...read, functionName: "humanVerified" }),
        ]);
        const status = STATUSES[soul.status];
        if (status === undefined) throw new Error(`No such status of a soul: ${soul.status}.`);
        const { name, passportId, epoch, soulHash, soulMerkleRoot } = soul;
        return {
          tokenId,
          name,
          status,
          passportId,
          suspended,
          epoch,
          versions: {
            SoulRegistry: version,
            PassportWriter: passportVersion,
            AgentKeys: keysVersion,
          },
          soulHash,
          soulMerkleRoot,
          didArchiveId,
          humanVerified,
          // The contract's enum has these five values and no others.
          agentType: soul.agentType as AgentTypeIndex,
          sealer: getAddress(soul.sealer),
          passportOwner: passportOwner === zeroAddress ? null : getAddress(passportOwner),
          operator: soul.operator === zeroAddress ? null : getAddress(soul.operator),
        };
      }),

    head: () => withChainErrors(() => client.getBlockNumber({ cacheTime: 0 })),

    async simulate({ to, data }, gas, sender = registrar) {
      await withChainErrors(() =>
        withinGas(gas, () => client.call({ account: sender, to, data, gas })),
      );
    },

    isNonceUsed: (verifier, signer, nonce) =>
      withChainErrors(() =>
        client.readContract({
          address: verifier,
          abi: soulRegistryAbi,
          functionName: "isNonceUsed",
          args: [signer, nonce],
        }),
      ),

    executedIn: (signature) => executedIn(client, signature),
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
