import { and, asc, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { OwnerMessageJson, OwnerMessageName } from "../../protocol/index.ts";
import { messageJson, ownerMessageOf } from "../../protocol/index.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Database, Executor } from "../platform/database/connect.ts";
import type { Sponsorship } from "../platform/sponsorship/sponsorship.ts";
import type { CompletedOperation, OperationStore, OwnerOperation } from "./engine.ts";
import { operationIdOf } from "./engine.ts";
import { ownerOperation } from "./tables.ts";

type Row = typeof ownerOperation.$inferSelect;

/** What a row's `message` holds: the message and the name of its type. */
interface StoredMessage {
  readonly type: OwnerMessageName;
  readonly fields: OwnerMessageJson;
}

interface StoredResult {
  readonly txHash: Hex;
  readonly blockNumber: string;
  readonly result: unknown;
}

export interface OperationStoreOptions {
  readonly db: Database;
  readonly sponsorship: Sponsorship<Executor>;
  readonly clock: () => Date;
  /** The EIP-712 type that each kind signs. */
  readonly messageNames: ReadonlyMap<string, OwnerMessageName>;
}

/** Owners' operations in Postgres. */
export function createOperationStore(options: OperationStoreOptions): OperationStore<Executor> {
  const { db, sponsorship, clock } = options;

  return {
    async find(digest) {
      const [row] = await db.select().from(ownerOperation).where(eq(ownerOperation.digest, digest));
      return row ? { operation: toOperation(row), completed: toCompleted(row) } : null;
    },

    async listPending() {
      const rows = await db
        .select()
        .from(ownerOperation)
        .where(eq(ownerOperation.state, "pending"))
        .orderBy(asc(ownerOperation.createdAt));
      return rows.map(toOperation);
    },

    async accept(operation, gas, sponsor) {
      const { evidence, ...kept } = operation;
      const type = options.messageNames.get(operation.kind);
      if (type === undefined) throw new Error(`There is no kind ${operation.kind}.`);
      const message: StoredMessage = { type, fields: messageJson(evidence.message) };
      const at = clock();
      return db.transaction(async (tx) => {
        const inserted = await tx
          .insert(ownerOperation)
          .values({
            ...kept,
            signer: evidence.signer,
            nonce: evidence.message.nonce.toString(),
            message,
            signature: evidence.signature,
            state: "pending",
            createdAt: at,
            updatedAt: at,
          })
          .onConflictDoNothing()
          .returning({ id: ownerOperation.id });
        if (inserted.length > 0) {
          await sponsorship.reserve(tx, {
            operationId: operationIdOf(operation),
            gas,
            registrant: null,
            sponsor,
          });
          return "accepted";
        }
        const [same] = await tx
          .select({ id: ownerOperation.id })
          .from(ownerOperation)
          .where(eq(ownerOperation.digest, operation.digest));
        if (!same) throw new ApiError("NONCE_USED");
        return "known";
      });
    },

    async complete(operation, completed, follow) {
      return db.transaction(async (tx) => {
        const [row] = await tx
          .select()
          .from(ownerOperation)
          .where(eq(ownerOperation.id, operation.id))
          .for("update");
        if (!row) {
          throw new Error(`The operation ${operation.id} was discarded while it was carried out.`);
        }
        const known = toCompleted(row);
        if (known) return known;
        const result: StoredResult = {
          ...completed,
          blockNumber: completed.blockNumber.toString(),
        };
        await tx
          .update(ownerOperation)
          .set({ state: "complete", result, updatedAt: clock() })
          .where(eq(ownerOperation.id, operation.id));
        await follow(tx);
        return completed;
      });
    },

    async discard(operation, gas) {
      await db.transaction(async (tx) => {
        const gone = await tx
          .delete(ownerOperation)
          .where(and(eq(ownerOperation.id, operation.id), eq(ownerOperation.state, "pending")))
          .returning({ id: ownerOperation.id });
        if (gone.length > 0 && gas === "unspent") {
          await sponsorship.release(tx, operationIdOf(operation));
        }
      });
    },
  };
}

function toOperation(row: Row): OwnerOperation {
  const { type, fields } = row.message as StoredMessage;
  return {
    id: row.id,
    kind: row.kind,
    tokenId: row.tokenId,
    epoch: row.epoch,
    digest: row.digest as Hex,
    operationKey: row.operationKey,
    requestHash: row.requestHash as Hex,
    payload: row.payload,
    evidence: {
      signer: row.signer as Address,
      signature: row.signature as Hex,
      message: ownerMessageOf(type, fields),
    },
  };
}

function toCompleted({ state, result }: Row): CompletedOperation | null {
  if (state !== "complete") return null;
  const stored = result as StoredResult;
  return { ...stored, blockNumber: BigInt(stored.blockNumber) };
}
