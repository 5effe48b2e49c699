import { readFile } from "node:fs/promises";
import { type Hex, isAddress } from "viem";
import { type ProofTrust, proofChain, verifyChronicleProof } from "../../chronicles/index.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { DEPLOYMENT_OPTION, readDeployment } from "../deployment.ts";
import { readInputJson } from "../input-file.ts";
import { nodeOf, RPC_OPTION } from "../node.ts";
import { verdictAnswer } from "../verdict.ts";

const TAKEN =
  "The proof itself names this contract: compare its address with the published one, or give --deployment or --anchor.";

export const verifyChronicle: Command = {
  name: "verify chronicle",
  summary: "Is this chronicle on chain?",
  argument: {
    value: "proof.json",
    summary: "The answer of GET /v1/chronicle/<queueId>/proof in a file, or - for standard input",
  },
  options: [
    RPC_OPTION,
    DEPLOYMENT_OPTION,
    {
      name: "anchor",
      value: "address",
      summary: "The anchor contract as you know it, instead of a deployment file",
    },
    {
      name: "registry",
      value: "address",
      summary: "The soul registry as you know it, which alone vouches for a soul_revision",
    },
    {
      name: "record",
      value: "file",
      summary: "The archived record, as downloaded from ar://<arweaveTxId>",
    },
  ],
  details:
    "Asks the node alone. Without an address that you know, the proof's own is taken, and the answer says so.",
  examples: [
    "verify chronicle proof.json --rpc https://your.node --deployment deployments/base.json",
    "verify chronicle - --rpc https://your.node --anchor 0xTheContractYouKnow < proof.json",
  ],
  async run(input) {
    const trust = await trustOf(input);
    const client = nodeOf(input);
    const proof = await readInputJson(input.argument, input.io, JSON.parse);
    const verdict = await verifyChronicleProof(proof, proofChain(client), trust);
    const isTaken = trust.anchor === undefined && trust.registry === undefined;
    return verdictAnswer(verdict, isTaken ? TAKEN : null);
  },
};

async function trustOf(input: CommandInput): Promise<ProofTrust> {
  const known = (await readDeployment(input))?.contracts;
  const record = input.option("record");
  return {
    anchor: addressOption(input, "anchor") ?? known?.chronicleAnchor ?? undefined,
    registry: addressOption(input, "registry") ?? known?.soulRegistry ?? undefined,
    record: record === undefined ? undefined : await readFile(record),
  };
}

function addressOption({ option }: CommandInput, name: string): Hex | undefined {
  const text = option(name);
  if (text === undefined || isAddress(text)) return text as Hex | undefined;
  throw new UsageError(`--${name} is not an address.`);
}
