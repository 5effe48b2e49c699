import type { Address, Hex, PublicClient } from "viem";
import { encodeFunctionData, isAddressEqual } from "viem";
import { agentKeysAbi, passportWriterAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type {
  HumanProof,
  OwnerMessage,
  OwnerMessageContract,
  OwnerMessageName,
} from "../../protocol/index.ts";
import { archiveIdOf } from "../../protocol/index.ts";
import { findNewestLog } from "../platform/chain/log-search.ts";
import { reportOutOfGas } from "../platform/chain/out-of-gas.ts";
import { withChainErrors } from "../platform/chain/reverts.ts";
import type { Call } from "../platform/chain/transactions.ts";
import type { ChainSoul, ChainSouls } from "../soul/chain-soul.ts";
import { createPermits } from "./permit.chain.ts";

/** What an owner signed, and with what. */
export interface OwnerEvidence<Name extends OwnerMessageName = OwnerMessageName> {
  readonly message: OwnerMessage<Name>;
  readonly signature: Hex;
  readonly signer: Address;
}

/** Souls, and the version counters that decisions are signed over. */
export type OperatedSouls = Pick<ReturnType<typeof createOperationChain>, "soul" | "versionIn">;

/** The chain as the engine uses it. It knows no kind of operation. */
export type OperationChain = Omit<ReturnType<typeof createOperationChain>, keyof OperatedSouls>;

/** The chain as operations use it, and the souls that they are about. */
export function createOperationChain({
  client,
  souls,
  agentKeys,
  stablecoin,
  chainId,
  senders,
}: {
  readonly client: PublicClient;
  readonly souls: ChainSouls;
  readonly agentKeys: Address;
  readonly stablecoin: Address;
  readonly chainId: number;
  /** The accounts that submit. Operations are simulated as the first. */
  readonly senders: readonly [Address, ...Address[]];
}) {
  const permits = createPermits(client, stablecoin, chainId);
  const isStablecoin = (verifier: Address) => isAddressEqual(verifier, stablecoin);

  return {
    soul: souls.soul,

    /** The soul's version in a contract that verifies its owner's decisions, in the block of `soul`. */
    async versionIn(contract: OwnerMessageContract, soul: ChainSoul): Promise<number> {
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

    /** The number of the newest block. */
    head: () => withChainErrors(() => client.getBlockNumber({ cacheTime: 0 })),

    /**
     * @param sender Who would send it: the registrar when absent. The owner needs no signature of its own.
     * @throws ApiError of the contract's refusal; INVALID_REQUEST when it takes more than `gas`.
     */
    async simulate({ to, data }: Call, gas: bigint, sender = senders[0]): Promise<void> {
      await withChainErrors(() =>
        reportOutOfGas(gas, () => client.call({ account: sender, to, data, gas })),
      );
    },

    /** Whether the contract that verifies the signature refuses this nonce as used. */
    async isNonceUsed(verifier: Address, signer: Address, nonce: bigint): Promise<boolean> {
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
    executedIn: async (signature: ExecutedSignature) =>
      isStablecoin(signature.verifier) ? null : executionOf(client, senders, signature),

    /** The EIP-712 domain of the stablecoin's permits. */
    permitDomain: permits.domain,
    /** The only nonce that a permit of this signer can have now. */
    permitNonce: permits.nonceOf,
  };
}

/** A signature that a contract may have executed. Every one that verifies owners' signatures emits the same event. */
interface ExecutedSignature {
  readonly verifier: Address;
  readonly signer: Address;
  readonly digest: Hex;
  /** The first block that can hold it. */
  readonly fromBlock: bigint;
}

/** The transaction in which a contract executed exactly this signature, and whether this service sent it; null without one. */
async function executionOf(
  client: PublicClient,
  senders: readonly Address[],
  { verifier, signer, digest, fromBlock }: ExecutedSignature,
) {
  const found = await findNewestLog(client, fromBlock, (range) =>
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
}

/** Calls of the soul registry that carry out what an owner signed. */
export function createOwnerCalls(soulRegistry: Address) {
  const abi = soulRegistryAbi;
  return {
    setDidArchive: ({ message, signature }: OwnerEvidence<"SetDidArchive">): Call => ({
      to: soulRegistry,
      data: encodeFunctionData({ abi, functionName: "setDidArchive", args: [message, signature] }),
    }),

    suspendBySealer: ({ message, signature }: OwnerEvidence<"Suspend">): Call => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi,
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
        abi,
        functionName: "seal",
        args: [message, archiveIdOf(archiveId), humanProof, signature],
      }),
    }),
  };
}

/** The call of the passport writer that points a passport at the file that its owner signed. */
export function setAgentUriCall(
  passportWriter: Address,
  { message, signature }: OwnerEvidence<"SetAgentURI">,
): Call {
  return {
    to: passportWriter,
    data: encodeFunctionData({
      abi: passportWriterAbi,
      functionName: "setAgentURI",
      args: [message, signature],
    }),
  };
}
