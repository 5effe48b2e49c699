import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../kit/client/generated/operations.ts";
import type { OperationId } from "../../kit/client/index.ts";
import { ApiError, createClient } from "../../kit/client/index.ts";
import { clientOf, failure, json, type Reply } from "./client-service.ts";

// The client against an injected service.

const CHECK = { path: { name: "aurora" } } as const;
const WEBHOOK = {
  body: { url: "https://a.example/hook", events: ["owner.claimed" as const] },
} as const;
const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("The call succeeded."),
    (error: unknown) => error as ApiError,
  );

describe("createClient", () => {
  it.each([
    ["http://svc.example", "The service must be reached over https (http only on loopback)."],
    ["svc.example", "The service's address is no URL."],
    ["https://svc.example/api", "Pass the service's origin alone, such as https://svc.example."],
    ["https://me@svc.example", "Pass the service's origin alone, such as https://svc.example."],
  ])("refuses %s as the service's address", (service, message) => {
    expect(() => createClient({ service })).toThrow(new ApiError("INVALID_INPUT", message));
  });

  it("refuses two credentials", () => {
    const both = { service: "https://svc.example", apiKey: "a", token: "b" };
    expect(() => createClient(both)).toThrow(
      new ApiError("INVALID_INPUT", "Pass either apiKey or token."),
    );
  });

  it("sends the key, and with another credential that one", async () => {
    const { client, requests } = clientOf([json({})], { apiKey: "svc_live_1" });
    await client.call("getStatus");
    await client.with({ token: "t" }).call("getStatus");
    expect(requests.map(({ headers }) => headers.get("authorization"))).toStrictEqual([
      "Bearer svc_live_1",
      "Bearer t",
    ]);
  });

  it("names its last write in later requests, also with another credential", async () => {
    const position = (last: string) => ({ "x-svc-position": `w00000000000000${last}` });
    const { client, requests } = clientOf([
      json({}),
      json({}, 200, position("2a")),
      // Of a write that was answered later, and done earlier.
      json({}, 200, position("1f")),
      json({}),
    ]);
    await client.call("getStatus");
    await client.call("createWebhook", WEBHOOK);
    await client.call("createWebhook", WEBHOOK);
    await client.with({ token: "t" }).call("getStatus");
    expect(requests.map(({ headers }) => headers.get("x-svc-position"))).toStrictEqual([
      null,
      null,
      "w000000000000002a",
      "w000000000000002a",
    ]);
  });

  it("follows no redirect", async () => {
    const { client, requests } = clientOf([json({})]);
    await client.call("getStatus");
    expect(requests[0]?.redirect).toBe("error");
  });

  it.each(["", ".", "..", null])("refuses %j as a part of the path", async (name) => {
    const { client, requests } = clientOf([json({})]);
    const error = await failed(client.call("checkName", { path: { name: name as string } }));
    expect(error).toMatchObject({
      code: "INVALID_INPUT",
      message: "checkName needs a text or a number as path.name.",
    });
    expect(requests).toStrictEqual([]);
  });

  it("escapes the parts of the path", async () => {
    const { client, requests } = clientOf([json({})]);
    await client.call("checkName", { path: { name: "a/../b?c#d" } });
    expect(requests[0]?.url).toBe("https://svc.example/v1/register/check-name/a%2F..%2Fb%3Fc%23d");
  });

  it("gives status and headers of an answer", async () => {
    const { client } = clientOf([json({ ok: 1 }, 200, { "x-svc-block": "7" })]);
    const { data, status, headers } = await client.request("getStatus");
    expect([data, status, headers.get("x-svc-block")]).toStrictEqual([{ ok: 1 }, 200, "7"]);
  });

  it("gives the bytes of archived content", async () => {
    const { client } = clientOf([new Response(new Uint8Array([1, 0, 255]))]);
    const bytes = await client.call("getArchivedContent", { path: { id: "x" } });
    expect(bytes).toStrictEqual(new Uint8Array([1, 0, 255]));
  });

  it("gives nothing for an answer without content", async () => {
    const { client } = clientOf([new Response(null, { status: 204 })]);
    const answer = await client.call("revokeKey", { path: { keyId: "k" } });
    expect(answer).toBeUndefined();
  });
});

