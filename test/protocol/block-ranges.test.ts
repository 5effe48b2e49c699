import { HttpRequestError, LimitExceededRpcError, RpcRequestError, TimeoutError } from "viem";
import { describe, expect, it } from "vitest";
import { isRefusedRange, searchBlocks } from "../../protocol/index.ts";

class Refused extends Error {}

/** Searches for `wanted` on a node that takes `limit` blocks at once. */
async function search(wanted: bigint | null, limit: bigint, maxRequests?: number) {
  const asked: [bigint, bigint][] = [];
  const found = await searchBlocks({
    firstBlock: 10n,
    lastBlock: 109n,
    maxRequests,
    isRefused: (error) => error instanceof Refused,
    async inRange(from, to) {
      asked.push([from, to]);
      if (to - from + 1n > limit) throw new Refused();
      return wanted !== null && from <= wanted && wanted <= to ? wanted : null;
    },
  });
  return { found, asked };
}

describe("a search of blocks", () => {
  it("asks once for all blocks when the node takes them", async () => {
    expect(await search(42n, 100n)).toEqual({ found: 42n, asked: [[10n, 109n]] });
  });

  it("halves a refused range, and goes on with what the node takes, the newest first", async () => {
    expect(await search(42n, 30n)).toEqual({
      found: 42n,
      asked: [
        [10n, 109n],
        [60n, 109n],
        [85n, 109n],
        [60n, 84n],
        [35n, 59n],
      ],
    });
  });

  it.each([10n, 11n, 108n, 109n])("finds block %s one block at a time", async (wanted) => {
    expect((await search(wanted, 1n)).found).toBe(wanted);
  });

  it("returns null when no block has it, or after the most requests", async () => {
    expect((await search(null, 30n)).found).toBeNull();
    const { found, asked } = await search(10n, 1n, 20);
    expect([found, asked.length]).toEqual([null, 20]);
  });

  it("throws a refusal of a single block, and any other error at once", async () => {
    await expect(search(42n, 0n)).rejects.toThrow(Refused);
    const broken = searchBlocks({
      firstBlock: 1n,
      lastBlock: 9n,
      isRefused: () => false,
      inRange: () => Promise.reject(new Error("No answer.")),
    });
    await expect(broken).rejects.toThrow("No answer.");
  });
});

const rpcError = (code: number, message: string) =>
  new RpcRequestError({ body: {}, url: "http://node", error: { code, message } });
const httpError = (status: number) => new HttpRequestError({ url: "http://node", status });

describe("an error for a range of logs", () => {
  it.each([
    ["geth", rpcError(-32005, "query returned more than 10000 results")],
    ["Alchemy", rpcError(-32600, "eth_getLogs requests with up to a 10 block range")],
    ["Infura", rpcError(-32005, "Try with this block range [0x1, 0x2]")],
    ["QuickNode", rpcError(-32614, "eth_getLogs is limited to a 10,000 range")],
    ["Ankr", rpcError(-32600, "block range is too wide")],
    ["Chainstack", rpcError(-32000, "Block range limit exceeded")],
    ["Cloudflare", rpcError(-32047, "range too large. Max range: 800")],
    ["dRPC", rpcError(35, "ranges over 10000 blocks are not supported on freetier")],
    ["an unknown provider", rpcError(-1, "no")],
    ["a proxy that limits bodies", httpError(413)],
    ["a proxy that dislikes the request", httpError(400)],
    ["viem's wrapper", new LimitExceededRpcError(rpcError(-32005, "limit exceeded"))],
    [
      "an answer above the client's limit",
      new HttpRequestError({
        url: "http://node",
        cause: Object.assign(new Error("large"), { code: "UND_ERR_RES_EXCEEDED_MAX_SIZE" }),
      }),
    ],
  ])("is a refusal of the range: %s", (_provider, error) => {
    expect(isRefusedRange(error)).toBe(true);
  });

  it.each([
    ["a status of too many requests", httpError(429)],
    ["Alchemy's code of too many requests", rpcError(429, "exceeded its capacity")],
    ["QuickNode's", rpcError(-32007, "15/second request limit reached")],
    ["Infura's", rpcError(-32005, "daily request count exceeded, request rate limited")],
    ["dRPC's", rpcError(15, "Too many request, try again later")],
    ["a missing key", httpError(401)],
    ["a server's fault", httpError(502)],
    ["no connection", new HttpRequestError({ url: "http://node" })],
    ["no answer in time", new TimeoutError({ body: {}, url: "http://node" })],
    ["no error of the node", new Error("bug")],
  ])("is no refusal of the range: %s", (_case, error) => {
    expect(isRefusedRange(error)).toBe(false);
  });
});
