import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { Address } from "viem";
import hardhatConfig from "../../hardhat.config.ts";
import LocalProtocol from "../../ignition/modules/LocalProtocol.ts";

/** The file that the API and the indexer read (SVC_DEPLOYMENT). */
export interface Deployment {
  readonly chainId: number;
  readonly contracts: {
    readonly soulRegistry: Address;
    readonly soulCertificate: Address;
    readonly soulView: Address;
    readonly humanVerifierRegistry: Address;
    readonly organizationRegistry: Address;
    readonly bindingRegistry: Address;
    readonly chronicleAnchor: Address;
    readonly alignmentRegistry: Address;
    readonly allowanceVault: Address;
    readonly stablecoin: Address;
    readonly identityRegistry: Address;
    readonly reputationRegistry: Address;
    readonly validationRegistry: Address | null;
  };
  /** First block that can hold an event of these contracts. */
  readonly startBlock: number;
}

/** Ignition types a contract by artifacts that a fresh clone has yet to compile; only addresses are needed here. */
type Deployed = Readonly<Record<keyof Deployment["contracts"], { readonly address: Address }>>;

const PARAMETERS = new URL("../../ignition/parameters/local.json", import.meta.url);

/**
 * Deploys the protocol with registries of its own to the local chain at `rpcUrl` and writes the deployment file, whole or not
 * at all. Ignition's journal goes to `directory` and starts empty: the chain is new each time.
 */
export async function deployLocally(rpcUrl: string, directory: string): Promise<Deployment> {
  const journal = join(directory, "ignition");
  rmSync(journal, { recursive: true, force: true });
  const hre = await createHardhatRuntimeEnvironment({
    ...hardhatConfig,
    paths: { ...hardhatConfig.paths, ignition: journal },
    networks: { target: { type: "http", chainType: "l1", url: rpcUrl } },
  });
  const connection = await hre.network.create("target");
  const contracts: Deployed = await connection.ignition.deploy(LocalProtocol, {
    parameters: JSON.parse(readFileSync(PARAMETERS, "utf8")),
    config: { blockPollingInterval: 25, requiredConfirmations: 1 },
  });
  const chainId = await connection.provider.request({ method: "eth_chainId" });
  await connection.close();

  const deployment: Deployment = {
    chainId: Number(chainId),
    contracts: {
      soulRegistry: contracts.soulRegistry.address,
      soulCertificate: contracts.soulCertificate.address,
      soulView: contracts.soulView.address,
      humanVerifierRegistry: contracts.humanVerifierRegistry.address,
      organizationRegistry: contracts.organizationRegistry.address,
      bindingRegistry: contracts.bindingRegistry.address,
      chronicleAnchor: contracts.chronicleAnchor.address,
      alignmentRegistry: contracts.alignmentRegistry.address,
      allowanceVault: contracts.allowanceVault.address,
      stablecoin: contracts.stablecoin.address,
      identityRegistry: contracts.identityRegistry.address,
      reputationRegistry: contracts.reputationRegistry.address,
      validationRegistry: contracts.validationRegistry.address,
    },
    startBlock: 0,
  };
  const path = deploymentPath(directory);
  writeFileSync(`${path}.new`, `${JSON.stringify(deployment, null, 2)}\n`);
  renameSync(`${path}.new`, path);
  return deployment;
}

export function deploymentPath(directory: string): string {
  return join(directory, "deployment.json");
}
