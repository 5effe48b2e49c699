import type { LocalAccount } from "viem";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, ownerSession } from "../fixtures/agents.ts";
import { handoverVerbs } from "../fixtures/handovers.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// What a sale of the passport does to everything that is under way, and to what its seller granted
// when the passport comes back.

const SOON = { timeout: 45_000, interval: 250 };
const PAYMENT = 1_000_000n;

let service: Service;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let world: ReturnType<typeof organizationVerbs>;
let handovers: ReturnType<typeof handoverVerbs>;

beforeAll(async () => {
  service = await sharedService();
  receiver = await startOpenReceiver(service);
  world = organizationVerbs(service);
  handovers = handoverVerbs(service);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const refused = ({ status, body }: Answer) => [status, body.error?.type];
const achievement = (tokenId: number, apiKey: string, title = "Counted the herons") =>
  service.post(
    "/v1/chronicle",
    { tokenId, category: "achievement", data: { title } },
    bearer(apiKey),
  );
const isActive = async (token: string) =>
  (await service.post("/api/v1/auth/token/introspect", { token })).body.active as boolean;

/** Whether the vault would pay, in that block. */
const canSpend = async (tokenId: number, blockNumber?: bigint) => {
  const [allowed] = await service.chain.client.readContract({
    address: service.chain.contracts.allowanceVault,
    abi: allowanceVaultAbi,
    functionName: "canSpend",
    args: [BigInt(tokenId), PAYMENT],
    ...(blockNumber === undefined ? {} : { blockNumber }),
  });
  return allowed;
};

/** An agent with a key, a session, an allowance, a webhook, and an invitation that waits. */
async function busyAgent() {
  const agent = await world.newAgent();
  const { owner, tokenId, apiKey } = agent;
  const admin = (await world.newAgent()).owner;
  const organizationId = await world.found(admin);
  const session = (await ownerSession(service, owner)).accessToken;
  const limits = { tokenId, perTransaction: Number(PAYMENT), dailyLimit: 5 * Number(PAYMENT) };
  const allowance = await world.signed("allowance", limits, owner);
  expect((await world.send("POST", `/v1/allowance/${tokenId}`, allowance)).status).toBe(200);
  const hook = await receiver.subscribe(agent, ["chronicle.recorded", "passport.transferred"]);
  const invited = await world.join(organizationId, tokenId, owner);
  expect(invited.status).toBe(202);
  const consent = await world.signedAs(
    "org-member",
    { organizationId, tokenId, role: "admin" },
    admin,
  );
  const passportId = Number(agent.passportId);
  return {
    ...agent,
    passportId,
    apiKey,
    admin,
    organizationId,
    session,
    hook,
    invitationId: invited.body.invitationId as string,
    consent,
  };
}
type BusyAgent = Awaited<ReturnType<typeof busyAgent>>;

/** Records a new soul of the agent, which is on chain at once. */
async function revise({ name, tokenId }: Pick<BusyAgent, "name" | "tokenId">, owner: LocalAccount) {
  const { newSoulHash, newSoulMerkleRoot, newSoulSalt, merkleLeaves } = handovers.newSoul(
    { name, tokenId },
    owner,
  );
  const data = {
    changeType: "soul_revision",
    newSoulHash,
    newSoulMerkleRoot,
    newSoulSalt,
    merkleLeaves,
  };
  const body = { tokenId, category: "technical", data };
  const { status } = await service.post(
    "/v1/chronicle",
    await world.signed("chronicle", body, owner),
  );
  expect(status).toBe(201);
}

/** The admin's signature, given before the sale, for the agent to join. */
const admit = ({ organizationId, tokenId, consent }: BusyAgent) =>
  world.send("POST", `/v1/org/${organizationId}/members`, {
    tokenId,
    role: "admin",
    message: consent.message,
    signature: consent.signature,
    signer: consent.signer,
  });

async function invitationsOf(account: LocalAccount): Promise<unknown[]> {
  const { accessToken } = await ownerSession(service, account);
  const answer = await service.request("/v1/org/invitations", { headers: bearer(accessToken) });
  return answer.body.invitations;
}

const suspensionRecorded = ({ tokenId }: BusyAgent) =>
  vi.waitFor(async () => {
    const isSuspended = await service.chain.client.readContract({
      ...handovers.registry,
      functionName: "isSuspended",
      args: [BigInt(tokenId)],
    });
    expect(isSuspended).toBe(true);
  }, SOON);

const rotate = ({ tokenId, session }: BusyAgent) =>
  service.post("/v1/keys/rotate", { tokenId }, bearer(session));

it("ends a payment, a chronicle, a session and an invitation that a sale finds under way", async () => {
  const agent = await busyAgent();
  const { owner, tokenId, apiKey, passportId } = agent;
  const buyer = newAccount();
  await revise(agent, owner);
  const [recorded] = await agent.hook.arrived(1);
  expect(recorded).toMatchObject({
    event: "chronicle.recorded",
    data: { tokenId, chronicleId: 1, changeType: "soul_revision", batchId: null },
  });
  const queued = await achievement(tokenId, apiKey);
  expect(queued.status).toBe(201);
  const wish = {
    tokenId,
    category: "certification",
    data: { title: "Bird ringer", changeType: "licence_granted" },
  };
  const requested = await service.post("/v1/chronicle/request", wish, bearer(apiKey));
  expect(requested.status).toBe(201);
  expect(await canSpend(tokenId)).toBe(true);

  await Promise.all([owner, buyer].map(({ address }) => service.chain.fund(address)));
  const block = await service.chain.transferPassport(BigInt(passportId), owner, buyer.address);

  // In the very block of the sale.
  expect([await canSpend(tokenId, block - 1n), await canSpend(tokenId, block)]).toEqual([
    true,
    false,
  ]);
  const spend = service.chain.client.simulateContract({
    address: service.chain.contracts.allowanceVault,
    abi: allowanceVaultAbi,
    functionName: "spend",
    args: [BigInt(tokenId), buyer.address, PAYMENT, `0x${"7e".repeat(32)}`],
    account: owner,
  });
  await expect(spend).rejects.toThrow("SpendNotAllowed");
  // At once over the API, which asks the chain where the index is behind.
  expect(refused(await rotate(agent))[0]).toSatisfy((status: number) =>
    [401, 403].includes(status),
  );
  await service.get(`/v1/profile/${agent.name}?minBlock=${block}`);
  expect(refused(await achievement(tokenId, apiKey))).toEqual([409, "SUSPENDED"]);
  expect(await isActive(agent.session)).toBe(false);
  expect(refused(await rotate(agent))).toEqual([401, "UNAUTHORIZED"]);
  const joined = await admit(agent);
  expect(refused(joined)).toEqual([409, "SUSPENDED"]);
  expect((await world.membershipOf(tokenId))[0]).toBe(0n);
  expect(await invitationsOf(agent.admin)).toEqual([]);

  // What was recorded before the sale stays recorded, and what was only asked for is not.
  const { body: history } = await service.get(`/v1/chronicle/${agent.name}`);
  const ids = history.chronicles.map(({ chronicleId }: { chronicleId: number }) => chronicleId);
  expect(ids.toSorted()).toEqual([1, queued.body.chronicleId]);

  // The seller's webhook receives the sale, and nothing after it.
  const events = await agent.hook.arrived(2);
  expect(events.map(({ event }) => event)).toEqual(["chronicle.recorded", "passport.transferred"]);
  expect(events[1]?.data).toMatchObject({
    tokenId,
    erc8004AgentId: passportId,
    previousOwner: owner.address,
    newOwner: buyer.address,
    soulValidity: "suspended",
  });
});

it("revives nothing when the passport comes back, before its reseal and after it", async () => {
  const agent = await busyAgent();
  const { owner, tokenId, apiKey } = agent;
  const buyer = newAccount();
  const place = { name: agent.name, passportId: agent.passportId };
  await handovers.sell(place, owner, buyer.address);
  await suspensionRecorded(agent);
  await handovers.sell(place, buyer, owner.address);

  expect(refused(await achievement(tokenId, apiKey))).toEqual([409, "SUSPENDED"]);
  expect(refused(await rotate(agent))).toEqual([401, "UNAUTHORIZED"]);
  expect(await isActive(agent.session)).toBe(false);
  expect(await canSpend(tokenId)).toBe(false);
  const joined = await admit(agent);
  expect(refused(joined)).toEqual([409, "SUSPENDED"]);
  expect((await world.membershipOf(tokenId))[0]).toBe(0n);
  expect(await invitationsOf(agent.admin)).toEqual([]);

  const wish = handovers.newSoul({ name: agent.name, tokenId }, owner);
  const signed = await handovers.signedBy(owner, "reseal", wish);
  const resealed = await handovers.reseal(tokenId, signed);
  expect([resealed.status, resealed.body.ended.apiKeys, resealed.body.ended.allowance]).toEqual([
    200,
    1,
    true,
  ]);
  expect(refused(await achievement(tokenId, apiKey))).toEqual([401, "UNAUTHORIZED"]);
  expect(refused(await rotate(agent))).toEqual([401, "UNAUTHORIZED"]);
  expect(await canSpend(tokenId)).toBe(false);
  const { body: allowance } = await service.get(`/v1/allowance/${tokenId}`);
  expect(allowance.allowance.active).toBe(false);
  const stale = await admit(agent);
  expect(refused(stale)).toEqual([400, "INVALID_REQUEST"]);
  expect((await world.membershipOf(tokenId))[0]).toBe(0n);

  // What is recorded now reaches the new key's webhook, and none of before.
  const next = await receiver.subscribe({ tokenId, apiKey: resealed.body.apiKey }, [
    "chronicle.recorded",
  ]);
  await revise(agent, owner);
  const [recorded] = await next.arrived(1);
  expect(recorded).toMatchObject({
    event: "chronicle.recorded",
    data: { tokenId, changeType: "soul_revision" },
  });
  expect(agent.hook.got().map(({ event }) => event)).not.toContain("chronicle.recorded");
  expect(agent.hook.got().map(({ event }) => event)).toContain("passport.transferred");
  await vi.waitFor(async () => {
    const { rows } = await service.pool.query(
      "select ended_at is not null as ended from app.webhook where id = $1",
      [agent.hook.webhookId],
    );
    expect(rows).toEqual([{ ended: true }]);
  }, SOON);
});
