import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import { PrepareValidationSchema } from "./validation.schemas.ts";
import type { ValidationService } from "./validation.ts";

export const prepareValidation = typedDataRoute({
  path: "validate",
  operationId: "prepareValidation",
  tag: "Verification",
  summary: "The EIP-712 data that an owner signs to have an agent validated",
  description:
    "Takes the body of `POST /v1/validate/{tokenId}` without its signature, and with `tokenId`. No contract accepts such a signature.",
  body: PrepareValidationSchema,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN", "REGISTRY_PENDING"],
  async prepare({ tokenId }, { validations }: { readonly validations: ValidationService }) {
    return unsigned("SoulRegistry", "ValidateAgent", await validations.prepare(tokenId));
  },
});
