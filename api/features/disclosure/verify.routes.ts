import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { BODY_BYTES, freshRead } from "../../platform/http/operations.ts";
import { Hex32Schema, NameParam } from "../../platform/http/schemas.ts";
import { byName } from "../../soul/soul-ref.ts";
import type { WithDisclosure } from "./context.ts";
import { FieldSchema, MerkleProofSchema, ValueSchema } from "./schemas.ts";
import { checkProofs } from "./verification.ts";

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

const check = {
  // It stores nothing, and takes a body only because values are long.
  rules: { ...freshRead, rate: "verify", bodyBytes: BODY_BYTES },
  method: "post",
  tag: "Selective disclosure",
  errors: ["INVALID_NAME", "NOT_FOUND", "CHAIN_UNAVAILABLE"],
} as const;

export const verifyDisclosure = endpoint({
  ...check,
  operationId: "verifyDisclosure",
  path: "/disclose/verify",
  summary: "Check one disclosed value against the chain",
  description:
    "Needs no credential and stores nothing. `kit/` and the contract's `verifyField` give the same answer without this service.",
  body: Claimed.extend({ agentName: NameParam }).openapi("FieldProof"),
  done: "`match`: the value is the field's. `valid`: and the soul is valid now.",
  answer: z
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
  async run({ body: { agentName: name, ...proof } }, { disclosure }: WithDisclosure) {
    const checked = await checkProofs(disclosure, byName(name), [proof]);
    const [result] = checked.results;
    if (result === undefined) throw new Error("One proof has one result.");
    return {
      valid: result.valid,
      agentName: checked.agentName,
      field: result.field,
      merkleRootOnChain: checked.root,
      merkleRootComputed: result.computedRoot,
      match: result.match,
      soulValidity: checked.soulValidity,
    };
  },
});

export const verifyDisclosures = endpoint({
  ...check,
  operationId: "verifyDisclosures",
  path: "/disclose/batch-verify",
  summary: "Check several disclosed values of one agent against the chain",
  body: z
    .strictObject({ agentName: NameParam, proofs: z.array(Claimed).min(1).max(MAX_PROOFS) })
    .openapi("FieldProofs"),
  done: "All are checked against the same block, in the order of the request.",
  answer: z
    .object({
      agentName: z.string(),
      allValid: z.boolean(),
      results: z.array(z.object({ field: FieldSchema, valid: z.boolean() })),
      ...root,
    })
    .openapi("CheckedFieldProofs"),
  async run({ body: { agentName: name, proofs } }, { disclosure }: WithDisclosure) {
    const checked = await checkProofs(disclosure, byName(name), proofs);
    return {
      agentName: checked.agentName,
      allValid: checked.results.every(({ valid }) => valid),
      results: checked.results.map(({ field, valid }) => ({ field, valid })),
      merkleRootOnChain: checked.root,
      soulValidity: checked.soulValidity,
    };
  },
});
