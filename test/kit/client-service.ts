import { type ClientOptions, createClient } from "../../kit/client/index.ts";

/** What an injected service answers: a response, or the failure of the connection. */
export type Reply = Response | Error | ((request: Request) => Response | Promise<Response>);

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

/** An error in the service's form. */
export const failure = (
  status: number,
  type: string,
  { headers = {}, ...more }: { headers?: Record<string, string>; retryAfter?: number } = {},
) =>
  json(
    {
      error: {
        code: status,
        type,
        message: `Made up: ${type}.`,
        details: { requestId: "r-1" },
        ...more,
      },
    },
    status,
    headers,
  );

/**
 * A client whose service gives these replies in their order, the last one for ever. It waits in no
 * time: `waits` has the milliseconds.
 */
export function clientOf(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const bodies: string[] = [];
  const waits: number[] = [];
  const client = createClient({
    service: "https://svc.example",
    random: () => 0,
    async delay(ms, signal) {
      waits.push(ms);
      signal?.throwIfAborted();
    },
    async fetch(request) {
      requests.push(request);
      bodies.push(await request.clone().text());
      const reply = replies[Math.min(requests.length, replies.length) - 1];
      if (reply instanceof Error) throw reply;
      if (reply === undefined) throw new Error("The test gave no reply.");
      return typeof reply === "function" ? reply(request) : reply.clone();
    },
    ...options,
  });
  return { client, requests, bodies, waits };
}
