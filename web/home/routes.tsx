import type { AgentList } from "../../api/features/profile/index.ts";
import type { StatisticsService } from "../../api/features/status/index.ts";
import { page as pageRules } from "../../api/platform/http/operations.ts";
import { page } from "../ui/page.ts";
import { homePage } from "./landing.tsx";

/** The first page, and the form on it that leads to an agent's. */
export const showHomePage = page({
  operationId: "showHomePage",
  rules: pageRules,
  path: "/",
  async show(
    _,
    {
      statistics,
      publicUrl,
      agentList,
    }: {
      readonly statistics: StatisticsService;
      readonly publicUrl: URL;
      readonly agentList: AgentList;
    },
    kit,
  ) {
    // The page is about more than its numbers and agents: it is there while the index is not.
    const [counted, newest] = await Promise.all([
      statistics.now().catch(() => null),
      agentList.list({ validity: "valid" }, NEWEST_FIRST, SHOWN_AGENTS).catch(() => null),
    ]);
    const agents = newest === null ? null : newest.value.agents;
    return homePage({ kit: kit, publicUrl, counted, agents });
  },
});

/** Agents that the first page shows by their emblems. */
const SHOWN_AGENTS = 6;

const NEWEST_FIRST = { order: "newest", after: null } as const;
