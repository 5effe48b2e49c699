import * as chainTables from "./chain/tables.ts";
import { defineFeature } from "./define-feature.ts";
import * as idempotencyTables from "./idempotency/tables.ts";
import { recurring } from "./jobs/rules.ts";
import * as jobTables from "./jobs/tables.ts";
import * as outboundTables from "./outbound/tables.ts";
import * as sponsorshipTables from "./sponsorship/tables.ts";
import { STORAGE_JOBS } from "./storage/job-names.ts";
import * as storageTables from "./storage/tables.ts";

/** What every feature stands on keeps tables and has jobs of its own. */
export const platform = defineFeature({
  name: "platform",
  operations: {},
  mounts: [],
  tables: {
    ...chainTables,
    ...idempotencyTables,
    ...jobTables,
    ...outboundTables,
    ...sponsorshipTables,
    ...storageTables,
  },
  jobs: {
    "transactions.follow": recurring(30, 300),
    "answers.forget": recurring(30, 60),
    "rows.forget": recurring(3_600, 900),
    [STORAGE_JOBS.settle]: recurring(60, 900),
    [STORAGE_JOBS.confirm]: recurring(300, 900),
  },
  events: [],
});
