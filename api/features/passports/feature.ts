import { defineFeature } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";
import * as endpoints from "./file.routes.ts";

export const passports = defineFeature({
  name: "passports",
  operations: {},
  decisions,
  endpoints,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
