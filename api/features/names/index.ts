import { defineFeature, mount } from "../../platform/feature.ts";
import { nameRoutes } from "./names.routes.ts";
import { operations } from "./operations.ts";
import * as tables from "./tables.ts";

export const names = defineFeature({
  name: "names",
  operations,
  mounts: [mount("/v1", nameRoutes)],
  tables,
  jobs: {},
  events: [],
});
