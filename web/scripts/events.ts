import type { EventBody } from "../../api/features/events/index.ts";
import type { EventsPageData } from "../events/page-data.ts";
import { actions, button, byId, element, link, pageData, transaction } from "./lib/dom.ts";
import { momentText } from "./lib/moments.ts";

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
  const status = element("p", { class: "muted", role: "status" }, "Connecting…");
  const pause = button("Pause", () => {
    isPaused = !isPaused;
    pause.textContent = isPaused ? "Go on" : "Pause";
    if (isPaused) say("Paused.");
    follow();
  });
  pause.className = "button secondary";
  root.classList.add("live");
  root.replaceChildren(status, actions(pause));

  let source: EventSource | null = null;
  let isPaused = false;
  let arrived = 0;
  // Browsers open few connections to one host: hidden tabs would leave none for this one.
  document.addEventListener("visibilitychange", follow);
  follow();

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
    status.textContent = words;
  }

  function prepend(event: EventBody): void {
    document.getElementById("no-events")?.remove();
    list.prepend(entry(event, explorer));
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

const NUMBER = new Intl.NumberFormat("en-GB");

/** Looks as the server's entry does. */
function entry(event: EventBody, explorer: string | null): HTMLElement {
  const { title, summary, meaning, block, timestamp, txHash } = event;
  return element(
    "li",
    { class: "new", "data-block": String(block) },
    element("p", {}, element("strong", {}, title), ` ${summary}`),
    element("p", { class: "muted event-meaning" }, meaning),
    element(
      "p",
      { class: "muted event-facts" },
      ...concerned(event),
      element("time", { datetime: timestamp }, momentText(timestamp)),
      " ",
      element("span", {}, `block ${NUMBER.format(block)}`),
      " ",
      transaction(explorer, txHash),
    ),
  );
}

function concerned({ agentName, organizationId }: EventBody): readonly (string | HTMLElement)[] {
  if (agentName !== null) return [link(`/agents/${agentName}`, agentName), " "];
  if (organizationId === null) return [];
  return [link(`/organizations/${organizationId}`, `organization ${organizationId}`), " "];
}
