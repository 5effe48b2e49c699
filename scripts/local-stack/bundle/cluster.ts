import { rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { migrate } from "../../../api/platform/database/migrate.ts";
import { answersSql } from "../answers.ts";
import { freePorts } from "../ports.ts";
import { copyCluster } from "../postgres-cluster.ts";
import { installedPrograms, type PostgresHome } from "../postgres-home.ts";
import { inheritedEnvironment, ManagedProcess } from "../processes.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const READY_MS = 120_000;
const GRACE_MS = 30_000;

/**
 * Writes a PostgreSQL cluster that has all tables and no rows, and does not run. It is made beside
 * the data of a stack, which goes when the stack's data goes.
 *
 * @param home of the stack.
 * @returns the programs that made it, from the root.
 */
export async function writeCluster(home: PostgresHome, out: string): Promise<readonly string[]> {
  const place = dirname(home.data);
  const data = join(place, "template");
  const [port] = await freePorts(1);
  const server = new ManagedProcess({
    name: "the template of PostgreSQL",
    program: process.execPath,
    args: [
      ...["--import", "tsx", join(ROOT, "scripts/local-stack/postgres-process.ts")],
      ...[String(port), data, home.programs],
    ],
    cwd: ROOT,
    environment: { ...inheritedEnvironment() },
    logFile: join(place, "template.log"),
    stopSignal: "SIGTERM",
    graceMs: GRACE_MS,
  });
  const url = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
  try {
    await server.waitUntil(() => answersSql(url), READY_MS);
    await migrate(url);
  } finally {
    await server.stop();
  }
  // A server that was killed would leave a cluster that has to recover.
  const ended = server.exitError();
  if (ended.exitCode !== 0) throw ended;
  copyCluster(data, out);
  rmSync(data, { recursive: true, force: true });

  const programs = join(await installedPrograms(), "bin");
  return ["initdb", "postgres"].map((name) => relative(ROOT, join(programs, name)));
}
