import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import { addressOf } from "../../platform/http/guard.ts";
import type { ClaimService } from "./claims.ts";
import { ClaimTermsSchema, toTerms } from "./schemas.ts";

export const prepareClaim = typedDataRoute({
  path: "claim",
  operationId: "prepareClaim",
  tag: "Registration",
  summary: "The EIP-712 data that an owner signs to claim",
  description:
    "Takes the body of `POST /v1/register/claim` without its signature and nonce, and stores a draft of it under the message's nonce: the claim must repeat it exactly. Valid until the registration expires.",
  body: ClaimTermsSchema,
  errors: [
    "INVALID_REQUEST",
    "NOT_OWNER",
    "APPROVAL_REQUIRED",
    "NOT_FOUND",
    "ALREADY_CLAIMED",
    "Erc8004AgentIdAlreadyBound",
    "GONE",
    "HASH_MISMATCH",
    "CHAIN_UNAVAILABLE",
    "STORAGE_UNAVAILABLE",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  // It stores a draft.
  rules: { effect: "writes", rate: "write", largeIntegers: "text" },
  async prepare(body, { claims }: { readonly claims: ClaimService }, c) {
    const message = await claims.prepare(toTerms(body), addressOf(c));
    return unsigned("SoulRegistry", "Registration", message);
  },
});
