import type { Address, Hex } from "viem";
import type { SignedContract } from "../../protocol/index.ts";
import type { ApiError } from "../kernel/errors.ts";
import type { Call, Signer } from "../platform/chain/transactions.ts";
import type { Transaction } from "../platform/database/transaction.ts";

/** The role of a signer. */
export const SIGNATURE_ROLES = ["owner", "newOwner", "admin", "newAdmin", "permit"] as const;

export type SignatureRole = (typeof SIGNATURE_ROLES)[number];

/** The stablecoin verifies one message: ERC-2612's permit, whose nonces are consecutive. */
export type VerifyingContract = SignedContract | "Stablecoin";

/** The message that a role signs. */
export interface MessageType {
  /** Whose EIP-712 domain the message has, and whose nonces it uses. */
  readonly contract: VerifyingContract;
  /** The EIP-712 type of the message; it always has a `nonce` and a `deadline`. */
  readonly primaryType: string;
  /** How far ahead the deadline may be, in milliseconds. Default: 24 hours. */
  readonly maxAheadMs?: number;
}

/** A required signer, and its role. */
export interface RequiredSignature {
  readonly role: SignatureRole;
  readonly signer: Address;
}

/** The fields that make two signatures of one decision differ. */
export interface NonceAndDeadline {
  readonly nonce: bigint;
  /** Unix seconds, inclusive. */
  readonly deadline: bigint;
}

/** A message with the fields of its type. */
export type SignedMessage = NonceAndDeadline & object;

/** A message that is ready to be signed. */
export interface PreparedMessage extends RequiredSignature, MessageType {
  readonly message: SignedMessage;
  /** See `OperationPlan.shown`. */
  readonly shown: object | null;
}

/** The messages of a decision, in the order of its definition's `signatures`. */
export type PreparedMessages = readonly [PreparedMessage, ...PreparedMessage[]];

/** A signature as a request carries it. */
export interface GivenSignature extends RequiredSignature {
  readonly message: SignedMessage;
  readonly signature: Hex;
}

/** A signature whose message has the fields of its type. */
export type Signed<Message extends SignedMessage> = GivenSignature & { readonly message: Message };

/** The signature in a role, with the message that the role's type has; null without one. */
export function signedAs<Message extends SignedMessage>(
  signatures: readonly GivenSignature[],
  role: SignatureRole,
): Signed<Message> | null {
  const signature = signatures.find((one) => one.role === role);
  return (signature as Signed<Message> | undefined) ?? null;
}

/** As `signedAs`, for a required role. */
export function requiredAs<Message extends SignedMessage>(
  signatures: readonly GivenSignature[],
  role: SignatureRole,
): Signed<Message> {
  const signed = signedAs<Message>(signatures, role);
  if (signed === null) throw new Error(`There is no signature of the ${role}.`);
  return signed;
}

/** A signature as it is stored: with the contract whose nonce it uses, and its digest. */
export interface OperationSignature extends GivenSignature {
  readonly primaryType: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
  /** Identifies it: two byte strings can sign one digest. */
  readonly digest: Hex;
}

export const SUBJECT_KINDS = ["soul", "organization"] as const;

/** The subject of an operation. */
export interface Subject {
  readonly kind: (typeof SUBJECT_KINDS)[number];
  readonly id: bigint;
  /** The epoch of a soul; null for anything else. */
  readonly epoch: number | null;
}

/** Content of permanent storage. */
export interface ArchivedContent {
  readonly data: Uint8Array;
  readonly contentType: string;
}

/** The id that permanent storage has, or would have, for some content. Stores nothing. */
export type ContentIds = { idOf(content: ArchivedContent): Promise<string> };

/** Encrypted values by name. They are stored in a column of their own and deleted with the operation's end. */
export type OperationSecrets = Readonly<Record<string, Buffer>>;

/** The plan for a request, given what was read for it. */
export interface OperationPlan<Payload> {
  /** What each required role signs besides nonce and deadline. */
  readonly messages: Readonly<Partial<Record<SignatureRole, object>>>;
  /** What the call and later steps need. Public content only. */
  readonly payload: Payload;
  /** Null for an operation without secrets. */
  readonly secrets: OperationSecrets | null;
  /** Stored before anything names them. Their ids are known in advance: see `ContentIds`. */
  readonly items: readonly ArchivedContent[];
  /** What a message names by a hash alone, and its signer wants to see. */
  readonly shown?: object;
}

