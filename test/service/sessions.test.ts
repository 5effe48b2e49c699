import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, signedInOwner } from "../fixtures/agents.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Lists of sessions and keys with their last use, and the end of one session.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as string;
const refused = ({ status, body }: Answer) => [status, body.error?.type];
const idOf = (token: string) => decodeJwt(token).jti as string;

const signIn = async (owner: LocalAccount, options: object) =>
  (await signedInOwner(service, owner, options)).accessToken;
const list = (tokenId: number, token: string, rest = "") =>
  service.request(`/v1/sessions?tokenId=${tokenId}${rest}`, { headers: bearer(token) });
const end = (sessionId: string, token: string) =>
  service.request(`/v1/sessions/${sessionId}`, { method: "DELETE", headers: bearer(token) });
const statusWith = async (credential: string) =>
  (await service.request("/v1/status", { headers: bearer(credential) })).status;

/** Two agents of one owner, and the owner's sessions, the oldest first. */
async function ownerOfTwo() {
  const agent = await newAgent(service);
  const { owner, passportId } = agent;
  const { body: sibling } = (await service.register(freshName(), owner)).answer;
  const elsewhere = await signIn(owner, { agentId: passportId, audience: "https://shop.example" });
  const bound = await signIn(owner, { agentId: passportId, scope: ["manage"] });
  const ofSibling = await signIn(owner, { agentId: sibling.erc8004AgentId, scope: ["manage"] });
  const account = await signIn(owner, { scope: ["manage"] });
  return { agent, sibling, elsewhere, bound, ofSibling, account };
}

describe("GET /v1/sessions", () => {
  it("lists the sessions that reach the agent, the newest first, without their tokens", async () => {
    const { agent, elsewhere, bound, account } = await ownerOfTwo();
    const { tokenId, passportId } = agent;
    const answer = await list(tokenId, account);
    expect(answer.status).toBe(200);
    const common = { erc8004AgentId: passportId, createdAt: TIME, expiresAt: TIME };
    expect(answer.body).toStrictEqual({
      tokenId,
      sessions: [
        {
          ...common,
          erc8004AgentId: expect.any(Number) as number,
          sessionId: idOf(account),
          audience: expect.any(String) as string,
          scopes: ["identity", "manage"],
          manages: "account",
          lastUsedAt: TIME,
          current: true,
        },
        {
          ...common,
          sessionId: idOf(bound),
          audience: answer.body.sessions[0].audience,
          scopes: ["identity", "manage"],
          manages: "agent",
          lastUsedAt: null,
          current: false,
        },
        {
          ...common,
          sessionId: idOf(elsewhere),
          audience: "https://shop.example",
          scopes: ["identity"],
          manages: null,
          lastUsedAt: null,
          current: false,
        },
      ],
      nextCursor: null,
    });
    const text = JSON.stringify(answer.body);
    for (const token of [elsewhere, bound, account]) expect(text).not.toContain(token);
    const [{ createdAt, expiresAt }] = answer.body.sessions;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3_600_000);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("records the last use of a session, by its holder and by a relying party", async () => {
    const { agent, elsewhere, bound, account } = await ownerOfTwo();
    expect(await statusWith(bound)).toBe(200);
    await service.post("/api/v1/auth/token/introspect", { token: elsewhere });
    const { sessions } = (await list(agent.tokenId, account)).body;
    const used = sessions.map((one: { lastUsedAt: string | null }) => one.lastUsedAt);
    expect(used).toEqual([TIME, TIME, TIME]);
  });

  it("goes through pages", async () => {
    const { agent, elsewhere, bound, account } = await ownerOfTwo();
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const { body } = await list(agent.tokenId, account, `&limit=1${cursor}`);
      seen.push(...body.sessions.map(({ sessionId }: { sessionId: string }) => sessionId));
      cursor = `&cursor=${body.nextCursor}`;
      expect(body.nextCursor === null).toBe(page === 2);
    }
    expect(seen).toEqual([account, bound, elsewhere].map(idOf));
    expect(refused(await list(agent.tokenId, account, "&limit=101"))).toEqual([
      400,
      "INVALID_REQUEST",
    ]);
  });

  it("is refused to keys, to other owners and for other agents", async () => {
    const { agent, sibling, bound } = await ownerOfTwo();
    const { tokenId } = agent;
    const stranger = await newAgent(service);
    const foreign = await signIn(stranger.owner, { scope: ["manage"] });
    expect(refused(await list(tokenId, agent.apiKey))).toEqual([403, "FORBIDDEN"]);
    expect(refused(await list(tokenId, foreign))).toEqual([403, "FORBIDDEN"]);
    expect(refused(await list(sibling.tokenId, bound))).toEqual([403, "FORBIDDEN"]);
    expect(refused(await service.get(`/v1/sessions?tokenId=${tokenId}`))).toEqual([
      401,
      "UNAUTHORIZED",
    ]);
  });

  it("shows the buyer of a passport no session of its seller", async () => {
    const { agent } = await ownerOfTwo();
    const { body } = await service.get(`/v1/soul-validity/${agent.tokenId}`);
    expect(body.valid).toBe(true);
    const buyer = newAccount();
    await Promise.all([agent.owner, buyer].map(({ address }) => service.chain.fund(address)));
    await service.chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer.address);
    const token = await signIn(buyer, { scope: ["manage"] });
    expect(refused(await list(agent.tokenId, token))).toEqual([409, "SUSPENDED"]);
  });
});

