import { randomUUID } from "node:crypto";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { verifyAlignment } from "../../kit/alignment/index.ts";
import { alignmentRegistryAbi, reputationRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  ALIGNMENT_WEIGHTS,
  parseAlignmentDocument,
  recomputedDocument,
  storageIdOf,
} from "../../protocol/index.ts";
import { refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { runJob } from "../fixtures/built-command.ts";
import { bindByOwner } from "../fixtures/disclosures.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { freshName } from "../fixtures/registrations.ts";
import { startService } from "../fixtures/service.ts";

// Alignment from real history: a service and a chain of their own, whose clock is moved.

const MONTH_SECONDS = 30 * 86_400;
const SOON = { timeout: 60_000, interval: 100 };

let service: Awaited<ReturnType<typeof startService>>;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let agent: TestAgent;
let reviewer: TestAgent;
let sold: TestAgent;
let hook: Awaited<ReturnType<typeof receiver.subscribe>>;

beforeAll(async () => {
  service = await startService();
  receiver = await startOpenReceiver(service);
  [agent, reviewer, sold] = [
    await newAgent(service),
    await newAgent(service),
    await newAgent(service),
  ];
  hook = await receiver.subscribe(agent, ["alignment.changed", "freshness.requested"]);
}, 600_000);
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

async function head(): Promise<bigint> {
  return service.chain.client.getBlockNumber({ cacheTime: 0 });
}

const alignment = async (name: string) =>
  (await service.get(`/v1/alignment/${name}?minBlock=${await head()}`)).body;

const calculate = (of: TestAgent, body: object = { tokenId: of.tokenId }) =>
  service.post("/v1/alignment/calculate", body, bearer(of.apiKey));

/** How far the last snapshot of an agent has come, as its own key reads it. */
const progress = async (of: TestAgent) => {
  const path = `/v1/alignment/calculate?tokenId=${of.tokenId}`;
  return (await service.request(path, { headers: bearer(of.apiKey) })).body.snapshot;
};

const snapshot = (of: TestAgent, credential = of.apiKey, key: string = randomUUID()) =>
  service.post(
    "/v1/snapshot",
    { tokenId: of.tokenId },
    { ...bearer(credential), "Idempotency-Key": key },
  );

const freshness = (agentName: string, maxAgeDays: number) =>
  service.post("/v1/verify/freshness", { agentName, maxAgeDays });

async function passTime(seconds: number): Promise<void> {
  await service.chain.client.increaseTime({ seconds });
  await service.chain.client.mine({ blocks: 1 });
}

/** The record on chain after the present snapshot of `of` is done. */
async function recorded(of: TestAgent) {
  await runJob(service.place.databaseUrl, "alignment.snapshots");
  await vi.waitFor(async () => {
    const { rows } = await service.pool.query(
      "select state from app.alignment_snapshot where token_id = $1 order by created_at desc limit 1",
      [of.tokenId],
    );
    expect(rows).toEqual([{ state: "recorded" }]);
  }, SOON);
  return alignment(of.name);
}

/** The verdict of a reader with a node and the service's items alone. */
const verified = ({ name }: TestAgent) =>
  verifyAlignment(name, {
    client: createPublicClient({ transport: http(service.chain.rpcUrl) }),
    deployment: { chainId: 31_337, contracts: service.chain.contracts, startBlock: 0n },
    source: { gateways: [`${service.url}/ar/{id}/item`] },
  });

const onChain = (functionName: "alignmentOf" | "alignmentBlockOf", tokenId: number) =>
  service.chain.client.readContract({
    address: service.chain.contracts.alignmentRegistry,
    abi: alignmentRegistryAbi,
    functionName,
    args: [BigInt(tokenId)],
  });

const send = async (from: TestAgent, request: object) => {
  await service.chain.fund(from.owner.address);
  const hash = await service.chain.client.writeContract({
    account: from.owner,
    ...request,
  } as never);
  return service.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
};

const review = (value: bigint) =>
  send(reviewer, {
    address: service.chain.contracts.reputationRegistry,
    abi: reputationRegistryAbi,
    functionName: "giveFeedback",
    args: [BigInt(agent.passportId), value, 0, "starred", "", "", "", `0x${"00".repeat(32)}`],
  });

describe("an agent under 30 days old", () => {
  it("has no score", async () => {
    const answer = await alignment(agent.name);
    expect(answer).toEqual({
      agentName: agent.name,
      tokenId: agent.tokenId,
      erc8004AgentId: agent.passportId,
      score: null,
      breakdown: null,
      previousScore: null,
      snapshotTimestamp: null,
      onChainTimestamp: null,
      onChainRecorded: false,
      isNewAgent: true,
      isProvisional: false,
      soulValidity: "valid",
      freshness: { isFresh: false, ageHours: null },
      snapshotBlock: null,
      arweaveTxId: null,
      txHash: null,
      inputs: null,
      message: "The agent, or its present epoch, is under 30 days old. It has no score yet.",
    });
    const calculated = await calculate(agent);
    expect([calculated.status, calculated.body]).toEqual([
      200,
      expect.objectContaining({
        score: null,
        isNewAgent: true,
        isProvisional: false,
        previousScore: null,
        onChainRecorded: false,
        breakdown: {
          spendingAlignment: 100,
          taskTypeAlignment: 50,
          protocolAdherence: 100,
          policyCompliance: 100,
          bindingConsistency: 100,
          externalTrust: 50,
        },
      }),
    ]);
    const refused = await snapshot(agent);
    expect(refusal(refused)).toMatchObject({ status: 403, type: "FORBIDDEN" });
    expect(refused.body.error.message).toBe(
      "The agent, or its present epoch, is under 30 days old: it has no score yet. Ask again later.",
    );
    expect((await service.get(`/v1/profile/${agent.name}/status`)).body).toMatchObject({
      soulAlignment: null,
      lastSnapshot: null,
      trustworthy: true,
    });
  });

  it("gets an event once a day that its snapshot was too old for a reader", async () => {
    for (const days of [7, 8]) {
      expect(await freshness(agent.name, days)).toMatchObject({
        status: 200,
        body: {
          agentName: agent.name,
          meetsFreshnessRequirement: false,
          lastSnapshot: null,
          snapshotAgeDays: null,
          requiredMaxDays: days,
        },
      });
    }
    const [event] = await hook.arrived(1);
    expect(event).toMatchObject({
      event: "freshness.requested",
      data: { agentName: agent.name, lastSnapshot: null, requiredMaxDays: 7 },
    });
    const { rows } = await service.pool.query(
      "select count(*)::int as events from app.webhook_event where event = 'freshness.requested'",
    );
    expect(rows).toEqual([{ events: 1 }]);
  });

  it("is not known under a name that no agent has", async () => {
    const name = freshName();
    expect(refusal(await service.get(`/v1/alignment/${name}`)).type).toBe("NOT_FOUND");
    expect(refusal(await freshness(name, 1)).type).toBe("NOT_FOUND");
    expect(refusal(await calculate(agent, { agentName: name })).type).toBe("NOT_FOUND");
  });

  it("is named by either its name or its token id", async () => {
    for (const body of [{}, { agentName: agent.name, tokenId: agent.tokenId }]) {
      expect(refusal(await calculate(agent, body)).type).toBe("INVALID_REQUEST");
    }
    const path = "/v1/alignment/calculate";
    const read = (query: string) =>
      service.request(`${path}${query}`, { headers: bearer(agent.apiKey) });
    expect(refusal(await read("")).type).toBe("INVALID_REQUEST");
    expect((await read(`?agentName=${agent.name}`)).body).toEqual({
      ...(await alignment(agent.name)),
      snapshot: null,
    });
    expect((await read(`?tokenId=${agent.tokenId}`)).status).toBe(200);
    expect(refusal(await read(`?tokenId=${reviewer.tokenId}`)).type).toBe("FORBIDDEN");
    expect(refusal(await calculate(agent, { agentName: reviewer.name })).type).toBe("FORBIDDEN");
  });
});

describe("an agent with a history", () => {
  it("is scored, archived and recorded on chain once", async () => {
    await passTime(MONTH_SECONDS);
    await review(100n);
    // The calculation is of the indexed block.
    await alignment(agent.name);
    const before = (await calculate(agent)).body;
    expect(before).toMatchObject({
      isNewAgent: false,
      onChainRecorded: false,
      previousScore: null,
    });
    expect(before.breakdown.externalTrust).toBe(51);

    const { accessToken } = await ownerSession(service, agent.owner);
    const key = randomUUID();
    const opened = await snapshot(agent, accessToken, key);
    expect([opened.status, opened.body]).toEqual([
      202,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        snapshotId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: "computing",
        estimatedCompletion: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await snapshot(agent, accessToken, key)).body).toEqual(opened.body);
    // One is under way: another request is about it.
    expect((await snapshot(agent)).body.snapshotId).toBe(opened.body.snapshotId);
    const { snapshotId } = opened.body;
    const openedAt = expect.stringMatching(/Z$/);
    expect(await progress(agent)).toEqual({
      snapshotId,
      status: "computing",
      openedAt,
      reason: null,
    });

    const answer = await recorded(agent);
    expect(await progress(agent)).toEqual({
      snapshotId,
      status: "recorded",
      openedAt,
      reason: null,
    });
    const { breakdown } = answer;
    expect(breakdown).toEqual(before.breakdown);
    const sum = Object.entries(ALIGNMENT_WEIGHTS).reduce(
      (total, [name, weight]) => total + weight * breakdown[name],
      0,
    );
    expect(answer).toMatchObject({
      score: Math.floor((sum + 50) / 100),
      previousScore: null,
      onChainRecorded: true,
      isNewAgent: false,
      freshness: { isFresh: true, ageHours: 0 },
      message: "This score is on chain, and less than 24 hours old.",
    });
    const [score, timestamp] = (await onChain("alignmentOf", agent.tokenId)) as [number, bigint];
    expect(score).toBe(answer.score);
    expect(new Date(Number(timestamp) * 1000).toISOString()).toBe(answer.onChainTimestamp);
    expect(await onChain("alignmentBlockOf", agent.tokenId)).toBe(BigInt(answer.snapshotBlock));
    const events = await service.chain.client.getContractEvents({
      address: service.chain.contracts.alignmentRegistry,
      abi: alignmentRegistryAbi,
      eventName: "AlignmentRecorded",
      args: { tokenId: BigInt(agent.tokenId) },
      fromBlock: 0n,
      strict: true,
    });
    expect(events.map(({ args }) => storageIdOf(args.archiveId))).toEqual([answer.arweaveTxId]);

    expect((await calculate(agent)).body).toMatchObject({
      score,
      previousScore: score,
      onChainRecorded: true,
    });
  });

  it("has a score that anyone can recompute from chain and archive", async () => {
    const answer = await alignment(agent.name);
    const item = await fetch(`${service.url}/ar/${answer.arweaveTxId}`);
    const document = parseAlignmentDocument(new Uint8Array(await item.arrayBuffer()));
    expect(recomputedDocument(document)).toEqual(document);
    expect(document).toMatchObject({
      tokenId: BigInt(agent.tokenId),
      agentName: agent.name,
      score: answer.score,
      breakdown: answer.breakdown,
    });
    const block = await service.chain.client.getBlock({ blockNumber: document.block.number });
    expect([document.block.hash, document.block.timestamp]).toEqual([block.hash, block.timestamp]);
    for (const { place, timestamp } of document.facts) {
      const { logs } = await service.chain.client.getTransactionReceipt({
        hash: place.transactionHash,
      });
      const log = logs.find(({ logIndex }) => logIndex === place.logIndex);
      expect(log?.blockNumber).toBe(place.blockNumber);
      const mined = await service.chain.client.getBlock({ blockNumber: place.blockNumber });
      expect(mined.timestamp).toBe(timestamp);
    }
    expect(await verified(agent)).toMatchObject({ verdict: "valid", document });
    const { inputs } = answer;
    expect(inputs.externalTrust.map(({ kind }: { kind: string }) => kind)).toEqual([
      "reviewer",
      "feedback",
    ]);
  });

  it("is shown with its score in profile, status and sign-in", async () => {
    const { score, snapshotTimestamp, onChainTimestamp } = await alignment(agent.name);
    // The age of a score is that of the state it is of.
    const lastSnapshot = snapshotTimestamp;
    expect(snapshotTimestamp < onChainTimestamp).toBe(true);
    const { body: profile } = await service.get(`/v1/profile/${agent.name}`);
    expect(profile.soulAlignment).toEqual({ score, lastSnapshot });
    const { body: status } = await service.get(`/v1/profile/${agent.name}/status`);
    expect(status).toMatchObject({ soulAlignment: score, lastSnapshot, trustworthy: score >= 70 });
    const { profile: signedIn } = await ownerSession(service, agent.owner, {
      agentId: agent.passportId,
      scope: ["soul", "manage"],
    });
    expect(signedIn.soulAlignment).toBe(score);
    expect(await freshness(agent.name, 1)).toMatchObject({
      body: { meetsFreshnessRequirement: true, lastSnapshot, snapshotAgeDays: 0 },
    });
  });

  it("loses points by flapping bindings, and its owner gets an event", async () => {
    const { score: previous } = await alignment(agent.name);
    for (const level of [
      "trusted",
      "limited",
      "trusted",
      "revoked",
      "trusted",
      "revoked",
    ] as const) {
      await bindByOwner(service, agent, reviewer, level);
    }
    // The score is of the indexed block, which a busy machine reaches later.
    const block = await head();
    await vi.waitFor(async () => {
      const { status } = await service.get(`/v1/alignment/${agent.name}?minBlock=${block}`);
      expect(status).toBe(200);
    }, SOON);
    expect((await snapshot(agent)).status).toBe(202);
    const answer = await recorded(agent);
    expect(answer.previousScore).toBe(previous);
    expect(answer.breakdown.bindingConsistency).toBe(60);
    expect(previous - answer.score).toBeGreaterThanOrEqual(5);
    expect(await verified(agent)).toMatchObject({
      verdict: "valid",
      document: { score: answer.score },
    });
    const event = (await hook.arrived(2)).at(-1);
    expect(event).toMatchObject({
      event: "alignment.changed",
      data: { score: answer.score, previousScore: previous, txHash: answer.txHash },
    });
  });

  it("can ask for five snapshots a day", async () => {
    for (let asked = 2; asked < 5; asked += 1) {
      expect((await snapshot(agent)).status).toBe(202);
      await recorded(agent);
    }
    const refused = await snapshot(agent);
    expect(refusal(refused)).toMatchObject({ status: 429, type: "RATE_LIMIT_EXCEEDED" });
    expect(refused.body.error.message).toBe(
      "Snapshots of an agent can be asked for at most 5 times a day (UTC).",
    );
    expect(refused.headers.get("retry-after")).toMatch(/^[0-9]+$/);
  });

  it("is scheduled while it is active, and not twice a day", async () => {
    // A decision of its own makes it active; its review of another agent does not.
    await bindByOwner(service, reviewer, agent, "limited");
    await alignment(reviewer.name);
    await runJob(service.place.databaseUrl, "alignment.schedule");
    const scheduled = async () =>
      (
        await service.pool.query(
          "select token_id::int as token from app.alignment_snapshot where trigger = 'scheduled' order by 1",
        )
      ).rows.map(({ token }) => token);
    await vi.waitFor(async () => expect(await scheduled()).toContain(reviewer.tokenId), SOON);
    await recorded(reviewer);
    await runJob(service.place.databaseUrl, "alignment.schedule");
    // The agent's own snapshots of today are enough.
    expect(await scheduled()).not.toContain(agent.tokenId);
    expect((await alignment(reviewer.name)).onChainRecorded).toBe(true);
  });
});

describe("a sold passport", () => {
  it("leaves a suspended soul that keeps its score and takes no snapshot", async () => {
    expect((await snapshot(sold)).status).toBeGreaterThanOrEqual(202);
    const { score } = await recorded(sold);
    expect(score).toBeGreaterThan(70);
    expect(await verified(sold)).toMatchObject({ verdict: "valid", document: { score } });
    await service.chain.fund(sold.owner.address);
    await service.chain.transferPassport(
      BigInt(sold.passportId),
      sold.owner,
      reviewer.owner.address,
    );
    const moved = await alignment(sold.name);
    expect(moved).toMatchObject({ score, soulValidity: "suspended" });
    expect(await verified(sold)).toMatchObject({
      verdict: "invalid",
      why: `The soul of ${sold.name} is not valid now: it was burned, suspended or sold.`,
    });
    expect(["SUSPENDED", "UNAUTHORIZED"]).toContain(refusal(await snapshot(sold)).type);
  });
});
