import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  getAddress,
  type Hex,
  http,
  parseEther,
  type Transport,
} from "viem";
import hardhatConfig from "../../hardhat.config.ts";
import { artifactOf, ROOT } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";
import {
  type Chain,
  createContracts,
  createXProblem,
  differences,
  type Patience,
  waitForSent,
} from "./create.ts";
import { CREATE_X } from "./create3.ts";
import { type Deployment, deploymentPath } from "./deployment.ts";
import {
  type DeployPlan,
  DeployRefusedError,
  type Parameters,
  placeContracts,
  planDeployment,
} from "./plan.ts";
import type { PlannedContract, PlannedRole } from "./planned-contract.ts";
import { localProtocol, type Protocol } from "./protocol.ts";
import { isTestAccount } from "./rules.ts";
import { isPublic, LOCAL_TARGET } from "./targets.ts";

/** A local chain mines at once and never reorganizes. */
const LOCAL: Patience = { pollingInterval: 25, confirmations: 1 };
const PUBLIC: Patience = { pollingInterval: 1_000, confirmations: 5 };

/**
 * Deploys the protocol with its own registries to the local chain at `rpcUrl` and writes the
 * deployment file atomically.
 *
 * @param protocol the contracts; tests put other registries in.
 * @param deployer one of the node's accounts. Default: the first.
 */
export async function deployLocally(
  rpcUrl: string,
  directory: string,
  protocol: Protocol = localProtocol(),
  deployer?: Address,
): Promise<Deployment> {
  const plan = planLocally(protocol, readParameters(parametersPath("local")));
  return deployPlanLocally(plan, rpcUrl, deploymentPath(directory), deployer);
}

/** As {@link deployLocally}, with a plan and its deployment file. */
export async function deployPlanLocally(
  plan: DeployPlan,
  rpcUrl: string,
  file: string,
  deployer?: Address,
): Promise<Deployment> {
  const { contracts, chainId } = await deployToNode(plan, http(rpcUrl), deployer);
  const deployment = { ...describeDeployment(chainId, contracts), startBlock: 0 };
  writeWhole(file, deployment);
  return deployment;
}

/**
 * Deploys contracts to a chain of their own, as the local stack does.
 *
 * @returns their addresses by their names.
 */
export async function deployContracts<Name extends string>(options: {
  readonly transport: Transport;
  readonly contracts: Readonly<Record<Name, string>>;
  readonly parameters: Parameters;
  readonly deployer?: Address;
}): Promise<Readonly<Record<Name, Address>>> {
  const { transport, contracts: deploys, parameters, deployer } = options;
  const plan = planLocally({ deploys, uses: {} }, parameters);
  const { contracts } = await deployToNode(plan, transport, deployer);
  return Object.fromEntries(contracts.map(({ key, address }) => [key, address])) as Record<
    Name,
    Address
  >;
}

function planLocally(protocol: Protocol, parameters: Parameters): DeployPlan {
  return planDeployment({
    target: { ...LOCAL_TARGET, protocol },
    parameters,
    parameterFile: parametersPath("local"),
    roles: {},
    abiOf: (name) => artifactOf(name).abi as Abi,
  });
}

async function deployToNode(plan: DeployPlan, transport: Transport, deployer?: Address) {
  const client = createPublicClient({ transport });
  const wallet = createWalletClient({ transport });
  const sender = deployer ?? (await wallet.getAddresses())[0];
  if (sender === undefined) throw new Error("The node has no account.");
  await placeCreateX(transport);
  const placed = placeContracts(plan, sender);
  const chain = { client, wallet, sender, patience: LOCAL };
  const problems = await differences(placed, chain);
  if (problems.length > 0) throw new DeployRefusedError(plan.target.title, problems);
  await createContracts(placed, chain);
  return { contracts: placed.contracts, chainId: await client.getChainId() };
}

/** Sends the presigned transaction that creates CreateX to a local chain without it. */
export async function placeCreateX(transport: Transport): Promise<void> {
  const client = createPublicClient({ transport });
  if ((await client.getCode({ address: CREATE_X })) !== undefined) return;
  // Ignition has the transaction, but exports it not.
  const ignition = createRequire(createRequire(import.meta.url).resolve(IGNITION)).resolve(
    "@nomicfoundation/ignition-core",
  );
  const { presignedTx } = (await import(
    new URL("internal/execution/strategy/createx-artifact.js", pathToFileURL(ignition)).href
  )) as { presignedTx: Hex };
  const node = createTestClient({ mode: "hardhat", transport });
  await node.setBalance({ address: CREATE_X_SIGNER, value: parseEther("0.4") });
  await client.sendRawTransaction({ serializedTransaction: presignedTx });
  // It pays much for its gas, and the next sender would take the last block's price for its own.
  await node.mine({ blocks: 1 });
}

const IGNITION = "@nomicfoundation/hardhat-ignition";
const CREATE_X_SIGNER = "0xeD456e05CaAb11d66C4c797dD6c1D6f9A7F352b5";

export interface PublicDeployOptions {
  readonly plan: DeployPlan;
  /** Where the deployment file is written. */
  readonly file: string;
  /** The account that must deploy. Default: that of the key. */
  readonly deployer?: Address;
  readonly identityRegistryStartBlock?: number;
  readonly patience?: Patience;
  readonly note: (text: string) => void;
}

