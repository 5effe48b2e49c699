import type { Address } from "viem";
import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import { RegistrationToSignSchema, registrationToSign } from "../registration/index.ts";
import { CONTENT_ERRORS, NOT_SUSPENDED, resealRequest } from "./endings.routes.ts";
import { PrepareReleaseSchema, PrepareResealSchema } from "./endings.schemas.ts";
import type { Handovers } from "./handovers.ts";
import {
  PrepareReincarnationSchema,
  REINCARNATION_ERRORS,
  successorInput,
} from "./reincarnation.routes.ts";
import type { Reincarnations } from "./reincarnation.ts";

const tag = "Death and reincarnation";

export const prepareReseal = typedDataRoute({
  path: "reseal",
  operationId: "prepareReseal",
  tag,
  summary: "The EIP-712 data that a passport's owner signs to reseal its agent",
  description:
    "Takes the body of `POST /v1/reseal/{tokenId}` without its signature, and with `tokenId`. While the passport's owner is not recorded on chain, the service records it, and the answer is 409 `SUSPENDED` with `Retry-After`.",
  body: PrepareResealSchema,
  errors: [...TYPED_DATA_ERRORS, ...NOT_SUSPENDED, ...CONTENT_ERRORS],
  rules: { largeIntegers: "text" },
  async prepare(
    { tokenId, ...body },
    {
      handovers,
      registrationContext: { worldIdVerifier },
    }: {
      readonly handovers: Handovers;
      readonly registrationContext: { readonly worldIdVerifier: Address | null };
    },
  ) {
    const request = resealRequest(tokenId, body, worldIdVerifier);
    return unsigned("SoulRegistry", "Reseal", await handovers.prepareReseal(request));
  },
});

export const prepareRelease = typedDataRoute({
  path: "release",
  operationId: "prepareRelease",
  tag,
  summary: "The EIP-712 data that a passport's owner signs to end its suspended agent",
  description:
    "Takes `tokenId`. While the passport's owner is not recorded on chain, the service records it, and the answer is 409 `SUSPENDED` with `Retry-After`.",
  body: PrepareReleaseSchema,
  errors: [...TYPED_DATA_ERRORS, ...NOT_SUSPENDED],
  async prepare(body, { handovers }: { readonly handovers: Handovers }) {
    return unsigned("SoulRegistry", "Release", await handovers.prepareRelease(body));
  },
});

export const prepareReincarnation = typedDataRoute({
  path: "reincarnate",
  operationId: "prepareReincarnation",
  tag,
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
