import { defineFeature, mount } from "../../platform/define-feature.ts";
import { profilePageRoutes } from "./agent.page.tsx";
import { operations } from "./operation-rules.ts";

/** An agent's page, with cards of what other features know of it. */
export const agentPage = defineFeature({
  name: "agent-page",
  operations,
  mounts: [mount("/", profilePageRoutes)],
  tables: {},
  jobs: {},
  events: [],
});
