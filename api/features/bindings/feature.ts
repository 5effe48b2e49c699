import { defineFeature, mount } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import { bindingRoutes } from "./bindings.routes.ts";
import { BINDINGS_JOB } from "./changes.ts";
import { operations } from "./operation-rules.ts";
import * as typedData from "./typed-data.routes.ts";

export const bindings = defineFeature({
  name: "bindings",
  operations,
  typedData,
  mounts: [mount("/v1", bindingRoutes)],
  tables: {},
  jobs: { [BINDINGS_JOB]: recurring(2, 120) },
  events: ["binding.created", "binding.revoked"],
});
