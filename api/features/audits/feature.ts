import { defineFeature, mount } from "../../platform/define-feature.ts";
import { jobWithIds } from "../../platform/jobs/rules.ts";
import { auditRoutes } from "./audits.routes.ts";
import { operations } from "./operation-rules.ts";
import { AUDIT_ARCHIVE_JOB } from "./ports.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";
import { auditUploadRoutes } from "./uploads.routes.ts";

export const audits = defineFeature({
  name: "audits",
  operations,
  typedData,
  mounts: [mount("/v1", auditRoutes), mount("/v1", auditUploadRoutes)],
  tables,
  jobs: { [AUDIT_ARCHIVE_JOB]: jobWithIds(2, 120) },
  events: ["audit.requested"],
});
