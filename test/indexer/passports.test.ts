import pg from "pg";
import { encodeFunctionData, type Hex, keccak256, stringToHex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainReads, createChainReads } from "../../api/soul/indexed.store.ts";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  account,
  alice,
  bob,
  type IndexedChain,
  startIndexedChain,
} from "../fixtures/indexed-chain.ts";
import { type RunningIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { indexedUpTo } from "./indexed-up-to.ts";

/** For a test that starts its own indexer on a loaded machine. */
const RESTART_MS = 60_000;

let chain: IndexedChain;
let database: TestDatabase;
let pool: pg.Pool;
let reads: ChainReads;
let indexer: RunningIndexer;
let first: Awaited<ReturnType<IndexedChain["registerPassport"]>>;

beforeAll(async () => {
  chain = await startIndexedChain();
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  reads = createChainReads(pool);
  // Before the indexer starts: this one is read in the backfill, all others live.
  first = await chain.registerPassport(alice, "https://alice.example/agent.json");
  await expect(reads.indexedBlock()).rejects.toMatchObject({ type: "REGISTRY_PENDING" });
  expect(await reads.isReady()).toBe(false);
  indexer = await startIndexer({ databaseUrl: database.url, ...chain });
});

afterAll(async () => {
  await indexer?.stop();
  await pool?.end();
  await database?.drop();
  await chain?.stop();
});

const indexed = (block: bigint) => indexedUpTo(chain.client, pool, block);

async function metadataOf(agentId: bigint): Promise<Record<string, Hex | null>> {
  const { rows } = await pool.query(
    "select key, value from chain.passport_metadata where passport_id = $1",
    [agentId.toString()],
  );
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

const setMetadata = (agentId: bigint, key: string, value: Hex) =>
  encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "setMetadata",
    args: [agentId, key, value],
  });

/** The same call with other bytes as its key, which no encoder of strings would write. */
const setMetadataAs = (agentId: bigint, key: Hex, value: Hex) => {
  const placeholder = "x".repeat((key.length - 2) / 2);
  return setMetadata(agentId, placeholder, value).replace(
    stringToHex(placeholder).slice(2),
    key.slice(2),
  ) as Hex;
};

describe("a registered passport", () => {
  it("is indexed with every field; the first id is 0", async () => {
    await indexed(first.blockNumber);
    expect(first.agentId).toBe(0n);
    expect((await reads.passport(0n)).value).toEqual({
      id: 0n,
      owner: alice.address,
      uri: "https://alice.example/agent.json",
      registrant: alice.address,
      registeredAt: first.timestamp,
      registeredBlock: first.blockNumber,
      registeredTx: first.transactionHash,
      ownerSince: first.timestamp,
      ownerSinceBlock: first.blockNumber,
      transferCount: 0,
      soulTokenId: null,
      metadataPendingAt: null,
      metadataPendingBlock: null,
    });
    expect(await metadataOf(0n)).toEqual({ agentWallet: alice.address.toLowerCase() });
  });

  it("is null under an unknown id", async () => {
    expect((await reads.passport(2n ** 256n - 1n)).value).toBeNull();
    expect((await reads.passport(2n ** 256n - 1n)).at.block).toBeGreaterThanOrEqual(
      first.blockNumber,
    );
  });
});

describe("a transfer", () => {
  it("moves the passport, keeps its history and shows the cleared wallet", async () => {
    const { agentId, ...minted } = await chain.registerPassport(alice, "");
    const moved = await chain.transferPassport(agentId, alice, bob.address);
    await indexed(moved.blockNumber);

    expect((await reads.passport(agentId)).value).toMatchObject({
      owner: bob.address,
      registrant: alice.address,
      registeredBlock: minted.blockNumber,
      ownerSince: moved.timestamp,
      ownerSinceBlock: moved.blockNumber,
      transferCount: 1,
    });
    expect(await metadataOf(agentId)).toEqual({ agentWallet: "0x" });
    const history = await pool.query(
      `select kind, "from", "to", block, timestamp, tx from chain.passport_owner
       where passport_id = $1 order by block, log_index`,
      [agentId.toString()],
    );
    expect(history.rows).toEqual([
      {
        kind: "MINTED",
        from: zeroAddress,
        to: alice.address.toLowerCase(),
        block: minted.blockNumber.toString(),
        timestamp: minted.timestamp.toString(),
        tx: minted.transactionHash,
      },
      {
        kind: "TRANSFERRED",
        from: alice.address.toLowerCase(),
        to: bob.address.toLowerCase(),
        block: moved.blockNumber.toString(),
        timestamp: moved.timestamp.toString(),
        tx: moved.transactionHash,
      },
    ]);
  });

  it("to oneself leaves the owner's time unchanged", async () => {
    const { agentId, ...minted } = await chain.registerPassport(alice, "");
    const moved = await chain.transferPassport(agentId, alice, alice.address);
    await indexed(moved.blockNumber);

    expect((await reads.passport(agentId)).value).toMatchObject({
      owner: alice.address,
      ownerSince: minted.timestamp,
      ownerSinceBlock: minted.blockNumber,
      transferCount: 0,
    });
  });
});

