import { randomBytes, webcrypto } from "node:crypto";
import { base64url, decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tokens } from "../../../../../api/features/sign-in/tokens/tokens.ts";
import { createTokens } from "../../../../../api/features/sign-in/tokens/tokens.ts";
import { grantedScopes, SCOPES } from "../../../../../api/kernel/scopes.ts";
import type { TokenSubject } from "../../../../../api/kernel/sessions.ts";

const NOW = new Date("2026-01-31T12:00:00.750Z");
const NOW_SECONDS = Math.floor(NOW.getTime() / 1000);
const first = { kid: "first", secret: randomBytes(32) };
const second = { kid: "second", secret: randomBytes(32) };

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

let tokens: Tokens;
beforeAll(async () => {
  tokens = await tokensAt(NOW);
});

function tokensAt(now: Date, secrets = [first, second], issuer = "agents.example") {
  return createTokens({ secrets, issuer, clock: () => now });
}

type Header = { alg: string; typ?: string; kid?: string; jku?: string };

const GOOD_HEADER: Header = { alg: "HS256", typ: "JWT", kid: "first" };
const GOOD_CLAIMS = {
  iss: "agents.example",
  sub: subject.holder,
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 60,
  aud: "agents.example",
  jti: "a",
  tier: 2,
  scopes: ["identity"],
  agentName: "aurora",
  erc8004AgentId: 0,
  tokenId: null,
  chainId: 31337,
  humanVerified: false,
  checkedBlock: 1,
  checkedAt: 1,
};

/** A token signed with the right secret, as any holder of the secret can make it. */
function forged(claims: object = {}, header: Header = GOOD_HEADER): Promise<string> {
  return new SignJWT({ ...GOOD_CLAIMS, ...claims })
    .setProtectedHeader({ ...header })
    .sign(first.secret);
}

