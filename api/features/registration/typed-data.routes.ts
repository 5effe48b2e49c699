import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import type { RegistrationService } from "./registration.ts";
import { RegistrationSchema, toRegistrationInput } from "./schemas.ts";
import { RegistrationToSignSchema, registrationToSign } from "./to-sign.schemas.ts";

export const prepareRegistration = typedDataRoute({
  path: "register",
  operationId: "prepareRegistration",
  tag: "Registration",
  summary: "The EIP-712 data that an owner signs to register",
  description:
    "Takes the body of `POST /v1/register` without its signature. Nothing is stored: the nonce is fresh, and the deadline 15 minutes ahead.",
  body: RegistrationSchema,
  answer: RegistrationToSignSchema,
  errors: [
    "INVALID_REQUEST",
    "INVALID_NAME",
    "NOT_OWNER",
    "APPROVAL_REQUIRED",
    "NOT_FOUND",
    "Erc8004AgentIdAlreadyBound",
    "NAME_TAKEN",
    "HASH_MISMATCH",
    "INVALID_MERKLE_DATA",
    "CHAIN_UNAVAILABLE",
    "STORAGE_UNAVAILABLE",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  rules: { largeIntegers: "text" },
  async prepare(body, { registration }: { readonly registration: RegistrationService }) {
    return registrationToSign(await registration.prepare(toRegistrationInput(body)));
  },
});
