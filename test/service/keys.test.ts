import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { generateApiKey, hashApiKey, parseApiKey } from "../../api/kernel/api-keys.ts";
import { createChainReads } from "../../api/soul/indexed.store.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { ownerSession } from "../fixtures/agents.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// The use of API keys and owner sessions: real contracts, the real index, real Postgres, over HTTP.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

/** An owner session of `owner`, for every agent that it owns. */
const signIn = async (owner: LocalAccount): Promise<string> =>
  (await ownerSession(service, owner)).accessToken;

async function agentOf(owner: LocalAccount) {
  const { answer } = await service.register(freshName(), owner);
  const { tokenId, erc8004AgentId, apiKey, agentName } = answer.body;
  return { tokenId, erc8004AgentId, apiKey, agentName, session: await signIn(owner) };
}

const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });

const rotate = (credential: string | undefined, body: object, key?: string) =>
  service.post("/v1/keys/rotate", body, {
    ...(credential === undefined ? {} : bearer(credential)),
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
  });

/** The status of a public read with this credential: 200, or 401 when it is invalid. */
const statusWith = async (credential: string) =>
  (await service.request("/v1/status", { headers: bearer(credential) })).status;

const databaseText = async () => {
  const tables = ["api_key", "idempotency", "registration"];
  const dumps = await Promise.all(
    tables.map((table) => service.pool.query(`select t::text as row from app.${table} t`)),
  );
  return dumps.flatMap(({ rows }) => rows.map(({ row }) => row as string)).join("\n");
};

