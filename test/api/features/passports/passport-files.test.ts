import { describe, expect, it } from "vitest";
import {
  ANYWHERE,
  createPassportFiles,
  WITHOUT_WEB,
} from "../../../../api/features/passports/passport-files.ts";
import { inheritedContent } from "../../../../api/features/registration/passport-binding.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { exactJsonText, fromExactJson } from "../../../../api/platform/database/exact-json.ts";
import type { OutboundHttp, OutboundRequest } from "../../../../api/platform/outbound/ports.ts";
import { OutboundError } from "../../../../api/platform/outbound/ports.ts";

// What an untrusted registration file may do to an owner who binds its passport.

const URI = "https://agents.example/heron.json";

/** A file without the members whose values are undefined. */
const inherited = (file: unknown) =>
  inheritedContent(typeof file === "string" ? file : JSON.stringify(file), URI);

function refusalOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { type: error.type, details: error.details };
  }
  return "accepted";
}

describe("what is inherited from a registration file", () => {
  it("is its name, description, image, services and payment support, unchanged", () => {
    const services = [
      { name: "A2A", endpoint: "https://a.example/card", version: "0.3", skills: ["fishing"] },
      { name: "ENS", endpoint: "heron.eth" },
    ];
    const file = {
      type: "x",
      name: "Heron",
      description: "Fishes.",
      image: "ipfs://b",
      services,
      x402Support: true,
      active: false,
      supportedTrust: ["reputation"],
      extra: 1,
    };
    expect(inherited(file)).toEqual({
      name: "Heron",
      description: "Fishes.",
      image: "ipfs://b",
      services,
      x402Support: true,
    });
  });

  it("is empty for a file without these members", () => {
    const nothing = { name: null, description: null, image: null, services: [], x402Support: null };
    expect(inherited({})).toEqual(nothing);
    expect(inherited({ name: null, services: [] })).toEqual(nothing);
  });

  it("reads the older member name for services", () => {
    const endpoints = [{ name: "MCP", endpoint: "https://m.example" }];
    expect(inherited({ endpoints }).services).toEqual(endpoints);
  });

  it.each<[string, unknown, string]>([
    ["a name that is no text", { name: 5 }, "name"],
    ["a name without end", { name: "n".repeat(8_193) }, "name"],
    ["a description of half a character", '{"description":"\\ud800"}', "unusable"],
    ["an image that is a list", { image: [] }, "image"],
    ["invalid services", { services: "A2A" }, "services"],
    ["a service without an endpoint", { services: [{ name: "A2A" }] }, "services"],
    [
      "a hundred and one services",
      { services: Array(101).fill({ name: "a", endpoint: "b" }) },
      "services",
    ],
    [
      "a service with U+0000",
      { services: [{ name: "a", endpoint: "b", note: "\u0000" }] },
      "services",
    ],
    ["a member twice", '{"name":"a","name":"b"}', "unusable"],
    ["a list", [], "unusable"],
    ["no JSON", "<html>", "unusable"],
    ["a hundred levels", `{"name":"a","deep":${"[".repeat(100)}${"]".repeat(100)}}`, "unusable"],
    ["a rounded number", '{"name":"a","x":9007199254740993}', "unusable"],
    [
      "more than is stored for good",
      { image: `data:image/png;base64,${"A".repeat(70_000)}` },
      "too_large",
    ],
  ])("is refused for %s instead of dropped", (_what, file, reason) => {
    expect(refusalOf(() => inherited(file))).toEqual({
      type: "INVALID_REQUEST",
      details: { agentUri: URI, reason },
    });
  });

  it("is stored intact when a value looks like the table's own marker", () => {
    const services = [
      { $bigint: "no number" },
      { $plain: 5 },
      { $bigint: { $plain: [{ $bigint: "5" }] } },
      { $bigint: "1", more: 2n },
    ];
    expect(fromExactJson(JSON.parse(exactJsonText({ services, id: 2n ** 200n })))).toEqual({
      services,
      id: 2n ** 200n,
    });
  });
});

