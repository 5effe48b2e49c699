import type { Hex } from "viem";
import { encodeFunctionData, keccak256, stringToBytes } from "viem";
import { bindingRegistryAbi } from "../../../protocol/generated/abi.ts";
import { authoriseOn } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { OperationEngine } from "../../operations/engine.ts";
import type { GivenSignature } from "../../operations/operation.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { SponsoredRelayer } from "../../platform/sponsorship/sponsored-relayer.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { BindingChain } from "./bindings.chain.ts";
import { type IndexedBinding, indexedBinding } from "./bindings.store.ts";
import {
  type BindingPayload,
  type ownerBindingOperation,
  type Pair,
  readPair,
  type WrittenBinding,
} from "./owner-binding.ts";
import {
  type BindingAuthority,
  type BindingRequest,
  type TrustLevel,
  trustLevelNumber,
} from "./pairs.ts";

/** The authority of a write: a key or session of the agent, or the signature of the agent's owner. */
export type WriteAuthority =
  | { readonly kind: "caller"; readonly caller: Caller }
  | { readonly kind: "owner"; readonly evidence: Omit<GivenSignature, "role"> };

/** A change of a binding that has an id already. */
export interface BindingChange {
  readonly bindingId: Hex;
  readonly fromTokenId: bigint;
  readonly trustLevel: TrustLevel;
  /** Undefined leaves it as it is. */
  readonly context: string | undefined;
}

/** What writing a binding takes. */
export interface BindingWrites {
  readonly souls: ChainSouls;
  readonly chain: BindingChain;
  readonly operations: Pick<OperationEngine, "prepare" | "perform">;
  readonly ownerBinding: ReturnType<typeof ownerBindingOperation>;
  readonly db: Database;
  readonly relayer: SponsoredRelayer;
  readonly waitForBlock: (block: bigint) => Promise<bigint>;
}

/** More than twice what the longest context was measured with. */
const SERVICE_GAS = 300_000n;

/**
 * The binding that a change is about.
 *
 * @throws ApiError NOT_FOUND when the agent made no binding with this id; INVALID_REQUEST when its context has to be given.
 */
export async function changedBinding(
  { db, chain }: BindingWrites,
  { bindingId, fromTokenId, trustLevel, context }: BindingChange,
): Promise<BindingRequest> {
  const known = await indexedBinding(db, bindingId);
  if (known === null || known.fromTokenId !== fromTokenId) {
    throw new ApiError("NOT_FOUND", {
      message: `The agent with token id ${fromTokenId} made no binding with this id.`,
    });
  }
  const { toTokenId } = known;
  return {
    fromTokenId,
    toTokenId,
    trustLevel,
    context: context ?? (await presentContext(chain, known)),
  };
}

/** The context that the chain has now: the index may be behind, or hold no text that can be stored. */
async function presentContext(
  chain: BindingChain,
  { fromTokenId, toTokenId, context }: IndexedBinding,
) {
  const { recorded } = await chain.pair(fromTokenId, toTokenId);
  if (context !== null && keccak256(stringToBytes(context)) === recorded.contextHash) {
    return context;
  }
  throw badRequest("context", "The present context cannot be read: give one");
}

/**
 * Writes a binding on chain, with the authority of a key or session, or of the agent's owner. SERVICE authority never replaces
 * what an owner set.
 *
 * @throws ApiError of `readPair`; of the caller's access; of the owner's signature; WALLET_SIGNATURE_REQUIRED where the owner
 * set the binding; GAS_BUDGET_EXHAUSTED; CHAIN_UNAVAILABLE.
 */
export async function writeBinding(
  writes: BindingWrites,
  request: BindingRequest,
  given: WriteAuthority,
  requester: Requester,
) {
  const { result, indexedBlock } =
    given.kind === "caller"
      ? await byService(writes, given.caller, request, requester)
      : await writes.operations.perform(
          writes.ownerBinding,
          request,
          [{ role: "owner", ...given.evidence }],
          requester,
        );
  const authority: BindingAuthority = given.kind === "caller" ? "SERVICE" : "OWNER";
  // What only the history tells.
  const known = await indexedBinding(writes.db, result.bindingId);
  const writtenAt = new Date(result.writtenAt);
  return {
    ...result,
    authority,
    createdAt: known?.createdAt ?? writtenAt,
    /** Since when this authority stands behind it. */
    authoritySince: known?.authority === authority ? known.authoritySince : writtenAt,
    indexedBlock,
  };
}

async function byService(
  writes: BindingWrites,
  caller: Caller,
  request: BindingRequest,
  { operationKey, network }: Requester,
) {
  const { chain, relayer } = writes;
  const { fromTokenId, toTokenId } = request;
  const { sealer: owner } = await authoriseBinder(writes, caller, fromTokenId);
  const operationId = `binding:${operationKey}`;
  let names: Pick<BindingPayload, "fromAgent" | "toAgent"> | null = null;
  const sponsored = { operationId, gas: SERVICE_GAS, owner, network };
  const receipt = await relayer.run(sponsored, async () => {
    const pair = await readPair(writes, request);
    names = namesOf(pair);
    return serviceCall(chain, caller, request, pair);
  });
  const { transactionHash: txHash, blockNumber } = receipt;
  const { writtenAt, ...written } = await chain.writeIn(txHash, {
    fromTokenId,
    toTokenId,
    authority: "SERVICE",
  });
  // A repetition finds its transaction, and read no names for it.
  const { fromAgent, toAgent } = names ?? namesOf(await readPair(writes, request));
  const result: WrittenBinding = {
    ...written,
    fromTokenId: fromTokenId.toString(),
    toTokenId: toTokenId.toString(),
    fromAgent,
    toAgent,
    txHash,
    writtenAt: writtenAt.toISOString(),
  };
  return { result, indexedBlock: await writes.waitForBlock(blockNumber) };
}

/** Lets a key or a session write for the agent, or throws; see `authoriseOn`. */
export async function authoriseBinder(
  { souls }: BindingWrites,
  caller: Caller,
  tokenId: bigint,
): Promise<ChainSoul> {
  const soul = await requireSoul(souls, tokenId, "registered");
  authoriseOn(soul, caller, "writes");
  return soul;
}

function serviceCall(
  { registry }: BindingChain,
  caller: Caller,
  { fromTokenId, toTokenId, trustLevel, context }: BindingRequest,
  { soul: { epoch }, partner, recorded }: Pair,
): Call {
  // A key ends with its epoch, also while the index has not seen the next one.
  if (caller.kind === "full" && caller.epoch !== epoch) throw new ApiError("UNAUTHORIZED");
  if (recorded.authority === "OWNER" && recorded.epoch === epoch) {
    throw signatureRequired("binding", "A change of a binding that the owner set");
  }
  const { serviceVersion } = recorded;
  const level = trustLevelNumber(trustLevel);
  const data = encodeFunctionData({
    abi: bindingRegistryAbi,
    functionName: "setServiceBinding",
    args: [fromTokenId, epoch, toTokenId, partner.epoch, level, context, serviceVersion],
  });
  return { to: registry, data, gas: SERVICE_GAS };
}

function namesOf({ soul, partner }: Pair) {
  return { fromAgent: soul.name, toAgent: partner.name };
}
