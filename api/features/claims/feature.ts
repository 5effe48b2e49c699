import { defineFeature } from "../../platform/define-feature.ts";
import { jobWithIds, recurring } from "../../platform/jobs/rules.ts";
import { ARCHIVE_DOCUMENT_JOB } from "./documents.ts";
import * as endpoints from "./endpoints.routes.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const claims = defineFeature({
  name: "claims",
  operations: {},
  typedData,
  endpoints,
  mounts: [],
  tables,
  jobs: {
    "registrations.expire": recurring(30, 120),
    [ARCHIVE_DOCUMENT_JOB]: jobWithIds(2, 60),
  },
  events: ["owner.claimed"],
});
