import { sql } from "drizzle-orm";
import { hexToString, type LocalAccount, parseEventLogs } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createEndedSouls } from "../../../../api/features/life/clear-ended-status.ts";
import { differenceStore } from "../../../../api/features/life/index-comparison.store.ts";
import { COMPARED_PAGE } from "../../../../api/features/life/index-comparison.ts";
import {
  createPassportWatch,
  type WatchIndex,
} from "../../../../api/features/life/passport-watch.ts";
import { createPassports } from "../../../../api/features/life/passports.chain.ts";
import { createSuspender } from "../../../../api/features/life/suspension.ts";
import { createSuspensionCandidates } from "../../../../api/features/life/suspension-candidates.store.ts";
import { suspensionStore } from "../../../../api/features/life/suspensions.store.ts";
import type { EventSink } from "../../../../api/features/webhooks/events.ts";
import { JOBS } from "../../../../api/features.ts";
import { createChainClient } from "../../../../api/platform/chain/clients.ts";
import { createRelayer } from "../../../../api/platform/chain/relayer.ts";
import { relayerTransactionStore } from "../../../../api/platform/chain/transactions.store.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { createLease } from "../../../../api/platform/database/lease.ts";
import { type Jobs, openJobs } from "../../../../api/platform/jobs/queue.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createChainSouls } from "../../../../api/soul/chain-soul.chain.ts";
import { createCurrentReads } from "../../../../api/soul/current-reads.ts";
import { createIndexAge } from "../../../../api/soul/index-age.ts";
import { type ChainReads, createChainReads } from "../../../../api/soul/indexed.store.ts";
import { byPassport } from "../../../../api/soul/soul-ref.ts";
import { identityRegistryAbi, soulRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { stackAccounts } from "../../../../scripts/local-stack/accounts.ts";
import { chainVerbs } from "../../../fixtures/chain-verbs.ts";
import { account } from "../../../fixtures/indexed-chain.ts";
import { type RunningIndexer, startIndexer } from "../../../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { freshName } from "../../../fixtures/registrations.ts";
import { type SignInChain, startSignInChain } from "../../../fixtures/sign-in-chain.ts";
import { newAccount } from "../sign-in/harness.ts";

// Passports of a real chain, found by the real index and recorded in real Postgres.

const NOW = new Date("2026-03-03T12:00:00.000Z");
const log = createLog("silent");
const running = new AbortController().signal;

let chain: SignInChain;
let database: TestDatabase;
let connection: DatabaseConnection;
let indexer: RunningIndexer;
let index: ChainReads & ReturnType<typeof createSuspensionCandidates>;
let jobs: Jobs;
let relayer: ReturnType<typeof createRelayer>;
let passports: ReturnType<typeof createPassports>;
let souls: ReturnType<typeof createChainSouls>;
let suspend: ReturnType<typeof createSuspender>;

beforeAll(async () => {
  chain = await startSignInChain();
  database = await createDatabase();
  connection = connectDatabase(database.url, log);
  indexer = await startIndexer({ ...chain, databaseUrl: database.url });
  index = {
    ...createChainReads(connection.pool),
    ...createSuspensionCandidates(connection.pool),
  };
  jobs = await openJobs({ databaseUrl: database.url, log, rules: JOBS, purpose: "send" });
  await connection.db.execute(
    sql`create table public.notified (key text primary key, event jsonb)`,
  );
  await connection.db.execute(sql`create table public.old (id uuid primary key)`);
  const account = privateKeyToAccount(stackAccounts().relayer.privateKey);
  const client = createChainClient({ rpcUrl: chain.rpcUrl, chainId: 31337 });
  const { soulView } = chain.contracts;
  souls = createChainSouls({ client, soulView });
  passports = createPassports({
    client,
    ...chain.contracts,
    relayer: account.address,
  });
  relayer = createRelayer({
    client,
    account,
    log,
    confirmations: 1,
    store: relayerTransactionStore(connection.db),
    lease: createLease(connection.pool),
    clock: () => NOW,
  });
  suspend = createSuspender({
    registry: passports,
    relayer,
    records: suspensionStore(connection.db),
    clock: () => NOW,
  });
});
afterAll(async () => {
  await relayer?.close();
  await jobs?.close(1_000);
  await indexer?.stop();
  await connection?.close();
  await chain?.stop();
  await database?.drop();
});
afterEach(async () => {
  // Each test sees only the events of its own sales.
  await newWatch().followTraces(running);
  await connection.db.execute(sql`truncate public.notified`);
  await connection.db.execute(sql`insert into public.old select id from app.passport_suspension
    on conflict do nothing`);
  await connection.db.execute(sql`delete from jobs.job`);
});

/** Stores each event that it is notified of, in the caller's transaction. */
const keeping: EventSink = {
  async emit(tx, { key, ...event }) {
    const payload = JSON.stringify(event, (_name, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    );
    await tx.execute(sql`insert into public.notified values (${key}, ${payload}::jsonb)`);
  },
};

function newWatch(
  parts: { events?: typeof keeping; index?: WatchIndex; confirmations?: number } = {},
) {
  return createPassportWatch({
    index,
    jobs,
    chain: passports,
    events: keeping,
    confirmations: 1,
    chainId: 31337,
    ...parts,
    store: suspensionStore(connection.db),
    differences: differenceStore(connection.db),
    clock: () => NOW,
  });
}

async function soulOf(owner: LocalAccount) {
  await chain.fund(owner.address);
  const name = freshName();
  return { name, ...(await chain.registerSoul(owner, name)) };
}

const indexed = async (block?: bigint) => {
  const target = block ?? (await chain.client.getBlockNumber({ cacheTime: 0 }));
  expect(await index.waitForBlock(target, 20_000)).toBeGreaterThanOrEqual(target);
};

const rows = async (query: ReturnType<typeof sql>) => (await connection.db.execute(query)).rows;
const suspensions = () =>
  rows(sql`select id, token_id::int as token, passport_id::int as passport, epoch::int as epoch,
    sealer, owner, observed_block::int as block, ended_at is not null as ended,
    recorded_at is not null as recorded, record_tx as tx
    from app.passport_suspension where id not in (select id from public.old) order by created_at, observed_block`);
const notified = () => rows(sql`select key, event from public.notified order by key`);
const sent = () => rows(sql`select name, data from jobs.job order by created_on`);

const suspendedEvents = async (tokenId: bigint) =>
  chain.client.getContractEvents({
    address: chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    eventName: "SoulVerificationSuspended",
    args: { tokenId },
    fromBlock: 0n,
  });

describe("a registration", () => {
  it("transfers its new passport without a sale, as do a self-transfer and a cleared wallet", async () => {
    const owner = newAccount();
    const { passportId } = await soulOf(owner);
    await chain.transferPassport(passportId, owner, owner.address);
    const hash = await chain.client.writeContract({
      account: owner,
      address: chain.contracts.identityRegistry,
      abi: identityRegistryAbi,
      functionName: "unsetAgentWallet",
      args: [passportId],
    });
    const { blockNumber } = await chain.client.waitForTransactionReceipt({ hash });
    await indexed(blockNumber);
    const traces = await index.passportTraces({ block: 0n, id: 0n }, blockNumber, 100);
    expect(traces.filter((trace) => trace.passportId === passportId)).toHaveLength(3);

    await newWatch().followTraces(running);
    expect([await suspensions(), await notified(), await sent()]).toEqual([[], [], []]);
  });
});

describe("a sold passport", () => {
  it("is recorded once, with the job and the event that follow", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    const { tokenId, passportId, name } = await soulOf(seller);
    const block = await chain.transferPassport(passportId, seller, buyer.address);
    await indexed(block);

    await newWatch().followTraces(running);
    await newWatch().followTraces(running);
    await newWatch().compare(running);
    const [suspension, ...others] = await suspensions();
    expect(others).toEqual([]);
    expect(suspension).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: Number(tokenId),
      passport: Number(passportId),
      epoch: 1,
      sealer: seller.address,
      owner: buyer.address,
      block: Number(block),
      ended: false,
      recorded: false,
      tx: null,
    });
    expect(await sent()).toEqual([
      {
        name: "passport.suspend",
        data: { suspensionId: suspension?.id, tokenId: tokenId.toString() },
      },
    ]);
    expect(await notified()).toEqual([
      {
        key: `passport.transferred:${suspension?.id}`,
        event: {
          event: "passport.transferred",
          tokenId: tokenId.toString(),
          registrationId: null,
          data: {
            agentName: name,
            tokenId: Number(tokenId),
            erc8004AgentId: Number(passportId),
            chainId: 31337,
            previousOwner: seller.address,
            newOwner: buyer.address,
            soulValidity: "suspended",
            observedBlock: Number(block),
          },
        },
      },
    ]);
  });

  it("is not recorded when one of its parts cannot be written, and is retried", async () => {
    const seller = newAccount();
    const { passportId } = await soulOf(seller);
    await indexed(await chain.transferPassport(passportId, seller, newAccount().address));
    const before = await suspensionStore(connection.db).cursor("traces");
    const failing: typeof keeping = {
      async emit(tx, event) {
        await keeping.emit(tx, event);
        throw new Error("no more room");
      },
    };
    await expect(newWatch({ events: failing }).followTraces(running)).rejects.toThrow(
      new Error("no more room"),
    );
    expect([await suspensions(), await notified(), await sent()]).toEqual([[], [], []]);
    expect(await suspensionStore(connection.db).cursor("traces")).toEqual(before);

    await newWatch().followTraces(running);
    expect((await suspensions()).map(({ passport }) => passport)).toEqual([Number(passportId)]);
    expect([(await notified()).length, (await sent()).length]).toEqual([1, 1]);
  });

  it("is recorded once by two processes that look at the same time", async () => {
    const seller = newAccount();
    const { passportId } = await soulOf(seller);
    await indexed(await chain.transferPassport(passportId, seller, newAccount().address));
    await Promise.all([
      ...[1, 2, 3].map(() => newWatch().followTraces(running)),
      newWatch().compare(running),
    ]);
    expect([
      (await suspensions()).length,
      (await notified()).length,
      (await sent()).length,
    ]).toEqual([1, 1, 1]);
  });

  it("counts once its block is deep enough", async () => {
    const seller = newAccount();
    const { passportId } = await soulOf(seller);
    const block = await chain.transferPassport(passportId, seller, newAccount().address);
    const watch = newWatch({ confirmations: 3 });
    await chain.client.mine({ blocks: 1 });
    await indexed(block + 1n);
    await watch.followTraces(running);
    expect(await suspensions()).toEqual([]);
    await chain.client.mine({ blocks: 1 });
    await indexed(block + 2n);
    await watch.followTraces(running);
    expect((await suspensions()).map(({ passport }) => passport)).toEqual([Number(passportId)]);
  });

  it("that is missing in the index is found by comparing, and again after a return and a second sale", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    const { passportId } = await soulOf(seller);
    await chain.fund(buyer.address);
    await indexed(await chain.transferPassport(passportId, seller, buyer.address));
    const blind = newWatch({ index: { ...index, passportTraces: async () => [] } });
    await blind.followTraces(running);
    expect(await suspensions()).toEqual([]);
    await blind.compare(running);
    expect((await suspensions()).map(({ passport, ended }) => [passport, ended])).toEqual([
      [Number(passportId), false],
    ]);

    await indexed(await chain.transferPassport(passportId, buyer, seller.address));
    await blind.compare(running);
    expect((await suspensions()).map(({ ended }) => ended)).toEqual([true]);
    await indexed(await chain.transferPassport(passportId, seller, buyer.address));
    await blind.compare(running);
    expect((await suspensions()).map(({ ended }) => ended)).toEqual([true, false]);
    expect([(await notified()).length, (await sent()).length]).toEqual([2, 2]);
  });

  it("whose soul its sealer suspended itself is no sale until it is sold", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    const { tokenId, passportId } = await soulOf(seller);
    const hash = await chain.client.writeContract({
      account: seller,
      address: chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "suspendBySealer",
      args: [{ tokenId, epoch: 1, version: 0, nonce: 0n, deadline: 0n }, "0x"],
    });
    const { blockNumber } = await chain.client.waitForTransactionReceipt({ hash });
    await indexed(blockNumber);
    await newWatch().compare(running);
    expect((await suspensions()).map(({ owner, ended }) => [owner, ended])).toEqual([
      [seller.address, false],
    ]);
    expect((await sent()).map(({ name }) => name)).toEqual(["passport.suspend"]);
    expect(await notified()).toEqual([]);

    await indexed(await chain.transferPassport(passportId, seller, buyer.address));
    await newWatch().followTraces(running);
    expect((await suspensions()).map(({ owner, ended }) => [owner, ended])).toEqual([
      [seller.address, true],
      [buyer.address, false],
    ]);
    expect(await notified()).toMatchObject([
      { event: { data: { previousOwner: seller.address, newOwner: buyer.address } } },
    ]);
  });

  it("goes through many passports page by page, and stops between pages on request", async () => {
    const seller = newAccount();
    const { passportId } = await soulOf(seller);
    await indexed(await chain.transferPassport(passportId, seller, newAccount().address));
    const stopped = new AbortController();
    stopped.abort();
    await newWatch().followTraces(stopped.signal);
    expect(await suspensions()).toEqual([]);

    const all = await index.passportTraces({ block: 0n, id: 0n }, 10_000n, 1_000);
    const paged = [];
    for (let from = { block: 0n, id: 0n }; ; ) {
      const page = await index.passportTraces(from, 10_000n, 2);
      paged.push(...page);
      const last = page.at(-1);
      if (!last || page.length < 2) break;
      from = { block: last.block, id: last.passportId + 1n };
    }
    expect(paged).toEqual(all);
    expect(all.at(-1)?.passportId).toBe(passportId);
  });
});

