import {
  appendFileSync,
  chownSync,
  existsSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { run } from "../lib/run.ts";
import { installedPrograms } from "../local-stack/postgres-home.ts";
import type { Stack } from "../local-stack/stack.ts";

const SLOT = "replica";

/** Where a copy of the stack's database is, for postgres-process.ts. */
interface ReplicaHome {
  readonly data: string;
  readonly programs: string;
}

/**
 * Copies the running database of the stack as a base backup, and makes the copy a streaming
 * replica. A slot keeps what the replica has missed.
 */
export async function copyToReplica(stack: Stack): Promise<ReplicaHome> {
  const home = realpathSync(join(stack.directory, "postgres"));
  const [primary, data] = [join(home, "data"), join(home, "replica")];
  const client = new pg.Client({ connectionString: stack.urls.database });
  await client.connect();
  try {
    await client.query("select pg_create_physical_replication_slot($1, true)", [SLOT]);
    await client.query("select pg_backup_start('replica', true)");
    // cp keeps the owner, who is PostgreSQL's own user where this process is root.
    const { exitCode, output } = await run("cp", ["-a", primary, data]);
    // Files of a running database may vanish while they are copied: the log has what they held.
    if (exitCode !== 0 && !existsSync(join(data, "PG_VERSION"))) throw new Error(output);
    const { rows } = await client.query<{ labelfile: string }>("select * from pg_backup_stop()");
    const owner = statSync(primary);
    const write = (name: string, text: string) => {
      writeFileSync(join(data, name), text, { mode: 0o600 });
      chownSync(join(data, name), owner.uid, owner.gid);
    };
    write("backup_label", rows[0]?.labelfile ?? "");
    write("standby.signal", "");
  } finally {
    await client.end();
  }
  rmSync(join(data, "postmaster.pid"), { force: true });
  const { port } = new URL(stack.urls.database);
  appendFileSync(
    join(data, "postgresql.auto.conf"),
    [
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=postgres application_name=replica'`,
      `primary_slot_name = '${SLOT}'`,
      "wal_retrieve_retry_interval = '250ms'\n",
    ].join("\n"),
  );
  const copied = join(home, "programs");
  return { data, programs: existsSync(copied) ? copied : await installedPrograms() };
}

/** Whether the replica answers, and has everything that the primary had written at the call. */
export async function isReplicating(primaryUrl: string, replicaUrl: string): Promise<boolean> {
  const ask = async (url: string, text: string) => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 1_000,
      query_timeout: 1_000,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return Object.values((await client.query(text)).rows[0] ?? {})[0];
    } finally {
      await client.end().catch(() => {});
    }
  };
  const written = await ask(primaryUrl, "select pg_current_wal_lsn()::text");
  return (
    (await ask(replicaUrl, `select coalesce(pg_last_wal_replay_lsn() >= '${written}', false)`)) ===
    true
  );
}
