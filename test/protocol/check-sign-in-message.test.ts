import { buildSIWAMessage, type SIWAMessageFields } from "@buildersgarden/siwa/siwa";
import fc from "fast-check";
import { getAddress } from "viem";
import { describe, expect, it } from "vitest";
import {
  type AgentMessageFields,
  agentMessage,
  InvalidSignInMessageError,
  parseAgentMessage,
  parseWalletMessage,
  readAgentMessage,
  readWalletMessage,
  type WalletMessageFields,
  walletMessage,
} from "../../protocol/index.ts";

const REGISTRY = getAddress("0x8004a169fb4a3325136eb29fa0ceb6d2e539a432");
const OTHER_REGISTRY = getAddress("0x8004a818bfb912233c491871b3d84c89a494bd9e");
const NOW = new Date("2026-01-02T03:05:00.000Z");

const common = {
  domain: "id.example",
  address: getAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"),
  uri: "https://id.example",
  chainId: 8453,
  nonce: "k3Jq8Zp1",
  issuedAt: "2026-01-02T03:04:05.678Z",
} as const;
const full: WalletMessageFields = {
  ...common,
  statement: "Sign in to id.example (tier 1).",
  expirationTime: "2026-01-02T03:09:05.678Z",
  notBefore: "2026-01-02T03:04:05.678Z",
  requestId: "a1%20b:@",
  resources: ["https://id.example/terms", "urn:svc:scope:soul"],
};
const agent: AgentMessageFields = {
  ...common,
  statement: "Sign in as agent 0.",
  expirationTime: "2026-01-02T03:09:05.678Z",
  agentId: 0n,
  registry: REGISTRY,
};
const expected = {
  domain: "id.example",
  uri: "https://id.example",
  chainId: 8453,
  nonce: "k3Jq8Zp1",
  at: NOW,
  maxAgeSeconds: 300,
  scheme: "https",
};
const { scheme: _scheme, ...expectedOfBoth } = expected;
const expectedAgent = { ...expectedOfBoth, registry: REGISTRY };

/** The problem, as the error names it. */
function refusal(read: () => unknown): { field: string; problem: string } {
  try {
    read();
  } catch (error) {
    if (!(error instanceof InvalidSignInMessageError)) throw error;
    return { field: error.field, problem: error.problem };
  }
  throw new Error("It was taken.");
}

