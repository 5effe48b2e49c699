import { createRoute, z } from "@hono/zod-openapi";
import { badRequest } from "../../kernel/errors.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { IdPart, listCursors } from "../../platform/http/lists/cursors.ts";
import { limitParam } from "../../platform/http/lists/pages.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { EventService } from "./events.ts";
import { KINDS } from "./kinds.ts";
import { operations } from "./operation-rules.ts";
import { EventSchema, eventBody } from "./schemas.ts";

/** Cursors of events; those of a page, an answer and the stream are the same. */
export const eventCursors = listCursors(
  "events",
  z.strictObject({
    block: IdPart,
    logIndex: z.int32().min(0),
    part: IdPart,
    settled: IdPart,
    digest: z.string().regex(/^(?:[0-9a-f]{16})?$/),
  }),
);

/** Which events: those of one agent, of one kind. */
export const EventFilterQuery = z.object({
  agent: NameOrTokenIdParam.optional().openapi({
    description:
      "Only events of this agent: its name or token id. Those of its passport count while the passport carried it.",
  }),
  kind: z.enum(KINDS).optional().openapi({ description: "Only events of this kind." }),
});

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

export interface EventRouteDeps {
  readonly eventLists: EventService;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `GET /events`. */
export function eventRoutes({ eventLists, index, indexerWaitMs }: EventRouteDeps) {
  const listEvents = createRoute({
    method: "get",
    path: "/events",
    operationId: "listEvents",
    tags: ["Events"],
    summary: "Everything that happened on chain, in one list",
    description:
      "Registrations, seals, sales, payments, statements of others and all else that the index has a history of. The newest first; with `after` the oldest first. Records of agents that are not on chain by themselves are in `GET /v1/chronicle/{name}`.",
    request: {
      query: z.object({
        ...EventFilterQuery.shape,
        before: eventCursors.param.openapi({
          description: "`nextCursor` of the page before: older events follow.",
        }),
        after: eventCursors.param.openapi({
          description: "`followCursor` of an answer: what came later follows, the oldest first.",
        }),
        limit: limitParam(20),
        ...MinBlockQuery.shape,
      }),
    },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "One page, as last indexed.",
        content: { "application/json": { schema: Page } },
      },
      ...errorResponses(
        "INVALID_REQUEST",
        "INVALID_NAME",
        "NOT_FOUND",
        "REGISTRY_PENDING",
        "INDEX_BEHIND",
      ),
    },
  });

  return createRouter(operations).openapi(listEvents, async (c) => {
    const { agent, kind = null, before, after, limit } = c.req.valid("query");
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
    return c.json(
      {
        events: events.map((event) => eventBody(event, settled)),
        nextCursor: eventCursors.text(older),
        followCursor: eventCursors.text(newer) ?? "",
        hasMore: after === undefined ? older !== null : hasNewer,
        replacedFrom: replacedFrom === null ? null : Number(replacedFrom),
      },
      200,
    );
  });
}
