import { type Hex, isAddress } from "viem";
import {
  disclosureChain,
  parseDisclosureDocument,
  verifyDisclosureDocument,
} from "../../disclosure/index.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { contractOf, DEPLOYMENT_OPTION, readDeployment } from "../deployment.ts";
import { readInputJson } from "../input-file.ts";
import { nodeOf, RPC_OPTION } from "../node.ts";
import { verdictAnswer } from "../verdict.ts";

export const verifyDisclosure: Command = {
  name: "verify disclosure",
  summary: "Does this agent have these values on chain?",
  argument: {
    value: "document.json",
    summary: "A disclosure document in a file, or - for standard input",
  },
  options: [
    RPC_OPTION,
    DEPLOYMENT_OPTION,
    {
      name: "view",
      value: "address",
      summary: "The SoulView contract as you know it, instead of a deployment file",
    },
  ],
  details: `Asks the node alone. A document can name a contract of its own, so the address must come from you.
Proves the values of the fields. To whom and when they were disclosed, and until when, is what the document says.`,
  examples: [
    "verify disclosure document.json --rpc https://your.node --deployment deployments/base.json",
    "verify disclosure - --rpc https://your.node --view 0xTheContractYouKnow < document.json",
  ],
  async run(input) {
    const soulView = await viewOf(input);
    const client = nodeOf(input);
    const document = await readInputJson(input.argument, input.io, parseDisclosureDocument);
    const trust = { soulView, now: new Date() };
    return verdictAnswer(await verifyDisclosureDocument(document, disclosureChain(client), trust));
  },
};

async function viewOf(input: CommandInput): Promise<Hex> {
  const view = input.option("view");
  if (view === undefined) {
    const deployment = await readDeployment(input);
    if (deployment !== null) return contractOf(deployment, "soulView");
  } else if (isAddress(view)) {
    return view;
  }
  throw new UsageError(
    "Give --deployment, or --view with the address of the SoulView contract that you trust.",
  );
}