describe("parseWalletMessage", () => {
  it.each<[string, WalletMessageFields]>([
    ["everything", full],
    ["the least", common],
    ["an empty list of resources", { ...common, resources: [] }],
    ["a statement alone", { ...common, statement: "Hello." }],
    ["the scheme of the site", { ...common, scheme: "https" }],
    ["a scheme of digits and punctuation", { ...common, scheme: "a1+b-c.d" }],
  ])("reads what the builder wrote: %s", (_what, fields) => {
    expect(parseWalletMessage(walletMessage(fields))).toEqual(fields);
  });

  const text = walletMessage(full);
  it.each<[string, string, string, string]>([
    ["another version", "Version: 1", "Version: 2", "version"],
    ["a lower-case address", common.address, common.address.toLowerCase(), "address"],
    ["an address with a wrong checksum", "0xf39Fd6", "0xF39Fd6", "address"],
    ["no address", common.address, "alice", "address"],
    [
      "an unparsable expiry",
      "Expiration Time: 2026",
      "Expiration Time: soon 2026",
      "expirationTime",
    ],
    ["a day that there is not", "Issued At: 2026-01-02", "Issued At: 2026-02-30", "issuedAt"],
    ["an expiry before the issue", "03:09:05", "03:03:05", "expirationTime"],
    ["a repeated field", "Nonce: k3Jq8Zp1", "Nonce: k3Jq8Zp1\nNonce: k3Jq8Zp1", "issuedAt"],
    ["an unknown field", "Resources:", "Admin: yes\nResources:", "text"],
    [
      "fields in another order",
      "Version: 1\nChain ID: 8453",
      "Chain ID: 8453\nVersion: 1",
      "version",
    ],
    ["a missing field", "Nonce: k3Jq8Zp1\n", "", "nonce"],
    ["a short nonce", "k3Jq8Zp1", "k3Jq8Zp", "nonce"],
    ["a chain that is no number", "Chain ID: 8453", "Chain ID: 0x2105", "chainId"],
    ["a chain with a zero in front", "Chain ID: 8453", "Chain ID: 08453", "chainId"],
    ["a chain that would be rounded", "Chain ID: 8453", "Chain ID: 9007199254740993", "chainId"],
    [
      "two schemes before the domain",
      "id.example wants",
      "https://http://id.example wants",
      "domain",
    ],
    ["a scheme without a name", "id.example wants", "://id.example wants", "scheme"],
    ["a scheme with a blank", "id.example wants", "ht tps://id.example wants", "scheme"],
    ["a domain in capitals", "id.example wants", "ID.example wants", "domain"],
    ["another account", "Ethereum account:", "Agent account:", "text"],
    ["a statement of two lines", "(tier 1).", "(tier 1).\nAnd more.", "statement"],
    ["no empty line after the address", "92266\n\n", "92266\n", "text"],
    ["CRLF", "\n", "\r\n", "text"],
    ["a relative URI", "URI: https://id.example", "URI: /id", "uri"],
    ["text after the end", "scope:soul", "scope:soul\n", "text"],
    ["a space at the end", "scope:soul", "scope:soul ", "resources[1]"],
  ])("refuses %s", (_what, from, to, field) => {
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    expect(refusal(() => parseWalletMessage(edited)).field).toBe(field);
  });

  it.each(["", "\n", "\n\n\n\n\n", "a".repeat(10_000)])("refuses what is not a message", (text) => {
    expect(refusal(() => parseWalletMessage(text)).field).toBe("text");
  });

  it("never reads two texts as one message: any changed character is refused or read as changed", () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 2 }), (at, put) => {
        const edited = text.slice(0, at) + put + text.slice(at + 1);
        fc.pre(edited !== text);
        let read: WalletMessageFields;
        try {
          read = parseWalletMessage(edited);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidSignInMessageError);
          return;
        }
        expect(read).not.toEqual(full);
        expect(walletMessage(read)).toBe(edited);
      }),
      { numRuns: 500 },
    );
  });
});