describe("passportsOfOwner", () => {
  it("lists the longest held first, up to the limit, and only the owner's", async () => {
    const carol = account(3).address;
    const one = await chain.registerPassport(alice, "");
    const two = await chain.registerPassport(alice, "");
    await chain.transferPassport(two.agentId, alice, carol);
    const last = await chain.transferPassport(one.agentId, alice, carol);
    await indexed(last.blockNumber);

    const ids = async (limit: number) =>
      (await reads.passportsOfOwner(carol, limit)).value.map(({ id }) => id);
    expect(await ids(50)).toEqual([two.agentId, one.agentId]);
    expect(await ids(1)).toEqual([two.agentId]);
    expect((await reads.passportsOfOwner(zeroAddress, 50)).value).toEqual([]);
  });
});

describe("a changed URI or metadata value", () => {
  it("replaces the previous one", async () => {
    const { agentId } = await chain.registerPassport(alice, "https://alice.example/1");
    await chain.callIdentityRegistry(alice, setMetadata(agentId, "color", "0x01"));
    await chain.callIdentityRegistry(alice, setMetadata(agentId, "color", "0x0203"));
    const changed = await chain.callIdentityRegistry(
      alice,
      encodeFunctionData({
        abi: identityRegistryAbi,
        functionName: "setAgentURI",
        args: [agentId, "https://alice.example/2"],
      }),
    );
    await indexed(changed.blockNumber);

    expect((await reads.passport(agentId)).value?.uri).toBe("https://alice.example/2");
    expect(await metadataOf(agentId)).toEqual({
      agentWallet: alice.address.toLowerCase(),
      color: "0x0203",
    });
  });
});

describe("hostile input", () => {
  it("never stops the index, mistakes no key for another, and alters no text", async () => {
    const { agentId } = await chain.registerPassport(alice, "ar://nul\0inside");
    const spoofs: Hex[] = [
      `0xefbbbf${stringToHex("agentWallet").slice(2)}`,
      stringToHex("agent\0Wallet"),
      `${stringToHex("agentWallet")}ff`,
      stringToHex("k".repeat(5000)),
    ];
    for (const key of spoofs) {
      await chain.callIdentityRegistry(alice, setMetadataAs(agentId, key, "0xbad0"));
    }
    const copy = "a\\b\tc\nd\re\b\v\f'\"\\N\\.";
    const last = await chain.callIdentityRegistry(alice, setMetadata(agentId, copy, "0x"));
    await indexed(last.blockNumber);

    expect((await reads.passport(agentId)).value?.uri).toBeNull();
    expect(await metadataOf(agentId)).toEqual({
      agentWallet: alice.address.toLowerCase(),
      ...Object.fromEntries(spoofs.map((key) => [keccak256(key), "0xbad0"])),
      [copy]: "0x",
    });
  });

  it(
    "is stored the same when it is read in a batch of the backfill",
    async () => {
      const { agentId } = await chain.registerPassport(alice, "");
      // Above 20 rows Ponder writes with COPY, whose escaping differs.
      const keys = Array.from({ length: 25 }, (_, i) => `${i}\\b\tc\nd\re\b\v\f'"\\N\\.\u{1F600}`);
      for (const key of keys) {
        await chain.callIdentityRegistry(alice, setMetadata(agentId, key, "0x77"));
      }
      // Past finality, so that they are read as one range.
      await chain.client.mine({ blocks: 40 });
      const second = await createDatabase();
      const secondPool = new pg.Pool({ connectionString: second.url });
      const secondIndexer = await startIndexer({ databaseUrl: second.url, ...chain });
      try {
        const { rows } = await secondPool.query(
          "select key from chain.passport_metadata where passport_id = $1 and value = '0x77'",
          [agentId.toString()],
        );
        expect(rows.map(({ key }) => key).sort()).toEqual([...keys].sort());
      } finally {
        await secondIndexer.stop();
        await secondPool.end();
        await second.drop();
      }
    },
    RESTART_MS,
  );
});
