import type { CommonOwnerField, OwnerMessage, OwnerMessageName } from "../../protocol/index.ts";
import { OWNER_MESSAGE_CONTRACTS } from "../../protocol/index.ts";
import type { Call } from "../platform/chain/transactions.ts";
import type { Transaction } from "../platform/database/transaction.ts";
import type { ChainSoul, OwnedSoul } from "../soul/chain-soul.ts";
import { requireSoul } from "../soul/require-soul.ts";
import type {
  ArchivedContent,
  ChainOperation,
  Operation,
  OperationExecution,
  OperationFailure,
  OperationSecrets,
  SignatureRole,
  SignedOperation,
} from "./operation.ts";
import type { OperatedSouls, OwnerEvidence } from "./operations.chain.ts";

export type { OperatedSouls, OwnerEvidence };

/** The plan for a request, given the current soul. */
export interface SoulOperationPlan<Name extends OwnerMessageName, Payload> {
  /** What the owner signs besides soul, epoch, version, nonce and deadline. */
  readonly fields: Omit<OwnerMessage<Name>, CommonOwnerField>;
  /** See `OperationPlan.payload`. */
  readonly payload: Payload;
  /** Default: none. See `OperationPlan.secrets`. */
  readonly secrets?: OperationSecrets;
  /** See `OperationPlan.items`. */
  readonly items: readonly ArchivedContent[];
}

/** An accepted operation on one soul. */
export interface OwnerOperation<Name extends OwnerMessageName = OwnerMessageName, Payload = unknown>
  extends Operation<Payload> {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly evidence: OwnerEvidence<Name>;
}

/** The inputs of the transaction of an operation on one soul. */
export interface SignedOwnerOperation<Name extends OwnerMessageName, Payload> {
  readonly tokenId: bigint;
  readonly payload: Payload;
  readonly evidence: OwnerEvidence<Name>;
}

/**
 * One kind of decision on a soul that one account signs alone, which is the owner of a live soul
 * unless `read` says otherwise. `soulOperation` makes the definition from it.
 */
export interface OperationKind<Request, Name extends OwnerMessageName, Payload, Result> {
  /** Stored with each operation: never renamed. */
  readonly kind: string;
  /** See `ChainOperationEnd.prefix`. */
  readonly prefix?: string;
  readonly messageName: Name;
  /** The role of who signs. Default: `owner`. */
  readonly role?: SignatureRole;
  /** Gas set aside for one, and the most that it may use. */
  readonly gas: bigint | ((payload: Payload) => bigint);
  /** The soul that the request is about. */
  tokenIdOf(request: Request): bigint;
  /**
   * Reads the soul, with the account that decides for it as `owner`. Default: as `requireSoul` of an owned one.
   *
   * @throws ApiError
   */
  read?(request: Request): Promise<OwnedSoul>;
  /** The request as JSON. Two requests with the same JSON are the same. */
  requestJson(request: Request): unknown;
  /** See `OperationDefinition.plan`. @throws ApiError of the kind's own preconditions. */
  plan(request: Request, soul: OwnedSoul): Promise<SoulOperationPlan<Name, Payload>>;
  /** The transaction. Called again after a restart: the same operation gives the same call. */
  call(operation: SignedOwnerOperation<Name, Payload>): Call;
  /** What is answered. It holds no secret: a repetition of the signed request reads it again. */
  result(operation: OwnerOperation<Name, Payload>, execution: OperationExecution): Promise<Result>;
  /** Within the transaction that accepts it. May refuse, by throwing an ApiError. */
  onAccept?(transaction: Transaction, operation: OwnerOperation<Name, Payload>): Promise<void>;
  /** Writes rows and emits events, once, in the transaction that stores the end. */
  follow?(
    transaction: Transaction,
    operation: OwnerOperation<Name, Payload>,
    execution: OperationExecution,
  ): Promise<void>;
  /** Within the transaction that ends it without having carried it out. */
  onEnd?(
    transaction: Transaction,
    operation: OwnerOperation<Name, Payload>,
    end: OperationFailure,
  ): Promise<void>;
  /** Whether the current soul has its effect already. */
  isSuperseded?(operation: OwnerOperation<Name, Payload>, soul: ChainSoul): Promise<boolean>;
}

/** The definition of a decision on a soul that one account signs alone. */
export interface SoulOperation<Request, Payload, Result>
  extends ChainOperation<Request, OwnedSoul, Payload, Result> {
  readonly role: SignatureRole;
}

export function soulOperation<Request, Name extends OwnerMessageName, Payload, Result>(
  kind: OperationKind<Request, Name, Payload, Result>,
  souls: OperatedSouls,
): SoulOperation<Request, Payload, Result> {
  const { messageName, role = "owner", gas, onAccept, follow, onEnd, isSuperseded } = kind;
  type Stored = Operation<Payload>;
  return {
    kind: kind.kind,
    role,
    settlement: "chain",
    prefix: kind.prefix ?? "operation",
    messageTypes: {
      [role]: { contract: OWNER_MESSAGE_CONTRACTS[messageName], primaryType: messageName },
    },
    requestJson: kind.requestJson,
    read: async (request) =>
      kind.read?.(request) ?? requireSoul(souls, kind.tokenIdOf(request), "owned"),
    signatures: (_request, soul) => [{ role, signer: soul.owner }],
    subjects: (_request, { tokenId, epoch }) => [{ kind: "soul", id: tokenId, epoch }],
    async plan(request, soul) {
      const { fields, payload, secrets, items } = await kind.plan(request, soul);
      const { tokenId, epoch } = soul;
      const version = await souls.versionIn(OWNER_MESSAGE_CONTRACTS[messageName], soul);
      return {
        messages: { [role]: { tokenId, epoch, version, ...fields } },
        payload,
        secrets: secrets ?? null,
        items,
      };
    },
    gas: (payload) => (typeof gas === "function" ? gas(payload) : gas),
    call: (operation) => kind.call(signedBy(operation)),
    result: (operation, execution) => kind.result(storedOf(operation), execution),
    async onAccept(tx: Transaction, operation: Stored) {
      await onAccept?.(tx, storedOf(operation));
    },
    async onSettle(tx: Transaction, operation: Stored, execution: OperationExecution) {
      await follow?.(tx, storedOf(operation), execution);
    },
    async onEnd(tx: Transaction, operation: Stored, end: OperationFailure) {
      await onEnd?.(tx, storedOf(operation), end);
    },
    async isSuperseded(operation: Stored) {
      if (!isSuperseded) return false;
      const stored = storedOf<Name, Payload>(operation);
      const { tokenId } = stored;
      return isSuperseded(stored, await requireSoul(souls, tokenId, "registered"));
    },
  };
}

function signedBy<Name extends OwnerMessageName, Payload>({
  payload,
  signatures,
}: SignedOperation<Payload>): SignedOwnerOperation<Name, Payload> {
  const [owner] = signatures;
  if (!owner) throw new Error("An operation has at least one signature.");
  const { signature, signer } = owner;
  const message = owner.message as OwnerMessage<Name>;
  return { tokenId: message.tokenId, payload, evidence: { message, signature, signer } };
}

function storedOf<Name extends OwnerMessageName, Payload>(
  operation: Operation<Payload>,
): OwnerOperation<Name, Payload> {
  const { evidence, tokenId } = signedBy<Name, Payload>(operation);
  return { ...operation, tokenId, epoch: evidence.message.epoch, evidence };
}
