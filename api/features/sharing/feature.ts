import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import { pictureRoutes } from "./pictures.routes.ts";
import { sitemapRoutes } from "./sitemap.routes.ts";

/** What links, READMEs, search engines and browsers' tabs show of the site and of its agents. */
export const sharing = defineFeature({
  name: "sharing",
  operations,
  mounts: [mount("/", pictureRoutes), mount("/", sitemapRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