/** What a service answers that was started just now. */
async function answered(passportId: bigint) {
  const reads = createChainReads(connection.pool);
  const age = createIndexAge({
    chainBlock: () => chain.client.getBlockNumber({ cacheTime: 0 }),
    progress: reads.progress,
    maxAgeMs: 60_000,
    now: () => performance.now(),
  });
  await age.sample();
  const current = createCurrentReads({
    reads,
    age,
    passports: souls,
    asked: { note: () => undefined },
  });
  const { value, checkedAt } = await current.agent(byPassport(passportId));
  const { isComplete } = age.standing();
  return {
    owner: value?.passport?.owner,
    passportOwner: (await current.passport(passportId)).value?.owner,
    isLive: checkedAt !== undefined,
    isComplete,
  };
}

describe("what the comparison asks the contracts", () => {
  it("is what each soul may spend, for a whole page, and how often its passport was written", async () => {
    const owner = newAccount();
    const [first, second] = [await soulOf(owner), await soulOf(owner)];
    const verbs = await verbsOf(owner);
    await verbs.setAllowance(owner, first.tokenId, { perTransaction: 5n, dailyLimit: 9n });
    const block = await chain.client.getBlockNumber({ cacheTime: 0 });
    const { timestamp } = await chain.client.getBlock({ blockNumber: block });
    const nothing = { epoch: 1, version: 0, spentToday: 0n, day: Number(timestamp / 86_400n) };
    const tokenIds = [first.tokenId, second.tokenId];
    expect(await passports.allowancesAt(tokenIds, block)).toEqual([
      { ...nothing, version: 1 },
      nothing,
    ]);
    expect((await passports.allowancesAt(tokenIds, block - 1n))[0]).toEqual(nothing);
    const page = Array.from({ length: COMPARED_PAGE }, (_, n) => tokenIds[n % 2] ?? 0n);
    const versions = (await passports.allowancesAt(page, block)).map(({ version }) => version);
    expect(versions).toEqual(page.map((_, n) => (n % 2 === 0 ? 1 : 0)));
    const [seen] = await passports.passportsAt([first.passportId], block);
    expect(seen?.soul).toMatchObject({ version: 0, passportVersion: 0 });
  });
});

