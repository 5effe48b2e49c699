import { setTimeout } from "node:timers/promises";
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeDeployData,
  encodeFunctionData,
  getContractError,
  type Hex,
  keccak256,
  type PublicClient,
  type WalletClient,
  zeroHash,
} from "viem";
import { artifactOf } from "../lib/artifacts.ts";
import { CREATE_X, CREATE_X_CODE_HASH, createXAbi, saltOf } from "./create3.ts";
import type { DeployPlan } from "./plan.ts";
import { isDeployed, type PlannedContract } from "./planned-contract.ts";

// The chain itself is the record of a deployment: a contract stands at the address that its name and
// the deployer's account give, or it does not yet. So a run may end anywhere, and another goes on.

/** How often the chain is asked for a block, in milliseconds, and in how many blocks a transaction is final. */
export interface Patience {
  readonly pollingInterval: number;
  readonly confirmations: number;
}

/** A chain, and the account that deploys to it. */
export interface Chain {
  readonly client: PublicClient;
  readonly wallet: WalletClient;
  readonly sender: Address;
  readonly patience: Patience;
}

/** Creates those contracts of a placed plan that do not stand yet. */
export async function createContracts(plan: DeployPlan, chain: Chain): Promise<void> {
  for (const contract of plan.contracts.filter(isDeployed)) {
    if ((await codeAt(contract, chain)) === undefined) await create(contract, chain);
  }
}

async function create(contract: PlannedContract, chain: Chain): Promise<void> {
  const { client, wallet, sender, patience } = chain;
  const data = encodeFunctionData({
    abi: createXAbi,
    functionName: "deployCreate3",
    args: [saltOf(sender, contract.key), initCodeOf(contract)],
  });
  try {
    const hash = await wallet.sendTransaction({ account: sender, chain: null, to: CREATE_X, data });
    const receipt = await client.waitForTransactionReceipt({ hash, ...patience });
    if (receipt.status !== "success") throw new Error(`${hash} was reverted.`);
  } catch (error) {
    // CreateX hides why a constructor refuses.
    await createdCode(contract, client);
    throw new Error(`${contract.contractName} is not created: ${reasonOf(error, createXAbi)}`, {
      cause: error,
    });
  }
}

/**
 * What differs between the chain and a placed plan, in sentences: the code of the contracts that
 * stand already, and who holds the roles.
 */
export async function differences(plan: DeployPlan, chain: Chain): Promise<string[]> {
  const { client } = chain;
  const found: string[] = [];
  for (const contract of plan.contracts.filter(isDeployed)) {
    const code = await codeAt(contract, chain);
    if (code === undefined) continue;
    const { contractName, address } = contract;
    if (code !== (await createdCode(contract, client).catch(() => null))) {
      found.push(`${address} has not the code that this ${contractName} and its arguments give.`);
      continue;
    }
    found.push(...(await otherState(contract, client)));
  }
  return found;
}

/** Roles and delays are storage. They are compared as they are now: an admin may have changed them. */
async function otherState(contract: PlannedContract, client: PublicClient): Promise<string[]> {
  const { contractName, roles } = contract;
  const { abi } = artifactOf(contractName);
  const read = (functionName: string, args: readonly unknown[] = []) =>
    client.readContract({ address: contract.address as Address, abi, functionName, args });
  const found: string[] = [];
  for (const { role, holder } of roles) {
    const held = await read("hasRole", [await read(role), holder]);
    if (held !== true) found.push(`${holder} does not hold ${role} of ${contractName}.`);
  }
  const delay = contract.arguments.find(({ name }) => name === "adminDelay")?.value;
  if (delay !== undefined && String(await read("defaultAdminDelay")) !== delay) {
    found.push(`adminDelay of ${contractName} is not ${delay} seconds.`);
  }
  return found;
}

/** Why this chain cannot be deployed to; null when CreateX is there. */
export async function createXProblem(client: PublicClient): Promise<string | null> {
  const code = await client.getCode({ address: CREATE_X });
  if (code === undefined) {
    return `There is no CreateX at ${CREATE_X}. Send its presigned transaction (https://github.com/pcaversaccio/createx), then run this again.`;
  }
  return keccak256(code) === CREATE_X_CODE_HASH ? null : `The code at ${CREATE_X} is not CreateX.`;
}

/** Waits for what an interrupted run has sent: sent again, it would be in vain. */
export async function waitForSent(chain: Chain, note: (text: string) => void): Promise<void> {
  const { client, sender, patience } = chain;
  const count = (blockTag: "pending" | "latest") =>
    client.getTransactionCount({ address: sender, blockTag });
  const waiting = async () => (await count("pending")) > (await count("latest"));
  if (!(await waiting())) return;
  note(`Waiting for the transactions that ${sender} sent before.`);
  while (await waiting()) await setTimeout(patience.pollingInterval);
}

function codeAt({ address }: PlannedContract, { client }: Chain): Promise<Hex | undefined> {
  return client.getCode({ address: address as Address });
}

function initCodeOf(contract: PlannedContract): Hex {
  const { abi, bytecode } = artifactOf(contract.contractName);
  const args = contract.arguments.map(({ type, value }) =>
    type.startsWith("uint") ? BigInt(value) : value,
  );
  return encodeDeployData({ abi, bytecode, args });
}

/**
 * The code that the constructor leaves at the contract's address, with every value that it takes
 * from its arguments and from the chain.
 *
 * @throws Error with the constructor's reason when it refuses.
 */
async function createdCode(contract: PlannedContract, client: PublicClient): Promise<Hex> {
  const { contractName } = contract;
  const address = contract.address as Address;
  const code = initCodeOf(contract);
  // One slot given is all the storage there is: what the contract has stored since does not count.
  const state = [{ slot: zeroHash, value: zeroHash }];
  const { data = "0x" } = await client
    .call({ to: address, stateOverride: [{ address, code, state }] })
    .catch((error: unknown) => {
      const reason = reasonOf(error, artifactOf(contractName).abi);
      throw new Error(`${contractName} cannot be created: ${reason}`, { cause: error });
    });
  return data;
}

/** The error of a contract in words; for every other one its message without the request, which holds the whole code. */
function reasonOf(error: unknown, abi: Abi): string {
  if (!(error instanceof BaseError)) return String(error);
  const known = getContractError(error, { abi, args: [], functionName: "constructor" }).walk(
    (cause) => cause instanceof ContractFunctionRevertedError,
  );
  if (known instanceof ContractFunctionRevertedError && known.data) {
    return `${known.data.errorName}(${known.data.args?.join(", ") ?? ""})`;
  }
  return `${error.shortMessage} ${error.details}`;
}
