import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Log, parseEventLogs, zeroAddress, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { byTokenId } from "../../api/soul/soul-ref.ts";
import * as schema from "../../indexer/ponder.schema.ts";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import { hashOf } from "../fixtures/chain-verbs.ts";
import { account, alice, bob } from "../fixtures/indexed-chain.ts";
import { startIndexer } from "../fixtures/indexer.ts";
import { createDatabase } from "../fixtures/postgres.ts";
import { type ChainIndex, lower, type Mined, of, startChainIndex } from "./index-of-chain.ts";
import { indexedUpTo } from "./indexed-up-to.ts";
import { rowsOf } from "./rows.ts";

const WAIT_MS = 30_000;
const MAX_UINT56 = 2n ** 56n - 1n;
const payee = account(5);
const client = account(6);
const validator = account(7);

let index: ChainIndex;
let chain: ChainIndex["chain"];
let pool: ChainIndex["pool"];
let reads: ChainIndex["reads"];
let profiles: ChainIndex["profiles"];
let indexed: ChainIndex["indexed"];

beforeAll(async () => {
  index = await startChainIndex();
  ({ chain, pool, reads, profiles, indexed } = index);
});

afterAll(() => index?.stop());
/** Of the one payment of a transaction. */
const spentDigest = ({ logs }: { logs: readonly Log[] }) =>
  parseEventLogs({ abi: allowanceVaultAbi, eventName: "Spent", logs: [...logs] })[0]?.args.digest;
const day = ({ timestamp }: Mined) => Number(timestamp / 86_400n);

async function profile(name: string) {
  return (await profiles.profile({ kind: "name", name })).value;
}

