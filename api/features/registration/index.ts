import { defineFeature, mount } from "../../platform/feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import { operations } from "./operations.ts";
import { registerRoutes } from "./register.routes.ts";
import { registerStatusRoutes } from "./status.routes.ts";
import * as tables from "./tables.ts";

export const registration = defineFeature({
  name: "registration",
  operations,
  mounts: [mount("/api/v1", registerStatusRoutes), mount("/v1", registerRoutes)],
  tables,
  jobs: {
    "registrations.finish": recurring(30, 300),
    "api-keys.forget": recurring(30, 60),
  },
  events: [],
});
