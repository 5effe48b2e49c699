import type { Address, Hex, PublicClient } from "viem";
import { encodeFunctionData, isAddressEqual, parseEventLogs } from "viem";
import { soulRegistryAbi } from "../../../../protocol/generated/abi.ts";
import {
  archiveIdOf,
  NO_EXPECTED_IDS,
  type SOUL_REGISTRY_TYPES,
} from "../../../../protocol/index.ts";
import type { MessageOf } from "../../../../protocol/message-of.ts";
import { ONE_CALL } from "../../../platform/chain/multicall.ts";
import { reportOutOfGas } from "../../../platform/chain/out-of-gas.ts";
import { isNodeRefusal, withChainErrors } from "../../../platform/chain/reverts.ts";
import { ACCEPTS_EVERY_SIGNATURE } from "../../registration/index.ts";

/** What the owner signs: all agents of a batch, and whether entries are left out whose names others have. */
export type BatchMessage = MessageOf<typeof SOUL_REGISTRY_TYPES.RegistrationBatch>;

/** What the transaction names of an agent. */
export interface PublishedAgent {
  readonly archiveId: string;
  /** URI of its registration file. */
  readonly agentUri: string;
}

/** The first ids of a batch; the others follow. Both zero: the files name none. */
export interface BatchIds {
  readonly firstTokenId: bigint;
  readonly firstPassportId: bigint;
}

/** One agent of a batch as the chain has registered it, in the order of the batch. */
export interface RegisteredAgent {
  /** Of its row among the registrations. */
  readonly id: string;
  readonly agentName: string;
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly epoch: number;
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

/** One agent of a batch that the chain has left out. */
interface LeftOutAgent {
  readonly id: string;
  readonly agentName: string;
  /** The agent that has the name. */
  readonly takenBy: bigint;
}

export type AgentOutcome = RegisteredAgent | LeftOutAgent;

export type BatchRegistry = ReturnType<typeof createBatchRegistry>;

/** The soul registry as batches use it. */
export function createBatchRegistry({
  client,
  address,
  registrar,
}: {
  readonly client: PublicClient;
  readonly address: Address;
  /** The account that submits: batches are simulated as it. */
  readonly registrar: Address;
}) {
  /** @param expected The ids that the files name: with others the contract refuses the batch. */
  function registerCall(
    message: BatchMessage,
    agents: readonly PublishedAgent[],
    expected: BatchIds,
    signature: Hex,
  ) {
    const args = argumentsOf(message, agents, expected, signature);
    const data = encodeFunctionData({ abi: soulRegistryAbi, functionName: "registerBatch", args });
    return { to: address, data };
  }

  return {
    registerCall,

    /** The ids that it would get now. @throws ApiError of the contract's refusal. */
    async nextIds(
      message: BatchMessage,
      agents: readonly PublishedAgent[],
      signature: Hex,
      gas: bigint,
    ): Promise<BatchIds> {
      const { result } = await withChainErrors(() =>
        reportOutOfGas(gas, () =>
          client.simulateContract({
            address,
            abi: soulRegistryAbi,
            functionName: "registerBatch",
            args: argumentsOf(message, agents, NO_EXPECTED_IDS, signature),
            account: registrar,
            gas,
          }),
        ),
      );
      const [firstTokenId, firstPassportId] = result;
      return { firstTokenId, firstPassportId };
    },

    /** Refuses what would not be taken if its owner signed it. @throws ApiError of the contract's refusal. */
    async simulateUnsigned(message: BatchMessage, agents: readonly PublishedAgent[], gas: bigint) {
      try {
        await withChainErrors(() =>
          reportOutOfGas(gas, () =>
            client.call({
              ...registerCall(message, agents, NO_EXPECTED_IDS, "0x"),
              account: registrar,
              gas,
              stateOverride: [{ address: message.owner, code: ACCEPTS_EVERY_SIGNATURE }],
            }),
          ),
        );
      } catch (error) {
        // Not every node takes overrides of the state. The signed batch is simulated without any.
        if (!isNodeRefusal(error)) throw error;
      }
    },

    /** What became of each agent. */
    outcomes: (txHash: Hex, agents: readonly RequestedAgent[]) =>
      outcomesIn(client, address, txHash, agents),

    /** Whether each name is given, at one block. Only a reorganization frees one again. */
    areTaken: (names: readonly string[]) => areTaken(client, address, names),
  };
}

function argumentsOf(
  message: BatchMessage,
  agents: readonly PublishedAgent[],
  expected: BatchIds,
  signature: Hex,
) {
  const publications = agents.map(({ archiveId, agentUri: agentURI }) => ({
    archiveId: archiveIdOf(archiveId),
    agentURI,
  }));
  return [message, publications, expected, signature] as const;
}

interface RequestedAgent {
  readonly id: string;
  readonly request: { readonly agentName: string };
}

async function outcomesIn(
  client: PublicClient,
  address: Address,
  txHash: Hex,
  agents: readonly RequestedAgent[],
): Promise<AgentOutcome[]> {
  const { logs, blockNumber } = await withChainErrors(() =>
    client.getTransactionReceipt({ hash: txHash }),
  );
  const events = parseEventLogs({
    abi: soulRegistryAbi,
    eventName: ["SoulRegistered", "BatchEntryLeftOut"],
    logs: logs.filter((log) => isAddressEqual(log.address, address)),
  });
  return agents.map(({ id, request: { agentName } }) => {
    const event = events.find(({ args }) => args.name === agentName);
    if (event === undefined) throw new Error(`${txHash} says nothing of ${agentName}.`);
    if (event.eventName === "BatchEntryLeftOut") {
      return { id, agentName, takenBy: event.args.holder };
    }
    const { tokenId, passportId, epoch } = event.args;
    return { id, agentName, tokenId, passportId, epoch, txHash, blockNumber };
  });
}

async function areTaken(
  client: PublicClient,
  address: Address,
  names: readonly string[],
): Promise<readonly boolean[]> {
  const holders = await withChainErrors(() =>
    client.multicall({
      ...ONE_CALL,
      contracts: names.map((name) => ({
        address,
        abi: soulRegistryAbi,
        functionName: "tokenOfName" as const,
        args: [name] as const,
      })),
    }),
  );
  return holders.map((holder) => holder !== 0n);
}