describe("DELETE /v1/sessions/:sessionId", () => {
  it("ends one session at once, and no other", async () => {
    const { agent, bound, account } = await ownerOfTwo();
    expect((await end(idOf(bound), account)).status).toBe(204);
    expect((await end(idOf(bound), account)).status).toBe(204);
    expect([await statusWith(bound), await statusWith(account)]).toEqual([401, 200]);
    const { body } = await service.post("/api/v1/auth/token/introspect", { token: bound });
    expect(body).toEqual({ active: false });
    const ids = (await list(agent.tokenId, account)).body.sessions.map(
      ({ sessionId }: { sessionId: string }) => sessionId,
    );
    expect(ids).not.toContain(idOf(bound));
  });

  it("does not find sessions of other accounts, and of agents that the caller does not manage", async () => {
    const { bound, ofSibling, account } = await ownerOfTwo();
    const stranger = await newAgent(service);
    const foreign = await signIn(stranger.owner, { scope: ["manage"] });
    const unknown = await end(randomUUID(), account);
    expect(refused(unknown)).toEqual([404, "NOT_FOUND"]);
    expect(unknown.body.error.message).toBe("Your account has no session with this id.");
    expect(refused(await end(idOf(bound), foreign))).toEqual([404, "NOT_FOUND"]);
    expect(refused(await end(idOf(ofSibling), bound))).toEqual([404, "NOT_FOUND"]);
    expect([await statusWith(bound), await statusWith(ofSibling)]).toEqual([200, 200]);
  });
});

describe("GET /v1/keys", () => {
  it("has the last use of each key, and pages", async () => {
    const { agent, account } = await ownerOfTwo();
    const { tokenId } = agent;
    const grace = { tokenId, graceSeconds: 600 };
    const rotated = await service.post("/v1/keys/rotate", grace, bearer(account));
    const keys = async (rest = "") =>
      (await service.request(`/v1/keys?tokenId=${tokenId}${rest}`, { headers: bearer(account) }))
        .body;
    const lastUses = (body: { keys: { lastUsedAt: string | null }[] }) =>
      body.keys.map(({ lastUsedAt }) => lastUsedAt);
    expect(lastUses(await keys())).toEqual([null, null]);
    expect(await statusWith(agent.apiKey)).toBe(200);
    expect(lastUses(await keys())).toEqual([null, TIME]);
    const verified = await service.post("/api/v1/auth/verify-key", {
      apiKey: rotated.body.apiKey,
    });
    expect(verified.body.valid).toBe(true);
    expect(lastUses(await keys())).toEqual([TIME, TIME]);

    const first = await keys("&limit=1");
    expect(first.keys.map(({ keyId }: { keyId: string }) => keyId)).toEqual([rotated.body.keyId]);
    const second = await keys(`&limit=1&cursor=${first.nextCursor}`);
    expect([second.keys.length, second.nextCursor]).toEqual([1, null]);
    expect(second.keys[0].keyId).not.toBe(rotated.body.keyId);
  });
});

describe("the lists of sessions and keys", () => {
  it("take one signature of the owner, also the end of a session and of a key", async () => {
    const agent = await newAgent(service);
    const { owner, passportId, tokenId, apiKey } = agent;
    const elsewhere = await signIn(owner, { agentId: passportId });
    expect(await statusWith(apiKey)).toBe(200);
    let signatures = 0;
    const counting = {
      ...owner,
      signMessage: (given: Parameters<LocalAccount["signMessage"]>[0]) => {
        signatures += 1;
        return owner.signMessage(given);
      },
    } as LocalAccount;
    const token = await signIn(counting, { agentId: passportId, scope: ["manage"] });
    const sessions = (await list(tokenId, token)).body.sessions as { sessionId: string }[];
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([idOf(token), idOf(elsewhere)]);
    const { body } = await service.request(`/v1/keys?tokenId=${tokenId}`, {
      headers: bearer(token),
    });
    const keys = body.keys as { keyId: string; lastUsedAt: string | null }[];
    expect(keys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([TIME]);
    expect((await end(idOf(elsewhere), token)).status).toBe(204);
    const ended = await service.request(`/v1/keys/${keys[0]?.keyId}`, {
      method: "DELETE",
      headers: bearer(token),
    });
    expect([ended.status, await statusWith(elsewhere), await statusWith(apiKey)]).toEqual([
      204, 401, 401,
    ]);
    expect(signatures).toBe(1);
  });
});
