import { defineFeature, mount } from "../../platform/define-feature.ts";
import { nameRoutes } from "./names.routes.ts";
import { operations } from "./operation-rules.ts";
import * as tables from "./tables.ts";

export const names = defineFeature({
  name: "names",
  operations,
  mounts: [mount("/v1", nameRoutes)],
  tables,
  jobs: {},
  events: [],
});
