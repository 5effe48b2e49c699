import { defineFeature, mount } from "../../platform/feature.ts";
import { operations } from "./operations.ts";
import { validateRoutes } from "./validate.routes.ts";
import { verifyRoutes } from "./verify.routes.ts";

export const verification = defineFeature({
  name: "verification",
  operations,
  mounts: [mount("/v1", validateRoutes), mount("/v1", verifyRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
