import fc from "fast-check";
import { bytesToHex } from "viem";
import { describe, expect, it } from "vitest";
import {
  archiveIdOf,
  InvalidStorageIdError,
  isStorageId,
  storageIdIn,
  storageIdOf,
} from "../../protocol/index.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes));

describe("a storage id", () => {
  it("is the base64url form of the contracts' bytes32", () => {
    fc.assert(
      fc.property(bytes32, (archiveId) => {
        const id = Buffer.from(archiveId.slice(2), "hex").toString("base64url");
        expect(storageIdOf(archiveId)).toBe(id);
        expect(isStorageId(id)).toBe(true);
        expect(archiveIdOf(id)).toBe(archiveId);
        expect(storageIdIn(`ar://${id}`)).toBe(id);
      }),
    );
  });

  it("is refused with each of the three other last characters that carry the same bytes", () => {
    fc.assert(
      fc.property(bytes32, (archiveId) => {
        const id = storageIdOf(archiveId);
        const last = ALPHABET.indexOf(id.slice(-1));
        for (const offset of [1, 2, 3]) {
          const other = `${id.slice(0, -1)}${ALPHABET[last + offset]}`;
          // Lenient decoders read the same bytes, so the check must be strict.
          expect(Buffer.from(other, "base64url").toString("hex")).toBe(archiveId.slice(2));
          expect(isStorageId(other)).toBe(false);
          expect(storageIdIn(`ar://${other}`)).toBeNull();
          expect(() => archiveIdOf(other)).toThrow(new InvalidStorageIdError(other));
        }
      }),
    );
  });

  it.each([
    "",
    "A".repeat(42),
    "A".repeat(44),
    `${"A".repeat(42)}B`,
    `${"A".repeat(42)}=`,
    `${"A".repeat(43)}=`,
    `${"A".repeat(43)}\n`,
    ` ${"A".repeat(42)}`,
    `${"A".repeat(41)}+A`,
    `${"A".repeat(41)}/A`,
    `${"А".repeat(43)}`,
  ])("is not %j", (text) => {
    expect(isStorageId(text)).toBe(false);
    expect(storageIdIn(`ar://${text}`)).toBeNull();
    expect(() => archiveIdOf(text)).toThrow(
      expect.objectContaining({ code: "invalid_storage_id", text }),
    );
  });

  it.each(["AR://", "ar:", "https://gateway.example/", "", "ar:///"])(
    "is not found in a URI that begins with %j",
    (start) => {
      expect(storageIdIn(`${start}${"A".repeat(43)}`)).toBeNull();
    },
  );
});
