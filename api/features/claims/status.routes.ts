import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { freshRead } from "../../platform/http/operations.ts";
import { AddressSchema, IdAnswer, idNumber } from "../../platform/http/schemas.ts";
import type { RegistrationStatusService } from "./status.ts";

/** The registration poll of services that sent an owner to a claim URL. Public: the id is unguessable. */
export const getRegistrationStatus = endpoint({
  operationId: "getRegistrationStatus",
  rules: freshRead,
  method: "get",
  at: "/api/v1",
  path: "/register",
  tag: "Sign-in",
  summary: "How far a registration is that its owner completes; ask every 5 seconds",
  query: { id: z.string().min(1).max(128) },
  done: "The agent is named once its owner has claimed it.",
  answer: z
    .union([
      z.object({ status: z.literal("pending_owner_claim"), tokenId: z.null() }),
      z.object({
        status: z.literal("deleted").openapi({ description: "It was not claimed in time." }),
        tokenId: z.null(),
      }),
      z.object({
        status: z.literal("claimed"),
        tokenId: IdAnswer,
        agentName: z.string(),
        ownerAddress: AddressSchema.openapi({ type: "string" }),
      }),
    ])
    .openapi("RegistrationStatus"),
  errors: ["INVALID_REQUEST", "NOT_FOUND"],
  async run(
    { id },
    { registrationStatus }: { readonly registrationStatus: RegistrationStatusService },
  ) {
    const found = await registrationStatus.byId(id);
    return found.tokenId === null ? found : { ...found, tokenId: idNumber(found.tokenId) };
  },
});
