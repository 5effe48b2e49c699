import { z } from "@hono/zod-openapi";
import type { EventPage, EventService } from "../../api/features/events/events.ts";
import { EVENT_KINDS, type EventKind, KINDS } from "../../api/features/events/kinds.ts";
import { eventCursors } from "../../api/features/events/schemas.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { listedPage } from "../../api/platform/http/operations.ts";
import { TypedAgentSchema } from "../../api/platform/http/schemas.ts";
import { Card, Notice, NumberNote, ScriptRoot, UntrustedText } from "../ui/components.tsx";
import { Choice, TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { sendPage } from "../ui/send.tsx";
import { EventEntry, firstOfKind } from "./entries.page.tsx";
import type { EventsPageData } from "./page-data.ts";

const PAGE_SIZE = 25;

/** An empty field of a form stands for no filter. */
const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => undefined), schema]).optional();

/** Undefined for no agent of this name or passport. */
async function sought(eventLists: EventService, agent: string) {
  const ref = TypedAgentSchema.safeParse(agent);
  return ref.success ? ((await eventLists.findLife(ref.data)) ?? undefined) : undefined;
}

/** What happens, the newest first. */
export const showEventsPage = page({
  operationId: "showEventsPage",
  rules: listedPage,
  path: "/events",
  query: {
    agent: z.string().max(100).optional(),
    kind: unlessEmpty(z.enum(KINDS)),
    before: eventCursors.param,
  },
  errors: ["INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING"],
  async show(
    { agent: typed = "", kind = null, before },
    { eventLists }: { readonly eventLists: EventService },
    kit,
    c,
  ) {
    const agent = typed.trim();
    const life = agent === "" ? null : await sought(eventLists, agent);
    if (life === undefined) return sendPage(c, kit, unknownAgentPage(kit, { agent, kind }), 404);
    const window = { before: before ?? null, limit: PAGE_SIZE };
    const { at, value } = await eventLists.older({ agent: life, kind }, window);
    reflectsBlock(c, at);
    const isFirst = before === undefined;
    const tokenId = life?.tokenId ?? null;
    return eventsPage(kit, { value, agent, tokenId, kind, isFirst });
  },
});

interface Filter {
  readonly agent: string;
  readonly kind: EventKind | null;
}

interface Shown extends Filter {
  /** Of the agent; null for all agents. */
  readonly tokenId: bigint | null;
  readonly value: EventPage;
  readonly isFirst: boolean;
}

function Intro({ kit }: { kit: PageKit }) {
  return (
    <div>
      <p class="eyebrow">On {kit.network.name}</p>
      <h1>Events</h1>
      <p class="lead">
        Everything that happens to agents on chain: registrations, seals, sales, payments and what
        others say of them. The newest first.
      </p>
    </div>
  );
}

function FilterForm({ agent, kind }: Filter) {
  return (
    <form class="card event-filter" method="get" action="/events">
      <Choice
        name="kind"
        label="Kind"
        value={kind ?? ""}
        options={[
          { value: "", label: "All kinds" },
          ...KINDS.map((one) => ({ value: one, label: EVENT_KINDS[one].title })),
        ]}
      />
      <TextField name="agent" label="Agent" hint="Its name or passport number." value={agent} />
      <div class="actions">
        <button class="button" type="submit">
          Show
        </button>
      </div>
    </form>
  );
}

function unknownAgentPage(kit: PageKit, filter: Filter): Page {
  return {
    title: "Events",
    body: (
      <div class="stack">
        <Intro kit={kit} />
        <FilterForm {...filter} />
        <NumberNote typed={filter.agent} />
        <Notice tone="caution" title="No such agent">
          <p>
            No agent has the name or passport <UntrustedText text={filter.agent} />. Correct it, or
            leave the field empty for <a href="/events">all agents</a>.
          </p>
        </Notice>
      </div>
    ),
  };
}

type Cursor = Readonly<Partial<Record<"after" | "before", string>>>;

function eventsPage(kit: PageKit, { value, agent, tokenId, kind, isFirst }: Shown): Page {
  const { events, older, newer } = value;
  const explained = firstOfKind(events, (event) => event.kind);
  // A form's digits are a passport's, a program's are a certificate's.
  const address = (path: "/events" | "/v1/events" | "/v1/events/stream", more?: Cursor) => {
    const ofAgent = path === "/events" ? agent : (tokenId?.toString() ?? "");
    const all = Object.entries({ agent: ofAgent, kind: kind ?? "", ...more });
    const query = new URLSearchParams(all.filter(([, value]) => value !== "")).toString();
    return query === "" ? path : `${path}?${query}`;
  };
  const script: EventsPageData = {
    stream: address("/v1/events/stream", { after: eventCursors.text(newer) ?? "" }),
    explorer: kit.network.explorer,
  };
  const olderCursor = eventCursors.text(older);
  return {
    title: "Events",
    description: "Everything that happens to agents on chain, as it happens.",
    script: "events",
    body: (
      <div class="stack">
        <Intro kit={kit} />
        <FilterForm agent={agent} kind={kind} />
        <NumberNote typed={agent} />
        <Card id="feed" title={isFirst ? "Newest" : "Older"}>
          {isFirst ? (
            <ScriptRoot
              script="events"
              data={script}
              why="New events appear by themselves with a script of this site. Without it, load the page again."
            />
          ) : null}
          {events.length === 0 ? (
            <p class="muted" id="no-events">
              {kind === null && agent === ""
                ? "Nothing has happened yet. Register the first agent: see the docs."
                : "Nothing like this has happened. Choose another kind, or all agents."}
            </p>
          ) : null}
          <ol class="timeline feed" id="events">
            {events.map((event) => (
              <EventEntry kit={kit} event={event} shows="agent" explains={explained.has(event)} />
            ))}
          </ol>
          {isFirst && olderCursor === null ? null : (
            <nav class="actions" aria-label="Pages of the list">
              {isFirst ? null : (
                <a class="button secondary" href={address("/events")}>
                  Newest
                </a>
              )}
              {olderCursor === null ? null : (
                <a class="button secondary" href={address("/events", { before: olderCursor })}>
                  Older
                </a>
              )}
            </nav>
          )}
          <p class="muted">
            Programs read <a href={address("/v1/events")}>the same list</a>, or follow it: see{" "}
            <a href="/docs/events">the guide</a>. What others say of an agent is their own claim.
          </p>
        </Card>
      </div>
    ),
  };
}
