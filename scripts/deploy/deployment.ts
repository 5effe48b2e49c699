import { join } from "node:path";
import type { Address } from "viem";

/** The file that the API and the indexer read (SVC_DEPLOYMENT). */
export interface Deployment {
  readonly chainId: number;
  readonly contracts: {
    readonly soulRegistry: Address;
    readonly soulCertificate: Address;
    readonly soulView: Address;
    readonly humanVerifierRegistry: Address;
    /** Null when it was deployed without an application id from World. */
    readonly worldIdVerifier: Address | null;
    readonly organizationRegistry: Address;
    readonly passportWriter: Address;
    readonly passportMint: Address;
    readonly registrars: Address;
    readonly bindingRegistry: Address;
    readonly chronicleAnchor: Address;
    readonly alignmentRegistry: Address;
    readonly agentKeys: Address;
    readonly allowanceVault: Address;
    readonly stablecoin: Address;
    readonly identityRegistry: Address;
    readonly reputationRegistry: Address;
    readonly validationRegistry: Address | null;
  };
  /** First block that can hold an event of this protocol's own contracts. */
  readonly startBlock: number;
  /**
   * First block read of the identity registry, which is older on a public chain. Default:
   * `startBlock`.
   */
  readonly identityRegistryStartBlock?: number;
}

/** The deployment file of the local stack in `directory`. */
export function deploymentPath(directory: string): string {
  return join(directory, "deployment.json");
}
