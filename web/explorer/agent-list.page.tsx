import type { Child } from "hono/jsx";
import type { ExploredAgent } from "../../api/features/profile/index.ts";
import { Badge, UntrustedText } from "../ui/components.tsx";
import { AgentCard, Emblem, StandingBadge } from "../ui/emblem.tsx";
import { inWords } from "../ui/text.ts";

// How lists show agents. Everything has its size before it is loaded, so that nothing moves.

/** Longest text of an agent in a list; its page has the whole. */
const MAX_WORDS = 140;

function HumanVerified({ agent }: { agent: ExploredAgent }) {
  return agent.isHumanVerified ? <Badge tone="info">Human-verified</Badge> : null;
}

/** What warns of a copy, and of a name that is easily mistaken. */
function Marks({ agent }: { agent: Pick<ExploredAgent, "duplicateOf" | "resembles"> }) {
  const { duplicateOf, resembles } = agent;
  const marks: Child[] = [];
  if (duplicateOf !== null) {
    marks.push(
      <p class="mark">
        Has the soul of <a href={`/agents/${duplicateOf.agentName}`}>{duplicateOf.agentName}</a>,
        which sealed it first
      </p>,
    );
  }
  if (resembles !== null) {
    marks.push(
      <p class="mark">
        Easily mistaken for <a href={`/agents/${resembles.agentName}`}>{resembles.agentName}</a>,
        which is older
      </p>,
    );
  }
  return <>{marks}</>;
}

function Words({ words }: { words: string | null }) {
  if (words === null || words === "") return null;
  const characters = [...words];
  const text =
    characters.length > MAX_WORDS ? `${characters.slice(0, MAX_WORDS).join("")}…` : words;
  return (
    <p class="agent-words">
      <UntrustedText text={text} />
    </p>
  );
}

/** Agents side by side, each with its emblem. */
export function ExploredCards({ agents }: { agents: readonly ExploredAgent[] }) {
  return (
    <ul class="agent-cards">
      {agents.map((agent) => (
        <AgentCard agent={agent} badges={<HumanVerified agent={agent} />}>
          <Words words={agent.words} />
          <Marks agent={agent} />
          <p class="agent-numbers">
            <span class="together">Certificate {String(agent.tokenId)}</span> ·{" "}
            <span class="together">passport {String(agent.erc8004AgentId)}</span>
            {agent.alignmentScore === null ? null : (
              <>
                {" · "}
                <span class="together">alignment {agent.alignmentScore}</span>
              </>
            )}
          </p>
        </AgentCard>
      ))}
    </ul>
  );
}

/** Agents in rows, for comparing. On a narrow window it scrolls by itself. */
export function AgentTable({ agents }: { agents: readonly ExploredAgent[] }) {
  return (
    <section class="table-scroll" aria-label="Agents" tabindex={0}>
      <table class="agent-table">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Standing</th>
            <th scope="col">Certificate</th>
            <th scope="col">Passport</th>
            <th scope="col">Organization</th>
            <th scope="col">Alignment</th>
            <th scope="col">Registered</th>
            <th scope="col">Last active</th>
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <AgentRow agent={agent} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function AgentRow({ agent }: { agent: ExploredAgent }) {
  const { agentName, tokenId, erc8004AgentId, organizationId, alignmentScore } = agent;
  return (
    <tr>
      <th scope="row">
        <span class="agent-cell">
          <Emblem soulHash={agent.soulHash} isValid={agent.soulValidity === "valid"} isSmall />
          <span>
            <a class="together" href={`/agents/${agentName}`}>
              {agentName}
            </a>
            <span class="agent-cell-type">{inWords(agent.agentType)}</span>
            <Marks agent={agent} />
          </span>
        </span>
      </th>
      <td>
        <StandingBadge soul={agent} /> <HumanVerified agent={agent} />
      </td>
      <td>
        <a href={`/certificates/${tokenId}`}>{String(tokenId)}</a>
      </td>
      <td>
        <a href={`/passports/${erc8004AgentId}`}>{String(erc8004AgentId)}</a>
      </td>
      <td>
        {organizationId === 0n ? (
          <span class="muted">none</span>
        ) : (
          <a href={`/organizations/${organizationId}`}>{String(organizationId)}</a>
        )}
      </td>
      <td>{alignmentScore ?? <span class="muted">no score</span>}</td>
      <td>
        <Day at={agent.mintTimestamp} />
      </td>
      <td>
        <Day at={agent.lastActiveAt} />
      </td>
    </tr>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

function Day({ at }: { at: Date }) {
  return <time datetime={at.toISOString()}>{DAY.format(at)}</time>;
}
