import { createHash, randomBytes } from "node:crypto";
import { ArweaveSigner, createData, EthereumSigner, SolanaSigner } from "@dha-team/arbundles/web";
import { base58 } from "@scure/base";
import { bytesToHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import type { Content } from "../../../../api/platform/storage/ans104.ts";
import {
  createItemSigner,
  InvalidItemError,
  openItem,
} from "../../../../api/platform/storage/ans104.ts";
import { createGateway } from "../../../../api/platform/storage/gateways.ts";
import { createStorageHttp } from "../../../../api/platform/storage/http.ts";
import { createStorageItems } from "../../../../api/platform/storage/items.store.ts";
import { createLocalStorage } from "../../../../api/platform/storage/local.ts";
import { createPermanentStorage } from "../../../../api/platform/storage/permanent.ts";
import { createReader } from "../../../../api/platform/storage/reader.ts";
import type { ReadOrder } from "../../../../api/platform/storage/settings.ts";
import { openDataItem } from "../../../../kit/did/data-item.ts";
import { hasPromtool } from "../../../fixtures/alert-rules.ts";
import type { GatewayReply, TestGateway } from "../../../fixtures/bundler.ts";
import { startGateway } from "../../../fixtures/bundler.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { alertsOf } from "../../../fixtures/watched-process.ts";
import { capturedLog, testApp } from "../../helpers.ts";

const signer = createItemSigner(bytesToHex(randomBytes(32)));
const http = createStorageHttp();

let database: TestDatabase;
let connection: DatabaseConnection;
/** The items that all gateways have. */
let stored: Map<string, Buffer>;
let first: TestGateway;
let second: TestGateway;
let now: Date;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  await http.close();
});
beforeEach(async () => {
  now = new Date("2026-03-01T12:00:00Z");
  stored = new Map();
  [first, second] = await Promise.all([startGateway(stored), startGateway(stored)]);
});
afterEach(() => Promise.all([first.stop(), second.stop()]));

/** Reads of a process whose gateway time-outs fire only when a test says so. */
function reader({
  order = "copy" as ReadOrder,
  urls = [first.url, second.url],
  by = signer as typeof signer | null,
  timeoutMs = 5_000,
  observe = (_source: string, _outcome: string) => {},
} = {}) {
  const { log, entries } = capturedLog();
  const reads: string[] = [];
  let losePatience: (() => void)[] = [];
  const archive = createReader({
    items: createStorageItems(connection.db, () => now),
    gateways: urls.map((url) => createGateway({ url, http, timeoutMs })),
    signer: by,
    order,
    log,
    patienceMs: 400,
    clock: () => now,
    pause: (ms, signal) =>
      new Promise((resolve, reject) => {
        expect(ms).toBe(400);
        signal.addEventListener("abort", () => reject(signal.reason));
        losePatience.push(resolve);
      }),
    observe: (source, outcome) => {
      const name = { [new URL(first.url).host]: "first", [new URL(second.url).host]: "second" };
      reads.push(`${name[source] ?? source} ${outcome}`);
      observe(source, outcome);
    },
  });
  return {
    ...archive,
    reads,
    entries,
    losePatience() {
      for (const resolve of losePatience) resolve();
      losePatience = [];
    },
  };
}

const anything = (): Content => ({ data: randomBytes(60), contentType: "application/json" });

/** An item of the service: stored here, and served by the gateways. */
async function own(content = anything()) {
  const archive = createPermanentStorage(
    signer,
    createLocalStorage(connection.db, () => now),
  );
  const id = await archive.archive(content);
  const { bytes } = await signer.sign(content);
  stored.set(id, bytes);
  return { id, bytes, content };
}

/** An item of another signer, with another kind of key. */
async function foreign(key: EthereumSigner | SolanaSigner | ArweaveSigner = otherKey) {
  const data = randomBytes(60);
  const item = createData(data, key, { tags: [{ name: "Content-Type", value: "text/plain" }] });
  await item.sign(key);
  stored.set(item.id, item.getRaw());
  return { id: item.id, bytes: item.getRaw(), content: { data, contentType: "text/plain" } };
}
const otherKey = new EthereumSigner(randomBytes(32).toString("hex"));

/** Changes the copy in Postgres, as a damaged disk or an intruder would. */
async function damage(id: string, change: (bytes: Buffer) => void): Promise<void> {
  const { rows } = await connection.pool.query("select bytes from app.storage_item where id = $1", [
    id,
  ]);
  const bytes = Buffer.from(rows[0].bytes);
  change(bytes);
  await connection.pool.query("update app.storage_item set bytes = $2 where id = $1", [id, bytes]);
}
const lastByte = (bytes: Buffer) => {
  const last = bytes.length - 1;
  bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
};
const copyOf = async (id: string): Promise<Buffer> =>
  (await connection.pool.query("select bytes from app.storage_item where id = $1", [id])).rows[0]
    .bytes;

