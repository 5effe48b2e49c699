import {
  type Abi,
  createPublicClient,
  encodeDeployData,
  formatEther,
  formatGwei,
  type Hex,
  hexToBytes,
  http,
  type PublicClient,
  parseAbi,
  size,
  zeroAddress,
} from "viem";
import type { GasReport } from "../generate/gas-report.ts";
import type { Artifact } from "../lib/artifacts.ts";
import { type DeployPlan, DeployRefusedError } from "./plan.ts";
import { isDeployed, type PlannedContract } from "./planned-contract.ts";

const TIMEOUT_MS = 10_000;

/** Names the fee for data on Ethereum, on every chain of the OP Stack. */
const GAS_PRICE_ORACLE = "0x420000000000000000000000000000000000000F";
const oracleAbi = parseAbi([
  "function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)",
]);

/** Bytes of a transaction beside the creation code: the call of CreateX is part of it. */
const ENVELOPE_BYTES = 270;

/** Prices of Ethereum's gas schedule. */
const GAS = {
  transaction: 21_000,
  creation: 32_000,
  codeByte: 200,
  initCodeWord: 2,
  zeroByte: 4,
  otherByte: 16,
} as const;

/** What a creation by CreateX costs more than one by a transaction, as measured: the factory copies the code twice. */
const CREATE_X_GAS = { creation: 38_800, codeByte: 2.7 } as const;

/** What one transaction of a deployment needs. */
interface TransactionCost {
  readonly gas: bigint;
  readonly bytes: number;
}

/** What a deployment needs at any price of gas. */
export interface DeployGas {
  readonly transactions: number;
  readonly gas: bigint;
  readonly sizes: readonly number[];
}

/** The prices of the moment, from a node. */
export interface Prices {
  /** In wei, for one gas. */
  readonly gasPrice: bigint;
  /** In wei, for the whole deployment's data on Ethereum. Zero on a chain without such a fee. */
  readonly dataFee: bigint;
}

/**
 * Estimates the gas of a plan's transactions: as measured in `docs/gas.json`, and for contracts that
 * are not measured from the size of their code.
 */
export function estimateGas(
  { contracts }: DeployPlan,
  measured: GasReport,
  artifactOf: (contractName: string) => Artifact,
): DeployGas {
  const costs = contracts
    .filter(isDeployed)
    .map((contract) => costOf(contract, measured, artifactOf(contract.contractName)));
  return {
    transactions: costs.length,
    gas: costs.reduce((sum, { gas }) => sum + gas, 0n),
    sizes: costs.map(({ bytes }) => bytes),
  };
}

function costOf(
  contract: PlannedContract,
  measured: GasReport,
  { abi, bytecode, deployedBytecode }: Artifact,
): TransactionCost {
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args: placeholders(abi) });
  const creation = measured[contract.contractName]?.deployment?.gas;
  const plain = creation ?? creationGas(data, size(deployedBytecode));
  const gas = plain + CREATE_X_GAS.creation + Math.round(CREATE_X_GAS.codeByte * size(data));
  return { gas: BigInt(gas), bytes: size(data) + ENVELOPE_BYTES };
}

/** Arguments of the right length: the size of a transaction hardly depends on their values. */
function placeholders(abi: Abi): unknown[] {
  const inputs = abi.find((item) => item.type === "constructor")?.inputs ?? [];
  return inputs.map(({ type }) => {
    if (type === "address") return zeroAddress;
    return type === "string" ? "" : 0;
  });
}

function creationGas(data: Hex, codeBytes: number): number {
  const bytes = hexToBytes(data);
  const zeros = bytes.filter((byte) => byte === 0).length;
  return (
    GAS.transaction +
    GAS.creation +
    GAS.codeByte * codeBytes +
    GAS.initCodeWord * Math.ceil(bytes.length / 32) +
    GAS.zeroByte * zeros +
    GAS.otherByte * (bytes.length - zeros)
  );
}

/**
 * Asks a node of the plan's chain for the prices of the moment.
 *
 * @throws DeployRefusedError when it is a node of another chain, or does not answer.
 */
export async function readPrices(
  { target }: DeployPlan,
  { sizes }: DeployGas,
  url: string,
): Promise<Prices> {
  const client = createPublicClient({
    transport: http(url, { timeout: TIMEOUT_MS, retryCount: 1 }),
  });
  const refuse = (problem: string) => new DeployRefusedError(target.title, [problem]);
  const chainId = await client.getChainId().catch(() => {
    throw refuse(`The node at ${new URL(url).host} does not answer.`);
  });
  if (chainId !== target.chainId) {
    throw refuse(`The node answers for chain ${chainId}, not for chain ${target.chainId}.`);
  }
  return { gasPrice: await client.getGasPrice(), dataFee: await dataFee(client, sizes) };
}

async function dataFee(client: PublicClient, sizes: readonly number[]): Promise<bigint> {
  if ((await client.getCode({ address: GAS_PRICE_ORACLE })) === undefined) return 0n;
  const fees = sizes.map((bytes) =>
    client.readContract({
      address: GAS_PRICE_ORACLE,
      abi: oracleAbi,
      functionName: "getL1FeeUpperBound",
      args: [BigInt(bytes)],
    }),
  );
  return (await Promise.all(fees)).reduce((sum, fee) => sum + fee, 0n);
}

/** The costs for an operator to read. `prices` is null when no node was named. */
export function describeCosts(
  { target }: DeployPlan,
  { transactions, gas }: DeployGas,
  prices: Prices | null,
): string {
  const lines = [
    "What the deployer pays:",
    `  ${transactions} transactions, about ${gas.toLocaleString("en")} gas`,
  ];
  if (prices === null) {
    const [variable] = target.secrets;
    lines.push(
      `  Put ${variable} into the environment to see it in ether, at the price of the moment.`,
    );
  } else {
    const { gasPrice, dataFee } = prices;
    const cost = gas * gasPrice;
    lines.push(
      `  at ${formatGwei(gasPrice)} gwei, the price of the moment: ${formatEther(cost)} ETH`,
    );
    if (dataFee > 0n) lines.push(`  for the data on Ethereum at most: ${formatEther(dataFee)} ETH`);
    lines.push(
      `  Give the deployer twice that, because prices change: ${formatEther(2n * (cost + dataFee))} ETH`,
    );
  }
  return `${lines.join("\n")}\n`;
}
