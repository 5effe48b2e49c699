import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createPublicClient, type Hex, http, isAddress, type PublicClient } from "viem";

/** What a command prints, and its exit code: 0 for valid, 1 for not, 2 when that could not be found out. */
export interface CommandAnswer {
  readonly code: 0 | 1 | 2;
  readonly text: string;
}

/** A usage mistake, reported without a stack trace. */
export class UsageError extends Error {}

/**
 * A command that checks one JSON file, or what its argument names, against a node.
 * @typeParam Trust what the caller knows already.
 */
export interface VerifyCommand<Trust> {
  readonly help: string;
  /** What the file holds, as errors call it. */
  readonly noun: string;
  /** Names of its own options, beside `--rpc`, `--json` and `--help`. Each takes a value. */
  readonly options: readonly string[];
  /** @throws UsageError */
  trust(values: Readonly<Record<string, string | undefined>>): Trust | Promise<Trust>;
  /**
   * Null when the argument is no file: it is then the input.
   *
   * @throws any error when the text is no JSON.
   */
  readonly parse: ((text: string) => unknown) | null;
  verify(input: unknown, client: PublicClient, trust: Trust): Promise<CommandVerdict>;
}

interface CommandVerdict {
  readonly verdict: "valid" | "invalid";
  readonly why: string;
  /** Everything that is wrong, where there is more than one thing. */
  readonly differences?: readonly string[];
  /** What the reader still has to know of a valid file. */
  readonly note?: string;
}

/** Time limit for one answer of the node. */
const TIMEOUT_MS = 15_000;

/** Runs a command with its arguments. Every error is an answer. */
export async function runVerifyCommand<Trust>(
  command: VerifyCommand<Trust>,
  args: readonly string[],
  readStandardInput: () => Promise<string>,
): Promise<CommandAnswer> {
  const isJson = args.includes("--json");
  try {
    const { values, positionals } = parsed(command, args);
    if (values.help === true) return { code: 0, text: command.help };
    const [source] = positionals;
    if (source === undefined || positionals.length > 1) {
      throw new UsageError(`Give exactly one ${command.noun}.`);
    }
    const own = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value?.toString()]),
    );
    const { rpc } = own;
    if (rpc === undefined || !/^https?:\/\//.test(rpc)) {
      throw new UsageError("--rpc must be the URL of a node.");
    }
    const trust = await command.trust(own);
    const input = await read(command, source, readStandardInput);
    const client = createPublicClient({ transport: http(rpc, { timeout: TIMEOUT_MS }) });
    return answerOf(await command.verify(input, client, trust), isJson);
  } catch (error) {
    const why = firstLine(error);
    if (isJson) return { code: 2, text: jsonLine({ verdict: "not checked", why }) };
    const hint = error instanceof UsageError ? "See --help." : "";
    return { code: 2, text: `not checked: ${why} ${hint}`.trimEnd().concat("\n") };
  }
}

function answerOf(
  { verdict, why, differences = [], note = "" }: CommandVerdict,
  isJson: boolean,
): CommandAnswer {
  const code = verdict === "valid" ? 0 : 1;
  if (isJson) return { code, text: jsonLine({ verdict, why, differences }) };
  if (code === 0) return { code, text: `valid: ${why}\n${note}` };
  const lines = differences.map((difference) => `  ${difference}\n`).join("");
  return { code, text: `not valid: ${why}\n${lines}` };
}

function jsonLine(answer: object): string {
  return `${JSON.stringify(answer)}\n`;
}

async function read(
  { parse }: Pick<VerifyCommand<unknown>, "parse">,
  source: string,
  readStandardInput: () => Promise<string>,
): Promise<unknown> {
  if (parse === null) return source;
  const text = source === "-" ? await readStandardInput() : await readFile(source, "utf8");
  try {
    return parse(text);
  } catch {
    throw new UsageError(`${source} holds no JSON.`);
  }
}

/** @throws UsageError for a value that is no address. */
export function addressOption(text: string | undefined, option: string): Hex | undefined {
  if (text === undefined || isAddress(text)) return text as Hex | undefined;
  throw new UsageError(`${option} is not an address.`);
}

function parsed({ options }: { readonly options: readonly string[] }, args: readonly string[]) {
  const own = Object.fromEntries(options.map((name) => [name, { type: "string" } as const]));
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...own,
        rpc: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(firstLine(error));
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
