import type { Hex } from "viem";
import type { RegistrationMessage } from "../../../protocol/index.ts";
import { didOf } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { OperationEngine } from "../../operations/engine.ts";
import type { PerformedOperation } from "../../operations/operation.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { SoulReader } from "../../soul/text/soul-tasks.ts";
import type { PassportTransactions } from "../passports/index.ts";
import type {
  CompletedRegistration,
  PassportBinding,
  RegisterOperation,
  RegistrationContext,
  RegistrationResolver,
  RegistrationStore,
} from "../registration/index.ts";
import {
  acceptableRequest,
  agentWalletConsent,
  apiKeyOf,
  assertConsistent,
  pendingMetadata,
} from "../registration/index.ts";
import type { OpenClaims } from "./claim/open.ts";
import type { ClaimRequest } from "./claim/operation.ts";
import { claimInput } from "./claim/soul.ts";
import type { AgentRegistration, ClaimDraft, DraftLimits } from "./claim/stored.ts";
import type { ClaimTerms, DraftSeal } from "./claim/terms.ts";
import type { ClaimStore } from "./claims.store.ts";

/** The owner's answer. The key, the salt and the leaves are returned only here. */
export type ClaimAnswer = Awaited<ReturnType<typeof answerOf>>;

interface Claiming {
  readonly context: RegistrationContext;
  readonly operations: Pick<OperationEngine, "prepare" | "perform">;
  readonly operation: RegisterOperation<ClaimRequest>;
  readonly open: OpenClaims;
  readonly drafts: DraftSeal;
  readonly resolver: RegistrationResolver;
  readonly binding: PassportBinding;
  readonly transactions: PassportTransactions;
  readonly store: ClaimStore;
  readonly registrations: Pick<RegistrationStore, "read">;
  readonly souls: SoulReader;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

export type ClaimService = ReturnType<typeof createClaims>;

const DRAFT_LIMITS: DraftLimits = { perOwner: 5, perRequester: 20, perRegistration: 100 };

/** How an owner claims an agent that registered itself. */
export function createClaims(deps: Claiming) {
  const { operations, operation, open, drafts, store, clock } = deps;

  /**
   * The public part of a registration. @throws ApiError NOT_FOUND; GONE when it expired unclaimed.
   */
  async function draft(registrationId: string): Promise<AgentRegistration> {
    const found = await open.find(registrationId);
    open.assertThere(found);
    return found;
  }

  /**
   * The message that the owner signs: valid until the registration expires, and for exactly these
   * terms.
   *
   * @throws ApiError NOT_FOUND, GONE, ALREADY_CLAIMED; INVALID_REQUEST for invalid edits;
   * HASH_MISMATCH for a public value that does not match its leaf, and for a text that states
   * another name or type; RATE_LIMIT_EXCEEDED for too many drafts.
   *
   * @param requester the caller, as limits count callers.
   */
  async function prepare(terms: ClaimTerms, requester: string): Promise<RegistrationMessage> {
    const registration = await open.find(terms.registrationId);
    open.assertOpen(registration);
    const input = await claimInput(registration, terms, { ...deps, caller: requester });
    // Its hashes were computed here; the values that the owner publishes are checked.
    assertConsistent({ ...input, soulDocuments: null });
    const request = await acceptableRequest(input, deps);
    const [prepared] = await operations.prepare(operation, { terms, request, draft: null });
    const message = prepared.message as RegistrationMessage;
    const { soulSalt, ...stored } = request;
    const { id: registrationId } = registration;
    const sealed = drafts.seal(registrationId, message.nonce, terms, soulSalt);
    const newDraft = { ...sealed, registrationId, request: stored, message, createdAt: clock() };
    await store.insertDraft(newDraft, requester, DRAFT_LIMITS);
    return message;
  }

  /**
   * Mints, and seals unless the terms say otherwise, by the owner's one signature over the message
   * that `prepare` gave for these terms.
   *
   * @param requester Only the same operation key reads the answer again.
   * @throws ApiError NOT_FOUND, GONE, ALREADY_CLAIMED; NONCE_EXPIRED when no draft has the nonce;
   * INVALID_REQUEST when the draft was made for other terms, or before the passport's file changed;
   * those of `PassportBinding`; INVALID_SIGNATURE, WALLET_NOT_DEPLOYED; the contract's refusals;
   * RATE_LIMIT_EXCEEDED and GAS_BUDGET_EXHAUSTED; CHAIN_UNAVAILABLE and STORAGE_UNAVAILABLE.
   */
  async function claim(
    terms: ClaimTerms,
    signed: { readonly nonce: bigint; readonly signature: Hex },
    requester: Requester,
  ) {
    const registration = await open.find(terms.registrationId);
    const signedDraft = await store.findDraft(registration.id, signed.nonce);
    if (signedDraft === null) {
      open.assertOpen(registration);
      throw new ApiError("NONCE_EXPIRED", {
        message:
          "This nonce belongs to no draft of this registration, or newer drafts replaced it. Request the typed data again.",
      });
    }
    const { message } = signedDraft;
    const request = { ...signedDraft.request, soulSalt: drafts.saltOf(signedDraft) };
    const performed = await operations.perform(
      operation,
      { terms, request, draft: signedDraft },
      [{ role: "owner", message, signature: signed.signature, signer: message.owner }],
      requester,
    );
    // An operation that was accepted before is answered without being read again.
    drafts.assertTerms(signedDraft, terms);
    return answerOf(deps, signedDraft, performed);
  }

  return { draft, prepare, claim };
}

async function answerOf(
  { context, drafts, store, clock, transactions, registrations, secrets }: Claiming,
  signedDraft: ClaimDraft,
  { result: completed, indexedBlock }: PerformedOperation<CompletedRegistration>,
) {
  const { message, request } = signedDraft;
  const { passportId, agentUri, completeUri } = completed;
  const record = await registrations.read(completed.operationId);
  return {
    message,
    request,
    completed,
    agentUriTransaction:
      agentUri === completeUri ? null : transactions.setAgentUri(passportId, completeUri),
    ...pendingMetadata(message, completed, transactions),
    agentWallet: agentWalletConsent(message, completed, clock()),
    did: didOf(context.chainId, request.agentName),
    // The keys may have been rotated since the draft, also before the claim was finished.
    agentKeeps: await store.hasAgentKey(completed.tokenId, clock()),
    apiKey: apiKeyOf(record, secrets),
    soulSalt: drafts.saltOf(signedDraft),
    indexedBlock,
  };
}
