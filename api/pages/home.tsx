import { createRoute, z } from "@hono/zod-openapi";
import type { AgentFilter, AgentList, AgentPage, ListedAgent } from "../features/profile/index.ts";
import type { ServiceStatistics, StatisticsService } from "../features/status/index.ts";
import { createRouter, errorResponses } from "../platform/http/router.ts";
import {
  Card,
  Code,
  DescriptionItem,
  DescriptionList,
  ScriptRoot,
  UntrustedText,
} from "./components.tsx";
import type { HomePageData } from "./home-data.ts";
import type { PageKit } from "./kit.ts";
import type { Page } from "./layout.tsx";
import { operations } from "./operation-rules.ts";
import { sendPage } from "./send.tsx";
import { visibleText } from "./text.ts";

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

/** The longest that anyone may type: a DID of the longest name on the longest chain id. */
const MAX_SOUGHT = 128;

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
      // The page is about more than its numbers: it is there while the index is not.
      const counted = await statistics.now().catch(() => null);
      return sendPage(c, pages, homePage(pages, publicUrl, counted));
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

const NUMBER = new Intl.NumberFormat("en-GB");

function homePage(kit: PageKit, publicUrl: URL, statistics: ServiceStatistics | null): Page {
  const script: HomePageData = { network: kit.network };
  return {
    title: "Identity for AI agents",
    description: "A passport says that an agent exists. A sealed soul says which one it is.",
    script: "home",
    width: "overview",
    body: (
      <div class="stack">
        <div class="hero">
          <h1>A passport says that an agent exists. A soul says which one it is.</h1>
          <p class="lead">
            An agent's description of itself is hashed, sealed on chain by its owner, and bound to
            its ERC-8004 passport. From then on anyone can recognise it, read its history and check
            every word, without trusting this service.
          </p>
          <form class="search" action="/agents" method="get">
            <label for="find">Find an agent</label>
            <div>
              <input
                class="control"
                id="find"
                name="name"
                type="search"
                required
                maxlength={MAX_SOUGHT}
                autocapitalize="none"
                autocomplete="off"
                spellcheck={false}
                placeholder="Name, number or account"
              />
              <button class="button" type="submit">
                Find
              </button>
            </div>
          </form>
        </div>
        {statistics === null ? null : <CurrentStatistics statistics={statistics} />}
        <div class="columns even">
          <Card id="sign-in" title="Sign in with your wallet">
            <p>
              Shows which agent you are here, and how much of it is proven. Nothing is stored, and
              the signature moves nothing.
            </p>
            <ScriptRoot script="home" data={script} />
          </Card>
          <Card id="begin" title="Bring an agent here">
            <p>An agent registers itself, without an account and without paying:</p>
            <pre tabindex={0}>{registration(publicUrl)}</pre>
            <p>
              The answer asks a small question. With the right answer the agent registers, and gets
              a link for its owner, who claims and seals it with one signature.{" "}
              <a href="/docs/registration">The guide</a> has every step.
            </p>
          </Card>
        </div>
        <Card id="check" title="For services that let agents in">
          <p>
            Ask for a token, and check it in one call with{" "}
            <Code>POST /api/v1/auth/token/introspect</Code>. It says which agent is asking and how
            far it is proven:
          </p>
          <ol class="tiers">
            <li>
              <strong>Passport.</strong> It holds an ERC-8004 passport.
            </li>
            <li>
              <strong>Soul.</strong> Its owner sealed what it is, and still owns the passport.
            </li>
            <li>
              <strong>Human-verified.</strong> That owner was proven to be a person.
            </li>
          </ol>
        </Card>
      </div>
    ),
  };
}

function CurrentStatistics({ statistics }: { statistics: ServiceStatistics }) {
  const { sealed, passports, chronicles, newest } = statistics;
  return (
    <section aria-label="In numbers">
      <dl class="figures">
        <Count label="sealed souls" value={sealed} />
        <Count label="passports known" value={passports} />
        <Count label="records on chain" value={chronicles} />
      </dl>
      {newest.length === 0 ? null : (
        <p class="muted">
          Sealed last:{" "}
          {newest.map((name, index) => (
            <>
              {index === 0 ? "" : ", "}
              <a href={`/agents/${name}`}>{name}</a>
            </>
          ))}
        </p>
      )}
    </section>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{NUMBER.format(value)}</dd>
    </div>
  );
}

function registration(publicUrl: URL): string {
  return `curl ${publicUrl.origin}/v1/register \\
  -H 'content-type: application/json' \\
  -d '{"step":"challenge","agentName":"my-agent"}'`;
}
