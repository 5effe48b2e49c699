import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import type { Reference } from "./audit.ts";

const PAGE = 500;

/** What our own records name: `id` and, for people, `by`. */
const RECORDS: readonly SQL[] = [
  sql`select archive_id as id, 'chronicle ' || chronicle_id || ' of soul ' || token_id as by from app.chronicle`,
  sql`select archive_id as id, 'batch ' || id as by from app.chronicle_batch where archive_id is not null`,
  sql`select archive_id as id, 'version ' || version || ' of document ' || document_id || ' of soul ' || token_id as by
    from app.document_version where archive_id is not null`,
];

const NO_ARCHIVE = `0x${"0".repeat(64)}`;

/**
 * What the chain names, by the views that each query reads: an index that was never made has none. It names what our own records
 * lost with the items, when the database is an older one again. Of passports only those of living souls count, and only URIs that
 * have the form of an id: an owner sets what it likes.
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

/** Everything that our records, and the index of the chain where there is one, say is stored: a page in memory at a time. */
export async function* storageReferences(db: Database): AsyncIterable<Reference> {
  // Not the information schema, which leaves out what this role may not read: that must be an error.
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
