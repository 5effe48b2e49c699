import { index, integer, text } from "drizzle-orm/pg-core";
import { appTable, at } from "../database/columns.ts";

/** Requests that a name or an address was sent in its present quarter of an hour, for all agents. */
export const endpointHost = appTable(
  "endpoint_host",
  {
    kept: { days: 2, since: "began_at" },
    rebuiltFrom: null,
    lostWith: "How often hosts were asked in the last quarter of an hour.",
  },
  {
    /** `name <name>`, `end <labels>` or `address <address>`. */
    host: text("host").primaryKey(),
    beganAt: at("began_at").notNull(),
    requests: integer("requests").notNull(),
  },
  (table) => [index("endpoint_host_began_at").on(table.beganAt)],
);
