import { defineFeature, mount } from "../../platform/define-feature.ts";
import { guidePageRoutes } from "./guides.page.tsx";
import { operations } from "./operation-rules.ts";
import { referencePageRoutes } from "./reference.page.tsx";

/** The documents of `docs/` and the API reference, as pages with one search. */
export const guides = defineFeature({
  name: "guides",
  operations,
  // The reference first: its paths are also those of a guide named `api`, which must not exist.
  mounts: [mount("/", referencePageRoutes), mount("/", guidePageRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