describe("a sale that the index lacks", () => {
  const faults = () =>
    rows(sql`select found_by, from_block::int as first, to_block::int as last, detail, mended_at
      from app.index_fault order by id`);
  const differing = () =>
    rows(sql`select passport_id::int as passport, token_id::int as token, seen_block::int as block
      from app.passport_difference`);

  it("is answered from the chain once it was compared, until the index has it", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    const { passportId, tokenId } = await soulOf(seller);
    const block = await chain.transferPassport(passportId, seller, buyer.address);
    await indexed(block);
    await newWatch().compare(running);
    expect([await faults(), await differing()]).toEqual([[], []]);
    const { rows: kept } = await connection.pool.query(
      "select owner, owner_since_block from chain.passport where id = $1",
      [passportId.toString()],
    );
    // Without the indexer's own triggers, which only work in its transactions.
    const setOwner = (owner: string, since: string) =>
      connection.pool.query(`begin; set local session_replication_role = replica;
        update chain.passport set owner = '${owner}', owner_since_block = ${since}
          where id = ${passportId};
        commit`);
    await setOwner(seller.address.toLowerCase(), (block - 1n).toString());
    expect(await answered(passportId)).toEqual({
      owner: seller.address,
      passportOwner: seller.address,
      isLive: false,
      isComplete: true,
    });

    await newWatch().compare(running);
    await newWatch().compare(running);
    const fault = {
      found_by: "compared",
      first: Number(block),
      last: Number(block),
      detail: `passport ${passportId}`,
      mended_at: null,
    };
    expect(await faults()).toEqual([fault]);
    expect(await differing()).toEqual([
      { passport: Number(passportId), token: Number(tokenId), block: expect.any(Number) },
    ]);
    expect(await answered(passportId)).toEqual({
      owner: buyer.address,
      passportOwner: buyer.address,
      isLive: true,
      isComplete: false,
    });
    const reads = createChainReads(connection.pool);
    expect((await reads.holding(tokenId)).at.block).toBe(0n);

    await setOwner(kept[0].owner, kept[0].owner_since_block);
    await newWatch().compare(running);
    expect(await differing()).toEqual([]);
    expect(await faults()).toEqual([{ ...fault, mended_at: expect.anything() }]);
    expect(await answered(passportId)).toMatchObject({ owner: buyer.address, isLive: false });
  });

  it("is not taken for one when it is younger than the settled block", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    const { passportId } = await soulOf(seller);
    await indexed(await chain.transferPassport(passportId, seller, buyer.address));
    await newWatch({ confirmations: 2 }).compare(running);
    expect(await differing()).toEqual([]);
  });
});

