import { z } from "@hono/zod-openapi";
import { ALLOWANCE_VAULT_TYPES, OFF_CHAIN_TYPES } from "../../../protocol/index.ts";
import { allOrNone, messageShape, typedMessageSchema } from "../../operations/schemas.ts";
import { TypedDataSchema } from "../../operations/typed-data.schemas.ts";
import {
  AgentIdsAnswer,
  Hex32Schema,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import type { EndAllowanceMessage } from "../allowances/index.ts";
import type { StopMessage } from "./stop.ts";

const { message, signature, signer } = messageShape<StopMessage>(
  "EmergencyStop",
  OFF_CHAIN_TYPES.EmergencyStop,
);
const vaultMessage = typedMessageSchema(
  ALLOWANCE_VAULT_TYPES.DeactivateAllowance,
) as unknown as z.ZodType<EndAllowanceMessage>;

/** The body of `POST /v1/typed-data/emergency-stop`. */
export const PrepareStopSchema = z
  .strictObject({ tokenId: TokenIdSchema })
  .openapi("EmergencyStopRequest");

/** The body of `POST /v1/emergency-stop/{tokenId}`. */
export const StopSchema = z
  .strictObject({
    tokenId: TokenIdSchema.optional(),
    message: z.union([message, vaultMessage]).optional().openapi({
      description: "As `POST /v1/typed-data/emergency-stop` returned it.",
    }),
    signature: signature.optional(),
    signer: signer.optional(),
  })
  .superRefine(allOrNone)
  .openapi("EmergencyStop");

const count = z.int().min(0);

export const StoppedSchema = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    stoppedAt: TimestampSchema,
    ended: z.object({
      apiKeys: count.openapi({ description: "Keys that worked, in a grace period too." }),
      sessions: count.openapi({
        description:
          "Sign-ins with the agent's passport, and owner sessions that managed all agents of the account.",
      }),
      webhooks: count,
    }),
    allowance: z.object({
      status: z.enum(["none", "ended", "signature_required"]).openapi({
        description:
          "`signature_required`: the agent can still pay. The vault ends an allowance only for the owner's signature: sign `typedData`, and send it with `DELETE /v1/allowance/{tokenId}`.",
      }),
      deactivatedAt: TimestampSchema.nullable(),
      txHash: Hex32Schema.nullable(),
      typedData: TypedDataSchema.nullable().openapi({
        description:
          "Null while the chain does not answer: `POST /v1/typed-data/allowance-end` returns it later.",
      }),
    }),
  })
  .openapi("StoppedAgent");
