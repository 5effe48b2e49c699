import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  createPublicClient,
  type Hex,
  http,
  isAddress,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from "viem";
import { chronicleAnchorAbi, soulRegistryAbi } from "../protocol/generated/abi.ts";
import { type ProofChain, verifyChronicleProof } from "./chronicle-proof.ts";

const HELP = `svc-verify-chronicle: is this chronicle on chain?

  scripts/with-toolchain node kit/svc-verify-chronicle.mjs <proof.json | -> --rpc <url> [--anchor <address>] [--registry <address>] [--record <file>]

  <proof.json>   the answer of GET /v1/chronicle/<queueId>/proof, in a file; - reads it from standard input
  --rpc          a node of the chain: https://... (it is the only thing asked)
  --anchor       the address of the anchor contract as you know it; without it the proof's own word is taken, and said so
  --registry     the same for the soul registry, which alone vouches for a soul_revision
  --record       the archived record, as downloaded from ar://<arweaveTxId>: its hash must be the recorded one
  --help         this text

Exits with 0 when the proof is valid, 1 when it is not, 2 when that could not be found out.
`;

/** Time limit for one answer of the node. */
const TIMEOUT_MS = 15_000;

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
    if (source === undefined || positionals.length > 1)
      throw new UsageError("Give exactly one proof.");
    if (values.rpc === undefined || !/^https?:\/\//.test(values.rpc)) {
      throw new UsageError("--rpc must be the URL of a node.");
    }
    const trust = {
      anchor: address(values.anchor, "--anchor"),
      registry: address(values.registry, "--registry"),
      record: values.record === undefined ? undefined : await readFile(values.record),
    };
    const text = source === "-" ? await readStandardInput() : await readFile(source, "utf8");
    const { verdict, why } = await verifyChronicleProof(
      json(text, source),
      proofChain(values.rpc),
      trust,
    );
    if (verdict === "invalid") return { code: 1, text: `not valid: ${why}\n` };
    const taken =
      trust.anchor === undefined && trust.registry === undefined
        ? "The proof itself names this contract: compare its address with the published one, or give --anchor.\n"
        : "";
    return { code: 0, text: `valid: ${why}\n${taken}` };
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
        anchor: { type: "string" },
        registry: { type: "string" },
        record: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(firstLine(error));
  }
}

function address(text: string | undefined, option: string): Hex | undefined {
  if (text === undefined || isAddress(text)) return text as Hex | undefined;
  throw new UsageError(`${option} is not an address.`);
}

function json(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${source} holds no JSON.`);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

function proofChain(rpcUrl: string): ProofChain {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS }) });
  return {
    chainId: () => client.getChainId(),

    async rootOf(anchor, batchId) {
      const code = await client.getCode({ address: anchor });
      if (code === undefined || code === "0x") return null;
      return client.readContract({
        address: anchor,
        abi: chronicleAnchorAbi,
        functionName: "rootOf",
        args: [batchId],
      });
    },

    async revisions(registry, hash, tokenId) {
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      if (receipt === null) return null;
      const logs = receipt.logs.filter(
        (log) => log.address.toLowerCase() === registry.toLowerCase(),
      );
      return parseEventLogs({ abi: soulRegistryAbi, eventName: "SoulRevised", logs })
        .filter(({ args }) => args.tokenId === tokenId)
        .map(({ args }) => args.dataHash);
    },
  };
}