describe("parseAgentMessage", () => {
  it("reads what the builder wrote, agent 0 and ids of 256 bits exactly", () => {
    for (const agentId of [0n, 1n, 2n ** 53n + 1n, 2n ** 256n - 1n]) {
      expect(parseAgentMessage(agentMessage({ ...agent, agentId }))).toEqual({ ...agent, agentId });
    }
  });

  it.each<[string, Partial<AgentMessageFields>]>([
    ["no statement", { statement: undefined }],
    ["no expiry", { expirationTime: undefined }],
    ["neither", { statement: undefined, expirationTime: undefined }],
    ["a start", { notBefore: "2026-01-02T03:04:05Z" }],
    ["a request id", { requestId: "a1%20b:@" }],
    ["everything optional", { notBefore: "2026-01-02T03:04:05Z", requestId: "r-1" }],
  ])("reads the standard's optional fields: %s", (_what, change) => {
    const fields = { ...agent, ...change };
    expect(parseAgentMessage(agentMessage(fields))).toEqual(fields);
  });

  const text = agentMessage(agent);
  const registryLine = `Agent Registry: eip155:8453:${REGISTRY}`;
  it.each<[string, string, string, string]>([
    ["an id with letters behind it", "Agent ID: 0", "Agent ID: 42abc", "agentId"],
    ["an id with a zero in front", "Agent ID: 0", "Agent ID: 007", "agentId"],
    ["a negative id", "Agent ID: 0", "Agent ID: -1", "agentId"],
    ["an id in hex", "Agent ID: 0", "Agent ID: 0x1", "agentId"],
    ["an id of more than 256 bits", "Agent ID: 0", `Agent ID: ${2n ** 256n}`, "agentId"],
    ["no id", "Agent ID: 0\n", "", "agentId"],
    ["two ids", "Agent ID: 0", "Agent ID: 0\nAgent ID: 1", "registry"],
    ["another chain than the registry's", "Chain ID: 8453", "Chain ID: 1", "registry"],
    ["a registry on another chain", "eip155:8453:", "eip155:1:", "registry"],
    ["a registry without its chain", registryLine, `Agent Registry: ${REGISTRY}`, "registry"],
    ["a lower-case registry", REGISTRY, REGISTRY.toLowerCase(), "registry"],
    ["a lower-case address", common.address, common.address.toLowerCase(), "address"],
    ["another version", "Version: 1", "Version: 2", "version"],
    [
      "an unparsable expiry",
      "Expiration Time: 2026",
      "Expiration Time: never 2026",
      "expirationTime",
    ],
    ["a scheme before the domain", "id.example wants", "https://id.example wants", "domain"],
    ["an expiry before the issue", "03:09:05", "03:03:05", "expirationTime"],
    ["an unreadable start", "678Z\nExp", "678Z\nNot Before: soon\nExp", "text"],
    ["resources, which SIWA does not have", ":09:05.678Z", ":09:05.678Z\nResources:", "text"],
    ["a repeated field", "Version: 1", "Version: 1\nVersion: 1", "agentId"],
    ["an unknown field", "Version: 1", "Version: 1\nRole: admin", "agentId"],
    [
      "a start before the expiry, which is another order",
      "678Z\nExp",
      "678Z\nNot Before: 2026-01-02T03:04:05Z\nExp",
      "text",
    ],
    ["no line for the statement", "Sign in as agent 0.\n\n", "", "statement"],
    ["a request id with a blank", ":09:05.678Z", ":09:05.678Z\nRequest ID: a b", "requestId"],
    ["a line after the end", ":09:05.678Z", ":09:05.678Z\nRole: admin", "text"],
    ["another account", "Agent account:", "Ethereum account:", "text"],
    // With two readings of a hyphen, this would not end.
    ["a domain of many hyphens", "id.example wants", `a${"-".repeat(4_000)}! wants`, "domain"],
  ])("refuses %s", (_what, from, to, field) => {
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    expect(refusal(() => parseAgentMessage(edited)).field).toBe(field);
  });
});

it("reports a registry on another chain", () => {
  const text = agentMessage(agent).replace("Chain ID: 8453", "Chain ID: 1");
  expect(refusal(() => parseAgentMessage(text))).toEqual({
    field: "registry",
    problem: "must be on the message's chain",
  });
});

