import { defineFeature, mount } from "../../platform/define-feature.ts";
import { accessPageRoutes } from "./access.page.tsx";
import { operations } from "./operation-rules.ts";
import { stopRoutes } from "./stop.routes.ts";
import * as tables from "./tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const emergencyStop = defineFeature({
  name: "emergency-stop",
  operations,
  typedData,
  mounts: [mount("/v1", stopRoutes), mount("/", accessPageRoutes)],
  tables,
  jobs: {},
  events: [],
});
