import { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import { type Address, getAddress, isAddress } from "viem";
import type {
  AgentFilter,
  AgentList,
  AgentOrder,
  AgentPage,
  ExploredAgent,
} from "../../api/features/profile/index.ts";
import { ALL_AGENT_ORDERS } from "../../api/features/profile/index.ts";
import { CATEGORIES } from "../../api/features/registration/index.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { listedPage } from "../../api/platform/http/operations.ts";
import type { PassportReads, UnclaimedReads } from "../../api/soul/index-reads.ts";
import { AGENT_TYPES } from "../../protocol/agent-type.ts";
import { NAME_PATTERN } from "../../protocol/names.ts";
import { DescriptionItem, DescriptionList, Notice, UntrustedText } from "../ui/components.tsx";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { inWords, visibleText } from "../ui/text.ts";
import { AgentTable, ExploredCards } from "./agent-list.page.tsx";
import {
  AgentsQuery,
  agentsUrl,
  cursorOf,
  filterOf,
  isFiltered,
  MAX_SOUGHT,
  VALIDITIES,
} from "./agents-query.schemas.ts";
import { CursorTurner } from "./record-parts.page.tsx";

const PAGE_SIZE = 24;

/** What digits name: a certificate, and a passport with the soul that it carries. */
interface Numbered {
  readonly number: bigint;
  readonly certificate: ExploredAgent | undefined;
  readonly soul: ExploredAgent | undefined;
  readonly isPassport: boolean;
}

/** What was typed, where it names something besides agents of the list. */
interface Named {
  readonly numbered: Numbered | null;
  readonly account: Address | null;
  /** The name of an agent that its owner has not claimed. */
  readonly unclaimed: string | null;
}

interface Sources {
  readonly agentList: AgentList;
  readonly index: PassportReads;
  readonly unclaimed: UnclaimedReads["unclaimed"];
}

const isUnclaimed = async ({ unclaimed }: Sources, name: string) =>
  NAME_PATTERN.test(name) && (await unclaimed(name)) !== null;

/** The agent that was named exactly, or that alone was found. */
async function oneAgent(sources: Sources, sought: string): Promise<string | null> {
  if (sought === "" || /^[0-9]+$/.test(sought)) return null;
  const name = sought.toLowerCase().replace(/^did:svc:(?:\d+:)?/, "");
  // In the order of names the exact one comes before those that begin with it.
  const { value } = await sources.agentList.explore(
    { q: sought },
    { order: "name", after: null },
    2,
  );
  const [one, other] = value.agents;
  if (one === undefined) return (await isUnclaimed(sources, name)) ? name : null;
  return one.agentName === name || other === undefined ? one.agentName : null;
}

async function numbered({ agentList, index }: Sources, sought: string): Promise<Numbered | null> {
  if (!/^[0-9]{1,15}$/.test(sought)) return null;
  const number = BigInt(sought);
  const first = async (filter: AgentFilter, limit: number) =>
    (await agentList.explore(filter, { order: "registered", after: null }, limit)).value.agents;
  const [certificates, carried, passport] = await Promise.all([
    first({ tokenId: number }, 1),
    first({ erc8004AgentId: number }, 100),
    index.passport(number),
  ]);
  // A burned soul leaves its passport, which may carry another one.
  const soul = carried.find(({ genesisStatus }) => genesisStatus !== "BURNED");
  return { number, certificate: certificates[0], soul, isPassport: passport.value !== null };
}

async function named(sources: Sources, q: string, list: AgentPage<ExploredAgent>): Promise<Named> {
  const name = q.toLowerCase();
  const isHidden = list.agents.length === 0 && (await isUnclaimed(sources, name));
  return {
    numbered: await numbered(sources, q),
    account: isAddress(q, { strict: false }) ? getAddress(q) : null,
    unclaimed: isHidden ? name : null,
  };
}

/** All agents: searched, filtered, sorted, as cards or in a table. */
export const showAgentsPage = page({
  operationId: "showAgentsPage",
  rules: listedPage,
  path: "/agents",
  query: {
    ...AgentsQuery.shape,
    /** From a form that leads to one agent; the list is shown when it is not one. */
    name: z.string().trim().max(MAX_SOUGHT).optional(),
  },
  errors: ["INVALID_REQUEST", "REGISTRY_PENDING", "INDEX_BEHIND"],
  async show({ name, ...query }, sources: Sources, _kit, c) {
    if (name !== undefined) {
      const one = await oneAgent(sources, name);
      return c.redirect(one === null ? agentsUrl({ q: name }) : `/agents/${one}`, 303);
    }
    const { sort: order } = query;
    const after = cursorOf(query);
    const { at, value } = await sources.agentList.explore(
      filterOf(query),
      { order, after },
      PAGE_SIZE,
    );
    reflectsBlock(c, at, "same");
    const about = query.q === undefined ? null : await named(sources, query.q, value);
    return agentsPage(query, value, about);
  },
});

const ORDERS: Readonly<Record<AgentOrder, string>> = {
  newest: "Newest first",
  registered: "Oldest first",
  name: "Name",
  active: "Last active on chain",
  alignment: "Highest alignment",
};

const VALIDITY_WORDS: Readonly<Record<(typeof VALIDITIES)[number], string>> = {
  valid: "Valid",
  suspended: "Suspended",
  not_linked: "Not sealed, or ended",
};

function agentsPage(query: AgentsQuery, list: AgentPage<ExploredAgent>, about: Named | null): Page {
  const { q } = query;
  return {
    title: q === undefined || q === "" ? "Agents" : `Agents: ${visibleText(q)}`,
    description: "Every agent that is registered here: search, filter, compare.",
    script: "explorer",
    width: "overview",
    body: (
      <div class="stack">
        <h1>Agents</h1>
        <search>
          <SearchForm query={query} />
        </search>
        <div id="results" class="stack">
          <Results query={query} list={list} about={about} />
        </div>
      </div>
    ),
  };
}

/** Works without a script: the button loads the page again. With one, every change is shown at once. */
function SearchForm({ query }: { query: AgentsQuery }) {
  const { q = "", validity, type, category, organization, owner, operator, human } = query;
  const filters = [validity, type, category, organization, human, query.answers];
  const isOpen = filters.some((one) => one !== undefined);
  return (
    <form id="explore" class="explore" action="/agents" method="get">
      <div class="search">
        <label for="q">Name, number, account, DID, or a word of what they say</label>
        <div>
          <input
            class="control"
            id="q"
            name="q"
            type="search"
            value={q}
            maxlength={MAX_SOUGHT}
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
          />
          <button class="button" type="submit">
            Search
          </button>
        </div>
      </div>
      <details class="filters" open={isOpen}>
        <summary>Filters and order</summary>
        <div class="filter-grid">
          <Select
            name="validity"
            label="Standing"
            value={validity}
            any="Any"
            options={VALIDITIES.map((one) => [one, VALIDITY_WORDS[one]])}
          />
          <Select
            name="type"
            label="Type"
            value={type}
            any="Any"
            options={AGENT_TYPES.map((one) => [one, inWords(one)])}
          />
          <Select
            name="category"
            label="Category"
            value={category}
            any="Any"
            options={CATEGORIES.map((one) => [one, inWords(one)])}
          />
          <div class="field">
            <label for="organization">Organization, by number</label>
            <input
              class="control"
              id="organization"
              name="organization"
              inputmode="numeric"
              pattern="[1-9][0-9]{0,15}"
              value={organization?.toString() ?? ""}
              autocomplete="off"
            />
          </div>
          <Select
            name="sort"
            label="Order"
            value={query.sort}
            any={null}
            options={ALL_AGENT_ORDERS.map((one) => [one, ORDERS[one]])}
          />
        </div>
        <div class="filter-ticks">
          <div class="field tick">
            <input type="checkbox" id="human" name="human" value="1" checked={human === "1"} />
            <label for="human">Only with a human-verified owner</label>
          </div>
          <div class="field tick">
            <input
              type="checkbox"
              id="answers"
              name="answers"
              value="1"
              checked={query.answers === "1"}
            />
            <label for="answers">Only with an endpoint that answered lately</label>
          </div>
        </div>
      </details>
      {owner === undefined ? null : <input type="hidden" name="owner" value={owner} />}
      {operator === undefined ? null : <input type="hidden" name="operator" value={operator} />}
      {query.view === "cards" ? null : <input type="hidden" name="view" value={query.view} />}
    </form>
  );
}

function Select({
  name,
  label,
  value,
  any,
  options,
}: {
  name: string;
  label: string;
  value: string | undefined;
  /** Null where one is always chosen. */
  any: string | null;
  options: readonly (readonly [string, string])[];
}) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select class="control" id={name} name={name}>
        {any === null ? null : <option value="">{any}</option>}
        {options.map(([option, words]) => (
          <option value={option} selected={option === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

function Results({
  query,
  list: { agents, next },
  about,
}: {
  query: AgentsQuery;
  list: AgentPage<ExploredAgent>;
  about: Named | null;
}) {
  const { view, after } = query;
  return (
    <>
      {about === null ? null : <AboutTyped {...about} />}
      <div class="list-head">
        <p class={agents.length === 0 ? "visually-hidden" : "muted"} role="status">
          <Shown query={query} count={agents.length} hasMore={next !== null} />
        </p>
        <nav class="views" aria-label="View">
          <ViewLink query={query} view="cards">
            Cards
          </ViewLink>
          <ViewLink query={query} view="table">
            Table
          </ViewLink>
        </nav>
      </div>
      {agents.length === 0 ? (
        <Nothing query={query} />
      ) : view === "table" ? (
        <AgentTable agents={agents} />
      ) : (
        <ExploredCards agents={agents} />
      )}
      <CursorTurner
        first={
          after === undefined ? null : ["First page", agentsUrl({ ...query, after: undefined })]
        }
        next={next === null ? null : ["Next page", agentsUrl({ ...query, after: next })]}
      />
    </>
  );
}

/** Says what the list is of, for readers who do not see it change. */
function Shown({
  query: { owner, operator, sort, after },
  count,
  hasMore,
}: {
  query: AgentsQuery;
  count: number;
  hasMore: boolean;
}) {
  const more = hasMore ? ", and there are more" : "";
  const agents = count === 1 ? "1 agent" : `${count} agents`;
  return (
    <>
      {after === undefined ? agents : `${agents} on this page`}
      {more}. {ORDERS[sort]}.{owner === undefined ? null : <> Owned by {owner}.</>}
      {operator === undefined ? null : <> Acting through {operator}.</>}
    </>
  );
}

function ViewLink({
  query,
  view,
  children,
}: {
  query: AgentsQuery;
  view: AgentsQuery["view"];
  children: Child;
}) {
  const isCurrent = query.view === view;
  return (
    <a href={agentsUrl({ ...query, view })} aria-current={isCurrent ? "true" : undefined}>
      {children}
    </a>
  );
}

function Nothing({ query }: { query: AgentsQuery }) {
  if (query.after !== undefined) return <p>The list ends here.</p>;
  if (!isFiltered(query)) {
    return (
      <Notice tone="info" title="No agent is registered yet">
        <p>
          <a href="/docs/registration">Register the first one</a>: it takes one request, and a
          signature of its owner.
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="info" title="No agent matches">
      <p>
        Type less of the name, or choose fewer filters. <a href="/agents">Show all agents</a>
      </p>
    </Notice>
  );
}

function AboutTyped({ numbered, account, unclaimed }: Named) {
  return (
    <>
      {numbered === null ? null : <NumberedAgents {...numbered} />}
      {account === null ? null : (
        <p>
          <a href={`/owners/${account}`}>Everything of this account</a>: agents, passports and
          organizations.
        </p>
      )}
      {unclaimed === null ? null : (
        <p>
          <a href={`/agents/${unclaimed}`}>
            <UntrustedText text={unclaimed} />
          </a>{" "}
          registered itself, and waits for its owner.
        </p>
      )}
    </>
  );
}

function NumberedAgents({ number, certificate, soul, isPassport }: Numbered) {
  return (
    <section class="card" aria-label={`What number ${number} is`}>
      <DescriptionList>
        <DescriptionItem name={`Certificate ${number}`}>
          {certificate === undefined ? (
            <span class="muted">none</span>
          ) : (
            <>
              <a href={`/agents/${certificate.agentName}`}>{certificate.agentName}</a> ·{" "}
              <a href={`/certificates/${number}`}>the certificate</a>
            </>
          )}
        </DescriptionItem>
        <DescriptionItem name={`Passport ${number}`}>
          {soul === undefined ? null : (
            <>
              <a href={`/agents/${soul.agentName}`}>{soul.agentName}</a> ·{" "}
            </>
          )}
          {isPassport ? (
            <a href={`/passports/${number}`}>the passport</a>
          ) : (
            <span class="muted">none</span>
          )}
        </DescriptionItem>
      </DescriptionList>
    </section>
  );
}
