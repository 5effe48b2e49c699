import { defineFeature, mount } from "../../platform/define-feature.ts";
import { healthRoutes, openApiRoutes, operations } from "./health.routes.ts";
import { metricsRoutes } from "./metrics.routes.ts";
import * as endpoints from "./status.routes.ts";

export const status = defineFeature({
  name: "status",
  operations,
  endpoints,
  mounts: [mount("/", healthRoutes), mount("/", metricsRoutes), mount("/", openApiRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
