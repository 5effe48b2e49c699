import { defineFeature } from "../../platform/define-feature.ts";
import { jobWithoutArguments, recurring } from "../../platform/jobs/rules.ts";
import * as endpoints from "./alignment.routes.ts";
import { ALIGNMENT_JOBS } from "./job-names.ts";
import * as tables from "./tables.ts";

export const alignment = defineFeature({
  name: "alignment",
  operations: {},
  endpoints,
  mounts: [],
  tables,
  jobs: {
    [ALIGNMENT_JOBS.schedule]: recurring(900, 300),
    [ALIGNMENT_JOBS.snapshots]: jobWithoutArguments(900),
  },
  events: ["alignment.changed", "freshness.requested"],
});
