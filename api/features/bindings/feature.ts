import { defineFeature } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import * as endpoints from "./bindings.routes.ts";
import { BINDINGS_JOB } from "./changes.ts";
import * as typedData from "./typed-data.routes.ts";

export const bindings = defineFeature({
  name: "bindings",
  operations: {},
  endpoints,
  typedData,
  mounts: [],
  tables: {},
  jobs: { [BINDINGS_JOB]: recurring(2, 120) },
  events: ["binding.created", "binding.revoked"],
});
