import { describe, expect, it } from "vitest";
import {
  type CheckedEndpoint,
  checkEndpoints,
  domainProofRequest,
  namesPassport,
  type ProbeOutcome,
  type ProbeRequest,
  type SendProbe,
} from "../../../protocol/endpoints/index.ts";

const REGISTRY = "eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";
const passport = { registry: REGISTRY, agentId: 22n };
const ENDS = new Date("2027-01-01T00:00:00Z");

const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const answer = (
  status: number,
  body: unknown = "",
  headers: Record<string, string> = {},
): ProbeOutcome => ({ status, headers, body: bytes(body) });

const QUOTE = {
  x402Version: 2,
  accepts: [
    { scheme: "exact", network: "eip155:8453", amount: "10", payTo: "0xaa", asset: "0xbb" },
  ],
};
const CARD = {
  name: "Heron",
  description: "",
  version: "1",
  protocolVersion: "0.3.0",
  url: "https://a.example/a2a",
  capabilities: {},
  skills: [{ id: "count" }],
};

/** Checks one endpoint; answers come by `METHOD url`, or by the JSON-RPC method. */
async function checked(
  service: string,
  endpoint: string,
  answers: Readonly<Record<string, ProbeOutcome>>,
): Promise<CheckedEndpoint & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const send: SendProbe = async (request: ProbeRequest) => {
    const rpc = request.body === null ? null : JSON.parse(request.body).method;
    const key = rpc ?? `${request.method} ${request.url}`;
    if (request.url.endsWith("/.well-known/agent-registration.json")) {
      return { outcome: answers.proof ?? answer(404), ms: 1, certificateEnds: ENDS };
    }
    asked.push(key);
    return { outcome: answers[key] ?? answer(404), ms: 12.4, certificateEnds: ENDS };
  };
  const file = { services: [{ name: service, endpoint, version: null }] };
  const [found] = await checkEndpoints({ file, fileNamesPassport: true, uri: "", passport }, send);
  if (found === undefined) throw new Error("not checked");
  return { ...found, asked };
}

const PROOF = answer(200, { registrations: [{ agentId: 22, agentRegistry: REGISTRY }] });

describe("an A2A endpoint", () => {
  const url = "https://a.example/.well-known/agent-card.json";
  it("answers with a card whose own address answers", async () => {
    const found = await checked("A2A", url, {
      [`GET ${url}`]: answer(200, CARD),
      [`GET ${CARD.url}`]: answer(405),
      proof: PROOF,
    });
    expect(found).toMatchObject({
      kind: "a2a",
      state: "answers",
      answers: true,
      domainProven: true,
      latencyMs: 12,
      certificateEnds: "2027-01-01T00:00:00.000Z",
      seen: "An A2A agent card (protocol 0.3.0) with 1 skill, whose own address answers.",
    });
  });

  it("is looked for at the well-known paths of a base address", async () => {
    const found = await checked("a2a", "https://a.example/agent", {
      "GET https://a.example/.well-known/agent.json": answer(200, CARD),
      [`GET ${CARD.url}`]: answer(401),
    });
    expect(found.state).toBe("domain_not_proven");
    expect(found.asked).toEqual([
      "GET https://a.example/agent",
      "GET https://a.example/.well-known/agent-card.json",
      "GET https://a.example/.well-known/agent.json",
      `GET ${CARD.url}`,
    ]);
  });

  it("has the address of version 1 in its first interface", async () => {
    const { url: own, ...rest } = CARD;
    const card = { ...rest, supportedInterfaces: [{ url: own, protocolVersion: "1.0" }] };
    const found = await checked("A2A", url, {
      [`GET ${url}`]: answer(200, card),
      [`GET ${own}`]: answer(200),
    });
    expect(found.seen).toBe(
      "An A2A agent card (protocol 1.0) with 1 skill, whose own address answers.",
    );
  });

  it.each([
    [{ ...CARD, name: " " }, "Its A2A agent card has an empty name."],
    [{ ...CARD, skills: 3 }, "Its A2A agent card has no list of skills."],
    [{ ...CARD, capabilities: [] }, "Its A2A agent card has no object of capabilities."],
    [
      { ...CARD, url: "javascript:1" },
      "Its A2A agent card names no address where the agent is reached.",
    ],
    [{ hello: "world" }, "It answered, and not with an A2A agent card."],
    ["<html>", "It answered, and not with an A2A agent card."],
  ])("is silent with the card %j", async (card, seen) => {
    const found = await checked("A2A", url, { [`GET ${url}`]: answer(200, card) });
    expect([found.state, found.seen]).toEqual(["silent", seen]);
  });

  it("is silent when the card's own address is forbidden or fails", async () => {
    const card = { ...CARD, url: "http://169.254.169.254/latest" };
    const at = { [`GET ${url}`]: answer(200, card) };
    const forbidden = { failed: "refused" } as const;
    const found = await checked("A2A", url, { ...at, [`GET ${card.url}`]: forbidden });
    expect([found.state, found.seen]).toEqual([
      "silent",
      "An A2A agent card (protocol 0.3.0) with 1 skill, whose own address gave no answer. It has an address that may not be checked: only https to public hosts may.",
    ]);
    const failing = await checked("A2A", url, { ...at, [`GET ${card.url}`]: answer(503) });
    expect(failing.seen).toContain("whose own address answered 503.");
  });
});

