import { defineFeature, mount } from "../../platform/define-feature.ts";
import { adminRoutes } from "./admins.routes.ts";
import { batchRoutes } from "./batches/batch.routes.ts";
import { invitationRoutes } from "./invitations.routes.ts";
import { memberRoutes } from "./members.routes.ts";
import { operations } from "./operation-rules.ts";
import { organizationRoutes } from "./organizations.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const organizations = defineFeature({
  name: "organizations",
  operations,
  typedData,
  mounts: [
    // Before the organizations: `/org/invitations` is no organization's id.
    mount("/v1", invitationRoutes),
    mount("/v1", organizationRoutes),
    mount("/v1", memberRoutes),
    mount("/v1", adminRoutes),
    mount("/v1", batchRoutes),
  ],
  tables: {},
  jobs: {},
  events: [],
});
