import type { Address } from "viem";
import { isAddressEqual } from "viem";
import { ApiError, isRefusal } from "../../kernel/errors.ts";
import { carriedOutElsewhere, failureOf } from "../carry-out.ts";
import type {
  ChainOperation,
  RequiredSignature,
  SignatureRole,
  Subject,
  WaitingOperation,
} from "../operation.ts";
import type { OperationEnding } from "../operation-rows.store.ts";
import type { EngineContext } from "../steps/context.ts";
import { requestHashOf, verified } from "../verify.ts";
import type { WaitingFilter } from "./waiting.store.ts";

/** A definition whose signers may sign at different times. */
export type WaitingDefinition<
  Request = never,
  Snapshot = unknown,
  Payload = unknown,
> = ChainOperation<Request, Snapshot, Payload, unknown>;

/** A waiting operation as its parties see it: the signatures themselves are not shown. */
export interface WaitingView<Request = unknown> {
  readonly id: string;
  readonly kind: string;
  readonly request: Request;
  readonly subjects: readonly Subject[];
  readonly signedBy: readonly RequiredSignature[];
  readonly awaiting: readonly RequiredSignature[];
  readonly since: Date;
  /** When the first of its signatures expires. */
  readonly expiresAt: Date;
}

const WITHDRAWN = "One of its parties has withdrawn it.";
const SUPERSEDED = "The same was done directly on the chain.";
const OTHER_PARTIES = "Another account must sign it now.";
const PAGE = 100;

/** Whether it still counts. If not, it is ended and the reason is stored. */
export async function stillCounts<Request, Snapshot, Payload>(
  engine: EngineContext,
  definition: WaitingDefinition<Request, Snapshot, Payload>,
  operation: WaitingOperation<Request>,
): Promise<boolean> {
  const reason = await refusalOf(engine, definition, operation);
  if (reason === null) return true;
  const isSuperseded =
    (await definition.waiting?.isSuperseded?.(operation)) ||
    (await carriedOutElsewhere(engine, operation)) !== null;
  const state = isSuperseded ? "refused" : await failureOf(engine, operation);
  await end(engine, definition, operation, { state, reason, isSuperseded });
  return false;
}

async function refusalOf<Request, Snapshot, Payload>(
  engine: EngineContext,
  definition: WaitingDefinition<Request, Snapshot, Payload>,
  { request, signatures, parties }: WaitingOperation<Request>,
): Promise<ApiError | null> {
  try {
    const { required } = await verified(engine, definition, request, signatures, "");
    // The same people must sign in the same roles as when the first of them did.
    const isOfSameParties =
      parties.length === required.length &&
      required.every(({ role, signer }) =>
        parties.some((party) => party.role === role && isAddressEqual(party.signer, signer)),
      );
    return isOfSameParties ? null : new ApiError("NOT_OWNER", { message: OTHER_PARTIES });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error as ApiError;
  }
}

function end<Request, Snapshot, Payload>(
  { ledger }: EngineContext,
  { waiting }: WaitingDefinition<Request, Snapshot, Payload>,
  operation: WaitingOperation<Request>,
  how: OperationEnding,
): Promise<void> {
  return ledger.endWaiting(operation.id, how, async (tx) =>
    waiting?.onEnd?.(tx, operation, how.state),
  );
}

/** Those of `operations` that still count. */
async function reviewed(
  engine: EngineContext,
  definitions: readonly WaitingDefinition[],
  operations: readonly WaitingOperation[],
): Promise<{ readonly counting: WaitingOperation[]; readonly failures: unknown[] }> {
  const counting: WaitingOperation[] = [];
  const failures: unknown[] = [];
  for (const operation of operations) {
    try {
      const definition = definitionOf(definitions, operation);
      if (await stillCounts(engine, definition, operation as WaitingOperation<never>)) {
        counting.push(operation);
      }
    } catch (error) {
      failures.push(error);
    }
  }
  return { counting, failures };
}

/** An operation that still counts and in which `party` has a role. */
async function ofParty(
  engine: EngineContext,
  definitions: readonly WaitingDefinition[],
  id: string,
  party: Address,
) {
  const waiting = await engine.ledger.readWaiting(id);
  if (waiting?.parties.some(({ signer }) => isAddressEqual(signer, party))) {
    const definition = definitionOf(definitions, waiting);
    const operation = waiting as WaitingOperation<never>;
    if (await stillCounts(engine, definition, operation)) return { definition, operation };
  }
  throw new ApiError("NOT_FOUND", {
    message: "No operation with this id waits for your signature, or was signed by you.",
  });
}

