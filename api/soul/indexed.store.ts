import { setTimeout as delay } from "node:timers/promises";
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  ne,
  notExists,
  or,
  type SQL,
  sql,
  sum,
} from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import {
  type AnyPgColumn,
  alias,
  bigint,
  jsonb,
  type PgTable,
  pgSchema,
  text,
} from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { type Address, getAddress, type Hex, isAddress, zeroAddress } from "viem";
import * as indexed from "../../indexer/ponder.schema.ts";
import { chronicle } from "../features/chronicles/tables.ts";
import { apiKey } from "../features/keys/tables.ts";
import { displaySetting, publicIdentity } from "../features/profile/tables.ts";
import type { KeyStanding, KeyStandings } from "../kernel/access.ts";
import { dateOf } from "../kernel/chain-time.ts";
import { ApiError } from "../kernel/errors.ts";
import { type DeclaredIdentity, declaredIdentity } from "./declared-identity.ts";
import type {
  BirthBundle,
  IndexedAgent,
  IndexedAgents,
  IndexedPassport,
  IndexedPoint,
  IndexedSoul,
  IndexProgress,
  MembershipRecord,
  OriginalSoul,
  PassportReads,
  Reading,
  SoulOrigin,
} from "./index-reads.ts";
import { registration } from "./tables.ts";

// The only file of the API that knows the indexer's tables, and it only reads them. The tables themselves live in a schema
// named after the indexer's build; `chain` holds views of whichever build has caught up. Columns are listed one by one in
// every statement, so that a prepared one outlives the swap of the views.

const VIEWS_SCHEMA = "chain";

const soul = inViews(indexed.soul);
const passport = inViews(indexed.passport);
const membership = inViews(indexed.membership);
const passportOwner = inViews(indexed.passportOwner);
const passportMetadata = inViews(indexed.passportMetadata);
const binding = inViews(indexed.binding);
const bindingChange = inViews(indexed.bindingChange);
const soulRevision = inViews(indexed.soulRevision);
const operatorChange = inViews(indexed.operatorChange);
const earning = inViews(indexed.earning);
const agentKeys = inViews(indexed.agentKeys);
const allowance = inViews(indexed.allowance);
const spend = inViews(indexed.spend);
const organization = inViews(indexed.organization);
const alignment = inViews(indexed.alignment);

/** Views that other stores read with `readable`. */
export const chainViews = {
  soul,
  passport,
  passportOwner,
  passportMetadata,
  membership,
  binding,
  bindingChange,
  soulRevision,
  operatorChange,
  agentKeys,
  allowance,
  spend,
  organization,
  alignment,
};

type Holding = Readonly<Record<"owner", AnyPgColumn>>;

/** As `isWithSealer` of the services: no suspension is on record, which outlasts a passport's return. */
export function isHeldBySealer(
  of: Readonly<Record<"sealer" | "suspendedOwner", AnyPgColumn>>,
  holding: Holding,
): SQL {
  return sql`(${eq(holding.owner, of.sealer)} and ${isNull(of.suspendedOwner)})`;
}

/** Whether a soul may be relied on, as the registry's own `isValid` answers it. */
export function isValidSoul(
  of: Readonly<Record<"status" | "sealer" | "suspendedOwner", AnyPgColumn>>,
  holding: Holding,
): SQL | undefined {
  return and(eq(of.status, "SEALED"), isHeldBySealer(of, holding));
}

/** The second agent of a binding. */
const boundSoul = alias(soul, "bound_soul");
const boundPassport = alias(passport, "bound_passport");

/** The soul that had a hash or Merkle root first, and the revisions of the soul that is compared with it. */
const earlier = alias(soulRevision, "earlier");
const original = alias(soul, "original");
const successor = alias(soul, "successor");
const ownRevision = alias(soulRevision, "own_revision");

/** The contract's TrustLevel up to which a binding has no effect. */
const REVOKED = 1;

/** How an agent records that it has done what it was asked. */
const TASK_COMPLETED = "task_completed";

/** The registry's own metadata key, which a transfer clears. */
export const AGENT_WALLET = "agentWallet";

const checkpoint = pgSchema(VIEWS_SCHEMA).table("_ponder_checkpoint", {
  chainId: bigint("chain_id", { mode: "number" }).notNull(),
  latest: text("latest_checkpoint").notNull(),
  safe: text("safe_checkpoint").notNull(),
});

const meta = pgSchema(VIEWS_SCHEMA).table("_ponder_meta", {
  key: text("key").notNull(),
  value: jsonb("value").$type<{ is_ready?: number }>().notNull(),
});

