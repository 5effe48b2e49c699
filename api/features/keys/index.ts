import { defineFeature, mount } from "../../platform/feature.ts";
import { keyRoutes } from "./keys.routes.ts";
import { operations } from "./operations.ts";
import * as tables from "./tables.ts";
import { verifyKeyRoutes } from "./verify-key.routes.ts";

export const keys = defineFeature({
  name: "keys",
  operations,
  mounts: [mount("/api/v1", verifyKeyRoutes), mount("/v1", keyRoutes)],
  tables,
  jobs: {},
  events: [],
});