describe("an allowance", () => {
  it("is a row for each epoch, and so is every payment: allowed, refused or reported", async () => {
    const { tokenId } = await chain.register(alice, "spender", { operator: bob.address });
    await chain.register(payee, "earner");
    await chain.fund(alice, 4_000_000n);
    // So that no midnight comes between the payments.
    const { timestamp } = await chain.client.getBlock();
    const nextDay = (timestamp / 86_400n + 1n) * 86_400n;
    await chain.client.setNextBlockTimestamp({ timestamp: nextDay });
    const limits = { perTransaction: 2_000_000n, dailyLimit: 5_000_000n };
    const validUntil = nextDay + 7n * 86_400n;

    const early = await chain.report(bob, tokenId, zeroAddress, 1_000_000n, hashOf("elsewhere"));
    const set = await chain.setAllowance(alice, tokenId, { ...limits, validUntil });
    const paid = await chain.spend(bob, tokenId, payee.address, 1_500_000n, hashOf("invoice 1"));
    const tooMuch = await chain.trySpend(bob, tokenId, payee.address, 2_000_001n, hashOf("high"));
    const paidToo = await chain.trySpend(bob, tokenId, payee.address, 2_000_000n);
    const redeemed = await chain.redeem(client, bob, {
      tokenId,
      recipient: payee.address,
      amount: 500_000n,
      paymentRef: hashOf("invoice 2"),
    });
    const spentUp = await chain.trySpend(bob, tokenId, payee.address, 1n);
    await chain.client.setNextBlockTimestamp({ timestamp: nextDay + 86_400n });
    const huge = await chain.report(bob, tokenId, payee.address, 2n ** 256n - 1n, zeroHash);
    const ended = await chain.deactivateAllowance(alice, tokenId);
    await indexed(ended);

    const payment = {
      tokenId,
      epoch: 1,
      owner: lower(alice.address),
      operator: lower(bob.address),
      recipient: lower(payee.address),
      paymentRef: zeroHash,
      digest: null,
    };
    const allowed = { ...payment, kind: "ALLOWED", withinLimits: true, reason: "NONE" };
    const refused = { ...payment, kind: "REFUSED", withinLimits: false };
    const reported = { ...payment, kind: "REPORTED", withinLimits: false };
    expect(await rowsOf(pool, schema.spend)).toEqual([
      {
        ...reported,
        recipient: zeroAddress,
        amount: 1_000_000n,
        reason: "ALLOWANCE_NOT_SET",
        spentToday: 1_000_000n,
        paymentRef: hashOf("elsewhere"),
        ...of(early),
      },
      {
        ...allowed,
        amount: 1_500_000n,
        spentToday: 2_500_000n,
        paymentRef: hashOf("invoice 1"),
        ...of(paid),
      },
      {
        ...refused,
        amount: 2_000_001n,
        reason: "EXCEEDS_PER_TRANSACTION_LIMIT",
        spentToday: 2_500_000n,
        paymentRef: hashOf("high"),
        ...of(tooMuch),
      },
      { ...allowed, amount: 2_000_000n, spentToday: 4_500_000n, ...of(paidToo) },
      // Its operator is the signer, not the account that submitted it.
      {
        ...allowed,
        amount: 500_000n,
        spentToday: 5_000_000n,
        paymentRef: hashOf("invoice 2"),
        digest: spentDigest(redeemed),
        ...of(redeemed),
      },
      {
        ...refused,
        amount: 1n,
        reason: "EXCEEDS_DAILY_LIMIT",
        spentToday: 5_000_000n,
        ...of(spentUp),
      },
      {
        ...reported,
        amount: 2n ** 256n - 1n,
        reason: "EXCEEDS_PER_TRANSACTION_LIMIT",
        spentToday: MAX_UINT56,
        paymentRef: zeroHash,
        ...of(huge),
      },
    ]);
    expect(await rowsOf(pool, schema.allowance)).toEqual([
      {
        tokenId,
        epoch: 1,
        owner: lower(alice.address),
        version: 2,
        active: false,
        ...limits,
        validUntil: null,
        onlyWithAgentWallet: false,
        spentDay: day(huge),
        spentToday: MAX_UINT56,
        paidCount: 3,
        paidAmount: 4_000_000n,
        refusedCount: 2,
        reportedCount: 2,
        reportedAmount: 2n ** 256n + 999_999n,
      },
    ]);
    const decision = { tokenId, epoch: 1, owner: lower(alice.address) };
    expect(await rowsOf(pool, schema.allowanceChange)).toEqual([
      {
        ...decision,
        version: 1,
        kind: "SET",
        ...limits,
        validUntil,
        onlyWithAgentWallet: false,
        ...of(set),
      },
      {
        ...decision,
        version: 2,
        kind: "DEACTIVATED",
        perTransaction: null,
        dailyLimit: null,
        validUntil: null,
        onlyWithAgentWallet: null,
        ...of(ended),
      },
    ]);
    expect(await rowsOf(pool, schema.earning)).toEqual([
      {
        recipient: lower(payee.address),
        owner: lower(alice.address),
        payments: 3,
        amount: 4_000_000n,
      },
    ]);
    expect((await profile("earner")).activity).toMatchObject({
      lifetimeEarned: "4.00",
      currency: "USDC",
    });
    expect((await profile("spender")).activity).toMatchObject({
      lifetimeEarned: "0.00",
      lastActive: new Date(Number(ended.timestamp) * 1000),
    });
  });

  it("that the stablecoin does not serve is refused within its limits", async () => {
    const { tokenId } = await chain.register(client, "penniless");
    await chain.setAllowance(client, tokenId, { perTransaction: 5n, dailyLimit: 5n });
    const refused = await chain.trySpend(client, tokenId, payee.address, 5n);
    await indexed(refused);
    const rows = (await rowsOf(pool, schema.spend)).filter((row) => row.tokenId === tokenId);
    expect(rows).toMatchObject([
      { kind: "REFUSED", reason: "TRANSFER_FAILED", withinLimits: true, spentToday: 0n },
    ]);
  });

  it("that pays its owner's own agent does not count as earned", async () => {
    const { tokenId } = await chain.register(validator, "pays-itself", { operator: bob.address });
    await chain.register(validator, "is-paid", { operator: client.address });
    await chain.fund(validator, 10n);
    await chain.setAllowance(validator, tokenId, { perTransaction: 9n, dailyLimit: 9n });
    const paid = await chain.spend(bob, tokenId, client.address, 9n);
    await indexed(paid);
    expect(await rowsOf(pool, schema.earning)).toContainEqual({
      recipient: lower(client.address),
      owner: lower(validator.address),
      payments: 1,
      amount: 9n,
    });
    expect((await profile("is-paid")).activity.lifetimeEarned).toBe("0.00");
    // Another owner's operator is not this owner's: the payment goes to the owner itself.
    expect((await profile("penniless")).activity.lifetimeEarned).toBe("0.000009");
  });
});

