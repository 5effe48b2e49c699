import { defineFeature } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";

export const privateData = defineFeature({
  name: "private-data",
  operations: {},
  decisions,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