describe("an MCP endpoint", () => {
  const url = "https://a.example/mcp";
  const json = { "content-type": "application/json" };
  const events = { "content-type": "text/event-stream" };
  const opened = {
    jsonrpc: "2.0",
    id: 1,
    result: { protocolVersion: "2025-03-26", capabilities: {}, serverInfo: { name: "x" } },
  };
  const tools = { jsonrpc: "2.0", id: 2, result: { tools: [{ name: "a" }, { name: "b" }] } };

  it("is opened, asked for its tools, and its session is ended", async () => {
    const found = await checked("MCP", url, {
      initialize: answer(200, opened, { ...json, "mcp-session-id": "s-1" }),
      "notifications/initialized": answer(202),
      "tools/list": answer(200, tools, json),
      proof: PROOF,
    });
    expect([found.state, found.seen]).toEqual([
      "answers",
      "An MCP server (protocol 2025-03-26) with 2 tools.",
    ]);
    expect(found.asked).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      `DELETE ${url}`,
    ]);
  });

  it.each([
    ["\n", "\n\n"],
    ["\r\n", "\r\n\r\n"],
    ["\r", "\r\r"],
  ])("may answer in a stream of events, with the line end %j", async (line, end) => {
    const ping = `event: message${line}data: {"jsonrpc":"2.0","method":"ping"}${end}`;
    const stream = (message: object) =>
      `: hello${end}${ping}event: message${line}data: ${JSON.stringify(message)}${end}`;
    const found = await checked("mcp", url, {
      initialize: answer(200, stream(opened), events),
      "notifications/initialized": answer(202),
      "tools/list": answer(200, stream(tools), events),
    });
    expect(found.seen).toBe("An MCP server (protocol 2025-03-26) with 2 tools.");
  });

  it.each([
    [answer(401), true, "It answers, and asks for a credential (401)."],
    [answer(404), false, "It answered 404 to MCP's initialize."],
    [answer(200, "<html>", json), false, "It answered, and not to MCP's initialize."],
    [
      answer(200, { jsonrpc: "2.0", id: 1, error: { code: 1 } }, json),
      false,
      "It answered, and not to MCP's initialize.",
    ],
    [
      answer(200, { ...opened, result: {} }, json),
      false,
      "It answered MCP's initialize without a protocol version.",
    ],
    [{ failed: "timeout" } as const, false, "It did not answer in time."],
    [answer(200, opened, json), false, "An MCP server (protocol 2025-03-26) that lists no tools."],
  ])("with the answer %j to initialize", async (initialize, answers, seen) => {
    const found = await checked("MCP", url, { initialize });
    expect([found.answers, found.seen]).toEqual([answers, seen]);
  });
});

describe("an endpoint that is paid for", () => {
  const url = "https://a.example/paid";
  const header = { "payment-required": btoa(JSON.stringify(QUOTE)) };
  it.each([
    [answer(402, "", header), true],
    [answer(402, { ...QUOTE, x402Version: 1 }), true],
    [answer(402, { ...QUOTE, accepts: [] }), false],
    [answer(402, { ...QUOTE, accepts: [{ ...QUOTE.accepts[0], amount: "1.5" }] }), false],
    [answer(402, "", { "payment-required": "not base64!" }), false],
    [answer(200, "free"), false],
  ])("with %j quotes: %s", async (outcome, quotes) => {
    const found = await checked("x402", url, { [`GET ${url}`]: outcome });
    expect([found.quotesPayment, found.answers]).toEqual([quotes, quotes]);
  });
});

