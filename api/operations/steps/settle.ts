import { isRefusal } from "../../kernel/errors.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type {
  GivenSignature,
  Operation,
  OperationSignature,
  PostgresOperation,
} from "../operation.ts";
import {
  assertSignedAgain,
  nonceUsed,
  requestHashOf,
  signaturesOf,
  unsigned,
  verified,
} from "../verify.ts";
import type { EngineContext } from "./context.ts";
import { assertSameRequest } from "./repetition.ts";

/**
 * Does what was signed for this service alone. Each signature counts once.
 *
 * @throws ApiError as `perform` does; NONCE_USED for a signature that was used before, unless the
 * definition has an answer to the same request again.
 */
export function createSettle(engine: EngineContext) {
  const { ledger, archive } = engine;

  /** The operation that these signatures were used for, where the same request may be answered again. */
  async function earlier<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signed: readonly OperationSignature[],
  ): Promise<Operation<Payload> | null> {
    const known = await ledger.find(signed.map(({ digest }) => digest));
    if (known === null) return null;
    const { operation } = known;
    const requestHash = requestHashOf(definition, request);
    assertSameRequest(operation, { kind: definition.kind, requestHash, signed });
    await assertSignedAgain(engine, operation, signed);
    return operation as Operation<Payload>;
  }

  async function settleOnce<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signed: readonly OperationSignature[],
    { network, operationKey }: Requester,
  ): Promise<Result> {
    const checked = await verified(engine, definition, request, signed, operationKey);
    const { operation, snapshot, items, missing } = checked;
    const [absent] = missing;
    if (absent) throw unsigned(absent.role);
    for (const { verifyingContract, signer, message } of signed) {
      if (await ledger.isNonceUsed(verifyingContract, signer, message.nonce)) {
        throw nonceUsed(signer, message.nonce);
      }
    }
    // Before the nonce is used: if storage fails, the signature stays valid.
    for (const item of items) await archive.archive(item);
    const { payload } = operation;
    const result = await definition.settle(request, snapshot, { payload, network });
    await ledger.settleOffChain(operation, async (tx) =>
      definition.onAccept?.(tx, operation, snapshot),
    );
    return result;
  }

  return async function settle<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signatures: readonly GivenSignature[],
    requester: Requester,
  ): Promise<Result> {
    const signed = await signaturesOf(engine, definition, signatures);
    const { repeat } = definition;
    if (repeat === undefined) return settleOnce(definition, request, signed, requester);
    const known = await earlier(definition, request, signed);
    if (known !== null) return repeat(known);
    try {
      return await settleOnce(definition, request, signed, requester);
    } catch (error) {
      // The same request may have come twice: the other one was faster.
      const winner = isRefusal(error) ? await earlier(definition, request, signed) : null;
      if (winner === null) throw error;
      return repeat(winner);
    }
  };
}
