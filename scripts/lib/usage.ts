import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** The command's arguments are invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads the arguments of a command. @throws UsageError that names the argument. */
export function readArguments<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The help of a command. `with-toolchain` prints the same file, without an installation. */
export function helpText(name: string): string {
  return readFileSync(new URL(`../help/${name}.txt`, import.meta.url), "utf8");
}
