import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as decisions from "./decisions.routes.ts";
import { registrationFileRoutes } from "./file.routes.ts";
import { registrationFileUpdateRoutes } from "./file-update.routes.ts";
import { operations } from "./operation-rules.ts";
import * as typedData from "./typed-data.routes.ts";

export const passports = defineFeature({
  name: "passports",
  operations,
  typedData,
  decisions,
  mounts: [mount("/v1", registrationFileRoutes), mount("/v1", registrationFileUpdateRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
