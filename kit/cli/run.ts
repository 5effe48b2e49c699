import packageJson from "../package.json" with { type: "json" };
import { asksForHelp, commandInput } from "./arguments.ts";
import { type Command, type CommandAnswer, type CommandIo, UsageError } from "./command.ts";
import { explained } from "./explain.ts";
import { helpOf, overview } from "./help.ts";
import { refuseSecrets } from "./keys/secrets-in-arguments.ts";
import { nearest } from "./suggest.ts";

/** What a process of the command writes and how it exits. */
export interface CommandOutcome {
  readonly code: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command with its arguments. Every error is an outcome. */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  io: CommandIo,
): Promise<CommandOutcome> {
  const isJson = args.includes("--json");
  let command: Command | null = null;
  try {
    refuseSecrets(args);
    const words = args[0] === "--json" ? args.slice(1) : args;
    const shown = informationOf(commands, words);
    if (shown !== null) return { code: 0, stdout: shown, stderr: "" };
    const found = commandOf(commands, words);
    command = found.command;
    if (asksForHelp(found.rest)) return { code: 0, stdout: helpOf(command), stderr: "" };
    const answer = await command.run(commandInput(command, found.rest, io));
    return { code: answer.code, stdout: printed(answer, isJson), stderr: "" };
  } catch (error) {
    return failure(error, command, isJson);
  }
}

function printed({ json, text }: CommandAnswer, isJson: boolean): string {
  return isJson ? jsonLine(json) : `${text}\n`;
}

function failure(error: unknown, command: Command | null, isJson: boolean): CommandOutcome {
  const { code, message, advice, type } = explained(error);
  const name = command === null ? "svc" : `svc ${command.name}`;
  const usage = error instanceof UsageError ? `See: ${name} --help` : "";
  const next = [advice, usage].filter((text) => text !== "").join(" ");
  if (isJson)
    return { code, stdout: jsonLine({ error: { type, message, advice: next } }), stderr: "" };
  return { code, stdout: "", stderr: `${name}: ${message}\n${next === "" ? "" : `${next}\n`}` };
}

/** The text of `--help`, `help <subcommand>` and `--version`; null for anything else. */
function informationOf(commands: readonly Command[], words: readonly string[]): string | null {
  const [first] = words;
  if (first === "--version") return `${packageJson.version}\n`;
  if (first === "--help" || first === "-h") return overview(commands);
  if (first !== "help") return null;
  if (words.length === 1) return overview(commands);
  return helpOf(commandOf(commands, words.slice(1)).command);
}

/** @throws UsageError with the subcommand that was probably meant. */
function commandOf(
  commands: readonly Command[],
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(" "));
    if (command !== undefined) return { command, rest: words.slice(length) };
  }
  const [first = "", second] = words;
  if (first === "") throw new UsageError("Name a subcommand.");
  if (first.startsWith("-")) throw new UsageError("Options stand after the subcommand.");
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === undefined || second.startsWith("-"))) {
    const names = group.map(({ name }) => name.slice(first.length + 1)).join(", ");
    throw new UsageError(`Name what to ${first}: ${names}.`);
  }
  const names = commands.map(({ name }) => name);
  const meant =
    nearest(words.slice(0, 2).join(" "), names) ??
    (group.length > 0 ? null : nearest(first, groupsOf(names)));
  if (meant === null && group.length > 0) {
    const known = group.map(({ name }) => `"${name}"`).join(", ");
    throw new UsageError(`There is no subcommand "${first} ${second}". There are ${known}.`);
  }
  const unknown = group.length > 0 ? `${first} ${second}` : first;
  const guess = meant === null ? "" : ` Did you mean "${meant}"?`;
  throw new UsageError(`There is no subcommand "${unknown}".${guess}`);
}

function groupsOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.split(" ", 1)[0] ?? name))];
}

function jsonLine(value: object): string {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" ? exactNumber(member) : member,
  );
  return `${text}\n`;
}

/** A number that every reader of JSON reads exactly, else its digits. */
function exactNumber(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);
}
