import { defineFeature } from "../../platform/define-feature.ts";
import * as endpoints from "./names.routes.ts";
import * as tables from "./tables.ts";

export const names = defineFeature({
  name: "names",
  operations: {},
  endpoints,
  mounts: [],
  tables,
  jobs: {},
  events: [],
});
