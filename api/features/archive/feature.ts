import { defineFeature, mount } from "../../platform/define-feature.ts";
import { archiveRoutes } from "./archive.routes.ts";
import { operations } from "./operation-rules.ts";

export const archive = defineFeature({
  name: "archive",
  operations,
  mounts: [mount("/", archiveRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
