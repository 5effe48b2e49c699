/**
 * Prints the help when it is asked for, and refuses every other argument: these commands take their
 * settings from the environment.
 *
 * @returns whether the command is done.
 */
export function helpAsked(help: string, args: readonly string[] = process.argv.slice(2)): boolean {
  if (args.length === 0) return false;
  const asked = args.every((arg) => arg === "--help" || arg === "-h");
  if (asked) process.stdout.write(help);
  else {
    process.stderr.write(`Unknown argument: ${args.join(" ")}. See --help.\n`);
    process.exitCode = 2;
  }
  return true;
}