describe("a step of the watch", () => {
  it("is refused when another process has taken it, or has seen a later block", async () => {
    const store = suspensionStore(connection.db);
    const move = (round: "traces" | "poll", from: bigint, to: bigint, seenBlock: bigint) =>
      store.inTransaction((tx) =>
        store.move(tx, round, {
          from: { block: 0n, id: from },
          to: { block: 0n, id: to },
          seenBlock,
        }),
      );
    const { block: next } = await store.cursor("traces");
    const { id } = await store.cursor("poll");
    expect(await move("poll", id, id + 5n, next - 2n)).toBe(false);
    expect(await move("poll", id + 1n, id + 5n, next)).toBe(false);
    expect(await move("poll", id, id + 5n, next)).toBe(true);
    expect(await move("poll", id, id + 5n, next)).toBe(false);
    expect(await store.cursor("poll")).toEqual({ block: 0n, id: id + 5n });
    expect(await move("poll", id + 5n, 0n, next)).toBe(true);
  });
});

/** Transactions of these accounts. */
async function verbsOf(...actors: LocalAccount[]) {
  for (const { address } of actors) await chain.client.impersonateAccount({ address });
  return chainVerbs({
    client: chain.client,
    contracts: chain.contracts,
    admin: account(0),
    mined: async (hash) => {
      const receipt = await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
      return { ...receipt, timestamp };
    },
    service: account(9),
  });
}

