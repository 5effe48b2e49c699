import { setTimeout as delay } from "node:timers/promises";
import { asc, desc, eq, getTableColumns, isNull, notExists, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import type { Address } from "viem";
import { apiKey } from "../features/keys/tables.ts";
import type { KeyStanding, KeyStandings } from "../kernel/access.ts";
import { ApiError } from "../kernel/errors.ts";
import { indexFault } from "./comparison/tables.ts";
import type {
  HoldingReads,
  IndexedAgents,
  IndexedPassport,
  IndexedPoint,
  IndexProgress,
  PassportReads,
  Reading,
  SoulOrigin,
} from "./index-reads.ts";
import {
  chainViews,
  checkpoint,
  decodeCheckpoint,
  firstOf,
  indexedPointAbout,
  isHeldBySealer,
  isValidSoul,
  meta,
  passportColumns,
  passportsOwnedBy,
  point,
  pointAbout,
  pointOf,
  readable,
  searchable,
} from "./index-views.store.ts";
import { agentReads, passportRecord } from "./indexed-agent.store.ts";

const { soul, passport, membership, soulRevision } = chainViews;

/** Interval between two reads for waiting requests, in milliseconds. */
const POLL_MS = 10;

/** Everything the API reads of the index. */
export interface ChainReads
  extends IndexedAgents,
    HoldingReads,
    PassportReads,
    IndexProgress,
    KeyStandings {
  /** As the index knew the key's agent at `at`. */
  keyStanding(hash: Buffer): Promise<(KeyStanding & { readonly at: IndexedPoint }) | null>;
  /**
   * Passports that `owner` holds, at most `limit`: those of souls it sealed first, then the longest held. Callers
   * confirm the ownership on chain.
   */
  passportsOfOwner(owner: Address, limit: number): Promise<Reading<readonly IndexedPassport[]>>;
  /** Token id of the soul that was given `name`, in any state; null without one. */
  nameHolder(name: string): Promise<bigint | null>;
  /** How the soul hash that a soul has now came about; null while nothing was sealed. */
  soulOrigin(tokenId: bigint): Promise<SoulOrigin | null>;
  /** The last block whose events are visible, and whether no fault of the index is open. */
  progress(): Promise<{ readonly block: bigint; readonly isComplete: boolean }>;
  /** Whether an index that has caught up with the chain stands behind the views. */
  isReady(): Promise<boolean>;
}

/**
 * Reads of the index over `pool`, as prepared statements.
 *
 * Every read rejects with REGISTRY_PENDING while no index has caught up for the first time. Addresses come out checksummed.
 */
export function createChainReads(pool: Pool): ChainReads {
  const db = drizzle(pool);
  return {
    ...agentReads(db),
    ...passportReads(db),
    ...soulReads(db),
    ...keyReads(db),
    ...progressReads(db),
  };
}

function passportReads(db: NodePgDatabase): Pick<ChainReads, "passport" | "passportsOfOwner"> {
  const passportById = db
    .select({
      point: pointAbout(sql`${sql.placeholder("id")}::numeric`),
      passport: passportColumns,
    })
    .from(checkpoint)
    .leftJoin(passport, eq(passport.id, sql.placeholder("id")))
    .prepare("chain_passport");
  // Anyone can send passports to a wallet, but only the wallet's signature seals a soul. So sealed ones come first within the limit.
  const isOwnSoul = sql`${passport.id} in (
    select ${soul.passportId} from ${soul}
    where ${soul.sealer} = ${sql.placeholder("owner")} and ${soul.status} = 'SEALED')`;
  const passportsByOwner = db
    .select({ point, passport: passportColumns })
    .from(checkpoint)
    .leftJoin(passport, sql`${passport.id} in ${passportsOwnedBy(sql.placeholder("owner"))}`)
    .orderBy(desc(isOwnSoul), asc(passport.ownerSinceBlock), asc(passport.id))
    .limit(sql.placeholder("limit"))
    .prepare("chain_passports_of_owner");

  return {
    async passport(id) {
      const row = firstOf(await readable(() => passportById.execute({ id: id.toString() })));
      return {
        at: decodeCheckpoint(row.point),
        value: row.passport && passportRecord(row.passport),
      };
    },

    async passportsOfOwner(owner, limit) {
      const rows = await readable(() =>
        passportsByOwner.execute({ owner: owner.toLowerCase(), limit: Math.max(limit, 1) }),
      );
      const value = rows.flatMap((row) => (row.passport ? [passportRecord(row.passport)] : []));
      return { at: decodeCheckpoint(firstOf(rows).point), value };
    },
  };
}

function soulReads(db: NodePgDatabase): Pick<ChainReads, "nameHolder" | "soulOrigin"> {
  const holderOfName = db
    .select({ point, tokenId: soul.tokenId })
    .from(checkpoint)
    .leftJoin(soul, eq(soul.name, sql.placeholder("name")))
    .prepare("chain_name_holder");
  const origins = db
    .select({ kind: soulRevision.kind, tx: soulRevision.tx, dataHash: soulRevision.dataHash })
    .from(soulRevision)
    .where(eq(soulRevision.tokenId, sql.placeholder("tokenId")))
    .orderBy(desc(soulRevision.revision))
    .limit(1)
    .prepare("chain_soul_origin");

  return {
    async nameHolder(name) {
      return firstOf(await readable(() => holderOfName.execute({ name: searchable(name) })))
        .tokenId;
    },

    async soulOrigin(tokenId) {
      const [row] = await readable(() => origins.execute({ tokenId: tokenId.toString() }));
      return row ?? null;
    },
  };
}

function keyReads(db: NodePgDatabase): Pick<ChainReads, "keyStanding" | "organizationOf"> {
  // A membership counts in the epoch it was made in, and while the seal is valid.
  const liveOrganization = sql<bigint>`coalesce(case
    when ${membership.epoch} = ${soul.epoch} and ${isValidSoul(soul, passport)}
    then ${membership.organizationId} end, 0)`
    .mapWith(BigInt)
    .as("organization_id");
  const keyByHash = db
    .select({
      key: getTableColumns(apiKey),
      point: indexedPointAbout(db, soul.passportId),
      epoch: soul.epoch,
      isHeldBySealer: sql<boolean>`coalesce(${isHeldBySealer(soul, passport)}, false)`,
      organizationId: liveOrganization,
    })
    .from(apiKey)
    .leftJoin(soul, eq(soul.tokenId, apiKey.tokenId))
    .leftJoin(passport, eq(passport.id, soul.passportId))
    .leftJoin(membership, eq(membership.tokenId, soul.tokenId))
    .where(eq(apiKey.hash, sql.placeholder("hash")))
    .prepare("chain_key_standing");
  const organizationByToken = db
    .select({ organizationId: liveOrganization })
    .from(soul)
    .leftJoin(passport, eq(passport.id, soul.passportId))
    .leftJoin(membership, eq(membership.tokenId, soul.tokenId))
    .where(eq(soul.tokenId, sql.placeholder("tokenId")))
    .prepare("chain_organization_of");

  return {
    async keyStanding(hash) {
      const [row] = await readable(() => keyByHash.execute({ hash }));
      if (row === undefined) return null;
      const { key, epoch, organizationId } = row;
      const at = pointOf(row.point);
      const suspended = !row.isHeldBySealer;
      const agent = epoch === null ? null : { epoch, suspended, organizationId };
      return { ...key, agent, at };
    },

    async organizationOf(tokenId) {
      const [row] = await readable(() =>
        organizationByToken.execute({ tokenId: tokenId.toString() }),
      );
      return row?.organizationId ?? 0n;
    },
  };
}

function progressReads(
  db: NodePgDatabase,
): Pick<ChainReads, "indexedBlock" | "progress" | "waitForBlock" | "isReady"> {
  const reached = db.select({ point }).from(checkpoint).prepare("chain_progress");
  const openFaults = db.select().from(indexFault).where(isNull(indexFault.mendedAt));
  const standing = db
    .select({ point, isComplete: sql<boolean>`${notExists(openFaults)}`.as("is_complete") })
    .from(checkpoint)
    .prepare("chain_standing");
  const readiness = db
    .select({ value: meta.value })
    .from(meta)
    .where(eq(meta.key, "app"))
    .prepare("chain_readiness");

  async function indexedBlock(): Promise<bigint> {
    return decodeCheckpoint(firstOf(await readable(() => reached.execute())).point).block;
  }

  // Requests that wait at the same time share one query.
  let shared: Promise<bigint> | undefined;
  function sharedLook(): Promise<bigint> {
    shared ??= indexedBlock().finally(() => {
      shared = undefined;
    });
    return shared;
  }

  return {
    indexedBlock,

    async progress() {
      const row = firstOf(await readable(() => standing.execute()));
      return { block: decodeCheckpoint(row.point).block, isComplete: row.isComplete };
    },

    async waitForBlock(block, timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const reached = await sharedLook();
        const left = deadline - performance.now();
        if (reached >= block || left <= 0) return reached;
        await delay(Math.min(POLL_MS, left));
      }
    },

    async isReady() {
      try {
        return (await readable(() => readiness.execute()))[0]?.value.is_ready === 1;
      } catch (error) {
        if (error instanceof ApiError) return false;
        throw error;
      }
    },
  };
}
