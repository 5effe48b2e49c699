import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { checkEventData, EVENT_DATA } from "../../../../api/features/webhooks/event-payloads.ts";
import { EVENT_NAMES } from "../../../../api/features/webhooks/events.ts";
import * as endpoints from "../../../../api/features/webhooks/webhooks.routes.ts";
import { generateApiKey } from "../../../../api/kernel/api-keys.ts";
import type { Caller } from "../../../../api/kernel/callers.ts";
import { everyRequest } from "../../../../api/platform/http/answers/every-request.ts";
import { requestContext } from "../../../../api/platform/http/context.ts";
import { errorHandler } from "../../../../api/platform/http/error-handler.ts";
import { provideGate } from "../../../../api/platform/http/guard.ts";
import { createRouter } from "../../../../api/platform/http/router.ts";
import { idempotencyStore } from "../../../../api/platform/idempotency/idempotency.store.ts";
import { createIdempotency } from "../../../../api/platform/idempotency/idempotency.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createSecrets } from "../../../../api/platform/secrets/secrets.ts";
import {
  BUYER,
  createWebhookWorld,
  EXAMPLES,
  eventOf,
  FULL_KEY,
  OWNER,
  type WebhookWorld,
} from "../../../fixtures/webhooks.ts";
import { testPages } from "../../../web/page-kit.ts";
import { testApp, testDeps } from "../../helpers.ts";

const REQUEST_ID = "request-0001";
const ANONYMOUS: Caller = { kind: "anonymous" };
const SESSION: Caller = {
  kind: "session",
  id: "owner",
  sessionId: "5b6f8a52-0000-4000-8000-000000000002",
  owner: OWNER,
  agentId: null,
};
const SESSION_OF_ANOTHER_AGENT: Caller = { ...SESSION, id: "owner:4", agentId: 4n };
const BUYERS_SESSION: Caller = {
  kind: "session",
  id: "buyer",
  sessionId: "5b6f8a52-0000-4000-8000-000000000002",
  owner: BUYER,
  agentId: null,
};
const IDENTITY: Caller = { kind: "identity", id: "identity", owner: OWNER };
const OTHER_KEY: Caller = {
  kind: "full",
  id: "agent:8:1",
  tokenId: 8n,
  epoch: 1,
  suspended: false,
};
const SOLD_KEY: Caller = { kind: "full", id: "agent:7:1", tokenId: 7n, epoch: 1, suspended: true };
const PROVISIONAL: Caller = {
  kind: "provisional",
  claimed: false,
  id: "registration",
  registrationId: "7a1f7bd0-2f5e-4f3a-9d0a-64c3b2a1f0e9",
};

let world: WebhookWorld;
beforeAll(async () => {
  world = await createWebhookWorld();
});
afterEach(() => world.clear());
afterAll(() => world.close());

/** What issues a secret looks its credential up: one that the fake access takes for every caller. */
const AUTHORIZATION = `Bearer ${generateApiKey("live")}`;

