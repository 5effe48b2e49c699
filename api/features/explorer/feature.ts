import { defineFeature, mount } from "../../platform/define-feature.ts";
import { agentsPageRoutes } from "./agents.page.tsx";
import { certificateImageRoutes } from "./certificate-image.routes.ts";
import { certificatePageRoutes } from "./certificates.page.tsx";
import { operations } from "./operation-rules.ts";
import { ownerPageRoutes } from "./owners.page.tsx";
import { passportPageRoutes } from "./passports.page.tsx";

/** Pages to look at everything in the index. */
export const explorer = defineFeature({
  name: "explorer",
  operations,
  mounts: [
    mount("/", agentsPageRoutes),
    mount("/", passportPageRoutes),
    mount("/", certificatePageRoutes),
    mount("/", certificateImageRoutes),
    mount("/", ownerPageRoutes),
  ],
  tables: {},
  jobs: {},
  events: [],
});
