import { defineFeature } from "../../platform/define-feature.ts";
import { jobWithIds, recurring } from "../../platform/jobs/rules.ts";
import { WEBHOOK_JOBS } from "./job-names.ts";
import * as tables from "./tables.ts";
import * as endpoints from "./webhooks.routes.ts";

export const webhooks = defineFeature({
  name: "webhooks",
  operations: {},
  endpoints,
  mounts: [],
  tables,
  jobs: {
    // A delivery schedules its own retries: these are for faults outside the receiver, such as a
    // database restart. Of the 16 places of a process one owner has at most four, so that slow
    // receivers do not delay others.
    [WEBHOOK_JOBS.deliver]: jobWithIds(16, 60),
    [WEBHOOK_JOBS.tellOwner]: jobWithIds(1, 60),
    [WEBHOOK_JOBS.confirmMail]: jobWithIds(1, 60),
    [WEBHOOK_JOBS.sweep]: recurring(60, 120),
  },
  events: ["webhook.failing", "webhook.disabled"],
});
