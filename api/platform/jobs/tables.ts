import { text } from "drizzle-orm/pg-core";
import { app, at } from "../database/columns.ts";

/** When recurring work is due next. The process that advances the time owns the round. */
export const jobSchedule = app.table("job_schedule", {
  name: text("name").primaryKey(),
  nextRunAt: at("next_run_at").notNull(),
});
