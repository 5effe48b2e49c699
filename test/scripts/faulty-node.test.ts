import {
  createPublicClient,
  createWalletClient,
  HttpRequestError,
  http,
  parseEventLogs,
  publicActions,
  TimeoutError,
  webSocket,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { type FaultyNode, startFaultyNode } from "../fixtures/faulty-node.ts";
import { alice, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";

// The proxy before the node, by what its clients get.

const LIMITS = { retryCount: 0, timeout: 500 };
const DEPTH = 10;

let chain: IndexedChain;
let node: FaultyNode;

beforeAll(async () => {
  chain = await startIndexedChain();
  node = await startFaultyNode(chain.rpcUrl);
});
afterEach(() => node.behave());
afterAll(async () => {
  await node?.stop();
  await chain?.stop();
});

const client = (url = node.url) =>
  createPublicClient({ transport: http(url, LIMITS), cacheTime: 0 });
const headOfChain = () => chain.client.getBlockNumber({ cacheTime: 0 });

/** Asks for the head over a websocket of its own. */
async function headOverSocket(): Promise<bigint> {
  const transport = webSocket(node.wsUrl, { ...LIMITS, reconnect: false, keepAlive: false });
  const socket = createPublicClient({ transport, cacheTime: 0 });
  try {
    return await socket.getBlockNumber();
  } finally {
    const opened = await socket.transport.getRpcClient().catch(() => null);
    opened?.close();
  }
}

/** Registers a passport through the proxy. */
async function register(uri: string) {
  const sender = createWalletClient({ account: alice, chain: hardhat, transport: http(node.url) });
  const hash = await sender.writeContract({
    address: chain.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "register",
    args: [uri],
  });
  return sender
    .extend(publicActions)
    .waitForTransactionReceipt({ hash, pollingInterval: 20, confirmations: 1 });
}

const urisOf = (logs: Parameters<typeof parseEventLogs>[0]["logs"]) =>
  parseEventLogs({ abi: identityRegistryAbi, eventName: "Registered", logs }).map(
    ({ args }) => args.agentURI,
  );

it("passes calls over HTTP and a websocket", async () => {
  expect(await client().getBlockNumber()).toBe(await headOfChain());
  expect(await headOverSocket()).toBe(await headOfChain());
});

it("is silent over both, and passes direct calls meanwhile", async () => {
  await node.misbehave({ kind: "is silent" });
  await expect(client().getBlockNumber()).rejects.toThrow(TimeoutError);
  await expect(headOverSocket()).rejects.toThrow(TimeoutError);
  expect(await client(node.directUrl).getBlockNumber()).toBe(await headOfChain());
});

it("resets the connections of both", async () => {
  await node.misbehave({ kind: "cuts connections" });
  await expect(client().getBlockNumber()).rejects.toThrow(HttpRequestError);
  await expect(headOverSocket()).rejects.toThrow();
});

it("answers late", async () => {
  await node.misbehave({ kind: "is slow", ms: 2 * LIMITS.timeout });
  await expect(client().getBlockNumber()).rejects.toThrow(TimeoutError);
  await node.misbehave({ kind: "is slow", ms: 1 });
  expect(await client().getBlockNumber()).toBe(await headOfChain());
});

it("leaves out logs, and shows the blocks that have them", async () => {
  const { blockNumber } = await register("https://alice.example/left-out");
  const range = { fromBlock: blockNumber, toBlock: blockNumber };
  await node.misbehave({ kind: "lacks logs" });
  expect(await client().getLogs(range)).toEqual([]);
  expect((await client().getBlock({ blockNumber })).logsBloom).not.toMatch(/^0x0*$/);
  node.behave();
  expect(urisOf(await client().getLogs(range))).toEqual(["https://alice.example/left-out"]);
});

it("replaces blocks, with the same transactions in other blocks", async () => {
  const begun = await headOfChain();
  const replaced = node.reorganize(DEPTH);
  await expect.poll(() => node.isReorganizing()).toBe(true);
  const receipts = [await register("https://alice.example/1")];
  receipts.push(await register("https://alice.example/2"));
  // More than seven at once would be blocks that Hardhat makes up when they are read.
  for (let mined = 2; mined < DEPTH; mined += 1) await chain.client.mine({ blocks: 1 });
  await replaced;

  expect(await headOfChain()).toBe(begun + BigInt(DEPTH) + 1n);
  const again = await Promise.all(
    receipts.map(({ transactionHash: hash }) => client().getTransactionReceipt({ hash })),
  );
  for (const [index, { blockHash, blockNumber, status, logs }] of again.entries()) {
    expect({ status, uris: urisOf(logs) }).toEqual({
      status: "success",
      uris: [`https://alice.example/${index + 1}`],
    });
    // An empty block came before them.
    expect(blockNumber).toBe((receipts[index]?.blockNumber ?? 0n) + 1n);
    expect(blockHash).not.toBe(receipts[index]?.blockHash);
  }
});
