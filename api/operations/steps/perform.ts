import { ApiError } from "../../kernel/errors.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { ChainOperation, GivenSignature, PerformedOperation } from "../operation.ts";
import { unsigned } from "../verify.ts";
import type { EngineParts } from "./parts.ts";
import { type Repetitions, reportedError } from "./repetition.ts";
import type { SetAsideFor } from "./set-aside.ts";

/** See `OperationEngine.perform`. */
export function createPerform({
  ledger,
  verifier,
  carryOut,
  repetitions: { repetitionOf, knownAnswer, unlessKnown },
  setAsideFor,
}: Pick<EngineParts, "ledger" | "verifier" | "carryOut"> & {
  readonly repetitions: Repetitions;
  readonly setAsideFor: SetAsideFor;
}) {
  return async function perform<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signatures: readonly GivenSignature[],
    requester: Requester,
  ): Promise<PerformedOperation<Result>> {
    const repetition = await repetitionOf(definition, request, signatures, requester);
    const { signed, operationKey } = repetition;
    const known = await knownAnswer<Result>(definition, repetition);
    if (known) return known;
    const reported = (error: unknown) => reportedError(definition, request, error);
    const operation = await unlessKnown(repetition, reported, async () => {
      const checked = await verifier.verified(definition, request, signed, operationKey);
      const [absent] = checked.missing;
      if (absent) throw unsigned(absent.role);
      const setAside = await setAsideFor(definition, request, checked, requester);
      const outcome = await ledger.accept(checked.operation, setAside, async (tx) =>
        definition.onAccept?.(tx, checked.operation, checked.snapshot),
      );
      return outcome === "accepted" ? checked.operation : null;
    });
    if (operation) return carryOut.finish<Result>(definition, operation);
    const answer = await knownAnswer<Result>(definition, repetition);
    // Another request had it accepted, and the chain refused it afterwards.
    if (!answer) throw new ApiError("NONCE_USED");
    return answer;
  };
}