/**
 * Deploys a plan to a public chain, or continues an interrupted deployment: contracts that stand
 * already are compared, and not sent again. Writes the deployment file at the end, once the chain
 * has the plan's code and roles.
 *
 * @throws DeployRefusedError before anything is sent, when the chain id differs, CreateX or another
 * required contract is missing, a contract that stands already differs from the plan, or the sender
 * is not the named one, is a test account, would hold a role on a production chain, or has no ether.
 */
export async function deployPublicly(
  options: PublicDeployOptions,
): Promise<{ deployment: Deployment; placed: DeployPlan }> {
  const { plan, file, note, identityRegistryStartBlock } = options;
  const { target } = plan;
  if (target.hardhatNetwork === null) throw new Error(`${target.title} is no public chain.`);
  const hre = await createHardhatRuntimeEnvironment(hardhatConfig);
  const connection = await hre.network.create(target.hardhatNetwork);
  try {
    const transport = custom(connection.provider);
    const wallet = createWalletClient({ transport });
    const [account] = await wallet.getAddresses();
    const sender = getAddress(account as Address);
    const client = createPublicClient({ transport });
    const chain = { client, wallet, sender, patience: options.patience ?? PUBLIC };
    await checkChain(plan, chain, options.deployer);
    note(`Deploying from ${sender}.`);
    await waitForSent(chain, note);
    const placed = placeContracts(plan, sender);
    const problems = await differences(placed, chain);
    if (problems.length > 0) throw new DeployRefusedError(target.title, problems);

    const described = describeDeployment(target.chainId, placed.contracts);
    const deployment: Deployment = {
      ...described,
      startBlock: await startBlockOf(file, described.contracts.soulRegistry, target, chain),
      ...(identityRegistryStartBlock === undefined ? {} : { identityRegistryStartBlock }),
    };
    writeWhole(begunPath(file), deployment);
    await createContracts(placed, chain);
    const missing = await differences(placed, chain);
    if (missing.length > 0) throw new ChainDiffersError(missing);
    renameSync(begunPath(file), file);
    return { deployment, placed };
  } finally {
    await connection.close();
  }
}

/** What was deployed is not what was planned. */
class ChainDiffersError extends Error {
  override readonly name = "ChainDiffersError";
  constructor(readonly differences: readonly string[]) {
    super(`The contracts are deployed, but the chain differs: ${differences.join(" ")}`);
  }
}

async function checkChain(
  { target, contracts }: DeployPlan,
  { client, sender }: Chain,
  deployer: Address | undefined,
): Promise<void> {
  const refuse = (problem: string) => new DeployRefusedError(target.title, [problem]);
  const chainId = await client.getChainId();
  if (chainId !== target.chainId) {
    throw refuse(`The node answers for chain ${chainId}, not for chain ${target.chainId}.`);
  }
  const problem = await createXProblem(client);
  if (problem !== null) throw refuse(problem);
  for (const { action, contractName, address } of contracts) {
    if (action !== "use") continue;
    const code = await client.getCode({ address: address as Address });
    if (code === undefined) throw refuse(`There is no ${contractName} at ${address}.`);
  }
  if (deployer !== undefined && deployer !== sender) {
    throw refuse(`The key is that of ${sender}, not of the deployer ${deployer}.`);
  }
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
}

/** The deployer's key is in the environment or keystore of one machine. */
const heldBy =
  (account: Address) =>
  ({ holder }: PlannedRole) =>
    holder.toLowerCase() === account.toLowerCase();

/** The deployment file of a deployment that has begun. */
const begunPath = (file: string) => `${file}.begun`;

/**
 * The block after the one in which this deployment began, also when an earlier run began it.
 *
 * @throws DeployRefusedError when the file is another deployment's, or the begun one's is missing.
 */
async function startBlockOf(
  file: string,
  soulRegistry: Address,
  target: DeployPlan["target"],
  { client }: Chain,
): Promise<number> {
  const refuse = (problem: string) => new DeployRefusedError(target.title, [problem]);
  for (const path of [begunPath(file), file].filter(existsSync)) {
    const { contracts, startBlock } = readJson<Deployment>(path);
    if (contracts.soulRegistry === soulRegistry) return startBlock;
    throw refuse(
      `${path} is of another deployment: its SoulRegistry is at ${contracts.soulRegistry}, this deployer's at ${soulRegistry}. Move it away first.`,
    );
  }
  if ((await client.getCode({ address: soulRegistry })) !== undefined) {
    throw refuse(`SoulRegistry stands already, but there is no ${file}. Put it back first.`);
  }
  return Number(await client.getBlockNumber({ cacheTime: 0 })) + 1;
}

function describeDeployment(
  chainId: number,
  planned: readonly PlannedContract[],
): Pick<Deployment, "chainId" | "contracts"> {
  const found = (key: string) =>
    (planned.find((contract) => contract.key === key)?.address ?? null) as Address | null;
  const address = (key: string): Address => {
    const known = found(key);
    if (known === null) throw new Error(`The plan has no contract called ${key}.`);
    return known;
  };
  return {
    chainId,
    contracts: {
      soulRegistry: address("soulRegistry"),
      soulCertificate: address("soulCertificate"),
      soulView: address("soulView"),
      humanVerifierRegistry: address("humanVerifierRegistry"),
      worldIdVerifier: found("worldIdVerifier"),
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
      validationRegistry: found("validationRegistry"),
    },
  };
}

/** Atomic: readers find either the old or the new file. */
function writeWhole(path: string, deployment: Deployment): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(deployment, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** The parameter file of a network. */
export function parametersPath(network: string): string {
  return join(ROOT, "deployments", "parameters", `${network}.json`);
}

export function readParameters(path: string): Parameters {
  return readJson<Parameters>(path);
}
