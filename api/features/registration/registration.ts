import type { Address, Hex } from "viem";
import type { RegistrationMessage } from "../../../protocol/index.ts";
import { didOf } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { publicUriOf } from "../../kernel/links.ts";
import type { OperationEngine } from "../../operations/engine.ts";
import type { PerformedOperation } from "../../operations/operation.ts";
import type { SigningDomains } from "../../operations/signing-domains.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { IssuedUpload } from "../documents/index.ts";
import type { PassportTransactions } from "../passports/index.ts";
import { type AdminConsent, encodeAdminConsent } from "./admin-consent.ts";
import { alreadySubmitted, apiKeyOf } from "./api-key.ts";
import type { RegistrationContext, RegistrationInput, RegistrationRequest } from "./content.ts";
import { assertConsistent, assertNamed } from "./content.ts";
import { agentWalletConsent, pendingMetadata } from "./owner-steps.ts";
import type { CompletedRegistration, FollowUp, RegistrationOrigin } from "./ports.ts";
import { registrationOperationId } from "./ports.ts";
import type { RegisterOperation, RegistrationKind } from "./register-operation.ts";
import type { RegistrationStore } from "./registrations.store.ts";
import { acceptableRequest, type ResolvedWith } from "./resolver.ts";

/** An owner's request to register. */
export interface OwnerRegistration {
  readonly input: RegistrationInput;
  /** The claimed signer; null before there is a signature. */
  readonly signer: Address | null;
  /** Of an organization's admin; `0x` for none. */
  readonly adminConsent: Hex;
}

export type OwnerOrigin = Extract<RegistrationOrigin, { readonly kind: "owner" }>;

/** A registration that its owner begins, with the signature. */
export function ownerRegistrationKind(
  deps: ResolvedWith & { readonly followUp: FollowUp<OwnerOrigin> },
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

/** What an owner signs, and the file whose hash it names. */
export interface PreparedRegistration {
  readonly message: RegistrationMessage;
  /** The registration file without ids. */
  readonly registrationFile: object;
}

/** What the owner signed, and for an organization that is another's its admin too. */
export interface RegistrationAuthorization {
  readonly message: RegistrationMessage;
  readonly signature: Hex;
  readonly signer: Address;
  readonly adminConsent: AdminConsent | null;
}

interface Registrations {
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

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Registration by an owner's signature. */
export function createRegistrationService(deps: Registrations) {
  const { operations, operation } = deps;

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
  ) {
    const digest = deps.domains.digest("SoulRegistry", "Registration", message);
    const { organizationId } = input;
    const request: OwnerRegistration = {
      input,
      signer,
      adminConsent: encodeAdminConsent(adminConsent, { digest, organizationId }),
    };
    const signed = [{ role: "owner", message, signature, signer }] as const;
    return answerOf(deps, message, await operations.perform(operation, request, signed, requester));
  }

  return { prepare, register };
}

async function answerOf(
  deps: Registrations,
  message: RegistrationMessage,
  { result: completed, indexedBlock }: PerformedOperation<CompletedRegistration>,
) {
  const { context } = deps;
  const { operationId } = completed;
  const genesisStatus: "SEALED" | "PROVISIONAL" = message.seal ? "SEALED" : "PROVISIONAL";
  const isCurrent = completed.agentUri === completed.completeUri;
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
    genesisStatus,
    apiKey: apiKeyOf(record, deps.secrets),
    mintTxHash: completed.txHash,
    /** True when the passport points at another file than `updatedAgentUriUrl`'s; the owner should set that one's URI. */
    needsAgentUriUpdate: !isCurrent,
    updatedAgentUriUrl: context.links.resolvable(completed.completeUri),
    /** Sets that URI; null when it is set. */
    agentUriTransaction: isCurrent
      ? null
      : deps.transactions.setAgentUri(completed.passportId, completed.completeUri),
    ...pendingMetadata(message, completed, deps.transactions),
    /** Signed by the agent's wallet, it lets the owner name that wallet; null for a passport that was bound. */
    agentWallet: agentWalletConsent(message, completed, deps.clock()),
    documentUploadUrls: await deps.uploads.issued(registrationOperationId(operationId)),
    /** The block that reads had reached when the answer was given. */
    indexedBlock,
  };
}

/** @throws ApiError INVALID_REQUEST for a signer other than the owner. */
function assertSigner({ ownerAddress }: RegistrationRequest, signer: Address | null): void {
  if (signer === null || signer === ownerAddress) return;
  throw new ApiError("INVALID_REQUEST", {
    message: "The signed message is not about this request.",
    details: { issues: [{ path: "signer", message: `The request says ${ownerAddress}` }] },
  });
}
