import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { ENDPOINT_KINDS, ENDPOINT_STATES } from "../../../protocol/endpoints/index.ts";
import { appTable, at, hex } from "../../platform/database/columns.ts";

/** When each agent's endpoints are checked next. */
export const endpointWatch = appTable(
  "endpoint_watch",
  {
    kept: { forever: "One row for each agent: when its endpoints are checked next." },
    rebuiltFrom: null,
    lostWith: "When endpoints are checked next: every agent is checked again.",
    inPublicAnswers: true,
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).primaryKey(),
    /** Null: never again, because the soul has ended. */
    dueAt: at("due_at"),
    /** When the last check began, whether or not it came to an end. */
    startedAt: at("started_at"),
    /** Whether an endpoint answered in the last check that came to an end. */
    answering: boolean("answering").notNull().default(false),
  },
  (table) => [
    index("endpoint_watch_due").on(table.dueAt),
    index("endpoint_watch_answering").on(table.tokenId).where(sql`answering`),
  ],
);

/** The signed result of one check of an agent. */
export const endpointCheckSet = appTable(
  "endpoint_check_set",
  {
    kept: { days: 90, since: "started_at" },
    rebuiltFrom: null,
    lostWith: "The results of earlier checks of endpoints.",
    inPublicAnswers: true,
  },
  {
    id: uuid("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    startedAt: at("started_at").notNull(),
    /** The exact text that is signed. */
    statement: text("statement").notNull(),
    signature: hex("signature").notNull(),
  },
  (table) => [
    index("endpoint_check_set_agent").on(table.tokenId, table.startedAt),
    index("endpoint_check_set_age").on(table.startedAt),
  ],
);

/** What one endpoint did in one check. */
export const endpointCheck = appTable(
  "endpoint_check",
  {
    kept: { days: 90, since: "started_at" },
    rebuiltFrom: null,
    lostWith: "The results of earlier checks of endpoints.",
  },
  {
    setId: uuid("set_id")
      .notNull()
      .references(() => endpointCheckSet.id, { onDelete: "cascade" }),
    /** Its place in the registration file. */
    position: smallint("position").notNull(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    startedAt: at("started_at").notNull(),
    kind: text("kind", { enum: ENDPOINT_KINDS }).notNull(),
    /** As its owner wrote it: untrusted. */
    endpoint: text("endpoint").notNull(),
    state: text("state", { enum: ENDPOINT_STATES }).notNull(),
    latencyMs: integer("latency_ms"),
    certificateEnds: at("certificate_ends"),
  },
  (table) => [
    primaryKey({ columns: [table.setId, table.position] }),
    index("endpoint_check_agent").on(table.tokenId, table.startedAt),
    index("endpoint_check_age").on(table.startedAt),
  ],
);
