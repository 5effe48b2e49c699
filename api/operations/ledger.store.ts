import { and, asc, eq, inArray, isNull, ne } from "drizzle-orm";
import type { Hex } from "viem";
import { ApiError } from "../kernel/errors.ts";
import type { OperationLedger } from "./ledger.ts";
import {
  endOperation,
  insertOperation,
  type OperationLedgerOptions,
  toOperations,
  toSettled,
} from "./operation-rows.store.ts";
import { operation, operationSignature } from "./tables.ts";
import { createWaitingLedger } from "./waiting/waiting.store.ts";

/** Operations in Postgres. */
export function createOperationLedger(options: OperationLedgerOptions): OperationLedger {
  const { db, sponsorship, clock } = options;

  async function isKnown(digests: readonly Hex[]): Promise<boolean> {
    const rows = await db
      .select({ digest: operationSignature.digest })
      .from(operationSignature)
      .innerJoin(operation, eq(operation.id, operationSignature.operationId))
      .where(acceptedWith(digests))
      .limit(1);
    return rows.length > 0;
  }

  return {
    ...createWaitingLedger(options),

    async find(digests) {
      const [found] = await db
        .select({ row: operation })
        .from(operation)
        .innerJoin(operationSignature, eq(operationSignature.operationId, operation.id))
        .where(acceptedWith(digests))
        .limit(1);
      if (!found) return null;
      const [one] = await toOperations(db, [found.row]);
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
            eq(operationSignature.nonce, nonce),
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
      return toOperations(db, rows);
    },

    async accept(accepted, setAside, onAccept, waiting) {
      try {
        await db.transaction(async (tx) => {
          const outcome = await insertOperation(tx, accepted, {
            settlement: "chain",
            state: "accepted",
            request: waiting?.request,
          });
          if (outcome !== "added") throw new Conflict(outcome);
          await onAccept(tx);
          // Last, because every acceptance locks the day's row.
          await sponsorship.reserve(tx, setAside);
        });
        return "accepted";
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        if (error.what === "open") return "known";
        if (await isKnown(accepted.signatures.map(({ digest }) => digest))) return "known";
        throw new ApiError("NONCE_USED");
      }
    },

    async settle({ id }, { isGasSpent, operationId, ...settled }, onSettle) {
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

    async settleOffChain(settled, onAccept) {
      await db.transaction(async (tx) => {
        const outcome = await insertOperation(tx, settled, {
          settlement: "postgres",
          state: "settled",
        });
        if (outcome !== "added") throw new ApiError("NONCE_USED");
        await onAccept(tx);
      });
    },

    async end({ id }, { isGasSpent, operationId, ...end }, onEnd) {
      const at = clock();
      await db.transaction(async (tx) => {
        if (!(await endOperation(tx, { id, during: "accepted", at }, end))) return;
        await onEnd(tx);
        if (!isGasSpent) await sponsorship.release(tx, operationId);
      });
    },
  };
}

/** Rolls the transaction back: the same decision is open, or a nonce is in use. */
class Conflict extends Error {
  override readonly name = "Conflict";
  constructor(readonly what: "open" | "nonce") {
    super();
  }
}

/** A waiting operation was not accepted: its signatures are looked up by its request. */
function acceptedWith(digests: readonly Hex[]) {
  return and(
    inArray(operationSignature.digest, [...digests]),
    isNull(operationSignature.releasedAt),
    ne(operation.state, "waiting"),
  );
}