/** An accepted operation. From here on a process drives it to its end, also after a restart. */
export interface Operation<Payload = unknown> {
  readonly id: string;
  readonly kind: string;
  /** SHA-256 of the request: the same signature under another request is another request. */
  readonly requestHash: Hex;
  /** Of the request that was accepted first. */
  readonly operationKey: string;
  readonly payload: Payload;
  readonly secrets: OperationSecrets | null;
  /** In the order of the definition's `signatures`. */
  readonly signatures: readonly OperationSignature[];
  readonly subjects: readonly Subject[];
  readonly acceptedAt: Date;
  /** The trace that it was accepted in. */
  readonly traceparent?: string | undefined;
  /** The chain's head when its first signature arrived: nothing of it can be in an earlier block. */
  readonly acceptedBlock: bigint;
}

/** An operation that some of its signers have signed. It reserves no gas, and cannot be simulated. */
export interface WaitingOperation<Request = unknown>
  extends Pick<
    Operation,
    "id" | "kind" | "requestHash" | "signatures" | "subjects" | "acceptedBlock"
  > {
  readonly request: Request;
  /** The required signers at the time of the first signature. If they change, the operation ends. */
  readonly parties: readonly RequiredSignature[];
  readonly createdAt: Date;
}

/** The rules of a definition whose signers may sign at different times. */
export interface WaitingRules<Request = never> {
  /** In the transaction that stores the first signature. May refuse, by throwing an ApiError. */
  onWait?(transaction: Transaction, operation: WaitingOperation<Request>): Promise<void>;
  /** In the transaction that ends an operation which never got its last signature. */
  onEnd?(
    transaction: Transaction,
    operation: WaitingOperation<Request>,
    end: OperationFailure,
  ): Promise<void>;
  /** Whether it has its effect already, because the signers called the contract directly. */
  isSuperseded?(operation: WaitingOperation<Request>): Promise<boolean>;
}

/** The inputs of an operation's transaction. */
export type SignedOperation<Payload = unknown> = Pick<Operation<Payload>, "payload"> & {
  readonly signatures: readonly GivenSignature[];
};

