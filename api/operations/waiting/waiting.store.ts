import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { type Address, getAddress, type Hex } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import { currentTrace } from "../../platform/tracing/spans.ts";
import type { Operation, Subject, WaitingOperation } from "../operation.ts";
import {
  encodedSecrets,
  endOperation,
  insertOperation,
  insertSignatures,
  type OperationEnding,
  type OperationLedgerOptions,
  type SetAside,
  toOperations,
  toWaiting,
} from "../operation-rows.store.ts";
import { operation, operationParty, operationSignature, operationSubject } from "../tables.ts";

/** Most waiting operations that one account may have begun. */
export const MAX_WAITING_OF_SIGNER = 50;
/** Most waiting operations of one agent or organization, begun by accounts in the same role. */
const MAX_WAITING_OF_SUBJECT = 100;

/** Operations of these kinds, or all that wait. */
export interface WaitingFilter {
  /** The subject that an operation must have. */
  readonly subject?: Pick<Subject, "kind" | "id"> | undefined;
  /** Id of the last one of the page before. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

type WaitingQuery = WaitingFilter & {
  readonly kinds: readonly string[];
  readonly party?: Address;
  readonly limit: number;
};

/** An operation that has not ended, found by a request for the same decision. */
type OpenDecision =
  | { readonly state: "waiting"; readonly operation: WaitingOperation }
  | { readonly state: "accepted"; readonly operation: Operation };

/** Operations that wait for a signature, in Postgres. */
export function createWaitingLedger({ db, sponsorship, clock }: OperationLedgerOptions) {
  return {
    ...createWaitingReads(db),

    /**
     * Stores an operation with its first signatures, unless the same request waits or is carried out already.
     *
     * @throws ApiError RATE_LIMIT_EXCEEDED; NONCE_USED when a nonce belongs to another operation; what `onWait` throws.
     */
    async wait(
      waiting: Operation & WaitingOperation,
      onWait: (transaction: Transaction) => Promise<void>,
    ): Promise<"waiting" | "known"> {
      return db.transaction(async (tx) => {
        // One at a time, so that two of them cannot both take the last place of a limit.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('app.operation.waiting'))`);
        const { id: operationId, request, parties } = waiting;
        const beginning = { settlement: "chain", state: "waiting", request } as const;
        const outcome = await insertOperation(tx, waiting, beginning);
        if (outcome === "open") return "known" as const;
        if (outcome === "nonce") throw new ApiError("NONCE_USED");
        await tx
          .insert(operationParty)
          .values(
            parties.map(({ role, signer }) => ({ operationId, role, signer: getAddress(signer) })),
          );
        await assertRoom(tx, waiting);
        await onWait(tx);
        return "waiting" as const;
      });
    },

    /**
     * Accepts a waiting operation with the signatures that it lacked; `known` when it waits no longer.
     *
     * @throws ApiError as `accept` does.
     */
    async acceptWaiting(
      accepted: Operation,
      setAside: SetAside,
      onAccept: (transaction: Transaction) => Promise<void>,
    ): Promise<"accepted" | "known"> {
      const { id, payload, secrets, signatures, acceptedAt } = accepted;
      return db.transaction(async (tx) => {
        const rows = await tx
          .update(operation)
          .set({
            state: "accepted",
            payload: { payload },
            secrets: secrets && encodedSecrets(secrets),
            acceptedAt,
            traceparent: currentTrace(),
            updatedAt: acceptedAt,
          })
          .where(and(eq(operation.id, id), eq(operation.state, "waiting")))
          .returning({ id: operation.id });
        if (rows.length === 0) return "known" as const;
        await addSignatures(tx, id, signatures);
        await onAccept(tx);
        // Last, because every acceptance locks the day's row.
        await sponsorship.reserve(tx, setAside);
        return "accepted" as const;
      });
    },

    /** Ends it, once: nothing happens when it waits no longer. */
    async endWaiting(
      id: string,
      how: OperationEnding,
      onEnd: (transaction: Transaction) => Promise<void>,
    ): Promise<void> {
      const at = clock();
      await db.transaction(async (tx) => {
        if (await endOperation(tx, id, "waiting", at, how)) await onEnd(tx);
      });
    },
  };
}

function createWaitingReads(db: Database) {
  return {
    /** The waiting or accepted operation of this request, of a kind whose signers may sign at different times. */
    async findDecision(kind: string, requestHash: Hex): Promise<OpenDecision | null> {
      const [row] = await db
        .select()
        .from(operation)
        .where(
          and(
            eq(operation.kind, kind),
            eq(operation.requestHash, requestHash),
            inArray(operation.state, ["waiting", "accepted"]),
            isNotNull(operation.request),
          ),
        );
      if (!row) return null;
      if (row.state === "waiting") {
        const [waiting] = await toWaiting(db, [row]);
        return waiting ? { state: "waiting", operation: waiting } : null;
      }
      const [accepted] = await toOperations(db, [row]);
      return accepted ? { state: "accepted", operation: accepted } : null;
    },

    /** Null unless it still waits. */
    async readWaiting(id: string): Promise<WaitingOperation | null> {
      const rows = await db
        .select()
        .from(operation)
        .where(and(eq(operation.id, id), eq(operation.state, "waiting")));
      const [waiting] = await toWaiting(db, rows);
      return waiting ?? null;
    },

    /** Newest first. `party` must sign, or has signed. */
    async listWaiting(query: WaitingQuery): Promise<WaitingOperation[]> {
      const { kinds, party, subject, after, limit } = query;
      // Several may have begun at one moment: the id decides between them.
      const last = db
        .select({ createdAt: operation.createdAt, id: operation.id })
        .from(operation)
        .where(sql`${operation.id} = ${after}`);
      const ofParty =
        party &&
        db
          .select({ id: operationParty.operationId })
          .from(operationParty)
          .where(eq(operationParty.signer, getAddress(party)));
      const about =
        subject &&
        db
          .select({ id: operationSubject.operationId })
          .from(operationSubject)
          .where(and(eq(operationSubject.kind, subject.kind), eq(operationSubject.id, subject.id)));
      const rows = await db
        .select()
        .from(operation)
        .where(
          and(
            eq(operation.state, "waiting"),
            inArray(operation.kind, [...kinds]),
            after === undefined
              ? undefined
              : sql`(${operation.createdAt}, ${operation.id}) < (${last})`,
            ofParty && inArray(operation.id, ofParty),
            about && inArray(operation.id, about),
          ),
        )
        .orderBy(desc(operation.createdAt), desc(operation.id))
        .limit(limit);
      return toWaiting(db, rows);
    },
  };
}

/** Adds the signatures that were missing. All get the order of the definition. */
async function addSignatures(
  tx: Executor,
  operationId: string,
  signatures: Operation["signatures"],
): Promise<void> {
  const stored = await tx
    .select({ role: operationSignature.role })
    .from(operationSignature)
    .where(eq(operationSignature.operationId, operationId));
  for (const [position, signed] of signatures.entries()) {
    if (stored.some(({ role }) => role === signed.role)) {
      await tx
        .update(operationSignature)
        .set({ position })
        .where(
          and(
            eq(operationSignature.operationId, operationId),
            eq(operationSignature.role, signed.role),
          ),
        );
    } else if (!(await insertSignatures(tx, operationId, [signed], position))) {
      throw new ApiError("NONCE_USED");
    }
  }
}

/** Refuses what would wait beyond the limits. The operation itself is counted already. */
async function assertRoom(tx: Executor, waiting: WaitingOperation): Promise<void> {
  for (const { role, signer } of waiting.signatures) {
    const ofSigner = await count(
      tx,
      sql`select count(*)::int as n from app.operation o
        join app.operation_signature g on g.operation_id = o.id
        where o.state = 'waiting' and g.signer = ${signer}`,
    );
    if (ofSigner > MAX_WAITING_OF_SIGNER) {
      throw tooMany(`At most ${MAX_WAITING_OF_SIGNER} operations that you signed may wait.`);
    }
    for (const { kind, id } of waiting.subjects) {
      const ofSubject = await count(
        tx,
        sql`select count(*)::int as n from app.operation o
          join app.operation_signature g on g.operation_id = o.id
          join app.operation_subject t on t.operation_id = o.id
          where o.state = 'waiting' and g.role = ${role}
            and t.kind = ${kind} and t.id = ${id.toString()}`,
      );
      if (ofSubject > MAX_WAITING_OF_SUBJECT) {
        throw tooMany(`At most ${MAX_WAITING_OF_SUBJECT} operations may wait for this ${kind}.`);
      }
    }
  }
}

async function count(tx: Executor, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(query);
  return rows[0]?.n ?? 0;
}

function tooMany(limit: string): ApiError {
  return new ApiError("RATE_LIMIT_EXCEEDED", {
    message: `${limit} Withdraw one, or wait until one ends.`,
  });
}