/** The routes for a given `caller`. Other tests cover how a credential becomes a caller. */
function as(caller: Caller) {
  const log = createLog("silent");
  const app = createRouter();
  app.onError(errorHandler(log));
  app.use(everyRequest([requestContext(log)]));
  const idempotency = createIdempotency({
    store: idempotencyStore(world.db),
    secrets: createSecrets(world.masterKeys),
    clock: world.clock,
    leaseMs: 30_000,
    keepMs: 86_400_000,
  });
  const access = {
    authenticate: async () => ({ caller, account: null }),
    authorise: async () => {},
  };
  const deps = testDeps({ access, idempotency, webhooks: world.service });
  app.use(everyRequest([provideGate(deps)]));
  for (const { routes } of Object.values(endpoints)) app.route("/", routes(deps));
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await app.request(path, {
      method,
      headers: {
        Authorization: AUTHORIZATION,
        "X-Request-Id": REQUEST_ID,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
  };
}

const request = () => ({ url: world.receiver.url, events: ["binding.created"] });

async function created(caller: Caller = FULL_KEY): Promise<{ webhookId: string; secret: string }> {
  const { status, body } = await as(caller)("POST", "/webhooks", request());
  expect(status).toBe(201);
  return body as { webhookId: string; secret: string };
}

const errorOf = ({ status, body }: { status: number; body: unknown }) => {
  const { error } = body as { error: { type: string } };
  return { status, type: error.type };
};

describe("POST /webhooks", () => {
  it("answers the secret, which no other answer shows", async () => {
    const { status, body } = await as(FULL_KEY)("POST", "/webhooks", {
      ...request(),
      tokenId: 7,
      events: ["binding.created", "owner.claimed", "binding.created"],
      notifyEmail: "owner@example.com",
    });
    const { webhookId } = body as { webhookId: string };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        webhookId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        message: "Store the secret: it is not shown again.",
      },
    });
    expect(await as(FULL_KEY)("GET", "/webhooks")).toEqual({
      status: 200,
      body: {
        webhooks: [
          {
            webhookId,
            tokenId: 7,
            url: world.receiver.url,
            events: ["binding.created", "owner.claimed"],
            notifyEmail: "owner@example.com",
            notifyEmailConfirmed: false,
            enabled: true,
            disabledReason: null,
            disabledAt: null,
            createdAt: world.clock().toISOString(),
          },
        ],
      },
    });
  });

  it("answers the same webhook and secret to the same Idempotency-Key", async () => {
    const post = as(FULL_KEY);
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await post("POST", "/webhooks", request(), headers);
    expect(await post("POST", "/webhooks", request(), headers)).toEqual(first);
    expect(((await post("GET", "/webhooks")).body as { webhooks: unknown[] }).webhooks.length).toBe(
      1,
    );
  });

  it.each([
    ["http://hooks.example/", "not_https", "it is not an https URL"],
    ["https://127.0.0.1.nip.example./", "host_not_allowed", "its host ends in a dot"],
    [
      "https://[::ffff:10.0.0.1]/",
      "address_not_public",
      "its host is not, or does not only resolve to, public unicast addresses",
    ],
    ["https://a:b@hooks.example/", "credentials_in_url", "it holds a user name or a password"],
  ])("refuses %s: %s", async (url, reason, sentence) => {
    expect(await as(FULL_KEY)("POST", "/webhooks", { ...request(), url })).toEqual({
      status: 400,
      body: {
        error: {
          code: 400,
          type: "INVALID_REQUEST",
          message: "The request is not valid.",
          details: {
            issues: [{ path: "url", message: `The address cannot be used: ${sentence}.` }],
            reason,
            requestId: REQUEST_ID,
          },
        },
      },
    });
  });

  it.each([
    [{ events: [] }, "events"],
    [{ events: ["webhook.test"] }, "events.0"],
    [{ events: ["passport.moved"] }, "events.0"],
    [{ tokenId: 0 }, "tokenId"],
    [{ tokenId: "7" }, "tokenId"],
    [{ notifyEmail: "a@b@c" }, "notifyEmail"],
    [{ notifyEmail: "a@example.com\r\nBcc: x@example.com" }, "notifyEmail"],
    [{ secret: "whsec_mine" }, "secret"],
  ])("refuses %j", async (changes, path) => {
    const { status, body } = await as(FULL_KEY)("POST", "/webhooks", { ...request(), ...changes });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { type: "INVALID_REQUEST", details: { issues: [{ path }] } },
    });
  });

  it("registers at most 20 for an agent and 5 for a registration, also in parallel", async () => {
    for (const [caller, limit] of [
      [FULL_KEY, 20],
      [PROVISIONAL, 5],
    ] as const) {
      const post = as(caller);
      const answers = await Promise.all(
        Array.from({ length: limit + 2 }, () => post("POST", "/webhooks", request())),
      );
      expect(answers.filter(({ status }) => status === 201).length).toBe(limit);
      expect(answers.find(({ status }) => status !== 201)?.body).toEqual({
        error: {
          code: 403,
          type: "FORBIDDEN",
          message: `There are ${limit} webhooks already: delete one first.`,
          details: { limit, requestId: REQUEST_ID },
        },
      });
    }
  });
});

