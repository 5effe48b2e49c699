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

export interface Validated {
  readonly passportId: bigint;
  readonly requestHash: Hex;
  readonly response: ValidationResponse;
  readonly txHash: Hex;
  readonly validatedAt: Date;
  /** The block that reads had reached when it was answered. */
  readonly indexedBlock: bigint;
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
  const { deployment } = deps;

  /** By the signature of the passport's owner: no contract verifies it, and each signature counts once. */
  const signed: PostgresOperation<bigint, OwnedSoul, null, Validated> = {
    kind: "validation",
    settlement: "postgres",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "ValidateAgent" } },
    requestJson: (tokenId) => ({ tokenId: tokenId.toString() }),
    async read(tokenId) {
      configured();
      const soul = await sealedSoul(tokenId);
      if (soul.passportOwner === null) throw new ApiError("SUSPENDED");
      return { ...soul, passportOwner: soul.passportOwner };
    },
    signatures: (_tokenId, { passportOwner }) => [{ role: "owner", signer: passportOwner }],
    subjects: (_tokenId, { tokenId, epoch }) => [{ kind: "soul", id: tokenId, epoch }],
    async plan(tokenId, soul) {
      await requestOn(configured(), soul);
      return {
        messages: { owner: { tokenId, agentId: soul.passportId } },
        payload: null,
        secrets: null,
        items: [],
      };
    },
    settle: (_tokenId, soul, { network }) => verifiedResponse(soul, network),
  };

  /** By a key of the agent or a session of its owner. */
  async function byCaller(tokenId: bigint, caller: Caller, network: string): Promise<Validated> {
    configured();
    const soul = await sealedSoul(tokenId);
    assertMay(caller, soul);
    return verifiedResponse(soul, network);
  }

  /**
   * Verifies the soul, and responds to the newest request on its passport, or returns the last response while it still holds. A
   * crash leaves nothing but a response that the next call finds.
   *
   * @throws ApiError APPROVAL_REQUIRED with the owner's transaction that requests the validation; REGISTRY_PENDING while the index
   * is behind; GAS_BUDGET_EXHAUSTED; CHAIN_UNAVAILABLE.
   */
  async function verifiedResponse(soul: ChainSoul, network: string): Promise<Validated> {
    const registry = configured();
    const request = await requestOn(registry, soul);
    const { value } = await deps.verify(byTokenId(soul.tokenId));
    const response = responseOf(value);
    const written = await respond(registry, { request, response, network, soul });
    return {
      passportId: soul.passportId,
      requestHash: request.hash,
      response,
      txHash: written.txHash,
      validatedAt: await registry.timeOf(written.blockNumber),
      indexedBlock: await deps.index.waitForBlock(written.blockNumber),
    };
  }

  function configured(): ValidationRegistry {
    if (deps.registry !== null) return deps.registry;
    throw new ApiError("REGISTRY_PENDING", {
      message: "The ERC-8004 validation registry is pending: it is not deployed on this chain.",
      retryAfter: 24 * 60 * 60,
    });
  }

  async function sealedSoul(tokenId: bigint): Promise<ChainSoul> {
    return requireSoul(deps.souls, tokenId, "sealed");
  }

  /**
   * @throws ApiError APPROVAL_REQUIRED while the passport's owner has not requested a validation
   * from the registry.
   */
  async function requestOn(
    registry: ValidationRegistry,
    soul: ChainSoul,
  ): Promise<ValidationRequest> {
    const request = await registry.newestRequest(soul.passportId);
    if (request === null) throw approvalRequired(registry, soul);
    return request;
  }

  /** A key ends with the passport's transfer; the signature of the passport's new owner does not. */
  function assertMay(caller: Caller, soul: ChainSoul): void {
    authoriseOn(soul, caller, "writes");
    assertSoul(soul, "active");
  }

  /**
   * The transaction with which the passport's owner asks for a validation; null when one was asked
   * for, and on chains without a registry.
   *
   * @throws ApiError CHAIN_UNAVAILABLE.
   */
  async function requestTransaction(soul: ChainSoul): Promise<OwnerTransaction | null> {
    const { registry } = deps;
    if (registry === null || (await registry.newestRequest(soul.passportId)) !== null) return null;
    return newRequest(registry, soul).transaction;
  }

  function newRequest(
    { address, validator }: ValidationRegistry,
    { tokenId, passportId }: ChainSoul,
  ): { readonly hash: Hex; readonly transaction: OwnerTransaction } {
    // The nonce keeps other accounts from taking the hash: the registry has one request per hash.
    const document = canonicalJson({
      format: VALIDATION_REQUEST_FORMAT,
      chainId: deployment.chainId,
      identityRegistry: deployment.identityRegistry,
      agentId: passportId.toString(),
      soulRegistry: deployment.soulRegistry,
      tokenId: tokenId.toString(),
      validator,
      nonce: deps.randomNonce().toString(),
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

  function approvalRequired(registry: ValidationRegistry, soul: ChainSoul): ApiError {
    const { hash, transaction } = newRequest(registry, soul);
    return new ApiError("APPROVAL_REQUIRED", {
      message:
        "The passport's owner must request this validation from the validation registry first.",
      details: { erc8004AgentId: soul.passportId, requestHash: hash, transaction },
    });
  }

  /**
   * Writes the response, unless it equals the last one and that is still fresh. So the service pays
   * only for changes.
   */
  async function respond(
    registry: ValidationRegistry,
    {
      request,
      response,
      soul,
      network,
    }: {
      request: ValidationRequest;
      response: ValidationResponse;
      soul: ChainSoul;
      network: string;
    },
  ): Promise<ValidationWritten> {
    const { hash, tag, updatedAt } = request;
    const isSame = tag === VALIDATION_TAG && request.response === response;
    const isFresh = deps.clock().getTime() - updatedAt.getTime() < FRESH_MS;
    if (isSame && isFresh) {
      const known = await registry.respondedIn(hash);
      if (known !== null) return known;
    }
    // The recorded state is part of the name: concurrent equal results are written once.
    const since = Math.floor(updatedAt.getTime() / 1000);
    const operationId = `validation:${hash}:${since}:${response}`;
    // The request names the account that may respond.
    const signer = "registrar" as const;
    const receipt = await deps.relayer.run(
      { operationId, gas: RESPONSE_GAS, owner: soul.sealer, network, signer },
      async () =>
        registry.respond({
          hash,
          response,
          uri: deps.links.verify(soul.name),
          tag: VALIDATION_TAG,
        }),
    );
    return { txHash: receipt.transactionHash, blockNumber: receipt.blockNumber };
  }

  return { signed, byCaller, requestTransaction };
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