/** Lets the passport writer write to every passport of an account, later ones included. */
async function approveAll(owner: LocalAccount) {
  const hash = await chain.client.writeContract({
    account: owner,
    address: chain.contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "setApprovalForAll",
    args: [chain.contracts.passportWriter, true],
  });
  await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
}

/** The status that the passport shows for its soul. */
async function statusOn(passportId: bigint) {
  return hexToString(
    await chain.client.readContract({
      address: chain.contracts.identityRegistry,
      abi: identityRegistryAbi,
      functionName: "getMetadata",
      args: [passportId, "svcStatus"],
    }),
  );
}

describe("a soul that ended", () => {
  const clearEnded = () =>
    createEndedSouls({
      index,
      registry: passports,
      relayer,
      clock: () => new Date(Date.now()),
    })(running);

  it("leaves no status on a passport that the passport writer may write to", async () => {
    const [approving, other] = [newAccount(), newAccount()];
    const ended = [await soulOf(approving), await soulOf(other)] as const;
    await approveAll(approving);
    const verbs = await verbsOf(approving, other);
    await verbs.burn(approving, ended[0].tokenId);
    await verbs.burn(other, ended[1].tokenId);
    await indexed();
    expect(await index.statusesLeft(new Date(0), 100)).toEqual(
      expect.arrayContaining(ended.map(({ tokenId }) => tokenId)),
    );
    await clearEnded();
    await clearEnded();
    expect(await Promise.all(ended.map(({ passportId }) => statusOn(passportId)))).toEqual([
      "",
      "SEALED",
    ]);
    await indexed();
    expect(await index.statusesLeft(new Date(0), 100)).toEqual([ended[1].tokenId]);
    // It is not watched for ever.
    expect(await index.statusesLeft(new Date(Date.now() + 86_400_000), 100)).toEqual([]);
  });
});

