import { defineFeature } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import * as endpoints from "./endpoints.routes.ts";
import { EXPIRY_JOB } from "./requests/expiry.ts";
import * as tables from "./tables.ts";

export const disclosure = defineFeature({
  name: "disclosure",
  operations: {},
  endpoints,
  mounts: [],
  tables,
  jobs: { [EXPIRY_JOB]: recurring(60, 120) },
  events: [
    "disclosure.requested",
    "disclosure.fulfilled",
    "disclosure.expired",
    "disclosure.revoked",
  ],
});
