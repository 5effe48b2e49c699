import { and, eq, inArray, isNotNull, lt } from "drizzle-orm";
import type { Hex } from "viem";
import type { FieldLeaf } from "../../../protocol/index.ts";
import type { StoredKey } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import { registration, soulSecret } from "../../soul/tables.ts";
import { issueOwnerKey, type WasStopped } from "../keys/index.ts";
import { assertNameFree, assertNameNotReserved } from "../names/index.ts";
import type { RegistrationRecord } from "./ports.ts";

/** What a row's `payload` holds: public content. */
type Payload = Pick<RegistrationRecord, "origin"> & {
  readonly request: Omit<RegistrationRecord["request"], "merkleLeaves">;
};

const PENDING = "pending" as const;
const COMPLETE = "complete" as const;

/** What a completed registration stores for the soul and its owner. */
interface RegistrationGrants {
  readonly tokenId: bigint;
  readonly epoch: number;
  /** Of the soul's record on permanent storage. */
  readonly archiveId: string;
  readonly apiKey: StoredKey;
  readonly soulHash: Hex;
  readonly saltEncrypted: Buffer;
  readonly leaves: readonly FieldLeaf[];
}

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/** Accepted registrations in Postgres: their public part, and the names that they reserve. */
export function createRegistrationStore(db: Database, clock: () => Date, wasStopped: WasStopped) {
  return {
    /** @throws ApiError NAME_TAKEN when the name is reserved for another registration. */
    async begin(tx: Transaction, record: RegistrationRecord): Promise<void> {
      const { id, origin, request } = record;
      const { agentName: name } = request;
      const at = clock();
      await insert(tx, record, at);
      const holder = origin.kind === "claim" ? origin.registrationId : null;
      await assertNameFree(tx, name, at, { holder, registrationId: id });
    },

    /** @throws Error when there is none. */
    async read(id: string, from: Executor = db): Promise<RegistrationRecord> {
      const [row] = await from.select().from(registration).where(eq(registration.id, id));
      return recordOf(id, row);
    },

    /** In the order of `ids`. @throws Error when one is missing. */
    async readAll(ids: readonly string[], from: Executor = db): Promise<RegistrationRecord[]> {
      const isWanted = inArray(registration.id, [...ids]);
      const rows = await from.select().from(registration).where(isWanted);
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => recordOf(id, found.get(id)));
    },

    /** Marks it as complete and stores its rows. */
    async complete(
      tx: Transaction,
      id: string,
      { apiKey, archiveId, ...secret }: RegistrationGrants,
    ): Promise<void> {
      const { tokenId, epoch } = secret;
      const at = clock();
      await tx
        .update(registration)
        .set({ state: COMPLETE, archiveId, updatedAt: at })
        .where(eq(registration.id, id));
      await issueOwnerKey(tx, { ...apiKey, tokenId, epoch, at }, wasStopped);
      await tx.insert(soulSecret).values(secret);
    },

    /** Deletes a registration that was not carried out: its name is free again. */
    async remove(tx: Transaction, id: string): Promise<void> {
      await tx.delete(registration).where(eq(registration.id, id));
    },

    /**
     * Checks as `begin` does, without reserving the name.
     *
     * @param holder The agent's own registration that reserves the name; null for none.
     * @throws ApiError NAME_TAKEN
     */
    async assertNameFree(name: string, holder: string | null): Promise<void> {
      await assertNameNotReserved(db, name, clock(), { holder, registrationId: null });
    },

    /** Deletes the encrypted API keys of registrations accepted before `instant`: they may not be requested again. */
    async forgetApiKeys(instant: Date): Promise<void> {
      await db
        .update(registration)
        .set({ apiKeyEncrypted: null })
        .where(
          and(
            eq(registration.state, COMPLETE),
            isNotNull(registration.apiKeyEncrypted),
            lt(registration.createdAt, instant),
          ),
        );
    },
  };
}

/** @throws ApiError NAME_TAKEN when another registration that is not complete has the name. */
async function insert(
  tx: Transaction,
  { id, origin, request, apiKeyEncrypted }: RegistrationRecord,
  at: Date,
): Promise<void> {
  const { merkleLeaves: leaves, ...rest } = request;
  const payload: Payload = { origin, request: rest };
  const rows = await tx
    .insert(registration)
    .values({
      id,
      name: request.agentName,
      owner: request.ownerAddress,
      state: PENDING,
      payload,
      leaves,
      apiKeyEncrypted,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning({ id: registration.id });
  if (rows.length > 0) return;
  const name = request.agentName;
  throw new ApiError("NAME_TAKEN", {
    message: `The name ${name} is being registered.`,
    details: { name },
  });
}

function recordOf(
  id: string,
  row: typeof registration.$inferSelect | undefined,
): RegistrationRecord {
  if (!row) throw new Error(`There is no registration ${id}.`);
  const { origin, request } = row.payload as Payload;
  const { apiKeyEncrypted } = row;
  return { id, origin, request: { ...request, merkleLeaves: row.leaves }, apiKeyEncrypted };
}

/** Id of the archived soul of the completed registration with this name; null without one. */
export async function archiveOfRegistered(db: Database, name: string): Promise<string | null> {
  const [row] = await db
    .select({ archiveId: registration.archiveId })
    .from(registration)
    .where(and(eq(registration.name, name), eq(registration.state, COMPLETE)));
  return row?.archiveId ?? null;
}
