import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { operations } from "../../../api/features.ts";
import type { AccessRule, Effect, Identity, KeyStanding } from "../../../api/kernel/access.ts";
import { authoriseCaller, createAccess } from "../../../api/kernel/access.ts";
import { generateApiKey, hashApiKey } from "../../../api/kernel/api-keys.ts";
import type { Caller } from "../../../api/kernel/callers.ts";
import type { ErrorType } from "../../../api/kernel/errors.ts";
import { ApiError } from "../../../api/kernel/errors.ts";
import { hashOfSecret } from "../../../api/kernel/secret-hash.ts";
import type { VerifiedToken } from "../../../api/kernel/sessions.ts";
import type { OperationTable } from "../../../api/platform/http/operations.ts";
import type { ChainSoul } from "../../../api/soul/chain-soul.ts";
import { chainSoul } from "../../fixtures/chain-soul.ts";
import { testApp } from "../helpers.ts";

const OWNER: Address = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const OTHER: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const SECRET = "s".repeat(43);
const NOW = new Date("2026-03-04T05:06:07Z");

const fullKey: KeyStanding = {
  kind: "live",
  tokenId: 7n,
  registrationId: null,
  epoch: 2,
  revokedAt: null,
  agent: { epoch: 2, suspended: false, organizationId: 3n },
};
const provisionalKey: KeyStanding = {
  kind: "provisional",
  tokenId: null,
  epoch: null,
  revokedAt: null,
  agent: null,
  registrationId: "5b6f8a52-0000-4000-8000-000000000001",
};
const identity = {
  holder: OWNER,
  agentId: 5n,
  tokenId: 7n,
  issuer: "agents.example",
  audience: "agents.example",
  manages: null,
} as VerifiedToken;
const session: VerifiedToken = { ...identity, manages: "account" };

/** Access in which one key, one session and one agent exist. */
function world(
  parts: { key?: KeyStanding; session?: VerifiedToken | null; owner?: ChainSoul | null } = {},
) {
  const key = generateApiKey(parts.key?.kind ?? "live");
  const access = createAccess({
    keys: {
      keyStanding: async (hash) => (hash.equals(hashApiKey(key)) ? (parts.key ?? fullKey) : null),
      organizationOf: async (tokenId) => (tokenId === 7n ? 3n : 0n),
    },
    sessions: {
      introspect: async (token) => (token === "good.token" ? (parts.session ?? null) : null),
      consoleSession: async (hash) =>
        hash.equals(hashOfSecret(SECRET)) ? { id: "c", account: OWNER, expiresAt: NOW } : null,
    },
    souls: { soul: async (tokenId) => (tokenId === 7n ? (parts.owner ?? null) : null) },
    clock: () => NOW,
  });
  return { access, key, authenticate: (credential: string) => access.authenticate(credential) };
}

async function errorOf(work: Promise<unknown> | (() => void)): Promise<ErrorType | "passes"> {
  try {
    await (typeof work === "function" ? work() : work);
    return "passes";
  } catch (error) {
    if (error instanceof ApiError) return error.type;
    throw error;
  }
}

const anonymous: Identity = { caller: { kind: "anonymous" }, account: null };

