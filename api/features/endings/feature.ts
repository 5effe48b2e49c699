import { defineFeature } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import * as decisions from "./decisions.routes.ts";
import { ENDINGS_JOB } from "./ending-events.ts";
import * as endpoints from "./reincarnation.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const endings = defineFeature({
  name: "endings",
  operations: {},
  typedData,
  decisions,
  endpoints,
  mounts: [],
  tables: {},
  jobs: { [ENDINGS_JOB]: recurring(2, 120) },
  events: ["soul.resealed", "soul.burned"],
});
