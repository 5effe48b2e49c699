import { sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { AskedPassports } from "./asked.ts";
import { passportAsked } from "./tables.ts";

/** Passports that one process remembers between two statements. */
const MOST_REMEMBERED = 500;
/** Rows beyond which nothing is added. */
const MOST_STORED = 1_000;
/** How long a process collects before it stores, in milliseconds. */
const COLLECTED_MS = 15_000;

/**
 * What is noted is lost with the process, and beyond the limits it is left out. That is harmless: the comparison comes to every
 * passport within a day anyway.
 */
export function createAskedPassports(db: Database): AskedPassports {
  const noted = new Set<bigint>();
  let timer: NodeJS.Timeout | undefined;

  async function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...noted].map(String);
    noted.clear();
    if (ids.length === 0) return;
    try {
      await db.execute(sql`insert into ${passportAsked} (passport_id)
        select unnest(${sql.param(ids)}::numeric[])
        where (select count(*) from ${passportAsked}) < ${MOST_STORED}
        on conflict do nothing`);
    } catch {
      // The next callers ask for the same passports.
    }
  }

  return {
    store,
    note(passportId) {
      if (noted.size === MOST_REMEMBERED) return;
      noted.add(passportId);
      timer ??= setTimeout(store, COLLECTED_MS).unref();
    },
  };
}
