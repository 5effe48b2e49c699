import { readFile } from "node:fs/promises";
import { type Hex, isAddress } from "viem";
import { isPlainObject, parseJsonStrict } from "../../protocol/index.ts";
import type { SnapshotSource } from "../alignment/snapshot.ts";
import { type AlignmentDeployment, verifyAlignment } from "../alignment/verify.ts";
import {
  type CommandAnswer,
  runVerifyCommand,
  UsageError,
  type VerifyCommand,
} from "./verify-command.ts";

const HELP = `svc-verify-alignment: does this agent's score follow from the chain?

  scripts/with-toolchain node kit/cli/svc-verify-alignment.mjs <agent> --rpc <url> --deployment <file> (--gateway <url> | --item <file>)

  <agent>       the agent's name or token id
  --rpc         a node of the chain: https://... It must serve the logs since the deployment
  --deployment  deployments/<network>.json, from a source that you trust: a snapshot can name contracts of its own
  --gateway     where signed items are served, with {id} for the id: https://service.example/ar/{id}/item. It need not be trusted
  --item        the snapshot's signed archive item, in a file; without it the last recorded one is read from the gateway
  --json        answers in JSON: verdict, why and differences
  --help        this text

Checks the snapshot's signature, id and record on chain, reads every fact on chain again, looks for facts that were left out, and recomputes the score. What is off chain are counts of the snapshot, which its issuer answers for.

Exits with 0 when the score is right, 1 when it is not, 2 when that could not be found out.
`;

interface Trust {
  readonly deployment: AlignmentDeployment;
  readonly source: SnapshotSource;
}

const command: VerifyCommand<Trust> = {
  help: HELP,
  noun: "agent",
  options: ["deployment", "gateway", "item"],
  async trust({ deployment, gateway, item }) {
    if (deployment === undefined) {
      throw new UsageError("--deployment must be the deployment file that you trust.");
    }
    return {
      deployment: readDeployment(await readFile(deployment, "utf8"), deployment),
      source: item === undefined ? gatewaySource(gateway) : { item: await readFile(item) },
    };
  },
  parse: null,
  verify: (agent, client, trust) => verifyAlignment(String(agent), { client, ...trust }),
};

/** The command. */
export function main(
  args: readonly string[],
  readStandardInput: () => Promise<string>,
): Promise<CommandAnswer> {
  return runVerifyCommand(command, args, readStandardInput);
}

function gatewaySource(gateway: string | undefined): SnapshotSource {
  if (gateway !== undefined && /^https?:\/\/.*\{id\}/.test(gateway)) return { gateways: [gateway] };
  throw new UsageError("Give --item, or --gateway with {id} where an item's id belongs.");
}

const LIMITS = { maxDepth: 5, maxBytes: 1024 * 1024 } as const;

const CONTRACTS = [
  "soulRegistry",
  "identityRegistry",
  "reputationRegistry",
  "allowanceVault",
  "bindingRegistry",
  "organizationRegistry",
  "alignmentRegistry",
] as const;

function readDeployment(text: string, path: string): AlignmentDeployment {
  const refusal = new UsageError(`${path} is not a deployment file.`);
  let json: unknown;
  try {
    json = parseJsonStrict(text, LIMITS);
  } catch {
    throw refusal;
  }
  if (!isPlainObject(json) || !isPlainObject(json.contracts)) throw refusal;
  const { chainId, startBlock, contracts } = json;
  const { validationRegistry = null } = contracts;
  const isRight =
    Number.isSafeInteger(chainId) &&
    Number.isSafeInteger(startBlock) &&
    (startBlock as number) >= 0 &&
    CONTRACTS.every((name) => isContract(contracts[name])) &&
    (validationRegistry === null || isContract(validationRegistry));
  if (!isRight) throw refusal;
  const known = Object.fromEntries(CONTRACTS.map((name) => [name, contracts[name] as Hex]));
  return {
    chainId: chainId as number,
    startBlock: BigInt(startBlock as number),
    contracts: {
      ...(known as Record<(typeof CONTRACTS)[number], Hex>),
      validationRegistry: validationRegistry as Hex | null,
    },
  };
}

function isContract(value: unknown): boolean {
  return typeof value === "string" && isAddress(value);
}
