import type { Hex } from "viem";
import { encodeFunctionData, keccak256, stringToBytes } from "viem";
import { bindingRegistryAbi } from "../../../protocol/generated/abi.ts";
import type { SetBindingMessage } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import { type ChainOperation, requiredAs } from "../../operations/operation.ts";
import type { ActiveSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import { byTokenId, noSuchSoul } from "../../soul/soul-ref.ts";
import type { BindingChain } from "./bindings.chain.ts";
import { type BindingRequest, type TrustLevel, trustLevelNumber } from "./pairs.ts";

type Recorded = Awaited<ReturnType<BindingChain["pair"]>>;

/** Two agents and the binding between them, as the chain has them now. */
export interface Pair extends Pick<Recorded, "recorded"> {
  readonly soul: ActiveSoul;
  /** The agent that is trusted. */
  readonly partner: NonNullable<Recorded["partner"]>;
}

/**
 * Reads both agents and their binding.
 *
 * @throws ApiError INVALID_REQUEST for an agent that would bind itself; NOT_FOUND for either agent; of the first one BURNED,
 * SUSPENDED, FORBIDDEN (not sealed).
 */
export async function readPair(
  { souls, chain }: { readonly souls: ChainSouls; readonly chain: BindingChain },
  { fromTokenId, toTokenId }: Pick<BindingRequest, "fromTokenId" | "toTokenId">,
): Promise<Pair> {
  const soul = await requireSoul(souls, fromTokenId, "active");
  if (fromTokenId === toTokenId) {
    throw badRequest("partnerTokenId", "An agent is not bound to itself");
  }
  const { partner, recorded } = await chain.pair(fromTokenId, toTokenId);
  if (partner === null) throw noSuchSoul(byTokenId(toTokenId));
  return { soul, partner, recorded };
}

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
      const data = encodeFunctionData({
        abi: bindingRegistryAbi,
        functionName: "setBinding",
        args: [message, signature],
      });
      return { to: chain.registry, data };
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
