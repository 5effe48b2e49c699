import { createRoute, z } from "@hono/zod-openapi";
import type { Address } from "viem";
import { dateOf } from "../../kernel/chain-time.ts";
import type { GivenSignature } from "../../operations/operation.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { OWNER_SIGNATURE_HEADER, requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { ownerSignatureIn } from "../../platform/http/owner-signature.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { amountNumber, formatAmount } from "./amounts.ts";
import type { AllowanceChanges, MissingApproval } from "./changes.ts";
import { operations } from "./operation-rules.ts";
import { AllowanceChanged, AllowanceEnded, SignedAllowanceBody, SignedEndBody } from "./schemas.ts";

const tags = ["Allowances"];
const TokenIdPath = z.object({ tokenId: TokenIdParam });

export interface AllowanceChangeDeps {
  readonly allowanceChanges: AllowanceChanges;
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
export function allowanceChangeRoutes({ allowanceChanges }: AllowanceChangeDeps) {
  async function set(
    pathTokenId: bigint,
    body: z.output<typeof SignedAllowanceBody>,
    requester: ReturnType<typeof requesterOf>,
  ) {
    assertSameAgent(pathTokenId, body.tokenId);
    const { tokenId, perTransaction, dailyLimit, approval, message, permit, signer } = body;
    const { onlyWithAgentWallet } = body;
    const byOwner = { role: "owner", message, signature: body.signature, signer } as const;
    const { result, indexedBlock } = await allowanceChanges.set(
      {
        tokenId,
        perTransaction,
        dailyLimit,
        validUntil: body.validUntil ?? message.validUntil,
        onlyWithAgentWallet,
        approval: approval ?? null,
      },
      permit === undefined ? [byOwner] : [byOwner, byPermit(permit, signer)],
      requester,
    );
    return {
      indexedBlock,
      answer: {
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
      },
    };
  }

  return createRouter(operations)
    .openapi(setAllowance, async (c) => {
      const { tokenId } = c.req.valid("param");
      const { answer, indexedBlock } = await set(tokenId, c.req.valid("json"), requesterOf(c));
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      return c.json(answer, 200);
    })
    .openapi(changeAllowance, async (c) => {
      const { tokenId } = c.req.valid("param");
      const { answer, indexedBlock } = await set(tokenId, c.req.valid("json"), requesterOf(c));
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      return c.json(answer, 200);
    })
    .openapi(endAllowance, async (c) => {
      const { tokenId } = c.req.valid("param");
      const header = c.req.header(OWNER_SIGNATURE_HEADER);
      const body =
        header === undefined ? c.req.valid("json") : ownerSignatureIn(header, SignedEndBody);
      assertSameAgent(tokenId, body.tokenId);
      const { message, signature, signer } = body;
      const { result, indexedBlock } = await allowanceChanges.end(
        { tokenId },
        [{ role: "owner", message, signature, signer }],
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      return c.json(
        {
          ...agentIds({ tokenId, passportId: result.passportId }),
          agentName: result.agentName,
          allowance: {
            active: false as const,
            deactivatedAt: dateOf(result.endedAt).toISOString(),
          },
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

function byPermit(
  { message, signature }: NonNullable<z.output<typeof SignedAllowanceBody>["permit"]>,
  signer: Address,
): GivenSignature {
  return { role: "permit", message, signature, signer };
}
