import { defineFeature, mount } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import * as tables from "../../soul/tables.ts";
import { operations } from "./operation-rules.ts";
import { typedDataRoutes } from "./typed-data.routes.ts";

export const registration = defineFeature({
  name: "registration",
  operations,
  mounts: [mount("/v1", typedDataRoutes)],
  // The read model of an agent joins them, so they are declared there.
  tables,
  jobs: {
    "api-keys.forget": recurring(30, 60),
  },
  events: [],
});
