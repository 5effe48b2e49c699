import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";
import { registrationFileRoutes } from "./file.routes.ts";
import { operations } from "./operation-rules.ts";

export const passports = defineFeature({
  name: "passports",
  operations,
  decisions,
  mounts: [mount("/v1", registrationFileRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
