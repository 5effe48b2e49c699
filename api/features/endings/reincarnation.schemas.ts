import { z } from "@hono/zod-openapi";
import {
  AddressSchema,
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  SignatureSchema,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import {
  NewNameSchema,
  RegistrationMessageSchema,
  RegistrationSchema,
  toRegistrationInput,
} from "../registration/index.ts";

const {
  agentName: _given,
  erc8004AgentId: _new,
  parentTokenId: _own,
  ...common
} = RegistrationSchema.shape;
const { organizationId: _joins, fleetId: _former, ...fields } = common;

const next = {
  parentTokenId: TokenIdSchema.openapi({ description: "The soul that ended." }),
  newAgentName: NewNameSchema,
  ...fields,
};

/** The body of `POST /v1/typed-data/reincarnate`. */
export const PrepareReincarnationSchema = z.strictObject(next).openapi("Reincarnation");

/** The body of `POST /v1/reincarnate`. */
export const ReincarnationSchema = z
  .strictObject({
    ...next,
    message: RegistrationMessageSchema,
    signature: SignatureSchema,
    signer: AddressSchema,
  })
  .openapi("SignedReincarnation");

export const ReincarnatedSchema = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    did: z.string(),
    profileUrl: z.string(),
    parentTokenId: IdAnswer,
    parentErc8004AgentId: IdAnswer,
    parentName: z.string(),
    soulContinuity: z.boolean().openapi({
      description: "Whether the soul hash is the last one of the parent.",
    }),
    soulHashMatch: z.boolean().openapi({
      description: "Whether the soul hash is the first one of the parent.",
    }),
    genesisStatus: z.enum(["SEALED", "PROVISIONAL"]),
    soulHash: Hex32Schema,
    soulMerkleRoot: Hex32Schema,
    arweaveTxId: z.string(),
    mintTxHash: Hex32Schema,
    erc8004TxHash: Hex32Schema.openapi({
      description: "The same transaction: it registers the passport and seals the soul.",
    }),
    apiKey: z
      .string()
      .openapi({ description: "Shown once, and again only to the same Idempotency-Key." }),
    documentUploadUrls: z.array(
      z.object({ id: z.string(), uploadUrl: z.string(), expiresAt: TimestampSchema }),
    ),
  })
  .openapi("ReincarnatedAgent");

export const REINCARNATION_ERRORS = [
  ...(["INVALID_REQUEST", "INVALID_NAME", "FORBIDDEN", "NOT_OWNER", "NOT_FOUND"] as const),
  ...(["NAME_TAKEN", "HASH_MISMATCH", "INVALID_MERKLE_DATA", "CHAIN_UNAVAILABLE"] as const),
  ...(["STORAGE_UNAVAILABLE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const),
] as const;

/** A validated body as the registration service takes it. */
export function successorInput({
  newAgentName,
  ...body
}: z.output<typeof PrepareReincarnationSchema>) {
  return toRegistrationInput({ ...body, agentName: newAgentName });
}
