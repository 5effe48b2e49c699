import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import type { FieldLeaf } from "../../../protocol/index.ts";
import type { StoredKey } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import { apiKey } from "../keys/index.ts";
import type { NameChallenge } from "../names/index.ts";
import {
  assertNameFree,
  freeName,
  holdName,
  isNameReserved,
  keepName,
  nameChallenge,
  nameLock,
} from "../names/index.ts";
import { webhook } from "../webhooks/index.ts";
import type { StagedContent } from "./claim/stored.ts";
import { agentRegistration, claimDraft } from "./tables.ts";

const NO_HOLDER = { holder: null, registrationId: null };

interface NewAgentRegistration {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly operationKey: string;
  readonly agentName: string;
  readonly address: string;
  readonly content: StagedContent;
  /** Bound to `id`. */
  readonly saltEncrypted: Buffer;
  readonly leaves: readonly FieldLeaf[];
  /** Text of the personality document. */
  readonly documentText: string | null;
  readonly apiKey: StoredKey;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type AgentRegistrationStore = ReturnType<typeof createAgentRegistrationStore>;

/** Registrations that agents began, and the challenges before them, in Postgres. */
export function createAgentRegistrationStore(db: Database, clock: () => Date) {
  return {
    /**
     * Stores the challenge, and reserves its name unless it is reserved already.
     *
     * @throws ApiError RATE_LIMIT_EXCEEDED when the address has its maximum of reserved names.
     */
    insertChallenge: (
      challenge: NameChallenge,
      lock: { readonly address: string; readonly limit: number } | null,
    ): Promise<{ readonly locked: boolean }> =>
      db.transaction(async (tx) => {
        await tx.insert(nameChallenge).values(challenge);
        if (lock === null) return { locked: false };
        const { address, limit } = lock;
        await holdAddress(tx, address);
        await holdName(tx, challenge.name);
        const at = clock();
        if (await isNameReserved(tx, challenge.name, at, NO_HOLDER)) return { locked: false };
        await assertRoomForName(tx, address, at, limit);
        const { id: holder, name, expiresAt } = challenge;
        await keepName(tx, { name, holder, address, expiresAt });
        return { locked: true };
      }),

    async findChallenge(id: string) {
      const [row] = await db.select().from(nameChallenge).where(eq(nameChallenge.id, id));
      return row ?? null;
    },

    /**
     * In one transaction: consumes the challenge, makes the name's reservation permanent, stores the
     * registration and its key.
     *
     * @throws ApiError NONCE_USED or NONCE_EXPIRED for the challenge; NAME_TAKEN when the name is
     * reserved for another registration; RATE_LIMIT_EXCEEDED when the address has its maximum of
     * unclaimed registrations.
     */
    async insert(
      registration: NewAgentRegistration,
      challengeId: string,
      limit: number,
    ): Promise<void> {
      await db.transaction((tx) => insertOnce(tx, registration, challengeId, limit, clock));
    },

    /** The stored part of an operation's answer. */
    async findByOperation(operationKey: string) {
      const [row] = await db
        .select()
        .from(agentRegistration)
        .where(eq(agentRegistration.operationKey, operationKey));
      if (row === undefined) return null;
      const { name: agentName, tokenHash, expiresAt } = row;
      return { agentName, tokenHash, expiresAt };
    },

    /**
     * Deletes unclaimed registrations: frees names, ends keys and webhooks, deletes the content. At
     * most `limit` at once.
     *
     * @returns how many were deleted.
     */
    deleteExpired: (deadlineBefore: Date, at: Date, limit: number): Promise<number> =>
      db.transaction((tx) => deleteDue(tx, deadlineBefore, at, limit)),

    /** Deletes expired challenges and soft locks. */
    async deleteEndedChallenges(at: Date): Promise<void> {
      await db
        .delete(nameLock)
        .where(and(isNotNull(nameLock.expiresAt), lte(nameLock.expiresAt, at)));
      await db.delete(nameChallenge).where(lte(nameChallenge.expiresAt, at));
    },
  };
}

async function assertRoomForName(
  tx: Executor,
  address: string,
  at: Date,
  limit: number,
): Promise<void> {
  const [reservation] = await tx
    .select({ names: count() })
    .from(nameLock)
    .where(and(eq(nameLock.address, address), gt(nameLock.expiresAt, at)));
  if ((reservation?.names ?? 0) < limit) return;
  throw tooMany(
    "This address has reserved as many names as it may. Answer a challenge, or wait until one expires.",
    limit,
  );
}

async function insertOnce(
  tx: Executor,
  registration: NewAgentRegistration,
  challengeId: string,
  limit: number,
  clock: () => Date,
): Promise<void> {
  const { content, documentText, agentName, apiKey: key, ...row } = registration;
  await holdAddress(tx, registration.address);
  await useChallenge(tx, challengeId, registration.id, clock());
  await assertNameFree(tx, agentName, clock(), {
    holder: challengeId,
    registrationId: null,
  });
  const [waiting] = await tx
    .select({ registrations: count() })
    .from(agentRegistration)
    .where(
      and(
        eq(agentRegistration.address, registration.address),
        eq(agentRegistration.state, "pending"),
      ),
    );
  if ((waiting?.registrations ?? 0) >= limit) {
    throw tooMany(
      "This address waits for as many claims as it may. Let an owner claim one, or wait until one expires.",
      limit,
    );
  }
  await keepName(tx, {
    name: agentName,
    holder: registration.id,
    address: registration.address,
    expiresAt: null,
  });
  await tx.insert(agentRegistration).values({
    ...row,
    name: agentName,
    state: "pending",
    content,
    leaves: registration.leaves,
    document: documentText,
  });
  await tx.insert(apiKey).values({
    ...key,
    kind: "provisional",
    holder: "agent",
    registrationId: registration.id,
    createdAt: registration.createdAt,
    // It expires with the time to claim, even before the registration is deleted.
    revokedAt: registration.expiresAt,
  });
}

async function deleteDue(
  tx: Executor,
  deadlineBefore: Date,
  at: Date,
  limit: number,
): Promise<number> {
  const due = await tx
    .select({ id: agentRegistration.id })
    .from(agentRegistration)
    .where(
      and(eq(agentRegistration.state, "pending"), lt(agentRegistration.expiresAt, deadlineBefore)),
    )
    .orderBy(asc(agentRegistration.expiresAt))
    .limit(limit)
    // A claim that is being accepted locks the row: the next round tries again.
    .for("update", { skipLocked: true });
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx
    .update(agentRegistration)
    .set({
      state: "deleted",
      endedAt: at,
      content: null,
      saltEncrypted: null,
      leaves: null,
      document: null,
    })
    .where(inArray(agentRegistration.id, ids));
  for (const id of ids) await freeName(tx, id);
  await tx.delete(claimDraft).where(inArray(claimDraft.registrationId, ids));
  await tx
    .update(apiKey)
    .set({ revokedAt: at })
    .where(and(inArray(apiKey.registrationId, ids), gt(apiKey.revokedAt, at)));
  await tx
    .update(webhook)
    .set({ endedAt: at })
    .where(and(inArray(webhook.registrationId, ids), isNull(webhook.tokenId)));
  return ids.length;
}

/**
 * The reservations of an address are counted by one transaction at a time. This lock comes before
 * the lock on a name, always in this order.
 */
async function holdAddress(tx: Executor, address: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`names of ${address}`}, 0))`,
  );
}

/** One statement decides which request uses the challenge. */
async function useChallenge(
  tx: Executor,
  challengeId: string,
  registrationId: string,
  at: Date,
): Promise<void> {
  const used = await tx
    .update(nameChallenge)
    .set({ usedBy: registrationId })
    .where(
      and(
        eq(nameChallenge.id, challengeId),
        isNull(nameChallenge.usedBy),
        gt(nameChallenge.expiresAt, at),
      ),
    )
    .returning({ id: nameChallenge.id });
  if (used.length === 1) return;
  const [row] = await tx
    .select({ usedBy: nameChallenge.usedBy })
    .from(nameChallenge)
    .where(eq(nameChallenge.id, challengeId));
  throw row?.usedBy ? challengeUsed() : challengeExpired();
}

function tooMany(message: string, limit: number): ApiError {
  return new ApiError("RATE_LIMIT_EXCEEDED", { message, details: { limit } });
}

export function challengeExpired(): ApiError {
  return new ApiError("NONCE_EXPIRED", { message: "The challenge is unknown or has expired." });
}

export function challengeUsed(): ApiError {
  return new ApiError("NONCE_USED", { message: "The challenge has already been answered." });
}
