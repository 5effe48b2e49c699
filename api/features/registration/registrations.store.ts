import { and, eq, inArray, isNotNull, lt } from "drizzle-orm";
import { ApiError } from "../../kernel/errors.ts";
import type { Database } from "../../platform/database/connect.ts";
import { registration, soulSecret } from "../../soul/tables.ts";
import { issueOwnerKey, type WasStopped } from "../keys/index.ts";
import { assertNameFree, assertNameNotReserved } from "../names/index.ts";
import type { RegistrationRecord, RegistrationStore } from "./ports.ts";

/** What a row's `payload` holds: public content. */
type Payload = Pick<RegistrationRecord, "origin"> & {
  readonly request: Omit<RegistrationRecord["request"], "merkleLeaves">;
};

const PENDING = "pending" as const;
const COMPLETE = "complete" as const;

/** Accepted registrations in Postgres. */
export function createRegistrationStore(
  db: Database,
  clock: () => Date,
  wasStopped: WasStopped,
): RegistrationStore {
  return {
    async begin(tx, { id, origin, request, apiKeyEncrypted }) {
      const { merkleLeaves, ...rest } = request;
      const payload: Payload = { origin, request: rest };
      const name = request.agentName;
      const at = clock();
      const inserted = await tx
        .insert(registration)
        .values({
          id,
          name,
          owner: request.ownerAddress,
          state: PENDING,
          payload,
          leaves: merkleLeaves,
          apiKeyEncrypted,
          createdAt: at,
          updatedAt: at,
        })
        .onConflictDoNothing()
        .returning({ id: registration.id });
      if (inserted.length === 0) {
        throw new ApiError("NAME_TAKEN", {
          message: `The name ${name} is being registered.`,
          details: { name },
        });
      }
      const holder = origin.kind === "claim" ? origin.registrationId : null;
      await assertNameFree(tx, name, at, { holder, registrationId: id });
    },

    async read(id, from = db) {
      const [row] = await from.select().from(registration).where(eq(registration.id, id));
      return recordOf(id, row);
    },

    async readAll(ids, from = db) {
      const rows = await from
        .select()
        .from(registration)
        .where(inArray(registration.id, [...ids]));
      return ids.map((id) =>
        recordOf(
          id,
          rows.find((row) => row.id === id),
        ),
      );
    },

    async complete(tx, id, grants) {
      const at = clock();
      await tx
        .update(registration)
        .set({ state: COMPLETE, archiveId: grants.archiveId, updatedAt: at })
        .where(eq(registration.id, id));
      const { tokenId, epoch } = grants;
      await issueOwnerKey(tx, { ...grants.apiKey, tokenId, epoch, at }, wasStopped);
      await tx.insert(soulSecret).values({
        tokenId: grants.tokenId,
        epoch: grants.epoch,
        soulHash: grants.soulHash,
        saltEncrypted: grants.saltEncrypted,
        leaves: grants.leaves,
      });
    },

    async remove(tx, id) {
      await tx.delete(registration).where(eq(registration.id, id));
    },

    async isNamePending(name) {
      const rows = await db
        .select({ id: registration.id })
        .from(registration)
        .where(and(eq(registration.name, name), eq(registration.state, PENDING)));
      return rows.length > 0;
    },

    async assertNameFree(name, holder) {
      await assertNameNotReserved(db, name, clock(), { holder, registrationId: null });
    },

    async forgetApiKeys(instant) {
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
    .where(and(eq(registration.name, name), eq(registration.state, "complete")));
  return row?.archiveId ?? null;
}
