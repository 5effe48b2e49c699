import { defineFeature, mount } from "../../platform/define-feature.ts";
import { didRoutes } from "./did.routes.ts";
import { keySetRoutes } from "./key-set.routes.ts";
import { operations } from "./operation-rules.ts";
import * as typedData from "./typed-data.routes.ts";

export const did = defineFeature({
  name: "did",
  operations,
  typedData,
  mounts: [mount("/v1", didRoutes), mount("/v1", keySetRoutes)],
  tables: {},
  jobs: {},
  events: ["embodiment.updated"],
});
