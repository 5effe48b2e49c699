import { createRoute } from "@hono/zod-openapi";
import { TypedDataSchema } from "../../operations/typed-data.schemas.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import type { RegistrationContext } from "./content.ts";
import { operations } from "./operation-rules.ts";
import type { RegistrationService } from "./registration.ts";
import { RegistrationSchema, registrationTypedDataBody, toRegistrationInput } from "./schemas.ts";

const prepareRegistration = createRoute({
  method: "post",
  path: "/typed-data/register",
  operationId: "prepareRegistration",
  tags: ["Registration"],
  summary: "The EIP-712 data that an owner signs to register",
  description:
    "Takes the body of `POST /v1/register` without its signature. Nothing is stored: the nonce is fresh, and the deadline 15 minutes ahead.",
  request: { body: jsonBody(RegistrationSchema) },
  responses: {
    200: {
      description: "Exactly what the soul registry will verify.",
      content: { "application/json": { schema: TypedDataSchema } },
    },
    ...errorResponses(
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
    ),
  },
});

/** `POST /typed-data/:operation`. */
export const typedDataRoutes = ({
  registration,
  registrationContext: { chainId, soulRegistry },
}: {
  registration: RegistrationService;
  registrationContext: RegistrationContext;
}) =>
  createRouter(operations).openapi(prepareRegistration, async (c) => {
    const message = await registration.prepare(toRegistrationInput(c.req.valid("json")));
    const domain = { chainId, verifyingContract: soulRegistry };
    return c.json(registrationTypedDataBody(domain, message), 200);
  });
