import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import type { Reference } from "./audit.ts";

const PAGE = 500;

/** The ids in the service's own records: `id` and, for people, `by`. */
const RECORDS: readonly SQL[] = [
  sql`select archive_id as id, 'chronicle ' || chronicle_id || ' of soul ' || token_id as by from app.chronicle`,
  sql`select archive_id as id, 'batch ' || id as by from app.chronicle_batch where archive_id is not null`,
  sql`select archive_id as id, 'audit ' || id as by from app.audit where archive_id is not null`,
  sql`select archive_id as id, 'version ' || version || ' of document ' || document_id || ' of soul ' || token_id as by
    from app.document_version where archive_id is not null`,
  sql`select archive_id as id, 'alignment snapshot of soul ' || token_id as by
    from app.alignment_snapshot where archive_id is not null`,
];

const NO_ARCHIVE = `0x${"0".repeat(64)}`;

/**
 * The ids on chain, by the views that each query reads: an index that never ran has none. They
 * include ids that the service's records lost when the database was restored from a backup. Of
 * passports only those of living souls count, and only URIs in the form of an id: an owner can set
 * any text.
 */
const CHAIN: readonly { readonly views: readonly string[]; readonly query: SQL }[] = [
  {
    views: ["soul"],
    query: sql`select archive_id as id, 'soul ' || token_id as by from chain.soul where archive_id is not null`,
  },
  {
    views: ["soul_revision"],
    query: sql`select archive_id as id, 'revision ' || revision || ' of soul ' || token_id as by
      from chain.soul_revision where archive_id is not null`,
  },
  {
    views: ["did_archive"],
    query: sql`select ${storageId(sql`archive_id`)} as id, 'DID document of soul ' || token_id as by
      from chain.did_archive where archive_id <> ${NO_ARCHIVE}`,
  },
  {
    views: ["batch"],
    query: sql`select ${storageId(sql`leaves_archive_id`)} as id, 'anchored batch ' || id as by from chain.batch`,
  },
  {
    views: ["alignment"],
    query: sql`select ${storageId(sql`archive_id`)} as id, 'alignment of soul ' || token_id as by
      from chain.alignment`,
  },
  {
    views: ["passport", "soul"],
    query: sql`select substr(passport.uri, 6) as id, 'passport ' || passport.id || ' of soul ' || soul.token_id as by
      from chain.passport as passport join chain.soul as soul on soul.passport_id = passport.id
      where soul.status <> 'BURNED' and passport.uri ~ '^ar://[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'`,
  },
];

/** As `storageIdOf`: base64url of the 32 bytes that a column has as hex text. */
function storageId(hex: SQL): SQL {
  return sql`translate(rtrim(encode(decode(substr(${hex}, 3), 'hex'), 'base64'), '='), '+/', '-_')`;
}

/** Every id that the service's records and the index name, with one page in memory at a time. */
export async function* storageReferences(db: Database): AsyncIterable<Reference> {
  // The information schema would leave out tables that this role may not read, which must be an
  // error.
  const { rows } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = to_regnamespace('chain')`,
  );
  const present = new Set(rows.map(({ name }) => name));
  const indexed = CHAIN.filter(({ views }) => views.every((view) => present.has(view)));
  for (const source of [...RECORDS, ...indexed.map(({ query }) => query)]) {
    let last = "";
    for (;;) {
      const page = await db.execute<{ id: string; by: string }>(sql`
        select distinct on (id) id, by from (${source}) as named
        where id > ${last} order by id limit ${PAGE}`);
      yield* page.rows;
      const end = page.rows.at(-1);
      if (end === undefined) break;
      last = end.id;
    }
  }
}
