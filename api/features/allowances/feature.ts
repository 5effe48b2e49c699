import { defineFeature, mount } from "../../platform/define-feature.ts";
import { allowanceRoutes } from "./allowances.routes.ts";
import { allowanceChangeRoutes } from "./changes.routes.ts";
import { operations } from "./operation-rules.ts";
import * as typedData from "./typed-data.routes.ts";

export const allowances = defineFeature({
  name: "allowances",
  operations,
  typedData,
  mounts: [mount("/v1", allowanceChangeRoutes), mount("/v1", allowanceRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
