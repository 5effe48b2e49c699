import { dateOf } from "../../kernel/chain-time.ts";
import type { OperationEngine } from "../../operations/engine.ts";
import type { GivenSignature } from "../../operations/operation.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { OWNER_SIGNATURE_HEADER, requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { amountMembers } from "./amounts.ts";
import type { AllowanceChanges } from "./changes.ts";
import {
  AllowanceChanged,
  AllowanceEnded,
  limitsAnswer,
  SignedAllowanceBody,
  SignedEndBody,
} from "./schemas.ts";

interface ChangeParts {
  readonly allowanceChanges: AllowanceChanges;
  readonly operations: Pick<OperationEngine, "perform">;
}

const ofAgent = {
  path: "/allowance/{tokenId}",
  tag: "Allowances",
  params: { tokenId: TokenIdParam },
} as const;

const change = <const Method extends "post" | "put", const Id extends string>(
  method: Method,
  operationId: Id,
  summary: string,
) =>
  endpoint({
    ...ofAgent,
    operationId,
    rules: { ...ownerSigned, typedData: "allowance" },
    method,
    summary,
    description:
      "With the owner's signature over `SetAllowance`, from `POST /v1/typed-data/allowance`. Limits are replaced, and what was spent today stays as it is. With `approval`, the owner signs a permit of the stablecoin too where the approval is less; a permit that the stablecoin does not take stops nothing, and the answer says so.",
    body: SignedAllowanceBody,
    done: "The limits are in force. `missingApproval` says whether the approval is.",
    answer: AllowanceChanged,
    errors: [...OWNER_OPERATION_ERRORS, "FORBIDDEN"],
    async run({ tokenId, body }, { allowanceChanges, operations }: ChangeParts, c) {
      const { message, signature, signer, permit, ...limits } = body;
      assertSameAgent(tokenId, limits.tokenId);
      const { validUntil = message.validUntil, approval = null } = limits;
      const given: GivenSignature[] = [{ role: "owner", message, signature, signer }];
      if (permit !== undefined) given.push({ role: "permit", ...permit, signer });
      const { result, indexedBlock } = await operations.perform(
        allowanceChanges.set,
        { ...limits, validUntil, approval },
        given,
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      const { missingApproval } = result;
      return {
        ...agentIds({ tokenId, passportId: result.passportId }),
        agentName: result.agentName,
        allowance: limitsAnswer({ ...result, active: true }),
        missingApproval: missingApproval && amountMembers({ ...missingApproval }),
        txHash: result.txHash,
      };
    },
  });

export const setAllowance = change("post", "setAllowance", "Set what an agent may pay");
export const changeAllowance = change("put", "changeAllowance", "Change what an agent may pay");

export const endAllowance = endpoint({
  ...ofAgent,
  operationId: "endAllowance",
  rules: { ...ownerSigned, typedData: "allowance-end" },
  method: "delete",
  summary: "End an agent's payments",
  description: `With the owner's signature over \`DeactivateAllowance\`, from \`POST /v1/typed-data/allowance-end\`: in the body or, since many clients drop the body of a DELETE, in the header \`${OWNER_SIGNATURE_HEADER}\` as base64url of its JSON.`,
  body: SignedEndBody,
  bodyOrHeader: true,
  done: "The agent cannot pay until an allowance is set again.",
  answer: AllowanceEnded,
  errors: [...OWNER_OPERATION_ERRORS, "FORBIDDEN", "ALLOWANCE_INACTIVE"],
  async run({ tokenId, body }, { allowanceChanges, operations }: ChangeParts, c) {
    const { tokenId: said, ...evidence } = body;
    assertSameAgent(tokenId, said);
    const { result, indexedBlock } = await operations.perform(
      allowanceChanges.end,
      { tokenId },
      [{ role: "owner", ...evidence }],
      requesterOf(c),
    );
    c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
    return {
      ...agentIds({ tokenId, passportId: result.passportId }),
      agentName: result.agentName,
      allowance: { active: false as const, deactivatedAt: dateOf(result.endedAt).toISOString() },
      txHash: result.txHash,
    };
  },
});