describe("issue", () => {
  it("writes exactly the documented header and claims", async () => {
    const token = await tokens.issue(subject);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT", kid: "first" });
    expect(decodeJwt(token)).toEqual({
      iss: "agents.example",
      aud: "agents.example",
      sub: subject.holder,
      iat: NOW_SECONDS,
      exp: NOW_SECONDS + 3600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tier: 2,
      scopes: ["identity", "soul"],
      agentName: "aurora",
      erc8004AgentId: 0,
      tokenId: 7,
      chainId: 31337,
      humanVerified: false,
      checkedBlock: 120,
      checkedAt: 1_700_000_000,
    });
  });

  it("names a relying party, and the reach of scope manage", async () => {
    const audience = "https://shop.example";
    expect(decodeJwt(await tokens.issue({ ...subject, audience }))).toMatchObject({
      aud: audience,
    });
    for (const manages of ["agent", "account"] as const) {
      const token = await tokens.issue({ ...subject, scopes: ["identity", "manage"], manages });
      expect(decodeJwt(token)).toMatchObject({ aud: "agents.example", manages });
      expect(await tokens.verify(token)).toMatchObject({ manages, scopes: ["identity", "manage"] });
    }
  });

  it("gives every token its own id", async () => {
    const ids = [await tokens.issue(subject), await tokens.issue(subject)].map(
      (token) => decodeJwt(token).jti,
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe("verify", () => {
  it("reads back what was issued, agent 0 included", async () => {
    expect(await tokens.verify(await tokens.issue(subject))).toEqual({
      ...subject,
      jti: expect.any(String),
      issuer: "agents.example",
      issuedAt: NOW_SECONDS,
      expiresAt: NOW_SECONDS + 3600,
    });
  });

  it("accepts tokens of the secret that no longer signs", async () => {
    const before = await tokensAt(NOW, [second]);
    expect(await tokens.verify(await before.issue(subject))).toMatchObject({ agentName: "aurora" });
    const after = await tokensAt(NOW, [first]);
    expect(await after.verify(await before.issue(subject))).toBeNull();
  });

  it("accepts a token until the last second before it expires", async () => {
    const token = await tokens.issue(subject);
    const at = (seconds: number) => tokensAt(new Date((NOW_SECONDS + seconds) * 1000));
    expect(await (await at(3599)).verify(token)).not.toBeNull();
    expect(await (await at(3600)).verify(token)).toBeNull();
  });

  it("accepts the unchanged forged token, so that each refusal below is due to its one change", async () => {
    expect(await tokens.verify(await forged())).not.toBeNull();
  });

  it.each<[string, object]>([
    ["another issuer", { iss: "evil.example" }],
    ["an expiry in the past", { exp: NOW_SECONDS - 1 }],
    ["an expiry that is no number", { exp: "tomorrow" }],
    ["a subject that is no address", { sub: "alice" }],
    ["a tier that there is not", { tier: 4 }],
    ["a scope that there is not", { scopes: ["identity", "admin"] }],
    ["an id that would be rounded", { erc8004AgentId: 2 ** 53 }],
    ["two audiences", { aud: ["agents.example", "https://shop.example"] }],
    ["an empty audience", { aud: "" }],
    ["scope manage that says nothing of its reach", { scopes: ["identity", "manage"] }],
    ["a reach without scope manage", { manages: "account" }],
    ["a reach that there is not", { scopes: ["identity", "manage"], manages: "everything" }],
    [
      "scope manage for another audience",
      { scopes: ["identity", "manage"], manages: "agent", aud: "https://shop.example" },
    ],
  ])("refuses %s", async (_what, claims) => {
    expect(await tokens.verify(await forged(claims))).toBeNull();
  });

  it.each<[string, Header]>([
    ["no kid", { alg: "HS256", typ: "JWT" }],
    ["the second secret's kid", { ...GOOD_HEADER, kid: "second" }],
    ["an unknown kid", { ...GOOD_HEADER, kid: "x" }],
    ["no typ", { alg: "HS256", kid: "first" }],
    ["another typ", { ...GOOD_HEADER, typ: "at+jwt" }],
    ["a field that the service does not know", { ...GOOD_HEADER, jku: "https://keys.example" }],
  ])("refuses a header with %s", async (_what, header) => {
    expect(await tokens.verify(await forged({}, header))).toBeNull();
  });

  it.each([
    ...["iss", "sub", "aud", "iat", "exp", "jti", "tier", "scopes", "agentName"],
    "erc8004AgentId",
  ])("refuses a token without %s", async (claim) => {
    expect(await tokens.verify(await forged({ [claim]: undefined }))).toBeNull();
  });

  it("refuses another algorithm with the right secret", async () => {
    const key = await webcrypto.subtle.importKey(
      "raw",
      Uint8Array.from([...first.secret, ...first.secret]),
      { name: "HMAC", hash: "SHA-512" },
      false,
      ["sign"],
    );
    const token = await new SignJWT(GOOD_CLAIMS)
      .setProtectedHeader({ ...GOOD_HEADER, alg: "HS512" })
      .sign(key);
    expect(await tokens.verify(token)).toBeNull();
  });

  it("refuses alg none, with and without the signature", async () => {
    const [, payload, signature] = (await tokens.issue(subject)).split(".");
    const header = base64url.encode(JSON.stringify({ alg: "none", typ: "JWT", kid: "first" }));
    expect(await tokens.verify(`${header}.${payload}.`)).toBeNull();
    expect(await tokens.verify(`${header}.${payload}.${signature}`)).toBeNull();
  });

  it("refuses every single flipped bit of payload and signature", async () => {
    const token = await tokens.issue(subject);
    const [header, payload = "", signature = ""] = token.split(".");
    const flip = (part: string, bit: number) => {
      const bytes = base64url.decode(part);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return base64url.encode(bytes);
    };
    for (let bit = 0; bit < 256; bit += 1) {
      expect(await tokens.verify(`${header}.${payload}.${flip(signature, bit)}`)).toBeNull();
      expect(await tokens.verify(`${header}.${flip(payload, bit)}.${signature}`)).toBeNull();
    }
  });

  it("refuses another spelling of the right signature", async () => {
    const token = await tokens.issue(subject);
    // The last character has two bits that stand for nothing.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const other = alphabet[alphabet.indexOf(token.at(-1) ?? "") + 1];
    for (const spelling of [`${token.slice(0, -1)}${other}`, `${token}=`, `${token}.`]) {
      expect(await tokens.verify(spelling)).toBeNull();
    }
  });

  it.each(["", "a", "a.b.c", "..", "eyJhbGciOiJub25lIn0..", "\0", "💥.💥.💥"])(
    "refuses %j, which is not a token",
    async (text) => {
      expect(await tokens.verify(text)).toBeNull();
    },
  );
});

describe("createTokens", () => {
  it("refuses a short secret, a repeated kid and no secret", () => {
    expect(() => tokensAt(NOW, [{ kid: "a", secret: randomBytes(31) }])).toThrow(
      "The token secret a is shorter than 32 bytes.",
    );
    expect(() => tokensAt(NOW, [first, first])).toThrow("Two token secrets have the kid first.");
    expect(() => tokensAt(NOW, [])).toThrow("There is no secret for tokens. Give at least one.");
  });
});

describe("grantedScopes", () => {
  it.each([
    [1, ["identity", "services", "did", "manage"]],
    [2, ["identity", "profile", "soul", "chronicles", "certs", "services", "did", "manage"]],
    [3, SCOPES],
  ] as const)("gives tier %i exactly its scopes", (tier, granted) => {
    expect(grantedScopes(SCOPES, tier)).toEqual(granted);
  });

  it("always holds identity, and every scope once", () => {
    expect(grantedScopes([], 1)).toEqual(["identity"]);
    expect(grantedScopes(["did", "did", "identity", "soul"], 1)).toEqual(["identity", "did"]);
  });
});