// A restarted indexer first reverts every block that was not final, while its latest checkpoint still names the last of them.
// Until the indexer is ready again, only the safe checkpoint is correct.
const point = sql<string>`case when exists (
  select 1 from ${meta} where ${meta.key} = 'app' and ${meta.value} ->> 'is_ready' = '1'
) then ${checkpoint.latest} else ${checkpoint.safe} end`.as("point");

/** Where every read starts: `point` is decoded by `decodeCheckpoint`. */
export const indexedUpTo = { checkpoint, point };

/** How long a waiter leaves Postgres alone between two looks, in milliseconds. */
const POLL_MS = 10;

/** Postgres's code for the victim of a deadlock. */
const DEADLOCK = "40P01";
const MAX_TRIES = 3;

/** Everything the API reads of the index. */
export interface ChainReads extends IndexedAgents, PassportReads, IndexProgress, KeyStandings {
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

  // A name is given once, and its published fields belong to the soul that was sealed with them, not to a later revision.
  const isOfSoul = and(
    eq(registration.name, soul.name),
    eq(registration.state, "complete"),
    isNotNull(soul.sealedAt),
    sql`${registration.payload} #>> '{request,soulHash}' = ${soul.soulHash}`,
  );
  const publishedFields = sql<Record<
    string,
    unknown
  > | null>`${registration.payload} #> '{request,publicFields}'`.as("public_fields");
  // The other self-descriptions of a registration stay through revisions, but not through a change of owner.
  const said = alias(registration, "said");
  const request = sql`${said.payload} -> 'request'`;
  const saidOfAgent = db
    .select({
      words: sql`json_build_object('identity', ${request} -> 'publicIdentity', 'displayName',
        ${request} #>> '{publicIdentity,displayName}', 'image',
        coalesce(${request} #>> '{publicIdentity,image}', ${request} ->> 'avatar'))`,
    })
    .from(said)
    .where(
      and(
        eq(said.name, soul.name),
        eq(said.state, "complete"),
        sql`lower(${said.owner}) = ${soul.sealer}`,
      ),
    )
    .orderBy(desc(said.createdAt))
    .limit(1);
  const tasks = db
    .select({ tasks: count() })
    .from(chronicle)
    .where(and(eq(chronicle.tokenId, soul.tokenId), eq(chronicle.changeType, TASK_COMPLETED)));
  const lastRecord = db
    .select({ at: chronicle.recordedAt })
    .from(chronicle)
    .where(eq(chronicle.tokenId, soul.tokenId))
    .orderBy(desc(chronicle.chronicleId))
    .limit(1);
  const birthBundle =
    sql<BirthBundle | null>`${registration.payload} #> '{request,birthBundle}'`.as("birth_bundle");

  const liveBindings = db
    .select({ bindings: count() })
    .from(binding)
    .innerJoin(
      boundSoul,
      and(eq(boundSoul.tokenId, binding.toTokenId), eq(boundSoul.epoch, binding.toEpoch)),
    )
    .innerJoin(boundPassport, eq(boundPassport.id, boundSoul.passportId))
    .where(
      and(
        eq(binding.fromTokenId, soul.tokenId),
        eq(binding.epoch, soul.epoch),
        gt(binding.trustLevel, REVOKED),
        isValidSoul(boundSoul, boundPassport),
      ),
    );
  // In one block the lower token id counts as the earlier: a registration that seals takes the next one.
  const hadItFirst = db
    .select({ one: sql`1` })
    .from(ownRevision)
    .where(
      and(
        eq(ownRevision.tokenId, soul.tokenId),
        sql`(${ownRevision.block}, ${ownRevision.tokenId}) < (${earlier.block}, ${earlier.tokenId})`,
        or(
          and(eq(ownRevision.soulHash, soul.soulHash), eq(earlier.soulHash, soul.soulHash)),
          and(
            eq(ownRevision.soulMerkleRoot, soul.soulMerkleRoot),
            eq(earlier.soulMerkleRoot, soul.soulMerkleRoot),
          ),
        ),
      ),
    );
  // Only the last owner of a burned soul can register a successor, and the first one counts.
  const successors = db
    .select({ tokenId: successor.tokenId })
    .from(successor)
    .where(and(eq(successor.parentTokenId, soul.tokenId), isNotNull(successor.soulContinuity)))
    .orderBy(asc(successor.tokenId))
    .limit(1);
  const originalSoul = db
    .select({
      soul: sql`json_build_object('tokenId', ${original.tokenId}::text, 'agentName', ${original.name},
        'genesisStatus', ${original.status}, 'sealedAt', ${earlier.timestamp}::text)`,
    })
    .from(earlier)
    .innerJoin(original, eq(original.tokenId, earlier.tokenId))
    .where(
      and(
        or(eq(earlier.soulHash, soul.soulHash), eq(earlier.soulMerkleRoot, soul.soulMerkleRoot)),
        ne(earlier.tokenId, soul.tokenId),
        // A soul that was never sealed is not a copy yet.
        isNotNull(soul.sealedAt),
        notExists(hadItFirst),
      ),
    )
    .orderBy(asc(earlier.block), asc(earlier.tokenId))
    .limit(1);
  const acting = sql`case when ${soul.operator} = ${zeroAddress} then ${soul.sealer} else ${soul.operator} end`;
  const earnings = db
    .select({ amount: sum(earning.amount) })
    .from(earning)
    .where(and(eq(earning.recipient, acting), ne(earning.owner, soul.sealer)));

