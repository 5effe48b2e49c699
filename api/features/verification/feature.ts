import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";
import { operations } from "./operation-rules.ts";
import { verifyRoutes } from "./verify.routes.ts";

export const verification = defineFeature({
  name: "verification",
  operations,
  decisions,
  mounts: [mount("/v1", verifyRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
