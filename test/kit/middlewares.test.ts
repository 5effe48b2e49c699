import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { Hono } from "hono";
import { afterAll, describe, expect, it } from "vitest";
import { createTestIssuer } from "../../kit/testing/index.ts";
import {
  admittedAgent,
  localVerification,
  requireTier,
  requireTierExpress,
  requireTierFastify,
  requireTierFetch,
} from "../../kit/tokens/index.ts";

/** The part used of an app of Express, which has no types of its own. */
interface ExpressApp extends RequestListener {
  use(handler: (req: IncomingMessage, res: ExpressResponse, next: () => void) => unknown): void;
  get(path: string, handler: (req: IncomingMessage, res: ExpressResponse) => void): void;
}
type ExpressResponse = Parameters<RequestListener>[1] & { send(body: string): void };
const express: () => ExpressApp = createRequire(import.meta.url)("express");

const issuer = createTestIssuer();
const demand = {
  check: localVerification({
    issuer: issuer.issuer,
    secrets: issuer.secrets,
    chainId: 31_337,
  }),
  minTier: 2,
} as const;

/** The same service in each form: `GET /hello` answers the agent's name. */
const services: readonly {
  readonly name: string;
  start(): Promise<(request: Request) => Promise<Response>>;
}[] = [
  {
    name: "Hono",
    async start() {
      const app = new Hono()
        .use("*", requireTier(demand))
        .get("/hello", (c) => c.text(c.get("agent").agentName));
      return async (request) => app.fetch(request);
    },
  },
  {
    name: "Express",
    async start() {
      const app = express();
      // What an earlier handler set must not count.
      app.use((req, _res, next) => {
        Object.assign(req, { agent: { agentName: "forged" } });
        next();
      });
      app.use(requireTierExpress(demand));
      app.get("/hello", (req, res) => {
        res.send(admittedAgent(req).agentName);
      });
      const server = createServer(app).listen(0, "127.0.0.1");
      await once(server, "listening");
      closing.push(() => void server.close());
      const { port } = server.address() as AddressInfo;
      return (request) =>
        fetch(`http://127.0.0.1:${port}/hello`, {
          headers: { ...headersOf(request), connection: "close" },
        });
    },
  },
  {
    name: "Fastify",
    async start() {
      const app = Fastify();
      app.addHook("onRequest", async (request) => {
        Object.assign(request, { agent: { agentName: "forged" } });
      });
      app.addHook("onRequest", requireTierFastify(demand));
      app.get("/hello", async (request) => admittedAgent(request).agentName);
      closing.push(() => app.close());
      return async (request) => {
        const answer = await app.inject({
          method: "GET",
          url: "/hello",
          headers: headersOf(request),
        });
        return new Response(answer.body, {
          status: answer.statusCode,
          headers: answer.headers as Record<string, string>,
        });
      };
    },
  },
  {
    name: "a handler of a Request",
    async start() {
      const handler = requireTierFetch(demand, (_request, agent, context: { id: string }) =>
        Promise.resolve(new Response(context.id === "one" ? agent.agentName : "no context")),
      );
      return (request) => handler(request, { id: "one" });
    },
  },
];

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const headersOf = (request: Request) => Object.fromEntries(request.headers);

describe.each(services)("requireTier for $name", ({ start }) => {
  it("admits an agent of the tier, and answers the others as every form does", async () => {
    const service = await start();
    const call = async (authorization?: string) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const response = await service(new Request("http://shop.example/hello", { headers }));
      return {
        status: response.status,
        body: await response.text(),
        challenge: response.headers.get("www-authenticate"),
        cache: response.headers.get("cache-control"),
      };
    };

    const admitted = await call(`Bearer ${await issuer.token()}`);
    expect([admitted.status, admitted.body]).toEqual([200, "aurora"]);
    expect(await call()).toEqual({
      status: 401,
      body: '{"error":"Unauthorized"}',
      challenge: "Bearer",
      cache: "no-store",
    });
    expect(await call("Bearer forged")).toEqual({
      status: 401,
      body: '{"error":"Invalid token"}',
      challenge: 'Bearer error="invalid_token"',
      cache: "no-store",
    });
    expect(await call(`Bearer ${await issuer.token({ tier: 1 })}`)).toEqual({
      status: 403,
      body: '{"error":"Tier too low","tier":1,"minTier":2}',
      challenge: 'Bearer error="insufficient_scope"',
      cache: "no-store",
    });
    expect((await call(`Bearer ${await issuer.token({ scopes: ["manage"] })}`)).status).toBe(401);
  });
});

describe("requireTier", () => {
  it.each([requireTier, requireTierExpress, requireTierFastify])(
    "refuses an unknown tier at the start: %o",
    (adapter) => {
      expect(() => adapter({ ...demand, minTier: 0 as 1 })).toThrow(
        "Unknown tier 0: use 1, 2 or 3.",
      );
    },
  );

  it("refuses an unknown tier around a handler too", () => {
    const wrap = () => requireTierFetch({ ...demand, minTier: 0 as 1 }, () => new Response());
    expect(wrap).toThrow("Unknown tier 0: use 1, 2 or 3.");
  });
});

describe("admittedAgent", () => {
  it("throws on a route without a middleware", () => {
    expect(() => admittedAgent({})).toThrow(
      "No agent was admitted: protect this route with requireTier.",
    );
  });
});
