import type { Address, Hex } from "viem";
import type { OwnerMessage, OwnerMessageName } from "../../protocol/index.ts";
import type { Requester } from "../platform/sponsorship/gas-budget.ts";
import type { OperationEngine } from "./engine.ts";
import type {
  GivenSignature,
  PerformedOperation,
  PostgresOperation,
  SignatureRole,
  SignedMessage,
} from "./operation.ts";
import type { OwnerEvidence, SoulOperation } from "./soul-operation.ts";

/** A chain operation that one owner signs, as its route uses it. */
export interface BoundOperation<Request, Name extends OwnerMessageName, Result> {
  /** See `OperationEngine.prepare`. */
  prepare(request: Request): Promise<OwnerMessage<Name>>;
  /** See `OperationEngine.perform`. */
  perform(
    request: Request,
    evidence: OwnerEvidence<Name>,
    requester: Requester,
  ): Promise<PerformedOperation<Result>>;
}

/** The engine's work on one definition that its soul's owner signs alone. */
export function bindOperation<Request, Name extends OwnerMessageName, Payload, Result>(
  engine: Pick<OperationEngine, "prepare" | "perform">,
  definition: SoulOperation<Request, Name, Payload, Result>,
): BoundOperation<Request, Name, Result> {
  return {
    async prepare(request) {
      const [prepared] = await engine.prepare(definition, request);
      return prepared?.message as unknown as OwnerMessage<Name>;
    },
    perform: (request, evidence, requester) =>
      engine.perform(definition, request, [byOwner(evidence)], requester),
  };
}

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
      return prepared?.message as Message;
    },
    settle: (request, evidence, requester) =>
      engine.settle(definition, request, [{ ...byOwner(evidence), role }], requester),
  };
}

function byOwner(evidence: OffChainEvidence<SignedMessage>): GivenSignature {
  const { message, signature, signer } = evidence;
  return { role: "owner", message, signature, signer };
}
