import { defineFeature, mount } from "../platform/feature.ts";
import { recurring } from "../platform/jobs/rules.ts";
import * as tables from "./tables.ts";
import { typedDataRoutes } from "./typed-data.routes.ts";

/** The engine for everything that owners sign. The operations themselves belong to features. */
export const ownerOperations = defineFeature({
  name: "operations",
  operations: {},
  mounts: [mount("/v1", typedDataRoutes)],
  tables,
  jobs: {
    "operations.finish": recurring(30, 300),
  },
  events: [],
});
