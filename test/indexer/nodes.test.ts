import { createPublicClient, HttpRequestError, isAddressEqual } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createNodesClient } from "../../api/platform/chain/clients.ts";
import { assertLogsUpTo, findNewestLog, readLogs } from "../../api/platform/chain/log-search.ts";
import { createChainNodes } from "../../api/platform/chain/nodes.ts";
import { assertChainOfNodes, connectNodes } from "../../indexer/nodes.ts";
import { type FaultyNode, startFaultyNode } from "../fixtures/faulty-node.ts";
import { alice, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { REFUSALS } from "../fixtures/provider-refusals.ts";

// What the indexer and the API read of a chain whose first node misbehaves.

const CHAIN = 31_337;

let chain: IndexedChain;
let first: FaultyNode;
let second: FaultyNode;
let head: bigint;

beforeAll(async () => {
  chain = await startIndexedChain();
  for (let count = 0; count < 3; count += 1) {
    await chain.registerPassport(alice, `https://alice.example/${count}`);
  }
  head = await chain.client.getBlockNumber({ cacheTime: 0 });
  [first, second] = await Promise.all([
    startFaultyNode(chain.rpcUrl),
    startFaultyNode(chain.rpcUrl),
  ]);
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop(), chain?.stop()]);
});
afterEach(() => {
  first.behave();
  second.behave();
});

/** As the indexer reads: through the transport that Ponder gets. */
function indexerClient(...nodes: FaultyNode[]) {
  const { transport, start } = connectNodes(
    nodes.map(({ url }) => url),
    CHAIN,
  );
  return { client: createPublicClient({ transport, cacheTime: 0 }), compareHeads: start };
}

function apiClient(...nodes: readonly [FaultyNode, ...FaultyNode[]]) {
  const [{ url }, ...others] = nodes;
  const chainNodes = createChainNodes({
    urls: [url, ...others.map((node) => node.url)],
    chainId: CHAIN,
    now: () => performance.now(),
  });
  return createNodesClient({ nodes: chainNodes, chainId: CHAIN, timeoutMs: 500 });
}

const allLogs = () => ({ fromBlock: 0n, toBlock: head });
const expectedLogs = () => chain.client.getLogs(allLogs());
const placeOf = ({ blockNumber, logIndex }: { blockNumber: bigint; logIndex: number }) =>
  `${blockNumber} ${logIndex}`;

/** The same question in both ways, each with the number of requests for logs. */
async function logsOf(node: FaultyNode) {
  const before = node.calls.length;
  const indexed = await indexerClient(node).client.getLogs(allLogs());
  const client = apiClient(node);
  const read = await readLogs(allLogs(), (range) => client.getLogs(range));
  const newest = await findNewestLog(client, 0n, (range) =>
    client.getLogs({ address: chain.identityRegistry, ...range }),
  );
  const requests = node.calls.slice(before).filter(({ method }) => method === "eth_getLogs");
  return { indexed: indexed.map(placeOf), read: read.map(placeOf), newest, requests };
}

describe("logs of a node that limits", () => {
  it.each(REFUSALS)("the range of blocks, as %s does, are complete", async (_name, refusal) => {
    await first.misbehave({ kind: "limits range", blocks: 5, refusal });
    const expected = (await expectedLogs()).map(placeOf);
    const { indexed, read, newest, requests } = await logsOf(first);
    expect(indexed).toEqual(expected);
    expect(read).toEqual(expected);
    expect(newest?.blockNumber).toBe(head);
    expect(requests.length).toBeGreaterThan(2 * Number(head / 5n));
  });

  it.each(REFUSALS)("the number of logs, as %s does, are complete", async (_name, refusal) => {
    const expected = await expectedLogs();
    const perBlock = Map.groupBy(expected, ({ blockNumber }) => blockNumber);
    const logs = Math.max(...[...perBlock.values()].map(({ length }) => length));
    await first.misbehave({ kind: "limits results", logs, refusal });
    const { indexed, read, newest } = await logsOf(first);
    expect(indexed).toEqual(expected.map(placeOf));
    expect(read).toEqual(expected.map(placeOf));
    expect(newest?.blockNumber).toBe(head);
  });
});

