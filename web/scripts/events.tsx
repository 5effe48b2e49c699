import { render } from "hono/jsx/dom";
import type { EventBody } from "../../api/features/events/index.ts";
import type { EventsPageData } from "../events/page-data.ts";
import { EventItem } from "../ui/event-item.tsx";
import { actions, button, byId, drawn, pageData } from "./lib/dom.tsx";

// Prepends events to the list as they happen. The list is complete without it.

/** More would make the page slow; older ones are on the next pages. */
const SHOWN = 200;
/** Between two tries when the service refuses a connection. */
const RETRY_MS = 10_000;

const root = document.getElementById("events-root");
if (root !== null) start(root);

function start(root: HTMLElement): void {
  const { stream, explorer } = pageData<EventsPageData>(root);
  const list = byId("events");
  const address = new URL(stream, location.href);
  root.classList.add("live");
  render(
    [
      <p class="muted" role="status">
        Connecting…
      </p>,
      actions(button("Pause", pause, "button secondary")),
    ],
    root,
  );

  let source: EventSource | null = null;
  let isPaused = false;
  let arrived = 0;
  // Browsers open few connections to one host: hidden tabs would leave none for this one.
  document.addEventListener("visibilitychange", follow);
  follow();

  function pause(): void {
    isPaused = !isPaused;
    root.querySelector("button")?.replaceChildren(isPaused ? "Go on" : "Pause");
    if (isPaused) say("Paused.");
    follow();
  }

  /** Connects or disconnects, as it should be now. */
  function follow(): void {
    if (isPaused || document.hidden) {
      source?.close();
      source = null;
    } else if (source === null) {
      connect();
    }
  }

  function connect(): void {
    const opened = new EventSource(address);
    source = opened;
    opened.addEventListener("open", () => say("Live: new events appear here by themselves."));
    opened.addEventListener("message", ({ data, lastEventId }: MessageEvent<string>) => {
      // A paused page goes on where it stopped.
      address.searchParams.set("after", lastEventId);
      prepend(JSON.parse(data) as EventBody);
    });
    opened.addEventListener("replaced", ({ data, lastEventId }) => {
      address.searchParams.set("after", lastEventId);
      removeFrom((JSON.parse(data) as { fromBlock: number }).fromBlock);
    });
    opened.addEventListener("error", () => {
      if (source !== opened) return;
      if (opened.readyState === EventSource.CONNECTING) return say("Connecting again…");
      source = null;
      say("The connection was refused. Trying again soon.");
      setTimeout(follow, RETRY_MS);
    });
  }

  function say(words: string): void {
    root.querySelector("[role=status]")?.replaceChildren(words);
  }

  function prepend(event: EventBody): void {
    document.getElementById("no-events")?.remove();
    list.prepend(drawn(<Entry event={event} explorer={explorer} />));
    while (list.childElementCount > SHOWN) list.lastElementChild?.remove();
    arrived += 1;
    say(`Live: ${arrived} new ${arrived === 1 ? "event" : "events"}.`);
  }

  /** The chain took these back. */
  function removeFrom(block: number): void {
    for (const shown of list.querySelectorAll<HTMLElement>("[data-block]")) {
      if (Number(shown.dataset.block) >= block) shown.remove();
    }
  }
}

function Entry({ event, explorer }: { event: EventBody; explorer: string | null }) {
  return (
    <EventItem
      kit={{ network: { explorer } }}
      look="new"
      title={event.title}
      text={event.summary}
      meaning={event.meaning}
      concerned={<Concerned event={event} />}
      at={new Date(event.timestamp)}
      block={event.block}
      hash={event.txHash}
    />
  );
}

function Concerned({ event: { agentName, organizationId } }: { event: EventBody }) {
  if (agentName !== null) return <a href={`/agents/${agentName}`}>{agentName}</a>;
  if (organizationId === null) return null;
  return <a href={`/organizations/${organizationId}`}>organization {organizationId}</a>;
}
