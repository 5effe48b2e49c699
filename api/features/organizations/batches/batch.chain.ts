import type { Address, Hex, PublicClient } from "viem";
import { encodeFunctionData, isAddressEqual, parseEventLogs } from "viem";
import { soulRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { archiveIdOf, NO_EXPECTED_IDS } from "../../../../protocol/index.ts";
import { ONE_CALL } from "../../../platform/chain/multicall.ts";
import { reportOutOfGas } from "../../../platform/chain/out-of-gas.ts";
import { isNodeRefusal, withChainErrors } from "../../../platform/chain/reverts.ts";
import { ACCEPTS_EVERY_SIGNATURE } from "../../registration/index.ts";
import type { BatchIds, BatchMessage, BatchRegistry, PublishedAgent } from "./batch.ts";

export function createBatchRegistry({
  client,
  address,
  registrar,
}: {
  readonly client: PublicClient;
  readonly address: Address;
  /** The account that submits: batches are simulated as it. */
  readonly registrar: Address;
}): BatchRegistry {
  const argumentsOf = (
    message: BatchMessage,
    agents: readonly PublishedAgent[],
    expected: BatchIds,
    signature: Hex,
  ) => {
    const publications = agents.map(({ archiveId, agentUri: agentURI }) => ({
      archiveId: archiveIdOf(archiveId),
      agentURI,
    }));
    return [message, publications, expected, signature] as const;
  };

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

    async nextIds(message, agents, signature, gas) {
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

    async simulateUnsigned(message, agents, gas) {
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

    async outcomes(txHash, agents) {
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
    },

    async areTaken(names) {
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
    },
  };
}
