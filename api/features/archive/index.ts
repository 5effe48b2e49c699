import { defineFeature, mount } from "../../platform/feature.ts";
import { archiveRoutes } from "./archive.routes.ts";
import { operations } from "./operations.ts";

export const archive = defineFeature({
  name: "archive",
  operations,
  mounts: [mount("/", archiveRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
