import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  contentHash,
  ManagedServiceError,
  type PublicContentInput,
  parseRegistrationFile,
  publicContent,
  REGISTRATION_FILE_LIMITS,
  registrationFile,
  UnreadableFileError,
  UnsafeIdError,
  withoutIds,
} from "../../protocol/index.ts";
import { numRuns } from "./arbitraries.ts";

const soulHash = `0x${"0a".repeat(32)}` as const;
const registry = "0x8004a169fb4a3325136eb29fa0ceb6d2e539a432";
const minimal: PublicContentInput = {
  name: "ada",
  profileUrl: "https://id.example/agents/ada",
  verifyUrl: "https://id.example/v1/verify/ada",
  did: "did:svc:8453:ada",
  active: true,
  humanVerified: false,
  chainId: 8453,
  soulHash,
  agentType: 2,
};
const full: PublicContentInput = {
  ...minimal,
  tagline: "Keeps the books.",
  description: "Unused beside a tagline.",
  image: "https://id.example/ada.svg",
  serviceEndpoints: {
    oasf: "https://ada.example/oasf-0",
    Mcp: "https://ada.example/mcp",
    "Agent.Card-v1": "https://ada.example/card",
    a2A: "https://ada.example/a2a",
  },
  website: "https://ada.example",
  customServices: [
    { name: "OASF", endpoint: "https://ada.example/oasf", version: "0.8" },
    { name: "email", endpoint: "ada@ada.example" },
  ],
  x402Support: true,
  humanVerified: true,
};
const managed = [
  { name: "Svc", endpoint: "https://id.example/agents/ada", version: "0.4" },
  { name: "Svc-API", endpoint: "https://id.example/v1/verify/ada", version: "0.4" },
  { name: "DID", endpoint: "did:svc:8453:ada", version: "v1" },
];

describe("publicContent", () => {
  it("holds the values known before there are ids", () => {
    expect(publicContent(minimal)).toStrictEqual({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "ada",
      description: "",
      services: managed,
      x402Support: false,
      active: true,
      registrations: [],
      supportedTrust: ["sbt-bound"],
      svc: { chainId: 8453, soulHash, did: "did:svc:8453:ada", agentType: 2 },
    });
  });

  it("takes the description without a tagline", () => {
    expect(publicContent({ ...minimal, tagline: "", description: "Long." }).description).toBe(
      "Long.",
    );
  });

  it.each(["Svc", "Svc-API", "DID", "did", " SVC "])("refuses an owner's service %j", (name) => {
    const endpoint = "https://x.example";
    for (const own of [
      { customServices: [{ name, endpoint }] },
      { serviceEndpoints: { [name]: endpoint } },
    ]) {
      const run = () => publicContent({ ...minimal, ...own });
      expect(run).toThrow(ManagedServiceError);
      expect(run).toThrow(expect.objectContaining({ code: "managed_service", service: name }));
    }
  });

  it("lists endpoints in an order that their object does not decide", () => {
    const endpoints = Object.entries(full.serviceEndpoints ?? {});
    expect(
      publicContent({ ...full, serviceEndpoints: Object.fromEntries(endpoints.reverse()) }),
    ).toStrictEqual(publicContent(full));
  });
});

