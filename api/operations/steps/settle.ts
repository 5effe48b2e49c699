import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { GivenSignature, PostgresOperation } from "../operation.ts";
import { nonceUsed, unsigned } from "../verify.ts";
import type { EngineParts } from "./parts.ts";

/** See `OperationEngine.settle`. */
export function createSettle<Transaction>({
  ledger,
  verifier,
  archive,
}: Pick<EngineParts<Transaction>, "ledger" | "verifier" | "archive">) {
  return async function settle<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<Result> {
    const signed = await verifier.signaturesOf(definition, given);
    const { network, operationKey } = requester;
    const checked = await verifier.verified(definition, request, signed, operationKey);
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
  };
}
