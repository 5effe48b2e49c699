import { open, readFile, stat } from "node:fs/promises";
import type { CommandIo } from "../command.ts";

/** Permissions of a group and of all others. */
const OTHERS = 0o077;

/** The text of a file with a secret. A file that others may read or write is warned about. */
export async function readSecretFile(path: string, io: CommandIo): Promise<string> {
  const { mode } = await stat(path);
  if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
    io.note(`Warning: other users may read ${path}. Run: chmod 600 ${path}`);
  }
  return readFile(path, "utf8");
}

/** The first line of such a file: a password, an API key or a salt. */
export async function readSecretLine(path: string, io: CommandIo): Promise<string> {
  return (await readSecretFile(path, io)).split(/\r?\n/, 1)[0] ?? "";
}

/** Creates a file that its owner alone can read. @throws when it exists: nothing is overwritten. */
export async function createSecretFile(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