describe("retries", () => {
  const busy = failure(503, "CHAIN_UNAVAILABLE", { headers: { "retry-after": "2" } });

  it("repeats a read while the chain does not answer, after Retry-After", async () => {
    const { client, waits } = clientOf([busy, busy, json({ available: true })]);
    expect(await client.call("checkName", CHECK)).toStrictEqual({ available: true });
    expect(waits).toStrictEqual([2_000, 2_000]);
  });

  it("keeps its idempotency key and body in all tries of one call, and makes a new one for the next", async () => {
    const made = json({ webhookId: "w" }, 201);
    const { client, requests, bodies } = clientOf([busy, new TypeError("reset"), made, made]);
    await client.call("createWebhook", WEBHOOK);
    await client.call("createWebhook", WEBHOOK);
    const [first, second, third, other] = requests.map(({ headers }) =>
      headers.get("idempotency-key"),
    );
    expect(first).toMatch(/^[A-Za-z0-9_-]{16,128}$/);
    expect([second, third]).toStrictEqual([first, first]);
    expect(other).not.toBe(first);
    expect(new Set(bodies)).toStrictEqual(new Set([JSON.stringify(WEBHOOK.body)]));
  });

  it("sends the caller's idempotency key", async () => {
    const { client, requests } = clientOf([json({}, 201)]);
    await client.call("createWebhook", { ...WEBHOOK, idempotencyKey: "0123456789abcdef" });
    expect(requests[0]?.headers.get("idempotency-key")).toBe("0123456789abcdef");
  });

  it("waits twice as long each time, with jitter, without Retry-After", async () => {
    const { client, waits } = clientOf([new TypeError("reset")], { random: () => 0.5 });
    expect(await failed(client.call("getStatus"))).toMatchObject({
      code: "NETWORK_ERROR",
      message: "The service cannot be reached.",
      operation: "getStatus",
    });
    expect(waits).toStrictEqual([375, 750, 1_500]);
  });

  it("repeats a request that is still being answered", async () => {
    const inFlight = failure(409, "IDEMPOTENCY_CONFLICT", { headers: { "retry-after": "1" } });
    const { client, waits } = clientOf([inFlight, json({}, 201)]);
    await client.call("createWebhook", WEBHOOK);
    expect(waits).toStrictEqual([1_000]);
  });

  it.each<[string, Reply, number]>([
    ["a name that is taken", failure(409, "NAME_TAKEN"), 409],
    ["a key of another request", failure(409, "IDEMPOTENCY_CONFLICT"), 409],
    ["a suspended soul", failure(409, "SUSPENDED", { headers: { "retry-after": "1" } }), 409],
    ["an invalid request", failure(400, "INVALID_REQUEST"), 400],
    ["a missing agent", failure(404, "NOT_FOUND"), 404],
  ])("does not repeat after %s", async (_what, reply, status) => {
    const { client, requests } = clientOf([reply]);
    expect((await failed(client.call("createWebhook", WEBHOOK))).status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  it("does not repeat a POST without an idempotency key", async () => {
    const { client, requests } = clientOf([busy]);
    const call = client.call("signInToken", { body: { code: "c" } });
    expect((await failed(call)).code).toBe("CHAIN_UNAVAILABLE");
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["seconds", "86400"],
    ["a date", new Date(Date.now() + 86_400_000).toUTCString()],
  ])("does not wait a day, given as %s, and says when", async (_form, retryAfter) => {
    const spent = failure(503, "GAS_BUDGET_EXHAUSTED", { headers: { "retry-after": retryAfter } });
    const { client, waits } = clientOf([spent]);
    const error = await failed(client.call("getStatus"));
    expect(error.code).toBe("GAS_BUDGET_EXHAUSTED");
    expect(error.retryAfter).toBeGreaterThan(86_300);
    expect(waits).toStrictEqual([]);
  });

  it.each(["-5", "soon", "1e400", "NaN", ""])(
    "takes no time from Retry-After: %j",
    async (text) => {
      const { client, waits } = clientOf([
        failure(503, "INDEX_BEHIND", { headers: { "retry-after": text } }),
        json({}),
      ]);
      await client.call("getStatus");
      expect(waits).toStrictEqual([text === "-5" ? 0 : 250]);
    },
  );

  it("ends with the signal's reason while it waits", async () => {
    const control = new AbortController();
    const { client, requests } = clientOf([
      () => {
        control.abort(new Error("enough"));
        return busy.clone();
      },
    ]);
    const call = client.call("getStatus", { signal: control.signal });
    await expect(call).rejects.toThrow(new Error("enough"));
    expect(requests).toHaveLength(1);
  });

  it("ends a try that takes too long", async () => {
    const endless = (request: Request) =>
      new Promise<Response>((_resolve, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      });
    const { client } = clientOf([endless], { timeoutMs: 1, retries: 0 });
    expect(await failed(client.call("getStatus"))).toMatchObject({
      code: "TIMEOUT",
      message: "The service did not answer in time.",
    });
  });
});

describe("errors", () => {
  it("have the catalogue's code, the request and what to do", async () => {
    const { client } = clientOf([failure(429, "RATE_LIMIT_EXCEEDED", { retryAfter: 59 })]);
    expect(await failed(client.call("signInToken", { body: { code: "c" } }))).toMatchObject({
      name: "ApiError",
      code: "RATE_LIMIT_EXCEEDED",
      message: "Made up: RATE_LIMIT_EXCEEDED.",
      status: 429,
      operation: "signInToken",
      requestId: "r-1",
      retryAfter: 59,
      advice: "Repeat after retryAfter seconds.",
      details: { requestId: "r-1" },
    });
  });

  it.each(["NEW_IN_2040", "constructor", "__proto__"])("keep the unknown code %s", async (type) => {
    const { client } = clientOf([failure(418, type)]);
    expect(await failed(client.call("getStatus"))).toMatchObject({
      code: type,
      advice: "Read the message. This version of the client does not know the code.",
    });
  });

  it.each([
    ["a proxy's HTML page", new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["JSON of another form", json({ error: "nope" }, 502)],
    ["JSON null", json(null, 502)],
    ["no body", new Response(null, { status: 502 })],
  ])("say that %s is not the service's answer", async (_what, reply) => {
    const { client } = clientOf([reply], { retries: 0 });
    expect(await failed(client.call("getStatus"))).toMatchObject({
      code: "INVALID_ANSWER",
      message: "The answer has status 502, and is not in the service's form.",
      status: 502,
    });
  });

  it("refuse HTML in place of an answer", async () => {
    const { client } = clientOf([new Response("<h1>Welcome</h1>")]);
    expect(await failed(client.call("getStatus"))).toMatchObject({
      code: "INVALID_ANSWER",
      message: "The answer is not JSON.",
      status: 200,
    });
  });

  it("refuse an answer that is too large, without reading all of it", async () => {
    let chunks = 0;
    const endless = new ReadableStream({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    const { client } = clientOf([() => new Response(endless)], { maxAnswerBytes: 5_000 });
    expect(await failed(client.call("getStatus"))).toMatchObject({
      code: "INVALID_ANSWER",
      message: "The answer has more than 5000 bytes.",
    });
    expect(chunks).toBeLessThan(10);
  });

  it("cut the texts of a service", async () => {
    const { client } = clientOf([failure(400, "x".repeat(5_000))]);
    expect((await failed(client.call("getStatus"))).message).toHaveLength(1_000);
  });
});

describe("pages", () => {
  const names = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ agentName: `a-${from + index}` }));
  const read = async <T>(entries: AsyncIterable<T>) => {
    const all: T[] = [];
    for await (const entry of entries) all.push(entry);
    return all;
  };
  const queries = (requests: readonly Request[]) => requests.map(({ url }) => new URL(url).search);

  it("follow cursors to the last page", async () => {
    const { client, requests } = clientOf([
      json({ agents: names(0, 2), nextCursor: "c1" }),
      json({ agents: names(2, 1), nextCursor: null }),
    ]);
    expect(await read(client.pages("listAgents", { query: { q: "a" } }))).toStrictEqual(
      names(0, 3),
    );
    expect(queries(requests)).toStrictEqual(["?q=a&limit=100", "?q=a&limit=100&cursor=c1"]);
  });

  it("are requested only when they are read", async () => {
    const { client, requests } = clientOf([json({ agents: names(0, 2), nextCursor: "c1" })]);
    for await (const _agent of client.pages("listAgents")) break;
    expect(requests).toHaveLength(1);
  });

  it("end at a repeated cursor", async () => {
    const { client, requests } = clientOf([json({ agents: names(0, 1), nextCursor: "same" })]);
    expect(await failed(read(client.pages("listAgents")))).toMatchObject({
      code: "INVALID_ANSWER",
      message: "The list repeats a page.",
      operation: "listAgents",
    });
    expect(requests).toHaveLength(2);
  });

  it("end when a service has ever more of them", async () => {
    let page = 0;
    const { client, requests } = clientOf([
      () => {
        page += 1;
        return json({ agents: [], nextCursor: `c${page}` });
      },
    ]);
    expect(await failed(read(client.pages("listAgents", { maxPages: 4 })))).toMatchObject({
      code: "TOO_MANY_PAGES",
      message: "The list has more than 4 pages.",
    });
    expect(requests).toHaveLength(4);
  });

  it("refuse an answer without a list", async () => {
    const { client } = clientOf([json({ nextCursor: null })]);
    expect(await failed(read(client.pages("listAgents")))).toMatchObject({
      code: "INVALID_ANSWER",
      message: "The answer has no list agents.",
    });
  });

  it("of a list without pages are one request", async () => {
    const { client, requests } = clientOf([json({ webhooks: [{ webhookId: "w" }] })]);
    expect(await read(client.pages("listWebhooks"))).toStrictEqual([{ webhookId: "w" }]);
    expect(queries(requests)).toStrictEqual([""]);
  });

  it("go on by cursor from the page that was asked for", async () => {
    const { client, requests } = clientOf([
      json({ chronicles: [{ chronicleId: 5 }], nextCursor: "c1" }),
      json({ chronicles: [{ chronicleId: 4 }], nextCursor: null }),
    ]);
    const pages = client.pages("listChronicles", {
      path: { name: "aurora" },
      query: { page: 2, limit: 1 },
    });
    expect(await read(pages)).toMatchObject([{ chronicleId: 5 }, { chronicleId: 4 }]);
    expect(queries(requests)).toStrictEqual(["?page=2&limit=1", "?limit=1&cursor=c1"]);
  });

  /** A service with `total` entries that gives them by cursor. */
  function listService(total: number) {
    return clientOf([
      ({ url }) => {
        const { pathname, searchParams } = new URL(url);
        const row = rowOf(pathname);
        const size = Number(searchParams.get(row.limit));
        const start = Number(searchParams.get(row.cursor) ?? 0);
        const items = Array.from({ length: total }, (_, index) => ({ index }));
        const end = start + size;
        return json({
          [row.items]: items.slice(start, end),
          nextCursor: end < total ? String(end) : null,
        });
      },
    ]);
  }

  interface ListRow {
    readonly items: string;
    readonly cursor: string;
    readonly limit: string;
  }
  const LISTS = Object.entries(OPERATIONS).flatMap(([id, row]) =>
    "pages" in row && "cursor" in row.pages
      ? [{ id, path: row.path, row: row.pages as ListRow }]
      : [],
  );
  const rowOf = (pathname: string) => {
    const parts = pathname.split("/");
    const found = LISTS.find(({ path }) => {
      const template = path.split("/");
      return (
        template.length === parts.length &&
        template.every((part, index) => part.startsWith("{") || part === parts[index])
      );
    });
    if (found === undefined) throw new Error(`No list at ${pathname}`);
    return found.row;
  };
  const PATH = { name: "n", tokenId: 1, organizationId: 1, webhookId: "w", bindingId: "b" };

  it.each(LISTS)("of $id give each entry once, in their order", async ({ id, row }) => {
    for (const total of [0, 1, 4, 7]) {
      const query = { [row.limit]: 2 };
      const { client } = listService(total);
      const all = await read(client.pages(id as "listAgents", { path: PATH, query } as object));
      expect(all.map((entry) => (entry as unknown as { index: number }).index)).toStrictEqual(
        Array.from({ length: total }, (_, index) => index),
      );
    }
  });
});

describe("waitFor", () => {
  const status = (name: string) => json({ status: name, tokenId: null });

  it("repeats a read until its answer is the awaited one", async () => {
    const seen: string[] = [];
    const { client, waits } = clientOf([status("pending_owner_claim"), status("claimed")]);
    const answer = await client.waitFor("getRegistrationStatus", {
      query: { id: "r" },
      until: ({ status }) => status === "claimed",
      onProgress: ({ status }) => seen.push(status),
    });
    expect(answer.status).toBe("claimed");
    expect(seen).toStrictEqual(["pending_owner_claim", "claimed"]);
    expect(waits).toStrictEqual([5_000]);
  });

  it("ends after the last request", async () => {
    const { client, requests } = clientOf([status("pending_owner_claim")]);
    const wait = client.waitFor("getRegistrationStatus", {
      query: { id: "r" },
      until: () => false,
      maxRequests: 3,
    });
    expect(await failed(wait)).toMatchObject({
      code: "STILL_PENDING",
      message: "Not finished after 3 requests.",
    });
    expect(requests).toHaveLength(3);
  });
});

describe("the table of operations", () => {
  interface Documented {
    readonly operationId: string;
    readonly parameters?: readonly { readonly name: string; readonly in: string }[];
    readonly responses: Readonly<Record<string, { readonly content?: object }>>;
  }
  const { paths } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
    paths: Record<string, Record<string, Documented>>;
  };
  const documented = Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
    )
    // A stream has no end to wait for.
    .filter(({ responses }) => !("text/event-stream" in (responses[200]?.content ?? {})));

  it("has each operation of the document but streams, and no other", () => {
    const ids = documented.map(({ operationId }) => operationId).sort();
    expect(Object.keys(OPERATIONS).sort()).toStrictEqual(ids);
  });

  it.each(documented)("reaches $method $path by $operationId", async (operation) => {
    const { operationId, path, method, parameters = [] } = operation;
    const { client, requests } = clientOf([json({})]);
    const inPath = Object.fromEntries(
      parameters.filter((one) => one.in === "path").map(({ name }) => [name, "x"]),
    );
    await client.call(operationId as OperationId, { path: inPath } as never);
    const [request] = requests;
    expect(request?.method).toBe(method.toUpperCase());
    expect(new URL(request?.url ?? "").pathname).toBe(path.replaceAll(/\{[^}]+\}/g, "x"));
    const keyed = parameters.some(({ name }) => name.toLowerCase() === "idempotency-key");
    expect(request?.headers.has("idempotency-key")).toBe(keyed);
  });
});
