import { defineFeature } from "../../platform/define-feature.ts";
import { jobWithIds, recurring } from "../../platform/jobs/rules.ts";
import * as endpoints from "./checks.routes.ts";
import { ENDPOINT_CHECK_JOBS } from "./checks.ts";
import * as tables from "./tables.ts";

export const endpointChecks = defineFeature({
  name: "endpoint-checks",
  operations: {},
  endpoints,
  mounts: [],
  tables,
  jobs: {
    [ENDPOINT_CHECK_JOBS.schedule]: recurring(60, 120),
    // Twelve endpoints, four at a time, of up to eight requests each.
    [ENDPOINT_CHECK_JOBS.check]: jobWithIds(4, 240),
  },
  events: [],
});
