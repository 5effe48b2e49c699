import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as endpoints from "./events.routes.ts";
import { operations, streamRoutes } from "./stream.routes.ts";

export const events = defineFeature({
  name: "events",
  operations,
  endpoints,
  mounts: [mount("/v1", streamRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
