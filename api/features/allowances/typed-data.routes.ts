import type { OperationEngine } from "../../operations/engine.ts";
import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import type { AllowanceChanges } from "./changes.ts";
import { AllowanceBody, AllowanceTypedData, EndBody } from "./schemas.ts";

/** The default length of an allowance. */
const DEFAULT_SECONDS = 90 * 24 * 60 * 60;

interface AllowanceDeps {
  readonly allowanceChanges: AllowanceChanges;
  readonly operations: Pick<OperationEngine, "prepare">;
}

export const prepareAllowance = typedDataRoute({
  path: "allowance",
  operationId: "prepareAllowance",
  tag: "Allowances",
  summary: "The EIP-712 data that an owner signs to set or change an allowance",
  description:
    "Takes the body of `POST /v1/allowance/{tokenId}` without its signatures. Nothing is stored: the nonce is fresh, and the deadline 15 minutes ahead.",
  body: AllowanceBody,
  answer: AllowanceTypedData,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN"],
  async prepare(
    { approval, validUntil, ...limits },
    { allowanceChanges, operations, clock }: AllowanceDeps & { readonly clock: () => Date },
  ) {
    const [owner, permit] = await operations.prepare(allowanceChanges.set, {
      ...limits,
      validUntil: validUntil ?? Math.floor(clock().getTime() / 1000) + DEFAULT_SECONDS,
      approval: approval ?? null,
    });
    return { ...owner, permit };
  },
});

export const prepareAllowanceEnd = typedDataRoute({
  path: "allowance-end",
  operationId: "prepareAllowanceEnd",
  tag: "Allowances",
  summary: "The EIP-712 data that an owner signs to end an allowance",
  description: "Takes `{tokenId}`. Nothing is stored.",
  body: EndBody,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN", "ALLOWANCE_INACTIVE"],
  async prepare(body, { allowanceChanges, operations }: AllowanceDeps) {
    const [owner] = await operations.prepare(allowanceChanges.end, body);
    return owner;
  },
});