describe("access to webhooks", () => {
  const refusals: readonly (readonly [string, Caller, string])[] = [
    ["without a credential", ANONYMOUS, "401 UNAUTHORIZED"],
    ["a provisional key", PROVISIONAL, "403 FULL_KEY_REQUIRED"],
    ["another agent's key", OTHER_KEY, "404 NOT_FOUND"],
    ["another owner's session", BUYERS_SESSION, "404 NOT_FOUND"],
    ["a session for another agent of the owner", SESSION_OF_ANOTHER_AGENT, "404 NOT_FOUND"],
    ["a token that only identifies the owner", IDENTITY, "403 MANAGE_SCOPE_REQUIRED"],
    ["the key of a passport that moved", SOLD_KEY, "409 SUSPENDED"],
  ];

  it.each(refusals)("is denied to %s for changes", async (_who, caller, expected) => {
    const { webhookId } = await created();
    const path = `/webhooks/${webhookId}`;
    const call = as(caller);
    for (const [method, where, body] of [
      ["DELETE", path, undefined],
      ["PATCH", path, { enabled: false }],
      ["POST", `${path}/rotate`, {}],
      ["POST", `${path}/test`, undefined],
      ["POST", `${path}/recover`, { since: world.clock().toISOString() }],
      ["POST", `${path}/deliveries/${randomUUID()}/resend`, undefined],
    ] as const) {
      const { status, type } = errorOf(await call(method, where, body));
      expect(`${status} ${type}`, `${method} ${where}`).toBe(expected);
    }
    expect((await world.store.rows.findWebhook(webhookId))?.enabled).toBe(true);
  });

  it.each([
    ["without a credential", ANONYMOUS, {}, "401 UNAUTHORIZED"],
    ["a provisional key for an agent", PROVISIONAL, { tokenId: 7 }, "403 FULL_KEY_REQUIRED"],
    ["another agent's key", OTHER_KEY, { tokenId: 7 }, "403 FORBIDDEN"],
    ["another owner's session", BUYERS_SESSION, { tokenId: 7 }, "403 FORBIDDEN"],
    [
      "a session for another agent of the owner",
      SESSION_OF_ANOTHER_AGENT,
      { tokenId: 7 },
      "403 FORBIDDEN",
    ],
    [
      "a token that only identifies the owner",
      IDENTITY,
      { tokenId: 7 },
      "403 MANAGE_SCOPE_REQUIRED",
    ],
    ["a session that names no agent", SESSION, {}, "400 INVALID_REQUEST"],
    ["a session for no agent", SESSION, { tokenId: 99 }, "404 NOT_FOUND"],
    ["the key of a passport that moved", SOLD_KEY, {}, "409 SUSPENDED"],
  ])("is denied to %s for registering one", async (_who, caller, changes, expected) => {
    const { status, type } = errorOf(
      await as(caller)("POST", "/webhooks", { ...request(), ...changes }),
    );
    expect(`${status} ${type}`).toBe(expected);
  });

  it("gives the owner's session what it gives the agent's key", async () => {
    const call = as(SESSION);
    const { body } = await call("POST", "/webhooks", { ...request(), tokenId: 7 });
    const { webhookId } = body as { webhookId: string };
    expect(await call("GET", "/webhooks?tokenId=7")).toMatchObject({
      status: 200,
      body: { webhooks: [{ webhookId }] },
    });
    expect(await call("PATCH", `/webhooks/${webhookId}`, { enabled: false })).toMatchObject({
      status: 200,
      body: { enabled: false, disabledReason: "owner", disabledAt: world.clock().toISOString() },
    });
    expect((await call("DELETE", `/webhooks/${webhookId}`)).status).toBe(204);
    expect(errorOf(await call("DELETE", `/webhooks/${webhookId}`))).toEqual({
      status: 404,
      type: "NOT_FOUND",
    });
  });

  it("after the passport's transfer is read-only for a key, and the buyer cannot read the seller's webhooks", async () => {
    const { webhookId } = await created();
    world.agent().owner = BUYER;
    expect(await as(SOLD_KEY)("GET", "/webhooks")).toMatchObject({
      body: { webhooks: [{ webhookId }] },
    });
    expect((await as(SOLD_KEY)("GET", `/webhooks/${webhookId}/deliveries`)).status).toBe(200);
    for (const path of ["/webhooks?tokenId=7", `/webhooks/${webhookId}/deliveries`]) {
      expect(errorOf(await as(BUYERS_SESSION)("GET", path))).toEqual({
        status: 409,
        type: "SUSPENDED",
      });
    }
    expect(errorOf(await as(SESSION)("GET", "/webhooks?tokenId=7"))).toEqual({
      status: 403,
      type: "FORBIDDEN",
    });
  });

  it("gives no owner a registration's webhook before the claim", async () => {
    const { webhookId } = await created(PROVISIONAL);
    expect(
      errorOf(await as(FULL_KEY)("PATCH", `/webhooks/${webhookId}`, { enabled: false })),
    ).toEqual({
      status: 404,
      type: "NOT_FOUND",
    });
  });

  it("ends when the agent is burned", async () => {
    world.agent().status = "BURNED";
    expect(errorOf(await as(FULL_KEY)("POST", "/webhooks", request()))).toEqual({
      status: 409,
      type: "BURNED",
    });
  });
});

