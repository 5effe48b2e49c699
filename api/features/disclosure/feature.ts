import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import { policyRoutes } from "./policies.routes.ts";
import * as tables from "./tables.ts";
import { verifyRoutes } from "./verify.routes.ts";

export const disclosure = defineFeature({
  name: "disclosure",
  operations,
  mounts: [mount("/v1", policyRoutes), mount("/v1", verifyRoutes)],
  tables,
  jobs: {},
  events: [],
});
