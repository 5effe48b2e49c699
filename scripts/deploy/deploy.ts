import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { IgnitionModule } from "@nomicfoundation/ignition-core";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { type Address, createPublicClient, custom, getAddress, type PublicClient } from "viem";
import hardhatConfig from "../../hardhat.config.ts";
import LocalProtocol from "../../ignition/modules/LocalProtocol.ts";
import { artifactOf } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";
import { type Deployment, deploymentPath } from "./deployment.ts";
import { type DeployPlan, DeployRefusedError, type Parameters } from "./plan.ts";
import type { PlannedRole } from "./planned-contract.ts";
import { isTestAccount } from "./rules.ts";
import { isPublic } from "./targets.ts";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Ignition types a contract by artifacts, which a fresh clone has not compiled yet; only addresses
 * are needed.
 */
type Deployed = Readonly<Record<string, { readonly address: Address } | undefined>>;

type Hre = Awaited<ReturnType<typeof createHardhatRuntimeEnvironment>>;
type Connection = Awaited<ReturnType<Hre["network"]["create"]>>;

/**
 * How often Ignition looks for a block, in milliseconds, and how many must follow before it goes
 * on.
 */
export interface Patience {
  readonly blockPollingInterval: number;
  readonly requiredConfirmations: number;
}

/** A local chain mines at once and never reorganizes. */
const LOCAL: Patience = { blockPollingInterval: 25, requiredConfirmations: 1 };
const PUBLIC: Patience = { blockPollingInterval: 1_000, requiredConfirmations: 5 };

/**
 * Deploys the protocol with its own registries to the local chain at `rpcUrl` and writes the
 * deployment file atomically. Ignition's journal in `directory` starts empty, because the chain is
 * new each time.
 *
 * @param module the contracts; tests put other registries in.
 */
export async function deployLocally(
  rpcUrl: string,
  directory: string,
  module: IgnitionModule = LocalProtocol,
): Promise<Deployment> {
  const parameters = readParameters(parametersPath("local"));
  return deployToNode(rpcUrl, module, parameters, directory, deploymentPath(directory));
}

/** As {@link deployLocally}, with a plan's parameters and deployment file. */
export async function deployPlanLocally(
  plan: DeployPlan,
  rpcUrl: string,
  directory: string,
  file: string,
): Promise<Deployment> {
  return deployToNode(rpcUrl, plan.module, plan.parameters, directory, file);
}

async function deployToNode(
  rpcUrl: string,
  module: IgnitionModule,
  parameters: Parameters,
  directory: string,
  file: string,
): Promise<Deployment> {
  const journal = join(directory, "ignition");
  rmSync(journal, { recursive: true, force: true });
  const hre = await createHardhatRuntimeEnvironment({
    ...hardhatConfig,
    paths: { ...hardhatConfig.paths, ignition: journal },
    networks: { target: { type: "http", chainType: "l1", url: rpcUrl } },
  });
  const connection = await hre.network.create("target");
  try {
    const contracts = await runIgnition(connection, module, { parameters, patience: LOCAL });
    const deployment = {
      ...describeDeployment(await chainIdOf(connection), contracts),
      startBlock: 0,
    };
    writeDeployment(file, deployment);
    return deployment;
  } finally {
    await connection.close();
  }
}

export interface PublicDeployOptions {
  readonly plan: DeployPlan;
  /**
   * Ignition's folder; the journal goes to `deployments/<network>` in it. Default: `ignition` in
   * the repository.
   */
  readonly ignition?: string;
  /** Where the deployment file is written. */
  readonly file: string;
  readonly identityRegistryStartBlock?: number;
  readonly patience?: Patience;
  readonly note: (text: string) => void;
}

/**
 * Deploys a plan to a public chain, or continues an interrupted deployment: transactions that
 * Ignition's journal records as mined are not sent again. Writes the deployment file at the end,
 * then checks on chain that every planned role was granted.
 *
 * @throws DeployRefusedError before anything is sent, when the chain id differs, a required
 * contract is missing, or the sender is a test account, would hold a role on a production chain, or
 * has no ether.
 * @throws RolesDifferError when a planned role was not granted.
 */
export async function deployPublicly(options: PublicDeployOptions): Promise<Deployment> {
  const { plan, note, patience = PUBLIC } = options;
  const { target } = plan;
  const ignition = options.ignition ?? join(ROOT, "ignition");
  if (target.hardhatNetwork === null) throw new Error(`${target.title} is no public chain.`);
  const hre = await createHardhatRuntimeEnvironment({
    ...hardhatConfig,
    paths: { ...hardhatConfig.paths, ignition },
  });
  const connection = await hre.network.create(target.hardhatNetwork);
  try {
    const client = createPublicClient({ transport: custom(connection.provider) });
    const sender = await checkChain(plan, client, connection);
    note(`Deploying from ${sender}.`);
    const startBlock = await startBlockOf(join(ignition, "deployments", target.name), client);
    const contracts = await runIgnition(connection, plan.module, {
      parameters: plan.parameters,
      patience,
      deploymentId: target.name,
    });

    const { identityRegistryStartBlock } = options;
    const deployment: Deployment = {
      ...describeDeployment(target.chainId, contracts),
      startBlock,
      ...(identityRegistryStartBlock === undefined ? {} : { identityRegistryStartBlock }),
    };
    writeDeployment(options.file, deployment);
    await checkRoles(plan, contracts, client);
    return deployment;
  } finally {
    await connection.close();
  }
}

