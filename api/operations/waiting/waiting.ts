import type { Address } from "viem";
import { isAddressEqual } from "viem";
import { ApiError, isRefusal } from "../../kernel/errors.ts";
import type { CarryOut } from "../carry-out.ts";
import type { OperationEnding, WaitingFilter, WaitingLedger } from "../ledger.ts";
import type {
  ChainOperation,
  RequiredSignature,
  SignatureRole,
  Subject,
  WaitingOperation,
} from "../operation.ts";
import { isOfSameParties, type OperationVerifier, requestHashOf } from "../verify.ts";

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

/** Operations that wait for signatures. */
export interface WaitingOperations {
  /**
   * Those of one account that still count, the newest first; `party` is who asks. Each is checked against the chain before it is
   * shown, and those that no longer count are ended.
   */
  list(
    definitions: readonly WaitingDefinition[],
    party: Address,
    filter?: WaitingFilter,
  ): Promise<WaitingView[]>;
  /** @throws ApiError NOT_FOUND for any account but its parties, and once it waits no longer. */
  read(definitions: readonly WaitingDefinition[], id: string, party: Address): Promise<WaitingView>;
  /**
   * Ends it as `cancelled`. Its signatures are never shown, and expire at their deadline.
   *
   * @throws ApiError NOT_FOUND as `read` does.
   */
  withdraw(definitions: readonly WaitingDefinition[], id: string, party: Address): Promise<void>;
  /**
   * Ends the waiting operation of this request as superseded, for a feature that saw its effect on
   * chain. Does nothing without one.
   */
  supersede<Request, Snapshot, Payload>(
    definition: WaitingDefinition<Request, Snapshot, Payload>,
    request: Request,
  ): Promise<void>;
  /**
   * Ends those that no longer count: sold, another admin, cancelled nonce, expired, done directly.
   *
   * @param filter Default: all.
   * @throws AggregateError of what could not be checked now, after trying all.
   */
  review(definitions: readonly WaitingDefinition[], filter?: WaitingFilter): Promise<void>;
}

export interface WaitingDeps {
  readonly ledger: WaitingLedger;
  readonly verifier: OperationVerifier;
  readonly carryOut: Pick<CarryOut, "failureOf" | "carriedOutElsewhere">;
}

const WITHDRAWN = "One of its parties has withdrawn it.";
const SUPERSEDED = "The same was done directly on the chain.";
const OTHER_PARTIES = "Another account must sign it now.";
const PAGE = 100;

/** Checks and ends operations that wait for a signature. The engine begins and completes them. */
export function createWaiting(deps: WaitingDeps) {
  const { ledger, verifier, carryOut } = deps;
  type Definition = WaitingDefinition;

  /** Whether it still counts. If not, it is ended and the reason is stored. */
  async function stillCounts<Request, Snapshot, Payload>(
    definition: WaitingDefinition<Request, Snapshot, Payload>,
    operation: WaitingOperation<Request>,
  ): Promise<boolean> {
    const reason = await refusalOf(definition, operation);
    if (reason === null) return true;
    const isSuperseded =
      (await definition.waiting?.isSuperseded?.(operation)) ||
      (await carryOut.carriedOutElsewhere(operation)) !== null;
    const state = isSuperseded ? "refused" : await carryOut.failureOf(operation);
    await end(definition, operation, { state, reason, isSuperseded });
    return false;
  }

  async function refusalOf<Request, Snapshot, Payload>(
    definition: WaitingDefinition<Request, Snapshot, Payload>,
    operation: WaitingOperation<Request>,
  ): Promise<ApiError | null> {
    const { request, signatures } = operation;
    try {
      const { required } = await verifier.verified(definition, request, signatures, "");
      if (isOfSameParties(operation, required)) return null;
      return new ApiError("NOT_OWNER", { message: OTHER_PARTIES });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return error as ApiError;
    }
  }

  function end<Request, Snapshot, Payload>(
    { waiting }: WaitingDefinition<Request, Snapshot, Payload>,
    operation: WaitingOperation<Request>,
    how: OperationEnding,
  ): Promise<void> {
    return ledger.endWaiting(operation.id, how, async (tx) =>
      waiting?.onEnd?.(tx, operation, how.state),
    );
  }

  /** The operations of a filter that still count. */
  async function reviewed(
    definitions: readonly Definition[],
    operations: readonly WaitingOperation[],
  ): Promise<{ readonly counting: WaitingOperation[]; readonly failures: unknown[] }> {
    const counting: WaitingOperation[] = [];
    const failures: unknown[] = [];
    for (const operation of operations) {
      try {
        const definition = definitionOf(definitions, operation);
        if (await stillCounts(definition, operation as WaitingOperation<never>)) {
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
    definitions: readonly Definition[],
    id: string,
    party: Address,
  ): Promise<{ definition: Definition; operation: WaitingOperation<never> }> {
    const found = await ledger.readWaiting(id);
    const isParty = found?.parties.some(({ signer }) => isAddressEqual(signer, party));
    if (found && isParty) {
      const definition = definitionOf(definitions, found);
      const operation = found as WaitingOperation<never>;
      if (await stillCounts(definition, operation)) return { definition, operation };
    }
    throw new ApiError("NOT_FOUND", {
      message: "No operation with this id waits for your signature, or was signed by you.",
    });
  }

  const operations: WaitingOperations = {
    async list(definitions, party, filter = {}) {
      const kinds = definitions.map(({ kind }) => kind);
      const found = await ledger.listWaiting({
        ...filter,
        kinds,
        party,
        limit: filter.limit ?? PAGE,
      });
      const { counting, failures } = await reviewed(definitions, found);
      if (failures.length > 0) throw failures[0];
      return counting.map(toView);
    },

    async read(definitions, id, party) {
      return toView((await ofParty(definitions, id, party)).operation);
    },

    async withdraw(definitions, id, party) {
      const { definition, operation } = await ofParty(definitions, id, party);
      const reason = new ApiError("GONE", { message: WITHDRAWN });
      await end(definition, operation, { state: "cancelled", reason, isSuperseded: false });
    },

    async supersede(definition, request) {
      const decision = await ledger.findDecision(
        definition.kind,
        requestHashOf(definition, request),
      );
      if (decision?.state !== "waiting") return;
      const reason = new ApiError("GONE", { message: SUPERSEDED });
      await end(
        definition,
        { ...decision.operation, request },
        {
          state: "refused",
          reason,
          isSuperseded: true,
        },
      );
    },

    async review(definitions, filter = {}) {
      const kinds = definitions.map(({ kind }) => kind);
      const failures: unknown[] = [];
      for (let after = filter.after; ; ) {
        const page = await ledger.listWaiting({ ...filter, after, kinds, limit: PAGE });
        failures.push(...(await reviewed(definitions, page)).failures);
        if (page.length < PAGE) break;
        after = page.at(-1)?.id;
      }
      if (failures.length > 0) {
        throw new AggregateError(failures, `${failures.length} operations could not be checked.`);
      }
    },
  };

  return { operations, stillCounts };
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
