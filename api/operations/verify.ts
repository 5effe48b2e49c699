import { randomUUID } from "node:crypto";
import type { Address, Hex } from "viem";
import { hashTypedData, isAddressEqual, sha256, stringToBytes } from "viem";
import { canonicalJson, permitTypedData } from "../../protocol/index.ts";
import { ApiError, badRequest } from "../kernel/errors.ts";
import type {
  ArchivedContent,
  ChainOperation,
  GivenSignature,
  MessageType,
  Operation,
  OperationSignature,
  PostgresOperation,
  RequiredSignature,
  SignatureRole,
} from "./operation.ts";
import { assertEndsSoon, assertNotOver } from "./signing-deadline.ts";
import type { EngineContext } from "./steps/context.ts";

/** Any definition, as lists of them hold it. */
export type AnyDefinition<Request, Snapshot, Payload> =
  | ChainOperation<Request, Snapshot, Payload>
  | PostgresOperation<Request, Snapshot, Payload>;

type MessageTypes = Pick<AnyDefinition<unknown, unknown, unknown>, "kind" | "messageTypes">;

/** Verified signatures: they are valid, and they match the request. */
export interface VerifiedSignatures<Snapshot, Payload> {
  readonly operation: Operation<Payload>;
  readonly snapshot: Snapshot;
  readonly items: readonly ArchivedContent[];
  readonly required: readonly RequiredSignature[];
  /** Of `required`, those who have not signed. */
  readonly missing: readonly RequiredSignature[];
}

/**
 * The given signatures, each with its digest. Roles that the definition does not know are ignored.
 *
 * @throws ApiError INVALID_REQUEST without any.
 */
export async function signaturesOf(
  engine: EngineContext,
  { messageTypes }: MessageTypes,
  signatures: readonly GivenSignature[],
): Promise<OperationSignature[]> {
  const signed: OperationSignature[] = [];
  for (const [role, type] of Object.entries(messageTypes) as [SignatureRole, MessageType][]) {
    const one = signatures.find((signature) => signature.role === role);
    if (one) signed.push({ ...one, ...(await placed(engine, type, one.message)) });
  }
  if (signed.length > 0) return signed;
  throw unsigned(Object.keys(messageTypes)[0] as SignatureRole);
}

async function placed(
  { domains, chain }: EngineContext,
  { contract, primaryType }: MessageType,
  message: object,
) {
  if (contract !== "Stablecoin") {
    const digest = domains.digest(contract, primaryType, message);
    return { primaryType, ...domains.of(contract), digest };
  }
  const domain = await chain.permitDomain();
  const { chainId, verifyingContract } = domain;
  const digest = hashTypedData(permitTypedData(domain, message));
  return { primaryType, chainId, verifyingContract, digest };
}

