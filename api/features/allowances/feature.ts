import { defineFeature } from "../../platform/define-feature.ts";
import * as endpoints from "./endpoints.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const allowances = defineFeature({
  name: "allowances",
  operations: {},
  endpoints,
  typedData,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
