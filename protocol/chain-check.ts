/** A configured node is on another chain than the deployment. */
export class WrongChainError extends Error {
  override readonly name = "WrongChainError";
}

/** A node of the configuration. */
export interface ConfiguredNode {
  /** The setting that names it. */
  readonly variable: string;
  readonly url: string;
  /** Asks it for its chain. */
  readonly chainId: () => Promise<number>;
}

/** What is wrong with a node of another chain, and what to do. Names its host: URLs hold keys. */
export function wrongChainMessage(
  { variable, url }: Pick<ConfiguredNode, "variable" | "url">,
  actual: number,
  expected: number,
): string {
  return `The node ${new URL(url).host} of ${variable} is on chain ${actual}, and the deployment on chain ${expected}. Set ${variable} to nodes of chain ${expected}, or SVC_DEPLOYMENT to the file of chain ${actual}.`;
}

/**
 * Asks each node for its chain once. One that does not answer is not judged now.
 *
 * @throws WrongChainError when a node is on another chain.
 */
export async function assertChain(
  nodes: readonly ConfiguredNode[],
  expected: number,
): Promise<void> {
  const problems = await Promise.all(
    nodes.map(async (node) => {
      const actual = await node.chainId().catch(() => null);
      if (actual === null || actual === expected) return [];
      return [wrongChainMessage(node, actual, expected)];
    }),
  );
  const found = problems.flat();
  if (found.length > 0) throw new WrongChainError(found.join("\n"));
}
