import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import { operationIdOf } from "../carry-out.ts";
import type { SetAside } from "../ledger.ts";
import type { ChainOperation } from "../operation.ts";
import type { VerifiedSignatures } from "../verify.ts";
import type { EngineParts } from "./parts.ts";

export type SetAsideFor = ReturnType<typeof createSetAside>;

/** The step between verified signatures and acceptance. */
export function createSetAside({
  chain,
  archive,
  standingOf,
}: Pick<EngineParts, "chain" | "archive" | "standingOf">) {
  /** Simulates the operation and stores its content. Returns its cost. */
  return async function setAsideFor<Request, Snapshot, Payload>(
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
  };
}
