import { createHash } from "node:crypto";
import { createData, DataItem, EthereumSigner } from "@dha-team/arbundles/web";
import { generatePrivateKey } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { openDataItem } from "../../kit/did/data-item.ts";

const data = new TextEncoder().encode(`{"heron":"${"x".repeat(300)}"}`);
const signer = createItemSigner(generatePrivateKey());
const item = await signer.sign({ data, contentType: "application/json" });
const TARGET_FLAG = 2 + 65 + 65;

describe("openDataItem", () => {
  it("gives the data of the service's items", async () => {
    expect(Buffer.from(await openDataItem(item.id, item.bytes))).toEqual(Buffer.from(data));
  });

  it("reads items with target, anchor and no data, as the library that defines them writes them", async () => {
    const key = new EthereumSigner(generatePrivateKey());
    const target = createHash("sha256").update("a stranger").digest("base64url");
    const other = createData("", key, { target, anchor: "a".repeat(32), tags: [] });
    await other.sign(key);
    expect(await DataItem.verify(other.getRaw())).toBe(true);
    expect(await openDataItem(other.id, other.getRaw())).toHaveLength(0);
  });

  it("refuses another item under this id", async () => {
    const other = await signer.sign({ data: Buffer.from("other"), contentType: "text/plain" });
    await expect(openDataItem(item.id, other.bytes)).rejects.toMatchObject({
      name: "UntrueItemError",
      id: item.id,
      message: `The bytes served as ${item.id} are not that item: its id is a different one.`,
    });
  });

  it("refuses the item's signature on other data under an attacker's key", async () => {
    // From a signature, an attacker can compute a key under which it fits another message, if the
    // message does not name the key.
    const forger = createItemSigner(generatePrivateKey());
    const forged = (await forger.sign({ data: Buffer.from("forged"), contentType: "text/plain" }))
      .bytes;
    item.bytes.copy(forged, 2, 2, 2 + 65);
    await expect(openDataItem(item.id, forged)).rejects.toThrow("its signature is wrong");
  });

  it("refuses every changed byte except the unused ones", async () => {
    const { bytes } = item;
    // The number of tags is neither signed nor read.
    const unread = new Set(Array.from({ length: 8 }, (_, index) => TARGET_FLAG + 2 + index));
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const opened = await openDataItem(item.id, changed).catch((error: Error) => error.name);
      if (unread.has(at)) expect(Buffer.from(opened as Uint8Array)).toEqual(Buffer.from(data));
      else expect(opened, `byte ${at}`).toBe("UntrueItemError");
    }
  });

  it.each([0, 1, 2, 66, 132, 140, 150, 300])("refuses its first %d bytes alone", async (length) => {
    await expect(openDataItem(item.id, item.bytes.subarray(0, length))).rejects.toMatchObject({
      name: "UntrueItemError",
    });
  });
});
