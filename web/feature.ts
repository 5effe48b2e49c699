import { defineFeature, mount } from "../api/platform/define-feature.ts";
import { pageAssetRoutes } from "./asset-route.ts";
import { certificateImageRoutes } from "./explorer/certificate-image.routes.ts";
import { guidePageRoutes } from "./guides/guides.page.tsx";
import { referencePageRoutes } from "./guides/reference.page.tsx";
import { operations } from "./operation-rules.ts";
import * as endpoints from "./pages.routes.ts";
import { pictureRoutes } from "./sharing/pictures.routes.ts";
import { sitemapRoutes } from "./sharing/sitemap.routes.ts";

/** All pages, and the files that they load. */
export const web = defineFeature({
  name: "web",
  operations,
  endpoints,
  mounts: [
    mount("/", certificateImageRoutes),
    mount("/", referencePageRoutes),
    mount("/", guidePageRoutes),
    mount("/", pictureRoutes),
    mount("/", sitemapRoutes),
    mount("/", pageAssetRoutes),
  ],
  tables: {},
  jobs: {},
  events: [],
});
