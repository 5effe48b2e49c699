import type { z } from "@hono/zod-openapi";
import type { OwnerMessageName } from "../../../protocol/index.ts";
import { TokenIdSchema } from "../../platform/http/schemas.ts";
import { type OperationKind, soulOperation } from "../soul-operation.ts";
import { type Decision, type DecisionSpec, decision, type Members } from "./decision.routes.ts";

/** A decision that the owner of one soul signs alone and a contract verifies: both routes, and the definition. */
export function soulDecision<
  Parts,
  const Shape extends z.core.$ZodLooseShape,
  Request,
  Name extends OwnerMessageName,
  Payload,
  Result,
  Answer extends z.ZodType,
  const PrepareId extends string,
  const PerformId extends string,
  const Parameters extends z.core.$ZodLooseShape = Record<never, never>,
>(
  spec: DecisionSpec<
    Parts,
    { readonly tokenId: bigint } & Members<Shape> & Partial<Members<Parameters>>,
    Request,
    Result,
    Answer,
    PrepareId,
    PerformId
  > & {
    readonly messageName: Name;
    /** Members of the body besides `tokenId` and the signature. */
    readonly shape: Shape;
    readonly parameters?: Parameters;
    /** How it is carried out. */
    kind(parts: Parts): OperationKind<Request, Name, Payload, Result>;
  },
): Decision<Parts, PrepareId, PerformId> {
  return decision(
    { ...spec, shape: { tokenId: TokenIdSchema, ...spec.shape } },
    {
      note: "Nothing is stored.",
      definition: (parts: Parts, souls) => soulOperation(spec.kind(parts), souls),
    },
  );
}
