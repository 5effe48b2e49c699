import { defineFeature, mount } from "../../platform/define-feature.ts";
import { jobWithoutArguments, recurring } from "../../platform/jobs/rules.ts";
import { alignmentRoutes } from "./alignment.routes.ts";
import { freshnessRoutes } from "./freshness.routes.ts";
import { ALIGNMENT_JOBS } from "./job-names.ts";
import { operations } from "./operation-rules.ts";
import { snapshotRoutes } from "./snapshots/snapshots.routes.ts";
import * as tables from "./tables.ts";

export const alignment = defineFeature({
  name: "alignment",
  operations,
  mounts: [
    mount("/v1", alignmentRoutes),
    mount("/v1", snapshotRoutes),
    mount("/v1", freshnessRoutes),
  ],
  tables,
  jobs: {
    [ALIGNMENT_JOBS.schedule]: recurring(900, 300),
    [ALIGNMENT_JOBS.snapshots]: jobWithoutArguments(900),
  },
  events: ["alignment.changed", "freshness.requested"],
});
