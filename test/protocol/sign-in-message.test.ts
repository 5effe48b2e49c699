import fc from "fast-check";
import { createSiweMessage, parseSiweMessage } from "viem/siwe";
import { describe, expect, it } from "vitest";
import {
  type AgentMessageFields,
  agentMessage,
  InvalidSignInMessageError,
  type WalletMessageFields,
  walletMessage,
} from "../../protocol/index.ts";
import { numRuns } from "./arbitraries.ts";

const common = {
  domain: "id.example",
  address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  uri: "https://id.example/api/v1/auth/challenge",
  chainId: 8453,
  nonce: "k3Jq8Zp1",
  issuedAt: "2026-01-02T03:04:05.678Z",
} as const;
const wallet: WalletMessageFields = {
  ...common,
  statement: "Sign in to id.example (tier 1).",
  expirationTime: "2026-01-02T03:09:05.678Z",
  notBefore: "2026-01-02T03:04:05+01:30",
  requestId: "a1%20b:@",
  resources: ["https://id.example/terms", "urn:svc:scope:soul"],
};
const agent: AgentMessageFields = {
  ...common,
  statement: "Sign in as agent 0.",
  expirationTime: "2026-01-02T03:09:05.678Z",
  agentId: 0n,
  registry: "0x8004a169fb4a3325136eb29fa0ceb6d2e539a432",
};

