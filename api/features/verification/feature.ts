import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import * as typedData from "./typed-data.routes.ts";
import { validateRoutes } from "./validate.routes.ts";
import { verifyRoutes } from "./verify.routes.ts";

export const verification = defineFeature({
  name: "verification",
  operations,
  typedData,
  mounts: [mount("/v1", validateRoutes), mount("/v1", verifyRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