describe("the job that records a suspension on chain", () => {
  async function sold() {
    const seller = newAccount();
    const { tokenId, passportId } = await soulOf(seller);
    const buyer = newAccount();
    await indexed(await chain.transferPassport(passportId, seller, buyer.address));
    await newWatch().followTraces(running);
    const [row] = await suspensions();
    const data = { suspensionId: String(row?.id), tokenId: tokenId.toString() };
    return { data, tokenId, passportId, seller, buyer };
  }

  it("calls the registry once, however often it runs", async () => {
    const { data, tokenId, passportId, seller, buyer } = await sold();
    await suspend(data, running);
    await suspend(data, running);
    const events = await suspendedEvents(tokenId);
    expect(events.map(({ args }) => args)).toEqual([
      { tokenId, passportId, observedOwner: buyer.address, sealer: seller.address },
    ]);
    const [row] = await suspensions();
    expect(row).toMatchObject({ recorded: true, tx: events[0]?.transactionHash });
  });

  it("that died after sending continues with the same transaction", async () => {
    const { data, tokenId } = await sold();
    const dying = createSuspender({
      registry: passports,
      relayer,
      records: { recorded: () => Promise.reject(new Error("killed")) },
      clock: () => NOW,
    });
    await expect(dying(data, running)).rejects.toThrow(new Error("killed"));
    await suspend(data, running);
    const [event, ...others] = await suspendedEvents(tokenId);
    expect(others).toEqual([]);
    expect(await suspensions()).toMatchObject([{ recorded: true, tx: event?.transactionHash }]);
  });

  it("succeeds when another sender already recorded the suspension", async () => {
    const { data, tokenId } = await sold();
    const stranger = newAccount();
    await chain.fund(stranger.address);
    const hash = await chain.client.writeContract({
      account: stranger,
      address: chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "suspend",
      args: [tokenId],
    });
    const { logs } = await chain.client.waitForTransactionReceipt({ hash });
    expect(parseEventLogs({ abi: soulRegistryAbi, logs })).toHaveLength(1);
    await suspend(data, running);
    expect(await suspendedEvents(tokenId)).toHaveLength(1);
    expect(await suspensions()).toMatchObject([{ recorded: true, tx: null }]);
  });

  it("succeeds without a transaction when the passport is back", async () => {
    const { data, tokenId, passportId, seller, buyer } = await sold();
    await chain.fund(buyer.address);
    await chain.transferPassport(passportId, buyer, seller.address);
    await suspend(data, running);
    expect(await suspendedEvents(tokenId)).toEqual([]);
    expect(await suspensions()).toMatchObject([{ recorded: true, tx: null }]);
  });

  it("writes the suspension to the passport, where its new owner approved the passport writer", async () => {
    const [approving, other] = [await sold(), await sold()];
    await chain.fund(approving.buyer.address);
    await approveAll(approving.buyer);
    for (const { data, passportId } of [approving, other]) {
      const status = await statusOn(passportId);
      const { id } = (await suspensions()).find(
        ({ passport }) => passport === Number(passportId),
      ) as { id: string };
      await suspend({ ...data, suspensionId: id }, running);
      const isApproved = passportId === approving.passportId;
      expect([status, await statusOn(passportId)]).toEqual([
        "SEALED",
        isApproved ? "SUSPENDED" : "SEALED",
      ]);
    }
  });

  it("records the sealer once the passport is back, so that the sealer can reseal", async () => {
    const { data, tokenId, passportId, seller, buyer } = await sold();
    await suspend(data, running);
    await chain.fund(buyer.address);
    await approveAll(seller);
    await indexed(await chain.transferPassport(passportId, buyer, seller.address));
    await newWatch().followTraces(running);
    const [gone, back] = await suspensions();
    expect([gone, back]).toMatchObject([
      { owner: buyer.address, ended: true },
      { owner: seller.address, sealer: seller.address, ended: false, recorded: false },
    ]);
    const events = (await notified())
      .map(({ event }) => event as { data: { observedBlock: number } })
      .toSorted((one, other) => one.data.observedBlock - other.data.observedBlock);
    expect(events).toMatchObject([
      { data: { previousOwner: seller.address, newOwner: buyer.address } },
      {
        event: "passport.transferred",
        data: {
          previousOwner: buyer.address,
          newOwner: seller.address,
          soulValidity: "suspended",
        },
      },
    ]);
    await suspend({ ...data, suspensionId: String(back?.id) }, running);
    const observed = (await suspendedEvents(tokenId)).map(({ args }) => args.observedOwner);
    expect(observed).toEqual([buyer.address, seller.address]);
    expect(await statusOn(passportId)).toBe("SUSPENDED");

    // No change is found until a reseal ends the suspension.
    await newWatch().compare(running);
    expect((await suspensions()).map(({ ended }) => ended)).toEqual([true, false]);
    const { blockNumber } = await (await verbsOf(seller)).reseal(seller, tokenId, "taken back");
    await indexed(blockNumber);
    await newWatch().compare(running);
    expect((await suspensions()).map(({ ended }) => ended)).toEqual([true, true]);
    expect(await statusOn(passportId)).toBe("SEALED");
  });

  it("fails for any other reason, and is retried", async () => {
    const { data, tokenId } = await sold();
    const down = createSuspender({
      registry: passports,
      relayer: { run: () => Promise.reject(new Error("no node")) },
      records: suspensionStore(connection.db),
      clock: () => NOW,
    });
    await expect(down(data, running)).rejects.toThrow(new Error("no node"));
    expect(await suspensions()).toMatchObject([{ recorded: false }]);
    expect(await suspendedEvents(tokenId)).toEqual([]);
  });
});
