import { defineFeature } from "../platform/define-feature.ts";
import { recurring } from "../platform/jobs/rules.ts";
import * as tables from "./tables.ts";

/** The engine for everything that owners sign. The operations themselves belong to features. */
export const ownerOperations = defineFeature({
  name: "operations",
  operations: {},
  mounts: [],
  tables,
  jobs: {
    "operations.finish": recurring(30, 300),
  },
  events: [],
});
