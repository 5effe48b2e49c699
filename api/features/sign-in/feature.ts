import { defineFeature, mount } from "../../platform/define-feature.ts";
import { consoleRoutes, signOutRoutes } from "./console/console.routes.ts";
import { operations } from "./operation-rules.ts";
import { signInRoutes } from "./sign-in.routes.ts";
import * as tables from "./tables.ts";
import { authorizationServerRoutes } from "./tokens/authorization-server.routes.ts";
import { introspectRoutes } from "./tokens/introspect.routes.ts";
import { sessionRoutes } from "./tokens/sessions.routes.ts";
import { verifyKeyRoutes } from "./verify-key.routes.ts";

export const signIn = defineFeature({
  name: "sign-in",
  operations,
  mounts: [
    mount("/", authorizationServerRoutes),
    mount("/api/v1", signInRoutes),
    mount("/api/v1", consoleRoutes),
    mount("/api/v1", introspectRoutes),
    mount("/api/v1", verifyKeyRoutes),
    mount("/v1", sessionRoutes),
    mount("/v1", signOutRoutes),
  ],
  tables,
  jobs: {},
  events: [],
});
