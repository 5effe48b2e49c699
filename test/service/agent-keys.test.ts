import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { bearer, newAgent, ownerSession } from "../fixtures/agents.ts";
import { everythingStored } from "../fixtures/everything-stored.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// The keys of agents that registered themselves: the agent's own, its owner's, and the owner's view
// of them.

let service: Service;
let verbs: ReturnType<typeof agentVerbs>;
beforeAll(async () => {
  service = await sharedService();
  verbs = agentVerbs(service);
});
afterAll(() => service?.stop());

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const text = expect.any(String) as string;
const aKeyId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const aFullKey = expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/) as string;

const exchange = (credential: string | undefined, key?: string) =>
  service.request("/v1/keys/exchange", {
    method: "POST",
    headers: {
      ...(credential === undefined ? {} : bearer(credential)),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    },
  });
const revoke = (credential: string, keyId: string) =>
  service.request(`/v1/keys/${keyId}`, { method: "DELETE", headers: bearer(credential) });
const list = (credential: string, tokenId: number) =>
  service.request(`/v1/keys?tokenId=${tokenId}`, { headers: bearer(credential) });
/** The status of a public read with this credential: 200, or 401 when it is invalid. */
const statusWith = async (credential: string) =>
  (await service.request("/v1/status", { headers: bearer(credential) })).status;

/** An agent that registered itself and was claimed. */
async function claimed(terms: object = {}, owner: LocalAccount = newAccount()) {
  const agentName = freshName();
  const { registrationId, apiKey: provisional } = await verbs.registerAgent(agentName);
  const answer = await verbs.submitClaim(await verbs.signedClaim(registrationId, owner, terms));
  expect(answer.status).toBe(200);
  const { tokenId, apiKey: ownerKey, erc8004AgentId, agentKeeps } = answer.body;
  return {
    agentName,
    registrationId,
    provisional,
    owner,
    tokenId,
    ownerKey,
    erc8004AgentId,
    agentKeeps,
  };
}

const session = async (owner: LocalAccount) => (await ownerSession(service, owner)).accessToken;

describe("an agent that registers itself, is claimed and exchanges its key", () => {
  it("signs its first chronicle with a key that its owner never saw", async () => {
    const agentName = freshName();
    const owner = newAccount();
    const { registrationId, apiKey: provisional } = await verbs.registerAgent(agentName);
    expect(refusal(await exchange(provisional))).toEqual({
      status: 409,
      type: "NOT_CLAIMED",
      details: { claimExpiresAt: text },
    });

    const claim = await verbs.submitClaim(await verbs.signedClaim(registrationId, owner));
    expect(claim.body).toMatchObject({ agentKeeps: true });
    const { tokenId, erc8004AgentId, apiKey: ownerKey } = claim.body;
    const polled = await service.get(`/api/v1/register?id=${registrationId}`);
    expect(polled.body).toMatchObject({ status: "claimed", tokenId });

    // The provisional key can still read, and does nothing else.
    const headers = bearer(provisional);
    expect((await service.request(`/v1/profile/${agentName}`, { headers })).status).toBe(200);
    const chronicle = { tokenId, category: "achievement", data: { title: "First words" } };
    const webhook = { url: "https://1.1.1.1/agent", events: ["chronicle.recorded"] };
    for (const refused of [
      await service.post("/v1/chronicle", chronicle, headers),
      await service.post("/v1/webhooks", webhook, headers),
    ]) {
      expect(refusal(refused)).toMatchObject({ status: 403, type: "FULL_KEY_REQUIRED" });
    }

    const exchanged = await exchange(provisional, idempotencyKey());
    expect(exchanged.status).toBe(200);
    expect(exchanged.headers.get("cache-control")).toBe("no-store");
    expect(exchanged.body).toEqual({
      tokenId,
      agentName,
      erc8004AgentId,
      registrationId,
      keyId: aKeyId,
      apiKey: aFullKey,
    });
    const { apiKey } = exchanged.body;
    expect(apiKey).not.toBe(ownerKey);
    expect(await statusWith(provisional)).toBe(401);
    expect(await statusWith(ownerKey)).toBe(200);

    const first = await service.post("/v1/chronicle", chronicle, bearer(apiKey));
    expect(first.status).toBe(201);
    const { body: record } = await service.get(`/v1/chronicle/${agentName}`);
    expect(record.pagination.total).toBe(1);
    const verified = await service.post("/api/v1/auth/verify-key", { apiKey });
    expect(verified.body).toMatchObject({ valid: true, agentName, tokenId });

    const stored = await everythingStored(service.pool);
    for (const secret of [provisional, apiKey, ownerKey]) {
      expect(stored).not.toContain(secret);
      expect((await service.logLines()).join("\n")).not.toContain(secret);
    }
  });
});

