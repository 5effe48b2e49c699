import { defineFeature, mount } from "../../platform/define-feature.ts";
import { agentPageRoutes } from "./agent.page.tsx";
import { consolePageRoutes } from "./console.page.tsx";
import { operations } from "./operation-rules.ts";
import { sectionPageRoutes } from "./section.page.tsx";

export const ownersConsole = defineFeature({
  name: "console",
  operations,
  mounts: [
    mount("/", consolePageRoutes),
    mount("/", agentPageRoutes),
    mount("/", sectionPageRoutes),
  ],
  tables: {},
  jobs: {},
  events: [],
});
