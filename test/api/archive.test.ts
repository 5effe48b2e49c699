import { createHash } from "node:crypto";
import { DataItem } from "@dha-team/arbundles/web";
import type { Hex } from "viem";
import { toHex } from "viem";
import { generatePrivateKey, privateKeyToAddress, publicKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDatabase, type DatabaseConnection } from "../../api/db/connect.ts";
import { createLog } from "../../api/log.ts";
import { createItemSigner, InvalidItemError, openItem } from "../../api/storage/ans104.ts";
import type { StorageDriver } from "../../api/storage/driver.ts";
import { createLocalStorage } from "../../api/storage/local.ts";
import { createPermanentStorage, type PermanentStorage } from "../../api/storage/permanent.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { capturedLog, testApp } from "./helpers.ts";
import { refusal } from "./sign-in-harness.ts";

const PRIVATE_KEY: Hex = generatePrivateKey();

let database: TestDatabase;
let connection: DatabaseConnection;
let archive: PermanentStorage;
let app: ReturnType<typeof testApp>;
const captured = capturedLog("error");

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
  archive = storage();
  app = testApp({ archive, log: captured.log });
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});

/** Permanent storage as the server builds it, in the file's database. */
function storage(privateKey: Hex = PRIVATE_KEY): PermanentStorage {
  return createPermanentStorage(
    createItemSigner(privateKey),
    createLocalStorage(connection.db, () => new Date()),
  );
}

const text = (content: string, contentType = "text/plain") => ({
  data: new TextEncoder().encode(content),
  contentType,
});

async function itemRow(id: string) {
  const { rows } = await connection.pool.query("select * from app.storage_item where id = $1", [
    id,
  ]);
  return rows;
}

