import type { Address, Hex } from "viem";
import type { AgentWalletMessage, RegistrationMessage } from "../../../protocol/index.ts";
import { didOf } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { publicUriOf } from "../../kernel/links.ts";
import type {
  PassportTransactions,
  UnsignedTransaction,
} from "../../kernel/unsigned-transactions.ts";
import type { OperationEngine } from "../../operations/engine.ts";
import type { PerformedOperation } from "../../operations/operation.ts";
import type { SigningDomains } from "../../operations/signing-domains.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { IssuedUpload } from "../documents/index.ts";
import { type AdminConsent, encodeAdminConsent } from "./admin-consent.ts";
import { alreadySubmitted, apiKeyOf } from "./api-key.ts";
import type { RegistrationContext, RegistrationInput, RegistrationRequest } from "./content.ts";
import { assertConsistent, assertNamed } from "./content.ts";
import { agentWalletConsent, type LeftMetadata, pendingMetadata } from "./owner-steps.ts";
import type { PassportBinding } from "./passport-binding.ts";
import type {
  CompletedRegistration,
  FollowUp,
  RegistrationOrigin,
  RegistrationStore,
} from "./ports.ts";
import { registrationOperationId } from "./ports.ts";
import type { RegisterOperation, RegistrationKind } from "./register-operation.ts";
import type { RegistrationResolver } from "./resolver.ts";
import { acceptableRequest } from "./resolver.ts";

/** An owner's request to register. */
export interface OwnerRegistration {
  readonly input: RegistrationInput;
  /** The claimed signer; null before there is a signature. */
  readonly signer: Address | null;
  /** Of an organization's admin; `0x` for none. */
  readonly adminConsent: Hex;
}

export type OwnerOrigin = Extract<RegistrationOrigin, { readonly kind: "owner" }>;

export interface OwnerRegistrationKindDeps {
  readonly context: RegistrationContext;
  readonly resolver: RegistrationResolver;
  readonly binding: Pick<PassportBinding, "assertApproved">;
  /** Whether a wallet already has a sealed agent. */
  readonly followUp: FollowUp<OwnerOrigin>;
}

/** A registration that its owner begins, with the signature. */
export function ownerRegistrationKind(
  deps: OwnerRegistrationKindDeps,
): RegistrationKind<OwnerRegistration, OwnerOrigin> {
  return {
    kind: "register",
    requestJson: ({ input: { soulSalt: _, ...input }, adminConsent }) => ({
      ...input,
      parentTokenId: input.parentTokenId.toString(),
      organizationId: input.organizationId.toString(),
      passportId: input.passportId?.toString() ?? null,
      adminConsent,
    }),
    async read({ input, signer, adminConsent }) {
      assertConsistent(input);
      assertNamed(input);
      const request = await acceptableRequest(input, deps);
      assertSigner(request, signer);
      return { request, origin: { kind: "owner" }, adminConsent, deadline: null };
    },
    refuseRepetition: alreadySubmitted,
    reportedError: async (_request, error) => error,
    archiveStaged: async () => {},
    followUp: deps.followUp,
  };
}

export interface RegistrationDeps {
  readonly context: RegistrationContext;
  readonly operations: Pick<OperationEngine, "prepare" | "perform">;
  readonly domains: Pick<SigningDomains, "digest">;
  readonly operation: RegisterOperation<OwnerRegistration>;
  readonly store: Pick<RegistrationStore, "read">;
  readonly secrets: Pick<Secrets, "decrypt">;
  readonly transactions: PassportTransactions;
  /** The uploads that were issued when the registration was completed. */
  readonly uploads: { issued(operationId: string): Promise<readonly IssuedUpload[]> };
  readonly clock: () => Date;
}

/** What an owner signs, and the file whose hash it names. */
export interface PreparedRegistration {
  readonly message: RegistrationMessage;
  /** The registration file without ids. */
  readonly registrationFile: object;
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
  const { context, operations, operation } = deps;

  /**
   * The message to sign, with a fresh nonce and deadline, and the file whose hash it names.
   *
   * @throws ApiError of everything that `register` would refuse before it looks at a signature.
   */
  async function prepare(input: RegistrationInput): Promise<PreparedRegistration> {
    const request: OwnerRegistration = { input, signer: null, adminConsent: "0x" };
    const [prepared] = await operations.prepare(operation, request);
    if (!prepared.shown) throw new Error("The registration has no message to sign.");
    return { message: prepared.message as RegistrationMessage, registrationFile: prepared.shown };
  }

  /**
   * Registers, or answers again what the same operation was answered before.
   *
   * @param requester Only the same operation key reads the answer (and its API key) again.
   */
  async function register(
    input: RegistrationInput,
    { message, signature, signer, adminConsent }: RegistrationAuthorization,
    requester: Requester,
  ): Promise<RegistrationAnswer> {
    const digest = deps.domains.digest("SoulRegistry", "Registration", message);
    const { organizationId } = input;
    const request: OwnerRegistration = {
      input,
      signer,
      adminConsent: encodeAdminConsent(adminConsent, { digest, organizationId }),
    };
    const signed = [{ role: "owner", message, signature, signer }] as const;
    return answer(message, await operations.perform(operation, request, signed, requester));
  }

  async function answer(
    message: RegistrationMessage,
    { result: completed, blockNumber, indexedBlock }: PerformedOperation<CompletedRegistration>,
  ): Promise<RegistrationAnswer> {
    const { operationId } = completed;
    const record = await deps.store.read(operationId);
    const { request } = record;
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
      genesisStatus: message.seal ? "SEALED" : "PROVISIONAL",
      apiKey: apiKeyOf(record, deps.secrets),
      mintTxHash: completed.txHash,
      needsAgentUriUpdate: completed.agentUri !== completed.completeUri,
      updatedAgentUriUrl: context.links.resolvable(completed.completeUri),
      agentUriTransaction:
        completed.agentUri === completed.completeUri
          ? null
          : deps.transactions.setAgentUri(completed.passportId, completed.completeUri),
      ...pendingMetadata(message, completed, deps.transactions),
      agentWallet: agentWalletConsent(message, completed, deps.clock()),
      documentUploadUrls: await deps.uploads.issued(registrationOperationId(operationId)),
      blockNumber,
      indexedBlock,
    };
  }

  return { prepare, register };
}

/** @throws ApiError INVALID_REQUEST for a signer other than the owner. */
function assertSigner({ ownerAddress }: RegistrationRequest, signer: Address | null): void {
  if (signer === null || signer === ownerAddress) return;
  throw new ApiError("INVALID_REQUEST", {
    message: "The signed message is not about this request.",
    details: { issues: [{ path: "signer", message: `The request says ${ownerAddress}` }] },
  });
}
