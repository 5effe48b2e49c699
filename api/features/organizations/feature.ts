import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import { organizationRoutes } from "./organizations.routes.ts";

export const organizations = defineFeature({
  name: "organizations",
  operations,
  mounts: [mount("/v1", organizationRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
