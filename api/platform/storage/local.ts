import type { Database } from "../database/connect.ts";
import { openItem } from "./ans104.ts";
import { createStorageItems } from "./items.store.ts";
import type { StorageDriver } from "./permanent.ts";

/** The embedded driver: items live in the service's own Postgres, and are served at `/ar/:id`. */
export function createLocalStorage(db: Database, clock: () => Date): StorageDriver {
  const items = createStorageItems(db, clock);

  return {
    name: "local",

    async store(item) {
      // A stored item is never replaced, so a wrong one would stay for ever.
      await items.keep(item, await openItem(item));
    },

    read: items.readAnnounced,
  };
}
