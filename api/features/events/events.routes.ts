import { z } from "@hono/zod-openapi";
import { badRequest } from "../../kernel/errors.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { limitParam } from "../../platform/http/lists/pages.ts";
import { publicList } from "../../platform/http/operations.ts";
import type { EventService } from "./events.ts";
import { EventFilter, EventSchema, eventBody, eventCursors } from "./schemas.ts";

const Page = z
  .object({
    events: z.array(EventSchema),
    nextCursor: z.string().nullable().openapi({
      description: "Send it as `before` for older events. Null on the last page, and with `after`.",
    }),
    followCursor: z.string().openapi({
      description:
        "Send it as `after` for what comes later, or begin the stream with it. It stands behind the last event with `after`, else behind the first.",
    }),
    hasMore: z.boolean().openapi({
      description: "Whether more can be read with the cursor now.",
    }),
    replacedFrom: z.int().nullable().openapi({
      description:
        "Only with `after`: the chain replaced its blocks from this one on. What was read of them before is void, and what holds instead follows. Null when none were replaced.",
    }),
  })
  .openapi("EventPage");

export const listEvents = endpoint({
  operationId: "listEvents",
  rules: { ...publicList, madeFrom: "database" },
  method: "get",
  path: "/events",
  tag: "Events",
  summary: "Everything that happened on chain, in one list",
  description:
    "Registrations, seals, sales, payments, statements of others and all else that the index has a history of. The newest first; with `after` the oldest first. Records of agents that are not on chain by themselves are in `GET /v1/chronicle/{name}`.",
  query: {
    ...EventFilter,
    before: eventCursors.param.openapi({
      description: "`nextCursor` of the page before: older events follow.",
    }),
    after: eventCursors.param.openapi({
      description: "`followCursor` of an answer: what came later follows, the oldest first.",
    }),
    limit: limitParam(20),
  },
  waitsForBlock: true,
  done: "One page, as last indexed.",
  answer: Page,
  errors: ["INVALID_NAME", "NOT_FOUND"],
  async run(input, { eventLists }: { readonly eventLists: EventService }, c) {
    const { agent, kind = null, before, after, limit } = input;
    if (before !== undefined && after !== undefined) {
      throw badRequest("after", "Send either before or after, not both");
    }
    const filter = { agent: await eventLists.lifeOf(agent), kind };
    const { at, value } =
      after === undefined
        ? await eventLists.older(filter, { before: before ?? null, limit })
        : await eventLists.newer(filter, { after, limit });
    const { events, settled, older, newer, hasNewer, replacedFrom } = value;
    reflectsBlock(c, at);
    return {
      events: events.map((event) => eventBody(event, settled)),
      nextCursor: eventCursors.text(older),
      followCursor: eventCursors.text(newer) ?? "",
      hasMore: after === undefined ? older !== null : hasNewer,
      replacedFrom: replacedFrom === null ? null : Number(replacedFrom),
    };
  },
});
