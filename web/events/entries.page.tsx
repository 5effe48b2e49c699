import { type IndexedEvent, wordsOf } from "../../api/features/events/events.ts";
import { dateOf } from "../../api/kernel/chain-time.ts";
import { EventItem } from "../ui/event-item.tsx";
import type { PageKit } from "../ui/kit.ts";

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
    <EventItem
      kit={kit}
      title={title}
      text={shows === "title" ? null : sentence}
      meaning={explains ? meaning : null}
      concerned={shows === "agent" ? <Concerned event={event} /> : null}
      at={dateOf(event.timestamp)}
      block={event.block}
      hash={event.tx}
    />
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
