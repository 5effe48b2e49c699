import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReadiness, NotReadyError } from "../../api/features/status/readiness.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { startServer } from "../../api/server.ts";
import { runOn } from "../fixtures/databases.ts";
import type { TestDatabase } from "../fixtures/postgres.ts";
import { createDatabase, createEmptyDatabase } from "../fixtures/postgres.ts";
import { configOf, deployment } from "./server-config.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const configured = (changes: Record<string, string> = {}) =>
  configOf({ DATABASE_URL: database.url, ...changes });

describe("the server", () => {
  it("listens, names the parts that are not ready, and stops", async () => {
    const server = await startServer(configured(), deployment, createLog("silent"));
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: "ok" });
    const ready = await fetch(`${server.url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      ready: false,
      checks: {
        postgres: { ready: true },
        schema: { ready: true },
        chain: { ready: false },
        indexer: { ready: false, reason: "has not created its views" },
      },
    });
    await Promise.all([server.stop(), server.stop()]);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow("fetch failed");
  });

  it("ends streams that would go on for ever when it stops", async () => {
    const server = await startServer(configured(), deployment, createLog("silent"));
    const open = () => fetch(new URL("/v1/events/stream", server.url));
    const streams = await Promise.all(Array.from({ length: 10 }, open));
    const readers = streams.map(({ body }) => body?.getReader());
    // The client of the others reads nothing before the end.
    expect(new TextDecoder().decode((await readers[0]?.read())?.value)).toBe(
      "retry: 2000\n: connected\n\n",
    );
    await server.stop();
    for (const [index, reader] of readers.entries()) {
      if (index > 0) await reader?.read();
      expect(await reader?.read()).toEqual({ done: true, value: undefined });
    }
  });

  it("reports that its port is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    await expect(
      startServer(configured({ SVC_API_PORT: String(port) }), deployment, createLog("silent")),
    ).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}: it is already in use.`);
    await new Promise((resolve) => other.close(resolve));
  });

  it("reports that an earlier version made the database, and what to do", async () => {
    const old = await createEmptyDatabase();
    await runOn(old.url, "create schema app_migrations");
    await runOn(
      old.url,
      `create table app_migrations.migration as
         select 1 as id, 'earlier' as hash, 1785000000000::bigint as created_at`,
    );
    const config = configured({ DATABASE_URL: old.url });
    await expect(startServer(config, deployment, createLog("silent"))).rejects.toThrow(
      /^This database was made by an earlier version, whose tables cannot be upgraded: create a new, empty database and set DATABASE_URL to it\.$/,
    );
    await old.drop();
  });

  it("reports that the database does not answer", async () => {
    const config = configured({ DATABASE_URL: "postgres://127.0.0.1:9/none" });
    await expect(startServer(config, deployment, createLog("silent"))).rejects.toThrow(
      "The database cannot be reached or migrated.",
    );
  });
});

describe("readiness", () => {
  it("names each part, shows only public reasons, and waits for each within a time limit", async () => {
    const readiness = createReadiness(
      {
        good: async () => {},
        failing: async () => {
          throw new Error("password=hunter2");
        },
        wrong: async () => {
          throw new NotReadyError("serves another chain");
        },
        silent: () => new Promise(() => {}),
      },
      20,
    );
    expect(await readiness.check()).toEqual({
      good: { ready: true },
      failing: { ready: false, reason: "does not answer" },
      wrong: { ready: false, reason: "serves another chain" },
      silent: { ready: false, reason: "does not answer in time" },
    });
  });
});