/** The chain lacks a role that the plan grants. */
class RolesDifferError extends Error {
  override readonly name = "RolesDifferError";
  constructor(readonly missing: readonly string[]) {
    super(`The contracts are deployed, but the chain does not confirm: ${missing.join("; ")}`);
  }
}

async function checkChain(
  { target, contracts }: DeployPlan,
  client: PublicClient,
  connection: Connection,
): Promise<Address> {
  const refuse = (problem: string) => new DeployRefusedError(target.title, [problem]);
  const chainId = await client.getChainId();
  if (chainId !== target.chainId) {
    throw refuse(`The node answers for chain ${chainId}, not for chain ${target.chainId}.`);
  }
  for (const { action, contractName, address } of contracts) {
    if (action !== "use") continue;
    const code = await client.getCode({ address: address as Address });
    if (code === undefined) throw refuse(`There is no ${contractName} at ${address}.`);
  }
  const [account] = (await connection.provider.request({ method: "eth_accounts" })) as Address[];
  if (account === undefined) throw refuse("There is no account to deploy from.");
  const sender = getAddress(account);
  if (isPublic(target) && isTestAccount(sender)) {
    throw refuse(
      `${sender} is a test account whose key is published: others would spend its ether.`,
    );
  }
  const power = target.production && contracts.find(({ roles }) => roles.some(heldBy(sender)));
  if (power) {
    throw refuse(`${sender}, which deploys, would hold a role of ${power.contractName}.`);
  }
  if ((await client.getBalance({ address: sender })) === 0n) {
    throw refuse(`${sender}, which deploys, has no ether on ${target.title}.`);
  }
  return sender;
}

/** The deployer's key is in the environment or keystore of one machine. */
const heldBy =
  (account: Address) =>
  ({ holder }: PlannedRole) =>
    holder.toLowerCase() === account.toLowerCase();

/** The block after the one in which this deployment began, also when an earlier run began it. */
async function startBlockOf(journal: string, client: PublicClient): Promise<number> {
  const path = join(journal, "start-block.json");
  if (existsSync(path)) return readJson<{ startBlock: number }>(path).startBlock;

  const startBlock = Number(await client.getBlockNumber({ cacheTime: 0 })) + 1;
  mkdirSync(journal, { recursive: true });
  writeWhole(path, `${JSON.stringify({ startBlock })}\n`);
  return startBlock;
}

async function runIgnition(
  connection: Connection,
  module: IgnitionModule,
  options: { parameters: Parameters; patience: Patience; deploymentId?: string },
): Promise<Deployed> {
  const { parameters, patience, deploymentId } = options;
  return (await connection.ignition.deploy(module, {
    parameters: structuredClone(parameters) as Record<
      string,
      Record<string, string | number | boolean>
    >,
    config: patience,
    ...(deploymentId === undefined ? {} : { deploymentId }),
  })) as Deployed;
}

async function checkRoles(
  plan: DeployPlan,
  deployed: Deployed,
  client: PublicClient,
): Promise<void> {
  const missing: string[] = [];
  for (const { key, contractName, roles } of plan.contracts) {
    const address = deployed[key]?.address;
    if (roles.length === 0 || address === undefined) continue;
    const { abi } = artifactOf(contractName);
    for (const { role, holder } of roles) {
      const id = await client.readContract({ address, abi, functionName: role });
      const held = await client.readContract({
        address,
        abi,
        functionName: "hasRole",
        args: [id, holder],
      });
      if (held !== true) missing.push(`${holder} holds ${role} of ${contractName}`);
    }
  }
  if (missing.length > 0) throw new RolesDifferError(missing);
}

function describeDeployment(
  chainId: number,
  deployed: Deployed,
): Pick<Deployment, "chainId" | "contracts"> {
  const address = (key: string): Address => {
    const contract = deployed[key];
    if (!contract) throw new Error(`The deployed module has no contract called ${key}.`);
    return contract.address;
  };
  return {
    chainId,
    contracts: {
      soulRegistry: address("soulRegistry"),
      soulCertificate: address("soulCertificate"),
      soulView: address("soulView"),
      humanVerifierRegistry: address("humanVerifierRegistry"),
      worldIdVerifier: deployed.worldIdVerifier?.address ?? null,
      organizationRegistry: address("organizationRegistry"),
      passportWriter: address("passportWriter"),
      passportMint: address("passportMint"),
      registrars: address("registrars"),
      bindingRegistry: address("bindingRegistry"),
      chronicleAnchor: address("chronicleAnchor"),
      alignmentRegistry: address("alignmentRegistry"),
      agentKeys: address("agentKeys"),
      allowanceVault: address("allowanceVault"),
      stablecoin: address("stablecoin"),
      identityRegistry: address("identityRegistry"),
      reputationRegistry: address("reputationRegistry"),
      // No public chain has an official one yet.
      validationRegistry: deployed.validationRegistry?.address ?? null,
    },
  };
}

async function chainIdOf(connection: Connection): Promise<number> {
  return Number(await connection.provider.request({ method: "eth_chainId" }));
}

function writeDeployment(path: string, deployment: Deployment): void {
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, `${JSON.stringify(deployment, null, 2)}\n`);
}

/** Atomic: readers find either the old or the new file. */
function writeWhole(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

/** The parameter file of a network. */
export function parametersPath(network: string): string {
  return join(ROOT, "ignition", "parameters", `${network}.json`);
}

export function readParameters(path: string): Parameters {
  return JSON.parse(readFileSync(path, "utf8")) as Parameters;
}
