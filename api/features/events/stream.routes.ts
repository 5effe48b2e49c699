import { createRoute, z } from "@hono/zod-openapi";
import { badRequest } from "../../kernel/errors.ts";
import { addressOf } from "../../platform/http/guard.ts";
import { type OperationTable, publicStream } from "../../platform/http/operations.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import type { EventCursor, EventService } from "./events.ts";
import type { FollowedMessage, IndexFollower } from "./follower.ts";
import { EventFilter, eventBody, eventCursors } from "./schemas.ts";
import type { StreamCount } from "./streams.ts";

/** Where a client that lost its connection goes on. */
const LAST_EVENT_ID = "Last-Event-ID";

/** A stream goes on, which no endpoint does. */
export const operations = { followEvents: publicStream } as const satisfies OperationTable;

interface StreamParts {
  readonly eventLists: Pick<EventService, "lifeOf">;
  readonly eventFollower: IndexFollower;
  readonly eventStreams: StreamCount;
  /** Longest time in milliseconds that one stream stays open. */
  readonly streamMs: number;
}

/** `GET /events/stream`. */
export function streamRoutes(parts: StreamParts) {
  const { eventLists, eventFollower, eventStreams, streamMs } = parts;
  const followEvents = createRoute({
    method: "get",
    path: "/events/stream",
    operationId: "followEvents",
    tags: ["Events"],
    summary: "Everything that happens on chain, as soon as it is final",
    description:
      "Server-sent events: `data` is an event as `GET /v1/events` answers it, `id` its cursor. A client that reconnects sends the last one as `Last-Event-ID`, and misses nothing. Only events that are final are sent. With the cursor of a list that showed others, an event named `replaced` may come first: the chain replaced its blocks from `fromBlock` on, what the list had of them is void, and what holds follows. See docs/events.md.",
    request: {
      query: z.object({
        ...EventFilter,
        after: eventCursors.param.openapi({
          description:
            "`followCursor` of `GET /v1/events`: what came later follows. Without it the stream begins with what becomes final next.",
        }),
      }),
      headers: z.object({
        [LAST_EVENT_ID.toLowerCase()]: z.string().max(512).optional().openapi({
          description: "The `id` of the last event that arrived. Goes before `after`.",
        }),
      }),
    },
    responses: {
      200: {
        description: "A stream without an end. The service closes it from time to time.",
        content: { "text/event-stream": { schema: z.string() } },
      },
      ...errorResponses("INVALID_REQUEST", "INVALID_NAME", "NOT_FOUND", "REGISTRY_PENDING"),
    },
  });

  return createRouter(operations).openapi(followEvents, async (c) => {
    const { agent, kind = null, after } = c.req.valid("query");
    const from = resumed(c.req.header(LAST_EVENT_ID)) ?? after ?? null;
    const filter = { agent: await eventLists.lifeOf(agent), kind };
    const headers = {
      "Content-Type": "text/event-stream; charset=utf-8",
      // Proxies that collect an answer before they send it on would hold events back.
      "X-Accel-Buffering": "no",
      Connection: "close",
    };
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    const abort = new AbortController();
    const ends = setTimeout(() => abort.abort(), streamMs);
    ends.unref();
    const close = () => {
      abort.abort();
      clearTimeout(ends);
      release();
    };
    const release = eventStreams.take(addressOf(c), close);
    const messages = eventFollower.follow(from, filter, abort.signal);
    const body = textStream(messages, close);
    return c.body(body, 200, headers);
  });
}

/** @throws ApiError INVALID_REQUEST */
function resumed(lastEventId: string | undefined): EventCursor | undefined {
  if (lastEventId === undefined || lastEventId === "") return undefined;
  const cursor = eventCursors.param.safeParse(lastEventId);
  if (!cursor.success || cursor.data === undefined) {
    throw badRequest(LAST_EVENT_ID, "Not the id of an event of this stream");
  }
  return cursor.data;
}

/** Reads no further than the client does. */
function textStream(
  messages: AsyncGenerator<FollowedMessage, void, undefined>,
  close: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isFirst = true;
  return new ReadableStream({
    async pull(controller) {
      if (isFirst) {
        isFirst = false;
        // So that a client knows at once that it is connected.
        controller.enqueue(encoder.encode("retry: 2000\n: connected\n\n"));
        return;
      }
      try {
        const { done, value } = await messages.next();
        if (done === true) {
          close();
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(textOf(value)));
      } catch (error) {
        close();
        controller.error(error);
      }
    },
    async cancel() {
      close();
      await messages.return();
    },
  });
}

function textOf(message: FollowedMessage): string {
  if (message.type === "idle") return ": idle\n\n";
  const id = `id: ${eventCursors.text(message.cursor)}\n`;
  if (message.type === "replaced") {
    return `event: replaced\n${id}data: ${JSON.stringify({ fromBlock: Number(message.fromBlock) })}\n\n`;
  }
  const { event } = message;
  return `${id}data: ${JSON.stringify(eventBody(event, event.block))}\n\n`;
}
