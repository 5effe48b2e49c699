import { createHash, randomBytes } from "node:crypto";
import { createData, DataItem, EthereumSigner, TypedEthereumSigner } from "@dha-team/arbundles/web";
import { sql } from "drizzle-orm";
import { bytesToHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import type { SignedItem } from "../../../../api/platform/storage/ans104.ts";
import {
  createItemSigner,
  InvalidItemError,
  openItem,
} from "../../../../api/platform/storage/ans104.ts";
import { createLocalStorage } from "../../../../api/platform/storage/local.ts";
import type {
  PermanentStorage,
  StorageDriver,
} from "../../../../api/platform/storage/permanent.ts";
import { createPermanentStorage } from "../../../../api/platform/storage/permanent.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { capturedLog, testApp } from "../../helpers.ts";

const privateKey = bytesToHex(randomBytes(32));
const signer = createItemSigner(privateKey);
const text = (value: string) => new TextEncoder().encode(value);
const hello = { data: text("hello"), contentType: "text/plain" };
/** A valid id that is the hash of no signature. */
const UNKNOWN_ID = "A".repeat(43);

let database: TestDatabase;
let connection: DatabaseConnection;
let driver: StorageDriver;
let archive: PermanentStorage;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
  driver = createLocalStorage(connection.db, () => new Date());
  archive = createPermanentStorage(signer, driver);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

function changed({ id, bytes }: SignedItem, index: number, value: number): SignedItem {
  const copy = Buffer.from(bytes);
  copy[index] = value;
  return { id, bytes: copy };
}

/** Replaces the stored bytes of an id without the driver, as a damaged disk would. */
async function damage({ id, bytes }: SignedItem): Promise<void> {
  const { rowCount } = await connection.db.execute(
    sql`update app.storage_item set bytes = ${bytes} where id = ${id}`,
  );
  expect(rowCount).toBe(1);
}

const rowsOf = async (id: string) =>
  (await connection.db.execute(sql`select bytes from app.storage_item where id = ${id}`)).rows;

describe("a signed item", () => {
  it("is the same for the same content, from any process with the key", async () => {
    const first = await signer.sign(hello);
    const second = await createItemSigner(privateKey).sign({ ...hello, data: text("hello") });
    expect(second.id).toBe(first.id);
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });

  it("has another id for other data, another type or another key", async () => {
    const items = await Promise.all([
      signer.sign(hello),
      signer.sign({ ...hello, data: text("hello!") }),
      signer.sign({ ...hello, contentType: "text/markdown" }),
      createItemSigner(bytesToHex(randomBytes(32))).sign(hello),
    ]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(4);
  });

  it("is an ANS-104 item of the storage key, whose id is the SHA-256 of its signature", async () => {
    const { id, bytes } = await signer.sign(hello);
    expect(await DataItem.verify(bytes)).toBe(true);

    const item = new DataItem(bytes);
    expect(id).toBe(createHash("sha256").update(item.rawSignature).digest("base64url"));
    expect(Buffer.from(id, "base64url")).toHaveLength(32);
    expect(item.signatureType).toBe(3);
    expect(item.tags).toEqual([{ name: "Content-Type", value: "text/plain" }]);
    expect(item.target).toBe("");
    expect(item.anchor).toBe("");
    expect(item.rawData.toString()).toBe("hello");
    expect(signer.address).toBe(privateKeyToAddress(privateKey));
  });

  it("is byte for byte the item that the format's own library makes", async () => {
    const key = new EthereumSigner(privateKey.slice(2));
    for (const contentType of ["text/plain", "", "ä".repeat(40), "x".repeat(3_000)]) {
      for (const data of [randomBytes(0), randomBytes(300)]) {
        const item = createData(data, key, {
          tags: [{ name: "Content-Type", value: contentType }],
        });
        await item.sign(key);
        expect(await signer.sign({ data, contentType })).toEqual({
          id: item.id,
          bytes: item.getRaw(),
        });
      }
    }
  });

  it("opens to what was signed, also when that is empty", async () => {
    const opened = await openItem(await signer.sign(hello));
    expect(Buffer.from(opened.data).toString()).toBe("hello");
    expect(opened.contentType).toBe("text/plain");

    const nothing = await openItem(await signer.sign({ ...hello, data: new Uint8Array() }));
    expect(nothing.data).toHaveLength(0);
    expect(nothing.contentType).toBe("text/plain");
  });

  it("does not open after any of its bytes changed, signed or not", async () => {
    const item = await signer.sign(hello);
    const accepted: string[] = [];
    for (const [index, byte] of item.bytes.entries()) {
      // One bit, all bits, and the two values that flags and counts may take.
      for (const value of new Set([byte ^ 1, byte ^ 2, byte ^ 0xff, 0, 1])) {
        if (value === byte) continue;
        const outcome = await openItem(changed(item, index, value)).catch(
          (error: unknown) => error,
        );
        if (!(outcome instanceof InvalidItemError)) accepted.push(`byte ${index} as ${value}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it("does not open when it is cut, extended or stored under another id", async () => {
    const item = await signer.sign(hello);
    const { id, bytes } = item;
    for (const length of [0, 1, 79, 132, 134, 150, bytes.length - 1]) {
      await expect(openItem({ id, bytes: bytes.subarray(0, length) })).rejects.toThrow(
        new InvalidItemError(`The bytes stored as ${id} are not a correctly signed item.`),
      );
    }
    await expect(openItem({ id, bytes: Buffer.concat([bytes, Buffer.of(0)]) })).rejects.toThrow(
      InvalidItemError,
    );
    await expect(openItem({ id: UNKNOWN_ID, bytes })).rejects.toThrow(
      new InvalidItemError(`The item kept as ${UNKNOWN_ID} is ${id}.`),
    );
  });
});

describe("an item signed in another way", () => {
  it("does not open, although its signature is correct", async () => {
    const typed = new TypedEthereumSigner(privateKey.slice(2));
    // Its key is shorter, so its data begins with bytes that look like an empty header.
    const item = createData(new Uint8Array(64), typed);
    await item.sign(typed);
    const bytes = item.getRaw();
    expect(await DataItem.verify(bytes)).toBe(true);
    await expect(openItem({ id: item.id, bytes })).rejects.toThrow(
      new InvalidItemError(`The bytes stored as ${item.id} are not a correctly signed item.`),
    );
  });
});

describe("the tags of an item of another signer", () => {
  const key = new EthereumSigner(privateKey.slice(2));
  const tag = Buffer.from("\x18Content-Type\x06a/b");

  /** An item with these bytes as its tags. */
  async function tagged(count: number, ...parts: readonly (Buffer | number[])[]) {
    const item = createData(Buffer.from("hello"), key).getRaw();
    const tags = Buffer.concat(parts.map((part) => Buffer.from(part)));
    const counts = Buffer.alloc(16);
    counts.writeBigUInt64LE(BigInt(count));
    counts.writeBigUInt64LE(BigInt(tags.length), 8);
    const start = item.length - "hello".length - counts.length;
    const bytes = Buffer.concat([item.subarray(0, start), counts, tags, Buffer.from("hello")]);
    const made = new DataItem(bytes);
    await made.sign(key);
    return { id: made.id, bytes };
  }

  it.each<[string, number, (Buffer | number[])[]]>([
    ["one block", 1, [[2], tag, [0]]],
    ["a block with its length", 1, [[1, tag.length * 2], tag, [0]]],
    ["two blocks", 2, [[2], tag, [2], tag, [0]]],
  ])("are read from %s", async (_what, count, parts) => {
    const opened = await openItem(await tagged(count, ...parts));
    expect(opened.contentType).toBe("a/b");
  });

  it.each<[string, number, (Buffer | number[])[]]>([
    ["fewer than stated", 2, [[2], tag, [0]]],
    ["more than stated", 1, [[4], tag, tag, [0]]],
    ["stated and absent", 1, []],
    ["there and not stated", 0, [[2], tag, [0]]],
    ["cut off", 1, [[2], tag.subarray(0, 14)]],
    ["a text of negative length", 1, [[2, 1], tag, [0]]],
    ["a count without an end", 1, [Array.from({ length: 40 }, () => 0xff)]],
    [
      "longer than the format allows",
      60,
      [[120], ...Array.from({ length: 60 }, () => Buffer.concat([tag, Buffer.alloc(60)])), [0]],
    ],
  ])("are refused when they are %s", async (_what, count, parts) => {
    const item = await tagged(count, ...parts);
    await expect(openItem(item)).rejects.toThrow(InvalidItemError);
  });
});

describe("the local driver", () => {
  it("stores an item byte for byte, however often it is stored", async () => {
    const item = await signer.sign({ data: randomBytes(300), contentType: "image/png" });
    await Promise.all([driver.store(item), driver.store(item)]);
    await driver.store(item);
    expect(await rowsOf(item.id)).toEqual([{ bytes: item.bytes }]);
    expect(await driver.read(item.id)).toEqual(item);
  });

  it("returns null for an unknown id", async () => {
    expect(await driver.read(UNKNOWN_ID)).toBeNull();
    expect(await archive.read(UNKNOWN_ID)).toBeNull();
    expect(await archive.readItem(UNKNOWN_ID)).toBeNull();
  });

  it("refuses an item whose id differs", async () => {
    const item = await signer.sign({ ...hello, data: randomBytes(8) });
    const last = item.bytes.length - 1;
    const wrong = changed(item, last, (item.bytes[last] ?? 0) ^ 1);
    await expect(driver.store(wrong)).rejects.toThrow(InvalidItemError);
    expect(await rowsOf(item.id)).toEqual([]);
  });
});

describe("permanent storage", () => {
  it("gives one id for one content, and the content for the id", async () => {
    const content = { data: randomBytes(64), contentType: "application/json" };
    const id = await archive.archive(content);
    expect(await archive.archive(content)).toBe(id);
    const read = await archive.read(id);
    expect(Buffer.from(read?.data ?? [])).toEqual(content.data);
    expect(read?.contentType).toBe("application/json");
  });

  it("does not return content that was damaged in storage", async () => {
    const item = await signer.sign({ ...hello, data: randomBytes(8) });
    await driver.store(item);
    const last = item.bytes.length - 1;
    await damage(changed(item, last, (item.bytes[last] ?? 0) ^ 1));
    await expect(archive.read(item.id)).rejects.toThrow(
      new InvalidItemError(`The bytes stored as ${item.id} are not a correctly signed item.`),
    );
  });

  it("answers STORAGE_UNAVAILABLE when the driver does not store the item, with the reason for the log", async () => {
    const cause = new Error("disk full");
    const broken = createPermanentStorage(signer, {
      ...driver,
      store: () => Promise.reject(cause),
    });
    const error = await broken.archive(hello).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ type: "STORAGE_UNAVAILABLE", status: 503, cause });
  });
});

describe("GET /ar/:id", () => {
  const INERT = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
  };

  it.each([
    ["application/json", "application/json", "inline"],
    ["image/svg+xml", "image/svg+xml", "inline"],
    ["image/png", "image/png", "inline"],
    ["image/jpeg", "image/jpeg", "inline"],
    ["image/webp", "image/webp", "inline"],
    ["IMAGE/PNG ; a=b", "image/png", "inline"],
    ["text/plain", "text/plain; charset=utf-8", "attachment"],
    ["application/yaml", "application/yaml; charset=utf-8", "attachment"],
    ["Text/Markdown; charset=latin1", "text/markdown; charset=utf-8", "attachment"],
  ])("announces %s, inert and for ever", async (contentType, announced, disposition) => {
    const data = randomBytes(40);
    const id = await archive.archive({ data, contentType });
    const answer = await testApp({ archive }).request(`/ar/${id}`);

    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(data)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...INERT,
      "content-type": announced,
      "content-disposition": disposition,
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${id}"`,
    });
  });

  it.each([
    ...["text/html", "application/javascript", "application/xhtml+xml", "text/xml", "image/x"],
    ...["application/pdf", "multipart/x-mixed-replace", "", "nonsense"],
  ])("only downloads %j", async (contentType) => {
    const id = await archive.archive({ data: randomBytes(40), contentType });
    const answer = await testApp({ archive }).request(`/ar/${id}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...INERT,
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
    });
  });

  it("answers with its own header when the stored type is invalid", async () => {
    const contentType = "text/plain; a=\r\nSet-Cookie: b=c";
    const id = await archive.archive({ data: randomBytes(40), contentType });
    const answer = await testApp({ archive }).request(`/ar/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("answers 304 to a client that has it", async () => {
    const id = await archive.archive(hello);
    for (const held of [`"${id}"`, `"other", W/"${id}"`]) {
      const request = { headers: { "If-None-Match": held } };
      const answer = await testApp({ archive }).request(`/ar/${id}`, request);
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("etag")).toBe(`"${id}"`);
    }
    const any = { headers: { "If-None-Match": "*" } };
    expect((await testApp({ archive }).request(`/ar/${UNKNOWN_ID}`, any)).status).toBe(404);
  });

  it.each([
    ["one character short", "A".repeat(42)],
    ["one too long", "A".repeat(44)],
    ["not base64url", `${"A".repeat(42)}+`],
    ["another spelling of the same 32 bytes", `${"A".repeat(42)}B`],
  ])("refuses an id that is %s", async (_what, id) => {
    for (const path of [`/ar/${id}`, `/ar/${id}/item`]) {
      const answer = await testApp({ archive }).request(path);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({
        error: {
          code: 400,
          type: "INVALID_REQUEST",
          message: "The request is not valid.",
          details: {
            issues: [{ path: "id", message: "Not an item id" }],
            requestId: answer.headers.get("x-request-id"),
          },
        },
      });
    }
  });

  it("answers 404 for an unknown id, which may not be cached", async () => {
    for (const path of [`/ar/${UNKNOWN_ID}`, `/ar/${UNKNOWN_ID}/item`]) {
      const answer = await testApp({ archive }).request(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.json()).toEqual({
        error: {
          code: 404,
          type: "NOT_FOUND",
          message: `Nothing is stored under ${UNKNOWN_ID}.`,
          details: { requestId: answer.headers.get("x-request-id") },
        },
      });
    }
  });

  it("answers INTERNAL for a damaged item, names it in the log and shows none of it", async () => {
    const item = await signer.sign({ data: text("private-marker"), contentType: "text/plain" });
    await driver.store(item);
    await damage(changed(item, item.bytes.length - 1, 0));
    const { log, entries } = capturedLog();

    const answer = await testApp({ archive, log }).request(`/ar/${item.id}`);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const body = await answer.text();
    expect(JSON.parse(body)).toMatchObject({ error: { code: 500, type: "INTERNAL" } });
    expect(body).not.toContain("private-marke");
    expect(JSON.stringify(entries())).toContain(`The bytes stored as ${item.id}`);
  });
});

describe("GET /ar/:id/item", () => {
  it("gives the signed bytes, which any client can check", async () => {
    const data = randomBytes(40);
    const id = await archive.archive({ data, contentType: "text/html" });
    const answer = await testApp({ archive }).request(`/ar/${id}/item`);

    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-disposition")).toBe("attachment");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(await DataItem.verify(bytes)).toBe(true);
    expect(new DataItem(bytes).id).toBe(id);
    expect(new DataItem(bytes).rawData.equals(data)).toBe(true);
  });
});