describe("the file of a passport", () => {
  const answers =
    (answer: { status: number; body: Uint8Array } | Error): OutboundHttp["request"] =>
    async () => {
      if (answer instanceof Error) throw answer;
      return { ...answer, contentType: null };
    };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const files = (
    parts: {
      request?: OutboundHttp["request"];
      stored?: (id: string) => Promise<{ data: Uint8Array } | null>;
    },
    timeoutMs = 5_000,
  ) =>
    createPassportFiles({
      http: {
        request:
          parts.request ??
          (() => {
            throw new Error("nothing is fetched");
          }),
      },
      stored: parts.stored ?? (async () => null),
      storageUrl: "https://service.example/ar/",
      timeoutMs,
    });
  const ID = "A".repeat(43);

  it("is read from storage, from the URI itself and from a server", async () => {
    const stored = async (id: string) => (id === ID ? { data: bytes('{"a":1}') } : null);
    expect(await files({ stored }).read(`ar://${ID}`, ANYWHERE)).toEqual({ text: '{"a":1}' });
    const own = `https://service.example/ar/${ID}`;
    expect(await files({ stored }).read(own, ANYWHERE)).toEqual({ text: '{"a":1}' });
    expect(await files({}).read('data:application/json,{"a":2}', ANYWHERE)).toEqual({
      text: '{"a":2}',
    });
    const base64 = Buffer.from('{"a":"ü"}').toString("base64");
    expect(await files({}).read(`data:application/json;base64,${base64}`, ANYWHERE)).toEqual({
      text: '{"a":"ü"}',
    });
    const asked: OutboundRequest[] = [];
    const request: OutboundHttp["request"] = async (given) => {
      asked.push(given);
      return { status: 200, contentType: null, body: bytes("{}") };
    };
    expect(await files({ request }).read(URI, ANYWHERE)).toEqual({ text: "{}" });
    expect(asked).toEqual([
      {
        method: "GET",
        url: URI,
        headers: { accept: "application/json" },
        maxResponseBytes: 1024 * 1024,
        signal: expect.any(AbortSignal) as AbortSignal,
      },
    ]);
  });

  it.each([
    ["ipfs://bafy", "unsupported_uri"],
    ["http://agents.example/a.json", "unsupported_uri"],
    ["javascript:alert(1)", "unsupported_uri"],
    ["file:///etc/passwd", "unsupported_uri"],
    ["data:text/html,{}", "unsupported_uri"],
    ["data:application/json,%E0%A4", "unusable"],
    [`data:application/json;base64,${Buffer.from([0xff]).toString("base64")}`, "unusable"],
    [`ar://${ID}`, "unavailable"],
  ])("at %s is not read: %s", async (uri, refused) => {
    expect(await files({}).read(uri, ANYWHERE)).toEqual({ refused });
  });

  it("is not fetched from a server, or from the URI, when only other origins are asked for", async () => {
    const inline = 'data:application/json,{"a":2}';
    const unsupported = { refused: "unsupported_uri" };
    expect(await files({}).read(URI, WITHOUT_WEB)).toEqual(unsupported);
    expect(await files({}).read(inline, WITHOUT_WEB)).toEqual({ text: '{"a":2}' });
    expect(await files({}).read(inline, ["storage"])).toEqual(unsupported);
    expect(await files({}).read(`https://service.example/ar/${ID}`, ["storage"])).toEqual({
      refused: "unavailable",
    });
  });

  it("is refused when permanent storage holds more than a registration file may have", async () => {
    const stored = async () => ({ data: new Uint8Array(1024 * 1024 + 1).fill(32) });
    expect(await files({ stored }).read(`ar://${ID}`, ANYWHERE)).toEqual({ refused: "unusable" });
  });

  it.each<[string, { status: number; body: Uint8Array } | Error, string]>([
    ["404", { status: 404, body: bytes("{}") }, "unusable"],
    ["503", { status: 503, body: bytes("{}") }, "unavailable"],
    ["429", { status: 429, body: bytes("{}") }, "unavailable"],
    ["broken UTF-8", { status: 200, body: Uint8Array.of(0xff) }, "unusable"],
    ["nothing, being private", new OutboundError("address_not_public"), "unusable"],
    ["a redirect", new OutboundError("redirect"), "unusable"],
    ["too much", new OutboundError("too_large"), "unusable"],
    ["too late", new OutboundError("timeout"), "unavailable"],
    ["nothing at all", new OutboundError("connection"), "unavailable"],
  ])("on a server that answers %s is not read", async (_what, answer, refused) => {
    expect(await files({ request: answers(answer) }).read(URI, ANYWHERE)).toEqual({ refused });
  });

  it("ends within the time limit", async () => {
    const never = () => new Promise<never>(() => {});
    expect(await files({ stored: never }, 20).read(`ar://${ID}`, ANYWHERE)).toEqual({
      refused: "unavailable",
    });
    const request: OutboundHttp["request"] = ({ signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      );
    expect(await files({ request }, 20).read(URI, ANYWHERE)).toEqual({ refused: "unavailable" });
  });
});
