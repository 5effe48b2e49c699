import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { ApiError } from "../kernel/errors.ts";
import type { Database, Executor } from "../platform/database/connect.ts";
import { fromExactJson, toExactJson } from "../platform/database/exact-json.ts";
import type { Sponsorship } from "../platform/sponsorship/sponsorship.ts";
import type { OperationLedger, SettledOperation } from "./ledger.ts";
import type {
  Operation,
  OperationSecrets,
  OperationSignature,
  SignatureRole,
  SignedMessage,
} from "./operation.ts";
import { operation, operationSignature, operationSubject } from "./tables.ts";

type Row = typeof operation.$inferSelect;

export interface OperationLedgerOptions {
  readonly db: Database;
  readonly sponsorship: Sponsorship<Executor>;
  readonly clock: () => Date;
}

/** Operations in Postgres. */
export function createOperationLedger(options: OperationLedgerOptions): OperationLedger<Executor> {
  const { db, sponsorship, clock } = options;

  /** Adds the rows of an operation; false when one of its nonces is in use. */
  async function insert(
    tx: Executor,
    added: Operation,
    ending: Pick<Row, "settlement" | "state">,
  ): Promise<boolean> {
    const { id, signatures, subjects, secrets } = added;
    await tx.insert(operation).values({
      id,
      kind: added.kind,
      settlement: ending.settlement,
      state: ending.state,
      requestHash: added.requestHash,
      operationKey: added.operationKey,
      payload: toExactJson({ payload: added.payload }),
      secrets: secrets && encoded(secrets),
      acceptedBlock: added.acceptedBlock,
      createdAt: added.acceptedAt,
      updatedAt: added.acceptedAt,
    });
    const inserted = await tx
      .insert(operationSignature)
      .values(signatures.map((signed, position) => signatureRow(id, signed, position)))
      .onConflictDoNothing()
      .returning({ role: operationSignature.role });
    if (inserted.length < signatures.length) return false;
    if (subjects.length > 0) {
      await tx.insert(operationSubject).values(
        subjects.map((subject) => ({
          operationId: id,
          kind: subject.kind,
          id: subject.id.toString(),
          epoch: subject.epoch,
        })),
      );
    }
    return true;
  }

  async function isKnown(digests: readonly Hex[]): Promise<boolean> {
    const rows = await db
      .select({ digest: operationSignature.digest })
      .from(operationSignature)
      .where(
        and(
          inArray(operationSignature.digest, [...digests]),
          isNull(operationSignature.releasedAt),
        ),
      )
      .limit(1);
    return rows.length > 0;
  }

  /** The operations of some rows, in their order. */
  async function withParts(rows: readonly Row[], from: Executor = db): Promise<Operation[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const [signatures, subjects] = [
      await from
        .select()
        .from(operationSignature)
        .where(inArray(operationSignature.operationId, ids))
        .orderBy(asc(operationSignature.position)),
      await from.select().from(operationSubject).where(inArray(operationSubject.operationId, ids)),
    ];
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      requestHash: row.requestHash as Hex,
      operationKey: row.operationKey,
      payload: fromExactJson<{ payload: unknown }>(row.payload).payload,
      secrets: row.secrets === null ? null : decoded(row.secrets as Record<string, string>),
      signatures: signatures.filter(({ operationId }) => operationId === row.id).map(toSignature),
      subjects: subjects
        .filter(({ operationId }) => operationId === row.id)
        .map(({ kind, id, epoch }) => ({ kind, id: BigInt(id), epoch })),
      acceptedAt: row.createdAt,
      acceptedBlock: row.acceptedBlock,
    }));
  }

  return {
    async find(digests) {
      const [found] = await db
        .select({ row: operation })
        .from(operation)
        .innerJoin(operationSignature, eq(operationSignature.operationId, operation.id))
        .where(
          and(
            inArray(operationSignature.digest, [...digests]),
            isNull(operationSignature.releasedAt),
          ),
        )
        .limit(1);
      if (!found) return null;
      const [one] = await withParts([found.row]);
      return one ? { operation: one, settled: toSettled(found.row) } : null;
    },

    async isNonceUsed(verifier, signer, nonce) {
      const rows = await db
        .select({ digest: operationSignature.digest })
        .from(operationSignature)
        .where(
          and(
            eq(operationSignature.contract, verifier),
            eq(operationSignature.signer, signer),
            eq(operationSignature.nonce, nonce.toString()),
            isNull(operationSignature.releasedAt),
          ),
        )
        .limit(1);
      return rows.length > 0;
    },

    async listAccepted() {
      const rows = await db
        .select()
        .from(operation)
        .where(eq(operation.state, "accepted"))
        .orderBy(asc(operation.createdAt));
      return withParts(rows);
    },

    async accept(accepted, { operationId, gas, sponsor }, onAccept) {
      try {
        await db.transaction(async (tx) => {
          if (!(await insert(tx, accepted, { settlement: "chain", state: "accepted" }))) {
            throw new NonceConflict();
          }
          await onAccept(tx);
          // Last, because every acceptance needs the row of the day.
          await sponsorship.reserve(tx, { operationId, gas, registrant: null, sponsor });
        });
        return "accepted";
      } catch (error) {
        if (!(error instanceof NonceConflict)) throw error;
        if (await isKnown(accepted.signatures.map(({ digest }) => digest))) return "known";
        throw new ApiError("NONCE_USED");
      }
    },

    async settle({ id }, settled, onSettle) {
      return db.transaction(async (tx) => {
        const [row] = await tx.select().from(operation).where(eq(operation.id, id)).for("update");
        if (!row) throw new Error(`There is no operation ${id}.`);
        const known = toSettled(row);
        if (known) return known;
        if (row.state !== "accepted") {
          throw new Error(`The operation ${id} was ${row.state} while it was carried out.`);
        }
        const { txHash, blockNumber, result } = settled;
        await tx
          .update(operation)
          .set({
            state: "settled",
            txHash,
            blockNumber,
            result: toExactJson({ result }),
            secrets: null,
            updatedAt: clock(),
          })
          .where(eq(operation.id, id));
        await onSettle(tx);
        return settled;
      });
    },

    async settleOffChain(settled, onAccept) {
      await db.transaction(async (tx) => {
        if (!(await insert(tx, settled, { settlement: "postgres", state: "settled" }))) {
          throw new ApiError("NONCE_USED");
        }
        await onAccept(tx);
      });
    },

    async end({ id }, { state, reason, isSuperseded, isGasSpent, operationId }, onEnd) {
      const at = clock();
      await db.transaction(async (tx) => {
        const ended = await tx
          .update(operation)
          .set({
            state,
            secrets: null,
            reason: toExactJson({
              type: reason.type,
              message: reason.message,
              details: reason.details ?? null,
              superseded: isSuperseded,
            }),
            updatedAt: at,
          })
          .where(and(eq(operation.id, id), eq(operation.state, "accepted")))
          .returning({ id: operation.id });
        if (ended.length === 0) return;
        await tx
          .update(operationSignature)
          .set({ releasedAt: at })
          .where(eq(operationSignature.operationId, id));
        if (!isGasSpent) await sponsorship.release(tx, operationId);
        await onEnd(tx);
      });
    },
  };
}

/** A nonce of the operation is in use: the transaction is rolled back. */
class NonceConflict extends Error {
  override readonly name = "NonceConflict";
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
    nonce: signed.message.nonce.toString(),
    digest: signed.digest,
    message: toExactJson(signed.message),
    signature: signed.signature,
  };
}

function toSignature(row: typeof operationSignature.$inferSelect): OperationSignature {
  return {
    role: row.role as SignatureRole,
    primaryType: row.primaryType,
    chainId: row.chainId,
    verifyingContract: row.contract as Address,
    digest: row.digest as Hex,
    message: fromExactJson<SignedMessage>(row.message),
    signature: row.signature as Hex,
    signer: row.signer as Address,
  };
}

function toSettled({ state, txHash, blockNumber, result }: Row): SettledOperation | null {
  if (state !== "settled" || txHash === null || blockNumber === null) return null;
  return {
    txHash: txHash as Hex,
    blockNumber,
    result: fromExactJson<{ result: unknown }>(result).result,
  };
}

function encoded(secrets: OperationSecrets): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, value.toString("base64")]),
  );
}

function decoded(secrets: Readonly<Record<string, string>>): OperationSecrets {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, Buffer.from(value, "base64")]),
  );
}