export type WaitingOperations = ReturnType<typeof createWaitingOperations>;

/** Operations that wait for signatures. The engine begins and completes them. */
export function createWaitingOperations(engine: EngineContext) {
  const { ledger } = engine;
  type Definitions = readonly WaitingDefinition[];

  return {
    /**
     * Those of one account that still count, the newest first; `party` is who asks. Each is checked against the chain before it is
     * shown, and those that no longer count are ended.
     */
    async list(definitions: Definitions, party: Address, filter: WaitingFilter = {}) {
      const kinds = definitions.map(({ kind }) => kind);
      const { limit = PAGE } = filter;
      const waiting = await ledger.listWaiting({ ...filter, kinds, party, limit });
      const { counting, failures } = await reviewed(engine, definitions, waiting);
      if (failures.length > 0) throw failures[0];
      return counting.map(toView);
    },

    /** @throws ApiError NOT_FOUND for any account but its parties, and once it waits no longer. */
    async read(definitions: Definitions, id: string, party: Address): Promise<WaitingView> {
      return toView((await ofParty(engine, definitions, id, party)).operation);
    },

    /**
     * Ends it as `cancelled`. Its signatures are never shown, and expire at their deadline.
     *
     * @throws ApiError NOT_FOUND as `read` does.
     */
    async withdraw(definitions: Definitions, id: string, party: Address): Promise<void> {
      const { definition, operation } = await ofParty(engine, definitions, id, party);
      const reason = new ApiError("GONE", { message: WITHDRAWN });
      await end(engine, definition, operation, { state: "cancelled", reason, isSuperseded: false });
    },

    /**
     * Ends the waiting operation of this request as superseded, for a feature that saw its effect on
     * chain. Does nothing without one.
     */
    async supersede<Request, Snapshot, Payload>(
      definition: WaitingDefinition<Request, Snapshot, Payload>,
      request: Request,
    ): Promise<void> {
      const requestHash = requestHashOf(definition, request);
      const decision = await ledger.findDecision(definition.kind, requestHash);
      if (decision?.state !== "waiting") return;
      const reason = new ApiError("GONE", { message: SUPERSEDED });
      const how = { state: "refused", reason, isSuperseded: true } as const;
      await end(engine, definition, { ...decision.operation, request }, how);
    },

    /**
     * Ends those that no longer count: sold, another admin, cancelled nonce, expired, done directly.
     *
     * @param filter Default: all.
     * @throws AggregateError of what could not be checked now, after trying all.
     */
    async review(definitions: Definitions, filter: WaitingFilter = {}): Promise<void> {
      const kinds = definitions.map(({ kind }) => kind);
      const failures: unknown[] = [];
      for (let after = filter.after; ; ) {
        const page = await ledger.listWaiting({ ...filter, after, kinds, limit: PAGE });
        failures.push(...(await reviewed(engine, definitions, page)).failures);
        if (page.length < PAGE) break;
        after = page.at(-1)?.id;
      }
      if (failures.length > 0) {
        throw new AggregateError(failures, `${failures.length} operations could not be checked.`);
      }
    },
  };
}

function definitionOf<Definition extends { readonly kind: string }>(
  definitions: readonly Definition[],
  { id, kind }: WaitingOperation,
): Definition {
  const definition = definitions.find((one) => one.kind === kind);
  if (!definition) throw new Error(`Operation ${id} is of no known kind.`);
  return definition;
}

export function toView<Request>(operation: WaitingOperation<Request>): WaitingView<Request> {
  const { id, kind, request, subjects, parties, signatures, createdAt } = operation;
  const hasSigned = (role: SignatureRole) =>
    signatures.some((signature) => signature.role === role);
  const deadlines = signatures.map(({ message }) => Number(message.deadline));
  return {
    id,
    kind,
    request,
    subjects,
    signedBy: parties.filter(({ role }) => hasSigned(role)),
    awaiting: parties.filter(({ role }) => !hasSigned(role)),
    since: createdAt,
    expiresAt: new Date(Math.min(...deadlines) * 1000),
  };
}