describe("reading a message for this service", () => {
  it("gives its fields", () => {
    expect(readWalletMessage(walletMessage(full), expected)).toEqual(full);
    expect(readAgentMessage(agentMessage(agent), expectedAgent)).toEqual(agent);
  });

  it.each<[string, Partial<WalletMessageFields>, string, string]>([
    ["another domain", { domain: "evil.example" }, "domain", "is not the expected one"],
    ["another URI", { uri: "https://id.example/x" }, "uri", "is not the expected one"],
    ["another chain", { chainId: 1 }, "chainId", "is not the expected one"],
    ["another nonce", { nonce: "k3Jq8Zp2" }, "nonce", "is not the expected one"],
    [
      "an issue in the future",
      { issuedAt: "2026-01-02T03:05:00.001Z" },
      "issuedAt",
      "is in the future",
    ],
    ["an old issue", { issuedAt: "2026-01-02T02:59:59.999Z" }, "issuedAt", "is too long ago"],
    [
      "an expiry that is now",
      { expirationTime: "2026-01-02T03:05:00.000Z" },
      "expirationTime",
      "has passed",
    ],
  ])("refuses %s in both flows", (_what, change, field, problem) => {
    const wallet = walletMessage({ ...full, ...change });
    expect(refusal(() => readWalletMessage(wallet, expected))).toEqual({ field, problem });
    const siwa = agentMessage({ ...agent, ...change });
    expect(refusal(() => readAgentMessage(siwa, expectedAgent))).toEqual({ field, problem });
  });

  it("refuses a message before its start time", () => {
    const text = walletMessage({ ...full, notBefore: "2026-01-02T03:05:00.001Z" });
    expect(refusal(() => readWalletMessage(text, expected))).toEqual({
      field: "notBefore",
      problem: "is in the future",
    });
  });

  it("accepts the site's own scheme, in any case, and refuses another one", () => {
    const https = walletMessage({ ...full, scheme: "HTTPS" });
    expect(readWalletMessage(https, expected)).toEqual({ ...full, scheme: "HTTPS" });
    expect(
      refusal(() => readWalletMessage(walletMessage({ ...full, scheme: "http" }), expected)),
    ).toEqual({ field: "scheme", problem: "is not the expected one" });
  });

  it("limits a SIWA message without an expiry to the maximum age", () => {
    const { expirationTime: _expirationTime, ...lasting } = agent;
    expect(readAgentMessage(agentMessage(lasting), expectedAgent)).toEqual(lasting);
    const late = { ...expectedAgent, at: new Date("2026-01-02T03:09:05.679Z") };
    expect(refusal(() => readAgentMessage(agentMessage(lasting), late))).toEqual({
      field: "issuedAt",
      problem: "is too long ago",
    });
  });

  it("refuses a SIWA message before its start", () => {
    const early = agentMessage({ ...agent, notBefore: "2026-01-02T03:05:00.001Z" });
    expect(refusal(() => readAgentMessage(early, expectedAgent))).toEqual({
      field: "notBefore",
      problem: "is in the future",
    });
  });

  it("refuses a registry that the signer chose", () => {
    const text = agentMessage({ ...agent, registry: OTHER_REGISTRY });
    expect(refusal(() => readAgentMessage(text, expectedAgent))).toEqual({
      field: "registry",
      problem: "is not the expected one",
    });
  });

  it("refuses everything with an invalid clock", () => {
    const broken = { ...expected, at: new Date(Number.NaN) };
    expect(refusal(() => readWalletMessage(walletMessage(full), broken)).field).toBe("issuedAt");
    const ageless = { ...expected, maxAgeSeconds: Number.NaN };
    expect(refusal(() => readWalletMessage(walletMessage(full), ageless)).field).toBe("issuedAt");
  });

  it("refuses each flow's message in the second flow", () => {
    expect(refusal(() => readWalletMessage(agentMessage(agent), expected)).field).toBe("text");
    expect(refusal(() => readAgentMessage(walletMessage(full), expectedAgent)).field).toBe("text");
  });
});

describe("messages of the SIWA reference package", () => {
  const { registry, agentId, ...shared } = agent;
  const minimal = {
    ...shared,
    statement: undefined,
    expirationTime: undefined,
  };
  const messages: [string, Partial<SIWAMessageFields>][] = [
    ["nothing optional", {}],
    ["a statement", { statement: "Sign in as agent 0." }],
    ["an expiry", { expirationTime: "2026-01-02T03:09:05.678Z" }],
    ["a start", { notBefore: "2026-01-02T03:04:05.678Z" }],
    ["a request id", { requestId: "request-1" }],
    [
      "everything",
      {
        statement: "Sign in as agent 0.",
        expirationTime: "2026-01-02T03:09:05.678Z",
        notBefore: "2026-01-02T03:04:05.678Z",
        requestId: "request-1",
      },
    ],
  ];
  it.each(messages)("are read: with %s", (_what, optional) => {
    const text = buildSIWAMessage({
      ...shared,
      ...minimal,
      ...optional,
      agentId: Number(agentId),
      agentRegistry: `eip155:8453:${registry}`,
    } as SIWAMessageFields);
    expect(parseAgentMessage(text)).toEqual({ ...minimal, ...optional, agentId, registry });
    expect(readAgentMessage(text, expectedAgent)).toEqual({
      ...minimal,
      ...optional,
      agentId,
      registry,
    });
  });
});