describe("a credential", () => {
  it("becomes a caller and names the counter of its rate limits", async () => {
    const full = world();
    expect(await full.access.authenticate(undefined)).toEqual(anonymous);
    expect(await full.authenticate(`Bearer ${full.key}`)).toEqual({
      caller: { kind: "full", id: "agent:7:2", tokenId: 7n, epoch: 2, suspended: false },
      account: { subject: "agent:7", tokenId: 7n, organizationId: 3n },
    });
    const claim = world({ key: provisionalKey });
    const id = `registration:${provisionalKey.registrationId}`;
    expect(await claim.authenticate(`bearer ${claim.key}`)).toEqual({
      caller: {
        kind: "provisional",
        id,
        claimed: false,
        registrationId: provisionalKey.registrationId,
      },
      account: { subject: id, tokenId: null, organizationId: 0n },
    });
    const kept = world({
      key: { ...fullKey, kind: "provisional", registrationId: provisionalKey.registrationId },
    });
    expect((await kept.authenticate(`Bearer ${kept.key}`)).caller).toEqual({
      kind: "provisional",
      id,
      claimed: true,
      registrationId: provisionalKey.registrationId,
    });
    const subject = `owner:${OWNER.toLowerCase()}`;
    expect(await world({ session }).authenticate("Bearer good.token")).toEqual({
      caller: {
        kind: "session",
        id: subject,
        sessionId: session.jti,
        owner: OWNER,
        agentId: null,
      },
      account: { subject, tokenId: 7n, organizationId: 3n },
    });
    const passportOnly = { ...session, tokenId: null };
    expect(
      (await world({ session: passportOnly }).authenticate("Bearer good.token")).account,
    ).toEqual({ subject, tokenId: null, organizationId: 0n });
  });

  it("becomes an owner session for a token with scope manage alone, bound as the token says", async () => {
    const address = OWNER.toLowerCase();
    const bound = { ...session, manages: "agent" } as const;
    expect((await world({ session: bound }).authenticate("Bearer good.token")).caller).toEqual({
      kind: "session",
      id: `owner:${address}:5`,
      sessionId: session.jti,
      owner: OWNER,
      agentId: 5n,
    });
    // It has its own limits: the holder of an identity token must not use up the owner's.
    expect(await world({ session: identity }).authenticate("Bearer good.token")).toEqual({
      caller: { kind: "identity", id: `identity:${address}`, owner: OWNER },
      account: { subject: `identity:${address}`, tokenId: 7n, organizationId: 3n },
    });
  });

  it("of a console's cookie by its secret, unless there is a header", async () => {
    const { access, key } = world();
    const bySecret = await access.authenticate(undefined, SECRET);
    expect(bySecret).toEqual({
      caller: {
        kind: "session",
        id: `owner:${OWNER.toLowerCase()}`,
        sessionId: "c",
        owner: OWNER,
        agentId: null,
      },
      account: { subject: `owner:${OWNER.toLowerCase()}`, tokenId: null, organizationId: 0n },
    });
    expect((await access.authenticate(`Bearer ${key}`, SECRET)).caller.kind).toBe("full");
    expect(await errorOf(access.authenticate("Bearer wrong", SECRET))).toBe("UNAUTHORIZED");
    expect(await errorOf(access.authenticate(undefined, "t".repeat(43)))).toBe("UNAUTHORIZED");
  });

  it("for another service is refused with any scope", async () => {
    for (const token of [identity, session]) {
      const elsewhere = { ...token, audience: "https://shop.example" };
      await expect(
        world({ session: elsewhere }).authenticate("Bearer good.token"),
      ).rejects.toMatchObject({
        type: "UNAUTHORIZED",
        message:
          "This access token was issued for https://shop.example. Sign in without an audience to use one here.",
      });
    }
  });

  it("is valid through its grace period, its epoch and a stale index, but no longer", async () => {
    const of = async (change: Partial<KeyStanding>) => {
      const { key, authenticate } = world({ key: { ...fullKey, ...change } });
      return errorOf(authenticate(`Bearer ${key}`));
    };
    const agent = { suspended: false, organizationId: 0n };
    expect(await of({ revokedAt: new Date(NOW.getTime() + 1) })).toBe("passes");
    expect(await of({ revokedAt: NOW })).toBe("UNAUTHORIZED");
    expect(await of({ revokedAt: new Date(Number.NaN) })).toBe("UNAUTHORIZED");
    expect(await of({ agent: null })).toBe("passes");
    expect(await of({ agent: { ...agent, epoch: 1 } })).toBe("passes");
    expect(await of({ agent: { ...agent, epoch: 3 } })).toBe("UNAUTHORIZED");
    expect(await of({ tokenId: null })).toBe("UNAUTHORIZED");
    const kept = { kind: "provisional" as const, registrationId: provisionalKey.registrationId };
    expect(await of({ ...kept, revokedAt: new Date(NOW.getTime() + 1) })).toBe("passes");
    expect(await of({ ...kept, revokedAt: NOW })).toBe("UNAUTHORIZED");
    expect(await of({ ...kept, agent: { ...agent, epoch: 3 } })).toBe("UNAUTHORIZED");
    expect(await of({ epoch: null })).toBe("UNAUTHORIZED");
  });

  it("that is invalid is refused in every spelling", async () => {
    const { key, authenticate } = world({ session });
    const tampered = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    for (const credential of [
      "",
      "Bearer",
      "Bearer ",
      key,
      `Basic ${key}`,
      `Bearer  ${key}`,
      `Bearer ${key} x`,
      `Bearer ${tampered}`,
      `Bearer ${generateApiKey("live")}`,
      "Bearer bad.token",
      `Bearer ${"a".repeat(4097)}`,
    ]) {
      expect([credential, await errorOf(authenticate(credential))]).toEqual([
        credential,
        "UNAUTHORIZED",
      ]);
    }
    const orphan = world({ key: { ...provisionalKey, registrationId: null } });
    expect(await errorOf(orphan.authenticate(`Bearer ${orphan.key}`))).toBe("UNAUTHORIZED");
  });
});

