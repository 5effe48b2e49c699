import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createPublicClient, type Hex, http, isAddress } from "viem";
import { soulViewAbi } from "../protocol/generated/abi.ts";
import { parseJsonStrict } from "../protocol/json.ts";
import { type DisclosureChain, verifyDisclosureDocument } from "./disclosure-document.ts";

const HELP = `svc-verify-disclosure: are these values of an agent on chain?

  scripts/with-toolchain node kit/svc-verify-disclosure.mjs <document.json | -> --rpc <url> --view <address>

  <document.json>  a disclosure document, in a file; - reads it from standard input
  --rpc            a node of the chain: https://... (it is the only thing asked)
  --view           the address of the SoulView contract, from a source that you trust: a document can name a contract of its own
  --help           this text

Proves the values of the fields. To whom and when they were disclosed, and until when, is what the document says.

Exits with 0 when the disclosure is valid, 1 when it is not, 2 when that could not be found out.
`;

/** Time limit for one answer of the node. */
const TIMEOUT_MS = 15_000;

const LIMITS = { maxDepth: 10, maxBytes: 4 * 1024 * 1024 } as const;

/** In the order of ISoulRegistry.Validity. */
const VALID = 2;

/** A usage mistake, reported without a stack trace. */
class UsageError extends Error {}

/**
 * The command.
 *
 * @returns what to print, and the exit code.
 */
export async function main(
  args: readonly string[],
  readStandardInput: () => Promise<string>,
): Promise<{ readonly code: 0 | 1 | 2; readonly text: string }> {
  try {
    const { values, positionals } = parsed(args);
    if (values.help) return { code: 0, text: HELP };
    const [source] = positionals;
    if (source === undefined || positionals.length > 1) {
      throw new UsageError("Give exactly one document.");
    }
    if (values.rpc === undefined || !/^https?:\/\//.test(values.rpc)) {
      throw new UsageError("--rpc must be the URL of a node.");
    }
    if (values.view === undefined || !isAddress(values.view)) {
      throw new UsageError("--view must be the address of the SoulView contract that you trust.");
    }
    const text = source === "-" ? await readStandardInput() : await readFile(source, "utf8");
    const { verdict, why } = await verifyDisclosureDocument(
      json(text, source),
      disclosureChain(values.rpc),
      { soulView: values.view, now: new Date() },
    );
    if (verdict === "invalid") return { code: 1, text: `not valid: ${why}\n` };
    return { code: 0, text: `valid: ${why}\n` };
  } catch (error) {
    const hint = error instanceof UsageError ? "See --help." : "";
    return { code: 2, text: `not checked: ${firstLine(error)} ${hint}`.trimEnd().concat("\n") };
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rpc: { type: "string" },
        view: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(firstLine(error));
  }
}

function json(text: string, source: string): unknown {
  try {
    return parseJsonStrict(text, LIMITS);
  } catch {
    throw new UsageError(`${source} holds no JSON.`);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

function disclosureChain(rpcUrl: string): DisclosureChain {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS }) });
  return {
    chainId: () => client.getChainId(),

    async soul(soulView: Hex, tokenId: bigint) {
      const code = await client.getCode({ address: soulView });
      if (code === undefined || code === "0x") return null;
      const [, , state] = await client.readContract({
        address: soulView,
        abi: soulViewAbi,
        functionName: "soulState",
        args: [tokenId],
      });
      if (state.tokenId === 0n) return null;
      const { name: agentName, soulMerkleRoot: merkleRoot } = state.soul;
      return { agentName, merkleRoot, valid: state.validity === VALID };
    },
  };
}
