import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  ne,
  notExists,
  or,
  type SQL,
  sql,
  sum,
} from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { type AnyPgColumn, alias, QueryBuilder } from "drizzle-orm/pg-core";
import { type Address, getAddress, type Hex, isAddress, zeroAddress } from "viem";
import { alignmentSnapshot } from "../features/alignment/tables.ts";
import { chronicle } from "../features/chronicles/tables.ts";
import { displaySetting, publicIdentity } from "../features/profile/tables.ts";
import { readInBatches } from "../kernel/batches.ts";
import { dateOf } from "../kernel/chain-time.ts";
import { arrayParameter } from "../platform/database/array-parameter.ts";
import { type DeclaredIdentity, declaredIdentity } from "./declared-identity.ts";
import type {
  BirthBundle,
  HoldingReads,
  IndexedAgent,
  IndexedAgents,
  IndexedPassport,
  IndexedSoul,
  MembershipRecord,
  OriginalSoul,
  Reading,
} from "./index-reads.ts";
import {
  chainViews,
  checkpoint,
  decodeCheckpoint,
  firstOf,
  isValidSoul,
  mayBeOfAnItem,
  passportColumns,
  pointAbout,
  readable,
  searchable,
} from "./index-views.store.ts";
import { registration, soulSecret } from "./tables.ts";

// One statement reads all that the index and this service know of an agent, so that an answer is of one block.

const { soul, passport, passportMetadata, membership, binding, soulRevision, earning } = chainViews;

const query = new QueryBuilder();

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

/** The changeType of a completed task. */
const TASK_COMPLETED = "task_completed";

/** The registry's own metadata key, which a transfer clears. */
export const AGENT_WALLET = "agentWallet";

/** Compares with a column of this service's tables, whose indexes hold 64-bit numbers. */
const isOf = (column: AnyPgColumn) => sql`${column} = ${soul.tokenId}::bigint`;

// A name is given once, and its published fields belong to the soul that was sealed with them, not to a later revision.
export const isOfSoul = and(
  eq(registration.name, soul.name),
  eq(registration.state, "complete"),
  isNotNull(soul.sealedAt),
  sql`${registration.payload} #>> '{request,soulHash}' = ${soul.soulHash}`,
);
const resealed = query
  .select({ publicFields: soulSecret.publicFields })
  .from(soulSecret)
  .where(
    and(
      isOf(soulSecret.tokenId),
      eq(soulSecret.epoch, soul.epoch),
      eq(soulSecret.soulHash, soul.soulHash),
    ),
  );
export const publishedFields = sql<Record<
  string,
  unknown
> | null>`coalesce((${resealed}), ${registration.payload} #> '{request,publicFields}')`.as(
  "public_fields",
);
// Further self-descriptions of a registration stay through revisions, but not through a change of owner.
const statements = alias(registration, "said");
const request = sql`${statements.payload} -> 'request'`;
export const saidOfAgent = query
  .select({
    words: sql`json_build_object('identity', ${request} -> 'publicIdentity', 'displayName',
      ${request} #>> '{publicIdentity,displayName}', 'tagline',
      ${request} #>> '{publicIdentity,tagline}', 'image',
      coalesce(${request} #>> '{publicIdentity,image}', ${request} ->> 'avatar'))`,
  })
  .from(statements)
  .where(
    and(
      eq(statements.name, soul.name),
      eq(statements.state, "complete"),
      sql`lower(${statements.owner}) = ${soul.sealer}`,
    ),
  )
  .orderBy(desc(statements.createdAt))
  .limit(1);
const tasks = query
  .select({ tasks: count() })
  .from(chronicle)
  .where(and(isOf(chronicle.tokenId), eq(chronicle.changeType, TASK_COMPLETED)));
const lastRecord = query
  .select({ at: chronicle.recordedAt })
  .from(chronicle)
  .where(isOf(chronicle.tokenId))
  .orderBy(desc(chronicle.chronicleId))
  .limit(1);
const birthBundle = sql<BirthBundle | null>`${registration.payload} #> '{request,birthBundle}'`.as(
  "birth_bundle",
);

const liveBindings = query
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
const hadItFirst = query
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
const successors = query
  .select({ tokenId: successor.tokenId })
  .from(successor)
  .where(and(eq(successor.parentTokenId, soul.tokenId), isNotNull(successor.soulContinuity)))
  .orderBy(asc(successor.tokenId))
  .limit(1);
