import { readFile } from "node:fs/promises";
import { type CommandIo, UsageError } from "./command.ts";

/** The bytes of a file, or of standard input for `-`. */
async function readInput(path: string, io: CommandIo): Promise<Uint8Array> {
  return path === "-" ? io.readStandardInput() : readFile(path);
}

/** Its text. @throws UsageError when it is not UTF-8. */
export async function readInputText(path: string, io: CommandIo): Promise<string> {
  const bytes = await readInput(path, io);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${nameOf(path)} is not text in UTF-8.`);
  }
}

/** What `parse` makes of its text. @throws UsageError when that is no JSON. */
export async function readInputJson(
  path: string,
  io: CommandIo,
  parse: (text: string) => unknown,
): Promise<unknown> {
  const text = await readInputText(path, io);
  try {
    return parse(text);
  } catch {
    throw new UsageError(`${nameOf(path)} holds no JSON.`);
  }
}

function nameOf(path: string): string {
  return path === "-" ? "Standard input" : path;
}