describe("other endpoints", () => {
  it.each([
    ["web", answer(200), true, "It answered 200."],
    ["web", answer(301), true, "It answered with a redirect (301), which is not followed."],
    ["web", answer(500), false, "It answered 500."],
    ["shop", answer(404), false, "It answered 404."],
    ["web", { failed: "tls" } as const, false, "It has no valid TLS certificate."],
    [
      "OASF",
      answer(200, { name: "x", schema_version: "0.8" }),
      true,
      "An OASF record (schema 0.8).",
    ],
    ["OASF", answer(200, []), false, "It answered, and not with an OASF record."],
    [
      "web",
      { failed: "busy" } as const,
      null,
      "It was not asked, because its host has been asked too often in the last minutes.",
    ],
  ])("%s with %j", async (service, outcome, answers, seen) => {
    const url = "https://a.example/x";
    const found = await checked(service, url, { [`GET ${url}`]: outcome });
    expect([found.answers, found.seen]).toEqual([answers, seen]);
  });

  it.each([
    ["ENS", "heron.eth"],
    ["email", "mailto:a@example.org"],
    ["DID", "did:web:a.example"],
    ["OASF", "ipfs://bafy"],
    ["Svc-API", "https://svc.example/v1/verify/x"],
    ["web", "https://"],
  ])("%s at %s is not asked", async (service, endpoint) => {
    const found = await checked(service, endpoint, {});
    expect([found.kind, found.state, found.asked]).toEqual([null, "not_checked", []]);
  });

  it("are at most twelve of one agent", async () => {
    const services = Array.from({ length: 30 }, (_, index) => ({
      name: "web",
      endpoint: `https://a.example/${index}`,
      version: null,
    }));
    let asked = 0;
    const found = await checkEndpoints(
      { file: { services }, fileNamesPassport: true, uri: "", passport },
      async () => {
        asked += 1;
        return { outcome: answer(200), ms: 1, certificateEnds: null };
      },
    );
    expect(found.filter(({ kind }) => kind !== null).length).toBe(12);
    // One more for the proof of their one origin.
    expect([found.length, asked]).toEqual([16, 13]);
  });
});

describe("the proof of a domain", () => {
  it("is asked of the endpoint's own origin", () => {
    expect(domainProofRequest("https://a.example:8443")).toMatchObject({
      method: "GET",
      url: "https://a.example:8443/.well-known/agent-registration.json",
    });
  });

  it.each([
    [{ registrations: [{ agentId: 22, agentRegistry: REGISTRY }] }, true],
    [{ registrations: [{ agentId: "22", agentRegistry: REGISTRY.toLowerCase() }] }, true],
    [{ registrations: [{ agentId: 23, agentRegistry: REGISTRY }] }, false],
    [{ registrations: [{ agentId: 22, agentRegistry: REGISTRY.replace("8453", "1") }] }, false],
    [{ registrations: [{ agentId: 22.5, agentRegistry: REGISTRY }] }, false],
    [{ registrations: {} }, false],
    [[], false],
    [null, false],
  ])("in %j: %s", (file, proves) => {
    expect(namesPassport(file, passport)).toBe(proves);
  });

  it("finds its passport in a long list, and no rounded id", () => {
    const many = Array.from({ length: 5_000 }, (_, agentId) => ({
      agentId,
      agentRegistry: REGISTRY,
    }));
    expect(namesPassport({ registrations: many }, { ...passport, agentId: 4_999n })).toBe(true);
    const rounded = JSON.parse(
      `{"registrations":[{"agentId":9007199254740993,"agentRegistry":"${REGISTRY}"}]}`,
    );
    expect(namesPassport(rounded, { ...passport, agentId: 9007199254740992n })).toBe(false);
  });

  it("is given by the registration file where it is served by the same origin", async () => {
    const file = { services: [{ name: "web", endpoint: "https://a.example/x", version: null }] };
    const asked: string[] = [];
    const send: SendProbe = async ({ url }) => {
      asked.push(url);
      return { outcome: answer(url.endsWith("/x") ? 200 : 404), ms: 1, certificateEnds: null };
    };
    const of = { file, uri: "https://a.example/agent.json", passport };
    const [named] = await checkEndpoints({ ...of, fileNamesPassport: true }, send);
    expect([named?.state, asked]).toEqual(["answers", ["https://a.example/x"]]);
    const [unnamed] = await checkEndpoints({ ...of, fileNamesPassport: false }, send);
    expect(unnamed?.state).toBe("domain_not_proven");
  });
});
