import { createRoute, z } from "@hono/zod-openapi";
import type {
  AgentFilter,
  AgentList,
  AgentPage,
  ListedAgent,
} from "../../features/profile/index.ts";
import type { StatisticsService } from "../../features/status/index.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { DescriptionItem, DescriptionList, UntrustedText } from "../components.tsx";
import type { PageKit } from "../kit.ts";
import type { Page } from "../layout.tsx";
import { operations } from "../operation-rules.ts";
import { sendPage } from "../send.tsx";
import { visibleText } from "../text.ts";
import { homePage, MAX_SOUGHT } from "./landing.tsx";

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

const findAgentPage = createRoute({
  method: "get",
  path: "/agents",
  operationId: "findAgentPage",
  request: { query: z.object({ name: z.string().max(MAX_SOUGHT).default("") }) },
  responses: {
    200: { description: "What was found, when it is more than one agent or digits." },
    303: { description: "To the page of the one agent that was found." },
    ...errorResponses("INVALID_REQUEST"),
  },
});

/** The first page, and the form on it that leads to an agent's. */
export function homePageRoutes({ pages, statistics, publicUrl, agentList }: HomePageDeps) {
  return createRouter(operations)
    .openapi(showHomePage, async (c) => {
      // The page is about more than its numbers and agents: it is there while the index is not.
      const [counted, newest] = await Promise.all([
        statistics.now().catch(() => null),
        agentList.list({ validity: "valid" }, NEWEST_FIRST, SHOWN_AGENTS).catch(() => null),
      ]);
      const agents = newest === null ? null : newest.value.agents;
      return sendPage(c, pages, homePage({ kit: pages, publicUrl, counted, agents }));
    })
    .openapi(findAgentPage, async (c) => {
      const sought = c.req
        .valid("query")
        .name.trim()
        .replace(/^did:svc:(?:\d+:)?/i, "");
      if (sought === "") return c.redirect("/", 303);
      const search = async (filter: AgentFilter) =>
        (await agentList.list(filter, FIRST_PAGE, MAX_FOUND)).value;
      if (/^[0-9]{1,15}$/.test(sought)) {
        // Asked for one by one: any number of names may begin with these digits.
        const number = BigInt(sought);
        const [certificates, passports, found] = await Promise.all([
          search({ tokenId: number }),
          search({ erc8004AgentId: number }),
          search({ q: sought }),
        ]);
        const numbered = { number, certificate: certificates.agents[0], carried: passports.agents };
        return sendPage(c, pages, foundPage(sought, found, numbered));
      }
      const found = await search({ q: sought });
      const { agents } = found;
      const exact = agents.find(({ agentName }) => agentName === sought.toLowerCase());
      const only = exact ?? (agents.length === 1 ? agents[0] : undefined);
      if (only === undefined && agents.length > 0) {
        return sendPage(c, pages, foundPage(sought, found, null));
      }
      return c.redirect(`/agents/${only?.agentName ?? encodeURIComponent(sought)}`, 303);
    });
}

/** Most agents that the page of a search shows. */
const MAX_FOUND = 25;

/** Agents that the first page shows by their emblems. */
const SHOWN_AGENTS = 6;

const NEWEST_FIRST = { order: "newest", after: null } as const;

const FIRST_PAGE = { order: "name", after: null } as const;

/** What digits name: a certificate, and a passport with the souls that it carried. */
interface Numbered {
  readonly number: bigint;
  readonly certificate: ListedAgent | undefined;
  readonly carried: readonly ListedAgent[];
}

/** What a search found. Digits offer certificate and passport first, then the names that begin with them. */
function foundPage(sought: string, found: AgentPage, numbered: Numbered | null): Page {
  const { agents, next } = found;
  const listed =
    numbered === null
      ? agents
      : agents.filter(({ agentName }) => agentName.startsWith(sought.toLowerCase()));
  return {
    title: `Search: ${visibleText(sought)}`,
    body: (
      <div class="stack">
        <h1>
          Found for “<UntrustedText text={sought} />”
        </h1>
        {numbered === null ? null : <NumberedAgents {...numbered} />}
        {listed.length === 0 ? null : (
          <ul>
            {listed.map((agent) => (
              <li>
                <AgentLink agent={agent} />: certificate {agent.tokenId.toString()}, passport{" "}
                {agent.erc8004AgentId.toString()}
              </li>
            ))}
          </ul>
        )}
        {next === null ? null : <p class="muted">There are more: type more of the name.</p>}
      </div>
    ),
  };
}

function NumberedAgents({ number, certificate, carried }: Numbered) {
  // A burned soul leaves its passport, which may carry another one.
  const soul = carried.find(({ genesisStatus }) => genesisStatus !== "BURNED");
  return (
    <DescriptionList>
      <DescriptionItem name={`Certificate ${number}`}>
        {certificate === undefined ? (
          <span class="muted">none</span>
        ) : (
          <AgentLink agent={certificate} />
        )}
      </DescriptionItem>
      <DescriptionItem name={`Passport ${number}`}>
        {soul === undefined ? (
          <a href={`/agents/agent-${number}`}>agent-{number.toString()}</a>
        ) : (
          <AgentLink agent={soul} />
        )}
      </DescriptionItem>
    </DescriptionList>
  );
}

function AgentLink({ agent }: { agent: ListedAgent }) {
  return <a href={`/agents/${agent.agentName}`}>{agent.agentName}</a>;
}