/** Changes one byte of an item where it is kept. */
async function tamper(id: string, offset: number) {
  await connection.pool.query(
    "update app.storage_item set bytes = set_byte(bytes, $2, get_byte(bytes, $2) # 1) where id = $1",
    [id, offset],
  );
}

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await app.request(path, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

async function refused(path: string) {
  const { status, headers, bytes } = await get(path);
  expect(headers.get("content-type")).toBe("application/json");
  return refusal({ status, headers, body: JSON.parse(bytes.toString()) });
}

describe("an item", () => {
  it("is the same, byte for byte, however often and by whichever process it is signed", async () => {
    const content = text('{"heron":1}', "application/json");
    const id = await archive.archive(content);
    const [first] = await itemRow(id);
    expect(await archive.archive(content)).toBe(id);
    expect(await storage().archive(content)).toBe(id);
    expect(await itemRow(id)).toEqual([first]);
  });

  it.each([
    ["content", text("one."), PRIVATE_KEY],
    ["type", text("one", "text/markdown"), PRIVATE_KEY],
    ["signer", text("one"), generatePrivateKey()],
  ])("with another %s has another id", async (_what, content, privateKey) => {
    expect(await storage(privateKey).archive(content)).not.toBe(await archive.archive(text("one")));
  });

  it("carries its type and the service's signature, whose hash is its id", async () => {
    const id = await archive.archive(text("Herons.", "text/markdown"));
    const bytes = await archive.readItem(id);
    expect(await DataItem.verify(bytes as Buffer)).toBe(true);
    const item = new DataItem(bytes as Buffer);
    expect(createHash("sha256").update(item.rawSignature).digest("base64url")).toBe(id);
    expect(item.tags).toEqual([{ name: "Content-Type", value: "text/markdown" }]);
    expect(item.rawData.toString()).toBe("Herons.");
    expect(item.anchor).toBe("");
    expect(publicKeyToAddress(toHex(item.rawOwner))).toBe(privateKeyToAddress(PRIVATE_KEY));
    expect(archive).toMatchObject({ driver: "local", signer: privateKeyToAddress(PRIVATE_KEY) });
  });

  it("may be empty, or binary", async () => {
    const binary = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    for (const data of [new Uint8Array(), binary]) {
      const contentType = "application/octet-stream";
      const id = await archive.archive({ data, contentType });
      expect(await archive.read(id)).toEqual({ data: Buffer.from(data), contentType });
    }
  });

  it("that is not stored reads as nothing", async () => {
    const id = "A".repeat(43);
    expect(await archive.read(id)).toBeNull();
    expect(await archive.readItem(id)).toBeNull();
  });

  it("that cannot be kept is STORAGE_UNAVAILABLE, with the reason only in the cause", async () => {
    const cause = new Error("disk full at /var/lib");
    const driver: StorageDriver = {
      name: "full",
      store: () => Promise.reject(cause),
      read: async () => null,
    };
    const full = createPermanentStorage(createItemSigner(PRIVATE_KEY), driver);
    await expect(full.archive(text("any"))).rejects.toMatchObject({
      type: "STORAGE_UNAVAILABLE",
      status: 503,
      message: "Permanent storage does not answer.",
      details: undefined,
      cause,
    });
  });
});

describe("an item that was changed where it is kept", () => {
  /** Signature type, signature, public key; then two absent fields, the tags and the content. */
  const PLACES: readonly (readonly [string, (bytes: Buffer) => number])[] = [
    ["signature type", () => 0],
    ["first byte of the signature", () => 2],
    ["last byte of the signature", () => 66],
    ["signer", () => 100],
    ["tags", (bytes) => bytes.indexOf("text/plain")],
    ["first byte of the content", (bytes) => bytes.indexOf("heron")],
    ["last byte of the content", (bytes) => bytes.length - 1],
  ];

  it.each(PLACES)("in its %s is not served", async (place, offsetIn) => {
    const id = await archive.archive(text(`heron of the ${place}`));
    const bytes = (await archive.readItem(id)) as Buffer;
    await tamper(id, offsetIn(bytes));

    await expect(archive.read(id)).rejects.toThrow(InvalidItemError);
    expect(await refused(`/ar/${id}`)).toEqual({ status: 500, type: "INTERNAL", details: {} });

    await tamper(id, offsetIn(bytes));
    expect((await get(`/ar/${id}`)).bytes.toString()).toBe(`heron of the ${place}`);
  });

  it("into another correctly signed item is not served under the first one's id", async () => {
    const [id, other] = [await archive.archive(text("mine")), await archive.archive(text("other"))];
    await connection.pool.query(
      "update app.storage_item set bytes = (select bytes from app.storage_item where id = $2) where id = $1",
      [id, other],
    );
    const bytes = (await archive.readItem(id)) as Buffer;
    await expect(openItem({ id, bytes })).rejects.toThrow(
      new InvalidItemError(`The item kept as ${id} is ${other}.`),
    );
    expect(await refused(`/ar/${id}`)).toEqual({ status: 500, type: "INTERNAL", details: {} });
  });

  it("is told to the operator", () => {
    expect(captured.entries()).toContainEqual(
      expect.objectContaining({ level: "error", errorType: "INTERNAL", msg: "request failed" }),
    );
  });
});

describe("GET /ar/:id", () => {
  const inert = (headers: Headers) => ({
    policy: headers.get("content-security-policy"),
    sniff: headers.get("x-content-type-options"),
    cache: headers.get("cache-control"),
    origin: headers.get("access-control-allow-origin"),
    type: headers.get("content-type"),
    disposition: headers.get("content-disposition"),
  });
  const INERT = {
    policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    sniff: "nosniff",
    cache: "public, max-age=31536000, immutable",
    origin: "*",
  };

  it.each([
    ["application/json", "application/json", "inline"],
    ["image/png", "image/png", "inline"],
    ["image/svg+xml", "image/svg+xml", "inline"],
    ["text/markdown", "text/markdown", "inline"],
    ["Text/Plain; charset=utf-8", "Text/Plain; charset=utf-8", "inline"],
    ["text/html", "application/octet-stream", "attachment"],
    ["application/xhtml+xml", "application/octet-stream", "attachment"],
    ["text/javascript", "application/octet-stream", "attachment"],
    ["text/plainly", "application/octet-stream", "attachment"],
    ["application/pdf", "application/octet-stream", "attachment"],
  ])("serves %s as %s, %s, with nothing that could run", async (stored, type, disposition) => {
    const script = "<script>alert(1)</script>";
    const id = await archive.archive(text(script, stored));
    const { status, headers, bytes } = await get(`/ar/${id}`);
    expect(status).toBe(200);
    expect(inert(headers)).toEqual({ ...INERT, type, disposition });
    expect(headers.get("etag")).toBe(`"${id}"`);
    expect(bytes.toString()).toBe(script);
  });

  it("answers 304 to whoever holds it, as inert as the rest", async () => {
    const id = await archive.archive(text("held"));
    const { status, headers, bytes } = await get(`/ar/${id}`, { "if-none-match": `"${id}"` });
    expect(status).toBe(304);
    expect(bytes.length).toBe(0);
    expect(headers.get("etag")).toBe(`"${id}"`);
    expect(inert(headers)).toMatchObject(INERT);
    expect((await get(`/ar/${id}`, { "if-none-match": `"${"A".repeat(43)}"` })).status).toBe(200);
  });

  it("serves the signed item itself as a download", async () => {
    const id = await archive.archive(text("whole"));
    const { status, headers, bytes } = await get(`/ar/${id}/item`);
    expect(status).toBe(200);
    expect(inert(headers)).toEqual({
      ...INERT,
      type: "application/octet-stream",
      disposition: "attachment",
    });
    expect(bytes).toEqual(await archive.readItem(id));
  });

  it.each(["", "/item"])("of what is not stored is 404 at :id%s", async (suffix) => {
    const id = "A".repeat(43);
    expect(await refused(`/ar/${id}${suffix}`)).toEqual({
      status: 404,
      type: "NOT_FOUND",
      details: {},
    });
  });

  it.each(["A".repeat(42), "A".repeat(44), `${"A".repeat(42)}=`, `${"A".repeat(42)}.`, "x"])(
    "of %s is 400, for it is no id",
    async (id) => {
      const expected = {
        status: 400,
        type: "INVALID_REQUEST",
        details: { issues: [{ path: "id", message: "Not an item id" }] },
      };
      expect(await refused(`/ar/${id}`)).toEqual(expected);
      expect(await refused(`/ar/${id}/item`)).toEqual(expected);
    },
  );
});