const shown = (content: Content | null) =>
  content && { data: Buffer.from(content.data).toString("hex"), contentType: content.contentType };

const tampered: GatewayReply = { status: 200, body: Buffer.from('{"name":"mallory"}') };

describe("reading an item of the service", () => {
  it("queries no gateway while the copy is intact", async () => {
    const { id, content, bytes } = await own();
    const { read, readItem, reads } = reader();
    expect(shown(await read(id))).toEqual(shown(content));
    expect((await readItem(id))?.equals(bytes)).toBe(true);
    expect([first.requestedPaths, second.requestedPaths]).toEqual([[], []]);
    expect(reads).toEqual(["copy good", "copy good"]);
  });

  it.each([
    ["data", lastByte],
    ["beginning", (bytes: Buffer) => void bytes.fill(7, 0, 200)],
    ["signature", (bytes: Buffer) => void bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9)],
  ])("repairs a copy whose %s was altered from a gateway's data", async (_what, change) => {
    const { id, content, bytes } = await own();
    await damage(id, change);
    const { read, reads, entries } = reader();
    expect(shown(await read(id))).toEqual(shown(content));
    expect(reads).toEqual(["copy altered", "first good", "copy repaired"]);
    expect((await copyOf(id)).equals(bytes)).toBe(true);
    expect(entries()).toMatchObject([
      {
        level: "error",
        id,
        msg: "the service's copy of an item was altered; gateways are asked for it",
      },
      { level: "warn", msg: "the altered copy of an item was replaced by a good one", id },
    ]);
  });

  it("repairs an item of a former key, whose signature cannot be made again", async () => {
    const { id, content, bytes } = await own();
    await damage(id, lastByte);
    const { read, readItem } = reader({ by: createItemSigner(bytesToHex(randomBytes(32))) });
    expect(shown(await read(id))).toEqual(shown(content));
    expect((await copyOf(id)).equals(bytes)).toBe(true);
    expect((await readItem(id))?.equals(bytes)).toBe(true);
  });

  it("returns data with the right hash when the item cannot be rebuilt any more", async () => {
    const { id, content } = await own();
    await damage(id, (bytes) => void bytes.fill(7, 0, 200));
    const { read, readItem, reads } = reader({ by: null });
    expect(shown(await read(id))).toEqual(shown(content));
    expect(reads).toEqual(["copy altered", "first good"]);
    await expect(readItem(id)).rejects.toThrow(
      new InvalidItemError(`Of the item ${id} only the data is left.`),
    );
  });

  it("never returns what a gateway tampered with: the next one has the original", async () => {
    const { id, content } = await own();
    await damage(id, lastByte);
    first.answer(() => tampered);
    const { read, reads, entries } = reader();
    expect(shown(await read(id))).toEqual(shown(content));
    expect(reads).toEqual(["copy altered", "first altered", "second good", "copy repaired"]);
    expect(entries()).toContainEqual(
      expect.objectContaining({
        level: "error",
        id,
        gateway: new URL(first.url).host,
        msg: "a gateway serves altered content; it is not shown",
      }),
    );
  });

  it("reports an item whose copies are all altered, and returns none of them", async () => {
    const { id } = await own();
    await damage(id, lastByte);
    const altered = await copyOf(id);
    first.answer(() => tampered);
    second.answer(() => ({ status: 200, body: altered }));
    const { read, reads } = reader();
    await expect(read(id)).rejects.toThrow(
      new InvalidItemError(`The bytes stored as ${id} are not a correctly signed item.`),
    );
    expect(reads).toEqual(["copy altered", "first altered", "second altered"]);
    expect((await copyOf(id)).equals(altered)).toBe(true);
  });

  it("reports an altered copy as such while the gateways are down", async () => {
    const { id } = await own();
    await damage(id, lastByte);
    first.answer(() => "breaks");
    second.answer(() => ({ status: 500 }));
    await expect(reader().read(id)).rejects.toThrow(InvalidItemError);
  });

  it("reads from the copy with every gateway down, in either order", async () => {
    const { id, content } = await own();
    await Promise.all([first.stop(), second.stop()]);
    for (const order of ["copy", "gateways"] as const) {
      expect(shown(await reader({ order }).read(id))).toEqual(shown(content));
    }
    [first, second] = await Promise.all([startGateway(stored), startGateway(stored)]);
  });

  it("queries gateways first when that is configured, and trusts them no more", async () => {
    const { id, content, bytes } = await own();
    const good = reader({ order: "gateways" });
    expect(shown(await good.read(id))).toEqual(shown(content));
    expect((await good.readItem(id))?.equals(bytes)).toBe(true);
    expect(good.reads).toEqual(["first good", "first good"]);

    first.answer(() => tampered);
    second.answer(() => tampered);
    const bad = reader({ order: "gateways" });
    expect(shown(await bad.read(id))).toEqual(shown(content));
    expect(bad.reads).toEqual(["first altered", "second altered", "copy good"]);
  });
});

