import type { z } from "@hono/zod-openapi";
import type { OffChainName } from "../../../protocol/index.ts";
import type { PostgresOperation } from "../operation.ts";
import { type Decision, type DecisionSpec, decision, type Members } from "./decision.routes.ts";

/** A decision that one account signs and no contract verifies: both routes. */
export function settledDecision<
  Parts,
  const Shape extends z.core.$ZodLooseShape,
  Request,
  Snapshot,
  Payload,
  Result,
  Answer extends z.ZodType,
  const PrepareId extends string,
  const PerformId extends string,
  const Parameters extends z.core.$ZodLooseShape = Record<never, never>,
>(
  spec: DecisionSpec<
    Parts,
    Members<Shape> & Partial<Members<Parameters>>,
    Request,
    Result,
    Answer,
    PrepareId,
    PerformId
  > & {
    readonly messageName: OffChainName;
    readonly shape: Shape;
    readonly parameters?: Parameters;
    /** How it is carried out. The one role of its `messageTypes` signs. */
    operation(parts: Parts): PostgresOperation<Request, Snapshot, Payload, Result>;
  },
): Decision<Parts, PrepareId, PerformId> {
  return decision(spec, {
    note: "No contract accepts such a signature.",
    definition: (parts: Parts) => spec.operation(parts),
  });
}
