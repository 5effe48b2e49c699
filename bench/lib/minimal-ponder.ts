import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Command,
  type IndexerOptions,
  indexerCommand,
} from "../../scripts/lib/indexer-command.ts";
import { type StartingIndexer, spawnPonder } from "../../test/fixtures/indexer.ts";

const ROOT = fileURLToPath(new URL("../minimal-ponder", import.meta.url));

/** The Postgres schema of its tables. */
export const MINIMAL_SCHEMA = "minimal";

/** Starts the minimal Ponder app: the indexer's version, environment and events, one table. */
export async function spawnMinimalPonder(
  options: Omit<IndexerOptions, "port">,
  environment?: Readonly<Record<string, string>>,
): Promise<StartingIndexer> {
  const indexer = await spawnPonder((port) => minimalCommand({ ...options, port }), environment);
  await indexer.ready(undefined, "/health");
  // Ponder writes it at each start. It would declare the types of a second app.
  rmSync(join(ROOT, "ponder-env.d.ts"), { force: true });
  return indexer;
}

function minimalCommand(options: IndexerOptions): Command {
  const command = indexerCommand(options);
  const replaced: Readonly<Record<string, string>> = {
    "--root": ROOT,
    "--schema": MINIMAL_SCHEMA,
  };
  return {
    ...command,
    args: command.args.map((arg, index) => replaced[command.args[index - 1] ?? ""] ?? arg),
  };
}