describe("reading an item of another signer", () => {
  it("takes it whole from a gateway that serves items, signed by any kind of key", async () => {
    const jwk = await crypto.subtle.exportKey(
      "jwk",
      (
        await crypto.subtle.generateKey(
          {
            name: "RSA-PSS",
            hash: "SHA-256",
            modulusLength: 4096,
            publicExponent: Uint8Array.of(1, 0, 1),
          },
          true,
          ["sign"],
        )
      ).privateKey,
    );
    const solana = await solanaKey();
    for (const key of [otherKey, solana, new ArweaveSigner(jwk as never)]) {
      const { id, content, bytes } = await foreign(key);
      const { read, readItem } = reader({ urls: [`${first.url}/item/{id}`] });
      expect(shown(await read(id))).toEqual(shown(content));
      expect((await readItem(id))?.equals(bytes)).toBe(true);

      const changed = Buffer.from(bytes);
      lastByte(changed);
      first.answer(() => ({ status: 200, body: changed }));
      expect(await reader({ urls: [first.url] }).read(id)).toBeNull();
      first.answer(() => undefined);
    }
  });

  it("cuts it out of its bundle where a gateway names its range", async () => {
    const { id, bytes, content } = await foreign();
    const bundle = "E".repeat(43);
    const whole = Buffer.concat([randomBytes(70), bytes, randomBytes(30)]);
    const headers = {
      "x-ar-io-root-transaction-id": bundle,
      "x-ar-io-root-data-item-offset": "70",
      "x-ar-io-root-data-offset": String(70 + bytes.length - content.data.length),
    };
    first.answer((path) => {
      if (path === `/raw/${bundle}`)
        return { status: 206, body: whole.subarray(70, 70 + bytes.length) };
      return { status: 200, body: Buffer.from(content.data), headers };
    });
    const { read, reads } = reader({ urls: [first.url] });
    expect(shown(await read(id))).toEqual(shown(content));
    expect(reads).toEqual(["first good"]);
    expect(first.requestedPaths).toEqual([`/raw/${id}`, `/raw/${bundle}`]);
  });

  it("returns no data that comes without its item, because it is not proven", async () => {
    const { id } = await foreign();
    const { read, readItem, reads } = reader();
    expect(await read(id)).toBeNull();
    expect(reads).toEqual(["first unverifiable", "second unverifiable"]);
    expect(await readItem(id)).toBeNull();
  });

  it("returns no item that was tampered with, or is another one", async () => {
    const { id, bytes } = await foreign();
    const changed = Buffer.from(bytes);
    lastByte(changed);
    const other = (await foreign()).bytes;
    first.answer(() => ({ status: 200, body: changed }));
    second.answer(() => ({ status: 200, body: other }));
    const { read, reads } = reader();
    expect(await read(id)).toBeNull();
    expect(reads).toEqual(["first unverifiable", "second unverifiable"]);
  });

  it("accepts of an Ethereum key's signatures those from which the key is recovered, as the kit does", async () => {
    const { bytes } = await foreign();
    const lastOfSignature = 2 + 64;
    const right = bytes.readUInt8(lastOfSignature);
    expect([27, 28]).toContain(right);
    const accepted: number[] = [];
    for (const recovery of [0, 1, 2, 26, 27, 28, 29, 255]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(recovery, lastOfSignature);
      const id = createHash("sha256").update(changed.subarray(2, 67)).digest("base64url");
      const opened = await openItem({ id, bytes: changed }).catch((thrown: unknown) => thrown);
      const byKit = await openDataItem(id, changed).catch(() => null);
      expect(opened instanceof InvalidItemError).toBe(byKit === null);
      if (byKit === null) {
        expect(opened).toHaveProperty(
          "message",
          `The bytes stored as ${id} are not a correctly signed item.`,
        );
      } else accepted.push(recovery);
    }
    expect(accepted).toEqual([right - 27, right]);
  });

  it("does not read more than the size limit", async () => {
    const { id } = await foreign();
    first.answer(() => ({ status: 200, body: Buffer.alloc(4 * 1024 * 1024 + 1) }));
    const error = await reader({ urls: [first.url] })
      .read(id)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ type: "STORAGE_UNAVAILABLE" });
  });

  it("is null when no gateway has it, and queries none again for half a minute", async () => {
    const { id, content } = await foreign();
    stored.delete(id);
    const { read } = reader();
    expect(await read(id)).toBeNull();
    const paths = [`/raw/${id}`, `/${id}`];
    expect([first.requestedPaths, second.requestedPaths]).toEqual([paths, paths]);
    expect(await read(id)).toBeNull();
    expect(first.requestedPaths).toEqual(paths);

    const item = createData(content.data, otherKey, {
      tags: [{ name: "Content-Type", value: content.contentType }],
    });
    await item.sign(otherKey);
    first.answer(() => ({ status: 200, body: item.getRaw() }));
    now = new Date(now.getTime() + 29_999);
    expect(await read(id)).toBeNull();
    now = new Date(now.getTime() + 1);
    expect(shown(await read(id))).toEqual(shown(content));
  });

  it("is STORAGE_UNAVAILABLE while a gateway that may have it does not answer", async () => {
    const { id } = await foreign();
    stored.delete(id);
    second.answer(() => ({ status: 502 }));
    const { read, reads } = reader();
    const error = await read(id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ type: "STORAGE_UNAVAILABLE", status: 503 });
    expect(reads).toEqual(["first missing", "second failed"]);
    second.answer(() => undefined);
    expect(await read(id)).toBeNull();
  });

  it("reads an item that a gateway redirects at one URL from the gateway's second URL", async () => {
    const { id, bytes, content } = await foreign();
    first.answer((path) =>
      path.startsWith("/raw/")
        ? { status: 302, headers: { location: "https://elsewhere.example/" } }
        : { status: 200, body: bytes },
    );
    expect(shown(await reader({ urls: [first.url] }).read(id))).toEqual(shown(content));
  });
});

