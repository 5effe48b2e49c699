import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONSOLE_HEADER } from "../../api/platform/http/console/cookie.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import {
  ownPage,
  type SignedInConsole,
  signInToConsole,
  verifyConsole,
} from "../fixtures/console.ts";
import { everythingStored } from "../fixtures/everything-stored.ts";
import { idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The console's cookie on the running API: who gets it, what it permits, and how it ends.

let service: Service;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await newAgent(service);
});
afterAll(() => service?.stop());

const FORBIDDEN = { status: 403, type: "FORBIDDEN", details: {} };
const UNAUTHORIZED = { status: 401, type: "UNAUTHORIZED", details: {} };

const keysOf = ({ tokenId }: TestAgent) => `/v1/keys?tokenId=${tokenId}`;
const rotate = (of: TestAgent, headers: Readonly<Record<string, string>>) =>
  service.post(
    "/v1/keys/rotate",
    { tokenId: of.tokenId },
    { "idempotency-key": idempotencyKey(), ...headers },
  );
const keyCount = async ({ tokenId }: TestAgent) =>
  (await service.pool.query("select 1 from app.api_key where token_id = $1", [tokenId])).rowCount;
const without = (name: string, { headers }: SignedInConsole) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

describe("a sign-in to the console", () => {
  it("sets a cookie that no script reads and no other site sends, for eight hours", async () => {
    const before = Date.now();
    const signedIn = await signInToConsole(service, agent.owner);
    expect(signedIn.setCookie).toMatch(
      /^svc-console=[A-Za-z0-9_-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const hours = (Date.parse(signedIn.expiresAt) - before) / 3_600_000;
    expect(Math.round(hours * 100) / 100).toBe(8);
  });

  it("says what it permits in the message that is signed, and stores only hashes", async () => {
    const { body } = await service.post("/api/v1/auth/account/challenge", {
      address: agent.owner.address,
    });
    const { host } = new URL(service.url);
    expect(body.message).toContain(
      `Sign in to the console of ${host} and manage every agent of this account. For eight hours, this browser can change API keys, webhooks, profile and records.`,
    );
    const { cookie, token } = await signInToConsole(service, agent.owner);
    const secret = cookie.slice("svc-console=".length);
    const stored = await everythingStored(service.pool);
    expect(stored).toContain(createHash("sha256").update(secret).digest("hex"));
    for (const hidden of [secret, token]) {
      expect(stored).not.toContain(hidden);
      expect((await service.logLines()).join("\n")).not.toContain(hidden);
    }
  });

  it("needs no passport", async () => {
    const { headers } = await signInToConsole(service, newAccount());
    const listed = await service.request("/v1/org/invitations", { headers });
    expect([listed.status, listed.body.invitations]).toEqual([200, []]);
  });

  it("takes each signed message once, of the account that it names, in this flow alone", async () => {
    const auth = "/api/v1/auth";
    const { owner } = agent;
    const { body } = await service.post(`${auth}/account/challenge`, { address: owner.address });
    const { nonce, message } = body;
    const signed = { nonce, message, signature: await owner.signMessage({ message }) };
    const stranger = { ...signed, signature: await newAccount().signMessage({ message }) };
    const verify = (path: string, value: object) =>
      service.post(`${auth}${path}`, value, ownPage(service));
    expect(refusal(await verify("/account/verify", stranger)).type).toBe("INVALID_SIGNATURE");
    for (const path of ["/verify", "/agent/verify"]) {
      expect(refusal(await verify(path, signed)).type).toBe("NONCE_EXPIRED");
    }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => verify("/account/verify", signed)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map((answer) => refusal(answer).type)).toEqual([
      "NONCE_USED",
      "NONCE_USED",
      "NONCE_USED",
    ]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);

    const wallet = await service.post(`${auth}/challenge`, {
      address: owner.address,
      scope: ["manage"],
    });
    const { nonce: other, message: text } = wallet.body;
    const signature = await owner.signMessage({ message: text });
    const crossed = await verify("/account/verify", { nonce: other, message: text, signature });
    expect(refusal(crossed).type).toBe("NONCE_EXPIRED");
    expect(crossed.headers.get("set-cookie")).toBeNull();
  });

  it("is refused to pages of other origins, which would choose who is signed in", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await verifyConsole(service, agent.owner, headers);
      expect([headers, refusal(answer)]).toEqual([headers, FORBIDDEN]);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    const { body } = await service.post("/api/v1/auth/account/challenge", {
      address: agent.owner.address,
    });
    const { nonce, message } = body;
    const signature = await agent.owner.signMessage({ message });
    const nameless = await service.post("/api/v1/auth/account/verify", {
      nonce,
      message,
      signature,
    });
    expect(refusal(nameless)).toEqual(FORBIDDEN);
  });

  it("takes no secret that a browser brings, and ends the session that it replaces", async () => {
    const planted = `svc-console=${"A".repeat(43)}`;
    const first = await signInToConsole(service, agent.owner, { cookie: planted });
    expect(first.cookie).not.toBe(planted);
    const asPlanted = { ...first.headers, cookie: planted };
    expect(refusal(await service.request(keysOf(agent), { headers: asPlanted }))).toEqual(
      FORBIDDEN,
    );
    const second = await signInToConsole(service, agent.owner, { cookie: first.cookie });
    const ended = await service.request(keysOf(agent), { headers: first.headers });
    expect(refusal(ended)).toEqual(UNAUTHORIZED);
    const { status } = await service.request(keysOf(agent), { headers: second.headers });
    expect(status).toBe(200);
  });
});

