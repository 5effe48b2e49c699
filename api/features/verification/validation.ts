import type { Address, Hex } from "viem";
import { keccak256, stringToBytes } from "viem";
import { canonicalJson } from "../../../protocol/index.ts";
import { authoriseOn } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { PostgresOperation } from "../../operations/operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { SponsoredRelayer } from "../../platform/sponsorship/sponsored-relayer.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import type { Reading } from "../../soul/index-reads.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { byTokenId } from "../../soul/soul-ref.ts";
import type { OwnerTransaction, TransactionDeployment } from "../passports/index.ts";
import { validationRequestTransaction } from "../passports/index.ts";
import type { Verification } from "./verification.ts";

/** Tag of every response of this service. */
export const VALIDATION_TAG = "svc-soul-verified" as const;
/** Format of the document that a request commits to. */
const VALIDATION_REQUEST_FORMAT = "svc-validation-request-1";

/**
 * The score of a soul: every check passed; passed as far as the archive answers; a check failed, or
 * the soul is suspended.
 */
export type ValidationResponse = 100 | 50 | 0;

/** A request that names this service as its validator. */
export interface ValidationRequest {
  readonly hash: Hex;
  /** The last response and its tag: empty without one. */
  readonly response: number;
  readonly tag: string;
  /** When it was requested, or last answered. */
  readonly updatedAt: Date;
}

/** The ERC-8004 validation registry, with this service's account as validator. */
export interface ValidationRegistry {
  readonly address: Address;
  readonly validator: Address;
  /** The newest request on a passport to this validator, under any owner; null without one. */
  newestRequest(passportId: bigint): Promise<ValidationRequest | null>;
  /** The transaction of the last response to a request; null without one. */
  respondedIn(hash: Hex): Promise<ValidationWritten | null>;
  /** The time of a block. */
  timeOf(blockNumber: bigint): Promise<Date>;
  respond(response: {
    readonly hash: Hex;
    readonly response: ValidationResponse;
    readonly uri: string;
    readonly tag: string;
  }): Call;
}

export interface ValidationWritten {
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

/** A soul whose passport has an owner that can be read. */
type OwnedSoul = ChainSoul & { readonly passportOwner: Address };

export interface ValidationDeps {
  readonly deployment: TransactionDeployment;
  /** Null on chains without one. */
  readonly registry: ValidationRegistry | null;
  readonly souls: ChainSouls;
  readonly verify: (agent: SoulRef) => Promise<Reading<Verification>>;
  readonly relayer: SponsoredRelayer;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly links: Pick<Links, "verify">;
  readonly randomNonce: () => bigint;
  readonly clock: () => Date;
}

/** Gas reserved for a response: twice the measured gas of the longest URI. */
const RESPONSE_GAS = 300_000n;
/** How long an unchanged response is not written again. */
const FRESH_MS = 24 * 60 * 60 * 1000;

export type ValidationService = ReturnType<typeof createValidationService>;

/**
 * Writes into the validation registry what a verification of a soul comes to. The passport's owner first requests it there: only
 * an account that could move the passport may, so no account of the service is ever approved.
 */
export function createValidationService(deps: ValidationDeps) {
  const { registry, souls } = deps;

  /** By the signature of the passport's owner: no contract verifies it, and each signature counts once. */
  const signed: PostgresOperation<bigint, OwnedSoul, null, Validated> = {
    kind: "validation",
    settlement: "postgres",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "ValidateAgent" } },
    requestJson: (tokenId) => ({ tokenId: tokenId.toString() }),
    async read(tokenId) {
      configured(registry);
      const soul = await requireSoul(souls, tokenId, "sealed");
      if (soul.passportOwner === null) throw new ApiError("SUSPENDED");
      return { ...soul, passportOwner: soul.passportOwner };
    },
    signatures: (_tokenId, { passportOwner }) => [{ role: "owner", signer: passportOwner }],
    subjects: (_tokenId, { tokenId, epoch }) => [{ kind: "soul", id: tokenId, epoch }],
    async plan(tokenId, soul) {
      await requestOn(deps, soul);
      return {
        messages: { owner: { tokenId, agentId: soul.passportId } },
        payload: null,
        secrets: null,
        items: [],
      };
    },
    settle: (_tokenId, soul, { network }) => verifiedResponse(deps, soul, network),
  };

  return {
    signed,

    /** By a key of the agent or a session of its owner. */
    async byCaller(tokenId: bigint, caller: Caller, network: string): Promise<Validated> {
      configured(registry);
      const soul = await requireSoul(souls, tokenId, "sealed");
      // A key ends with the passport's transfer; the signature of the passport's new owner does not.
      authoriseOn(soul, caller, "writes");
      assertSoul(soul, "active");
      return verifiedResponse(deps, soul, network);
    },

    /**
     * The transaction with which the passport's owner asks for a validation; null when one was asked
     * for, and on chains without a registry.
     *
     * @throws ApiError CHAIN_UNAVAILABLE.
     */
    async requestTransaction(soul: ChainSoul): Promise<OwnerTransaction | null> {
      if (registry === null || (await registry.newestRequest(soul.passportId)) !== null)
        return null;
      return newRequest(deps, registry, soul).transaction;
    },
  };
}

