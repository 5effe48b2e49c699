import { readFile } from "node:fs/promises";
import { proofChain } from "../chronicles/chain.ts";
import { verifyChronicleProof } from "../chronicles/proof.ts";
import {
  addressOption,
  type CommandAnswer,
  runVerifyCommand,
  type VerifyCommand,
} from "./verify-command.ts";

const HELP = `svc-verify-chronicle: is this chronicle on chain?

  scripts/with-toolchain node kit/cli/svc-verify-chronicle.mjs <proof.json | -> --rpc <url> [--anchor <address>] [--registry <address>] [--record <file>]

  <proof.json>   the answer of GET /v1/chronicle/<queueId>/proof, in a file; - reads it from standard input
  --rpc          a node of the chain: https://... (it is the only thing asked)
  --anchor       the address of the anchor contract as you know it; without it the proof's own word is taken, and said so
  --registry     the same for the soul registry, which alone vouches for a soul_revision
  --record       the archived record, as downloaded from ar://<arweaveTxId>: its hash must be the recorded one
  --json         answers in JSON: verdict, why and differences
  --help         this text

Exits with 0 when the proof is valid, 1 when it is not, 2 when that could not be found out.
`;

type Trust = NonNullable<Parameters<typeof verifyChronicleProof>[2]>;

const command: VerifyCommand<Trust> = {
  help: HELP,
  noun: "proof",
  options: ["anchor", "registry", "record"],
  async trust({ anchor, registry, record }) {
    return {
      anchor: addressOption(anchor, "--anchor"),
      registry: addressOption(registry, "--registry"),
      record: record === undefined ? undefined : await readFile(record),
    };
  },
  parse: (text) => JSON.parse(text),
  async verify(input, client, trust) {
    const verdict = await verifyChronicleProof(input, proofChain(client), trust);
    const isTaken = trust.anchor === undefined && trust.registry === undefined;
    return isTaken ? { ...verdict, note: TAKEN } : verdict;
  },
};

const TAKEN =
  "The proof itself names this contract: compare its address with the published one, or give --anchor.\n";

/** The command. */
export function main(
  args: readonly string[],
  readStandardInput: () => Promise<string>,
): Promise<CommandAnswer> {
  return runVerifyCommand(command, args, readStandardInput);
}