describe("a node that knows blocks before their logs", () => {
  it("is not believed by the indexer, in a range or for one block", async () => {
    await first.misbehave({ kind: "lacks recent logs", blocks: 2 });
    const { client } = indexerClient(first);
    const missing = (block: bigint) =>
      `The node ${first.host} has not indexed the logs of block ${block} yet.`;
    await expect(client.getLogs(allLogs())).rejects.toThrow(missing(head - 1n));
    const { hash: blockHash } = await client.getBlock({ blockNumber: head });
    await expect(client.getLogs({ blockHash })).rejects.toThrow(missing(head));
    const older = await client.getLogs({ fromBlock: 0n, toBlock: head - 2n });
    expect(older.length).toBeGreaterThan(0);
    first.behave();
    expect((await client.getLogs({ blockHash })).length).toBeGreaterThan(0);
    expect(await client.getLogs(allLogs())).toEqual(await expectedLogs());
  });

  it("is not believed by the API when a search finds nothing", async () => {
    const client = apiClient(first);
    const search = () =>
      findNewestLog(client, head, async (range) => {
        const logs = await client.getLogs(range);
        return logs.filter(({ address }) => address === "0x");
      });
    expect(await search()).toBeNull();
    await first.misbehave({ kind: "lacks recent logs", blocks: 2 });
    await expect(search()).rejects.toMatchObject({ type: "CHAIN_UNAVAILABLE" });
    await expect(assertLogsUpTo(client, head)).rejects.toMatchObject({
      type: "CHAIN_UNAVAILABLE",
      cause: { message: `The node has not indexed the logs of block ${head} yet.` },
    });
  });

  it("is not believed after it gave complete answers either", async () => {
    const { client } = indexerClient(first);
    const expected = await expectedLogs();
    expect(await client.getLogs(allLogs())).toEqual(expected);
    await first.misbehave({ kind: "lacks recent logs", blocks: Number(head) + 1 });
    const address = chain.identityRegistry;
    const ofRegistry = expected.filter((log) => isAddressEqual(log.address, address));
    await expect(client.getLogs(allLogs())).rejects.toThrow(
      `The node ${first.host} has not indexed the logs of block ${expected[0]?.blockNumber} yet.`,
    );
    await expect(client.getLogs({ ...allLogs(), address })).rejects.toThrow(
      `The node ${first.host} has not indexed the logs of block ${ofRegistry[0]?.blockNumber} yet.`,
    );
    const { hash: blockHash } = await client.getBlock({ blockNumber: head });
    await expect(client.getLogs({ blockHash })).rejects.toThrow(
      `The node ${first.host} has not indexed the logs of block ${head} yet.`,
    );
  });

  it("is not believed on a chain without bloom filters", async () => {
    await first.misbehave({ kind: "lacks recent logs", blocks: Number(head) + 1, blooms: false });
    const { client } = indexerClient(first);
    await expect(client.getLogs(allLogs())).rejects.toThrow("has not indexed the logs of block");
    const { hash: blockHash } = await client.getBlock({ blockNumber: head });
    await expect(client.getLogs({ blockHash })).rejects.toThrow(
      `The node ${first.host} has not indexed the logs of block ${head} yet.`,
    );
    await first.misbehave({ kind: "lacks recent logs", blocks: 0, blooms: false });
    expect(await client.getLogs(allLogs())).toEqual(await expectedLogs());
  });

  it("is asked for each block once when several ranges hold it", async () => {
    const { client } = indexerClient(first);
    const before = first.calls.length;
    const starts = [0n, 1n, 2n, 3n, 4n];
    await Promise.all(starts.map((fromBlock) => client.getLogs({ ...allLogs(), fromBlock })));
    const methods = first.calls.slice(before).map(({ method }) => method);
    const count = (wanted: string) => methods.filter((method) => method === wanted).length;
    expect(count("eth_getBlockByNumber")).toBe(Number(head) + 1);
    expect(count("eth_getLogs")).toBe(starts.length);
  });

  it("gives way to the next one", async () => {
    await first.misbehave({ kind: "lacks recent logs", blocks: 2 });
    const { client } = indexerClient(first, second);
    expect(await client.getLogs(allLogs())).toEqual(await expectedLogs());
  });
});

