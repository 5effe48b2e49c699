import { defineFeature, mount } from "../../platform/define-feature.ts";
import { keyRoutes } from "./keys.routes.ts";
import { operations } from "./operation-rules.ts";
import * as tables from "./tables.ts";

export const keys = defineFeature({
  name: "keys",
  operations,
  mounts: [mount("/v1", keyRoutes)],
  tables,
  jobs: {},
  events: [],
});
