import { and, eq, getTableColumns, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { type AnyPgColumn, bigint, jsonb, type PgTable, pgSchema, text } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import * as indexed from "../../indexer/ponder.schema.ts";
import { ApiError } from "../kernel/errors.ts";
import { noteIndexUse } from "../kernel/index-use.ts";
import { isDatabaseUnavailable } from "../platform/database/unavailable.ts";
import { passportDifference } from "./comparison/tables.ts";
import type { IndexedPoint } from "./index-reads.ts";

// The only file of the API that knows the indexer's tables, which it only reads. The tables themselves live in a schema
// named after the indexer's build; `chain` holds views of whichever build has caught up. Columns are listed one by one in
// every statement, so that a prepared one outlives the swap of the views.

const VIEWS_SCHEMA = "chain";

const soul = inViews(indexed.soul);
const passport = inViews(indexed.passport);
const membership = inViews(indexed.membership);
const membershipChange = inViews(indexed.membershipChange);
const passportOwner = inViews(indexed.passportOwner);
const passportMetadata = inViews(indexed.passportMetadata);
const passportTrust = inViews(indexed.passportTrust);
const certificate = inViews(indexed.certificate);
const binding = inViews(indexed.binding);
const bindingChange = inViews(indexed.bindingChange);
const soulRevision = inViews(indexed.soulRevision);
const soulEpoch = inViews(indexed.soulEpoch);
const operatorChange = inViews(indexed.operatorChange);
const earning = inViews(indexed.earning);
const agentKeys = inViews(indexed.agentKeys);
const allowance = inViews(indexed.allowance);
const spend = inViews(indexed.spend);
const organization = inViews(indexed.organization);
const organizationAdmin = inViews(indexed.organizationAdmin);
const alignment = inViews(indexed.alignment);
const feedback = inViews(indexed.feedback);
const validation = inViews(indexed.validation);
const validationResponse = inViews(indexed.validationResponse);
const soulEnd = inViews(indexed.soulEnd);
const suspension = inViews(indexed.suspension);
const didArchive = inViews(indexed.didArchive);
const agentKeysChange = inViews(indexed.agentKeysChange);
const allowanceChange = inViews(indexed.allowanceChange);
const batch = inViews(indexed.batch);
const feedbackResponse = inViews(indexed.feedbackResponse);
const humanProof = inViews(indexed.humanProof);

/** Views that other stores read with `readable`. */
export const chainViews = {
  soul,
  passport,
  passportOwner,
  passportMetadata,
  passportTrust,
  certificate,
  membership,
  membershipChange,
  earning,
  binding,
  bindingChange,
  soulRevision,
  soulEpoch,
  operatorChange,
  agentKeys,
  allowance,
  spend,
  organization,
  organizationAdmin,
  alignment,
  feedback,
  validation,
  validationResponse,
  soulEnd,
  suspension,
  didArchive,
  agentKeysChange,
  allowanceChange,
  batch,
  feedbackResponse,
  humanProof,
};

type Holding = Readonly<Record<"owner", AnyPgColumn>>;

/** As `isWithSealer` of the services: no suspension is on record, which outlasts a passport's return. */
export function isHeldBySealer(
  of: Readonly<Record<"sealer" | "suspendedOwner" | "passportId", AnyPgColumn>>,
  holding: Holding,
): SQL {
  return sql`(${eq(holding.owner, of.sealer)} and ${isNull(of.suspendedOwner)} and not ${differs(of.passportId)})`;
}

/** Whether the index is known to have this passport otherwise than the contracts. */
export function differs(passportId: AnyPgColumn | SQL): SQL<boolean> {
  return sql`exists (select from ${passportDifference}
    where ${passportDifference.passportId} = ${passportId})`;
}

/** A soul's validity in a list: it is not valid while its passport is known to differ. */
export function listedValidity(of: typeof soul): SQL<(typeof of.$inferSelect)["validity"]> {
  return sql`case when ${of.validity} = 'valid' and ${differs(of.passportId)}
    then 'suspended' else ${of.validity} end`;
}

/** Conditions and values of a passport's row under any name. */
interface OwnedPassport {
  readonly id: SQL | AnyPgColumn;
  readonly owner: SQL | AnyPgColumn;
  readonly ownerSinceBlock: SQL | AnyPgColumn;
}

/**
 * Who owns a passport. While the index is known to have it otherwise, that is the owner whom the contracts named when they were
 * compared, unless the index knows of a later sale.
 */
export function ownerOf({ id, owner, ownerSinceBlock }: OwnedPassport): SQL {
  return sql`coalesce((select compared.owner from ${passportDifference} as compared
    where compared.passport_id = ${id} and ${isNotSoldSince(ownerSinceBlock)}), ${owner})`;
}

function isNotSoldSince(block: SQL | AnyPgColumn): SQL {
  return sql`compared.seen_block >= coalesce(${block}, 0)`;
}

/** The columns of a passport for every answer, with {@link ownerOf}. */
export const passportColumns = {
  ...getTableColumns(passport),
  owner: sql<Hex | null>`${ownerOf(passport)}`.as("passport_owner"),
};

/** The ids of the passports that an account owns as {@link ownerOf} says, at most `limit` of those above `after`. */
export function passportsOwnedBy(
  account: string | SQL | Placeholder,
  { after, limit }: { readonly after?: string | undefined; readonly limit?: number } = {},
): SQL {
  const above = after === undefined ? sql`` : sql`and its.id > ${after}`;
  const page = limit === undefined ? sql`` : sql`order by its.id limit ${limit}`;
  const isCompared = sql`compared.owner is not null and ${isNotSoldSince(sql`its.owner_since_block`)}`;
  return sql`((select its.id from ${passport} as its where its.owner = ${account}
      and not exists (select from ${passportDifference} as compared
        where compared.passport_id = its.id and ${isCompared}) ${above} ${page})
    union all
    (select its.id from ${passportDifference} as compared
      join ${passport} as its on its.id = compared.passport_id
      where compared.owner = ${account} and ${isCompared} ${above} ${page}))`;
}

/** Whether a soul may be relied on, as the registry's own `isValid` answers it. */
export function isValidSoul(
  of: Readonly<Record<"status" | "sealer" | "suspendedOwner" | "passportId", AnyPgColumn>>,
  holding: Holding,
): SQL | undefined {
  return and(eq(of.status, "SEALED"), isHeldBySealer(of, holding));
}

export const checkpoint = pgSchema(VIEWS_SCHEMA).table("_ponder_checkpoint", {
  chainId: bigint("chain_id", { mode: "number" }).notNull(),
  latest: text("latest_checkpoint").notNull(),
  safe: text("safe_checkpoint").notNull(),
});

export const meta = pgSchema(VIEWS_SCHEMA).table("_ponder_meta", {
  key: text("key").notNull(),
  value: jsonb("value").$type<{ is_ready?: number }>().notNull(),
});

/** Before the number of the block that was taken back, at the end of a point. */
const TAKEN_BACK = ":";

// A restarted indexer first reverts every block that was not final, while its latest checkpoint still names the last of them.
// Until the indexer is ready again, only the safe checkpoint is correct. After a reorganization, the block up to which it had read
// follows, for a while and until it has read as far again: see the indexer's `taken-back.ts`.
export const point = sql<string>`case when exists (
  select 1 from ${meta} where ${meta.key} = 'app' and ${meta.value} ->> 'is_ready' = '1'
) then ${checkpoint.latest} || coalesce((
  select ${sql.raw(`'${TAKEN_BACK}'`)} || (${meta.value} #>> '{taken_back,from}') from ${meta} where ${meta.key} = 'app'
    and ${meta.value} #>> '{taken_back,from}' > substr(${checkpoint.latest}, 27, 16)
    and ${meta.value} #>> '{taken_back,until}' > substr(${checkpoint.latest}, 1, 10)
), '') else ${checkpoint.safe} end`.as("point");

/** The part of a checkpoint after time and chain, at the first block. */
const FIRST_BLOCK = "0".repeat(49);

/**
 * Up to where the index is right about one passport: not beyond the first block, while it is known to differ from the contracts.
 * What rests on it is then too old for every decision.
 */
export function pointAbout(passportId: AnyPgColumn | SQL) {
  return sql<string>`case when ${differs(passportId)}
    then left(${point.sql}, 26) || ${sql.raw(`'${FIRST_BLOCK}'`)} else ${point.sql} end`.as(
    "point",
  );
}

/** Where every read starts: `point` is decoded by `decodeCheckpoint`. */
export const indexedUpTo = { checkpoint, point };

/** Postgres's code for the victim of a deadlock. */
const DEADLOCK = "40P01";
const MAX_TRIES = 3;

/**
 * As {@link parseCheckpoint}, for a statement that read the index for an answer.
 *
 * @throws Error when the text has another form.
 */
export function decodeCheckpoint(text: string): IndexedPoint {
  const at = parseCheckpoint(text);
  noteIndexUse(at.block, text.includes(TAKEN_BACK));
  return at;
}

/**
 * The point that a checkpoint of Ponder stands for: 10 digits of Unix seconds, 16 of the chain id, 16 of the block number,
 * then transaction and event. What follows says that later blocks were taken back.
 *
 * @throws Error when the text has another form, which another version of Ponder would write.
 */
export function parseCheckpoint(text: string): IndexedPoint {
  const match = /^([0-9]{10})[0-9]{16}([0-9]{16})[0-9]{33}(?::[0-9]{16})?$/.exec(text);
  if (!match) throw new Error(`Not a checkpoint of this version of Ponder: ${text}`);
  return { timestamp: BigInt(match[1] ?? ""), block: BigInt(match[2] ?? "") };
}

/** How far the index has come, for a statement that does not start from the checkpoint; null before anything was indexed. */
export function indexedPointText(db: Pick<NodePgDatabase, "select">) {
  return sql<string | null>`(${db.select({ point }).from(checkpoint)})`.as("indexed_point");
}

/** As {@link indexedPointText}, of what a statement says about one passport. */
export function indexedPointAbout(
  db: Pick<NodePgDatabase, "select">,
  passportId: AnyPgColumn | SQL,
) {
  return sql<string | null>`(${db.select({ point: pointAbout(passportId) }).from(checkpoint)})`.as(
    "indexed_point",
  );
}

/** @throws ApiError REGISTRY_PENDING before anything was indexed. */
export function pointOf(text: string | null): IndexedPoint {
  if (text === null) throw new ApiError("REGISTRY_PENDING");
  return decodeCheckpoint(text);
}

/**
 * The rows of a read, or REGISTRY_PENDING while there are no views to read. An indexer of an earlier release replaces every view
 * when it starts; PostgreSQL may end a read that deadlocks with it, and that read is repeated.
 */
export async function readable<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  noteIndexUse(null);
  return withViews(read);
}

