import type { Hex } from "viem";
import { keccak256, stringToBytes } from "viem";
import { authoriseOn } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { OperationEngine, PreparedMessage } from "../../operations/engine.ts";
import type { ChainOperation, GivenSignature } from "../../operations/operation.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { SponsoredRelayer } from "../../platform/sponsorship/sponsored-relayer.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { IndexedBinding } from "./binding-list.ts";
import type { BindingPayload, WrittenBinding } from "./owner-binding.ts";
import type { BindingAuthority, BindingChain, BindingRequest, Pair, TrustLevel } from "./pairs.ts";
import { readPair } from "./pairs.ts";

/** The authority of a write: a key or session of the agent, or the signature of the agent's owner. */
export type WriteAuthority =
  | { readonly kind: "caller"; readonly caller: Caller }
  | { readonly kind: "owner"; readonly evidence: Omit<GivenSignature, "role"> };

/** A binding after it was written. */
export interface SetBinding extends WrittenBinding {
  readonly authority: BindingAuthority;
  readonly createdAt: Date;
  /** Since when this authority stands behind it. */
  readonly authoritySince: Date;
  /** The block that reads had reached when it was answered. */
  readonly indexedBlock: bigint;
}

/** A change of a binding that has an id already. */
export interface BindingChange {
  readonly bindingId: Hex;
  readonly fromTokenId: bigint;
  readonly trustLevel: TrustLevel;
  /** Undefined leaves it as it is. */
  readonly context: string | undefined;
}

export interface BindingServiceDeps {
  readonly souls: ChainSouls;
  readonly chain: BindingChain;
  readonly operations: Pick<OperationEngine, "prepare" | "perform">;
  readonly ownerBinding: ChainOperation<BindingRequest, Pair, BindingPayload, WrittenBinding>;
  /** The binding as indexed; null for none. */
  readonly indexed: (bindingId: Hex) => Promise<IndexedBinding | null>;
  readonly relayer: SponsoredRelayer;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
}

/** More than twice what the longest context was measured with. */
const SERVICE_GAS = 300_000n;

export type BindingService = ReturnType<typeof createBindingService>;

/** Writes bindings: with the authority of a key or session, or of the agent's owner. */
export function createBindingService(deps: BindingServiceDeps) {
  const { chain, operations, ownerBinding, relayer } = deps;

  /**
   * The binding that a change is about.
   *
   * @throws ApiError NOT_FOUND when the agent made no binding with this id; INVALID_REQUEST when its context has to be given.
   */
  async function requestOf(change: BindingChange): Promise<BindingRequest> {
    const { bindingId, fromTokenId, trustLevel } = change;
    const known = await deps.indexed(bindingId);
    if (known === null || known.fromTokenId !== fromTokenId) {
      throw new ApiError("NOT_FOUND", {
        message: `The agent with token id ${fromTokenId} made no binding with this id.`,
      });
    }
    const { toTokenId } = known;
    const context = change.context ?? (await presentContext(known));
    return { fromTokenId, toTokenId, trustLevel, context };
  }

  /** The context that the chain has now: the index may be behind, or hold no text that can be stored. */
  async function presentContext({ fromTokenId, toTokenId, context }: IndexedBinding) {
    const { recorded } = await chain.pair(fromTokenId, toTokenId);
    if (context !== null && keccak256(stringToBytes(context)) === recorded.contextHash) {
      return context;
    }
    throw badRequest("context", "The present context cannot be read: give one");
  }

  /** The message that the agent's owner signs, with a fresh nonce and deadline. */
  async function prepare(request: BindingRequest): Promise<PreparedMessage> {
    const [prepared] = await operations.prepare(ownerBinding, request);
    return prepared;
  }

  /**
   * Writes a binding on chain. SERVICE authority never replaces what an owner set.
   *
   * @throws ApiError of `readPair`; of the caller's access; of the owner's signature; WALLET_SIGNATURE_REQUIRED where the owner
   * set the binding; GAS_BUDGET_EXHAUSTED; CHAIN_UNAVAILABLE.
   */
  async function write(
    request: BindingRequest,
    authority: WriteAuthority,
    requester: Requester,
  ): Promise<SetBinding> {
    if (authority.kind === "caller") {
      return withStanding("SERVICE", await byService(authority.caller, request, requester));
    }
    const signatures = [{ role: "owner" as const, ...authority.evidence }];
    const performed = await operations.perform(ownerBinding, request, signatures, requester);
    return withStanding("OWNER", performed);
  }

  async function byService(caller: Caller, request: BindingRequest, requester: Requester) {
    const { fromTokenId, toTokenId } = request;
    const { sealer: owner } = await authorise(caller, fromTokenId);
    const { operationKey, network } = requester;
    const operationId = `binding:${operationKey}`;
    let names: Pick<BindingPayload, "fromAgent" | "toAgent"> | null = null;
    const sponsored = { operationId, gas: SERVICE_GAS, owner, network };
    const receipt = await relayer.run(sponsored, async () => {
      const pair = await readPair(deps, request);
      names = namesOf(pair);
      return serviceCall(caller, request, pair);
    });
    const { transactionHash: txHash, blockNumber } = receipt;
    const { writtenAt, ...written } = await chain.writeIn(txHash, {
      fromTokenId,
      toTokenId,
      authority: "SERVICE",
    });
    // A repetition finds its transaction, and read no names for it.
    const { fromAgent, toAgent } = names ?? namesOf(await readPair(deps, request));
    const result: WrittenBinding = {
      ...written,
      fromTokenId: fromTokenId.toString(),
      toTokenId: toTokenId.toString(),
      fromAgent,
      toAgent,
      txHash,
      writtenAt: writtenAt.toISOString(),
    };
    return { result, indexedBlock: await deps.index.waitForBlock(blockNumber) };
  }

  /** Lets a key or a session write for the agent, or throws; see `authoriseOn`. */
  async function authorise(caller: Caller, tokenId: bigint): Promise<ChainSoul> {
    const soul = await requireSoul(deps.souls, tokenId, "registered");
    authoriseOn(soul, caller, "writes");
    return soul;
  }

  function serviceCall(
    caller: Caller,
    request: BindingRequest,
    { soul, partner, recorded }: Pair,
  ): Call {
    const { epoch } = soul;
    // A key ends with its epoch, also while the index has not seen the next one.
    if (caller.kind === "full" && caller.epoch !== epoch) throw new ApiError("UNAUTHORIZED");
    if (recorded.authority === "OWNER" && recorded.epoch === epoch) {
      throw signatureRequired("binding", "A change of a binding that the owner set");
    }
    const { serviceVersion } = recorded;
    const call = chain.setServiceBinding(request, {
      epoch,
      toEpoch: partner.epoch,
      serviceVersion,
    });
    return { ...call, gas: SERVICE_GAS };
  }

  /** The write with what only the history tells. */
  async function withStanding(
    authority: BindingAuthority,
    { result, indexedBlock }: { readonly result: WrittenBinding; readonly indexedBlock: bigint },
  ): Promise<SetBinding> {
    const known = await deps.indexed(result.bindingId);
    const writtenAt = new Date(result.writtenAt);
    const isKnown = known !== null && known.authority === authority;
    return {
      ...result,
      authority,
      createdAt: known?.createdAt ?? writtenAt,
      authoritySince: isKnown ? known.authoritySince : writtenAt,
      indexedBlock,
    };
  }

  return { authorise, requestOf, prepare, write };
}

function namesOf({ soul, partner }: Pair) {
  return { fromAgent: soul.name, toAgent: partner.name };
}