describe("registrationFile", () => {
  const file = registrationFile({ ...full, passportId: 0n, tokenId: 1n, registry });

  it("adds the ids, passport 0 included", () => {
    expect(file).toStrictEqual({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "ada",
      description: "Keeps the books.",
      image: "https://id.example/ada.svg",
      services: [
        ...managed,
        { name: "A2A", endpoint: "https://ada.example/a2a" },
        { name: "MCP", endpoint: "https://ada.example/mcp" },
        { name: "web", endpoint: "https://ada.example" },
        { name: "Agent.Card-v1", endpoint: "https://ada.example/card" },
        { name: "oasf", endpoint: "https://ada.example/oasf-0" },
        { name: "OASF", endpoint: "https://ada.example/oasf", version: "0.8" },
        { name: "email", endpoint: "ada@ada.example" },
      ],
      x402Support: true,
      active: true,
      registrations: [
        { agentId: 0, agentRegistry: "eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432" },
      ],
      supportedTrust: ["sbt-bound", "human-verified"],
      svc: { chainId: 8453, tokenId: 1, soulHash, did: "did:svc:8453:ada", agentType: 2 },
    });
  });

  it("without its ids is the signed content", () => {
    expect(withoutIds(file)).toStrictEqual(publicContent(full));
    expect(contentHash(withoutIds(file))).toBe(contentHash(publicContent(full)));
    expect(contentHash(file)).not.toBe(contentHash(publicContent(full)));
  });

  it("is hashed as canonical JSON", () => {
    expect(canonicalJson(publicContent(minimal))).toBe(
      `{"active":true,"description":"","name":"ada","registrations":[],"services":[{"endpoint":"https://id.example/agents/ada","name":"Svc","version":"0.4"},{"endpoint":"https://id.example/v1/verify/ada","name":"Svc-API","version":"0.4"},{"endpoint":"did:svc:8453:ada","name":"DID","version":"v1"}],"supportedTrust":["sbt-bound"],"svc":{"agentType":2,"chainId":8453,"did":"did:svc:8453:ada","soulHash":"${soulHash}"},"type":"https://eips.ethereum.org/EIPS/eip-8004#registration-v1","x402Support":false}`,
    );
    const digest = createHash("sha256").update(canonicalJson(file)).digest("hex");
    expect(contentHash(file)).toBe(`0x${digest}`);
  });

  it("refuses ids that JSON would round", () => {
    const run = () => registrationFile({ ...full, passportId: 2n ** 53n, tokenId: 1n, registry });
    expect(run).toThrow(UnsafeIdError);
    expect(run).toThrow(expect.objectContaining({ code: "unsafe_id", id: 2n ** 53n }));
  });

  it("is read back", () => {
    expect(parseRegistrationFile(JSON.stringify(file))).toStrictEqual({
      type: file.type,
      name: "ada",
      description: "Keeps the books.",
      image: "https://id.example/ada.svg",
      services: file.services.map((service) => ({ version: null, ...service })),
      x402Support: true,
      active: true,
      registrations: [
        { agentId: 0n, chainId: 8453, registry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432" },
      ],
      supportedTrust: ["sbt-bound", "human-verified"],
      soul: { chainId: 8453, tokenId: 1n, soulHash, did: "did:svc:8453:ada", agentType: 2 },
    });
  });
});

describe("parseRegistrationFile", () => {
  const nothing = {
    type: null,
    name: null,
    description: null,
    image: null,
    services: [],
    x402Support: null,
    active: null,
    registrations: [],
    supportedTrust: [],
    soul: null,
  };

  it("accepts the older spellings", () => {
    const text = JSON.stringify({
      endpoints: [{ name: "web", endpoint: "https://a.example" }],
      x402support: true,
    });
    expect(parseRegistrationFile(text)).toStrictEqual({
      ...nothing,
      services: [{ name: "web", endpoint: "https://a.example", version: null }],
      x402Support: true,
    });
  });

  it.each([
    "null",
    "7",
    "[]",
    '"text"',
    "{}",
    '{"name":7,"image":[],"services":{},"svc":"x","active":1}',
    '{"name":"\\ud800","description":"a\\u0000b"}',
    `{"name":"${"x".repeat(REGISTRATION_FILE_LIMITS.text + 1)}"}`,
    `${"[".repeat(2e5)}${"]".repeat(2e5)}`,
  ])("reads nothing from %.60s", (text) => {
    expect(parseRegistrationFile(text)).toStrictEqual(nothing);
  });

  it("leaves out invalid entries and keeps the others", () => {
    const good = "eip155:1:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";
    const text = `{"services":[null,{"name":"a"},{"name":"b","endpoint":"e","version":2}],
      "registrations":[{"agentId":9007199254740993,"agentRegistry":"${good}"},
        {"agentId":"9007199254740993","agentRegistry":"${good}"},
        {"agentId":"42abc","agentRegistry":"${good}"},{"agentId":-1,"agentRegistry":"${good}"},
        {"agentId":1,"agentRegistry":"eip155:0:0x00"},{"agentId":1,"agentRegistry":"x${good}"},{"agentId":1}],
      "supportedTrust":["a",1,"b"],
      "svc":{"chainId":-1,"tokenId":1.5,"soulHash":"0x12","did":7,"agentType":9}}`;
    expect(parseRegistrationFile(text)).toStrictEqual({
      ...nothing,
      services: [{ name: "b", endpoint: "e", version: null }],
      registrations: [
        {
          agentId: 9007199254740993n,
          chainId: 1,
          registry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
        },
      ],
      supportedTrust: ["a", "b"],
      soul: { chainId: null, tokenId: null, soulHash: null, did: null, agentType: null },
    });
  });

  it("cuts long lists", () => {
    const services = Array(500).fill({ name: "a", endpoint: "b" });
    expect(parseRegistrationFile(JSON.stringify({ services })).services.length).toBe(
      REGISTRATION_FILE_LIMITS.entries,
    );
  });

  it("never throws on JSON, with any values", () => {
    const key = fc.constantFrom(
      "name",
      "services",
      "registrations",
      "svc",
      "image",
      "agentId",
      "agentRegistry",
      "endpoint",
      "version",
      "__proto__",
      "x402Support",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(key, tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (file) => {
        const read = parseRegistrationFile(JSON.stringify(file));
        expect(Object.keys(read)).toStrictEqual(Object.keys(nothing));
      }),
      { numRuns: numRuns * 3 },
    );
  });

  it.each([
    ["", "syntax"],
    ["{", "syntax"],
    ["<html>", "syntax"],
    [`"${"x".repeat(REGISTRATION_FILE_LIMITS.bytes)}"`, "size"],
    [`"${"é".repeat(REGISTRATION_FILE_LIMITS.bytes / 2)}"`, "size"],
  ])("refuses %.20j for its %s", (text, reason) => {
    expect(() => parseRegistrationFile(text)).toThrow(UnreadableFileError);
    expect(() => parseRegistrationFile(text)).toThrow(
      expect.objectContaining({ code: "unreadable_file", reason }),
    );
  });
});
