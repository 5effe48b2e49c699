import { defineFeature, mount } from "../../platform/define-feature.ts";
import { eventRoutes } from "./events.routes.ts";
import { operations } from "./operation-rules.ts";
import { streamRoutes } from "./stream.routes.ts";

export const events = defineFeature({
  name: "events",
  operations,
  mounts: [mount("/v1", streamRoutes), mount("/v1", eventRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
