import { localProtocol, PROTOCOL, PROTOCOL_WITH_WORLD_ID, type Protocol } from "./protocol.ts";

/** A chain that the protocol can be deployed to. */
export interface DeployTarget {
  /** Name on the command line and of its parameter and deployment files. */
  readonly name: string;
  readonly title: string;
  readonly chainId: number;
  readonly protocol: Protocol;
  /** For operators with an application id from World; null where World ID is not deployed. */
  readonly protocolWithWorldId: Protocol | null;
  /** Its entry in hardhat.config.ts; null for a local node, which is reached by its port. */
  readonly hardhatNetwork: string | null;
  /** Required in Hardhat's keystore or the environment to deploy; not for a dry run. */
  readonly secrets: readonly string[];
  readonly explorer: string | null;
  /**
   * Whether real value depends on it: every role must be named explicitly, and no hot key may grant
   * one.
   */
  readonly production: boolean;
}

export const LOCAL_TARGET: DeployTarget = {
  name: "local",
  title: "a local node",
  chainId: 31_337,
  protocol: localProtocol(),
  protocolWithWorldId: null,
  hardhatNetwork: null,
  secrets: [],
  explorer: null,
  production: false,
};

export const DEPLOY_TARGETS: readonly DeployTarget[] = [
  LOCAL_TARGET,
  {
    name: "base-sepolia",
    title: "Base Sepolia",
    chainId: 84_532,
    protocol: PROTOCOL,
    protocolWithWorldId: PROTOCOL_WITH_WORLD_ID,
    hardhatNetwork: "baseSepolia",
    secrets: ["BASE_SEPOLIA_RPC_URL", "DEPLOYER_PRIVATE_KEY"],
    explorer: "https://sepolia.basescan.org",
    production: false,
  },
  {
    name: "base",
    title: "Base",
    chainId: 8453,
    protocol: PROTOCOL,
    protocolWithWorldId: PROTOCOL_WITH_WORLD_ID,
    hardhatNetwork: "base",
    secrets: ["BASE_RPC_URL", "DEPLOYER_PRIVATE_KEY"],
    explorer: "https://basescan.org",
    production: true,
  },
];

/** Whether the deployment there is used by the public. */
export function isPublic(target: DeployTarget): boolean {
  return target.hardhatNetwork !== null;
}
