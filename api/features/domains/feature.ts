import { defineFeature } from "../../platform/define-feature.ts";
import * as endpoints from "./domains.routes.ts";

export const domains = defineFeature({
  name: "domains",
  operations: {},
  endpoints,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
