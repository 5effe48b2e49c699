import { defineFeature } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import * as tables from "../../soul/tables.ts";
import * as typedData from "./typed-data.routes.ts";

export const registration = defineFeature({
  name: "registration",
  operations: {},
  typedData,
  mounts: [],
  // The read model of an agent joins them, so they are declared there.
  tables,
  jobs: {
    "api-keys.forget": recurring(30, 60),
  },
  events: [],
});
