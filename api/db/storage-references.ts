import { sql } from "drizzle-orm";
import type { Reference } from "../storage/audit.ts";
import type { Database } from "./connect.ts";

const PAGE = 500;

/** Everything that our records, and the index of the chain where there is one, say is stored: a page in memory at a time. */
export async function* storageReferences(db: Database): AsyncIterable<Reference> {
  const { rows } = await db.execute(sql`select to_regclass('chain.soul') as souls`);
  const sources = [
    sql`select archive_id as id, 'chronicle ' || chronicle_id || ' of soul ' || token_id as by from app.chronicle`,
    sql`select archive_id as id, 'batch ' || id as by from app.chronicle_batch where archive_id is not null`,
    ...(rows[0]?.souls == null
      ? []
      : [
          sql`select archive_id as id, 'soul ' || token_id as by from chain.soul where archive_id is not null`,
        ]),
  ];
  for (const source of sources) {
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
