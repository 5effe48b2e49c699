import { and, asc, eq, inArray, isNull, ne } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { ApiError } from "../kernel/errors.ts";
import type { Executor } from "../platform/database/connect.ts";
import type { Transaction } from "../platform/database/transaction.ts";
import type { Operation } from "./operation.ts";
import {
  endOperation,
  insertOperation,
  type OperationEnding,
  type OperationLedgerOptions,
  type SetAside,
  type SettledOperation,
  toOperations,
  toSettled,
} from "./operation-rows.store.ts";
import { operation, operationSignature } from "./tables.ts";
import { createWaitingLedger } from "./waiting/waiting.store.ts";

/** What became of the gas that was set aside for an operation. */
interface GasUse {
  readonly isGasSpent: boolean;
  /** Names that gas; see `operationIdOf`. */
  readonly operationId: string;
}

/** Writes follow-up rows in the transaction of the step that they follow. */
type Follow = (transaction: Transaction) => Promise<void>;

export type OperationLedger = ReturnType<typeof createOperationLedger>;

/** Operations in Postgres, and how they ended. */
export function createOperationLedger(options: OperationLedgerOptions) {
  const { db } = options;
  return {
    ...createWaitingLedger(options),
    ...createEndings(options),

    /** The accepted operation that one of these digests belongs to, unless it ended without using its nonce; not settled while it is being carried out. */
    async find(digests: readonly Hex[]): Promise<{
      readonly operation: Operation;
      readonly settled: SettledOperation | null;
    } | null> {
      const [row] = await acceptedWith(db, digests);
      if (!row) return null;
      const [one] = await toOperations(db, [row]);
      return one ? { operation: one, settled: toSettled(row) } : null;
    },

    /**
     * Writes an operation that no contract verifies, and its end, at once.
     *
     * @throws ApiError NONCE_USED for a nonce that is used already.
     */
    async settleOffChain(settled: Operation, onAccept: Follow): Promise<void> {
      await db.transaction(async (tx) => {
        const beginning = { settlement: "postgres", state: "settled" } as const;
        const outcome = await insertOperation(tx, settled, beginning);
        if (outcome !== "added") throw new ApiError("NONCE_USED");
        await onAccept(tx);
      });
    },

    /** Whether a signature of this signer with this nonce is accepted or settled. */
    async isNonceUsed(verifier: Address, signer: Address, nonce: bigint): Promise<boolean> {
      const rows = await db
        .select({ digest: operationSignature.digest })
        .from(operationSignature)
        .where(
          and(
            eq(operationSignature.contract, verifier),
            eq(operationSignature.signer, signer),
            eq(operationSignature.nonce, nonce),
            isNull(operationSignature.releasedAt),
          ),
        )
        .limit(1);
      return rows.length > 0;
    },

    /** The oldest first. */
    async listAccepted(): Promise<Operation[]> {
      const rows = await db
        .select()
        .from(operation)
        .where(eq(operation.state, "accepted"))
        .orderBy(asc(operation.createdAt));
      return toOperations(db, rows);
    },
  };
}

/** How operations are accepted, and how they end. */
function createEndings({ db, sponsorship, clock }: OperationLedgerOptions) {
  return {
    /**
     * Accepts an operation and sets its gas aside, unless a digest of it is known.
     *
     * @param waiting Of a kind whose signers may sign at different times: `known` also means that the same request waits or is
     * carried out.
     * @throws ApiError NONCE_USED when a nonce belongs to another message; GAS_BUDGET_EXHAUSTED; what `onAccept` throws.
     */
    async accept(
      accepted: Operation,
      setAside: SetAside,
      onAccept: Follow,
      waiting?: { readonly request: unknown },
    ): Promise<"accepted" | "known"> {
      try {
        await db.transaction(async (tx) => {
          const beginning = { settlement: "chain", state: "accepted", ...waiting } as const;
          const outcome = await insertOperation(tx, accepted, beginning);
          if (outcome !== "added") throw new Conflict(outcome);
          await onAccept(tx);
          // Last, because every acceptance locks the day's row.
          await sponsorship.reserve(tx, setAside);
        });
        return "accepted";
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        if (error.what === "open") return "known";
        const digests = accepted.signatures.map(({ digest }) => digest);
        if ((await acceptedWith(db, digests)).length > 0) return "known";
        throw new ApiError("NONCE_USED");
      }
    },

    /**
     * Writes the end and its follow-up rows in one transaction, once. Gas that the service did not
     * spend, because another sender paid, is given back. Returns the end that is stored.
     */
    async settle(
      { id }: Operation,
      { isGasSpent, operationId, ...settled }: SettledOperation & GasUse,
      onSettle: Follow,
    ): Promise<SettledOperation> {
      return db.transaction(async (tx) => {
        const known = await settledBefore(tx, id);
        if (known) return known;
        const { txHash, blockNumber, result } = settled;
        await tx
          .update(operation)
          .set({
            state: "settled",
            txHash,
            blockNumber,
            result: { result },
            secrets: null,
            updatedAt: clock(),
          })
          .where(eq(operation.id, id));
        await onSettle(tx);
        // Last, as at acceptance: it locks the row of the day, and in another order the two could deadlock.
        if (!isGasSpent) await sponsorship.release(tx, operationId);
        return settled;
      });
    },

    /** Ends an operation that the chain refused. Its gas is given back unless it was spent; its nonces can be sent again. */
    async end(
      { id }: Operation,
      { isGasSpent, operationId, ...end }: OperationEnding & GasUse,
      onEnd: Follow,
    ): Promise<void> {
      const at = clock();
      await db.transaction(async (tx) => {
        if (!(await endOperation(tx, id, "accepted", at, end))) return;
        await onEnd(tx);
        if (!isGasSpent) await sponsorship.release(tx, operationId);
      });
    },
  };
}

/** Locks an accepted operation. Returns its end where another process has stored one. */
async function settledBefore(tx: Executor, id: string): Promise<SettledOperation | null> {
  const [row] = await tx.select().from(operation).where(eq(operation.id, id)).for("update");
  if (!row) throw new Error(`There is no operation ${id}.`);
  const known = toSettled(row);
  if (known === null && row.state !== "accepted") {
    throw new Error(`The operation ${id} was ${row.state} while it was carried out.`);
  }
  return known;
}

/** Rolls the transaction back: the same decision is open, or a nonce is in use. */
class Conflict extends Error {
  override readonly name = "Conflict";
  constructor(readonly what: "open" | "nonce") {
    super();
  }
}

/** The operation with one of these signatures. A waiting one was not accepted: its signatures are looked up by its request. */
async function acceptedWith(db: Executor, digests: readonly Hex[]) {
  const rows = await db
    .select({ row: operation })
    .from(operation)
    .innerJoin(operationSignature, eq(operationSignature.operationId, operation.id))
    .where(
      and(
        inArray(operationSignature.digest, [...digests]),
        isNull(operationSignature.releasedAt),
        ne(operation.state, "waiting"),
      ),
    )
    .limit(1);
  return rows.map(({ row }) => row);
}
