import { eq, sql } from "drizzle-orm";
import type { Database } from "../db/connect.ts";
import { storageItem } from "../db/schema.ts";
import { openItem } from "./ans104.ts";
import type { StorageDriver } from "./driver.ts";

/** The embedded driver: items live in the service's own Postgres, and are served at `/ar/:id`. */
export function createLocalStorage(db: Database, clock: () => Date): StorageDriver {
  const read = db
    .select({ bytes: storageItem.bytes })
    .from(storageItem)
    .where(eq(storageItem.id, sql.placeholder("id")))
    .prepare("storage_item_by_id");

  return {
    name: "local",

    async store(item) {
      // What is kept under an id is never replaced, so a wrong item would stay for ever.
      await openItem(item);
      const { id, bytes } = item;
      await db.insert(storageItem).values({ id, bytes, createdAt: clock() }).onConflictDoNothing();
    },

    async read(id) {
      const [row] = await read.execute({ id });
      return row ? { id, bytes: row.bytes } : null;
    },
  };
}