  // The checkpoint is the left side of the join, so that an empty answer still has the indexed block.
  const agents = (isTheAgent: SQL) =>
    db
      .select({
        point,
        soul: getTableColumns(soul),
        passport: getTableColumns(passport),
        agentWallet: passportMetadata.value,
        membership: { organizationId: membership.organizationId, epoch: membership.epoch },
        bindings: sql<number>`(${liveBindings})`.mapWith(Number).as("bindings"),
        duplicateOf: sql<IndexedOriginal | null>`(${originalSoul})`.as("duplicate_of"),
        successorTokenId: sql<bigint | null>`(${successors})`
          .mapWith(soul.tokenId)
          .as("successor_token_id"),
        earned: sql<bigint>`coalesce((${earnings}), 0)`.mapWith(BigInt).as("earned"),
        publicFields: publishedFields,
        said: sql<SaidOfAgent | null>`(${saidOfAgent})`.as("said_of_agent"),
        identity: publicIdentity.identity,
        display: getTableColumns(displaySetting),
        tasks: sql<number>`(${tasks})`.mapWith(Number).as("tasks"),
        lastChronicleAt: sql<Date | null>`(${lastRecord})`
          .mapWith(chronicle.recordedAt)
          .as("last_chronicle_at"),
        birthBundle,
      })
      .from(checkpoint)
      .leftJoin(soul, isTheAgent)
      .leftJoin(passport, eq(passport.id, soul.passportId))
      .leftJoin(
        passportMetadata,
        and(
          eq(passportMetadata.passportId, soul.passportId),
          eq(passportMetadata.key, AGENT_WALLET),
        ),
      )
      .leftJoin(membership, eq(membership.tokenId, soul.tokenId))
      .leftJoin(registration, isOfSoul)
      .leftJoin(
        publicIdentity,
        and(eq(publicIdentity.tokenId, soul.tokenId), eq(publicIdentity.epoch, soul.epoch)),
      )
      .leftJoin(
        displaySetting,
        and(eq(displaySetting.tokenId, soul.tokenId), eq(displaySetting.epoch, soul.epoch)),
      );
  const byName = agents(eq(soul.name, sql.placeholder("name"))).prepare("chain_profile_by_name");
  const byTokenId = agents(eq(soul.tokenId, sql.placeholder("tokenId"))).prepare(
    "chain_profile_by_token_id",
  );
  const byPassport = agents(
    sql`${soul.passportId} = ${sql.placeholder("passportId")} and ${soul.status} <> 'BURNED'`,
  ).prepare("chain_soul_by_passport");
  const passportById = db
    .select({ point, passport: getTableColumns(passport) })
    .from(checkpoint)
    .leftJoin(passport, eq(passport.id, sql.placeholder("id")))
    .prepare("chain_passport");
  // Anyone can send passports to a wallet, but only the wallet's signature seals a soul. So sealed ones come first within the limit.
  const isOwnSoul = sql`${passport.id} in (
    select ${soul.passportId} from ${soul}
    where ${soul.sealer} = ${sql.placeholder("owner")} and ${soul.status} = 'SEALED')`;
  const passportsByOwner = db
    .select({ point, passport: getTableColumns(passport) })
    .from(checkpoint)
    .leftJoin(passport, eq(passport.owner, sql.placeholder("owner")))
    .orderBy(desc(isOwnSoul), asc(passport.ownerSinceBlock), asc(passport.id))
    .limit(sql.placeholder("limit"))
    .prepare("chain_passports_of_owner");
  // A membership counts in the epoch it was made in, and while the seal is valid.
  const liveOrganization = sql<bigint>`coalesce(case
    when ${membership.epoch} = ${soul.epoch} and ${isValidSoul(soul, passport)}
    then ${membership.organizationId} end, 0)`
    .mapWith(BigInt)
    .as("organization_id");
  const keyByHash = db
    .select({
      key: getTableColumns(apiKey),
      point: indexedPointText(db),
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
  const progress = db.select({ point }).from(checkpoint).prepare("chain_progress");
  const readiness = db
    .select({ value: meta.value })
    .from(meta)
    .where(eq(meta.key, "app"))
    .prepare("chain_readiness");

  async function agent(
    read: () => Promise<
      {
        point: string;
        soul: SoulRow | null;
        passport: PassportRow | null;
        agentWallet: Hex | null;
        membership: { organizationId: bigint | null; epoch: number | null } | null;
        bindings: number;
        duplicateOf: IndexedOriginal | null;
        successorTokenId: bigint | null;
        earned: bigint;
        publicFields: Record<string, unknown> | null;
        said: SaidOfAgent | null;
        identity: unknown;
        display: typeof displaySetting.$inferSelect | null;
        tasks: number;
        lastChronicleAt: Date | null;
        birthBundle: BirthBundle | null;
      }[]
    >,
  ): Promise<Reading<IndexedAgent | null>> {
    const row = firstOf(await readable(read));
    const value = row.soul
      ? {
          soul: soulRecord(row.soul),
          passport: row.passport && passportRecord(row.passport),
          agentWallet: walletAddress(row.agentWallet),
          membership: membershipRecord(row.membership),
          bindings: row.bindings,
          duplicateOf: row.duplicateOf && originalRecord(row.duplicateOf),
          successorTokenId: row.successorTokenId,
          earned: row.earned,
          identity: identityRecord(row.identity, row.said),
          displayName: row.said?.displayName ?? null,
          image: row.said?.image ?? null,
          display: row.display && displayRecord(row.display),
          tasksCompleted: row.tasks,
          lastChronicleAt: row.lastChronicleAt,
          published: row.publicFields && {
            publicFields: row.publicFields,
            birthBundle: row.birthBundle,
          },
        }
      : null;
    return { at: decodeCheckpoint(row.point), value };
  }

  async function indexedBlock(): Promise<bigint> {
    return decodeCheckpoint(firstOf(await readable(() => progress.execute())).point).block;
  }

  // Requests that wait at the same time share one query.
  let look: Promise<bigint> | undefined;
  function sharedLook(): Promise<bigint> {
    look ??= indexedBlock().finally(() => {
      look = undefined;
    });
    return look;
  }

  return {
    agent(ref) {
      switch (ref.kind) {
        case "name":
          return agent(() => byName.execute({ name: searchable(ref.name) }));
        case "tokenId":
          return agent(() => byTokenId.execute({ tokenId: ref.tokenId.toString() }));
        case "passportId":
          return agent(() => byPassport.execute({ passportId: ref.passportId.toString() }));
      }
    },

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

    async nameHolder(name) {
      return firstOf(await readable(() => holderOfName.execute({ name: searchable(name) })))
        .tokenId;
    },

    async keyStanding(hash) {
      const [row] = await readable(() => keyByHash.execute({ hash }));
      if (row === undefined) return null;
      const { key, epoch, organizationId } = row;
      const at = pointOf(row.point);
      const suspended = !row.isHeldBySealer;
      const agent = epoch === null ? null : { epoch: BigInt(epoch), suspended, organizationId };
      return { ...key, agent, at };
    },

    async organizationOf(tokenId) {
      const [row] = await readable(() =>
        organizationByToken.execute({ tokenId: tokenId.toString() }),
      );
      return row?.organizationId ?? 0n;
    },

    async soulOrigin(tokenId) {
      const [row] = await readable(() => origins.execute({ tokenId: tokenId.toString() }));
      return row ?? null;
    },

    indexedBlock,

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

/**
 * The point that a checkpoint of Ponder stands for: 10 digits of Unix seconds, 16 of the chain id, 16 of the block number,
 * then transaction and event.
 *
 * @throws Error when the text has another form, which another version of Ponder would write.
 */
export function decodeCheckpoint(text: string): IndexedPoint {
  const match = /^([0-9]{10})[0-9]{16}([0-9]{16})[0-9]{33}$/.exec(text);
  if (!match) throw new Error(`Not a checkpoint of this version of Ponder: ${text}`);
  return { timestamp: BigInt(match[1] ?? ""), block: BigInt(match[2] ?? "") };
}

/** How far the index has come, for a statement that does not start from the checkpoint; null before anything was indexed. */
export function indexedPointText(db: Pick<NodePgDatabase, "select">) {
  return sql<string | null>`(${db.select({ point }).from(checkpoint)})`.as("indexed_point");
}

/** @throws ApiError REGISTRY_PENDING before anything was indexed. */
export function pointOf(text: string | null): IndexedPoint {
  if (text === null) throw new ApiError("REGISTRY_PENDING");
  return decodeCheckpoint(text);
}

type SoulRow = typeof indexed.soul.$inferSelect;
type PassportRow = typeof indexed.passport.$inferSelect;

export function soulRecord(row: SoulRow): IndexedSoul {
  return {
    ...row,
    owner: getAddress(row.owner),
    sealer: getAddress(row.sealer),
    operator: row.operator === zeroAddress ? null : getAddress(row.operator),
    humanVerifier: checksummed(row.humanVerifier),
    suspended: row.suspendedOwner !== null,
    suspendedOwner: checksummed(row.suspendedOwner),
  };
}

/** The soul that another copies, as JSON has it: numbers as text. */
interface IndexedOriginal {
  readonly tokenId: string;
  readonly agentName: string;
  readonly genesisStatus: OriginalSoul["genesisStatus"];
  readonly sealedAt: string;
}

function originalRecord(row: IndexedOriginal): OriginalSoul {
  return {
    tokenId: BigInt(row.tokenId),
    agentName: row.agentName,
    genesisStatus: row.genesisStatus,
    sealedAt: dateOf(BigInt(row.sealedAt)),
  };
}

/** What a registration said of an agent besides its soul. */
interface SaidOfAgent {
  readonly identity: Partial<DeclaredIdentity> | null;
  readonly displayName: string | null;
  readonly image: string | null;
}

/** What was said last: the schemas of changes and of registrations validated it, and only they write these columns. */
function identityRecord(changed: unknown, said: SaidOfAgent | null): DeclaredIdentity | null {
  const identity = (changed ?? said?.identity ?? null) as Partial<DeclaredIdentity> | null;
  return identity && declaredIdentity(identity);
}

function displayRecord(row: typeof displaySetting.$inferSelect): IndexedAgent["display"] {
  const { tokenId: _soul, epoch: _its, updatedAt, ...settings } = row;
  return { settings, updatedAt };
}

/** A membership that ended keeps its row, with nothing in it. */
export function membershipRecord(
  row: { organizationId: bigint | null; epoch: number | null } | null,
): MembershipRecord | null {
  if (row === null) return null;
  const { organizationId, epoch } = row;
  return organizationId === null || epoch === null ? null : { organizationId, epoch };
}

export function passportRecord(row: PassportRow): IndexedPassport {
  return { ...row, owner: checksummed(row.owner), registrant: checksummed(row.registrant) };
}

/** A passport sent to the zero address has no owner. */
function checksummed(address: Hex | null): Address | null {
  return address === null || address === zeroAddress ? null : getAddress(address);
}

/** Cleared metadata is `0x`. The registry stores nothing but 20 bytes under this key. */
function walletAddress(value: Hex | null): Address | null {
  return value !== null && isAddress(value) ? checksummed(value) : null;
}

/** Postgres refuses NUL even in a parameter. No name holds one, so that looking for nothing finds the same. */
function searchable(name: string): string {
  return name.includes("\0") ? "" : name;
}

/**
 * The rows of a read, or REGISTRY_PENDING while there are no views to read. An indexer that starts replaces every view in one
 * transaction; PostgreSQL may end a read that deadlocks with it, and that read is repeated.
 */
export async function readable<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (viewsAreMissing(error)) throw new ApiError("REGISTRY_PENDING", { cause: error });
      if (sqlState(error) !== DEADLOCK || tries === MAX_TRIES) throw error;
    }
  }
}

/** Every read starts from the checkpoint: no row means that nothing has been indexed yet. */
export function firstOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new ApiError("REGISTRY_PENDING");
  return row;
}

/** undefined_table, or invalid_schema_name: no build of the indexer has caught up in this database yet. */
function viewsAreMissing(error: unknown): boolean {
  const state = sqlState(error);
  return state === "42P01" || state === "3F000";
}

function sqlState(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/**
 * Points one of Ponder's table objects at the schema of the views. Ponder fills the schema in while it builds; here nothing
 * has, and the table would be looked for on the search path. Mutates its argument: no other code in this process holds it.
 */
function inViews<T extends PgTable>(table: T): T {
  return Object.assign(table, { [Symbol.for("drizzle:Schema")]: VIEWS_SCHEMA });
}
