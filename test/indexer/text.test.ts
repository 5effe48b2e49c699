import fc from "fast-check";
import { type Hex, keccak256, stringToBytes, zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import {
  archiveText,
  MAX_BYTES_LENGTH,
  MAX_KEY_LENGTH,
  MAX_TEXT_LENGTH,
  metadataKey,
  storableBytes,
  storableText,
} from "../../indexer/src/text.ts";

/** The decoder's text for a key's bytes, and the hash beside it in the event. */
function emitted(bytes: Uint8Array): [string, Hex] {
  return [new TextDecoder().decode(bytes), keccak256(bytes)];
}

describe("archiveText", () => {
  it("gives an archive's 43-character storage id", () => {
    expect(archiveText(`0x${"ff".repeat(32)}`)).toBe(`${"_".repeat(42)}8`);
    expect(archiveText(`0x${"00".repeat(31)}01`)).toBe(`${"A".repeat(42)}E`);
  });

  it("gives null for zero, which names no archive", () => {
    expect(archiveText(zeroHash)).toBeNull();
  });
});

describe("storableText", () => {
  it("keeps text unchanged, control characters and astral ones included", () => {
    const text = 'ar://x\t\n\\ "quoted" \u{1F600} \uFFFD';
    expect(storableText(text)).toBe(text);
  });

  it.each([
    ["NUL", "ar://a\0b"],
    ["a high surrogate alone", "ar://\uD83D"],
    ["a low surrogate alone", "ar://\uDE00x"],
    ["one character too many", "x".repeat(MAX_TEXT_LENGTH + 1)],
  ])("gives null for %s, never a changed text", (_what, text) => {
    expect(storableText(text)).toBeNull();
  });

  it("keeps the longest text", () => {
    expect(storableText("x".repeat(MAX_TEXT_LENGTH))).toHaveLength(MAX_TEXT_LENGTH);
  });
});

describe("storableBytes", () => {
  it("keeps up to the limit and gives null above it", () => {
    const longest: Hex = `0x${"ab".repeat(MAX_BYTES_LENGTH)}`;
    expect(storableBytes("0x")).toBe("0x");
    expect(storableBytes(longest)).toBe(longest);
    expect(storableBytes(`${longest}ab`)).toBeNull();
  });
});

describe("metadataKey", () => {
  it("keeps an ordinary key", () => {
    expect(metadataKey(...emitted(stringToBytes("agentWallet")))).toBe("agentWallet");
    expect(metadataKey(...emitted(stringToBytes("")))).toBe("");
    expect(metadataKey(...emitted(stringToBytes("k".repeat(MAX_KEY_LENGTH))))).toHaveLength(
      MAX_KEY_LENGTH,
    );
  });

  it.each([
    [
      "a byte order mark before it",
      Uint8Array.of(0xef, 0xbb, 0xbf, ...stringToBytes("agentWallet")),
    ],
    ["NUL in it", stringToBytes("agent\0Wallet")],
    ["broken UTF-8 in it", Uint8Array.of(...stringToBytes("agentWallet"), 0xff)],
    ["the form of a hash", stringToBytes(keccak256("0x00"))],
    ["more characters than are kept", stringToBytes("k".repeat(MAX_KEY_LENGTH + 1))],
  ])("stores a key with %s by its hash", (_what, bytes) => {
    expect(metadataKey(...emitted(bytes))).toBe(keccak256(bytes));
  });

  it("never gives two different keys one name, and always a name that Postgres accepts", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), (a, b) => {
        const [nameOfA, nameOfB] = [metadataKey(...emitted(a)), metadataKey(...emitted(b))];
        expect(nameOfA === nameOfB).toBe(Buffer.compare(a, b) === 0);
        expect(storableText(nameOfA)).toBe(nameOfA);
        expect(Buffer.byteLength(nameOfA)).toBeLessThanOrEqual(3 * MAX_KEY_LENGTH);
      }),
    );
  });
});