describe("deliveries", () => {
  it("are listed newest first, page by page, with each try", async () => {
    const { webhookId } = await created();
    for (const key of ["one", "two", "three"]) {
      await world.emit(eventOf("binding.created", key));
      world.wait(1_000);
    }
    world.receiver.answer((_request, response) => void response.writeHead(500).end("inner secret"));
    await world.run();
    const call = as(FULL_KEY);
    const first = (await call("GET", `/webhooks/${webhookId}/deliveries?limit=2`)).body as {
      deliveries: { deliveryId: string; createdAt: string }[];
      nextCursor: string;
    };
    const second = (
      await call("GET", `/webhooks/${webhookId}/deliveries?limit=2&cursor=${first.nextCursor}`)
    ).body as typeof first;
    expect(JSON.stringify([first, second])).not.toContain("inner secret");
    expect(second.nextCursor).toBeNull();
    const all = [...first.deliveries, ...second.deliveries];
    expect(all.length).toBe(3);
    expect(all[0]).toEqual({
      deliveryId: first.deliveries[0]?.deliveryId,
      event: "binding.created",
      status: "pending",
      createdAt: new Date(world.clock().getTime() - 1_000).toISOString(),
      deliveredAt: null,
      nextTryAt: expect.stringMatching(/^2026-03-01T12:01:0[3-9]/),
      tries: [
        {
          number: 1,
          startedAt: world.clock().toISOString(),
          durationMs: expect.any(Number),
          statusCode: 500,
          error: "http_status",
        },
      ],
    });
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    const unknown = await call("GET", `/webhooks/${webhookId}/deliveries?cursor=${randomUUID()}`);
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { type: "INVALID_REQUEST", details: { issues: [{ path: "cursor" }] } } },
    });
  });

  it("are sent again under their id; another webhook's are not found", async () => {
    const { webhookId } = await created();
    const other = await created();
    await world.emit(eventOf("binding.created", "one"));
    await world.run();
    const [delivery] = await world.listed(webhookId);
    const path = `deliveries/${delivery?.id}/resend`;
    const call = as(FULL_KEY);
    expect(await call("POST", `/webhooks/${webhookId}/${path}`)).toEqual({
      status: 202,
      body: { deliveryId: delivery?.id, status: "pending" },
    });
    world.receiver.received.length = 0;
    await world.run();
    expect(world.receiver.received.map(({ headers }) => headers["x-svc-delivery"])).toEqual([
      delivery?.id,
    ]);
    expect(errorOf(await call("POST", `/webhooks/${other.webhookId}/${path}`))).toEqual({
      status: 404,
      type: "NOT_FOUND",
    });
  });

  it("of a test show how they ended", async () => {
    const { webhookId } = await created();
    const call = as(FULL_KEY);
    const { status, body } = await call("POST", `/webhooks/${webhookId}/test`);
    expect(status).toBe(202);
    await world.run();
    expect(await call("GET", `/webhooks/${webhookId}/deliveries`)).toMatchObject({
      body: { deliveries: [{ ...(body as object), event: "webhook.test", status: "delivered" }] },
    });
  });
});

