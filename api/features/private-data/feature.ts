import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import { privateDataRoutes } from "./private-data.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const privateData = defineFeature({
  name: "private-data",
  operations,
  typedData,
  mounts: [mount("/v1", privateDataRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
