import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Hex } from "viem";
import { type SoulStanding, soulStanding } from "../../api/soul/standing.ts";
import { avatarSvg } from "../../protocol/index.ts";
import { Badge, type Tone } from "./components.tsx";
import { inWords } from "./text.ts";

/**
 * The drawing of a soul, beside its name. Part of the page: many of them compress well, because they share most of their
 * lines. Faded, as on the certificate, when the soul may not be relied on. A soul that was never sealed has none.
 */
export function Emblem({
  soulHash,
  isValid,
  isSmall = false,
}: {
  soulHash: Hex | null;
  isValid: boolean;
  /** For the row of a table. */
  isSmall?: boolean;
}) {
  const look = isSmall ? "emblem small" : "emblem";
  if (soulHash === null) return <span class={look} aria-hidden="true" />;
  return (
    <span class={isValid ? look : `${look} faded`} aria-hidden="true">
      {raw(avatarSvg({ name: "", soulHash }))}
    </span>
  );
}

/** The drawing of a soul at a place of a larger SVG, as its markup. */
export function emblemAt(
  soulHash: Hex,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
): string {
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${size}" height="${size}"`;
  return avatarSvg({ name: "", soulHash }).replace("<svg ", `<svg ${place} `);
}

/** What a card shows of an agent. */
export interface CardAgent {
  readonly agentName: string;
  readonly agentType: string;
  readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
  readonly soulValidity: "valid" | "suspended" | "not_linked";
  readonly soulHash: Hex | null;
}

/** Agents by their emblems, each leading to its page. */
export function AgentCards({ agents }: { agents: readonly CardAgent[] }) {
  return (
    <ul class="agent-cards">
      {agents.map((agent) => (
        <AgentCard agent={agent} />
      ))}
    </ul>
  );
}

/** One agent of a list of cards. What stands in it may have links of its own. */
export function AgentCard({
  agent,
  badges,
  children,
}: {
  agent: CardAgent;
  /** Beside the one that says how the soul stands. */
  badges?: Child;
  children?: Child;
}) {
  return (
    <li class="agent-card">
      <Emblem soulHash={agent.soulHash} isValid={agent.soulValidity === "valid"} />
      <div>
        <a class="agent-card-name" href={`/agents/${agent.agentName}`}>
          {agent.agentName}
        </a>
        <p class="muted">{inWords(agent.agentType)}</p>
        <StandingBadge soul={agent} /> {badges}
        {children}
      </div>
    </li>
  );
}

/** Whether a soul may be relied on, in a word. */
export function StandingBadge({ soul }: { soul: Parameters<typeof soulStanding>[0] }) {
  const { tone, word } = STANDINGS[soulStanding(soul)];
  return <Badge tone={tone}>{word}</Badge>;
}

/** Whether an agent may be relied on, as every list says it. */
const STANDINGS: Readonly<Record<SoulStanding, { readonly tone: Tone; readonly word: string }>> = {
  valid: { tone: "good", word: "Valid" },
  suspended: { tone: "caution", word: "Suspended" },
  not_linked: { tone: "bad", word: "Passport not readable" },
  not_sealed: { tone: "info", word: "Not sealed yet" },
  burned: { tone: "bad", word: "Burned" },
};
