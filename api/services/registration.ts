import type { Address, Hex } from "viem";
import type { RegistrationMessage } from "../../protocol/index.ts";
import { didOf } from "../../protocol/index.ts";
import { ApiError } from "../errors.ts";
import type { RegistrationContext, RegistrationRequest } from "./registration-content.ts";
import {
  assertConsistent,
  registrationDigest,
  registrationMessage,
} from "./registration-content.ts";
import { alreadySubmitted, type RegistrationEngine } from "./registration-engine.ts";
import type { CompletedRegistration, PendingRegistration } from "./registration-ports.ts";

export interface RegistrationDeps {
  readonly context: RegistrationContext;
  readonly engine: RegistrationEngine;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

/** What a finished registration answers. */
export interface RegistrationAnswer {
  readonly tokenId: bigint;
  readonly erc8004AgentId: bigint;
  readonly agentName: string;
  readonly did: string;
  readonly profileUrl: string;
  readonly erc8004Url: string;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  readonly arweaveTxId: string;
  readonly genesisStatus: "SEALED" | "PROVISIONAL";
  readonly apiKey: string;
  readonly mintTxHash: Hex;
  /** True when the passport points at another file than `updatedAgentUriUrl`'s; the owner should set that one's URI. */
  readonly needsAgentUriUpdate: boolean;
  readonly updatedAgentUriUrl: string;
  /** The block that reads must have reached to show this registration. */
  readonly blockNumber: bigint;
  /** The block that reads had reached when the answer was given. */
  readonly indexedBlock: bigint;
}

/** How long an owner has to sign, unless the operation says otherwise. */
const SIGNING_TIME_SECONDS = 15n * 60n;

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Registration by an owner's signature. */
export function createRegistrationService(deps: RegistrationDeps) {
  const { context, engine } = deps;

  /** The message to sign, with a fresh nonce and deadline. */
  function prepare(request: RegistrationRequest): RegistrationMessage {
    assertConsistent(request);
    return registrationMessage(request, context, {
      nonce: deps.randomNonce(),
      deadline: BigInt(Math.floor(deps.clock().getTime() / 1000)) + SIGNING_TIME_SECONDS,
    });
  }

  /**
   * Registers, or answers again what the same operation was answered before.
   *
   * @param operationKey Names the caller's operation; only the same key reads the answer (and its API key) again.
   */
  async function register(
    request: RegistrationRequest,
    authorization: { message: RegistrationMessage; signature: Hex; signer: Address },
    operationKey: string,
  ): Promise<RegistrationAnswer> {
    assertConsistent(request);
    assertSigned(request, authorization, context);
    const { message, signature } = authorization;

    const known = await engine.findByDigest(registrationDigest(message, context));
    if (known && known.pending.operationKey !== operationKey) throw alreadySubmitted();
    if (known?.completed) return answer(known.pending, known.completed);
    const pending =
      known?.pending ??
      (await engine.accept({
        ...{ origin: { kind: "owner" }, request, message, signature, operationKey },
        adminConsent: "0x",
      }));
    return answer(pending, await engine.finish(pending));
  }

  async function answer(
    pending: PendingRegistration,
    completed: CompletedRegistration,
  ): Promise<RegistrationAnswer> {
    const { request } = pending;
    return {
      tokenId: completed.tokenId,
      erc8004AgentId: completed.passportId,
      agentName: request.agentName,
      did: didOf(context.chainId, request.agentName),
      profileUrl: context.links.profile(request.agentName),
      erc8004Url: context.links.resolvable(completed.agentUri ?? completed.completeUri),
      soulHash: request.soulHash,
      soulMerkleRoot: request.soulMerkleRoot,
      arweaveTxId: completed.archiveId,
      genesisStatus: pending.message.seal ? "SEALED" : "PROVISIONAL",
      apiKey: engine.apiKeyOf(pending),
      mintTxHash: completed.txHash,
      needsAgentUriUpdate: completed.agentUri !== completed.completeUri,
      updatedAgentUriUrl: context.links.resolvable(completed.completeUri),
      blockNumber: completed.blockNumber,
      indexedBlock: await deps.index.waitForBlock(completed.blockNumber),
    };
  }

  return { prepare, register };
}

/** Refuses a message that says anything else than the request, naming the field, and a signer other than the owner. */
export function assertSigned(
  request: RegistrationRequest,
  { message, signer }: { message: RegistrationMessage; signer: Address },
  context: RegistrationContext,
): void {
  const expected = registrationMessage(request, context, message);
  const issues = (Object.keys(expected) as (keyof RegistrationMessage)[])
    .filter((field) => message[field] !== expected[field])
    .map((field) => ({
      path: `message.${field}`,
      message: `The request says ${String(expected[field])}`,
    }));
  if (signer !== request.ownerAddress) {
    issues.push({ path: "signer", message: `The request says ${request.ownerAddress}` });
  }
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message: "The signed message is not about this request.",
      details: { issues },
    });
  }
}
