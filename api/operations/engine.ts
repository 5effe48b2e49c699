import type { Requester } from "../platform/sponsorship/gas-budget.ts";
import { createCarryOut } from "./carry-out.ts";
import type {
  ChainOperation,
  ChainOperationEnd,
  GivenSignature,
  PerformedOperation,
  PostgresOperation,
  PreparedMessages,
} from "./operation.ts";
import type { OperationEngineDeps } from "./steps/parts.ts";
import { createPerform } from "./steps/perform.ts";
import { createPrepare } from "./steps/prepare.ts";
import { createRecover } from "./steps/recover.ts";
import { createRepetitions } from "./steps/repetition.ts";
import { createSetAside } from "./steps/set-aside.ts";
import { createSettle } from "./steps/settle.ts";
import { createSubmit, type SubmittedOperation } from "./steps/submit.ts";
import type { AnyDefinition } from "./verify.ts";
import { createOperationVerifier } from "./verify.ts";
import { createWaiting, type WaitingOperations } from "./waiting/waiting.ts";

export type { PreparedMessage } from "./operation.ts";
export type { OperationEngineDeps } from "./steps/parts.ts";
export type { SubmittedOperation } from "./steps/submit.ts";

export interface OperationEngine {
  /**
   * The messages to sign for a request, with fresh nonces. There are 15 minutes to sign them, and as long as the type allows when
   * the signers may sign at different times.
   *
   * @throws ApiError of everything that `perform` or `settle` would refuse before it looks at a signature.
   */
  prepare<Request, Snapshot, Payload>(
    definition: AnyDefinition<Request, Snapshot, Payload>,
    request: Request,
  ): Promise<PreparedMessages>;
  /**
   * Carries out on chain what was signed. The same signed request gives the same answer, however often it is sent.
   *
   * @throws ApiError of the definition's `read`; NOT_OWNER; INVALID_SIGNATURE, WALLET_NOT_DEPLOYED, NONCE_EXPIRED, NONCE_USED;
   * INVALID_REQUEST naming every field of a message that disagrees, or who has to sign; the definition's own; the contract's
   * refusal.
   */
  perform<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signatures: readonly GivenSignature[],
    requester: Requester,
  ): Promise<PerformedOperation<Result>>;
  /**
   * As `perform`, for a definition with `waiting`. With only some of the signatures the operation
   * waits. A later request for the same decision brings the missing ones; then everything is
   * checked again.
   *
   * @throws ApiError as `perform` does; RATE_LIMIT_EXCEEDED when too many wait already.
   */
  submit<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signatures: readonly GivenSignature[],
    requester: Requester,
  ): Promise<SubmittedOperation<Request, Result>>;
  /**
   * Does what was signed for this service alone. Each signature counts once.
   *
   * @throws ApiError as `perform` does; NONCE_USED for a signature that was used before, unless the
   * definition has an answer to the same request again.
   */
  settle<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signatures: readonly GivenSignature[],
    requester: Requester,
  ): Promise<Result>;
  /** Operations that wait for signatures. */
  readonly waiting: WaitingOperations;
  /**
   * Finishes every operation that a stopped process left behind.
   *
   * @param definitions Of every kind that can be stored.
   * @throws AggregateError of what could not be finished now, after trying all.
   */
  recover(definitions: readonly ChainOperationEnd[]): Promise<void>;
}

/** Carries out signed operations. A definition holds what is particular to one kind. */
export function createOperationEngine(deps: OperationEngineDeps): OperationEngine {
  const verifier = createOperationVerifier(deps);
  const carryOut = createCarryOut(deps);
  const waiting = createWaiting({ ledger: deps.ledger, verifier, carryOut });
  const parts = { ...deps, verifier, carryOut };
  const repetitions = createRepetitions(parts);
  const setAsideFor = createSetAside(parts);
  const acceptance = { ...parts, repetitions, setAsideFor };
  return {
    prepare: createPrepare(parts),
    perform: createPerform(acceptance),
    submit: createSubmit({ ...acceptance, waiting }),
    settle: createSettle(parts),
    recover: createRecover(parts),
    waiting: waiting.operations,
  };
}
