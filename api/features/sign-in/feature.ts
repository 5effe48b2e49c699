import { defineFeature, mount } from "../../platform/define-feature.ts";
import * as endpoints from "./endpoints.routes.ts";
import { operations } from "./operation-rules.ts";
import { signInRoutes } from "./sign-in.routes.ts";
import * as tables from "./tables.ts";
import { introspectRoutes } from "./tokens/introspect.routes.ts";

export const signIn = defineFeature({
  name: "sign-in",
  operations,
  endpoints,
  mounts: [mount("/api/v1", signInRoutes), mount("/api/v1", introspectRoutes)],
  tables,
  jobs: {},
  events: [],
});
