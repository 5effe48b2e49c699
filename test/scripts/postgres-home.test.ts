import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../api/platform/database/migrate.ts";
import { writeCluster } from "../../scripts/local-stack/bundle/cluster.ts";
import { freePorts } from "../../scripts/local-stack/ports.ts";
import { copyCluster } from "../../scripts/local-stack/postgres-cluster.ts";
import {
  installedPrograms,
  makePostgresHome,
  type PostgresHome,
  removePostgresHome,
} from "../../scripts/local-stack/postgres-home.ts";
import { ManagedProcess } from "../../scripts/local-stack/processes.ts";

const isRoot = process.getuid?.() === 0;

let directory: string;
let programs: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "postgres-home-"));
  programs = await installedPrograms();
});
afterAll(() => {
  removePostgresHome(directory);
  rmSync(directory, { recursive: true, force: true });
});

describe("the home of the local PostgreSQL", () => {
  it("is in the stack's directory where PostgreSQL's user can reach it", () => {
    chmodSync(directory, 0o711);
    const home = makePostgresHome(directory, programs);
    expect(home).toEqual({ data: join(directory, "postgres", "data"), programs });
    expect(lstatSync(join(directory, "postgres")).isDirectory()).toBe(true);
  });

  it.runIf(isRoot)(
    "holds a database that starts although clone and programs are private",
    async () => {
      chmodSync(directory, 0o700);
      const privatePrograms = join(directory, "programs");
      mkdirSync(privatePrograms);
      cpSync(programs, privatePrograms, { recursive: true, verbatimSymlinks: true });

      const home = makePostgresHome(directory, privatePrograms);
      const outside = readlinkSync(join(directory, "postgres"));
      expect(home).toEqual({ data: join(outside, "data"), programs: join(outside, "programs") });

      const { server } = await startServer(home);
      expect(lstatSync(home.data).mode & 0o777).toBe(0o700);
      expect(existsSync(join(outside, "password"))).toBe(false);

      await server.stop();
      expect(server.exitError()).toMatchObject({ exitCode: 0 });
      removePostgresHome(directory);
      expect(existsSync(outside)).toBe(false);
      expect(existsSync(join(directory, "postgres"))).toBe(false);
    },
  );

  it("gets a copy of a cluster that has every table, and leaves the cluster as it was", async () => {
    const home = makePostgresHome(directory, programs);
    const cluster = join(directory, "cluster");
    const inputs = await writeCluster(home, cluster);
    expect(inputs.map((path) => existsSync(path))).toEqual([true, true]);
    // Nothing of its making is left beside the data of the stack.
    expect(readdirSync(dirname(home.data))).not.toContain("template");
    const before = filesOf(cluster);

    const { server, url } = await startServer(home, cluster);
    expect(await migrate(url)).toBe(0);
    await server.stop();
    expect(server.exitError()).toMatchObject({ exitCode: 0 });
    expect(filesOf(cluster)).toEqual(before);
  });

  it("has no cluster as long as it is not copied whole", () => {
    const cluster = join(directory, "half");
    mkdirSync(cluster);
    // A link that leads nowhere cannot be copied.
    symlinkSync("nowhere", join(cluster, "PG_VERSION"));
    const data = join(directory, "half-copied");
    expect(() => copyCluster(cluster, data)).toThrow("ENOENT");
    expect(existsSync(data)).toBe(false);

    rmSync(join(cluster, "PG_VERSION"));
    mkdirSync(join(cluster, "pg_notify"));
    copyCluster(cluster, data);
    expect(readdirSync(data)).toEqual(["pg_notify"]);
    expect(statSync(join(data, "pg_notify")).mode & 0o777).toBe(0o700);
  });
});

/** Starts PostgreSQL and waits until it answers from the home's data. */
async function startServer(home: PostgresHome, ...cluster: string[]) {
  const [port] = await freePorts(1);
  const server = new ManagedProcess({
    name: "postgres",
    program: process.execPath,
    args: [
      ...["--import", "tsx", "scripts/local-stack/postgres-process.ts"],
      ...[String(port), home.data, home.programs, ...cluster],
    ],
    cwd: process.cwd(),
    environment: { PATH: process.env.PATH ?? "" },
    logFile: join(directory, "postgres.log"),
    stopSignal: "SIGTERM",
    graceMs: 10_000,
  });
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const databaseDirectory = async () => {
    const client = new pg.Client(url);
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ data_directory: string }>("show data_directory");
      return rows[0]?.data_directory;
    } finally {
      await client.end();
    }
  };
  await server.waitUntil(async () => (await databaseDirectory()) === home.data, 60_000);
  return { server, url };
}

/** Size and time of each file. */
function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => {
      const { size, mtimeMs } = statSync(join(path, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .toSorted();
}
