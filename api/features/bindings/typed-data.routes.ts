import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { type BindingWrites, changedBinding } from "./bindings.ts";
import { PrepareBindingSchema } from "./schemas.ts";

export const prepareBinding = typedDataRoute({
  path: "binding",
  operationId: "prepareBinding",
  tag: "Bindings",
  summary: "The EIP-712 data that an owner signs to bind its agent to another one",
  description:
    "Takes the body of `POST /v1/binding` without its signature; or that of `PUT /v1/binding/{bindingId}`, and with `bindingId`.",
  body: PrepareBindingSchema,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN", "REGISTRY_PENDING"],
  async prepare(
    { tokenId: fromTokenId, partnerTokenId, bindingId, trustLevel, context },
    { bindings }: { readonly bindings: BindingWrites },
  ) {
    const request =
      bindingId === undefined
        ? {
            fromTokenId,
            toTokenId: partnerTokenId as bigint,
            trustLevel,
            context: context as string,
          }
        : await changedBinding(bindings, { bindingId, fromTokenId, trustLevel, context });
    const [prepared] = await bindings.operations.prepare(bindings.ownerBinding, request);
    return prepared;
  },
});