describe("POST /webhooks/:id/recover", () => {
  const DAY_MS = 86_400_000;
  const ago = (ms: number) => new Date(world.clock().getTime() - ms).toISOString();

  it("sends the events missed while the webhook was disabled, at most 100 per call", async () => {
    const { webhookId } = await created();
    const call = as(FULL_KEY);
    await call("PATCH", `/webhooks/${webhookId}`, { enabled: false });
    for (let event = 0; event < 103; event += 1) {
      await world.emit(eventOf("binding.created", `missed ${event}`));
      world.wait(1_000);
    }
    const missed = (await world.store.rows.listDeliveries(webhookId, { limit: 200 })).entries
      .map(({ delivery: { id, state } }) => ({ id, state }))
      .reverse();
    expect(missed.length).toBe(103);
    expect(missed.every(({ state }) => state === "missed")).toBe(true);
    const path = `/webhooks/${webhookId}/recover`;
    const body = { since: ago(DAY_MS) };
    expect(await call("POST", path, body)).toEqual({
      status: 400,
      body: {
        error: {
          code: 400,
          type: "INVALID_REQUEST",
          message: `This webhook is disabled. Enable it with PATCH /v1/webhooks/${webhookId} and {"enabled": true}, then recover.`,
          details: { requestId: REQUEST_ID },
        },
      },
    });
    await call("PATCH", `/webhooks/${webhookId}`, { enabled: true });
    await world.run();
    expect(world.receiver.received).toEqual([]);

    const answered = async () => (await call("POST", path, body)) as { status: 202; body: object };
    expect(await answered()).toEqual({
      status: 202,
      body: { webhookId, enqueued: 100, remaining: 3 },
    });
    await world.run();
    // Oldest first.
    const sentIds = () => world.receiver.received.map(({ headers }) => headers["x-svc-delivery"]);
    expect(sentIds().toSorted()).toEqual(
      missed
        .slice(0, 100)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect((await answered()).body).toEqual({ webhookId, enqueued: 3, remaining: 0 });
    expect((await answered()).body).toEqual({ webhookId, enqueued: 0, remaining: 0 });
    await world.run();
    expect((await answered()).body).toEqual({ webhookId, enqueued: 0, remaining: 0 });
    expect(sentIds().toSorted()).toEqual(missed.map(({ id }) => id).toSorted());
  }, 60_000);

  it("keeps to the range, whose end is exclusive", async () => {
    const { webhookId } = await created();
    const call = as(FULL_KEY);
    await call("PATCH", `/webhooks/${webhookId}`, { enabled: false });
    const at: string[] = [];
    for (const key of ["first", "second", "third"]) {
      at.push(world.clock().toISOString());
      await world.emit(eventOf("binding.created", key));
      world.wait(1_000);
    }
    await call("PATCH", `/webhooks/${webhookId}`, { enabled: true });
    const recovered = await call("POST", `/webhooks/${webhookId}/recover`, {
      since: at[1],
      until: at[2],
    });
    expect(recovered.body).toEqual({ webhookId, enqueued: 1, remaining: 0 });
    await world.run();
    const [third, second, first] = await world.listed(webhookId);
    expect([first?.state, second?.state, third?.state]).toEqual(["missed", "delivered", "missed"]);
  });

  it.each([
    ["an empty body", () => ({}), "since", "Invalid input: expected string, received undefined"],
    ["a time without a zone", () => ({ since: "2026-03-01T00:00:00" }), "since", expect.anything()],
    [
      "a time more than 30 days ago",
      () => ({ since: ago(30 * DAY_MS + 1) }),
      "since",
      "Events are stored for 30 days: use 2026-01-30T",
    ],
    ["a time in the future", () => ({ since: ago(-1) }), "since", "It is in the future."],
    [
      "an end that is not after its start",
      () => ({ since: ago(1_000), until: ago(1_000) }),
      "until",
      "It must be after since.",
    ],
    ["an unknown member", () => ({ since: ago(1), all: true }), "all", expect.anything()],
  ])("refuses %s", async (_what, body, path, message) => {
    const { webhookId } = await created();
    const answer = await as(FULL_KEY)("POST", `/webhooks/${webhookId}/recover`, body());
    expect(errorOf(answer)).toEqual({ status: 400, type: "INVALID_REQUEST" });
    const { error } = answer.body as { error: { details: { issues: unknown } } };
    expect(error.details.issues).toEqual([
      {
        path,
        message: typeof message === "string" ? expect.stringContaining(message) : message,
      },
    ]);
  });
});

describe("POST /webhooks/:id/rotate", () => {
  it("answers the new secret and when the old one stops signing", async () => {
    const { webhookId, secret } = await created();
    const call = as(FULL_KEY);
    const headers = { "Idempotency-Key": randomUUID() };
    const rotated = await call("POST", `/webhooks/${webhookId}/rotate`, {}, headers);
    expect(rotated).toEqual({
      status: 200,
      body: {
        webhookId,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previousValidUntil: new Date(world.clock().getTime() + 86_400_000).toISOString(),
        message: "Store the secret: it is not shown again.",
      },
    });
    expect((rotated.body as { secret: string }).secret).not.toBe(secret);
    expect(await call("POST", `/webhooks/${webhookId}/rotate`, {}, headers)).toEqual(rotated);
    for (const graceSeconds of [-1, 604_801, 1.5]) {
      const answer = await call("POST", `/webhooks/${webhookId}/rotate`, { graceSeconds });
      expect(errorOf(answer)).toEqual({ status: 400, type: "INVALID_REQUEST" });
    }
  });
});

describe("every event", () => {
  const docs = readFileSync("docs/webhooks.md", "utf8");

  it.each(EVENT_NAMES)(
    "%s has a strict schema, a row in the guide and a place in the OpenAPI document",
    async (event) => {
      expect(checkEventData(event, EXAMPLES[event])).toEqual(EXAMPLES[event]);
      expect(() => checkEventData(event, { ...EXAMPLES[event], systemPrompt: "x" })).toThrow(
        'Unrecognized key: "systemPrompt"',
      );
      const schema: z.ZodType = EVENT_DATA[event];
      if (!(schema instanceof z.ZodObject)) throw new Error("not an object");
      const fields = Object.keys(schema.shape);
      const row = docs.split("\n").find((line) => line.startsWith(`| \`${event}\` |`));
      const data = row?.split("|")[3] ?? "";
      expect([...data.matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(fields);

      const document = (await (await testApp().request("/v1/openapi.json")).json()) as {
        webhooks: Record<string, unknown>;
      };
      expect(Object.keys(document.webhooks).sort()).toEqual(
        [...EVENT_NAMES, "webhook.test"].sort(),
      );
      expect(document.webhooks[event]).toMatchObject({
        post: {
          requestBody: {
            content: {
              "application/json": {
                schema: { properties: { data: { required: fields, additionalProperties: false } } },
              },
            },
          },
        },
      });
    },
  );
});

describe("the page of a confirming mail", () => {
  it("changes nothing when it is opened, and confirms by its button", async () => {
    const confirmed: string[] = [];
    const app = testApp({
      pages: testPages,
      mailConfirmations: {
        confirm: async (token) => {
          confirmed.push(token);
        },
      },
    });
    const path = `/confirm-mail/${"t".repeat(43)}`;
    const opened = await app.request(path);
    expect([opened.status, opened.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(opened.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await opened.text()).toContain('<form method="post">');
    expect(confirmed).toEqual([]);
    const headers = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0" };
    const sent = await app.request(path, { method: "POST", headers });
    expect([sent.status, confirmed]).toEqual([200, ["t".repeat(43)]]);
    expect(await sent.text()).toContain("The address is confirmed");
  });

  it("says why a link confirms nothing", async () => {
    const app = testApp({ pages: testPages, mailConfirmations: world.confirmations });
    const path = `/confirm-mail/${"t".repeat(43)}`;
    const refused = await app.request(path, { method: "POST", headers: { Accept: "text/html" } });
    expect(refused.status).toBe(410);
    expect(await refused.text()).toContain("This link is not valid, or no longer.");
  });
});
