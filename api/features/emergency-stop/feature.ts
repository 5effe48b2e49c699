import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import { stopRoutes } from "./stop.routes.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const emergencyStop = defineFeature({
  name: "emergency-stop",
  operations,
  typedData,
  mounts: [mount("/v1", stopRoutes)],
  tables,
  jobs: {},
  events: [],
});
