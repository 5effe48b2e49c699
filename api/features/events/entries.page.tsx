import { dateOf } from "../../kernel/chain-time.ts";
import { DateTime, Transaction } from "../../pages/components.tsx";
import type { PageKit } from "../../pages/kit.ts";
import { type IndexedEvent, wordsOf } from "./events.ts";

const NUMBER = new Intl.NumberFormat("en-GB");

/** One event in a list: what happened, what it means, when and where. */
export function EventEntry({
  kit,
  event,
  shows,
}: {
  kit: PageKit;
  event: IndexedEvent;
  /**
   * `agent`: everything, with a link to the agent. `accounts`: everything, on the agent's own page.
   * `title`: no account, as its owner wishes.
   */
  shows: "agent" | "accounts" | "title";
}) {
  const { title, sentence, meaning } = wordsOf(event);
  return (
    <li data-block={String(event.block)}>
      <p>
        <strong>{title}</strong> {shows === "title" ? null : sentence}
      </p>
      <p class="muted event-meaning">{meaning}</p>
      <p class="muted event-facts">
        {shows === "agent" ? <Concerned event={event} /> : null}{" "}
        <DateTime at={dateOf(event.timestamp)} /> <span>block {NUMBER.format(event.block)}</span>{" "}
        <Transaction kit={kit} hash={event.tx} />
      </p>
    </li>
  );
}

function Concerned({ event: { agent, organizationId } }: { event: IndexedEvent }) {
  if (agent === null && organizationId === null) return null;
  return agent === null ? (
    <a href={`/organizations/${organizationId}`}>organization {String(organizationId)}</a>
  ) : (
    <a href={`/agents/${agent.name}`}>{agent.name}</a>
  );
}
