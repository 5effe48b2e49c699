import { defineFeature, mount } from "../../platform/define-feature.ts";
import { soulDocumentRoutes } from "./documents.routes.ts";
import { operations } from "./operation-rules.ts";
import * as tables from "./tables.ts";

export const documents = defineFeature({
  name: "documents",
  operations,
  mounts: [mount("/v1", soulDocumentRoutes)],
  tables,
  jobs: {},
  events: [],
});
