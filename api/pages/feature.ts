import { defineFeature, mount } from "../platform/define-feature.ts";
import { pageAssetRoutes } from "./asset-route.ts";
import { homePageRoutes } from "./home/routes.tsx";
import { operations } from "./operation-rules.ts";

/** The pages that belong to no feature, and the files that all pages load. */
export const pages = defineFeature({
  name: "pages",
  operations,
  mounts: [mount("/", pageAssetRoutes), mount("/", homePageRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
