import { defineFeature } from "../../platform/define-feature.ts";
import { jobWithIds, jobWithoutArguments } from "../../platform/jobs/rules.ts";
import { chronicleEndpoints } from "./chronicles.routes.ts";
import { DERIVE_JOB } from "./derived.ts";
import { CHRONICLE_JOBS } from "./job-names.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const chronicles = defineFeature({
  name: "chronicles",
  operations: {},
  endpoints: chronicleEndpoints,
  typedData,
  mounts: [],
  tables,
  jobs: {
    [CHRONICLE_JOBS.batch]: jobWithoutArguments(900),
    [CHRONICLE_JOBS.follow]: jobWithoutArguments(300),
    [DERIVE_JOB]: jobWithIds(2, 60),
  },
  events: ["chronicle.recorded"],
});
