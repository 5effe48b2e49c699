import { defineFeature } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";
import { verifyAgent } from "./verify.routes.ts";

export const verification = defineFeature({
  name: "verification",
  operations: {},
  endpoints: { verifyAgent },
  decisions,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
