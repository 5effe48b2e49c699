import { defineFeature } from "../../platform/define-feature.ts";
import { jobWithIds, recurring } from "../../platform/jobs/rules.ts";
import * as comparisonTables from "../../soul/comparison/tables.ts";
import * as decisions from "./decisions.routes.ts";
import * as tables from "./tables.ts";

export const life = defineFeature({
  name: "life",
  operations: {},
  decisions,
  mounts: [],
  tables: { ...tables, ...comparisonTables },
  jobs: {
    "passports.watch": recurring(2, 120),
    "index.compare": recurring(60, 120),
    "passport.suspend": jobWithIds(2, 180),
  },
  events: ["passport.transferred"],
});