describe("the service's records", () => {
  it("have a row for each batch", async () => {
    const first = await chain.anchorBatch(3n);
    const second = await chain.anchorBatch(1000n);
    await indexed(second);
    expect(await rowsOf(pool, schema.batch)).toEqual(
      [first, second].map(({ batch: { batchId, ...batch }, ...anchored }) => ({
        id: batchId,
        ...batch,
        leafCount: batch.leafCount,
        ...of(anchored),
      })),
    );
  });

  it("have a row for each score, and the last one with the soul", async () => {
    const { tokenId } = await chain.register(alice, "aligned");
    const first = await chain.recordAlignment([{ tokenId, score: 100 }]);
    const second = await chain.recordAlignment([{ tokenId, score: 0 }]);
    await indexed(second);
    const row = (of: typeof first) => ({
      tokenId,
      epoch: 1,
      scoredBlock: of.records[0]?.blockNumber,
      archiveId: of.records[0]?.archiveId,
    });
    expect(await rowsOf(pool, schema.alignment)).toEqual([
      { ...row(first), score: 100, previousScore: 0, ...of(first) },
      { ...row(second), score: 0, previousScore: 100, ...of(second) },
    ]);
    expect((await reads.agent(byTokenId(tokenId))).value?.soul).toMatchObject({
      alignmentScore: 0,
      alignmentArchiveId: second.records[0]?.archiveId,
      alignmentBlock: second.records[0]?.blockNumber,
      alignmentAt: second.timestamp,
    });
    expect((await profile("aligned")).soulAlignment).toEqual({
      score: 0,
      lastSnapshot: new Date(Number(second.timestamp) * 1000),
    });
  });

  it("give a new owner no score until the next one is recorded", async () => {
    const { tokenId, passportId } = await chain.register(alice, "aligned-and-sold");
    const first = await chain.recordAlignment([{ tokenId, score: 83 }]);
    await chain.transferPassport(passportId, alice, bob.address);
    await chain.suspend(client, tokenId);
    const resealed = await chain.reseal(bob, tokenId, "under bob", zeroAddress);
    await indexed(resealed);
    expect((await reads.agent(byTokenId(tokenId))).value?.soul).toMatchObject({
      alignmentScore: null,
      alignmentArchiveId: null,
      alignmentBlock: null,
      alignmentAt: null,
    });

    const second = await chain.recordAlignment([{ tokenId, score: 71 }]);
    await indexed(second);
    const rows = (await rowsOf(pool, schema.alignment)).filter((row) => row.tokenId === tokenId);
    expect(rows.map(({ epoch, score, previousScore }) => [epoch, score, previousScore])).toEqual([
      [1, 83, 0],
      [2, 71, 0],
    ]);
    expect(rows[0]).toMatchObject({ tx: first.transactionHash });
    expect((await profile("aligned-and-sold")).soulAlignment.score).toBe(71);
  });
});

