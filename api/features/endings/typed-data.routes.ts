import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { RegistrationToSignSchema, registrationToSign } from "../registration/index.ts";
import {
  PrepareReincarnationSchema,
  REINCARNATION_ERRORS,
  successorInput,
} from "./reincarnation.schemas.ts";
import type { Reincarnations } from "./reincarnation.ts";

export const prepareReincarnation = typedDataRoute({
  path: "reincarnate",
  operationId: "prepareReincarnation",
  tag: "Death and reincarnation",
  summary: "The EIP-712 data that an owner signs to register the successor of a burned agent",
  description: "Takes the body of `POST /v1/reincarnate` without its signature.",
  body: PrepareReincarnationSchema,
  answer: RegistrationToSignSchema,
  errors: REINCARNATION_ERRORS,
  rules: { largeIntegers: "text" },
  async prepare(body, { reincarnations }: { readonly reincarnations: Reincarnations }) {
    return registrationToSign(await reincarnations.prepare(successorInput(body)));
  },
});
