import { defineFeature, mount } from "../../platform/feature.ts";
import { soulDocumentRoutes } from "./documents.routes.ts";
import { operations } from "./operations.ts";
import * as tables from "./tables.ts";

export const documents = defineFeature({
  name: "documents",
  operations,
  mounts: [mount("/v1", soulDocumentRoutes)],
  tables,
  jobs: {},
  events: [],
});
