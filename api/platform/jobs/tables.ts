import { text } from "drizzle-orm/pg-core";
import { appTable, at } from "../database/columns.ts";

/** When recurring work is due next. The process that advances the time owns the round. */
export const jobSchedule = appTable(
  "job_schedule",
  {
    kept: { forever: "One row for each kind of recurring job." },
    rebuiltFrom: null,
    lostWith: "Nothing: every recurring job runs once at the next start.",
  },
  {
    name: text("name").primaryKey(),
    nextRunAt: at("next_run_at").notNull(),
  },
);