/** As {@link readable}, for what decides no answer. */
export async function withViews<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (viewsAreMissing(error)) throw new ApiError("REGISTRY_PENDING", { cause: error });
      if (sqlState(error) !== DEADLOCK || tries === MAX_TRIES) throw error;
    }
  }
}

/** Whether `readable` rejected because there are no views to read. */
export function isWithoutViews(error: unknown): boolean {
  return (
    error instanceof ApiError && error.type === "REGISTRY_PENDING" && viewsAreMissing(error.cause)
  );
}

/** Every read starts from the checkpoint: no row means that nothing has been indexed yet. */
export function firstOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new ApiError("REGISTRY_PENDING");
  return row;
}

/** For `readInBatches`: whether one of the values that were read for may be why a statement failed. */
export function mayBeOfAnItem(error: unknown): boolean {
  return !(error instanceof ApiError) && !isDatabaseUnavailable(error);
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
 * Postgres refuses NUL even in a parameter. No name contains it, so an empty name gives the same
 * result.
 */
export function searchable(name: string): string {
  return name.includes("\0") ? "" : name;
}

/**
 * A soul's token id as the service's own tables have it: the index has numerics. Without the cast
 * PostgreSQL compares numerics, for which the service's tables have no index.
 */
export function serviceTokenId(tokenId: AnyPgColumn): SQL {
  return sql`${tokenId}::bigint`;
}

/**
 * Points one of Ponder's table objects at the schema of the views. Ponder fills the schema in while it builds; here nothing
 * has, and the table would be looked for on the search path. Mutates its argument: no other code in this process holds it.
 */
function inViews<T extends PgTable>(table: T): T {
  return Object.assign(table, { [Symbol.for("drizzle:Schema")]: VIEWS_SCHEMA });
}