export const originalSoul = query
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
// The index has the time of the record. What was scored is older, which this service knows of its own snapshots.
const scoredAt = query
  .select({ at: sql`extract(epoch from ${alignmentSnapshot.scoredAt})::bigint` })
  .from(alignmentSnapshot)
  .where(
    and(
      isOf(alignmentSnapshot.tokenId),
      eq(alignmentSnapshot.epoch, soul.epoch),
      sql`${alignmentSnapshot.scoredBlock} = ${soul.alignmentBlock}::bigint`,
    ),
  )
  .orderBy(desc(alignmentSnapshot.createdAt))
  .limit(1);
const acting = sql`case when ${soul.operator} = ${zeroAddress} then ${soul.sealer} else ${soul.operator} end`;
const earnings = query
  .select({ amount: sum(earning.amount) })
  .from(earning)
  .where(and(eq(earning.recipient, acting), ne(earning.owner, soul.sealer)));

/**
 * The agents that were asked for together. The checkpoint is the left side of the join, so that an
 * agent that is not indexed still has the indexed block.
 *
 * @param wanted One row for each, with its `place`.
 */
function agentsWhere(db: NodePgDatabase, wanted: SQL, isTheAgent: SQL) {
  return db
    .select({
      place: sql<number>`wanted.place`.mapWith(Number).as("place"),
      point: pointAbout(soul.passportId),
      soul: getTableColumns(soul),
      alignmentAt: sql<bigint | null>`least(${soul.alignmentAt}, (${scoredAt}))`
        .mapWith(soul.tokenId)
        .as("scored_at"),
      passport: passportColumns,
      agentWallet: passportMetadata.value,
      membership: { organizationId: membership.organizationId, epoch: membership.epoch },
      bindings: sql<number>`(${liveBindings})`.mapWith(Number).as("bindings"),
      duplicateOf: sql<IndexedOriginal | null>`(${originalSoul})`.as("duplicate_of"),
      // Hardly any soul has a parent, so PostgreSQL expects many children of each and reads all souls to find one.
      successorTokenId: sql<
        bigint | null
      >`case when ${soul.status} = 'BURNED' then (${successors}) end`
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
    .innerJoin(sql`${wanted} as wanted(value, place)`, sql`true`)
    .leftJoin(soul, isTheAgent)
    .leftJoin(passport, eq(passport.id, soul.passportId))
    .leftJoin(
      passportMetadata,
      and(eq(passportMetadata.passportId, soul.passportId), eq(passportMetadata.key, AGENT_WALLET)),
    )
    .leftJoin(membership, eq(membership.tokenId, soul.tokenId))
    .leftJoin(registration, isOfSoul)
    .leftJoin(
      publicIdentity,
      and(isOf(publicIdentity.tokenId), eq(publicIdentity.epoch, soul.epoch)),
    )
    .leftJoin(
      displaySetting,
      and(isOf(displaySetting.tokenId), eq(displaySetting.epoch, soul.epoch)),
    );
}

/** As {@link agentsWhere}, without what says nothing of who holds them. */
function holdingsWhere(db: NodePgDatabase, wanted: SQL, isTheAgent: SQL) {
  return db
    .select({
      place: sql<number>`wanted.place`.mapWith(Number).as("place"),
      point: pointAbout(soul.passportId),
      soul: getTableColumns(soul),
      passport: passportColumns,
    })
    .from(checkpoint)
    .innerJoin(sql`${wanted} as wanted(value, place)`, sql`true`)
    .leftJoin(soul, isTheAgent)
    .leftJoin(passport, eq(passport.id, soul.passportId));
}

const NAMES = sql`unnest(${arrayParameter("values", "text")}) with ordinality`;
const NUMBERS = sql`unnest(${arrayParameter("values", "numeric")}) with ordinality`;

/**
 * Agents by name, certificate or passport. Concurrent reads of one kind share a prepared statement,
 * and thus one block.
 */
export function agentReads(db: NodePgDatabase): IndexedAgents & HoldingReads {
  const byName = together(
    agentsWhere(db, NAMES, sql`${soul.name} = wanted.value`).prepare("chain_profiles_by_name"),
  );
  const byTokenId = together(
    agentsWhere(db, NUMBERS, sql`${soul.tokenId} = wanted.value`).prepare(
      "chain_profiles_by_token_id",
    ),
  );
  const byPassport = together(
    agentsWhere(
      db,
      NUMBERS,
      sql`${soul.passportId} = wanted.value and ${soul.status} <> 'BURNED'`,
    ).prepare("chain_souls_by_passport"),
  );

  const holdings = together(
    holdingsWhere(db, NUMBERS, sql`${soul.tokenId} = wanted.value`).prepare(
      "chain_holdings_by_token_id",
    ),
  );

  return {
    async holding(tokenId) {
      const row = await holdings(tokenId.toString());
      return {
        at: decodeCheckpoint(row.point),
        value: row.soul && {
          soul: soulRecord(row.soul),
          passport: row.passport && passportRecord(row.passport),
        },
      };
    },

    async agent(ref) {
      switch (ref.kind) {
        case "name":
          return reading(await byName(searchable(ref.name)));
        case "tokenId":
          return reading(await byTokenId(ref.tokenId.toString()));
        case "passportId":
          return reading(await byPassport(ref.passportId.toString()));
      }
    },
  };
}

/** Reads the agents that are asked for at the same time in one statement. */
function together<Row extends Pick<AgentRow, "place" | "point">>(statement: {
  execute(values: { values: readonly string[] }): Promise<Row[]>;
}): (value: string) => Promise<Row> {
  return readInBatches(async (values) => {
    const rows = await readable(() => statement.execute({ values }));
    // Before anything was indexed there is no row at all.
    firstOf(rows);
    const byPlace = new Map(rows.toReversed().map((row) => [row.place, row]));
    return values.map((_, index) => byPlace.get(index + 1) as Row);
  }, mayBeOfAnItem);
}

interface AgentRow {
  /** Among the values that were asked for, from 1. */
  place: number;
  point: string;
  soul: SoulRow | null;
  alignmentAt: bigint | null;
  passport: PassportRow | null;
  agentWallet: Hex | null;
  membership: { organizationId: bigint | null; epoch: number | null } | null;
  bindings: number;
  duplicateOf: IndexedOriginal | null;
  successorTokenId: bigint | null;
  earned: bigint;
  publicFields: Record<string, unknown> | null;
  said: SaidOfAgent | null;
  identity: DeclaredIdentity | null;
  display: typeof displaySetting.$inferSelect | null;
  tasks: number;
  lastChronicleAt: Date | null;
  birthBundle: BirthBundle | null;
}

function reading(row: AgentRow): Reading<IndexedAgent | null> {
  return { at: decodeCheckpoint(row.point), value: row.soul && agentRecord(row, row.soul) };
}

function agentRecord(row: AgentRow, of: SoulRow): IndexedAgent {
  return {
    soul: { ...soulRecord(of), alignmentAt: row.alignmentAt },
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
  };
}

type SoulRow = typeof soul.$inferSelect;
type PassportRow = typeof passport.$inferSelect;

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
export interface IndexedOriginal {
  readonly tokenId: string;
  readonly agentName: string;
  readonly genesisStatus: OriginalSoul["genesisStatus"];
  readonly sealedAt: string;
}

export function originalRecord(row: IndexedOriginal): OriginalSoul {
  return {
    tokenId: BigInt(row.tokenId),
    agentName: row.agentName,
    genesisStatus: row.genesisStatus,
    sealedAt: dateOf(BigInt(row.sealedAt)),
  };
}

/** What a registration said of an agent besides its soul. */
export interface SaidOfAgent {
  readonly identity: Partial<DeclaredIdentity> | null;
  readonly displayName: string | null;
  readonly tagline: string | null;
  readonly image: string | null;
}

/**
 * The latest statements. The schemas of changes and of registrations validated them, and only they
 * write these columns.
 */
function identityRecord(
  changed: DeclaredIdentity | null,
  statements: SaidOfAgent | null,
): DeclaredIdentity | null {
  const identity = changed ?? statements?.identity ?? null;
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
export function checksummed(address: Hex | null): Address | null {
  return address === null || address === zeroAddress ? null : getAddress(address);
}

/** Cleared metadata is `0x`. The registry stores nothing but 20 bytes under this key. */
function walletAddress(value: Hex | null): Address | null {
  return value !== null && isAddress(value) ? checksummed(value) : null;
}
