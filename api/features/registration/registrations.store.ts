import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { FieldLeaf } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import { fromExactJson, toExactJson } from "../../platform/database/exact-json.ts";
import type { Sponsorship } from "../../platform/sponsorship/sponsorship.ts";
import { registration, soulSecret } from "../../soul/tables.ts";
import { apiKey } from "../keys/index.ts";
import { assertNameFree, assertNameNotKept } from "../names/index.ts";
import { alreadySubmitted, operationOf } from "./engine.ts";
import type {
  CompletedRegistration,
  FollowUp,
  FollowUps,
  PendingRegistration,
  RegistrationStore,
} from "./ports.ts";
import { REGISTRATION_GAS } from "./ports.ts";

/** What a row's `payload` holds: public content, as exact JSON. */
type Payload = Pick<
  PendingRegistration,
  "origin" | "operationKey" | "message" | "adminConsent" | "signature"
> & { readonly request: Omit<PendingRegistration["request"], "merkleLeaves"> };

type Row = typeof registration.$inferSelect;

const PENDING = "pending" as const;
const COMPLETE = "complete" as const;

export interface RegistrationStoreOptions {
  readonly db: Database;
  readonly clock: () => Date;
  readonly sponsorship: Sponsorship<Executor>;
  readonly followUps: FollowUps<Executor>;
}

/** Accepted registrations and how they ended, in Postgres. */
export function createRegistrationStore({
  db,
  clock,
  sponsorship,
  followUps,
}: RegistrationStoreOptions): RegistrationStore & {
  /** Forgets the encrypted API keys of registrations accepted before `instant`: they may not be requested again. */
  forgetApiKeys(before: Date): Promise<void>;
} {
  /** Each origin's follow-up takes only its own, which the compiler cannot tell of a union. */
  const followUpOf = ({ origin }: PendingRegistration) =>
    followUps[origin.kind] as FollowUp<Executor>;

  return {
    async insert(pending, sponsor) {
      const { origin, operationKey, message, adminConsent, signature } = pending;
      const { merkleLeaves, ...request } = pending.request;
      const payload: Payload = {
        origin,
        operationKey,
        request,
        message,
        adminConsent,
        signature,
      };
      const at = clock();
      const rows = await db.transaction(async (tx) => {
        const inserted = await tx
          .insert(registration)
          .values({
            id: pending.id,
            digest: pending.digest,
            name: pending.request.agentName,
            owner: pending.request.ownerAddress,
            state: PENDING,
            payload: toExactJson(payload),
            saltEncrypted: pending.saltEncrypted,
            leaves: merkleLeaves,
            apiKeyEncrypted: pending.apiKeyEncrypted,
            createdAt: at,
            updatedAt: at,
          })
          .onConflictDoNothing()
          .returning({ id: registration.id });
        if (inserted.length > 0) {
          await assertNameFree(tx, pending.request.agentName, at, {
            holder: pending.origin.kind === "claim" ? pending.origin.registrationId : null,
            registrationId: pending.id,
          });
          await sponsorship.reserve(tx, {
            operationId: operationOf(pending),
            gas: REGISTRATION_GAS,
            registrant: pending.request.ownerAddress,
            sponsor,
          });
          await followUpOf(pending).accepted(tx, pending);
        }
        return inserted;
      });
      if (rows.length === 0) {
        const [same] = await db
          .select({ id: registration.id })
          .from(registration)
          .where(eq(registration.digest, pending.digest));
        if (same) throw alreadySubmitted();
        throw new ApiError("NAME_TAKEN", {
          message: `The name ${pending.request.agentName} is being registered.`,
          details: { name: pending.request.agentName },
        });
      }
    },

    async findByDigest(digest) {
      const [row] = await db.select().from(registration).where(eq(registration.digest, digest));
      if (!row) return null;
      return {
        pending: toPending(row),
        completed: row.state === COMPLETE ? fromExactJson<CompletedRegistration>(row.result) : null,
      };
    },

    async listPending() {
      const rows = await db
        .select()
        .from(registration)
        .where(
          and(
            eq(registration.state, PENDING),
            // Those of a batch are finished together, by their operation.
            sql`${registration.payload} #>> '{origin,batch}' is null`,
          ),
        )
        .orderBy(registration.createdAt);
      return rows.map(toPending);
    },

    async isNamePending(name) {
      const rows = await db
        .select({ id: registration.id })
        .from(registration)
        .where(and(eq(registration.name, name), eq(registration.state, PENDING)))
        .limit(1);
      return rows.length > 0;
    },

    async assertNameFree(name, holder) {
      await assertNameNotKept(db, name, clock(), { holder, registrationId: null });
    },

    async complete(pending, completed, grants) {
      const at = clock();
      const epoch = BigInt(completed.epoch);
      await db.transaction(async (tx) => {
        const ended = await tx
          .update(registration)
          .set({ state: COMPLETE, result: toExactJson(completed), updatedAt: at })
          .where(and(eq(registration.id, pending.id), eq(registration.state, PENDING)))
          .returning({ id: registration.id });
        if (ended.length === 0) return;
        await tx.insert(apiKey).values({
          ...grants.apiKey,
          kind: "live",
          holder: "owner",
          tokenId: completed.tokenId,
          epoch,
          createdAt: at,
        });
        await tx.insert(soulSecret).values({
          tokenId: completed.tokenId,
          epoch,
          soulHash: grants.soulHash,
          saltEncrypted: grants.saltEncrypted,
          leaves: grants.leaves,
        });
        await followUpOf(pending).completed(tx, pending, completed);
      });
    },

    async remove(pending, gas) {
      await db.transaction(async (tx) => {
        const removed = await tx
          .delete(registration)
          .where(and(eq(registration.id, pending.id), eq(registration.state, PENDING)))
          .returning({ id: registration.id });
        if (removed.length === 0) return;
        if (gas === "unspent") await sponsorship.release(tx, operationOf(pending));
        await followUpOf(pending).refused(tx, pending);
      });
    },

    async forgetApiKeys(before) {
      await db
        .update(registration)
        .set({ apiKeyEncrypted: sql`null` })
        .where(
          and(
            eq(registration.state, COMPLETE),
            isNotNull(registration.apiKeyEncrypted),
            lt(registration.createdAt, before),
          ),
        );
    },
  };
}

function toPending(row: Row): PendingRegistration {
  const { request, ...payload } = fromExactJson<Payload>(row.payload);
  return {
    ...payload,
    id: row.id,
    digest: row.digest as PendingRegistration["digest"],
    request: { ...request, merkleLeaves: row.leaves as FieldLeaf[] },
    saltEncrypted: row.saltEncrypted,
    apiKeyEncrypted: row.apiKeyEncrypted,
  };
}