describe("the console's cookie", () => {
  it("acts as the owner's session, for every agent of the account", async () => {
    const { headers } = await signInToConsole(service, agent.owner);
    const rotated = await rotate(agent, headers);
    expect([rotated.status, rotated.body.apiKey]).toEqual([
      200,
      expect.stringMatching(/^svc_live_/),
    ]);
    const { body } = await service.request(`/v1/sessions?tokenId=${agent.tokenId}`, { headers });
    const [current] = body.sessions.filter((one: { current: boolean }) => one.current);
    expect(current).toMatchObject({
      erc8004AgentId: null,
      manages: "account",
      scopes: ["manage"],
      audience: new URL(service.url).host,
    });
  });

  it("alone permits nothing: a form or script of another site cannot act", async () => {
    const signedIn = await signInToConsole(service, agent.owner);
    const before = await keyCount(agent);
    const { token } = signedIn;
    const attacks: readonly (readonly [Record<string, string>, object])[] = [
      [without(CONSOLE_HEADER, signedIn), UNAUTHORIZED],
      [{ ...without(CONSOLE_HEADER, signedIn), origin: "https://evil.example" }, UNAUTHORIZED],
      [{ ...signedIn.headers, origin: "https://evil.example" }, FORBIDDEN],
      [{ ...signedIn.headers, origin: "null" }, FORBIDDEN],
      [without("origin", signedIn), FORBIDDEN],
      [{ ...signedIn.headers, "sec-fetch-site": "same-site" }, FORBIDDEN],
      [{ ...signedIn.headers, "sec-fetch-site": "none" }, FORBIDDEN],
      [{ ...signedIn.headers, [CONSOLE_HEADER]: "" }, FORBIDDEN],
      [{ ...signedIn.headers, [CONSOLE_HEADER]: `${token.slice(0, -1)}_` }, FORBIDDEN],
      [without("cookie", signedIn), UNAUTHORIZED],
    ];
    for (const [headers, refused] of attacks) {
      expect([headers, refusal(await rotate(agent, headers))]).toEqual([headers, refused]);
    }
    const typed = await service.request("/v1/keys/rotate", {
      method: "POST",
      headers: { ...without(CONSOLE_HEADER, signedIn), "content-type": "text/plain" },
      body: JSON.stringify({ tokenId: agent.tokenId }),
    });
    expect(refusal(typed)).toEqual(UNAUTHORIZED);
    expect(await keyCount(agent)).toBe(before);
  });

  it("reads nothing for a request of another site, and no preflight admits its header", async () => {
    const signedIn = await signInToConsole(service, agent.owner);
    const foreign = { ...signedIn.headers, origin: "https://evil.example" };
    expect(refusal(await service.request(keysOf(agent), { headers: foreign }))).toEqual(FORBIDDEN);
    const bare = without(CONSOLE_HEADER, signedIn);
    expect(refusal(await service.request(keysOf(agent), { headers: bare }))).toEqual(UNAUTHORIZED);
    const preflight = await service.request(keysOf(agent), {
      method: "OPTIONS",
      headers: {
        origin: "https://evil.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": CONSOLE_HEADER,
      },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).not.toContain(
      CONSOLE_HEADER.toLowerCase(),
    );
  });

  it("is ignored where an owner signs, and beside another credential", async () => {
    const signedIn = await signInToConsole(service, agent.owner);
    const unsigned = await service.request(`/v1/allowance/${agent.tokenId}`, {
      method: "DELETE",
      headers: signedIn.headers,
    });
    expect(refusal(unsigned).type).toBe("WALLET_SIGNATURE_REQUIRED");
    const other = await newAgent(service);
    const { accessToken } = await ownerSession(service, other.owner);
    const both = { ...signedIn.headers, ...bearer(accessToken) };
    expect(refusal(await rotate(agent, both))).toEqual(FORBIDDEN);
    expect((await rotate(other, both)).status).toBe(200);
  });

  it("loses a sold agent at once, and keeps the others", async () => {
    const { owner } = await newAgent(service);
    const register = async () => {
      const { body } = (await service.register(`console-${idempotencyKey().slice(0, 8)}`, owner))
        .answer;
      return {
        owner,
        name: body.agentName as string,
        tokenId: body.tokenId as number,
        passportId: body.erc8004AgentId as number,
        apiKey: body.apiKey as string,
      };
    };
    const [sold, kept] = [await register(), await register()];
    const { headers } = await signInToConsole(service, owner);
    expect((await rotate(sold, headers)).status).toBe(200);
    await service.chain.fund(owner.address);
    await service.chain.transferPassport(BigInt(sold.passportId), owner, newAccount().address);
    const before = await keyCount(sold);
    expect(refusal(await rotate(sold, headers))).toEqual(FORBIDDEN);
    for (const path of ["keys", "sessions", "webhooks"]) {
      const read = await service.request(`/v1/${path}?tokenId=${sold.tokenId}`, { headers });
      expect([path, refusal(read)]).toEqual([path, FORBIDDEN]);
    }
    expect(await keyCount(sold)).toBe(before);
    expect((await rotate(kept, headers)).status).toBe(200);
  });
});

describe("the console's session ends", () => {
  const reads = async ({ headers }: SignedInConsole, of = agent) =>
    (await service.request(keysOf(of), { headers })).status;

  it("by signing out: the cookie is forgotten, and a copy of it is refused", async () => {
    const [one, other] = [
      await signInToConsole(service, agent.owner),
      await signInToConsole(service, agent.owner),
    ];
    const out = await service.request("/v1/sessions", { method: "DELETE", headers: one.headers });
    expect([out.status, out.headers.get("set-cookie")]).toEqual([
      204,
      "svc-console=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
    ]);
    expect([await reads(one), await reads(other)]).toEqual([401, 200]);
  });

  it("not by a request of another site", async () => {
    const signedIn = await signInToConsole(service, agent.owner);
    for (const headers of [
      without(CONSOLE_HEADER, signedIn),
      { ...signedIn.headers, origin: "https://evil.example" },
    ]) {
      const { status } = await service.request("/v1/sessions", { method: "DELETE", headers });
      expect([401, 403]).toContain(status);
    }
    expect(await reads(signedIn)).toBe(200);
  });

  it("everywhere, with every token of the account and every challenge", async () => {
    const { owner } = agent;
    const [one, other] = [
      await signInToConsole(service, owner),
      await signInToConsole(service, owner),
    ];
    const { accessToken } = await ownerSession(service, owner);
    const { body } = await service.post("/api/v1/auth/account/challenge", {
      address: owner.address,
    });
    const { nonce, message } = body;
    const out = await service.request("/v1/sessions?everywhere=true", {
      method: "DELETE",
      headers: one.headers,
    });
    expect(out.status).toBe(204);
    expect([await reads(one), await reads(other)]).toEqual([401, 401]);
    const byToken = await service.request(keysOf(agent), { headers: bearer(accessToken) });
    expect(refusal(byToken)).toEqual(UNAUTHORIZED);
    const signature = await owner.signMessage({ message });
    const late = await service.post(
      "/api/v1/auth/account/verify",
      { nonce, message, signature },
      ownPage(service),
    );
    expect(refusal(late).type).toBe("NONCE_USED");
  });

  it("from the list of sessions, and with an emergency stop of any of its agents", async () => {
    const stopped = await newAgent(service);
    const [one, other] = [
      await signInToConsole(service, stopped.owner),
      await signInToConsole(service, stopped.owner),
    ];
    const { body } = await service.request(`/v1/sessions?tokenId=${stopped.tokenId}`, {
      headers: one.headers,
    });
    const { sessionId } = body.sessions.find((is: { current: boolean }) => !is.current);
    const ended = await service.request(`/v1/sessions/${sessionId}`, {
      method: "DELETE",
      headers: one.headers,
    });
    expect(ended.status).toBe(204);
    expect([await reads(one, stopped), await reads(other, stopped)]).toEqual([200, 401]);
    const stop = await service.post(
      `/v1/emergency-stop/${stopped.tokenId}`,
      { tokenId: stopped.tokenId },
      { ...one.headers, "idempotency-key": idempotencyKey() },
    );
    expect(stop.status).toBe(200);
    expect(await reads(one, stopped)).toBe(401);
  });

  it("after eight hours, whether it is used or not", async () => {
    const signedIn = await signInToConsole(service, agent.owner);
    expect(await reads(signedIn)).toBe(200);
    await service.pool.query(
      "update app.session set expires_at = now() - interval '1 second' where id in (select session_id from app.console_cookie where secret_hash = $1)",
      [createHash("sha256").update(signedIn.cookie.slice("svc-console=".length)).digest()],
    );
    const late = await service.request(keysOf(agent), { headers: signedIn.headers });
    expect(refusal(late)).toEqual(UNAUTHORIZED);
    expect(late.body.error.message).toBe("You are signed out. Sign in to the console.");
  });
});
