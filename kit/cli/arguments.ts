import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { type Command, type CommandInput, type CommandIo, UsageError } from "./command.ts";
import { nearest } from "./suggest.ts";

/** Options of every subcommand. */
const COMMON: ParseArgsOptionsConfig = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

/** Whether the arguments ask for the help of a subcommand. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

/**
 * The arguments of one subcommand. Errors name options and never repeat values, which may be
 * secrets.
 *
 * @throws UsageError
 */
export function commandInput(
  command: Command,
  args: readonly string[],
  io: CommandIo,
): CommandInput {
  const own: ParseArgsOptionsConfig = {};
  for (const { name, value } of command.options) {
    own[name] = value === null ? { type: "boolean" } : { type: "string", multiple: true };
  }
  refuseUnknownOptions(command, args);
  const { values, positionals } = parsed({ ...own, ...COMMON }, args);
  const given = (name: string): readonly string[] => {
    const found = values[name];
    return Array.isArray(found) ? found.map(String) : [];
  };
  for (const { name, isRepeated = false } of command.options) {
    if (given(name).includes("")) throw new UsageError(`--${name} has no value.`);
    if (!isRepeated && given(name).length > 1) throw new UsageError(`Give --${name} once.`);
  }
  const variableOf = (name: string) => {
    const { variable } = command.options.find((option) => option.name === name) ?? {};
    return variable === undefined ? undefined : io.env[variable] || undefined;
  };
  return {
    argument: argumentOf(command, positionals),
    option: (name) => given(name)[0] ?? variableOf(name),
    options(name) {
      if (given(name).length > 0) return given(name);
      const texts = (variableOf(name) ?? "").split(",").map((text) => text.trim());
      return texts.filter((text) => text !== "");
    },
    flag: (name) => values[name] === true,
    io,
  };
}

function argumentOf({ argument }: Command, positionals: readonly string[]): string {
  const [first = ""] = positionals;
  if (argument === undefined) {
    if (positionals.length > 0) throw new UsageError("This subcommand takes options alone.");
    return "";
  }
  const isMissing = first === "" && argument.isOptional !== true;
  if (isMissing) throw new UsageError(`<${argument.value}> is missing: ${argument.summary}`);
  if (positionals.length > 1) {
    throw new UsageError(
      `Give one <${argument.value}>. There are ${positionals.length} arguments.`,
    );
  }
  return first;
}

function refuseUnknownOptions({ options }: Command, args: readonly string[]): void {
  const known = [...options.map(({ name }) => name), ...Object.keys(COMMON)];
  for (const arg of args) {
    if (arg === "--") return;
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name === undefined || known.includes(name)) continue;
    const near = nearest(name, known);
    const meant = near === null ? "" : ` Did you mean --${near}?`;
    throw new UsageError(`There is no option --${name}.${meant}`);
  }
}

function parsed(options: ParseArgsOptionsConfig, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    const { message = "" } = error as { readonly message?: string };
    throw new UsageError(message.split("\n", 1)[0] ?? "");
  }
}
