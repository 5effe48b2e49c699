import { and, eq, gt, isNull, ne, or, sql } from "drizzle-orm";
import { ApiError } from "../../kernel/errors.ts";
import type { Executor } from "../../platform/database/connect.ts";
import { registration } from "../../soul/tables.ts";
import { nameLock } from "./tables.ts";

// Names that are reserved before the chain has them, and the one order in which a name may be
// taken. A transaction that assigns a name first waits for `holdName`, and then sees all earlier
// reservations.

/** Until the transaction ends, no other one decides about this name. */
export async function holdName(tx: Executor, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`name ${name}`}, 0))`);
}

/** The holder that a name may be reserved for. */
export interface NameSeeker {
  /** The challenge or the agent's registration that reserves it; null without one. */
  readonly holder: string | null;
  /** The pending registration; null for none. */
  readonly registrationId: string | null;
}

/** Whether the name is reserved for another holder, or was ever registered here. */
export async function isNameReserved(
  db: Executor,
  name: string,
  at: Date,
  { holder, registrationId }: NameSeeker,
): Promise<boolean> {
  const [registered] = await db
    .select({ id: registration.id })
    .from(registration)
    .where(
      and(
        eq(registration.name, name),
        registrationId === null ? undefined : ne(registration.id, registrationId),
      ),
    )
    .limit(1);
  if (registered !== undefined) return true;
  const [row] = await db
    .select({ name: nameLock.name })
    .from(nameLock)
    .where(
      and(
        eq(nameLock.name, name),
        or(isNull(nameLock.expiresAt), gt(nameLock.expiresAt, at)),
        holder === null ? undefined : ne(nameLock.holder, holder),
      ),
    );
  return row !== undefined;
}

/**
 * Rejects a name that is reserved for another holder, or was registered here. Call it within the
 * transaction that assigns the name.
 *
 * @throws ApiError NAME_TAKEN
 */
export async function assertNameFree(
  tx: Executor,
  name: string,
  at: Date,
  seeker: NameSeeker,
): Promise<void> {
  await holdName(tx, name);
  await assertNameNotReserved(tx, name, at, seeker);
}

/**
 * As `assertNameFree`, for an answer that reserves nothing: it takes no lock and waits for none.
 */
export async function assertNameNotReserved(
  db: Executor,
  name: string,
  at: Date,
  seeker: NameSeeker,
): Promise<void> {
  if (!(await isNameReserved(db, name, at, seeker))) return;
  throw new ApiError("NAME_TAKEN", {
    message: `The name ${name} is being registered.`,
    details: { name },
  });
}

/** Reserves a name that `assertNameFree` has found free. `expiresAt` null: until `freeName`. */
export async function keepName(
  tx: Executor,
  lock: {
    readonly name: string;
    readonly holder: string;
    readonly address: string;
    readonly expiresAt: Date | null;
  },
): Promise<void> {
  // The replaced lock has expired, or belongs to the challenge that becomes a registration.
  await tx.insert(nameLock).values(lock).onConflictDoUpdate({ target: nameLock.name, set: lock });
}

export async function freeName(tx: Executor, holder: string): Promise<void> {
  await tx.delete(nameLock).where(eq(nameLock.holder, holder));
}
