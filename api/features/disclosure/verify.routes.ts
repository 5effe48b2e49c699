import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { Hex32Schema, NameParam } from "../../platform/http/schemas.ts";
import { byName } from "../../soul/soul-ref.ts";
import { operations } from "./operation-rules.ts";
import { FieldSchema, MerkleProofSchema, ValueSchema } from "./schemas.ts";
import type { ProofChecks } from "./verification.ts";

const Claimed = z.strictObject({
  field: FieldSchema,
  value: ValueSchema,
  merkleProof: MerkleProofSchema,
});

const MAX_PROOFS = 50;

const root = {
  merkleRootOnChain: Hex32Schema.nullable().openapi({
    description: "Null while the agent is not sealed.",
  }),
  soulValidity: z.enum(["valid", "suspended", "not_linked"]).openapi({
    description: "Whether the soul may be relied on. Nothing of a soul that is not is valid.",
  }),
};

const verifyOne = createRoute({
  method: "post",
  path: "/disclose/verify",
  operationId: "verifyDisclosure",
  tags: ["Selective disclosure"],
  summary: "Check one disclosed value against the chain",
  description:
    "Needs no credential and stores nothing. `kit/` and the contract's `verifyField` give the same answer without this service.",
  request: { body: jsonBody(Claimed.extend({ agentName: NameParam }).openapi("FieldProof")) },
  responses: {
    200: {
      description: "`match`: the value is the field's. `valid`: and the soul is valid now.",
      content: {
        "application/json": {
          schema: z
            .object({
              valid: z.boolean(),
              agentName: z.string(),
              field: FieldSchema,
              ...root,
              merkleRootComputed: Hex32Schema.nullable().openapi({
                description: "Null for a proof of another form.",
              }),
              match: z.boolean(),
            })
            .openapi("CheckedFieldProof"),
        },
      },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "INVALID_NAME",
      "UNSUPPORTED_MEDIA_TYPE",
      "NOT_FOUND",
      "REGISTRY_PENDING",
      "CHAIN_UNAVAILABLE",
    ),
  },
});

const verifyMany = createRoute({
  method: "post",
  path: "/disclose/batch-verify",
  operationId: "verifyDisclosures",
  tags: ["Selective disclosure"],
  summary: "Check several disclosed values of one agent against the chain",
  request: {
    body: jsonBody(
      z
        .strictObject({ agentName: NameParam, proofs: z.array(Claimed).min(1).max(MAX_PROOFS) })
        .openapi("FieldProofs"),
    ),
  },
  responses: {
    200: {
      description: "All are checked against the same block, in the order of the request.",
      content: {
        "application/json": {
          schema: z
            .object({
              agentName: z.string(),
              allValid: z.boolean(),
              results: z.array(z.object({ field: FieldSchema, valid: z.boolean() })),
              ...root,
            })
            .openapi("CheckedFieldProofs"),
        },
      },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "INVALID_NAME",
      "UNSUPPORTED_MEDIA_TYPE",
      "NOT_FOUND",
      "REGISTRY_PENDING",
      "CHAIN_UNAVAILABLE",
    ),
  },
});

export interface VerifyRouteDeps {
  readonly proofChecks: ProofChecks;
}

/** `/disclose/verify` and `/disclose/batch-verify`. */
export const verifyRoutes = ({ proofChecks }: VerifyRouteDeps) =>
  createRouter(operations)
    .openapi(verifyOne, async (c) => {
      const { agentName: name, ...proof } = c.req.valid("json");
      const checked = await proofChecks.check(byName(name), [proof]);
      const [result] = checked.results;
      if (result === undefined) throw new Error("One proof has one result.");
      return c.json(
        {
          valid: result.valid,
          agentName: checked.agentName,
          field: result.field,
          merkleRootOnChain: checked.root,
          merkleRootComputed: result.computedRoot,
          match: result.match,
          soulValidity: checked.soulValidity,
        },
        200,
      );
    })
    .openapi(verifyMany, async (c) => {
      const { agentName: name, proofs } = c.req.valid("json");
      const checked = await proofChecks.check(byName(name), proofs);
      return c.json(
        {
          agentName: checked.agentName,
          allValid: checked.results.every(({ valid }) => valid),
          results: checked.results.map(({ field, valid }) => ({ field, valid })),
          merkleRootOnChain: checked.root,
          soulValidity: checked.soulValidity,
        },
        200,
      );
    });