describe("exchanging a provisional key", () => {
  it("happens once when many ask at once, and is answered again to its own Idempotency-Key", async () => {
    const { provisional, tokenId } = await claimed();
    const keys = Array.from({ length: 5 }, idempotencyKey);
    const answers = await Promise.all(keys.map((key) => exchange(provisional, key)));
    const won = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(lost)).toEqual({
        status: 410,
        type: "GONE",
        details: { reason: "exchanged" },
      });
    }
    const again = await exchange(provisional, keys[won]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(answers[won]?.body);
    const { rows } = await service.pool.query(
      `select kind, holder, exchanged_at is not null as exchanged, revoked_at is not null as ended
       from app.api_key where token_id = $1 order by kind, holder`,
      [tokenId],
    );
    expect(rows).toEqual([
      { kind: "live", holder: "agent", exchanged: false, ended: false },
      { kind: "live", holder: "owner", exchanged: false, ended: false },
      { kind: "provisional", holder: "agent", exchanged: true, ended: true },
    ]);
  });

  it("that lost its answer to a crash gives the same key again", async () => {
    const { provisional } = await claimed();
    const key = idempotencyKey();
    const { rows: earlier } = await service.pool.query("select key_hash from app.idempotency");
    const first = await exchange(provisional, key);
    // The state when the process dies between the exchange and the storing of its answer.
    const { rowCount } = await service.pool.query(
      `update app.idempotency
       set state = 'in_flight', answer_encrypted = null, locked_until = now() - interval '1 second'
       where key_hash <> all ($1)`,
      [earlier.map(({ key_hash }) => key_hash)],
    );
    expect(rowCount).toBe(1);
    const again = await exchange(provisional, key);
    expect(again.headers.get("idempotency-replayed")).toBeNull();
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it("is refused without a credential, and with a full key, a session or an unknown key", async () => {
    const { owner, ownerKey } = await claimed();
    const unknown = `svc_provisional_${"0".repeat(49)}`;
    const answers = {
      anonymous: await exchange(undefined),
      full: await exchange(ownerKey),
      session: await exchange(await session(owner)),
      unknown: await exchange(unknown),
    };
    expect(
      Object.fromEntries(Object.entries(answers).map(([who, answer]) => [who, refusal(answer)])),
    ).toEqual({
      anonymous: { status: 401, type: "UNAUTHORIZED", details: {} },
      full: { status: 403, type: "FORBIDDEN", details: {} },
      session: { status: 401, type: "UNAUTHORIZED", details: {} },
      unknown: { status: 401, type: "UNAUTHORIZED", details: {} },
    });
  });

  it.each([
    ["agentKeeps", { agentKeeps: false }],
    ["agentKey", { agentKey: false }],
  ])(
    "is refused when the owner declined with %s, and the key has expired with the claim",
    async (_spelling, terms) => {
      const { provisional, agentKeeps } = await claimed(terms);
      expect(agentKeeps).toBe(false);
      expect(await statusWith(provisional)).toBe(401);
      const answer = await exchange(provisional);
      expect(refusal(answer)).toEqual({ status: 403, type: "FORBIDDEN", details: {} });
      expect(answer.body.error.message).toMatch(/^The owner decided at the claim/);
    },
  );

  it("is refused once the passport has moved, while the key can still read", async () => {
    const { provisional, owner, erc8004AgentId, agentName } = await claimed();
    await service.chain.fund(owner.address);
    const block = await service.chain.transferPassport(
      BigInt(erc8004AgentId),
      owner,
      newAccount().address,
    );
    await service.get(`/v1/profile/${agentName}?minBlock=${block}`);
    const answer = await vi.waitFor(async () => {
      const refused = await exchange(provisional);
      expect(refused.status).toBe(409);
      return refused;
    });
    expect(refusal(answer)).toEqual({ status: 409, type: "SUSPENDED", details: {} });
    expect(await statusWith(provisional)).toBe(200);
  });

  it("is refused in another seal epoch, where the key cannot read either", async () => {
    const { provisional, tokenId } = await claimed();
    // As after a reseal: the key belongs to an earlier epoch.
    await service.pool.query(
      "update app.api_key set epoch = 0 where token_id = $1 and kind = 'provisional'",
      [tokenId],
    );
    expect(refusal(await exchange(provisional))).toEqual({
      status: 401,
      type: "UNAUTHORIZED",
      details: {},
    });
    expect(await statusWith(provisional)).toBe(401);
  });
});

describe("whether the agent keeps a key", () => {
  it("is part of the draft: a claim with another choice is refused", async () => {
    const { registrationId } = await verbs.registerAgent(freshName());
    const owner = newAccount();
    const signed = await verbs.signedClaim(registrationId, owner, { agentKeeps: false });
    for (const agentKeeps of [true, undefined]) {
      const changed = { ...signed, agentKeeps };
      expect(refusal(await verbs.submitClaim(changed))).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: {
          issues: [{ path: "agentKeeps", message: "The draft of this nonce says false" }],
        },
      });
    }
    const contradicting = { ...signed, agentKey: true };
    expect(refusal(await verbs.submitClaim(contradicting))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "agentKey", message: "agentKeeps says false" }] },
    });
    expect((await verbs.submitClaim(signed)).body).toMatchObject({ agentKeeps: false });
  });
});

