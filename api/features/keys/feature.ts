import { defineFeature } from "../../platform/define-feature.ts";
import * as endpoints from "./keys.routes.ts";
import * as tables from "./tables.ts";

export const keys = defineFeature({
  name: "keys",
  operations: {},
  endpoints,
  mounts: [],
  tables,
  jobs: {},
  events: [],
});
