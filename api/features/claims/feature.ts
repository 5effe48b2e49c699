import { defineFeature, mount } from "../../platform/define-feature.ts";
import { jobWithIds, recurring } from "../../platform/jobs/rules.ts";
import { claimRoutes } from "./claim.routes.ts";
import { ARCHIVE_DOCUMENT_JOB } from "./documents.ts";
import { operations } from "./operation-rules.ts";
import { registerRoutes } from "./register.routes.ts";
import { registerStatusRoutes } from "./status.routes.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const claims = defineFeature({
  name: "claims",
  operations,
  typedData,
  mounts: [
    mount("/api/v1", registerStatusRoutes),
    mount("/v1", registerRoutes),
    mount("/v1", claimRoutes),
  ],
  tables,
  jobs: {
    "registrations.expire": recurring(30, 120),
    [ARCHIVE_DOCUMENT_JOB]: jobWithIds(2, 60),
  },
  events: ["owner.claimed"],
});
