import { badRequest } from "../../../kernel/errors.ts";
import { unixSeconds } from "../../../operations/signing-deadline.ts";
import type {
  FollowUp,
  PassportBinding,
  RegistrationContext,
  RegistrationKind,
  RegistrationRequest,
} from "../../registration/index.ts";
import { registrationFields } from "../../registration/index.ts";
import type { ClaimDocuments } from "../documents.ts";
import { alreadyClaimed } from "./errors.ts";
import type { OpenClaims } from "./open.ts";
import type { ClaimDraft, ClaimOrigin } from "./stored.ts";
import type { ClaimTerms, DraftSeal } from "./terms.ts";

/** An owner's request to claim an agent. */
export interface ClaimRequest {
  readonly terms: ClaimTerms;
  /** What the terms come to: the agent's registration with the owner's edits. */
  readonly request: RegistrationRequest;
  /** The draft that was signed; null before there is one. */
  readonly draft: ClaimDraft | null;
}

/** The claim of an agent that registered itself: a registration of the content that was drafted. */
export function claimKind(deps: {
  readonly context: RegistrationContext;
  readonly binding: Pick<PassportBinding, "inspect" | "assertApproved">;
  readonly open: OpenClaims;
  readonly drafts: Pick<DraftSeal, "assertTerms">;
  readonly documents: Pick<ClaimDocuments, "store">;
  readonly followUp: FollowUp<ClaimOrigin>;
}): RegistrationKind<ClaimRequest, ClaimOrigin> {
  const { open, context, binding } = deps;

  /**
   * A draft may be a day old. The passport's current content must not be overwritten with its
   * earlier content.
   */
  async function assertPassportAsDrafted(
    request: RegistrationRequest,
    { message }: ClaimDraft,
  ): Promise<void> {
    if (request.passport === null) return;
    const { passportId } = request.passport;
    const passport = await binding.inspect(passportId, request.ownerAddress);
    await binding.assertApproved(passportId);
    const { contentHash } = registrationFields({ ...request, passport }, context);
    if (contentHash === message.contentHash) return;
    throw badRequest(
      "nonce",
      "The passport's registration file has changed since this was drafted. Request the typed data again",
    );
  }

  return {
    kind: "claim",
    // A draft is of one registration and one nonce, and says everything else.
    requestJson: ({ terms, draft }) => ({
      registrationId: draft?.registrationId ?? terms.registrationId,
      nonce: draft?.message.nonce.toString() ?? null,
    }),
    async read({ terms, request, draft }) {
      const registration = await open.find(terms.registrationId);
      open.assertOpen(registration);
      if (draft !== null) {
        deps.drafts.assertTerms(draft, terms);
        await assertPassportAsDrafted(request, draft);
      }
      const origin: ClaimOrigin = {
        kind: "claim",
        registrationId: registration.id,
        publicId: terms.registrationId,
        agentKeeps: terms.agentKeeps,
      };
      const deadline = unixSeconds(registration.expiresAt);
      return { request, origin, adminConsent: "0x", deadline };
    },
    refuseRepetition: ({ request }) => alreadyClaimed(request.agentName),
    async reportedError({ terms, request }, error) {
      // If another claim won, report ALREADY_CLAIMED rather than the check that happened to fail.
      const { state } = await open.find(terms.registrationId);
      return state === "claiming" || state === "claimed"
        ? alreadyClaimed(request.agentName)
        : error;
    },
    archiveStaged: ({ registrationId }) => deps.documents.store(registrationId),
    followUp: deps.followUp,
  };
}