const callers = {
  anonymous: { kind: "anonymous" },
  provisional: { kind: "provisional", id: "registration:x", registrationId: "x", claimed: false },
  full: { kind: "full", id: "agent:7:2", tokenId: 7n, epoch: 2, suspended: false },
  moved: { kind: "full", id: "agent:7:2", tokenId: 7n, epoch: 2, suspended: true },
  identity: { kind: "identity", id: "identity:x", owner: OWNER },
  session: {
    kind: "session",
    id: "owner:x",
    sessionId: "5b6f8a52-0000-4000-8000-000000000002",
    owner: OWNER,
    agentId: null,
  },
} as const satisfies Record<string, Caller>;

/** The callers that are refused wherever a credential is needed. */
const withoutRights = { anonymous: "UNAUTHORIZED", identity: "MANAGE_SCOPE_REQUIRED" } as const;

describe("an operation", () => {
  it.each<[AccessRule, Effect, Record<keyof typeof callers, ErrorType | "passes">]>([
    ["none", "writes", all("passes")],
    ["signature", "writes", all("passes")],
    ["agent-or-signature", "writes", all("passes")],
    ["session-or-signature", "writes", all("passes")],
    ["any-key", "reads", { ...all("passes"), ...withoutRights }],
    ["any-key", "writes", { ...all("passes"), ...withoutRights, moved: "SUSPENDED" }],
    ["agent", "reads", { ...all("passes"), ...withoutRights, provisional: "FULL_KEY_REQUIRED" }],
    [
      "agent",
      "writes",
      {
        ...withoutRights,
        provisional: "FULL_KEY_REQUIRED",
        full: "passes",
        moved: "SUSPENDED",
        session: "passes",
      },
    ],
    ["session", "writes", { ...all("FORBIDDEN"), ...withoutRights, session: "passes" }],
  ])("of rule %s that %s admits exactly the allowed callers", async (rule, effect, expected) => {
    for (const [name, caller] of Object.entries(callers)) {
      expect([name, await errorOf(() => authoriseCaller(caller, rule, effect))]).toEqual([
        name,
        expected[name as keyof typeof callers],
      ]);
    }
  });

  const owner = chainSoul({
    tokenId: 7n,
    epoch: 2,
    passportOwner: OWNER,
    sealer: OWNER,
    passportId: 5n,
  });
  const act = (caller: Caller, tokenId: bigint, is: ChainSoul | null, effect: Effect = "writes") =>
    errorOf(world({ owner: is }).access.authorise(caller, { tokenId, rule: "agent", effect }));

  it("for the agent's key admits only its own key", async () => {
    expect(await act(callers.full, 7n, owner)).toBe("passes");
    expect(await act(callers.full, 8n, owner)).toBe("FORBIDDEN");
    expect(await act(callers.moved, 7n, owner)).toBe("SUSPENDED");
    expect(await act(callers.moved, 7n, owner, "reads")).toBe("passes");
    expect(await act(callers.moved, 8n, owner, "reads")).toBe("FORBIDDEN");
    expect(await act(callers.provisional, 7n, owner)).toBe("FULL_KEY_REQUIRED");
    expect(await act(callers.anonymous, 7n, owner)).toBe("UNAUTHORIZED");
  });

  it("for an owner admits the live owner's session", async () => {
    const sold = { ...owner, passportOwner: OTHER };
    const bought = { ...owner, sealer: OTHER };
    expect(await act(callers.session, 7n, owner)).toBe("passes");
    expect(await act(callers.session, 7n, sold)).toBe("FORBIDDEN");
    expect(await act(callers.session, 7n, { ...owner, passportOwner: null })).toBe("FORBIDDEN");
    expect(await act(callers.session, 7n, bought)).toBe("SUSPENDED");
    expect(await act(callers.session, 7n, bought, "reads")).toBe("passes");
    expect(await act(callers.session, 8n, owner)).toBe("NOT_FOUND");
  });

  it("is read-only for the owner's session while a suspension stands and the passport is back", async () => {
    const marked = { ...owner, suspended: true };
    expect(await act(callers.session, 7n, marked)).toBe("SUSPENDED");
    expect(await act(callers.session, 7n, marked, "reads")).toBe("passes");
  });

  it("for owners refuses a token that only identifies the owner", async () => {
    for (const effect of ["reads", "writes"] as const) {
      expect(await act(callers.identity, 7n, owner, effect)).toBe("MANAGE_SCOPE_REQUIRED");
    }
    const { access } = world({ owner });
    for (const rule of ["any-key", "agent", "session"] as const) {
      const action = { tokenId: 7n, rule, effect: "reads" } as const;
      await expect(access.authorise(callers.identity, action)).rejects.toMatchObject({
        type: "MANAGE_SCOPE_REQUIRED",
        message:
          "This token only identifies its holder. To act for the agent, sign in again as its owner with the scope manage.",
      });
    }
  });

  it("admits a bound session when it is bound to this agent", async () => {
    const boundTo = (agentId: bigint): Caller => ({ ...callers.session, agentId });
    const authorise = (caller: Caller, is: ChainSoul) =>
      world({ owner: is }).access.authorise(caller, {
        tokenId: 7n,
        rule: "agent",
        effect: "reads",
      });
    await authorise(boundTo(5n), owner);
    await authorise(boundTo(0n), { ...owner, passportId: 0n });
    await expect(authorise(boundTo(6n), owner)).rejects.toMatchObject({
      type: "FORBIDDEN",
      message:
        "This token manages the agent of passport 6 only. Sign in for passport 5, or without agentId.",
    });
    await expect(authorise(boundTo(0n), owner)).rejects.toMatchObject({ type: "FORBIDDEN" });
    // Bound to it and sold since: the chain decides.
    const sold = { ...owner, passportOwner: OTHER };
    await expect(authorise(boundTo(5n), sold)).rejects.toMatchObject({
      type: "FORBIDDEN",
      message: "The credential belongs to another agent.",
    });
  });

  it("of a provisional key never acts on a minted agent", async () => {
    const { access } = world({ owner });
    const action = { tokenId: 7n, rule: "any-key", effect: "reads" } as const;
    expect(await errorOf(access.authorise(callers.provisional, action))).toBe("FULL_KEY_REQUIRED");
  });
});

