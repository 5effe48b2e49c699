import { defineFeature, mount } from "../../platform/define-feature.ts";
import { agentRoutes } from "./agents.routes.ts";
import { displayRoutes } from "./display.routes.ts";
import { operations } from "./operation-rules.ts";
import { profileRoutes } from "./profile.routes.ts";
import { publicIdentityRoutes } from "./public-identity.routes.ts";
import { soulValidityRoutes } from "./soul-validity.routes.ts";
import * as tables from "./tables.ts";

export const profile = defineFeature({
  name: "profile",
  operations,
  mounts: [
    mount("/v1", profileRoutes),
    mount("/v1", publicIdentityRoutes),
    mount("/v1", displayRoutes),
    mount("/v1", soulValidityRoutes),
    mount("/v1", agentRoutes),
  ],
  tables,
  jobs: {},
  events: [],
});
