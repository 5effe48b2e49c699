import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { copyCluster, type Owner } from "./postgres-cluster.ts";

// The local database: postgres-process.ts <port> <data directory> <programs> [cluster]. A directory
// without a cluster gets a copy of the given one, or a new one. SIGTERM stops it cleanly.
const [port, data, programs, cluster] = process.argv.slice(2);
if (!port || !data || !programs) {
  throw new Error("Usage: postgres-process.ts <port> <data directory> <programs> [cluster]");
}

const USER = "postgres";
const PASSWORD = "postgres";
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  // No socket file: its directory may not exist, and loopback is enough.
  "unix_socket_directories=",
  "max_connections=200",
  // A crash of PostgreSQL loses nothing; only a crash of the machine could, and the next start is
  // fresh.
  "fsync=off",
  "full_page_writes=off",
];

const home = dirname(data);
const runAs = account();
const options = {
  ...runAs,
  // The clone may be a directory that PostgreSQL's user cannot enter.
  cwd: home,
  // Messages in one language on every machine.
  env: { ...process.env, LC_MESSAGES: "C" },
};

for (const program of ["initdb", "postgres"].map((name) => join(programs, "bin", name))) {
  // npm does not keep this mode on every platform. Where it does, the programs may be read-only.
  const { mode } = statSync(program);
  if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555);
}

if (!existsSync(join(data, "PG_VERSION"))) {
  if (cluster) copyCluster(cluster, data, runAs);
  else createCluster(data);
}

const server = spawn(
  join(programs, "bin", "postgres"),
  ["-D", data, "-p", port, ...SETTINGS.flatMap((setting) => ["-c", setting])],
  { ...options, stdio: ["ignore", "inherit", "inherit"] },
);
server.once("error", (error) => {
  console.error(`PostgreSQL could not be started: ${error.message}`);
  process.exit(1);
});
server.once("exit", (code, signal) => {
  if (signal !== null) console.error(`PostgreSQL was ended by ${signal}.`);
  process.exit(code ?? 1);
});
// SIGINT makes PostgreSQL disconnect the clients and stop. SIGTERM would wait for them.
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => server.kill("SIGINT"));
}

/** PostgreSQL refuses to run as root, so as root it runs as its own user. */
function account(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: "-u" | "-g") => {
    const { status, stdout } = spawnSync("id", [flag, USER], { encoding: "utf8" });
    return status === 0 ? Number(stdout) : undefined;
  };
  if (idOf("-u") === undefined) {
    execFileSync("groupadd", ["--force", USER]);
    execFileSync("useradd", ["-g", USER, USER]);
  }
  const [uid, gid] = [idOf("-u"), idOf("-g")];
  if (uid === undefined || gid === undefined) throw new Error(`The user ${USER} was not created.`);
  return { uid, gid };
}

function createCluster(directory: string): void {
  const passwordFile = join(home, "password");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  if (runAs) {
    for (const path of [directory, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  }
  try {
    execFileSync(
      join(programs as string, "bin", "initdb"),
      [
        ...[`--pgdata=${directory}`, `--username=${USER}`, `--pwfile=${passwordFile}`],
        ...["--auth=scram-sha-256", "--encoding=UTF8", "--lc-messages=C", "--no-sync"],
      ],
      { ...options, stdio: ["ignore", "inherit", "inherit"] },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
