import { createRoute, z } from "@hono/zod-openapi";
import { REGISTRATION_TYPES, registrationTypedData } from "../../protocol/index.ts";
import { RegistrationSchema, toRegistrationInput } from "../http/registration-schemas.ts";
import { createRouter, errorResponses, jsonBody } from "../http/router.ts";
import type { RegistrationService } from "../services/registration.ts";
import type { RegistrationContext } from "../services/registration-content.ts";
import { registrationMessageJson } from "../services/registration-content.ts";

export const TypedDataSchema = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.int(),
    verifyingContract: z.string(),
  }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })).readonly()),
  primaryType: z.string(),
  message: z.looseObject({ nonce: z.string(), deadline: z.string() }),
});

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
  createRouter().openapi(prepareRegistration, async (c) => {
    const message = await registration.prepare(toRegistrationInput(c.req.valid("json")));
    const { domain, primaryType } = registrationTypedData({
      chainId,
      verifyingContract: soulRegistry,
      message,
    });
    return c.json(
      { domain, types: REGISTRATION_TYPES, primaryType, message: registrationMessageJson(message) },
      200,
    );
  });