describe("walletMessage", () => {
  it("writes every field of EIP-4361 in its place", () => {
    expect(walletMessage(wallet)).toBe(
      [
        "id.example wants you to sign in with your Ethereum account:",
        "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "",
        "Sign in to id.example (tier 1).",
        "",
        "URI: https://id.example/api/v1/auth/challenge",
        "Version: 1",
        "Chain ID: 8453",
        "Nonce: k3Jq8Zp1",
        "Issued At: 2026-01-02T03:04:05.678Z",
        "Expiration Time: 2026-01-02T03:09:05.678Z",
        "Not Before: 2026-01-02T03:04:05+01:30",
        "Request ID: a1%20b:@",
        "Resources:",
        "- https://id.example/terms",
        "- urn:svc:scope:soul",
      ].join("\n"),
    );
  });

  it("leaves two empty lines without a statement", () => {
    expect(walletMessage(common)).toBe(
      [
        "id.example wants you to sign in with your Ethereum account:",
        "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "",
        "",
        "URI: https://id.example/api/v1/auth/challenge",
        "Version: 1",
        "Chain ID: 8453",
        "Nonce: k3Jq8Zp1",
        "Issued At: 2026-01-02T03:04:05.678Z",
      ].join("\n"),
    );
  });

  it("keeps the heading of an empty list of resources, as the grammar allows", () => {
    expect(walletMessage({ ...common, resources: [] }).endsWith("\nResources:")).toBe(true);
  });

  it("agrees with viem's writer and reader", () => {
    const statement = fc.stringMatching(/^[A-Za-z0-9 .,:?!()'-]{1,40}$/);
    fc.assert(
      fc.property(statement, fc.integer({ min: 1, max: 2 ** 31 }), (statement, chainId) => {
        const issuedAt = new Date(common.issuedAt);
        const message = walletMessage({ ...common, chainId, statement });
        expect(message).toBe(
          createSiweMessage({ ...common, chainId, statement, issuedAt, version: "1" }),
        );
        expect(parseSiweMessage(message)).toMatchObject({ chainId, statement, issuedAt });
      }),
      { numRuns },
    );
  });
});

describe("agentMessage", () => {
  it("writes the agent and its registry on one chain", () => {
    expect(agentMessage(agent)).toBe(
      [
        "id.example wants you to sign in with your Agent account:",
        "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "",
        "Sign in as agent 0.",
        "",
        "URI: https://id.example/api/v1/auth/challenge",
        "Version: 1",
        "Agent ID: 0",
        "Agent Registry: eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
        "Chain ID: 8453",
        "Nonce: k3Jq8Zp1",
        "Issued At: 2026-01-02T03:04:05.678Z",
        "Expiration Time: 2026-01-02T03:09:05.678Z",
      ].join("\n"),
    );
  });

  it("does not round a large id", () => {
    const agentId = 2n ** 256n - 1n;
    expect(agentMessage({ ...agent, agentId })).toContain(`\nAgent ID: ${agentId}\n`);
  });
});

const URI_PROBLEM = "must be an RFC 3986 URI";
const TIME_PROBLEM = "must be an RFC 3339 date and time";
const DOMAIN_PROBLEM = "must be a host name in lower case, with a port or without";
const STATEMENT_PROBLEM = "must be one line of letters, digits, spaces and URI punctuation";
const NONCE_PROBLEM = "must be 8 or more letters and digits";

describe("an ambiguous message is refused", () => {
  const refused: [keyof WalletMessageFields, unknown, string, string?][] = [
    ...[
      "",
      "ID.example",
      "id.example/",
      "a@id.example",
      "https://id.example",
      "id.example:",
      "id.example:443",
      "id.example:99999",
      "2130706433",
      "127.1",
      "id.exa mple",
      "id.example\n",
      "ex\u00e4mple.org",
      "-a.example",
    ].map((value): [keyof WalletMessageFields, unknown, string] => [
      "domain",
      value,
      DOMAIN_PROBLEM,
    ]),
    ["address", "0x1234", "must be an address"],
    ["address", `${common.address}\n`, "must be an address"],
    ...["", "one\ntwo", "one\rtwo", "tab\t", 'quote "', "\u00e9", "two\u2028lines"].map(
      (value): [keyof WalletMessageFields, unknown, string] => [
        "statement",
        value,
        STATEMENT_PROBLEM,
      ],
    ),
    ...[
      "",
      "id.example",
      "/path",
      "https://id.example/a b",
      "https://id.example/\n",
      "https://",
      "https://id.example/%zz",
      "https://id.example/\u00e9",
      "uri:[",
      "uri://[@h/p",
      "uri://]@h/p",
      "uri://@@h/p",
      "uri://h/p##",
      "uri://h/p#[",
      "uri://h:port/",
      "uri://[::1/",
      "uri://h/p?[",
      "1uri:x",
    ].map((value): [keyof WalletMessageFields, unknown, string] => ["uri", value, URI_PROBLEM]),
    ...[0, -1, 1.5, Number.NaN, 2 ** 53].map(
      (value): [keyof WalletMessageFields, unknown, string] => [
        "chainId",
        value,
        "must be a positive integer",
      ],
    ),
    ...["http s", "https://", "1http", ""].map(
      (value): [keyof WalletMessageFields, unknown, string] => [
        "scheme",
        value,
        "must be a URI scheme, without ://",
      ],
    ),
    ...["", "short12", "with space", "abcdefgh\n", "abcdefg-"].map(
      (value): [keyof WalletMessageFields, unknown, string] => ["nonce", value, NONCE_PROBLEM],
    ),
    ...[
      "",
      "now",
      "2026-01-02",
      "2026-01-02 03:04:05Z",
      "2026-01-02T03:04:05",
      "2026-02-30T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-01-02T24:00:00Z",
      "2026-01-02T03:04:05Z\n",
      "2026-01-02T03:04:05+24:00",
    ].flatMap((value): [keyof WalletMessageFields, unknown, string][] => [
      ["issuedAt", value, TIME_PROBLEM],
      ["expirationTime", value, TIME_PROBLEM],
      ["notBefore", value, TIME_PROBLEM],
    ]),
    ["expirationTime", common.issuedAt, "must be later than issuedAt"],
    ["requestId", "a b", "must be RFC 3986 path characters"],
    ["requestId", "a\nResources:", "must be RFC 3986 path characters"],
    ["resources", ["https://id.example/", "x\n- y:z"], URI_PROBLEM, "resources[1]"],
  ];

  it.each(refused)("%s %j", (key, value, problem, field = key) => {
    let thrown: unknown;
    try {
      walletMessage({ ...wallet, [key]: value });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidSignInMessageError);
    expect(thrown).toMatchObject({ code: "invalid_sign_in_message", field, problem });
    if (!(key in agent)) return;
    expect(() => agentMessage({ ...agent, [key]: value })).toThrow(
      expect.objectContaining({ field, problem }),
    );
  });

  it.each([
    ["agentId", -1n, "must fit 256 bits"],
    ["agentId", 2n ** 256n, "must fit 256 bits"],
    ["registry", "0x1", "must be an address"],
  ])("%s %s", (key, value, problem) => {
    expect(() => agentMessage({ ...agent, [key]: value })).toThrow(
      expect.objectContaining({ code: "invalid_sign_in_message", field: key, problem }),
    );
  });

  it.each([
    "uri:",
    "uri:a/b:c@d",
    "uri:/p",
    "uri://h",
    "uri://user:pw@h:1/p?q=1/2?3#f/g?h",
    "uri://",
    "uri:///p",
    "urn:svc:scope:soul",
    "did:svc:8453:alice",
    "https://[::1]:8787/p",
    "https://id.example/%20",
    "ar://abc_-1",
  ])("but %s is accepted as a URI", (uri) => {
    expect(walletMessage({ ...common, uri })).toContain(`\nURI: ${uri}\n`);
  });

  it.each<keyof WalletMessageFields>(["domain", "address", "uri", "chainId", "nonce", "issuedAt"])(
    "refuses a message without its %s, undefined or null",
    (field) => {
      for (const value of [undefined, null]) {
        expect(() => walletMessage({ ...wallet, [field]: value } as never)).toThrow(
          expect.objectContaining({ code: "invalid_sign_in_message", field }),
        );
        expect(() => agentMessage({ ...agent, [field]: value } as never)).toThrow(
          expect.objectContaining({ code: "invalid_sign_in_message", field }),
        );
      }
    },
  );

  it.each<keyof WalletMessageFields>([
    "scheme",
    "statement",
    "expirationTime",
    "notBefore",
    "requestId",
    "resources",
  ])("refuses null as %s, and leaves out undefined", (field) => {
    expect(() => walletMessage({ ...wallet, [field]: null } as never)).toThrow(
      expect.objectContaining({ code: "invalid_sign_in_message", field }),
    );
    expect(walletMessage({ ...wallet, [field]: undefined })).not.toContain("undefined");
  });

  it.each([undefined, null, "0", 0])("refuses %j as the agent's id", (agentId) => {
    expect(() => agentMessage({ ...agent, agentId } as never)).toThrow(
      expect.objectContaining({ field: "agentId", problem: "must fit 256 bits" }),
    );
  });

  it.each([
    "localhost",
    "localhost:8787",
    "127.0.0.1:8787",
    "[::1]:8787",
    "a-b.example",
    "xn--exmple-cua.org",
  ])("but %s is accepted as a domain", (domain) => {
    expect(walletMessage({ ...common, domain }).startsWith(`${domain} wants`)).toBe(true);
  });
});
