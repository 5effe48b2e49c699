import { defineFeature } from "../../platform/define-feature.ts";
import * as agents from "./agents.routes.ts";
import * as displays from "./display.routes.ts";
import * as profiles from "./profile.routes.ts";
import * as identities from "./public-identity.routes.ts";
import * as tables from "./tables.ts";

export const profile = defineFeature({
  name: "profile",
  operations: {},
  endpoints: { ...agents, ...displays, ...profiles, ...identities },
  mounts: [],
  tables,
  jobs: {},
  events: [],
});
