import { ApiError } from "../../kernel/errors.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import { finish, operationIdOf } from "../carry-out.ts";
import type { ChainOperation, GivenSignature, PerformedOperation } from "../operation.ts";
import type { SetAside } from "../operation-rows.store.ts";
import { unsigned, type VerifiedSignatures, verified } from "../verify.ts";
import type { EngineContext } from "./context.ts";
import { knownAnswer, repetitionOf, unlessKnown } from "./repetition.ts";

/**
 * Carries out on chain what was signed. The same signed request gives the same answer, however often it is sent.
 *
 * @throws ApiError of the definition's `read`; NOT_OWNER; INVALID_SIGNATURE, WALLET_NOT_DEPLOYED, NONCE_EXPIRED, NONCE_USED;
 * INVALID_REQUEST naming every field of a message that disagrees, or who has to sign; the definition's own; the contract's
 * refusal.
 */
export function createPerform(engine: EngineContext) {
  return async function perform<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Request, Snapshot, Payload, Result>,
    request: Request,
    signatures: readonly GivenSignature[],
    requester: Requester,
  ): Promise<PerformedOperation<Result>> {
    const repetition = await repetitionOf(engine, definition, request, signatures, requester);
    const { signed, operationKey } = repetition;
    const known = await knownAnswer<Result>(engine, definition, repetition);
    if (known) return known;
    const operation = await unlessKnown(engine, definition, request, signed, async () => {
      const checked = await verified(engine, definition, request, signed, operationKey);
      const [absent] = checked.missing;
      if (absent) throw unsigned(absent.role);
      const setAside = await setAsideFor(engine, definition, request, checked, requester);
      const outcome = await engine.ledger.accept(checked.operation, setAside, async (tx) =>
        definition.onAccept?.(tx, checked.operation, checked.snapshot),
      );
      return outcome === "accepted" ? checked.operation : null;
    });
    if (operation) return finish<Result>(engine, definition, operation);
    const answer = await knownAnswer<Result>(engine, definition, repetition);
    // Another request had it accepted, and the chain refused it afterwards.
    if (!answer) throw new ApiError("NONCE_USED");
    return answer;
  };
}

/** The step between verified signatures and acceptance: simulates the operation and stores its content. Returns its cost. */
export async function setAsideFor<Request, Snapshot, Payload>(
  { chain, archive, standingOf }: EngineContext,
  definition: ChainOperation<Request, Snapshot, Payload>,
  request: Request,
  { operation, snapshot, items }: VerifiedSignatures<Snapshot, Payload>,
  { network }: Requester,
  id = operation.id,
): Promise<SetAside> {
  const gas = definition.gas(operation.payload);
  // The contract checks everything again before anything is written.
  await chain.simulate(definition.call(operation), gas);
  for (const item of items) await archive.archive(item);
  const standing = await standingOf(operation.signatures.map(({ signer }) => signer));
  return {
    operationId: operationIdOf(definition, { id }),
    gas,
    registrant: definition.registrant?.(request, snapshot) ?? null,
    sponsor: { network, standing },
  };
}
