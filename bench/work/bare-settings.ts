import pg from "pg";
import { readSettings } from "../lib/settings.ts";

export const settings = readSettings([
  "databaseUrl",
  "rpcUrl",
  "chronicleAnchor",
  "anchorerKey",
  "storageKey",
]);

/** As many connections as the service's. */
export const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 20 });
