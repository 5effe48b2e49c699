import { defineFeature } from "../../platform/define-feature.ts";
import * as endpoints from "./endpoints.routes.ts";
import * as tables from "./tables.ts";

export const profile = defineFeature({
  name: "profile",
  operations: {},
  endpoints,
  mounts: [],
  tables,
  jobs: {},
  events: [],
});
