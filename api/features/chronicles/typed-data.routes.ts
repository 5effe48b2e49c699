import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import type { ChronicleService } from "./chronicles.ts";
import { ChronicleSchema } from "./schemas.ts";

export const prepareChronicle = typedDataRoute({
  path: "chronicle",
  operationId: "prepareChronicle",
  tag: "Chronicle",
  summary: "The EIP-712 data that an owner signs for a chronicle",
  description:
    "Takes the body of `POST /v1/chronicle` without its signature. Nothing is stored: the nonce is fresh, and the deadline 15 minutes ahead.",
  body: ChronicleSchema,
  errors: [
    "INVALID_REQUEST",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "NOT_FOUND",
    "BURNED",
    "FORBIDDEN",
    "SUSPENDED",
    "INVALID_MERKLE_DATA",
    "CHAIN_UNAVAILABLE",
  ],
  prepare: (body, { chronicles }: { readonly chronicles: ChronicleService }) =>
    chronicles.prepare(body),
});
