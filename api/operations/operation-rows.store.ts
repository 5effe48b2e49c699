import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { ApiError } from "../kernel/errors.ts";
import type { Database, Executor } from "../platform/database/connect.ts";
import type { Sponsor, Sponsorship } from "../platform/sponsorship/gas-budget.ts";
import { currentTrace } from "../platform/tracing/spans.ts";
import type {
  Operation,
  OperationExecution,
  OperationFailure,
  OperationSecrets,
  OperationSignature,
  WaitingOperation,
} from "./operation.ts";
import { operation, operationParty, operationSignature, operationSubject } from "./tables.ts";

export interface OperationLedgerOptions {
  readonly db: Database;
  readonly sponsorship: Sponsorship;
  readonly clock: () => Date;
}

export interface SettledOperation extends OperationExecution {
  readonly result: unknown;
}

/** What an accepted operation costs the service, and whose share of the day's gas that is. */
export interface SetAside {
  /** Names the transaction; see `operationIdOf`. */
  readonly operationId: string;
  readonly gas: bigint;
  /** The wallet whose monthly registrations it counts on; null when it is not a registration. */
  readonly registrant: Address | null;
  readonly sponsor: Sponsor;
}

/** How an operation ended that was not carried out. */
export interface OperationEnding {
  readonly state: OperationFailure;
  readonly reason: ApiError;
  readonly isSuperseded: boolean;
}

export type OperationRow = typeof operation.$inferSelect;

/**
 * Adds the rows of an operation. The caller rolls back unless it returns `added`.
 *
 * @returns `open` when the same request waits or is carried out; `nonce` when a nonce is in use.
 */
export async function insertOperation(
  tx: Executor,
  added: Operation,
  beginning: Pick<OperationRow, "settlement" | "state"> & { readonly request?: unknown },
): Promise<"added" | "open" | "nonce"> {
  const { id, subjects, secrets } = added;
  const { settlement, state, request } = beginning;
  const inserted = await tx
    .insert(operation)
    .values({
      id,
      kind: added.kind,
      settlement,
      state,
      requestHash: added.requestHash,
      operationKey: added.operationKey,
      request: request === undefined ? null : { request },
      payload: { payload: added.payload },
      secrets: secrets && encodedSecrets(secrets),
      acceptedBlock: added.acceptedBlock,
      traceparent: currentTrace(),
      createdAt: added.acceptedAt,
      acceptedAt: state === "waiting" ? null : added.acceptedAt,
      updatedAt: added.acceptedAt,
    })
    .onConflictDoNothing()
    .returning({ id: operation.id });
  if (inserted.length === 0) return "open";
  if (!(await insertSignatures(tx, id, added.signatures, 0))) return "nonce";
  if (subjects.length > 0) {
    const rows = subjects.map((subject) => ({ ...subject, operationId: id }));
    await tx.insert(operationSubject).values(rows);
  }
  return "added";
}

/** Ends an operation that is in a state, and frees its nonces. False when it is in another state. */
export async function endOperation(
  tx: Executor,
  id: string,
  during: "waiting" | "accepted",
  at: Date,
  { state, reason, isSuperseded }: OperationEnding,
): Promise<boolean> {
  const ended = await tx
    .update(operation)
    .set({
      state,
      secrets: null,
      reason: {
        type: reason.type,
        message: reason.message,
        details: reason.details ?? null,
        superseded: isSuperseded,
      },
      updatedAt: at,
    })
    .where(and(eq(operation.id, id), eq(operation.state, during)))
    .returning({ id: operation.id });
  if (ended.length === 0) return false;
  await tx
    .update(operationSignature)
    .set({ releasedAt: at })
    .where(eq(operationSignature.operationId, id));
  return true;
}

/** False when one of their nonces is in use. */
export async function insertSignatures(
  tx: Executor,
  operationId: string,
  signatures: readonly OperationSignature[],
  firstPosition: number,
): Promise<boolean> {
  const inserted = await tx
    .insert(operationSignature)
    .values(
      signatures.map((signed, index) => signatureRow(operationId, signed, firstPosition + index)),
    )
    .onConflictDoNothing()
    .returning({ role: operationSignature.role });
  return inserted.length === signatures.length;
}

/** The operations of some rows, in their order. */
export async function toOperations(
  from: Executor,
  rows: readonly OperationRow[],
): Promise<Operation[]> {
  if (rows.length === 0) return [];
  const parts = await partsOf(from, rows);
  return rows.map((row) => ({
    ...parts(row),
    operationKey: row.operationKey,
    payload: row.payload.payload,
    secrets: row.secrets === null ? null : decodedSecrets(row.secrets),
    acceptedAt: row.acceptedAt ?? row.createdAt,
    traceparent: row.traceparent ?? undefined,
  }));
}

/** The same for rows that wait for a signature. */
export async function toWaiting(
  from: Executor,
  rows: readonly OperationRow[],
): Promise<WaitingOperation[]> {
  if (rows.length === 0) return [];
  const parts = await partsOf(from, rows);
  const ids = rows.map(({ id }) => id);
  const parties = await from
    .select()
    .from(operationParty)
    .where(inArray(operationParty.operationId, ids))
    .orderBy(asc(operationParty.role));
  return rows.map((row) => ({
    ...parts(row),
    request: row.request?.request,
    parties: parties
      .filter(({ operationId }) => operationId === row.id)
      .map(({ role, signer }) => ({ role, signer })),
    createdAt: row.createdAt,
  }));
}

/** What every operation has, with its signatures and subjects. */
async function partsOf(from: Executor, rows: readonly OperationRow[]) {
  const ids = rows.map(({ id }) => id);
  const signatures = await from
    .select()
    .from(operationSignature)
    .where(inArray(operationSignature.operationId, ids))
    .orderBy(asc(operationSignature.position));
  const subjects = await from
    .select()
    .from(operationSubject)
    .where(inArray(operationSubject.operationId, ids));
  return (row: OperationRow) => ({
    id: row.id,
    kind: row.kind,
    requestHash: row.requestHash,
    acceptedBlock: row.acceptedBlock,
    signatures: signatures.filter(({ operationId }) => operationId === row.id).map(toSignature),
    subjects: subjects
      .filter(({ operationId }) => operationId === row.id)
      .map(({ kind, id, epoch }) => ({ kind, id, epoch })),
  });
}

function signatureRow(operationId: string, signed: OperationSignature, position: number) {
  return {
    operationId,
    position,
    role: signed.role,
    chainId: signed.chainId,
    contract: signed.verifyingContract,
    primaryType: signed.primaryType,
    signer: signed.signer,
    nonce: signed.message.nonce,
    // The token may not have taken a permit: another one with its nonce may follow.
    releasedAt: signed.role === "permit" ? sql`now()` : null,
    digest: signed.digest,
    message: signed.message,
    signature: signed.signature,
  };
}

function toSignature(row: typeof operationSignature.$inferSelect): OperationSignature {
  return {
    role: row.role,
    primaryType: row.primaryType,
    chainId: row.chainId,
    verifyingContract: row.contract,
    digest: row.digest,
    message: row.message,
    signature: row.signature,
    signer: row.signer,
  };
}

export function toSettled(row: OperationRow): SettledOperation | null {
  const { state, txHash, blockNumber, result } = row;
  if (state !== "settled" || txHash === null || blockNumber === null) return null;
  return { txHash, blockNumber, result: result?.result };
}

export function encodedSecrets(secrets: OperationSecrets): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, value.toString("base64")]),
  );
}

function decodedSecrets(secrets: Readonly<Record<string, string>>): OperationSecrets {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, Buffer.from(value, "base64")]),
  );
}
