import type { Platform } from "../../api/platform/build.ts";
import { createConsoleReads } from "./console.store.ts";

/** What the console's pages read beside the services of other features. */
export function buildConsole({ db }: Pick<Platform, "db">) {
  return { consoleReads: createConsoleReads(db) };
}
