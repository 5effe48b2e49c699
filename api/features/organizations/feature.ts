import { defineFeature } from "../../platform/define-feature.ts";
import * as endpoints from "./endpoints.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const organizations = defineFeature({
  name: "organizations",
  operations: {},
  endpoints,
  typedData,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
