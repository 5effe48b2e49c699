import type { Hex } from "viem";
import { keccak256, stringToBytes } from "viem";
import type { SetBindingMessage } from "../../../protocol/index.ts";
import { type ChainOperation, requiredAs } from "../../operations/operation.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { BindingChain, BindingRequest, Pair, TrustLevel } from "./pairs.ts";
import { readPair, trustLevelNumber } from "./pairs.ts";

export interface BindingPayload {
  readonly fromTokenId: string;
  readonly toTokenId: string;
  readonly fromAgent: string;
  readonly toAgent: string;
}

/** What a write of a binding came to: strings, so that it can be stored with its operation. */
export interface WrittenBinding extends BindingPayload {
  readonly bindingId: Hex;
  readonly previousTrustLevel: TrustLevel | null;
  readonly trustLevel: TrustLevel;
  readonly context: string;
  readonly txHash: Hex;
  /** ISO 8601. */
  readonly writtenAt: string;
}

/** More than twice what the longest context was measured with. */
const GAS = 400_000n;

/** The operation with which the owner of an agent sets how far the agent trusts another. */
export function ownerBindingOperation(deps: {
  readonly souls: ChainSouls;
  readonly chain: BindingChain;
}): ChainOperation<BindingRequest, Pair, BindingPayload, WrittenBinding> {
  const { chain } = deps;
  return {
    kind: "binding",
    settlement: "chain",
    messageTypes: { owner: { contract: "BindingRegistry", primaryType: "SetBinding" } },
    requestJson: ({ fromTokenId, toTokenId, trustLevel, context }) => ({
      fromTokenId: fromTokenId.toString(),
      toTokenId: toTokenId.toString(),
      trustLevel,
      context,
    }),
    read: (request) => readPair(deps, request),
    signatures: (_request, { soul }) => [{ role: "owner", signer: soul.owner }],
    subjects: (_request, { soul }) => [{ kind: "soul", id: soul.tokenId, epoch: soul.epoch }],

    async plan(request, { soul, partner, recorded }) {
      const { fromTokenId, toTokenId, trustLevel, context } = request;
      return {
        messages: {
          owner: {
            fromTokenId,
            epoch: soul.epoch,
            toTokenId,
            toEpoch: partner.epoch,
            trustLevel: trustLevelNumber(trustLevel),
            context,
            version: recorded.version,
          },
        },
        payload: {
          fromTokenId: fromTokenId.toString(),
          toTokenId: toTokenId.toString(),
          fromAgent: soul.name,
          toAgent: partner.name,
        },
        secrets: null,
        items: [],
      };
    },

    gas: () => GAS,
    call: (operation) => {
      const { message, signature } = requiredAs<SetBindingMessage>(operation.signatures, "owner");
      return chain.setBinding(message, signature);
    },

    async result({ payload }, { txHash }) {
      const { writtenAt, ...write } = await chain.writeIn(txHash, {
        fromTokenId: BigInt(payload.fromTokenId),
        toTokenId: BigInt(payload.toTokenId),
        authority: "OWNER",
      });
      return { ...payload, ...write, txHash, writtenAt: writtenAt.toISOString() };
    },

    async isSuperseded(operation) {
      const { message } = requiredAs<SetBindingMessage>(operation.signatures, "owner");
      const { recorded } = await chain.pair(message.fromTokenId, message.toTokenId);
      return (
        recorded.authority === "OWNER" &&
        recorded.epoch === message.epoch &&
        recorded.trustLevel !== null &&
        trustLevelNumber(recorded.trustLevel) === message.trustLevel &&
        recorded.contextHash === keccak256(stringToBytes(message.context))
      );
    },
  };
}