describe("rotating keys", () => {
  it("gives a new key and revokes the others at once", async () => {
    const owner = newAccount();
    const { tokenId, erc8004AgentId, apiKey, session } = await agentOf(owner);
    expect(await statusWith(apiKey)).toBe(200);
    expect(await createChainReads(service.pool).keyStanding(hashApiKey(apiKey))).toMatchObject({
      agent: { epoch: 1, suspended: false, organizationId: 0n },
    });

    const before = Date.now();
    const { status, body, headers } = await rotate(session, { tokenId });
    expect(status).toBe(200);
    expect(body).toEqual({
      tokenId,
      erc8004AgentId,
      keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiKey: expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/),
      previousKeysValidUntil: expect.any(String),
      endedKeys: [
        {
          keyId: expect.any(String),
          kind: "full",
          holder: "owner",
          epoch: 1,
          createdAt: expect.any(String),
          lastUsedAt: expect.any(String),
          exchangedAt: null,
          hint: `svc_live_…${apiKey.slice(-4)}`,
          revokedAt: body.previousKeysValidUntil,
        },
      ],
    });
    expect(parseApiKey(body.apiKey)).not.toBeNull();
    expect(Date.parse(body.previousKeysValidUntil)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.previousKeysValidUntil)).toBeLessThanOrEqual(Date.now());
    expect(headers.get("cache-control")).toBe("no-store");
    expect([await statusWith(apiKey), await statusWith(body.apiKey)]).toEqual([401, 200]);

    const { rows } = await service.pool.query(
      "select kind, token_id::int, epoch::int, revoked_at from app.api_key where hash = $1",
      [hashApiKey(body.apiKey)],
    );
    expect(rows).toEqual([{ kind: "live", token_id: tokenId, epoch: 1, revoked_at: null }]);
  });

  it("lets the old key work through the grace period, which a later rotation can only shorten", async () => {
    const { tokenId, apiKey, session } = await agentOf(newAccount());
    const graceSeconds = 3600;
    const before = Date.now();
    const { body: first } = await rotate(session, { tokenId, graceSeconds });
    const until = Date.parse(first.previousKeysValidUntil);
    expect(until).toBeGreaterThanOrEqual(before + graceSeconds * 1000);
    expect(until).toBeLessThanOrEqual(Date.now() + graceSeconds * 1000);
    expect([await statusWith(apiKey), await statusWith(first.apiKey)]).toEqual([200, 200]);

    const revokedAt = async (key: string) => {
      const { rows } = await service.pool.query(
        "select revoked_at from app.api_key where hash = $1",
        [hashApiKey(key)],
      );
      return (rows[0].revoked_at as Date | null)?.getTime();
    };
    await rotate(session, { tokenId, graceSeconds: 604_800 });
    expect(await revokedAt(apiKey)).toBe(until);
    await rotate(session, { tokenId, graceSeconds: 0 });
    expect([await statusWith(apiKey), await statusWith(first.apiKey)]).toEqual([401, 401]);
  });

  it("repeats the same key to the same Idempotency-Key, and stores it nowhere in clear", async () => {
    const { tokenId, session } = await agentOf(newAccount());
    const key = idempotencyKey();
    const [first, again] = await Promise.all([
      rotate(session, { tokenId }, key),
      rotate(session, { tokenId }, key),
    ]);
    const answered = [first, again].filter(({ status }) => status === 200);
    expect(answered.length).toBeGreaterThanOrEqual(1);
    const later = await rotate(session, { tokenId }, key);
    expect(later.body).toEqual(answered[0]?.body);
    expect(later.headers.get("idempotency-replayed")).toBe("true");
    expect(await statusWith(later.body.apiKey)).toBe(200);

    const { rows } = await service.pool.query(
      "select count(*)::int as live from app.api_key where token_id = $1 and revoked_at is null",
      [tokenId],
    );
    expect(rows).toEqual([{ live: 1 }]);
    const stored = await databaseText();
    expect(stored).not.toContain(later.body.apiKey);
    expect(stored).not.toContain(Buffer.from(later.body.apiKey).toString("hex"));
    expect((await service.logLines()).join("")).not.toContain(later.body.apiKey);

    expect(refusal(await rotate(session, { tokenId, graceSeconds: 1 }, key))).toEqual({
      status: 409,
      type: "IDEMPOTENCY_CONFLICT",
      details: {},
    });
  });

  it("that lost its answer to a crash gives the same key, and rotates nothing again", async () => {
    const { tokenId, session } = await agentOf(newAccount());
    const key = idempotencyKey();
    const { rows: earlier } = await service.pool.query("select key_hash from app.idempotency");
    const { body: first } = await rotate(session, { tokenId, graceSeconds: 60 }, key);
    // The state when the process dies between the rotation and the storing of its answer.
    const { rowCount } = await service.pool.query(
      `update app.idempotency
       set state = 'in_flight', answer_encrypted = null, locked_until = now() - interval '1 second'
       where key_hash <> all ($1)`,
      [earlier.map(({ key_hash }) => key_hash)],
    );
    expect(rowCount).toBe(1);
    const again = await rotate(session, { tokenId, graceSeconds: 60 }, key);
    expect(again.headers.get("idempotency-replayed")).toBeNull();
    expect(again.body).toEqual(first);
    expect(await statusWith(first.apiKey)).toBe(200);
  });

  it("at the same time leaves one key active", async () => {
    const { tokenId, session } = await agentOf(newAccount());
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => rotate(session, { tokenId })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const statuses = await Promise.all(answers.map(({ body }) => statusWith(body.apiKey)));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  it("is for the owner's session alone", async () => {
    const { tokenId, apiKey } = await agentOf(newAccount());
    const stranger = await agentOf(newAccount());
    const provisional = generateApiKey("provisional");
    await service.pool.query(
      `insert into app.api_key (hash, kind, holder, hint, registration_id, created_at)
       values ($1, 'provisional', 'agent', 'a1B2', gen_random_uuid(), now())`,
      [hashApiKey(provisional)],
    );
    const refusals = {
      anonymous: await rotate(undefined, { tokenId }),
      provisional: await rotate(provisional, { tokenId }),
      key: await rotate(apiKey, { tokenId }),
      stranger: await rotate(stranger.session, { tokenId }),
      unknown: await rotate(stranger.session, { tokenId: 999_999 }),
      tampered: await rotate(`${stranger.session}x`, { tokenId }),
    };
    expect(
      Object.fromEntries(Object.entries(refusals).map(([who, answer]) => [who, refusal(answer)])),
    ).toEqual({
      anonymous: { status: 401, type: "UNAUTHORIZED", details: {} },
      provisional: { status: 403, type: "FORBIDDEN", details: {} },
      key: { status: 403, type: "FORBIDDEN", details: {} },
      stranger: { status: 403, type: "FORBIDDEN", details: {} },
      unknown: { status: 404, type: "NOT_FOUND", details: {} },
      tampered: { status: 401, type: "UNAUTHORIZED", details: {} },
    });
    expect([await statusWith(apiKey), await statusWith(provisional)]).toEqual([200, 200]);
  });

  it.each([
    [{ tokenId: 0 }, "tokenId"],
    [{ tokenId: 1, graceSeconds: -1 }, "graceSeconds"],
    [{ tokenId: 1, graceSeconds: 604_801 }, "graceSeconds"],
    [{ tokenId: 1, grace: 1 }, "grace"],
  ])("refuses %j", async (body, path) => {
    const session = await signIn((await holder()).owner);
    const answer = refusal(await rotate(session, body));
    expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
    expect(answer.details.issues).toMatchObject([{ path }]);
  });

  it("ends with the passport's transfer, for the old owner and for the new one", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    const { tokenId, erc8004AgentId, apiKey, session } = await agentOf(seller);
    await service.chain.fund(seller.address);
    const block = await service.chain.transferPassport(
      BigInt(erc8004AgentId),
      seller,
      buyer.address,
    );
    await service.get(`/v1/profile/${tokenId}?minBlock=${block}`);
    // The state that stops the key from acting is read with the key itself.
    expect(await createChainReads(service.pool).keyStanding(hashApiKey(apiKey))).toMatchObject({
      kind: "live",
      tokenId: BigInt(tokenId),
      epoch: 1,
      revokedAt: null,
      agent: { epoch: 1, suspended: true, organizationId: 0n },
    });
    // The session ended with the transfer; the key can still read.
    expect(refusal(await rotate(session, { tokenId }))).toEqual({
      status: 401,
      type: "UNAUTHORIZED",
      details: {},
    });
    expect(await statusWith(apiKey)).toBe(200);
    await vi.waitFor(async () => {
      const answer = await rotate(await signIn(buyer), { tokenId });
      expect(refusal(answer)).toEqual({ status: 409, type: "SUSPENDED", details: {} });
    });
  });
});

let cachedHolder: Promise<{ owner: LocalAccount }> | undefined;
/** An owner with an agent, for tests that only need a session. */
function holder(): Promise<{ owner: LocalAccount }> {
  cachedHolder ??= (async () => {
    const owner = newAccount();
    await agentOf(owner);
    return { owner };
  })();
  return cachedHolder;
}
