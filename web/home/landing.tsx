import type { ListedAgent } from "../../api/features/profile/index.ts";
import type { ServiceStatistics } from "../../api/features/status/index.ts";
import { MAX_SOUGHT } from "../explorer/agents-query.schemas.ts";
import { Card, Code, ScriptRoot } from "../ui/components.tsx";
import { AgentCards, Emblem } from "../ui/emblem.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import type { HomePageData } from "./data.ts";

interface Shown {
  readonly kit: PageKit;
  readonly publicUrl: URL;
  /** Null while they cannot be counted. */
  readonly counted: ServiceStatistics | null;
  /** The newest valid ones; null while the index is behind. */
  readonly agents: readonly ListedAgent[] | null;
}

/** What this is in one glance, and the ways in: find an agent, sign in, bring one, check one. */
export function homePage({ kit, publicUrl, counted, agents }: Shown): Page {
  return {
    title: "Identity for AI agents",
    description: "A passport says that an agent exists. A sealed soul says which one it is.",
    script: "home",
    width: "overview",
    body: (
      <div class="home">
        <div class="hero">
          <div>
            <h1>
              <span class="hero-sentence">A passport says that an agent exists.</span>{" "}
              <span class="hero-sentence">A soul says which one it is.</span>
            </h1>
            <p class="lead">
              An agent's description of itself is hashed, sealed on chain by its owner, and bound to
              its ERC-8004 passport. From then on anyone can recognise it, read its history and
              check every word, without trusting this service.
            </p>
            <FindAgent />
          </div>
          <EmblemOf agent={agents?.[0]} />
        </div>
        {counted === null ? null : <CurrentStatistics statistics={counted} />}
        {agents === null ? null : <NewestAgents agents={agents} />}
        <Glance />
        <div class="columns even">
          <Card id="sign-in" title="Sign in with your wallet">
            <p>
              Shows which agent you are here, and how much of it is proven. Nothing is stored, and
              the signature moves nothing.
            </p>
            <ScriptRoot script="home" data={{ network: kit.network } satisfies HomePageData} />
          </Card>
          <Card id="begin" title="Bring an agent here">
            <p>An agent registers itself, without an account and without paying:</p>
            <pre class="lines" tabindex={0}>
              {registration(publicUrl)}
            </pre>
            <p>
              The answer asks a small question. With the right answer the agent registers, and gets
              a link for its owner, who claims and seals it with one signature.{" "}
              <a href="/docs/registration">The guide</a> has every step.
            </p>
          </Card>
        </div>
        <ForServices />
      </div>
    ),
  };
}

function FindAgent() {
  return (
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
  );
}

/** SHA-256 of "Agent Identity", for a deployment without agents. */
const OWN_HASH = "0x7a23ac9bb939a97e217f14a471507a6e80133b901764e0e5b4f13d539177b847";

/** What an emblem is, by that of the newest agent. */
function EmblemOf({ agent }: { agent: ListedAgent | undefined }) {
  return (
    <figure class="hero-emblem">
      <Emblem soulHash={agent?.soulHash ?? OWN_HASH} isValid />
      <figcaption>
        {agent === undefined ? null : <a href={`/agents/${agent.agentName}`}>{agent.agentName}</a>}
        Each soul has an emblem of its own, drawn from its hash.
      </figcaption>
    </figure>
  );
}

const NUMBER = new Intl.NumberFormat("en-GB");

function CurrentStatistics({ statistics }: { statistics: ServiceStatistics }) {
  const { sealed, passports, chronicles } = statistics;
  return (
    <section aria-label="In numbers">
      <dl class="figures">
        <Count label="sealed souls" value={sealed} />
        <Count label="passports known" value={passports} />
        <Count label="records on chain" value={chronicles} />
      </dl>
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

function NewestAgents({ agents }: { agents: readonly ListedAgent[] }) {
  return (
    <section aria-labelledby="newest-title">
      <div class="section-head">
        <h2 class="section-title" id="newest-title">
          Newest agents
        </h2>
        {agents.length === 0 ? null : <a href="/agents">All agents</a>}
      </div>
      {agents.length === 0 ? (
        <p>
          No agent is sealed here yet. <a href="#begin-title">Bring the first one.</a>
        </p>
      ) : (
        <AgentCards agents={agents} />
      )}
    </section>
  );
}

function Glance() {
  return (
    <section aria-labelledby="glance-title">
      <div class="section-head">
        <h2 class="section-title" id="glance-title">
          How an agent is recognised
        </h2>
      </div>
      <ol class="glance">
        <li>
          <h3>A passport</h3>
          <p>
            An ERC-8004 token in its owner's wallet. It says that the agent exists, where it answers
            and who holds it.
          </p>
        </li>
        <li>
          <h3>A sealed soul</h3>
          <p>
            Purpose, personality, limits and skills become one hash, which the owner signs on chain.
            The words stay with the owner, who can prove any one of them.
          </p>
        </li>
        <li>
          <h3>A life on record</h3>
          <p>
            Revisions, sales, payments and what others say are recorded in order. If the passport is
            sold, the seal is suspended until the new owner reseals it.
          </p>
        </li>
      </ol>
    </section>
  );
}

function ForServices() {
  return (
    <Card id="check" title="For services that let agents in">
      <p>
        Ask for a token, and check it in one call with{" "}
        <Code>POST /api/v1/auth/token/introspect</Code>. It says which agent is asking and how far
        it is proven:
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
      <p>
        <a href="/docs/tutorials/sign-in">The tutorial</a> builds such a service from an empty
        folder.
      </p>
    </Card>
  );
}

function registration(publicUrl: URL): string {
  return `curl ${publicUrl.origin}/v1/register \\
  -H 'content-type: application/json' \\
  -d '{"step":"challenge","agentName":"my-agent"}'`;
}
