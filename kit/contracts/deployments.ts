import type { Address } from "viem";
import { deployments as published } from "../../protocol/generated/deployments.ts";

/** Where the contracts of one chain are. */
export interface Deployment {
  readonly chainId: number;
  /** The first block that can hold an event of them. */
  readonly startBlock: number;
  /** By the contract's name with a small first letter. Null: not deployed on this chain. */
  readonly contracts: Readonly<Record<string, Address | null>>;
}

/** By chain id: the deployments that this version of the package knows. */
export const deployments: Readonly<Record<number, Deployment>> = published;

/**
 * The deployment on a chain.
 *
 * @throws Error when this version of the package knows none.
 */
export function deploymentOn(chainId: number): Deployment {
  const deployment = Object.hasOwn(deployments, chainId) ? deployments[chainId] : undefined;
  if (deployment !== undefined) return deployment;
  throw new Error(
    `This version of the package knows no deployment on chain ${chainId}. Take the addresses from a deployments/<network>.json that you trust.`,
  );
}
