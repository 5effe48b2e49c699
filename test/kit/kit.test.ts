import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { base64url, decodeJwt, SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { createTokens } from "../../api/features/sign-in/tokens/tokens.ts";
import type { TokenSubject } from "../../api/kernel/sessions.ts";
import {
  IntrospectionUnavailableError,
  introspection,
  localVerification,
  requireTier,
  requireTierExpress,
  type SignedInAgent,
  type TokenCheck,
} from "../../kit/tokens/index.ts";

const NOW = new Date("2026-01-31T12:00:00.000Z");
const NOW_SECONDS = NOW.getTime() / 1000;
const first = { kid: "first", secret: randomBytes(32) };
const second = { kid: "second", secret: randomBytes(32) };
const options = {
  secrets: [first, second],
  issuer: "agents.example",
  chainId: 31337,
  clock: () => NOW,
};
const check = localVerification(options);

const subject: TokenSubject = {
  holder: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
  agentId: 0n,
  agentName: "aurora",
  tokenId: 7n,
  chainId: 31337,
  tier: 2,
  scopes: ["identity", "soul"],
  humanVerified: false,
  audience: "agents.example",
  manages: null,
  checkedBlock: 120n,
  checkedAt: 1_700_000_000n,
};
const agent: SignedInAgent = {
  holder: subject.holder,
  agentName: "aurora",
  erc8004AgentId: 0,
  chainId: 31337,
  tier: 2,
  scopes: ["identity", "soul"],
  humanVerified: false,
  audience: "agents.example",
  issuedAt: NOW_SECONDS,
  expiresAt: NOW_SECONDS + 3600,
  jti: "a",
};
const claims = {
  iss: "agents.example",
  sub: subject.holder,
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 3600,
  jti: "a",
  tier: 2,
  scopes: ["identity", "soul"],
  agentName: "aurora",
  erc8004AgentId: 0,
  chainId: 31337,
  humanVerified: false,
  aud: "agents.example",
};
const AUDIENCE = "https://shop.example";
type Header = { alg: string; typ?: string; kid?: string };
const HEADER: Header = { alg: "HS256", typ: "JWT", kid: "first" };

const signed = (change: object = {}, header: Header = HEADER, secret = first.secret) =>
  new SignJWT({ ...claims, ...change }).setProtectedHeader({ ...header }).sign(secret);

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server at its own address that answers as the test sets it. */
async function serve(
  handler: (request: { url: string; body: string }, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    handler({ url: request.url ?? "", body: Buffer.concat(chunks).toString() }, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (answer: unknown, status = 200) =>
  serve((_request, response) => {
    response.statusCode = status;
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });

describe("localVerification", () => {
  it("accepts the tokens that the service issues, with either secret", async () => {
    for (const secrets of [[first], [second, first]]) {
      const tokens = createTokens({ secrets, issuer: "agents.example", clock: () => NOW });
      expect(await check(await tokens.issue(subject))).toEqual({
        ...agent,
        jti: expect.any(String),
      });
    }
    // The unchanged forged token is accepted, so that each refusal below is due to its one change.
    expect(await check(await signed())).toEqual(agent);
  });

  it.each<[string, object]>([
    ["another issuer", { iss: "evil.example" }],
    ["another chain", { chainId: 8453 }],
    ["an expiry that is now", { exp: NOW_SECONDS }],
    ["no expiry", { exp: undefined }],
    ["no issue time", { iat: undefined }],
    ["no issuer", { iss: undefined }],
    ["no id", { jti: undefined }],
    ["another audience", { aud: "https://bank.example" }],
    ["the issuer's origin, which is not its domain", { aud: "https://agents.example" }],
    ["two audiences", { aud: ["agents.example", AUDIENCE] }],
    ["no audience", { aud: undefined }],
    ["scope manage", { scopes: ["identity", "manage"], manages: "agent" }],
    ["no subject", { sub: undefined }],
    ["a subject that is no address", { sub: "alice" }],
    ["tier 4", { tier: 4 }],
    ["a tier that is text", { tier: "3" }],
    ["no tier", { tier: undefined }],
    ["scopes that are text", { scopes: "identity" }],
    ["no name", { agentName: undefined }],
    ["an id that would be rounded", { erc8004AgentId: 2 ** 53 }],
    ["humanVerified that is text", { humanVerified: "false" }],
  ])("refuses %s", async (_what, change) => {
    expect(await check(await signed(change))).toBeNull();
  });

  it("accepts the tokens for its own audience alone, when it has one", async () => {
    const shop = localVerification({ ...options, audience: AUDIENCE });
    expect(await shop(await signed({ aud: AUDIENCE }))).toEqual({ ...agent, audience: AUDIENCE });
    for (const aud of [
      ...["agents.example", "https://bank.example", `${AUDIENCE}/`, `${AUDIENCE}:8443`],
      ...["http://shop.example", "shop.example", [AUDIENCE, "agents.example"], undefined],
    ]) {
      expect(await shop(await signed({ aud }))).toBeNull();
    }
    const managing = { aud: AUDIENCE, scopes: ["identity", "manage"] };
    expect(await shop(await signed(managing))).toBeNull();
  });

  it.each<[string, Header]>([
    ["no kid", { alg: "HS256", typ: "JWT" }],
    ["the second secret's kid", { ...HEADER, kid: "second" }],
    ["an unknown kid", { ...HEADER, kid: "x" }],
    ["no typ", { alg: "HS256", kid: "first" }],
    ["another typ", { ...HEADER, typ: "at+jwt" }],
  ])("refuses a header with %s", async (_what, header) => {
    expect(await check(await signed({}, header))).toBeNull();
  });

  it("refuses alg none, another algorithm, every flipped bit, and what is not a token", async () => {
    const token = await signed();
    const [header = "", payload = "", signature = ""] = token.split(".");
    const none = base64url.encode(JSON.stringify({ alg: "none", typ: "JWT", kid: "first" }));
    const other = await signed({}, { ...HEADER, alg: "HS512" });
    for (const bad of [`${none}.${payload}.`, `${none}.${payload}.${signature}`, other]) {
      expect(await check(bad)).toBeNull();
    }
    for (let bit = 0; bit < 256; bit += 1) {
      const bytes = base64url.decode(signature);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await check(`${header}.${payload}.${base64url.encode(bytes)}`)).toBeNull();
    }
    for (const bad of ["", ".", "a.b.c", "💥", "a".repeat(5_000)]) {
      expect(await check(bad)).toBeNull();
    }
  });

  it("refuses weak or ambiguous secrets at construction", () => {
    const built = (secrets: (typeof first)[]) => () => localVerification({ ...options, secrets });
    expect(built([])).toThrow("There is no secret for tokens. Give at least one.");
    expect(built([first, first])).toThrow(`Two token secrets have the kid ${first.kid}.`);
    expect(built([{ kid: "a", secret: randomBytes(31) }])).toThrow(
      "The token secret a is shorter than 32 bytes.",
    );
  });
});

describe("introspection", () => {
  it("asks the service and returns the agent, or null for an inactive token", async () => {
    const requests: unknown[] = [];
    const service = await serve(({ url, body }, response) => {
      const { token } = JSON.parse(body);
      requests.push([url, token]);
      response.end(
        JSON.stringify(token === "good" ? { active: true, ...claims } : { active: false }),
      );
    });
    const ask = introspection({ service });
    expect(await ask("good")).toEqual(agent);
    expect(await ask("bad")).toBeNull();
    expect(requests).toEqual([
      ["/api/v1/auth/token/introspect", "good"],
      ["/api/v1/auth/token/introspect", "bad"],
    ]);
    // Refused without a request.
    expect(await ask("")).toBeNull();
    expect(await ask("a".repeat(5_000))).toBeNull();
    expect(requests).toHaveLength(2);
  });

  it("accepts the tokens for its own audience alone, or for the service's domain", async () => {
    const answers: Record<string, object> = {
      plain: {},
      shop: { aud: AUDIENCE },
      bank: { aud: "https://bank.example" },
      manage: { scopes: ["identity", "manage"], manages: "account" },
      "manage for the shop": { aud: AUDIENCE, scopes: ["identity", "manage"] },
    };
    const service = await serve(({ body }, response) => {
      const { token } = JSON.parse(body);
      response.end(JSON.stringify({ active: true, ...claims, ...answers[token] }));
    });
    const accepted = async (ask: TokenCheck) => {
      const agents = await Promise.all(Object.keys(answers).map((token) => ask(token)));
      return Object.keys(answers).filter((_token, index) => agents[index] !== null);
    };
    expect(await accepted(introspection({ service }))).toEqual(["plain"]);
    expect(await accepted(introspection({ service, audience: AUDIENCE }))).toEqual(["shop"]);
  });

  it.each([
    ...["shop.example", `${AUDIENCE}/`, "http://shop.example", "https://user@shop.example", ""],
    ...["https://SHOP.example", "https://münchen.example", "https://shop.example:443", "*"],
  ])("cannot be constructed for the audience %j, nor can local verification", (audience) => {
    const message = `The audience must be this service's origin, such as https://shop.example, and not ${audience}.`;
    expect(() => introspection({ service: "https://agents.example", audience })).toThrow(message);
    expect(() => localVerification({ ...options, audience })).toThrow(message);
  });

  it.each<[string, unknown, number]>([
    ["no audience", { active: true, ...claims, aud: undefined }, 200],
    ["no issuer", { active: true, ...claims, iss: undefined }, 200],
    ["an error", { active: true, ...claims }, 503],
    ["a success of another kind", { active: true, ...claims }, 202],
    ["an activity that is text", { active: "true", ...claims }, 200],
    ["no activity", claims, 200],
    ["no agent", { active: true }, 200],
    ["tier 4", { active: true, ...claims, tier: 4 }, 200],
    ["null", null, 200],
    ["a list", [], 200],
  ])("rejects when the answer is %s", async (_what, answer, status) => {
    const ask = introspection({ service: await answering(answer, status) });
    await expect(ask("good")).rejects.toThrow(IntrospectionUnavailableError);
  });

  it("rejects without an answer in time, and follows no redirect", async () => {
    const elsewhere = await answering({ active: true, ...claims });
    const redirecting = await serve((_request, response) => {
      response.writeHead(307, { location: `${elsewhere}/api/v1/auth/token/introspect` }).end();
    });
    const silent = await serve(() => {});
    for (const service of [redirecting, silent, "http://127.0.0.1:9"]) {
      const ask = introspection({ service, timeoutMs: 200 });
      await expect(ask("good")).rejects.toThrow("The sign-in service does not answer.");
    }
  });

  it("sends no token in the clear", () => {
    for (const service of [
      "http://agents.example",
      "ftp://127.0.0.1",
      "http://127.0.0.1.evil.example",
    ]) {
      expect(() => introspection({ service })).toThrow("must be reached over https");
    }
    expect(() => introspection({ service: "https://agents.example" })).not.toThrow();
  });
});

const known =
  (agents: Readonly<Record<string, unknown>>): TokenCheck =>
  async (token) => {
    if (token === "fault") throw new Error("secret detail");
    return (agents[token] ?? null) as SignedInAgent | null;
  };
const agents = {
  one: { ...agent, tier: 1 },
  two: agent,
  three: { ...agent, tier: 3 },
  odd: { ...agent, tier: undefined },
  text: { ...agent, tier: "x" },
  manage: { ...agent, scopes: ["identity", "manage"] },
};

/** A service behind each middleware, and its answer to an Authorization header. */
const services = {
  async hono(minTier: 1 | 2 | 3, check = known(agents)) {
    const app = new Hono()
      .use(requireTier({ check, minTier }))
      .get("/", (c) => c.json(c.get("agent")));
    return (authorization?: string) =>
      app.request("/", authorization === undefined ? {} : { headers: { authorization } });
  },
  async express(minTier: 1 | 2 | 3, check = known(agents)) {
    const middleware = requireTierExpress({ check, minTier });
    const server = createServer((req: IncomingMessage & { agent?: SignedInAgent }, res) => {
      req.agent = { ...agent, agentName: "forged" };
      void middleware(req, res, () =>
        res.setHeader("content-type", "application/json").end(JSON.stringify(req.agent)),
      );
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return (authorization?: string) =>
      fetch(url, authorization === undefined ? {} : { headers: { authorization } });
  },
};

it("the express middleware removes the agent from a request that it refuses", async () => {
  const req = { headers: {}, agent };
  const sent: string[] = [];
  const res = { statusCode: 200, setHeader: () => {}, end: (body: string) => sent.push(body) };
  const refuse = requireTierExpress({ check: known({}), minTier: 1 });
  await refuse(req, res, () => sent.push("let in"));
  expect({ ...req, status: res.statusCode, sent }).toEqual({
    headers: {},
    status: 401,
    sent: ['{"error":"Unauthorized"}'],
  });
});

describe.each(["hono", "express"] as const)("the %s middleware", (kind) => {
  it("admits a sufficient tier, and names the agent", async () => {
    const call = await services[kind](2);
    for (const token of ["two", "three"] as const) {
      const response = await call(`Bearer ${token}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(agents[token]);
    }
    expect((await call("bearer two")).status).toBe(200);
  });

  it.each<[string, string | undefined, number, object, string | null]>([
    ["no header", undefined, 401, { error: "Unauthorized" }, "Bearer"],
    ["no token", "Bearer ", 401, { error: "Unauthorized" }, "Bearer"],
    ["another scheme", "Basic two", 401, { error: "Unauthorized" }, "Bearer"],
    ["two tokens", "Bearer two, Bearer two", 401, { error: "Unauthorized" }, "Bearer"],
    ["two words", "Bearer two two", 401, { error: "Unauthorized" }, "Bearer"],
    [
      "a token with scope manage, even when its check accepts it",
      "Bearer manage",
      401,
      { error: "Invalid token" },
      'Bearer error="invalid_token"',
    ],
    ["a bad token", "Bearer four", 401, { error: "Invalid token" }, 'Bearer error="invalid_token"'],
    [
      "a lower tier",
      "Bearer one",
      403,
      { error: "Tier too low", tier: 1, minTier: 2 },
      'Bearer error="insufficient_scope"',
    ],
    [
      "no tier",
      "Bearer odd",
      403,
      { error: "Tier too low", minTier: 2 },
      'Bearer error="insufficient_scope"',
    ],
    [
      "a tier that is text",
      "Bearer text",
      403,
      { error: "Tier too low", tier: "x", minTier: 2 },
      'Bearer error="insufficient_scope"',
    ],
    ["a check that fails", "Bearer fault", 503, { error: "Sign-in unavailable" }, null],
  ])("refuses %s", async (_what, header, status, body, challenge) => {
    const call = await services[kind](2);
    const response = await call(header);
    expect([response.status, await response.json()]).toEqual([status, body]);
    expect(response.headers.get("www-authenticate")).toBe(challenge);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  });

  it("refuses tokens for another audience, and with scope manage, by either check", async () => {
    const secrets = [first];
    const tokens = createTokens({ secrets, issuer: "agents.example", clock: () => NOW });
    const issued = {
      here: await tokens.issue({ ...subject, audience: AUDIENCE }),
      elsewhere: await tokens.issue({ ...subject, audience: "https://bank.example" }),
      everywhere: await tokens.issue(subject),
      manage: await tokens.issue({ ...subject, scopes: ["identity", "manage"], manages: "agent" }),
    };
    const service = await serve(({ body }, response) => {
      const { token } = JSON.parse(body);
      response.end(JSON.stringify({ active: true, ...decodeJwt(token) }));
    });
    for (const check of [
      localVerification({ ...options, audience: AUDIENCE }),
      introspection({ service, audience: AUDIENCE }),
    ]) {
      const call = await services[kind](2, check);
      const welcome = await call(`Bearer ${issued.here}`);
      expect([welcome.status, ((await welcome.json()) as SignedInAgent).audience]).toEqual([
        200,
        AUDIENCE,
      ]);
      for (const token of [issued.elsewhere, issued.everywhere, issued.manage]) {
        const refused = await call(`Bearer ${token}`);
        expect([refused.status, await refused.json()]).toEqual([401, { error: "Invalid token" }]);
      }
    }
    const call = await services[kind](2, introspection({ service }));
    expect((await call(`Bearer ${issued.everywhere}`)).status).toBe(200);
    for (const token of [issued.here, issued.elsewhere, issued.manage]) {
      expect((await call(`Bearer ${token}`)).status).toBe(401);
    }
  });

  it("cannot be constructed for an unknown tier", () => {
    const build = kind === "hono" ? requireTier : requireTierExpress;
    for (const minTier of [0, 4, Number.NaN, "2", undefined]) {
      expect(() => build({ check: known({}), minTier: minTier as 1 })).toThrow("Unknown tier");
    }
  });
});
