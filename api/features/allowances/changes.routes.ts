import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { dateOf } from "../../kernel/chain-time.ts";
import type { OperationEngine } from "../../operations/engine.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { OWNER_SIGNATURE_HEADER, requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { ownerSignatureIn } from "../../platform/http/owner-signature.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { amountNumber, formatAmount } from "./amounts.ts";
import type { AllowanceChanges, MissingApproval } from "./changes.ts";
import { operations as rules } from "./operation-rules.ts";
import { AllowanceChanged, AllowanceEnded, SignedAllowanceBody, SignedEndBody } from "./schemas.ts";

const tags = ["Allowances"];
const TokenIdPath = z.object({ tokenId: TokenIdParam });

export interface AllowanceChangeDeps {
  readonly allowanceChanges: AllowanceChanges;
  readonly operations: Pick<OperationEngine, "perform">;
}

const changeRoute = <const Method extends "post" | "put", const Id extends string>(
  method: Method,
  operationId: Id,
  summary: string,
) =>
  createRoute({
    method,
    path: "/allowance/{tokenId}",
    operationId,
    tags,
    summary,
    description:
      "With the owner's signature over `SetAllowance`, from `POST /v1/typed-data/allowance`. Limits are replaced, and what was spent today stays as it is. With `approval`, the owner signs a permit of the stablecoin too where the approval is less; a permit that the stablecoin does not take stops nothing, and the answer says so.",
    request: {
      params: TokenIdPath,
      headers: IdempotencyHeaders,
      body: jsonBody(SignedAllowanceBody),
    },
    responses: {
      200: {
        description: "The limits are in force. `missingApproval` says whether the approval is.",
        content: { "application/json": { schema: AllowanceChanged } },
      },
      ...errorResponses(...OWNER_OPERATION_ERRORS, "FORBIDDEN"),
    },
  });

const setAllowance = changeRoute("post", "setAllowance", "Set what an agent may pay");
const changeAllowance = changeRoute("put", "changeAllowance", "Change what an agent may pay");

const endAllowance = createRoute({
  method: "delete",
  path: "/allowance/{tokenId}",
  operationId: "endAllowance",
  tags,
  summary: "End an agent's payments",
  description: `With the owner's signature over \`DeactivateAllowance\`, from \`POST /v1/typed-data/allowance-end\`: in the body or, since many clients drop the body of a DELETE, in the header \`${OWNER_SIGNATURE_HEADER}\` as base64url of its JSON.`,
  request: {
    params: TokenIdPath,
    headers: IdempotencyHeaders.extend({
      [OWNER_SIGNATURE_HEADER.toLowerCase()]: z.string().max(65_536).optional(),
    }),
    body: { content: { "application/json": { schema: SignedEndBody } }, required: false },
  },
  responses: {
    200: {
      description: "The agent cannot pay until an allowance is set again.",
      content: { "application/json": { schema: AllowanceEnded } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "FORBIDDEN", "ALLOWANCE_INACTIVE"),
  },
});

/** Owners' changes of `/allowance/{tokenId}`. */
export function allowanceChangeRoutes({ allowanceChanges, operations }: AllowanceChangeDeps) {
  async function set(
    c: Context<AppEnv>,
    given: bigint,
    body: z.output<typeof SignedAllowanceBody>,
  ) {
    const { message, signature, signer, permit, ...limits } = body;
    const { tokenId } = limits;
    assertSameAgent(given, tokenId);
    const { validUntil = message.validUntil, approval = null } = limits;
    const { result, indexedBlock } = await operations.perform(
      allowanceChanges.set,
      { ...limits, validUntil, approval },
      [
        { role: "owner", message, signature, signer },
        ...(permit === undefined ? [] : [{ role: "permit" as const, ...permit, signer }]),
      ],
      requesterOf(c),
    );
    c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
    return {
      ...agentIds({ tokenId, passportId: result.passportId }),
      agentName: result.agentName,
      allowance: {
        perTransaction: amountNumber(result.perTransaction),
        perTransactionFormatted: formatAmount(result.perTransaction),
        dailyLimit: amountNumber(result.dailyLimit),
        dailyLimitFormatted: formatAmount(result.dailyLimit),
        active: true,
        validUntil: dateOf(BigInt(result.validUntil)).toISOString(),
        onlyWithAgentWallet: result.onlyWithAgentWallet,
      },
      missingApproval: result.missingApproval && missingAnswer(result.missingApproval),
      txHash: result.txHash,
    };
  }

  return createRouter(rules)
    .openapi(setAllowance, async (c) =>
      c.json(await set(c, c.req.valid("param").tokenId, c.req.valid("json")), 200),
    )
    .openapi(changeAllowance, async (c) =>
      c.json(await set(c, c.req.valid("param").tokenId, c.req.valid("json")), 200),
    )
    .openapi(endAllowance, async (c) => {
      const { tokenId } = c.req.valid("param");
      const header = c.req.header(OWNER_SIGNATURE_HEADER);
      const body =
        header === undefined ? c.req.valid("json") : ownerSignatureIn(header, SignedEndBody);
      const { tokenId: said, ...evidence } = body;
      assertSameAgent(tokenId, said);
      const { result, indexedBlock } = await operations.perform(
        allowanceChanges.end,
        { tokenId },
        [{ role: "owner", ...evidence }],
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      const deactivatedAt = dateOf(result.endedAt).toISOString();
      return c.json(
        {
          ...agentIds({ tokenId, passportId: result.passportId }),
          agentName: result.agentName,
          allowance: { active: false as const, deactivatedAt },
          txHash: result.txHash,
        },
        200,
      );
    });
}

function missingAnswer({ approved, wanted }: MissingApproval) {
  return {
    approved: amountNumber(approved),
    approvedFormatted: formatAmount(approved),
    wanted: amountNumber(wanted),
    wantedFormatted: formatAmount(wanted),
  };
}
