import { type Hex, isAddress } from "viem";
import { disclosureChain } from "../disclosure/chain.ts";
import { parseDisclosureDocument, verifyDisclosureDocument } from "../disclosure/document.ts";
import {
  type CommandAnswer,
  runVerifyCommand,
  UsageError,
  type VerifyCommand,
} from "./verify-command.ts";

const HELP = `svc-verify-disclosure: are these values of an agent on chain?

  scripts/with-toolchain node kit/cli/svc-verify-disclosure.mjs <document.json | -> --rpc <url> --view <address>

  <document.json>  a disclosure document, in a file; - reads it from standard input
  --rpc            a node of the chain: https://... (it is the only thing asked)
  --view           the address of the SoulView contract, from a source that you trust: a document can name a contract of its own
  --json           answers in JSON: verdict, why and differences
  --help           this text

Proves the values of the fields. To whom and when they were disclosed, and until when, is what the document says.

Exits with 0 when the disclosure is valid, 1 when it is not, 2 when that could not be found out.
`;

const command: VerifyCommand<Hex> = {
  help: HELP,
  noun: "document",
  options: ["view"],
  trust({ view }) {
    if (view !== undefined && isAddress(view)) return view;
    throw new UsageError("--view must be the address of the SoulView contract that you trust.");
  },
  parse: parseDisclosureDocument,
  verify: (input, client, soulView) =>
    verifyDisclosureDocument(input, disclosureChain(client), { soulView, now: new Date() }),
};

/** The command. */
export function main(
  args: readonly string[],
  readStandardInput: () => Promise<string>,
): Promise<CommandAnswer> {
  return runVerifyCommand(command, args, readStandardInput);
}
