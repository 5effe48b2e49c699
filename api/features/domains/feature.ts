import { defineFeature, mount } from "../../platform/define-feature.ts";
import { domainVerificationRoutes, identityFileRoutes } from "./domains.routes.ts";
import { operations } from "./operation-rules.ts";

export const domains = defineFeature({
  name: "domains",
  operations,
  mounts: [mount("/", identityFileRoutes), mount("/v1", domainVerificationRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