function all<T extends ErrorType | "passes">(outcome: T): Record<keyof typeof callers, T> {
  return {
    anonymous: outcome,
    provisional: outcome,
    full: outcome,
    moved: outcome,
    identity: outcome,
    session: outcome,
  };
}

describe("over HTTP", () => {
  const calledBy = (caller: Caller) =>
    testApp({
      access: { authenticate: async () => ({ caller, account: null }), authorise: async () => {} },
    });
  const post = (caller: Caller, path: string, body: object, headers = {}) =>
    calledBy(caller).request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const typeOf = async (response: Response) =>
    ((await response.json()) as { error: { type: string } }).error.type;

  it("answers a request without the required owner's signature with where to get the typed data", async () => {
    const { anonymous, full, session, identity, provisional } = callers;
    for (const caller of [anonymous, full, session, identity, provisional]) {
      const response = await post(caller, "/v1/register", { agentName: "aurora" });
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      expect(error).toEqual({
        code: 403,
        type: "WALLET_SIGNATURE_REQUIRED",
        message:
          "This operation requires the owner's wallet signature. POST /v1/typed-data/register returns what to sign.",
        details: { typedData: "/v1/typed-data/register", requestId: expect.any(String) },
      });
    }
    // With a signature, or without a JSON object, the schema reports what is wrong.
    expect(await typeOf(await post(callers.full, "/v1/register", { signature: "0x00" }))).toBe(
      "INVALID_REQUEST",
    );
    expect(await typeOf(await post(callers.anonymous, "/v1/register", []))).toBe("INVALID_REQUEST");
    const inHeader = { "X-Svc-Owner-Signature": "e30" };
    expect(await typeOf(await post(callers.full, "/v1/register", {}, inHeader))).toBe(
      "INVALID_REQUEST",
    );
  });

  it("names existing typed data for every operation that takes an owner's signature", async () => {
    const prepared = testApp().routes.map(({ path }) => path);
    for (const [id, { access, typedData }] of Object.entries(operations as OperationTable)) {
      const takesSignature = access.endsWith("signature");
      expect([id, typedData !== undefined]).toEqual([id, takesSignature]);
      if (typedData !== undefined) expect(prepared).toContain(`/v1/typed-data/${typedData}`);
    }
  });

  it("refuses an unauthorized caller before it validates the request", async () => {
    const refused = await post(callers.full, "/v1/keys/rotate", { nonsense: true });
    expect([refused.status, await typeOf(refused)]).toEqual([403, "FORBIDDEN"]);
    const anonymous = await post(callers.anonymous, "/v1/keys/rotate", { nonsense: true });
    expect([anonymous.status, await typeOf(anonymous)]).toEqual([401, "UNAUTHORIZED"]);
  });
});
