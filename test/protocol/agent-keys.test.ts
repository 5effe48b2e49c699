import { createHash, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { calculateJwkThumbprint } from "jose";
import { describe, expect, it } from "vitest";
import {
  type AgentKey,
  agentKeySet,
  agentKeySetJson,
  agentKeysHash,
  currentKeys,
  InvalidKeySetError,
  MAX_AGENT_KEYS,
  parseAgentKeySet,
  publicKeys,
} from "../../protocol/index.ts";
import { ED25519_KEY, P256_KEY } from "../fixtures/public-keys.ts";

const EXP = 2_000_000_000;
const AGENT = {
  chainId: 8453,
  soulRegistry: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
  tokenId: 7n,
} as const;
const AGENT_JSON =
  '{"chainId":8453,"soulRegistry":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","tokenId":"7"}';

const ED25519 = {
  ...ED25519_KEY,
  use: "sig",
  exp: EXP,
};
/** The thumbprint of RFC 8037, appendix A.3. */
const ED25519_KID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

const P256 = {
  ...P256_KEY,
  use: "sig",
  exp: EXP,
};

const bytes = (hex: string) => Buffer.from(hex, "hex").toString("base64url");
const refusal = (path: string, reason: string) =>
  expect.objectContaining({ code: "invalid_key_set", path, reason });

describe("a key set", () => {
  it("is canonical JSON with thumbprints as kids, and hashes with SHA-256", () => {
    const set = agentKeySet([ED25519, P256], AGENT);
    const json = agentKeySetJson(set);
    expect(set.keys.map(({ kid }) => kid)).toContain(ED25519_KID);
    expect(agentKeysHash(set)).toBe(`0x${createHash("sha256").update(json).digest("hex")}`);
    expect(parseAgentKeySet(json, AGENT)).toEqual(set);
    expect(agentKeySetJson(agentKeySet([P256, ED25519], AGENT))).toBe(json);
    expect(json).toBe(
      `{"agent":${AGENT_JSON},"keys":[${[...set.keys]
        .map((key) =>
          key.kty === "EC"
            ? `{"crv":"P-256","exp":${EXP},"kid":"${key.kid}","kty":"EC","use":"sig","x":"${key.x}","y":"${key.y}"}`
            : `{"crv":"Ed25519","exp":${EXP},"kid":"${key.kid}","kty":"OKP","use":"sig","x":"${key.x}"}`,
        )
        .join(",")}]}`,
    );
  });

  it("gives the kids that jose computes, for fresh keys of both curves", async () => {
    for (let round = 0; round < 8; round += 1) {
      const pairs = [
        generateKeyPairSync("ec", { namedCurve: "P-256" }),
        generateKeyPairSync("ed25519"),
      ];
      for (const { publicKey } of pairs) {
        const jwk = publicKey.export({ format: "jwk" });
        const keys = publicKeys([{ ...jwk, use: "sig", exp: EXP }]);
        expect(keys[0]?.kid).toBe(await calculateJwkThumbprint(jwk));
      }
    }
  });

  it("accepts only the canonical bytes", () => {
    const json = agentKeySetJson(agentKeySet([ED25519, P256], AGENT));
    const [first, second] = (JSON.parse(json) as { keys: AgentKey[] }).keys;
    for (const other of [
      `${json}\n`,
      ` ${json}`,
      JSON.stringify({ keys: [second, first] }),
      JSON.stringify({ keys: [{ use: first?.use, ...first }, second] }),
      JSON.stringify({ keys: [{ ...ED25519 }] }),
      JSON.stringify({ keys: [first, second], agent: JSON.parse(AGENT_JSON) }),
    ]) {
      expect(() => parseAgentKeySet(other, AGENT)).toThrow(refusal("", "not in canonical form"));
    }
  });

  it("is refused for any other agent", () => {
    const json = agentKeySetJson(agentKeySet([ED25519], AGENT));
    for (const other of [
      { ...AGENT, chainId: 84_532 },
      { ...AGENT, soulRegistry: "0x00000000000000000000000000000000000000c3" as const },
      { ...AGENT, tokenId: 8n },
    ]) {
      expect(() => parseAgentKeySet(json, other)).toThrow(
        refusal("agent", "the keys of another agent"),
      );
    }
    for (const named of ["null", "{}", '"7"', AGENT_JSON.replace("5aAe", "5aae")]) {
      expect(() => parseAgentKeySet(json.replace(AGENT_JSON, named), AGENT)).toThrow(
        refusal("agent", "the keys of another agent"),
      );
    }
  });

  it("is read in its first form, which names no agent", () => {
    const json = agentKeySetJson({ keys: publicKeys([P256, ED25519]) });
    expect(json).toMatch(/^\{"keys":/);
    expect(parseAgentKeySet(json, AGENT)).toEqual({ keys: publicKeys([ED25519, P256]) });
  });

  it("does not accept any change of one byte", () => {
    const json = agentKeySetJson(agentKeySet([ED25519, P256], AGENT));
    fc.assert(
      fc.property(fc.nat(json.length - 1), fc.integer({ min: 0x20, max: 0x7e }), (at, code) => {
        const changed = `${json.slice(0, at)}${String.fromCharCode(code)}${json.slice(at + 1)}`;
        fc.pre(changed !== json);
        // Another expiry gives another valid set with another hash. Every other change is invalid.
        try {
          expect(agentKeySetJson(parseAgentKeySet(changed, AGENT))).toBe(changed);
          expect(changed.replace(/"exp":\d+/g, "")).toBe(json.replace(/"exp":\d+/g, ""));
        } catch (error) {
          if (!(error instanceof InvalidKeySetError)) throw error;
        }
      }),
    );
  });

  it.each([
    ["", "[]", "not an object"],
    ["keys", "{}", "not an array"],
    ["keys", '{"keys":{}}', "not an array"],
    ["keys", '{"keys":[]}', "empty"],
    ["more", '{"keys":[],"more":1}', "unknown member"],
    ["keys[0]", '{"keys":[1]}', "not an object"],
  ])("is refused at %j: %s", (path, text, reason) => {
    expect(() => parseAgentKeySet(text, AGENT)).toThrow(refusal(path, reason));
  });

  it.each(["{", '{"keys":[],"keys":[]}', "nul", `{"keys":"${"a".repeat(20_000)}"}`])(
    "is refused when it is not strict JSON: %.30s",
    (text) => {
      expect(() => parseAgentKeySet(text, AGENT)).toThrow(InvalidKeySetError);
    },
  );

  it.each([
    ["d", { ...ED25519, d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A" }],
    ["d", { ...P256, d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI" }],
    ["k", { ...P256, k: "AAAA" }],
  ])("refuses a key with the private member %s", (member, key) => {
    expect(() => publicKeys([key])).toThrow(
      refusal(`keys[0].${member}`, "a private key: send the public one only"),
    );
  });

  it.each([
    ["kty", "another type", { ...P256, kty: "RSA" }, 'neither "EC" nor "OKP"'],
    ["crv", "another curve", { ...P256, crv: "secp256k1" }, "not P-256"],
    ["crv", "P-384", { ...P256, crv: "P-384" }, "not P-256"],
    ["crv", "X25519", { ...ED25519, crv: "X25519" }, "not Ed25519"],
    ["crv", "a curve of another type", { ...ED25519, crv: "P-256" }, "not Ed25519"],
    ["y", "a second coordinate", { ...ED25519, y: P256.y }, "unknown member"],
    [
      "y",
      "no second coordinate",
      { ...P256, y: undefined },
      "not 32 bytes in base64url without padding",
    ],
    ["x", "a point off the curve", { ...P256, y: P256.x }, "with y not a point of the curve"],
    [
      "x",
      "the point at infinity",
      { ...P256, x: "A".repeat(43), y: "A".repeat(43) },
      "with y not a point of the curve",
    ],
    [
      "x",
      "a coordinate beyond the field",
      { ...P256, x: bytes("ff".repeat(32)) },
      "with y not a point of the curve",
    ],
    [
      "x",
      "another spelling of the bytes",
      { ...ED25519, x: `${ED25519.x.slice(0, -1)}p` },
      "not 32 bytes in base64url without padding",
    ],
    [
      "x",
      "padding",
      { ...ED25519, x: `${ED25519.x}=` },
      "not 32 bytes in base64url without padding",
    ],
    [
      "x",
      "31 bytes",
      { ...ED25519, x: bytes("11".repeat(31)) },
      "not 32 bytes in base64url without padding",
    ],
    ["x", "a number", { ...ED25519, x: 1 }, "not 32 bytes in base64url without padding"],
    ["use", "no use", { ...P256, use: undefined }, 'neither "sig" nor "enc"'],
    ["use", "another use", { ...P256, use: "all" }, 'neither "sig" nor "enc"'],
    ["use", "encryption with Ed25519", { ...ED25519, use: "enc" }, "an Ed25519 key only signs"],
    [
      "exp",
      "no end",
      { ...P256, exp: undefined },
      "not a time in Unix seconds up to the year 9999",
    ],
    ["exp", "an end of 0", { ...P256, exp: 0 }, "not a time in Unix seconds up to the year 9999"],
    [
      "exp",
      "half a second",
      { ...P256, exp: 1.5 },
      "not a time in Unix seconds up to the year 9999",
    ],
    [
      "exp",
      "an end after the year 9999",
      { ...P256, exp: 253_402_300_800 },
      "not a time in Unix seconds up to the year 9999",
    ],
    [
      "exp",
      "a text",
      { ...P256, exp: "2000000000" },
      "not a time in Unix seconds up to the year 9999",
    ],
    ["kid", "a chosen kid", { ...P256, kid: "my-key" }, "not the key's thumbprint"],
    ["alg", "an unknown member", { ...P256, alg: "ES256" }, "unknown member"],
  ])("refuses at %s a key with %s", (member, _what, key, reason) => {
    expect(() => publicKeys([key])).toThrow(refusal(`keys[0].${member}`, reason));
  });

  it.each([
    ["the identity", `01${"00".repeat(31)}`],
    ["order 2", `ec${"ff".repeat(30)}7f`],
    ["order 4", "00".repeat(32)],
    ["order 4, opposite sign", `${"00".repeat(31)}80`],
    ["order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"],
    ["order 8, second point", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"],
    ["no point", `02${"00".repeat(31)}`],
    ["a coordinate beyond the field", `ee${"ff".repeat(30)}7f`],
    ["x of 0 with a sign", `01${"00".repeat(30)}80`],
  ])("refuses an Ed25519 key that is %s", (_what, key) => {
    expect(() => publicKeys([{ ...ED25519, x: bytes(key) }])).toThrow(
      refusal("keys[0].x", "not a point of the curve, or of small order"),
    );
  });

  it("has each key once and at most 16", () => {
    expect(() => publicKeys([P256, ED25519, { ...P256, use: "enc" }])).toThrow(
      refusal("keys[2]", "the same key as one before it"),
    );
    const many = Array.from({ length: MAX_AGENT_KEYS + 1 }, () => {
      const jwk = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
      return { ...jwk, use: "sig", exp: EXP };
    });
    expect(publicKeys(many.slice(1))).toHaveLength(MAX_AGENT_KEYS);
    expect(() => publicKeys(many)).toThrow(refusal("keys", "more than 16 keys"));
  });

  it("has no current key after the expiry", () => {
    const set = agentKeySet([P256, { ...ED25519, exp: EXP + 1 }], AGENT);
    expect(currentKeys(set, EXP - 1)).toHaveLength(2);
    expect(currentKeys(set, EXP).map(({ crv }) => crv)).toEqual(["Ed25519"]);
    expect(currentKeys(set, EXP + 1)).toEqual([]);
  });
});
