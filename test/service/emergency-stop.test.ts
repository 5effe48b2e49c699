import { randomBytes } from "node:crypto";
import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, ownerSession, signedInOwner } from "../fixtures/agents.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { type OwnedAgent, ownerSigned } from "../fixtures/owner-signed.ts";
import { idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The emergency stop over HTTP: real contracts, the real index, real Postgres.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
beforeAll(async () => {
  service = await sharedService();
  world = ownerSigned(service);
  receiver = await startOpenReceiver(service);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as string;
const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string;
const refused = ({ status, body }: Answer) => [status, body.error?.type];

const stop = (agent: Pick<OwnedAgent, "tokenId">, body: object, headers = {}) =>
  world.send("POST", `/v1/emergency-stop/${agent.tokenId}`, body, headers);
const signedStop = (agent: OwnedAgent, key = agent.owner, change: object = {}) =>
  world.signed("emergency-stop", { tokenId: agent.tokenId }, key, change);

async function allow(agent: OwnedAgent): Promise<void> {
  const limits = { tokenId: agent.tokenId, perTransaction: 1_000_000, dailyLimit: 2_000_000 };
  const body = await world.signed("allowance", limits, agent.owner);
  const { status } = await world.send("POST", `/v1/allowance/${agent.tokenId}`, body);
  expect(status).toBe(200);
}

const isAllowed = async ({ tokenId }: OwnedAgent) => {
  const { active } = await service.chain.client.readContract({
    address: service.chain.contracts.allowanceVault,
    abi: allowanceVaultAbi,
    functionName: "allowanceOf",
    args: [BigInt(tokenId)],
  });
  return active;
};

const tokenIn = async (owner: LocalAccount, options: object) =>
  (await signedInOwner(service, owner, options)).accessToken;
const isActive = async (token: string) =>
  (await service.post("/api/v1/auth/token/introspect", { token })).body.active as boolean;
const statusWith = async (credential: string) =>
  (await service.request("/v1/status", { headers: bearer(credential) })).status;

/** An agent with everything that a stop ends. */
async function busyAgent({ allowance }: { readonly allowance: boolean }) {
  const agent = await world.newAgent();
  const { owner, tokenId, passportId } = agent;
  const session = (await ownerSession(service, owner)).accessToken;
  const rotated = await service.post(
    "/v1/keys/rotate",
    { tokenId, graceSeconds: 600 },
    bearer(session),
  );
  const relying = { agentId: Number(passportId), audience: "https://shop.example" };
  const elsewhere = await tokenIn(owner, relying);
  await receiver.subscribe(agent, ["chronicle.recorded"]);
  if (allowance) await allow(agent);
  const keys = [agent.apiKey, rotated.body.apiKey as string];
  return { ...agent, keys, session, elsewhere };
}

const liveWebhooks = async ({ tokenId }: OwnedAgent) => {
  const { rowCount } = await service.pool.query(
    "select from app.webhook where token_id = $1 and ended_at is null",
    [tokenId],
  );
  return rowCount;
};

async function assertNothingWorks(agent: Awaited<ReturnType<typeof busyAgent>>) {
  const statuses = await Promise.all([...agent.keys, agent.session].map(statusWith));
  expect(statuses).toEqual([401, 401, 401]);
  expect([await isActive(agent.session), await isActive(agent.elsewhere)]).toEqual([false, false]);
  expect(await liveWebhooks(agent)).toBe(0);
}

/** What a refused stop leaves as it was. */
async function assertEverythingWorks(agent: Awaited<ReturnType<typeof busyAgent>>) {
  const statuses = await Promise.all([...agent.keys, agent.session].map(statusWith));
  expect(statuses).toEqual([200, 200, 200]);
  expect(await isActive(agent.elsewhere)).toBe(true);
  expect(await liveWebhooks(agent)).toBe(1);
}

const ENDED = { apiKeys: 2, sessions: 2, webhooks: 1 };

describe("POST /v1/emergency-stop/:tokenId", () => {
  it("ends keys, sessions, webhooks and the allowance with one signature of the owner", async () => {
    const agent = await busyAgent({ allowance: true });
    const body = await signedStop(agent);
    expect(Object.keys(body.message).sort()).toEqual([
      "deadline",
      "epoch",
      "nonce",
      "tokenId",
      "version",
    ]);
    const answer = await stop(agent, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      tokenId: agent.tokenId,
      erc8004AgentId: Number(agent.passportId),
      agentName: agent.name,
      stoppedAt: TIME,
      ended: ENDED,
      allowance: { status: "ended", deactivatedAt: TIME, txHash: HASH, typedData: null },
    });
    await assertNothingWorks(agent);
    expect(await isAllowed(agent)).toBe(false);
    // The same signed request has the same answer, and ends nothing that came after it.
    const again = (await ownerSession(service, agent.owner)).accessToken;
    expect((await stop(agent, body)).body).toEqual(answer.body);
    expect(await statusWith(again)).toBe(200);
    const rotated = await service.post(
      "/v1/keys/rotate",
      { tokenId: agent.tokenId },
      bearer(again),
    );
    expect(await statusWith(rotated.body.apiKey)).toBe(200);
  });

  it("needs no transaction for an agent without an allowance, and answers a repetition the same", async () => {
    const agent = await busyAgent({ allowance: false });
    const body = await signedStop(agent);
    expect(Object.keys(body.message).sort()).toEqual(["deadline", "epoch", "nonce", "tokenId"]);
    const answer = await stop(agent, body);
    expect(answer.body).toStrictEqual({
      tokenId: agent.tokenId,
      erc8004AgentId: Number(agent.passportId),
      agentName: agent.name,
      stoppedAt: TIME,
      ended: ENDED,
      allowance: { status: "none", deactivatedAt: null, txHash: null, typedData: null },
    });
    await assertNothingWorks(agent);
    const again = (await ownerSession(service, agent.owner)).accessToken;
    expect((await stop(agent, body)).body).toEqual(answer.body);
    // It ends nothing that came after it, and its signature does nothing else.
    expect(await statusWith(again)).toBe(200);
    const other = await world.newAgent(agent.owner);
    const elsewhere = await stop(other, { ...body, tokenId: other.tokenId });
    expect(refused(elsewhere)).toEqual([401, "NONCE_USED"]);
    expect(elsewhere.body.error.message).toBe(
      "This signature was already submitted with another request.",
    );
    const { signature } = await signedStop(other, newAccount());
    expect(refused(await stop(agent, { ...body, signature }))).toEqual([401, "INVALID_SIGNATURE"]);
  });

  it("answers a stop without an allowance that arrives 5 times at once alike", async () => {
    const agent = await busyAgent({ allowance: false });
    const body = await signedStop(agent);
    const answers = await Promise.all(Array.from({ length: 5 }, () => stop(agent, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { body: each } of answers) expect(each).toEqual(answers[0]?.body);
    expect(answers[0]?.body.ended).toEqual(ENDED);
  });

  it("ends all but the allowance with a session, and returns what the owner signs for that", async () => {
    const agent = await busyAgent({ allowance: true });
    const { tokenId } = agent;
    const answer = await stop(agent, { tokenId }, bearer(agent.session));
    expect(answer.status).toBe(200);
    const { typedData } = answer.body.allowance;
    expect(answer.body).toStrictEqual({
      tokenId,
      erc8004AgentId: Number(agent.passportId),
      agentName: agent.name,
      stoppedAt: TIME,
      ended: ENDED,
      allowance: { status: "signature_required", deactivatedAt: null, txHash: null, typedData },
    });
    await assertNothingWorks(agent);
    expect(await isAllowed(agent)).toBe(true);
    const signature = await agent.owner.signTypedData(typedData);
    const ended = await world.send("DELETE", `/v1/allowance/${tokenId}`, {
      tokenId,
      message: typedData.message,
      signature,
      signer: agent.owner.address,
    });
    expect(ended.status).toBe(200);
    expect(await isAllowed(agent)).toBe(false);
  });

  it("ends the session of a code that is redeemed afterwards", async () => {
    const agent = await busyAgent({ allowance: false });
    const { address } = agent.owner;
    const auth = "/api/v1/auth";
    const challenge = await service.post(`${auth}/challenge`, { address, scope: ["manage"] });
    const { nonce, message } = challenge.body;
    const signature = await agent.owner.signMessage({ message });
    const { body } = await service.post(`${auth}/verify`, { nonce, message, signature });
    expect((await stop(agent, await signedStop(agent))).body.ended.sessions).toBe(3);
    const token = await service.post(`${auth}/token`, { code: body.code });
    expect(token.status).toBe(200);
    expect([
      await statusWith(token.body.accessToken),
      await isActive(token.body.accessToken),
    ]).toEqual([401, false]);
  });

  it("refuses a sign-in whose challenge was signed before it", async () => {
    const agent = await busyAgent({ allowance: false });
    const { address } = agent.owner;
    const auth = "/api/v1/auth";
    const challenge = await service.post(`${auth}/challenge`, { address, scope: ["manage"] });
    const { nonce, message } = challenge.body;
    const signature = await agent.owner.signMessage({ message });
    expect((await stop(agent, await signedStop(agent))).status).toBe(200);
    const late = await service.post(`${auth}/verify`, { nonce, message, signature });
    expect(refused(late)).toEqual([401, "NONCE_USED"]);
    expect((await signedInOwner(service, agent.owner, {})).accessToken).toEqual(expect.any(String));
  });

  it("ends all but the allowance when the day's gas is used up, once for a signature", async () => {
    const agent = await busyAgent({ allowance: true });
    const body = await signedStop(agent);
    const used = (change: string) =>
      service.pool.query(`update app.gas_budget set gas = gas ${change} (2::bigint ^ 61)::bigint`);
    await used("+");
    let answer: Answer;
    try {
      answer = await stop(agent, body);
      await assertNothingWorks(agent);
      // What the owner makes afterwards is not ended by the same signature.
      const again = (await ownerSession(service, agent.owner)).accessToken;
      expect((await stop(agent, body)).body.stoppedAt).toBe(answer.body.stoppedAt);
      expect(await statusWith(again)).toBe(200);
    } finally {
      await used("-");
    }
    const { typedData } = answer.body.allowance;
    expect(answer.body).toStrictEqual({
      tokenId: agent.tokenId,
      erc8004AgentId: Number(agent.passportId),
      agentName: agent.name,
      stoppedAt: TIME,
      ended: ENDED,
      allowance: { status: "signature_required", deactivatedAt: null, txHash: null, typedData },
    });
    expect(typedData.primaryType).toBe("DeactivateAllowance");
    expect(await isAllowed(agent)).toBe(true);
  });

  it("leaves the sessions and keys of other agents of the same owner", async () => {
    const agent = await busyAgent({ allowance: false });
    const sibling = await world.newAgent(agent.owner);
    const bound = await tokenIn(agent.owner, {
      scope: ["manage"],
      agentId: Number(sibling.passportId),
    });
    expect((await stop(agent, await signedStop(agent))).status).toBe(200);
    expect([await statusWith(bound), await statusWith(sibling.apiKey)]).toEqual([200, 200]);
  });

  it("is refused to every credential but the owner's, and changes nothing", async () => {
    const agent = await busyAgent({ allowance: true });
    const { tokenId, owner } = agent;
    const other = await world.newAgent();
    const stranger = (await ownerSession(service, other.owner)).accessToken;
    const anonymous = await stop(agent, { tokenId });
    expect(refused(anonymous)).toEqual([403, "WALLET_SIGNATURE_REQUIRED"]);
    expect(anonymous.body.error.details.typedData).toBe("/v1/typed-data/emergency-stop");
    const cases: [string, string][] = [
      [agent.apiKey, "FORBIDDEN"],
      [await world.provisionalKey(), "FORBIDDEN"],
      [stranger, "FORBIDDEN"],
      [await tokenIn(owner, {}), "MANAGE_SCOPE_REQUIRED"],
    ];
    for (const [credential, type] of cases) {
      const answer = await stop(agent, { tokenId }, bearer(credential));
      expect(refused(answer)).toEqual([403, type]);
    }
    const body = await signedStop(agent);
    const forged = await signedStop(agent, other.owner);
    expect(refused(await stop(agent, forged))).toEqual([403, "NOT_OWNER"]);
    const asOwner = { ...forged, signer: owner.address };
    expect(refused(await stop(agent, asOwner))).toEqual([401, "INVALID_SIGNATURE"]);
    expect(refused(await stop(other, body))).toEqual([400, "INVALID_REQUEST"]);
    const late = await signedStop(agent, owner, { deadline: "1" });
    expect(refused(await stop(agent, late))).toEqual([401, "NONCE_EXPIRED"]);
    const { signer: _signer, ...incomplete } = body;
    expect(refused(await stop(agent, incomplete))).toEqual([400, "INVALID_REQUEST"]);
    await assertEverythingWorks(agent);
    expect(await isAllowed(agent)).toBe(true);
  });

  it("does not take a signature that was given to end the allowance alone", async () => {
    const agent = await busyAgent({ allowance: true });
    const end = await world.signed("allowance-end", { tokenId: agent.tokenId }, agent.owner);
    const answer = await stop(agent, end);
    expect(refused(answer)).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.body.error.details.issues).toEqual([
      {
        path: "message.nonce",
        message: "Sign what POST /v1/typed-data/emergency-stop returns, unchanged",
      },
    ]);
    await assertEverythingWorks(agent);
  });

  it("is refused while the passport is sold, to both parties", async () => {
    const agent = await busyAgent({ allowance: false });
    const body = await signedStop(agent);
    const buyer = newAccount();
    await Promise.all([agent.owner, buyer].map(({ address }) => service.chain.fund(address)));
    await service.chain.transferPassport(agent.passportId, agent.owner, buyer.address);
    expect(refused(await stop(agent, body))).toEqual([409, "SUSPENDED"]);
    const prepared = await service.post("/v1/typed-data/emergency-stop", {
      tokenId: agent.tokenId,
    });
    expect(refused(prepared)).toEqual([409, "SUSPENDED"]);
  });

  it("answers the same to the same Idempotency-Key and ends once at parallel requests", async () => {
    const agent = await busyAgent({ allowance: true });
    const bodies = await Promise.all([signedStop(agent), signedStop(agent)]);
    const key = { "Idempotency-Key": idempotencyKey() };
    const answers = await Promise.all(bodies.map((body) => stop(agent, body)));
    const [done] = answers.filter(({ status }) => status === 200);
    expect(done?.body.allowance.status).toBe("ended");
    const { rows } = await service.pool.query(
      "select sum(api_keys)::int as keys, sum(webhooks)::int as webhooks from app.emergency_stop where token_id = $1",
      [agent.tokenId],
    );
    expect(rows).toEqual([{ keys: 2, webhooks: 1 }]);
    const last = await signedStop(agent);
    const first = await stop(agent, last, key);
    expect((await stop(agent, last, key)).body).toEqual(first.body);
    await assertNothingWorks(agent);
  });

  it("names an agent that does not exist", async () => {
    const unknownAgent = { tokenId: 999_999 };
    const prepared = await service.post("/v1/typed-data/emergency-stop", unknownAgent);
    expect(refused(prepared)).toEqual([404, "NOT_FOUND"]);
    const { accessToken } = await ownerSession(service, (await world.newAgent()).owner);
    expect(refused(await stop(unknownAgent, unknownAgent, bearer(accessToken)))).toEqual([
      404,
      "NOT_FOUND",
    ]);
    const nonce = BigInt(`0x${randomBytes(32).toString("hex")}`).toString();
    const message = { tokenId: "999999", epoch: 1, nonce, deadline: "99999999999" };
    const unknown = { message, signature: `0x${"11".repeat(65)}`, signer: newAccount().address };
    expect(refused(await stop(unknownAgent, unknown))).toEqual([404, "NOT_FOUND"]);
  });
});
