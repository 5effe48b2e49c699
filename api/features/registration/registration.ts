import type { Address, Hex } from "viem";
import type { AgentWalletMessage, RegistrationMessage } from "../../../protocol/index.ts";
import { didOf } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { publicUriOf } from "../../kernel/links.ts";
import type {
  PassportTransactions,
  UnsignedTransaction,
} from "../../kernel/unsigned-transactions.ts";
import { assertEndsSoon, signingDeadline } from "../../operations/signing-deadline.ts";
import type { Requester } from "../../platform/sponsorship/sponsorship.ts";
import type { IssuedUpload } from "../documents/index.ts";
import { type AdminConsent, encodeAdminConsent } from "./admin-consent.ts";
import { agentWalletConsent } from "./agent-wallet.ts";
import type { RegistrationContext, RegistrationInput, RegistrationRequest } from "./content.ts";
import {
  assertConsistent,
  assertNamed,
  registrationDigest,
  registrationMessage,
} from "./content.ts";
import { alreadySubmitted, operationOf, type RegistrationEngine } from "./engine.ts";
import type { PassportBinding } from "./passport-binding.ts";
import { type LeftMetadata, pendingMetadata } from "./pending-metadata.ts";
import type { CompletedRegistration, PendingRegistration } from "./ports.ts";
import type { RegistrationResolver } from "./resolver.ts";
import { acceptableRequest } from "./resolver.ts";

export interface RegistrationDeps {
  readonly context: RegistrationContext;
  readonly engine: RegistrationEngine;
  readonly resolver: RegistrationResolver;
  readonly binding: PassportBinding;
  readonly transactions: PassportTransactions;
  /** What the engine's follow-up issued when the registration was completed. */
  readonly uploads: { issued(operationId: string): Promise<readonly IssuedUpload[]> };
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
  /** Sets that URI; null when it is set. */
  readonly agentUriTransaction: UnsignedTransaction | null;
  readonly pendingMetadata: LeftMetadata["pendingMetadata"];
  readonly approvalTransaction: LeftMetadata["approvalTransaction"];
  /** Signed by the agent's wallet, it lets the owner name that wallet; null for a passport that was bound. */
  readonly agentWallet: AgentWalletMessage | null;
  readonly documentUploadUrls: readonly IssuedUpload[];
  /** The block that reads must have reached to show this registration. */
  readonly blockNumber: bigint;
  /** The block that reads had reached when the answer was given. */
  readonly indexedBlock: bigint;
}

/** What the owner signed, and for an organization that is another's its admin too. */
export interface RegistrationAuthorization {
  readonly message: RegistrationMessage;
  readonly signature: Hex;
  readonly signer: Address;
  readonly adminConsent: AdminConsent | null;
}

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Registration by an owner's signature. */
export function createRegistrationService(deps: RegistrationDeps) {
  const { context, engine } = deps;

  /**
   * The message to sign, with a fresh nonce and deadline.
   *
   * @throws ApiError of everything that `register` would refuse before it looks at a signature.
   */
  async function prepare(input: RegistrationInput): Promise<RegistrationMessage> {
    const request = await accepted(input);
    const message = registrationMessage(request, context, {
      nonce: deps.randomNonce(),
      deadline: signingDeadline(deps.clock()),
    });
    await engine.assertAcceptable(request, message, { kind: "owner" });
    return message;
  }

  /**
   * Registers, or answers again what the same operation was answered before.
   *
   * @param requester Only the same operation key reads the answer (and its API key) again.
   */
  async function register(
    input: RegistrationInput,
    authorization: RegistrationAuthorization,
    requester: Requester,
  ): Promise<RegistrationAnswer> {
    const digest = registrationDigest(authorization.message, context);
    const known = await engine.findByDigest(digest);
    if (known && known.pending.operationKey !== requester.operationKey) throw alreadySubmitted();
    if (known?.completed) return answer(known.pending, known.completed);
    const pending = known?.pending ?? (await accept(input, authorization, digest, requester));
    return answer(pending, await engine.finish(pending));
  }

  async function accept(
    input: RegistrationInput,
    authorization: RegistrationAuthorization,
    digest: Hex,
    requester: Requester,
  ): Promise<PendingRegistration> {
    const request = await accepted(input);
    assertSigned(request, authorization, context);
    const { message, signature } = authorization;
    assertEndsSoon(message.deadline, deps.clock());
    const { organizationId } = request;
    const adminConsent = encodeAdminConsent(authorization.adminConsent, { digest, organizationId });
    return engine.accept({
      origin: { kind: "owner" },
      request,
      message,
      adminConsent,
      signature,
      operationKey: requester.operationKey,
      network: requester.network,
    });
  }

  /** The request with what it leaves to the service, if the contract could take it. */
  async function accepted(input: RegistrationInput): Promise<RegistrationRequest> {
    assertConsistent(input);
    assertNamed(input);
    return acceptableRequest(input, deps);
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
      erc8004Url:
        publicUriOf(completed.agentUri ?? request.passport?.agentUri ?? null, context.links) ??
        context.links.resolvable(completed.completeUri),
      soulHash: request.soulHash,
      soulMerkleRoot: request.soulMerkleRoot,
      arweaveTxId: completed.archiveId,
      genesisStatus: pending.message.seal ? "SEALED" : "PROVISIONAL",
      apiKey: engine.apiKeyOf(pending),
      mintTxHash: completed.txHash,
      needsAgentUriUpdate: completed.agentUri !== completed.completeUri,
      updatedAgentUriUrl: context.links.resolvable(completed.completeUri),
      agentUriTransaction:
        completed.agentUri === completed.completeUri
          ? null
          : deps.transactions.setAgentUri(completed.passportId, completed.completeUri),
      ...pendingMetadata(pending, completed, deps.transactions),
      agentWallet: agentWalletConsent(pending, completed, deps.clock()),
      documentUploadUrls: await deps.uploads.issued(operationOf(pending)),
      blockNumber: completed.blockNumber,
      indexedBlock: await deps.index.waitForBlock(completed.blockNumber),
    };
  }

  return { prepare, register };
}

/** Refuses a message that says anything else than the request, naming the field, and a signer other than the owner. */
function assertSigned(
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
