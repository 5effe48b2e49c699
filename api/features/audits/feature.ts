import { defineFeature, mount } from "../../platform/define-feature.ts";
import { jobWithIds } from "../../platform/jobs/rules.ts";
import { AUDIT_ARCHIVE_JOB } from "./audits.ts";
import * as decisions from "./decisions.routes.ts";
import * as tables from "./tables.ts";
import { auditUploadRoutes, operations } from "./uploads.routes.ts";

export const audits = defineFeature({
  name: "audits",
  operations,
  decisions,
  mounts: [mount("/v1", auditUploadRoutes)],
  tables,
  jobs: { [AUDIT_ARCHIVE_JOB]: jobWithIds(2, 120) },
  events: ["audit.requested"],
});
