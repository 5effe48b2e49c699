import { dirname, join, resolve } from "node:path";
import { inheritedEnvironment, ManagedProcess } from "../processes.ts";
import type { Stack } from "../stack.ts";
import { BUNDLES } from "./bundle.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const CLONE_STACK = dirname(dirname(BUNDLES));

/**
 * Makes the bundle of these sources beside a running stack, for the next start. Only the stack in
 * the clone's own directory does, not those of tests. A failure is in the log, and the next start
 * has no bundle either.
 *
 * @returns ends the work, also before it is done.
 */
export function refreshBundle({
  directory,
  postgresHome,
}: Pick<Stack, "directory" | "postgresHome">): () => Promise<void> {
  if (directory !== CLONE_STACK) return async () => {};
  const making = new ManagedProcess({
    name: "bundle",
    program: process.execPath,
    args: [
      ...["--import", "tsx", join(ROOT, "scripts/local-stack/bundle-process.ts")],
      ...[postgresHome.data, postgresHome.programs],
    ],
    cwd: ROOT,
    environment: { ...inheritedEnvironment() },
    logFile: join(directory, "logs", "bundle.log"),
    stopSignal: "SIGKILL",
    graceMs: 0,
  });
  const killNow = () => making.killNow();
  process.once("exit", killNow);
  return async () => {
    await making.kill();
    process.off("exit", killNow);
  };
}
