import { createRoute } from "@hono/zod-openapi";
import type { AgentList } from "../../api/features/profile/index.ts";
import type { StatisticsService } from "../../api/features/status/index.ts";
import { createRouter } from "../../api/platform/http/router.ts";
import { operations } from "../operation-rules.ts";
import type { PageKit } from "../ui/kit.ts";
import { sendPage } from "../ui/send.tsx";
import { homePage } from "./landing.tsx";

export interface HomePageDeps {
  readonly pages: PageKit;
  readonly statistics: StatisticsService;
  readonly publicUrl: URL;
  readonly agentList: AgentList;
}

const showHomePage = createRoute({
  method: "get",
  path: "/",
  operationId: "showHomePage",
  responses: { 200: { description: "The page." } },
});

/** The first page, and the form on it that leads to an agent's. */
export function homePageRoutes({ pages, statistics, publicUrl, agentList }: HomePageDeps) {
  return createRouter(operations).openapi(showHomePage, async (c) => {
    // The page is about more than its numbers and agents: it is there while the index is not.
    const [counted, newest] = await Promise.all([
      statistics.now().catch(() => null),
      agentList.list({ validity: "valid" }, NEWEST_FIRST, SHOWN_AGENTS).catch(() => null),
    ]);
    const agents = newest === null ? null : newest.value.agents;
    return sendPage(c, pages, homePage({ kit: pages, publicUrl, counted, agents }));
  });
}

/** Agents that the first page shows by their emblems. */
const SHOWN_AGENTS = 6;

const NEWEST_FIRST = { order: "newest", after: null } as const;
