import { defineFeature, mount } from "../../platform/define-feature.ts";
import { recurring } from "../../platform/jobs/rules.ts";
import * as decisions from "./decisions.routes.ts";
import { ENDINGS_JOB } from "./ending-events.ts";
import { endingRoutes } from "./endings.routes.ts";
import { operations } from "./operation-rules.ts";
import { burnPageRoutes } from "./pages/burn.page.tsx";
import { reincarnatePageRoutes } from "./pages/reincarnate.page.tsx";
import { resealPageRoutes } from "./pages/reseal.page.tsx";
import { salePageRoutes } from "./pages/sale.page.tsx";
import { reincarnationRoutes } from "./reincarnation.routes.ts";
import * as typedData from "./typed-data.routes.ts";

export const endings = defineFeature({
  name: "endings",
  operations,
  typedData,
  decisions,
  mounts: [
    mount("/v1", endingRoutes),
    mount("/v1", reincarnationRoutes),
    mount("/", salePageRoutes),
    mount("/", resealPageRoutes),
    mount("/", burnPageRoutes),
    mount("/", reincarnatePageRoutes),
  ],
  tables: {},
  jobs: { [ENDINGS_JOB]: recurring(2, 120) },
  events: ["soul.resealed", "soul.burned"],
});
