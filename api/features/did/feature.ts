import { defineFeature } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";
import * as endpoints from "./did.routes.ts";

export const did = defineFeature({
  name: "did",
  operations: {},
  endpoints,
  decisions,
  mounts: [],
  tables: {},
  jobs: {},
  events: ["embodiment.updated"],
});