/** The response, and the block that reads had reached when it was answered. */
type Validated = Awaited<ReturnType<typeof verifiedResponse>>;

/**
 * Verifies the soul, and responds to the newest request on its passport, or returns the last response while it still holds. A
 * crash leaves nothing but a response that the next call finds.
 *
 * @throws ApiError APPROVAL_REQUIRED with the owner's transaction that requests the validation; REGISTRY_PENDING while the index
 * is behind; GAS_BUDGET_EXHAUSTED; CHAIN_UNAVAILABLE.
 */
async function verifiedResponse(deps: ValidationDeps, soul: ChainSoul, network: string) {
  const { registry, request } = await requestOn(deps, soul);
  const { value } = await deps.verify(byTokenId(soul.tokenId));
  const response = responseOf(value);
  const { txHash, blockNumber } =
    (await unchanged(registry, request, response, deps.clock())) ??
    (await respond(deps, registry, request, response, soul, network));
  return {
    passportId: soul.passportId,
    requestHash: request.hash,
    response,
    txHash,
    validatedAt: await registry.timeOf(blockNumber),
    indexedBlock: await deps.index.waitForBlock(blockNumber),
  };
}

function configured(registry: ValidationRegistry | null): ValidationRegistry {
  if (registry !== null) return registry;
  throw new ApiError("REGISTRY_PENDING", {
    message: "The ERC-8004 validation registry is pending: it is not deployed on this chain.",
    retryAfter: 24 * 60 * 60,
  });
}

/**
 * @throws ApiError APPROVAL_REQUIRED while the passport's owner has not requested a validation from
 * the registry.
 */
async function requestOn(deps: ValidationDeps, soul: ChainSoul) {
  const registry = configured(deps.registry);
  const request = await registry.newestRequest(soul.passportId);
  if (request !== null) return { registry, request };
  const { hash, transaction } = newRequest(deps, registry, soul);
  throw new ApiError("APPROVAL_REQUIRED", {
    message:
      "The passport's owner must request this validation from the validation registry first.",
    details: { erc8004AgentId: soul.passportId, requestHash: hash, transaction },
  });
}

function newRequest(
  { deployment, randomNonce }: ValidationDeps,
  { address, validator }: ValidationRegistry,
  { tokenId, passportId }: ChainSoul,
) {
  // The nonce keeps other accounts from taking the hash: the registry has one request per hash.
  const document = canonicalJson({
    format: VALIDATION_REQUEST_FORMAT,
    chainId: deployment.chainId,
    identityRegistry: deployment.identityRegistry,
    agentId: passportId.toString(),
    soulRegistry: deployment.soulRegistry,
    tokenId: tokenId.toString(),
    validator,
    nonce: randomNonce().toString(),
  });
  const hash = keccak256(stringToBytes(document));
  const transaction = validationRequestTransaction(deployment, {
    validationRegistry: address,
    validator,
    passportId,
    hash,
    uri: `data:application/json,${encodeURIComponent(document)}`,
  });
  return { hash, transaction };
}

/** The last response, if it is the same and still fresh: the service pays only for changes. */
async function unchanged(
  registry: ValidationRegistry,
  request: ValidationRequest,
  response: ValidationResponse,
  now: Date,
): Promise<ValidationWritten | null> {
  const isSame = request.tag === VALIDATION_TAG && request.response === response;
  const isFresh = now.getTime() - request.updatedAt.getTime() < FRESH_MS;
  return isSame && isFresh ? registry.respondedIn(request.hash) : null;
}

async function respond(
  { relayer, links }: ValidationDeps,
  registry: ValidationRegistry,
  { hash, updatedAt }: ValidationRequest,
  response: ValidationResponse,
  soul: ChainSoul,
  network: string,
): Promise<ValidationWritten> {
  // The recorded state is part of the name: concurrent equal results are written once.
  const since = Math.floor(updatedAt.getTime() / 1000);
  const operationId = `validation:${hash}:${since}:${response}`;
  // The request names the account that may respond.
  const signer = "registrar" as const;
  const receipt = await relayer.run(
    { operationId, gas: RESPONSE_GAS, owner: soul.sealer, network, signer },
    async () =>
      registry.respond({ hash, response, uri: links.verify(soul.name), tag: VALIDATION_TAG }),
  );
  return { txHash: receipt.transactionHash, blockNumber: receipt.blockNumber };
}

/**
 * The result of a sealed soul's verification.
 *
 * @throws ApiError REGISTRY_PENDING or CHAIN_UNAVAILABLE while it is unknown: nothing is written
 * then.
 */
export function responseOf({ checks }: Verification): ValidationResponse {
  const { soulHash, arweave, baseTx, sealed, soulValidity } = checks;
  const statuses: readonly string[] = [soulHash.status, arweave.status, baseTx.status];
  if (statuses.includes("invalid") || soulValidity.status === "suspended") return 0;
  if (soulHash.status === "pending" || baseTx.status === "pending") {
    throw new ApiError("CHAIN_UNAVAILABLE", {
      message: "The chain's data on this soul is incomplete now. Try again later.",
    });
  }
  if (sealed.status === "provisional" || soulValidity.status === "not_linked") {
    throw new ApiError("REGISTRY_PENDING");
  }
  return arweave.status === "pending" ? 50 : 100;
}