/** The transaction that carried out an operation. */
export interface OperationExecution {
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

/** Result and transaction of an operation, and the block that the index had reached. */
export interface PerformedOperation<Result> {
  readonly result: Result;
  readonly txHash: Hex;
  /** The block that reads must have reached to show it. */
  readonly blockNumber: bigint;
  /** The block that reads had reached when it was answered. */
  readonly indexedBlock: bigint;
}

/** How an operation ended that was not carried out. */
export type OperationFailure = "refused" | "expired" | "cancelled";

/** The common part of every definition. */
interface CommonDefinition<Request, Snapshot, Payload> {
  /** Stored with each operation: never renamed. */
  readonly kind: string;
  /** The message of each role. */
  readonly messageTypes: Readonly<Partial<Record<SignatureRole, MessageType>>>;
  /** The request as JSON. Two requests with the same JSON are the same. */
  requestJson(request: Request): unknown;
  /**
   * Reads the subject of the request, in one block.
   *
   * @throws ApiError of the refusals that need no signature: NOT_FOUND, BURNED, SUSPENDED.
   */
  read(request: Request): Promise<Snapshot>;
  /** Who must sign now: one account in two roles may sign once. At least one. */
  signatures(request: Request, snapshot: Snapshot): readonly RequiredSignature[];
  subjects(request: Request, snapshot: Snapshot): readonly Subject[];
  /**
   * Reads what else the request depends on, and refuses what is not allowed. It runs for the message to sign and again for the
   * signed one, after the signatures were verified; it stores nothing.
   *
   * @throws ApiError of the definition's own preconditions.
   */
  plan(request: Request, snapshot: Snapshot): Promise<OperationPlan<Payload>>;
  /** In the transaction that accepts it. May refuse, by throwing an ApiError: then nothing was accepted. */
  onAccept?(
    transaction: Transaction,
    operation: Operation<Payload>,
    snapshot: Snapshot,
  ): Promise<void>;
}

/** The part of a chain operation that finishing needs, also when its request is old. */
export interface ChainOperationEnd<Payload = unknown, Result = unknown> {
  readonly kind: string;
  /**
   * Prefix of its name in the relayer's and the gas budget's tables. Default: `operation`. Never
   * renamed.
   */
  readonly prefix?: string;
  /** Whose key sends it. `registrar` for what predicts ids. Default: `any`. */
  readonly signer?: Signer;
  /** Gas set aside for one, and the most that it may use. */
  gas(payload: Payload): bigint;
  /**
   * The transaction, which is simulated before the operation is accepted. Called again after a restart: the same operation gives
   * the same call.
   */
  call(operation: SignedOperation<Payload>): Call;
  /**
   * Builds the transaction just before it is sent, for a call that depends on the chain's current
   * state, such as the next id. Default: `call`.
   */
  buildCall?(operation: Operation<Payload>): Promise<Call>;
  /** For a call whose assumptions can fail between building and mining. Default: one attempt. */
  readonly secondAttempt?: {
    /** Whether the first failed for that: another transaction may then carry the operation out. */
    isFor(error: unknown, operation: Operation<Payload>): boolean;
    /** As `buildCall`, without the assumptions. */
    buildCall(operation: Operation<Payload>): Promise<Call>;
  };
  /** The answer. It holds no secret, because a repetition of the signed request reads it again. */
  result(operation: Operation<Payload>, execution: OperationExecution): Promise<Result>;
  /** Writes follow-up rows, once, in the transaction that stores the end. */
  onSettle?(
    transaction: Transaction,
    operation: Operation<Payload>,
    execution: OperationExecution,
    result: Result,
  ): Promise<void>;
  /** The same for an accepted operation that was not carried out. */
  onEnd?(
    transaction: Transaction,
    operation: Operation<Payload>,
    end: OperationFailure,
  ): Promise<void>;
  /**
   * Whether another transaction of its owner had the same effect. Checked after the chain refused
   * it.
   */
  isSuperseded?(operation: Operation<Payload>): Promise<boolean>;
}

/** An operation that a contract verifies and the service sends. */
export interface ChainOperation<
  Request = never,
  Snapshot = never,
  Payload = never,
  Result = unknown,
> extends CommonDefinition<Request, Snapshot, Payload>,
    ChainOperationEnd<Payload, Result> {
  readonly settlement: "chain";
  /** Present when the signers may sign at different times. The request is then stored: it holds public content only. */
  readonly waiting?: WaitingRules<Request>;
  /** The wallet whose monthly registrations it counts on. Default: none. */
  registrant?(request: Request, snapshot: Snapshot): Address;
  /** The deadline of a prepared message, in Unix seconds. Null or absent: 15 minutes ahead, or the longest that the type allows. */
  deadline?(request: Request, snapshot: Snapshot): bigint | null;
  /**
   * Refuses, before anything is signed, what the contract would refuse with any signature. Default: the call is simulated as sent
   * by its signer.
   */
  assertAcceptable?(
    request: Request,
    snapshot: Snapshot,
    unsigned: SignedOperation<Payload>,
  ): Promise<void>;
  /**
   * The refusal of a repetition under another Idempotency-Key, when the answer holds a secret.
   * Default: a repetition with a valid signature reads the answer.
   */
  refuseRepetition?(request: Request): ApiError;
  /** The error to report when it was not accepted. Default: the error itself. */
  reportedError?(request: Request, error: unknown): Promise<unknown>;
}

/** An operation that no contract verifies: its signature counts once, in Postgres, and its answer is not stored. */
export interface PostgresOperation<
  Request = never,
  Snapshot = never,
  Payload = never,
  Result = unknown,
> extends CommonDefinition<Request, Snapshot, Payload> {
  readonly settlement: "postgres";
  /**
   * Carries out the signed request before its signature is marked as used, so that a failed request can be sent again. Two
   * requests with one signature may both run it: it must be idempotent.
   */
  settle(
    request: Request,
    snapshot: Snapshot,
    context: {
      readonly payload: Payload;
      /** See `Requester`. */
      readonly network: string;
    },
  ): Promise<Result>;
  /** The answer to the same request with a signature that was used for it. Default: the refusal NONCE_USED. */
  repeat?(operation: Operation<Payload>): Promise<Result>;
}