describe("the indexer's nodes", () => {
  it.each([
    { kind: "limits requests", retryAfter: "60" },
    { kind: "limits requests" },
    { kind: "limits requests by code", code: 429 },
    { kind: "fails", status: 502 },
    { kind: "answers garbage" },
    { kind: "cuts connections" },
    { kind: "is on another chain", chainId: 1 },
  ] as const)("answer for each other: %o", async (fault) => {
    await first.misbehave(fault);
    const { client } = indexerClient(first, second);
    const before = second.calls.length;
    expect(await client.getLogs(allLogs())).toEqual(await expectedLogs());
    expect(await client.getBlockNumber()).toBe(head);
    expect(second.calls.slice(before).map(({ method }) => method)).toContain("eth_blockNumber");
  });

  it("are asked in the order of their heads", async () => {
    await first.misbehave({ kind: "stands still", behind: 3 });
    const { client, compareHeads } = indexerClient(first, second);
    await compareHeads();
    expect(await client.getBlockNumber()).toBe(head);
    first.behave();
    await compareHeads();
    const before = second.calls.length;
    expect(await client.getBlockNumber()).toBe(head);
    expect(second.calls.length).toBe(before);
  });

  it("are asked further for a block that the first does not know yet", async () => {
    await first.misbehave({ kind: "stands still", behind: 1 });
    const { client } = indexerClient(first, second);
    expect((await client.getBlock({ blockNumber: head })).number).toBe(head);
  });

  it("throw the last failure when none answers", async () => {
    await Promise.all([
      first.misbehave({ kind: "fails", status: 500 }),
      second.misbehave({ kind: "cuts connections" }),
    ]);
    await expect(indexerClient(first, second).client.getBlockNumber()).rejects.toBeInstanceOf(
      HttpRequestError,
    );
  });
});

describe("the indexer's check of the chain", () => {
  it("refuses a node and a socket of another chain, and passes over a silent one", async () => {
    const urls = [first.url, "http://127.0.0.1:1"];
    await expect(
      assertChainOfNodes({ urls, socketUrl: first.wsUrl }, CHAIN),
    ).resolves.toBeUndefined();
    await expect(assertChainOfNodes({ urls, socketUrl: first.wsUrl }, 8453)).rejects.toThrow(
      [
        `The node ${first.host} of RPC_URL is on chain 31337, and the deployment on chain 8453. Set RPC_URL to nodes of chain 8453, or SVC_DEPLOYMENT to the file of chain 31337.`,
        `The node ${first.host} of RPC_WS_URL is on chain 31337, and the deployment on chain 8453. Set RPC_WS_URL to nodes of chain 8453, or SVC_DEPLOYMENT to the file of chain 31337.`,
      ].join("\n"),
    );
  });
});

describe("an old range", () => {
  const lacking = { kind: "lacks recent logs", blocks: 10_000 } as const;

  beforeAll(() => chain.client.mine({ blocks: 1_100 }));

  it("is compared with a second node, and the more complete answer counts", async () => {
    const expected = await expectedLogs();
    await first.misbehave(lacking);
    const before = second.calls.length;
    expect(await indexerClient(first, second).client.getLogs(allLogs())).toEqual(expected);
    expect(await indexerClient(second, first).client.getLogs(allLogs())).toEqual(expected);
    const methods = second.calls.slice(before).map(({ method }) => method);
    expect(methods.filter((method) => method === "eth_getLogs").length).toBe(3);
  });

  it("is checked at a few blocks when there is no second node", async () => {
    await first.misbehave(lacking);
    const { client } = indexerClient(first);
    await expect(client.getLogs(allLogs())).rejects.toThrow("has not indexed the logs of block");
    const [log] = await expectedLogs();
    const block = log?.blockNumber ?? 0n;
    const own = { fromBlock: block, toBlock: block };
    await expect(client.getLogs(own)).rejects.toThrow(
      `The node ${first.host} has not indexed the logs of block ${block} yet.`,
    );
  });
});
