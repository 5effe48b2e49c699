import { defineFeature } from "../../platform/define-feature.ts";
import * as reads from "./allowances.routes.ts";
import * as changes from "./changes.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const allowances = defineFeature({
  name: "allowances",
  operations: {},
  endpoints: { ...reads, ...changes },
  typedData,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
