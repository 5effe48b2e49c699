import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { AddressSchema, IdAnswer, idNumber } from "../../platform/http/schemas.ts";
import { operations } from "./operation-rules.ts";
import type { RegistrationStatusService } from "./status.ts";

const getStatus = createRoute({
  method: "get",
  path: "/register",
  operationId: "getRegistrationStatus",
  tags: ["Sign-in"],
  summary: "How far a registration is that its owner completes; ask every 5 seconds",
  request: { query: z.object({ id: z.string().min(1).max(128) }) },
  responses: {
    200: {
      description: "The agent is named once its owner has claimed it.",
      content: {
        "application/json": {
          schema: z
            .union([
              z.object({ status: z.literal("pending_owner_claim"), tokenId: z.null() }),
              z.object({
                status: z
                  .literal("deleted")
                  .openapi({ description: "It was not claimed in time." }),
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
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND"),
  },
});

/** The registration poll of services that sent an owner to a claim URL. Public: the id is unguessable. */
export const registerStatusRoutes = ({
  registrationStatus,
}: {
  readonly registrationStatus: RegistrationStatusService;
}) =>
  createRouter(operations).openapi(getStatus, async (c) => {
    const found = await registrationStatus.byId(c.req.valid("query").id);
    if (found.status !== "claimed") return c.json({ status: found.status, tokenId: null }, 200);
    const { status, agentName, ownerAddress } = found;
    return c.json({ status, tokenId: idNumber(found.tokenId), agentName, ownerAddress }, 200);
  });
