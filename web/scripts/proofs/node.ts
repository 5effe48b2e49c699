import { createClient, http, type PublicClient } from "viem";
import {
  getBlock,
  getBlockNumber,
  getChainId,
  getCode,
  getTransactionReceipt,
  readContract,
} from "viem/actions";

/** The node's answers that the checks need: not all that viem can ask, to keep the page small. */
export type NodeClient = Pick<
  PublicClient,
  | "getBlock"
  | "getBlockNumber"
  | "getChainId"
  | "getCode"
  | "getTransactionReceipt"
  | "readContract"
  | "request"
>;

const TIMEOUT_MS = 15_000;

/** A client of one node. `asked` hears how many answers it has had. */
export function nodeClient(url: string, asked: (count: number) => void) {
  let count = 0;
  const client = createClient({
    transport: http(url, {
      timeout: TIMEOUT_MS,
      retryCount: 1,
      onFetchResponse() {
        count += 1;
        asked(count);
      },
    }),
  });
  const reads = {
    getBlock: (args: never) => getBlock(client, args),
    getBlockNumber: (args: never) => getBlockNumber(client, args),
    getChainId: () => getChainId(client),
    getCode: (args: never) => getCode(client, args),
    getTransactionReceipt: (args: never) => getTransactionReceipt(client, args),
    readContract: (args: never) => readContract(client, args),
    request: client.request,
  } as unknown as NodeClient;
  return { client, reads };
}
