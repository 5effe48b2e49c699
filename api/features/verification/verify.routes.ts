import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicRead } from "../../platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../platform/http/router.ts";
import {
  Hex32Schema,
  IdFromClaimAnswer,
  idNumberOrNull,
  NameOrTokenIdParam,
  TimestampSchema,
} from "../../platform/http/schemas.ts";
import { METADATA_UPDATES } from "../passports/index.ts";
import { DuplicateOfSchema, duplicateOfBody } from "../profile/index.ts";
import type { VerificationService } from "./verification.ts";

const status = z.enum(["valid", "invalid", "pending"]);

const VerificationSchema = z
  .object({
    agentName: z.string(),
    tokenId: IdFromClaimAnswer,
    erc8004AgentId: IdFromClaimAnswer,
    checks: z.object({
      soulHash: z.object({ status, details: z.string(), txHash: Hex32Schema.nullable() }),
      arweave: z.object({ status, details: z.string(), txId: z.string().nullable() }),
      baseTx: z.object({
        status,
        details: z.string(),
        txHash: Hex32Schema.nullable(),
        timestamp: TimestampSchema.nullable(),
      }),
      sealed: z.object({
        status: z.enum(["sealed", "provisional"]),
        timestamp: TimestampSchema.nullable(),
      }),
      soulValidity: z.object({
        status: z.enum(["valid", "suspended", "not_linked"]),
        reason: z.string(),
      }),
      passport: z.object({
        status,
        details: z.string(),
        ...METADATA_UPDATES,
        needsAgentUriUpdate: z.boolean().openapi({
          description:
            "True when the passport points at a file that does not describe the current soul: `POST /v1/agent-uri/update` writes one and returns the owner's transaction.",
        }),
      }),
    }),
    overallStatus: z.enum(["verified", "partial", "failed"]),
    duplicateOf: DuplicateOfSchema,
  })
  .openapi("Verification");

export type Verification = z.output<typeof VerificationSchema>;

export const verifyAgent = endpoint({
  operationId: "verifyAgent",
  rules: { ...publicRead, rate: "verify", cache: "verification" },
  method: "get",
  path: "/verify/{name}",
  tag: "Verification",
  summary: "Check an agent against chain and archive",
  description:
    "Every check is made anew. The soul hash is read from the chain. The archive is read and hashed again. The registration transaction is looked up. In the latest block the passport's owner is compared with the sealer, and the passport's metadata and registration file with the soul.",
  params: { name: NameOrTokenIdParam },
  waitsForBlock: true,
  done: "Each check and its result.",
  answer: VerificationSchema,
  otherAnswers: { 304: { description: "The client's copy is still valid." } },
  errors: AGENT_READ_ERRORS,
  async run({ name }, deps: { readonly verification: VerificationService }, c) {
    const { at, value } = await deps.verification.verify(name);
    const { soulHash, arweave, baseTx, sealed, soulValidity, passport } = value.checks;
    reflectsBlock(c, at);
    // The long cache life is for verified answers. A failure, or a chain that did not answer, must
    // not stay cached for longer than it lasts.
    if (value.overallStatus === "verified") aboutValidSeal(c);
    return {
      ...value,
      tokenId: idNumberOrNull(value.tokenId),
      erc8004AgentId: idNumberOrNull(value.erc8004AgentId),
      checks: {
        soulHash,
        arweave,
        soulValidity,
        passport: {
          ...passport,
          pendingMetadata: passport.pendingMetadata.map((entry) => ({ ...entry })),
        },
        baseTx: { ...baseTx, timestamp: baseTx.timestamp?.toISOString() ?? null },
        sealed: { ...sealed, timestamp: sealed.timestamp?.toISOString() ?? null },
      },
      duplicateOf: duplicateOfBody(value.duplicateOf),
    };
  },
});

/** `/verify/{name}`. */
export const verifyRoutes = verifyAgent.routes;