describe("a gateway that does not answer", () => {
  it("is hedged, and the first right answer wins", async () => {
    const { id, bytes, content } = await foreign();
    second.answer(() => ({ status: 200, body: bytes }));
    first.hold();
    const { read, reads, losePatience } = reader();
    const reading = read(id);
    await waitUntil(() => first.requestedPaths.length === 1);
    expect(second.requestedPaths).toEqual([]);
    losePatience();
    expect(shown(await reading)).toEqual(shown(content));
    expect(reads).toEqual(["second good"]);
    first.release();
  });

  it("is not waited for longer than its time limit", async () => {
    const { id, bytes, content } = await foreign();
    second.answer(() => ({ status: 200, body: bytes }));
    first.hold();
    const { read, reads } = reader({ timeoutMs: 100 });
    expect(shown(await read(id))).toEqual(shown(content));
    expect(reads).toEqual(["first failed", "second good"]);
    first.release();
  });

  it("is queried once for all readers of the same item", async () => {
    const { id, bytes, content } = await foreign();
    first.answer(() => ({ status: 200, body: bytes }));
    first.hold();
    const { read } = reader();
    const readings = Array.from({ length: 5 }, () => read(id));
    await waitUntil(() => first.requestedPaths.length === 1);
    first.release();
    for (const reading of readings) expect(shown(await reading)).toEqual(shown(content));
    expect(first.requestedPaths).toEqual([`/raw/${id}`]);
  });
});

describe("GET /ar/:id", () => {
  it("answers 503 while no gateway that may have the item answers, and that may not be cached", async () => {
    const { id } = await foreign();
    for (const gateway of [first, second]) gateway.answer(() => ({ status: 500 }));
    for (const path of [`/ar/${id}`, `/ar/${id}/item`]) {
      const answer = await testApp({ archive: reader() }).request(path);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(await answer.json()).toMatchObject({
        error: { code: 503, type: "STORAGE_UNAVAILABLE" },
      });
    }
  });

  it("never returns a tampered answer", async () => {
    const { id } = await own();
    await damage(id, lastByte);
    for (const gateway of [first, second]) gateway.answer(() => tampered);
    const answer = await testApp({ archive: reader() }).request(`/ar/${id}`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("mallory");
  });
});

describe.skipIf(!hasPromtool)("the alert that fires", () => {
  // One read: nothing is read in the time that is watched.
  it("when the copy of an item was once altered", async () => {
    const { id } = await own();
    await damage(id, lastByte);
    const metrics = createMetrics();
    await reader({ observe: metrics.storageRead }).read(id);
    expect(await alertsOf({ metrics })).toEqual(["StorageAltered"]);
  });

  it("when a gateway once served altered content", async () => {
    const { id } = await own();
    first.answer(() => tampered);
    const metrics = createMetrics();
    await reader({ order: "gateways", observe: metrics.storageRead }).read(id);
    expect(await alertsOf({ metrics })).toEqual(["StorageAltered"]);
  });
});

async function solanaKey(): Promise<SolanaSigner> {
  const { privateKey } = (await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
  ])) as CryptoKeyPair;
  const { d = "", x = "" } = await crypto.subtle.exportKey("jwk", privateKey);
  const bytes = Buffer.concat([Buffer.from(d, "base64url"), Buffer.from(x, "base64url")]);
  return new SolanaSigner(base58.encode(bytes));
}

async function waitUntil(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { timeout: 10_000, interval: 5 });
}