/** @throws ApiError of the definition; of the first signature that is not valid now; INVALID_REQUEST naming fields. */
export async function verified<Request, Snapshot, Payload>(
  engine: EngineContext,
  definition: AnyDefinition<Request, Snapshot, Payload>,
  request: Request,
  signed: readonly OperationSignature[],
  operationKey: string,
): Promise<VerifiedSignatures<Snapshot, Payload>> {
  const { chain, clock } = engine;
  const snapshot = await definition.read(request);
  const required = definition.signatures(request, snapshot);
  const counted: OperationSignature[] = [];
  for (const { role, signer } of required) {
    const one = signed.find((signature) => signature.role === role);
    if (!one) continue;
    if (!isAddressEqual(one.signer, signer)) throw notTheSigner(role);
    assertNotOver(one.message.deadline, clock());
    assertEndsSoon(one.message.deadline, clock(), definition.messageTypes[role]?.maxAheadMs);
    counted.push(one);
  }
  if (counted.length === 0) throw unsigned((required[0] as RequiredSignature).role);
  // Signatures first: the later checks cost more, and only a valid signature may cause them.
  for (const { signer, digest, signature } of counted) {
    await engine.signatures.assertSignedBy(signer, digest, signature);
  }
  const acceptedBlock = await chain.head();
  for (const { verifyingContract, signer, message } of counted) {
    if (await chain.isNonceUsed(verifyingContract, signer, message.nonce)) {
      throw nonceUsed(signer, message.nonce);
    }
  }
  const { messages, payload, secrets, items } = await definition.plan(request, snapshot);
  for (const { role, message } of counted) {
    const expected = messages[role];
    if (!expected) throw new Error(`${definition.kind} plans no message of the ${role}.`);
    assertSays(message, expected);
  }
  const operation: Operation<Payload> = {
    id: randomUUID(),
    kind: definition.kind,
    requestHash: requestHashOf(definition, request),
    operationKey,
    payload,
    secrets,
    signatures: counted,
    subjects: definition.subjects(request, snapshot),
    acceptedAt: clock(),
    acceptedBlock,
  };
  const missing = required.filter(
    ({ role }) => !counted.some((signature) => signature.role === role),
  );
  return { operation, snapshot, items, required, missing };
}

/** A digest is public once it is on chain: a repetition shows the signature before it reads the answer. */
export async function assertSignedAgain(
  { signatures }: EngineContext,
  operation: Pick<Operation, "signatures">,
  signed: readonly OperationSignature[],
): Promise<void> {
  for (const { role, signer, digest, signature } of signed) {
    const first = operation.signatures.find((stored) => stored.role === role);
    if (!first || !isAddressEqual(first.signer, signer)) throw new ApiError("NOT_OWNER");
    if (first.digest === digest && first.signature === signature) continue;
    await signatures.assertSignedBy(signer, digest, signature);
  }
}

/** What is wrong with a signature by another account, for roles that own no passport. */
const OTHER_SIGNER: Readonly<Partial<Record<SignatureRole, string>>> = {
  admin: "The signer is not the organization's admin.",
  newAdmin: "The signer is not the account that is named as the next admin.",
};

function notTheSigner(role: SignatureRole): ApiError {
  const message = OTHER_SIGNER[role];
  return message === undefined ? new ApiError("NOT_OWNER") : new ApiError("NOT_OWNER", { message });
}

/** The refusal of a nonce that its contract does not take any more, as the contract itself words it. */
export function nonceUsed(signer: Address, nonce: bigint): ApiError {
  const args = { signer, nonce };
  return new ApiError("NONCE_USED", { details: { reason: "NonceAlreadyUsed", args } });
}

/** The refusal of a request that lacks a signature. */
export function unsigned(role: SignatureRole): ApiError {
  return badRequest("signature", `The ${role} has to sign`);
}

export function requestHashOf<Request>(
  { requestJson }: { requestJson(request: Request): unknown },
  request: Request,
): Hex {
  return sha256(stringToBytes(canonicalJson(requestJson(request))));
}

/**
 * Refuses a message that differs from `expected`.
 *
 * @throws ApiError INVALID_REQUEST naming every field that differs.
 */
function assertSays(message: object, expected: object): void {
  const fields = message as Readonly<Record<string, unknown>>;
  const issues = Object.entries(expected).flatMap(([field, value]) =>
    differences(`message.${field}`, fields[field], value),
  );
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message: "The signed message is not about this request.",
      details: { issues },
    });
  }
}

/** Where a value of a message, also within a list of structs, is not as expected. */
function differences(
  path: string,
  actual: unknown,
  expected: unknown,
): { readonly path: string; readonly message: string }[] {
  if (actual === expected) return [];
  if (typeof expected !== "object" || expected === null) {
    return [{ path, message: `This request needs ${String(expected)}` }];
  }
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) {
    return [{ path, message: `This request needs ${expected.length}` }];
  }
  const parts = (actual ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(`${path}.${name}`, parts[name], value),
  );
}
