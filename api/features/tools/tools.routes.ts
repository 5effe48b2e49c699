import { createRoute, z } from "@hono/zod-openapi";
import { FIELDS } from "../../../protocol/fields.ts";
import type { IdentityDefaults } from "../../../protocol/formats/index.ts";
import { SOURCE_FORMATS } from "../../../protocol/formats/index.ts";
import { addressOf } from "../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { Hex32Schema, IdAnswer, idNumberOrNull, NameParam } from "../../platform/http/schemas.ts";
import { operations } from "./operation-rules.ts";
import type { Tools } from "./tools.ts";

const Hex = z.string().openapi({ pattern: "^0x[0-9a-f]{64}$" });

/**
 * A normalised soul, see docs/soul-format.md. Its own rules are checked during normalising, which
 * names the path.
 */
const Ccsf = z.looseObject({}).openapi("Ccsf", {
  description: "`identity`, `soul` and `capabilities`, as docs/soul-format.md describes them.",
});

const normalise = createRoute({
  method: "post",
  path: "/tools/normalise",
  operationId: "normaliseSource",
  tags: ["Tools"],
  summary: "Turn a self-description into a soul that can be registered",
  description: "Nothing is stored: a new salt is only in this answer.",
  request: {
    body: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: z.strictObject({
            file: z
              .custom<File>((value) => value instanceof File, "Not a file")
              .openapi({ type: "string", format: "binary" }),
            format: z.string().openapi({ enum: [...SOURCE_FORMATS] }),
            agentName: z
              .string()
              .optional()
              .openapi({ description: "For a file that states no name." }),
            agentType: z
              .string()
              .optional()
              .openapi({ description: "For a file that states no type." }),
            soulSalt: Hex32Schema.optional().openapi({
              description:
                "Salt of a soul that was hashed before: the same text then has the same hashes. Absent: a new one.",
            }),
          }),
        },
      },
    },
  },
  responses: {
    200: {
      description:
        "The soul. `POST /v1/register` takes its hashes, salt and leaves unchanged. The root commits to the documents that the file names; most formats name none.",
      content: {
        "application/json": {
          schema: z.object({
            soulHash: Hex,
            soulSalt: Hex,
            soulMerkleRoot: Hex,
            merkleLeaves: z.array(z.object({ index: z.int(), field: z.enum(FIELDS), hash: Hex })),
            normalisedCcsf: Ccsf,
            extractedFields: z.array(z.enum(FIELDS)).openapi({
              description: "The fields that are not empty.",
            }),
            defaultedFields: z.array(z.enum(FIELDS)).openapi({
              description:
                "Those of them that neither the file nor the form stated. For Markdown: the name, taken from the first heading, and the type `other`.",
            }),
            sourceFormat: z.string(),
            sourceHash: Hex,
          }),
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
  },
});

const verifyHash = createRoute({
  method: "post",
  path: "/tools/verify-hash",
  operationId: "verifyHash",
  tags: ["Tools"],
  summary: "Whether a soul and its salt are those that an agent is sealed with",
  request: {
    body: jsonBody(
      z.strictObject({ agentName: NameParam, soulSalt: Hex32Schema, normalisedCcsf: Ccsf }),
    ),
  },
  responses: {
    200: {
      description: "Both hashes. `onChainHash` is null while the agent has no certificate.",
      content: {
        "application/json": {
          schema: z.object({
            match: z.boolean(),
            computedHash: Hex,
            onChainHash: Hex.nullable(),
            agentName: z.string(),
            tokenId: IdAnswer.nullable(),
          }),
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND"),
  },
});

/** `/tools/…`: stateless helpers. */
export const toolRoutes = ({ tools }: { readonly tools: Tools }) =>
  createRouter(operations)
    .openapi(normalise, async (c) => {
      const { file, format, agentName, agentType, soulSalt = null } = c.req.valid("form");
      const defaults: IdentityDefaults = {};
      if (agentName !== undefined) defaults.name = agentName;
      if (agentType !== undefined) defaults.agent_type = agentType;
      const source = new Uint8Array(await file.arrayBuffer());
      const answer = await tools.normalise(format, source, defaults, {
        formerSalt: soulSalt,
        caller: addressOf(c),
      });
      return c.json(
        {
          ...answer,
          merkleLeaves: [...answer.merkleLeaves],
          extractedFields: [...answer.extractedFields],
          defaultedFields: [...answer.defaultedFields],
          normalisedCcsf: { ...answer.normalisedCcsf },
        },
        200,
      );
    })
    .openapi(verifyHash, async (c) => {
      const { agentName, soulSalt, normalisedCcsf } = c.req.valid("json");
      const check = await tools.verifyHash(agentName, soulSalt, normalisedCcsf, addressOf(c));
      return c.json({ ...check, tokenId: idNumberOrNull(check.tokenId) }, 200);
    });
