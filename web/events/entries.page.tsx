import { type IndexedEvent, wordsOf } from "../../api/features/events/events.ts";
import { dateOf } from "../../api/kernel/chain-time.ts";
import { DateTime, Transaction } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";

const NUMBER = new Intl.NumberFormat("en-GB");

/** One event in a list: what happened, what it means, when and where. */
export function EventEntry({
  kit,
  event,
  shows,
  explains,
}: {
  kit: PageKit;
  event: IndexedEvent;
  /** Whether it says what such an event means: the first of its kind in a list does. */
  explains: boolean;
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
      {explains ? <p class="muted event-meaning">{meaning}</p> : null}
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

/** Those entries of a list that are the first of their kind. */
export function firstOfKind<Entry>(
  entries: readonly Entry[],
  kindOf: (entry: Entry) => string,
): ReadonlySet<Entry> {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    const kind = kindOf(entry);
    if (!first.has(kind)) first.set(kind, entry);
  }
  return new Set(first.values());
}
