import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ANYWHERE,
  createPassportFiles,
} from "../../../../api/features/passports/passport-files.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { limitedAddress } from "../../../../api/platform/limits/client-address.ts";
import { createAddressPolicy } from "../../../../api/platform/outbound/addresses.ts";
import { createOutboundHttp } from "../../../../api/platform/outbound/client.ts";
import { createHostCounts } from "../../../../api/platform/outbound/host-budget.store.ts";
import {
  createHostBudget,
  HOST_WINDOW_MS,
  type HostLimits,
} from "../../../../api/platform/outbound/host-budget.ts";
import { HostBusyError } from "../../../../api/platform/outbound/ports.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { type Receiver, startReceiver } from "../../../fixtures/receiver.ts";
import { capturedLog } from "../../helpers.ts";

let database: TestDatabase;
let connection: DatabaseConnection;
let now: Date;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});
beforeEach(async () => {
  now = new Date("2026-11-23T12:00:00Z");
  await connection.pool.query("truncate app.endpoint_host");
});

const budget = (limits: HostLimits) =>
  createHostBudget({
    counts: createHostCounts(connection.db),
    limitedAddress,
    limits,
    clock: () => now,
  });

describe("what strangers can have sent to a host", () => {
  it.each([
    ["the same name", { host: 1, shared: 100 }, ["a.victim.example", "a.victim.example"], false],
    ["another name", { host: 1, shared: 100 }, ["a.victim.example", "b.victim.example"], true],
    [
      "a name below the same one",
      { host: 100, shared: 1 },
      ["a.victim.example", "b.victim.example"],
      false,
    ],
    ["a name far below", { host: 100, shared: 1 }, ["a.b.victim.example", "victim.example"], false],
    [
      "a name with another end",
      { host: 100, shared: 1 },
      ["a.victim.example", "a.other.example"],
      true,
    ],
    ["a host of one label", { host: 1, shared: 100 }, ["localhost", "localhost"], false],
    ["a literal address", { host: 1, shared: 100 }, ["203.0.113.7", "203.0.113.7"], false],
  ])("counts %s", async (_what, limits, [first = "", second = ""], isFree) => {
    const { take } = budget(limits);
    const at = (host: string, address: string) => [host.startsWith("203.") ? host : address];
    expect(await take(first, at(first, "192.0.2.1"))).toBe(true);
    expect(await take(second, at(second, "192.0.2.2"))).toBe(isFree);
  });

  it.each([
    ["the same address", "203.0.113.7", "203.0.113.7", false],
    ["the same address within IPv6", "203.0.113.7", "::ffff:203.0.113.7", false],
    ["the same /64", "2001:db8:1:2::1", "2001:db8:1:2:3::9", false],
    ["another address", "203.0.113.7", "203.0.113.8", true],
  ])("counts %s under any name", async (_what, first, second, isFree) => {
    const { take } = budget({ host: 100, shared: 1 });
    expect(await take("one.example", [first])).toBe(true);
    expect(await take("two.test", [second])).toBe(isFree);
  });

  it("is counted exactly when many ask at once, and anew after a quarter of an hour", async () => {
    const { take } = budget({ host: 100, shared: 7 });
    const many = () =>
      Promise.all(
        Array.from({ length: 20 }, (_, one) =>
          take(
            `a${one}.victim.example`,
            one % 2 === 0 ? ["192.0.2.1", "192.0.2.2"] : ["192.0.2.2", "192.0.2.1"],
          ),
        ),
      );
    expect((await many()).filter(Boolean)).toHaveLength(7);
    now = new Date(now.getTime() + HOST_WINDOW_MS);
    expect((await many()).filter(Boolean)).toHaveLength(7);
  });
});

describe("a request within the budget", () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());
  beforeEach(() => {
    receiver.received.length = 0;
  });

  function client(limits: HostLimits) {
    return createOutboundHttp({
      policy: createAddressPolicy(["127.0.0.0/8"]),
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      certificateAuthorities: [receiver.authority],
      budget: budget(limits),
    });
  }

  it.each([
    ["the name", { host: 1, shared: 100 }],
    ["the address", { host: 100, shared: 1 }],
  ])("is sent, and the next is not when %s has had its share", async (_what, limits) => {
    const http = client(limits);
    try {
      const files = createPassportFiles({
        stored: async () => null,
        http,
        storageUrl: "https://svc.example/ar/",
        timeoutMs: 5_000,
      });
      receiver.answer((_request, response) => void response.end("{}"));
      expect(await files.read(receiver.url, ANYWHERE)).toEqual({ text: "{}" });
      expect(await files.read(receiver.url, ANYWHERE)).toEqual({ refused: "unavailable" });
      const request = { method: "GET", maxResponseBytes: 10, url: receiver.url } as const;
      await expect(http.request(request)).rejects.toThrow(HostBusyError);
      if (limits.shared === 1) {
        const url = `https://127.0.0.1:${receiver.port}/`;
        await expect(http.request({ ...request, url })).rejects.toThrow(HostBusyError);
      }
      expect(receiver.received).toHaveLength(1);
    } finally {
      await http.close();
    }
  });

  it("is no failure of the host when the budget cannot be read", async () => {
    const broken = new Error("no database");
    const http = createOutboundHttp({
      policy: createAddressPolicy(["127.0.0.0/8"]),
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      budget: { take: () => Promise.reject(broken) },
    });
    try {
      const asked = http.request({ method: "GET", maxResponseBytes: 10, url: receiver.url });
      await expect(asked).rejects.toMatchObject({
        message: "The host budget could not be read.",
        cause: broken,
      });
    } finally {
      await http.close();
    }
  });
});
