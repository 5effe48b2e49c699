import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import { toolRoutes } from "./tools.routes.ts";

export const tools = defineFeature({
  name: "tools",
  operations,
  mounts: [mount("/v1", toolRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
