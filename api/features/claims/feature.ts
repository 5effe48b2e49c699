import { defineFeature } from "../../platform/define-feature.ts";
import { jobWithIds, recurring } from "../../platform/jobs/rules.ts";
import * as claimEndpoints from "./claim.routes.ts";
import { ARCHIVE_DOCUMENT_JOB } from "./documents.ts";
import * as registerEndpoints from "./register.routes.ts";
import * as statusEndpoints from "./status.routes.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const claims = defineFeature({
  name: "claims",
  operations: {},
  typedData,
  endpoints: { ...claimEndpoints, ...registerEndpoints, ...statusEndpoints },
  mounts: [],
  tables,
  jobs: {
    "registrations.expire": recurring(30, 120),
    [ARCHIVE_DOCUMENT_JOB]: jobWithIds(2, 60),
  },
  events: ["owner.claimed"],
});
