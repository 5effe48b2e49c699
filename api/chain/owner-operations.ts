import type { Address } from "viem";
import { encodeFunctionData, getAddress, zeroAddress } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { AgentTypeIndex } from "../../protocol/index.ts";
import type { OperationChain, OwnerEvidence } from "../services/owner-operations.ts";
import type { HumanProof, Publication } from "../services/registration-ports.ts";
import type { Call } from "../services/transactions.ts";
import { executedIn, type RegistryHistory } from "./executions.ts";
import { withinGas } from "./gas-bound.ts";
import { withChainErrors } from "./reverts.ts";

export interface OperationChainOptions extends RegistryHistory {
  /** The account that submits: operations are simulated as it. */
  readonly registrar: Address;
}

/** In the order of ISoulRegistry.Status. */
const STATUSES = ["NONE", "PROVISIONAL", "SEALED", "BURNED"] as const;

/** The soul registry as owners' operations use it. */
export function createOperationChain(options: OperationChainOptions): OperationChain {
  const { client, soulRegistry, registrar } = options;
  const contract = { address: soulRegistry, abi: soulRegistryAbi } as const;

  return {
    soul: (tokenId) =>
      withChainErrors(async () => {
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const read = { ...contract, args: [tokenId] as const, blockNumber } as const;
        const [soul, [, passportOwner], version, didArchiveId, humanVerified] = await Promise.all([
          client.readContract({ ...read, functionName: "soulOf" }),
          client.readContract({ ...read, functionName: "validityOf" }),
          client.readContract({ ...read, functionName: "versionOf" }),
          client.readContract({ ...read, functionName: "didArchiveOf" }),
          client.readContract({ ...read, functionName: "humanVerified" }),
        ]);
        const status = STATUSES[soul.status];
        if (status === undefined) throw new Error(`No such status of a soul: ${soul.status}.`);
        const { name, passportId, epoch, soulHash, soulMerkleRoot } = soul;
        return {
          ...{ tokenId, name, status, passportId, epoch, version, soulHash, soulMerkleRoot },
          ...{ didArchiveId, humanVerified },
          // The contract's enum has these five values and no others.
          agentType: soul.agentType as AgentTypeIndex,
          sealer: getAddress(soul.sealer),
          passportOwner: passportOwner === zeroAddress ? null : getAddress(passportOwner),
          operator: soul.operator === zeroAddress ? null : getAddress(soul.operator),
        };
      }),

    async simulate({ to, data }, gas, sender = registrar) {
      await withChainErrors(() =>
        withinGas(gas, () => client.call({ account: sender, to, data, gas })),
      );
    },

    isNonceUsed: (signer, nonce) =>
      withChainErrors(() =>
        client.readContract({ ...contract, functionName: "isNonceUsed", args: [signer, nonce] }),
      ),

    executedIn: (signer, digest) => executedIn(options, signer, digest),
  };
}

const NO_PROOF = { verifier: zeroAddress, data: "0x" } as const;

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

    /** @param publication Where the registrar stored what the owner signed. */
    seal: (
      { message, signature }: OwnerEvidence<"Seal">,
      publication: Publication,
      humanProof: HumanProof | null,
    ): Call => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "seal",
        args: [message, publication, humanProof ?? NO_PROOF, signature],
      }),
    }),

    setAgentURI: ({ message, signature }: OwnerEvidence<"SetAgentURI">): Call => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "setAgentURI",
        args: [message, signature],
      }),
    }),
  };
}
