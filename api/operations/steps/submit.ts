import { ApiError } from "../../kernel/errors.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import { answered, finish } from "../carry-out.ts";
import type {
  ChainOperation,
  ChainOperationEnd,
  GivenSignature,
  Operation,
  PerformedOperation,
  WaitingOperation,
} from "../operation.ts";
import { assertSignedAgain, unsigned, verified } from "../verify.ts";
import { stillCounts, toView, type WaitingView } from "../waiting/waiting.ts";
import type { EngineContext } from "./context.ts";
import { setAsideFor } from "./perform.ts";
import { knownAnswer, type Repetition, repetitionOf, unlessKnown } from "./repetition.ts";

/** The result of a submission whose signers may sign at different times. */
type SubmittedOperation<Request, Result> =
  | { readonly state: "waiting"; readonly waiting: WaitingView<Request> }
  | { readonly state: "settled"; readonly performed: PerformedOperation<Result> };

/** How often a submission reads again after another request has changed the same decision. */
const ATTEMPTS = 5;

/**
 * As `perform`, for a definition with `waiting`. With only some of the signatures the operation
 * waits. A later request for the same decision brings the missing ones; then everything is
 * checked again.
 *
 * @throws ApiError as `perform` does; RATE_LIMIT_EXCEEDED when too many wait already.
 */
export function createSubmit(engine: EngineContext) {
  const { ledger } = engine;

  /** The answer of an operation that another request has completed with one of these signatures. */
  async function answerOfWinner<Result>(
    definition: ChainOperationEnd,
    earlier: Pick<WaitingOperation, "signatures">,
    { signed }: Repetition,
  ): Promise<PerformedOperation<Result> | null> {
    const winner = await ledger.find(earlier.signatures.map(({ digest }) => digest));
    if (!winner) return null;
    await assertSignedAgain(engine, winner.operation, signed);
    return winner.settled
      ? answered<Result>(engine, winner.settled)
      : finish<Result>(engine, definition, winner.operation);
  }

  return async function submit<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signatures: readonly GivenSignature[],
    requester: Requester,
  ): Promise<SubmittedOperation<Request, Result>> {
    const repetition = await repetitionOf(engine, definition, request, signatures, requester);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const known = await knownAnswer<Result>(engine, definition, repetition);
      if (known) return { state: "settled", performed: known };
      const decision = await ledger.findDecision(definition.kind, repetition.requestHash);
      if (decision?.state === "accepted") {
        // A signer of the same decision gets its answer, and nothing is sent again.
        await assertSignedAgain(engine, decision.operation, repetition.signed);
        const performed = await finish<Result>(engine, definition, decision.operation);
        return { state: "settled", performed };
      }
      const earlier = decision ? { ...decision.operation, request } : null;
      if (earlier && !(await stillCounts(engine, definition, earlier))) continue;
      // Its other signer may have it accepted meanwhile, with another signature in the same role.
      const digests = repetition.signed.concat(earlier?.signatures ?? []);
      const step = await unlessKnown(engine, definition, request, digests, () =>
        advance(engine, definition, request, { repetition, requester, earlier }),
      );
      if (step === null && earlier) {
        const performed = await answerOfWinner<Result>(definition, earlier, repetition);
        if (performed) return { state: "settled", performed };
      }
      if (step?.state === "waiting") return step;
      if (step) {
        const performed = await finish<Result>(engine, definition, step.operation);
        return { state: "settled", performed };
      }
    }
    throw new ApiError("SERVICE_UNAVAILABLE", {
      message: "Other requests keep changing this operation. Retry after a moment.",
    });
  };
}

/**
 * Stores what a request adds to a decision: the first signatures, or the last ones with its acceptance. Null when another request
 * has changed the decision in the meantime.
 */
async function advance<Request, Snapshot, Payload>(
  engine: EngineContext,
  definition: ChainOperation<Request, Snapshot, Payload>,
  request: Request,
  context: {
    readonly repetition: Repetition;
    readonly requester: Requester;
    readonly earlier: WaitingOperation<Request> | null;
  },
): Promise<
  | { readonly state: "waiting"; readonly waiting: WaitingView<Request> }
  | { readonly state: "accepted"; readonly operation: Operation }
  | null
> {
  const { earlier, requester, repetition } = context;
  const { signed, operationKey } = repetition;
  const stored = earlier?.signatures ?? [];
  const added = signed.filter(({ role }) => !stored.some((one) => one.role === role));
  // A second signature in the same role changes nothing, and is checked as any other.
  if (added.length < signed.length)
    await verified(engine, definition, request, signed, operationKey);
  const checked = await verified(engine, definition, request, [...stored, ...added], operationKey);
  const operation = { ...checked.operation, id: earlier?.id ?? checked.operation.id };
  if (checked.missing.length > 0) {
    const [absent] = checked.missing;
    if (!definition.waiting && absent) throw unsigned(absent.role);
    if (earlier) return { state: "waiting", waiting: toView(earlier) };
    const { required: parties } = checked;
    // Planned again when the last signature arrives.
    const begun = {
      ...operation,
      secrets: null,
      request,
      parties,
      createdAt: operation.acceptedAt,
    };
    const outcome = await engine.ledger.wait(begun, async (tx) =>
      definition.waiting?.onWait?.(tx, begun),
    );
    return outcome === "waiting" ? { state: "waiting", waiting: toView(begun) } : null;
  }
  const setAside = await setAsideFor(engine, definition, request, checked, requester, operation.id);
  const onAccept = async (tx: Transaction) =>
    definition.onAccept?.(tx, operation, checked.snapshot);
  const outcome = earlier
    ? await engine.ledger.acceptWaiting(operation, setAside, onAccept)
    : await engine.ledger.accept(operation, setAside, onAccept, { request });
  return outcome === "accepted" ? { state: "accepted", operation } : null;
}
