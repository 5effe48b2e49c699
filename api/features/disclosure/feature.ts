import { defineFeature, mount } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import { disclosureRoutes } from "./disclosures.routes.ts";
import { operations } from "./operation-rules.ts";
import { policyRoutes } from "./policies.routes.ts";
import { EXPIRY_JOB } from "./requests/expiry.ts";
import { disclosureRequestRoutes } from "./requests/requests.routes.ts";
import * as tables from "./tables.ts";
import { verifyRoutes } from "./verify.routes.ts";

export const disclosure = defineFeature({
  name: "disclosure",
  operations,
  mounts: [
    mount("/v1", disclosureRoutes),
    mount("/v1", policyRoutes),
    mount("/v1", verifyRoutes),
    mount("/v1", disclosureRequestRoutes),
  ],
  tables,
  jobs: { [EXPIRY_JOB]: recurring(60, 120) },
  events: [
    "disclosure.requested",
    "disclosure.fulfilled",
    "disclosure.expired",
    "disclosure.revoked",
  ],
});
