import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";
import { didRoutes } from "./did.routes.ts";
import { keySetRoutes } from "./key-set.routes.ts";
import { operations } from "./operation-rules.ts";

export const did = defineFeature({
  name: "did",
  operations,
  decisions,
  mounts: [mount("/v1", didRoutes), mount("/v1", keySetRoutes)],
  tables: {},
  jobs: {},
  events: ["embodiment.updated"],
});
