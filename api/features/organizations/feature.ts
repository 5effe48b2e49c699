import { defineFeature } from "../../platform/define-feature.ts";
import * as admins from "./admins.routes.ts";
import { registerBatch } from "./batches/batch.routes.ts";
import * as invitations from "./invitations.routes.ts";
import * as members from "./members.routes.ts";
import * as reads from "./organizations.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const organizations = defineFeature({
  name: "organizations",
  operations: {},
  endpoints: { ...admins, registerBatch, ...invitations, ...members, ...reads },
  typedData,
  mounts: [],
  tables: {},
  jobs: {},
  events: [],
});
