import type { PreparedMessage, PreparedMessages } from "../operation.ts";
import { signingDeadline } from "../signing-deadline.ts";
import type { AnyDefinition } from "../verify.ts";
import type { EngineContext } from "./context.ts";

/**
 * The messages to sign for a request, with fresh nonces. There are 15 minutes to sign them, and as long as the type allows when
 * the signers may sign at different times.
 *
 * @throws ApiError of everything that `perform` or `settle` would refuse before it looks at a signature.
 */
export function createPrepare({ chain, clock, randomNonce }: EngineContext) {
  return async function prepare<Request, Snapshot, Payload>(
    definition: AnyDefinition<Request, Snapshot, Payload>,
    request: Request,
  ): Promise<PreparedMessages> {
    const snapshot = await definition.read(request);
    const required = definition.signatures(request, snapshot);
    const { messages, payload, shown = null } = await definition.plan(request, snapshot);
    const isWaiting =
      definition.settlement === "chain" && definition.waiting !== undefined && required.length > 1;
    const prepared: PreparedMessage[] = [];
    for (const { role, signer } of required) {
      const type = definition.messageTypes[role];
      if (!type) throw new Error(`${definition.kind} has no message of the ${role}.`);
      const isPermit = type.contract === "Stablecoin";
      const nonce = isPermit ? await chain.permitNonce(signer) : randomNonce();
      const deadline =
        deadlineOf(definition, request, snapshot) ??
        signingDeadline(clock(), isWaiting ? type.maxAheadMs : undefined);
      const message = { ...messages[role], nonce, deadline };
      prepared.push({ ...type, role, signer, message, shown });
    }
    // An operation of two signers cannot be simulated before both have signed.
    if (definition.settlement === "chain" && required.length === 1) {
      const signatures = prepared.map((one) => ({ ...one, signature: "0x" as const }));
      if (definition.assertAcceptable) {
        await definition.assertAcceptable(request, snapshot, { payload, signatures });
      } else {
        const call = definition.call({ payload, signatures });
        // Sent by its owner, a call needs no signature.
        await chain.simulate(call, definition.gas(payload), required[0]?.signer);
      }
    }
    const [first, ...others] = prepared;
    if (first === undefined) throw new Error(`${definition.kind} has no message to sign.`);
    return [first, ...others];
  };
}

function deadlineOf<Request, Snapshot, Payload>(
  definition: AnyDefinition<Request, Snapshot, Payload>,
  request: Request,
  snapshot: Snapshot,
): bigint | null {
  if (definition.settlement !== "chain") return null;
  return definition.deadline?.(request, snapshot) ?? null;
}
