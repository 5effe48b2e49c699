import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as endpoints from "./documents.routes.ts";
import { operations } from "./operation-rules.ts";
import * as tables from "./tables.ts";
import { uploadRoutes } from "./upload.routes.ts";

export const documents = defineFeature({
  name: "documents",
  operations,
  endpoints,
  mounts: [mount("/v1", uploadRoutes)],
  tables,
  jobs: {},
  events: [],
});
