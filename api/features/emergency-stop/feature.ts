import { defineFeature } from "../../platform/define-feature.ts";
import * as endpoints from "./stop.routes.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const emergencyStop = defineFeature({
  name: "emergency-stop",
  operations: {},
  endpoints,
  typedData,
  mounts: [],
  tables,
  jobs: {},
  events: [],
});