describe("an owner's list of keys", () => {
  it("names each key without showing it, and revokes one with the next request", async () => {
    const { owner, tokenId, provisional, ownerKey } = await claimed();
    const token = await session(owner);
    const before = await list(token, tokenId);
    expect(before.status).toBe(200);
    expect(before.headers.get("cache-control")).toBe("no-store");
    const provisionalEntry = {
      keyId: aKeyId,
      kind: "provisional",
      holder: "agent",
      epoch: 1,
      createdAt: text,
      hint: `svc_provisional_…${provisional.slice(-4)}`,
      revokedAt: text,
      lastUsedAt: null,
      exchangedAt: null,
    };
    const ownerEntry = {
      keyId: aKeyId,
      kind: "full",
      holder: "owner",
      epoch: 1,
      createdAt: text,
      hint: `svc_live_…${ownerKey.slice(-4)}`,
      revokedAt: null,
      lastUsedAt: null,
      exchangedAt: null,
    };
    expect(before.body).toEqual({
      tokenId,
      keys: [ownerEntry, provisionalEntry],
      nextCursor: null,
    });
    const until = Date.parse(before.body.keys[1].revokedAt);
    expect(until - Date.now()).toBeGreaterThan(WEEK_MS - 60_000);
    expect(until - Date.now()).toBeLessThanOrEqual(WEEK_MS);

    const { apiKey: agentKey, keyId } = (await exchange(provisional)).body;
    const after = await list(token, tokenId);
    expect(after.body.keys).toEqual([
      { ...ownerEntry, keyId, holder: "agent", hint: `svc_live_…${agentKey.slice(-4)}` },
      ownerEntry,
      { ...provisionalEntry, exchangedAt: text },
    ]);

    expect((await revoke(token, keyId)).status).toBe(204);
    expect([await statusWith(agentKey), await statusWith(ownerKey)]).toEqual([401, 200]);
    const { body: ended } = await list(token, tokenId);
    expect(ended.keys[0]).toMatchObject({ keyId, revokedAt: text });
    expect((await revoke(token, keyId)).status).toBe(204);
    expect((await list(token, tokenId)).body).toEqual(ended);
  });

  it("is for the owner's session alone, and so is revoking a key", async () => {
    const { owner, tokenId, ownerKey, provisional } = await claimed();
    const stranger = await newAgent(service);
    const strange = await session(stranger.owner);
    const token = await session(owner);
    const { keyId } = (await list(token, tokenId)).body.keys[0];
    const unauthorized = { status: 401, type: "UNAUTHORIZED", details: {} };
    const forbidden = { status: 403, type: "FORBIDDEN", details: {} };
    expect(refusal(await service.get(`/v1/keys?tokenId=${tokenId}`))).toEqual(unauthorized);
    expect(refusal(await service.request(`/v1/keys/${keyId}`, { method: "DELETE" }))).toEqual(
      unauthorized,
    );
    for (const credential of [ownerKey, provisional, strange]) {
      expect(refusal(await list(credential, tokenId))).toEqual(forbidden);
      expect(refusal(await revoke(credential, keyId))).toEqual(forbidden);
    }
    expect(await statusWith(ownerKey)).toBe(200);
    expect(refusal(await list(token, 999_999_999))).toMatchObject({ status: 404 });
    expect(refusal(await revoke(token, "5b6f8a52-0000-4000-8000-000000000001"))).toEqual({
      status: 404,
      type: "NOT_FOUND",
      details: {},
    });
    for (const path of ["/v1/keys", "/v1/keys?tokenId=x", "/v1/keys?tokenId=0"]) {
      const answer = await service.request(path, { headers: bearer(token) });
      expect(refusal(answer)).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
    }
  });

  it("loses every key but the new one to a rotation, which says which", async () => {
    const { owner, tokenId, provisional, ownerKey } = await claimed();
    const token = await session(owner);
    const listed = (await list(token, tokenId)).body.keys;
    const rotated = await service.post("/v1/keys/rotate", { tokenId }, bearer(token));
    expect(rotated.status).toBe(200);
    const { keyId, apiKey, previousKeysValidUntil: revokedAt, endedKeys } = rotated.body;
    expect(endedKeys).toEqual(listed.map((key: object) => ({ ...key, revokedAt })));
    expect(await Promise.all([ownerKey, provisional, apiKey].map(statusWith))).toEqual([
      ...[401, 401, 200],
    ]);
    expect(refusal(await exchange(provisional))).toEqual({
      status: 401,
      type: "UNAUTHORIZED",
      details: {},
    });
    expect((await list(token, tokenId)).body.keys[0]).toMatchObject({ keyId, holder: "owner" });
  });

  it("loses the provisional key at once to a rotation with a grace period, because its exchange would give a key that outlives the grace period", async () => {
    const { owner, tokenId, provisional, ownerKey } = await claimed();
    const token = await session(owner);
    const [ownerEntry, provisionalEntry] = (await list(token, tokenId)).body.keys;
    const rotation = { tokenId, graceSeconds: 604_800 };
    const key = { ...bearer(token), "Idempotency-Key": idempotencyKey() };
    const rotated = await service.post("/v1/keys/rotate", rotation, key);
    expect(rotated.status).toBe(200);
    const { keyId, previousKeysValidUntil, endedKeys } = rotated.body;
    const rotatedAt = new Date(Date.parse(previousKeysValidUntil) - WEEK_MS).toISOString();
    expect(endedKeys).toEqual([
      { ...ownerEntry, revokedAt: previousKeysValidUntil },
      { ...provisionalEntry, revokedAt: rotatedAt },
    ]);
    expect(await Promise.all([ownerKey, provisional].map(statusWith))).toEqual([200, 401]);
    expect(refusal(await exchange(provisional))).toEqual({
      status: 401,
      type: "UNAUTHORIZED",
      details: {},
    });
    const { keys } = (await list(token, tokenId)).body;
    expect(keys.map((listed: { keyId: string }) => listed.keyId)).toEqual([
      ...[keyId, ownerEntry.keyId, provisionalEntry.keyId],
    ]);
  });
});
