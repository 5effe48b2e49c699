import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandError } from "./command.ts";

/** Asks on the terminal. What is typed is not shown. */
export function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  // readline writes what is typed to its output, which shows nothing here.
  const output = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    lines.once("close", () => reject(new CommandError("No password was given.")));
    // Ctrl-C reaches readline as a key, because the terminal is in raw mode.
    lines.once("SIGINT", () => lines.close());
  }).finally(() => {
    lines.close();
    process.stderr.write("\n");
  });
}
