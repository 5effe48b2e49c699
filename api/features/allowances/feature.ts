import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as endpoints from "./allowances.routes.ts";
import { allowanceChangeRoutes } from "./changes.routes.ts";
import { operations } from "./operation-rules.ts";
import * as typedData from "./typed-data.routes.ts";

export const allowances = defineFeature({
  name: "allowances",
  operations,
  endpoints,
  typedData,
  mounts: [mount("/v1", allowanceChangeRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
