import type { Address, Hex } from "viem";
import type { Requester } from "../platform/sponsorship/gas-budget.ts";
import type { OperationEngine } from "./engine.ts";
import type {
  GivenSignature,
  PostgresOperation,
  SignatureRole,
  SignedMessage,
} from "./operation.ts";

/** What an owner signed for this service alone, and with what. */
export interface OffChainEvidence<Message extends SignedMessage> {
  readonly message: Message;
  readonly signature: Hex;
  readonly signer: Address;
}

/** An operation that one account signs and no contract verifies, as its route uses it. */
export interface BoundSettlement<Request, Message extends SignedMessage, Result> {
  /** See `OperationEngine.prepare`. */
  prepare(request: Request): Promise<Message>;
  /** See `OperationEngine.settle`. */
  settle(
    request: Request,
    evidence: OffChainEvidence<Message>,
    requester: Requester,
  ): Promise<Result>;
}

/** @param role Of the one who signs. */
export function bindSettlement<Request, Snapshot, Payload, Result, Message extends SignedMessage>(
  engine: Pick<OperationEngine, "prepare" | "settle">,
  definition: PostgresOperation<Request, Snapshot, Payload, Result>,
  role: SignatureRole = "owner",
): BoundSettlement<Request, Message, Result> {
  return {
    async prepare(request) {
      const [prepared] = await engine.prepare(definition, request);
      return prepared.message as Message;
    },
    settle: (request, evidence, requester) =>
      engine.settle(definition, request, [{ ...byOwner(evidence), role }], requester),
  };
}

function byOwner(evidence: OffChainEvidence<SignedMessage>): GivenSignature {
  const { message, signature, signer } = evidence;
  return { role: "owner", message, signature, signer };
}