describe("feedback and validation of any passport", () => {
  it("is a row for each piece of feedback and each answer", async () => {
    const { agentId: passportId } = await chain.registerPassport(alice, "https://alice.example");
    const opinion = { value: -(10n ** 38n), valueDecimals: 18, tag1: "nul \0 tag" };
    const first = await chain.giveFeedback(client, passportId, opinion);
    const again = await chain.giveFeedback(client, passportId, {
      ...opinion,
      tag1: "fine",
      uri: "",
    });
    const response = await chain.answerFeedback(
      alice,
      passportId,
      client.address,
      1n,
      "https://alice.example/answer",
    );
    const revoked = await chain.revokeFeedback(client, passportId, 1n);
    await indexed(revoked);

    const key = { passportId, client: lower(client.address) };
    const feedback = {
      ...key,
      value: opinion.value,
      valueDecimals: 18,
      tag2: "tag2",
      endpoint: "https://a.example",
      hash: zeroHash,
    };
    expect(await rowsOf(pool, schema.feedback)).toEqual([
      {
        ...feedback,
        feedbackIndex: 1n,
        tag1: null,
        uri: "https://client.example/feedback",
        responses: 1,
        givenAt: first.timestamp,
        givenBlock: first.blockNumber,
        giveTx: first.transactionHash,
        giveLogIndex: expect.any(Number),
        revokedAt: revoked.timestamp,
        revokedBlock: revoked.blockNumber,
        revokeTx: revoked.transactionHash,
        revokeLogIndex: expect.any(Number),
      },
      {
        ...feedback,
        feedbackIndex: 2n,
        tag1: "fine",
        uri: "",
        responses: 0,
        givenAt: again.timestamp,
        givenBlock: again.blockNumber,
        giveTx: again.transactionHash,
        giveLogIndex: expect.any(Number),
        revokedAt: null,
        revokedBlock: null,
        revokeTx: null,
        revokeLogIndex: null,
      },
    ]);
    expect(await rowsOf(pool, schema.feedbackResponse)).toEqual([
      {
        ...key,
        feedbackIndex: 1n,
        responder: lower(alice.address),
        uri: "https://alice.example/answer",
        hash: hashOf("https://alice.example/answer"),
        ...of(response),
      },
    ]);
    expect(await rowsOf(pool, schema.passportTrust)).toEqual([
      {
        passportId,
        feedback: 2,
        feedbackRevoked: 1,
        feedbackClients: 1,
        feedbackResponses: 1,
        validationRequests: 0,
        validationResponses: 0,
      },
    ]);
  });

  it("is a row for each request, with its last response, and one for each response", async () => {
    const { agentId: passportId } = await chain.registerPassport(alice, "https://valid.example");
    const request = await chain.requestValidation(
      alice,
      passportId,
      validator.address,
      "https://valid.example/work",
    );
    const { requestHash } = request;
    const first = await chain.answerValidation(validator, requestHash, 40, "half \0 way");
    const last = await chain.answerValidation(validator, requestHash, 100, "done");
    await indexed(last);

    const answer = { requestHash, validator: lower(validator.address), passportId };
    expect(await rowsOf(pool, schema.validation)).toEqual([
      {
        ...answer,
        requestUri: "https://valid.example/work",
        requestedAt: request.timestamp,
        requestedBlock: request.blockNumber,
        requestTx: request.transactionHash,
        requestLogIndex: expect.any(Number),
        response: 100,
        responseUri: "https://validator.example",
        responseHash: hashOf("done"),
        tag: "done",
        respondedAt: last.timestamp,
        respondedBlock: last.blockNumber,
        responseTx: last.transactionHash,
      },
    ]);
    const response = {
      ...answer,
      uri: "https://validator.example",
    };
    expect(await rowsOf(pool, schema.validationResponse)).toEqual([
      { ...response, response: 40, hash: hashOf("half \0 way"), tag: null, ...of(first) },
      { ...response, response: 100, hash: hashOf("done"), tag: "done", ...of(last) },
    ]);
    const trust = await rowsOf(pool, schema.passportTrust);
    expect(trust.find((row) => row.passportId === passportId)).toEqual({
      passportId,
      feedback: 0,
      feedbackRevoked: 0,
      feedbackClients: 0,
      feedbackResponses: 0,
      validationRequests: 1,
      validationResponses: 2,
    });
  });
});

describe("a deployment without a validation registry, and younger than its passports", () => {
  it("is indexed completely", async () => {
    const { agentId: passportId } = await chain.registerPassport(alice, "https://old.example");
    await chain.giveFeedback(client, passportId, { value: 1n, valueDecimals: 0, tag1: "old" });
    const head = await chain.client.getBlockNumber({ cacheTime: 0 });
    const directory = await mkdtemp(join(tmpdir(), "svc-deployment-"));
    const deploymentPath = join(directory, "deployment.json");
    await writeFile(
      deploymentPath,
      JSON.stringify({
        ...chain.deployment,
        contracts: { ...chain.contracts, validationRegistry: null },
        startBlock: Number(head) + 1,
      }),
    );
    const answered = await chain.answerFeedback(
      alice,
      passportId,
      client.address,
      1n,
      "https://a.example",
    );
    const other = await createDatabase();
    const otherPool = new pg.Pool({ connectionString: other.url });
    const second = await startIndexer({ databaseUrl: other.url, ...chain, deploymentPath });
    try {
      const revoked = await chain.revokeFeedback(client, passportId, 1n);
      await indexedUpTo(chain.client, otherPool, revoked.blockNumber, WAIT_MS);
      expect(await rowsOf(otherPool, schema.feedback)).toEqual([
        {
          passportId,
          client: lower(client.address),
          feedbackIndex: 1n,
          value: null,
          valueDecimals: null,
          tag1: null,
          tag2: null,
          endpoint: null,
          uri: null,
          hash: null,
          responses: 1,
          givenAt: null,
          givenBlock: null,
          giveTx: null,
          giveLogIndex: null,
          revokedAt: revoked.timestamp,
          revokedBlock: revoked.blockNumber,
          revokeTx: revoked.transactionHash,
          revokeLogIndex: expect.any(Number),
        },
      ]);
      expect(answered.blockNumber).toBe(head + 1n);
      expect(await rowsOf(otherPool, schema.validation)).toEqual([]);
    } finally {
      await second.kill();
      await otherPool.end();
      await other.drop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
