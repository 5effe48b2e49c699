import { readFile } from "node:fs/promises";
import { type Hex, isAddress } from "viem";
import { isPlainObject, parseJsonStrict } from "../../protocol/json.ts";
import type { AgentContracts } from "../agent/soul.ts";
import { deployments } from "../contracts/deployments.ts";
import { CommandError, type CommandInput, type CommandOption, UsageError } from "./command.ts";
import { nodeOf } from "./node.ts";

/** The option that names the deployment file. */
export const DEPLOYMENT_OPTION: CommandOption = {
  name: "deployment",
  value: "file",
  summary: "deployments/<network>.json, from a source that you trust",
  variable: "SVC_DEPLOYMENT",
};

const LIMITS = { maxDepth: 5, maxBytes: 1024 * 1024 } as const;

/** The contracts of one chain, as the reader knows them. */
export interface KnownDeployment {
  readonly chainId: number;
  /** The first block that can hold an event of it. */
  readonly startBlock: bigint;
  readonly contracts: Readonly<Record<string, Hex | null | undefined>>;
}

/** The deployment that `--deployment` names; null without one. @throws UsageError */
export async function readDeployment(input: CommandInput): Promise<KnownDeployment | null> {
  const path = input.option("deployment");
  if (path === undefined) return null;
  return parseDeployment(await readFile(path, "utf8"), path);
}

/**
 * The same; without `--deployment`, the one that this package has for the node's chain.
 *
 * @throws CommandError when neither exists.
 */
export async function requireDeployment(input: CommandInput): Promise<KnownDeployment> {
  const deployment = await findDeployment(input);
  if (deployment !== null) return deployment;
  throw new CommandError(
    "The addresses of the contracts are needed.",
    "Give the deployment file that you trust with --deployment, or set SVC_DEPLOYMENT. After npm start it is .local/deployment.json in the clone.",
  );
}

/** The same; null when neither exists. */
export async function findDeployment(input: CommandInput): Promise<KnownDeployment | null> {
  return (await readDeployment(input)) ?? (await packagedDeployment(input));
}

async function packagedDeployment(input: CommandInput): Promise<KnownDeployment | null> {
  if (input.option("rpc") === undefined) return null;
  const chainId = await nodeOf(input).getChainId();
  const found = Object.hasOwn(deployments, chainId) ? deployments[chainId] : undefined;
  return found === undefined ? null : { ...found, startBlock: BigInt(found.startBlock) };
}

/** The address of a contract. @throws UsageError when the deployment has none. */
export function contractOf({ contracts }: KnownDeployment, name: string): Hex {
  const address = contracts[name];
  if (address) return address;
  throw new UsageError(`The deployment file names no ${name}.`);
}

/** The contracts that a soul is read from. @throws UsageError when the deployment lacks one. */
export function agentContracts(deployment: KnownDeployment): AgentContracts {
  return {
    soulRegistry: contractOf(deployment, "soulRegistry"),
    soulCertificate: contractOf(deployment, "soulCertificate"),
    identityRegistry: contractOf(deployment, "identityRegistry"),
    agentKeys: contractOf(deployment, "agentKeys"),
  };
}

function parseDeployment(text: string, path: string): KnownDeployment {
  const refusal = new UsageError(`${path} is not a deployment file.`);
  let json: unknown;
  try {
    json = parseJsonStrict(text, LIMITS);
  } catch {
    throw refusal;
  }
  if (!isPlainObject(json) || !isPlainObject(json.contracts)) throw refusal;
  const { chainId, startBlock, contracts } = json;
  const isRight =
    Number.isSafeInteger(chainId) &&
    Number.isSafeInteger(startBlock) &&
    (startBlock as number) >= 0 &&
    Object.values(contracts).every(isContract);
  if (!isRight) throw refusal;
  return {
    chainId: chainId as number,
    startBlock: BigInt(startBlock as number),
    contracts: contracts as Record<string, Hex | null>,
  };
}

function isContract(value: unknown): boolean {
  return value === null || (typeof value === "string" && isAddress(value));
}
