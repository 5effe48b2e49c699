import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimPorts } from "../../scripts/local-stack/ports.ts";
import {
  installedPrograms,
  makePostgresHome,
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

      const { postgres: port } = await claimPorts({ chain: 0, postgres: 0, indexer: 0, api: 0 });
      const server = new ManagedProcess({
        name: "postgres",
        program: process.execPath,
        args: [
          ...["--import", "tsx", "scripts/local-stack/postgres-process.ts"],
          ...[String(port), home.data, home.programs],
        ],
        cwd: process.cwd(),
        environment: { PATH: process.env.PATH ?? "" },
        logFile: join(directory, "postgres.log"),
        stopSignal: "SIGTERM",
        graceMs: 10_000,
      });
      const databaseDirectory = async () => {
        const client = new pg.Client(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`);
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
      expect(lstatSync(home.data).mode & 0o777).toBe(0o700);
      expect(existsSync(join(outside, "password"))).toBe(false);

      await server.stop();
      expect(server.exitError()).toMatchObject({ exitCode: 0 });
      removePostgresHome(directory);
      expect(existsSync(outside)).toBe(false);
      expect(existsSync(join(directory, "postgres"))).toBe(false);
    },
  );
});
