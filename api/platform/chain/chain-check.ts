import { assertChain } from "../../../protocol/chain-check.ts";
import { nodeTransport } from "./transport.ts";

/** A start must not wait long for a node that does not answer. */
const TIMEOUT_MS = 2_000;

/**
 * Asks the nodes of `RPC_URL` for their chain. No answer of one that is silent now counts before it
 * has given its chain.
 *
 * @throws WrongChainError when a node is on another chain.
 */
export function assertChainOfNodes(urls: readonly string[], expected: number): Promise<void> {
  const nodes = urls.map((url) => {
    const transport = nodeTransport({ url, timeoutMs: TIMEOUT_MS, retryCount: 0, retryDelay: 0 });
    return {
      variable: "RPC_URL",
      url,
      chainId: async () => Number(await transport({}).request({ method: "eth_chainId" })),
    };
  });
  return assertChain(nodes, expected);
}
