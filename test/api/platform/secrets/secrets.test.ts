import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { generateApiKey, hashApiKey, parseApiKey } from "../../../../api/kernel/api-keys.ts";
import { createSecrets, UnsealError } from "../../../../api/platform/secrets/secrets.ts";

const v1 = { version: 1, key: randomBytes(32) };
const v2 = { version: 2, key: randomBytes(32) };
const secrets = createSecrets([v1]);
const PLAINTEXT = Buffer.from("a soul's salt");

describe("a sealed secret", () => {
  it("opens only for its purpose and for the row that it is bound to", () => {
    const sealed = secrets.encrypt("soul-salt", PLAINTEXT, "7/1");
    expect(sealed.includes(PLAINTEXT)).toBe(false);
    expect(secrets.decrypt("soul-salt", sealed, "7/1")).toEqual(PLAINTEXT);
    expect(() => secrets.decrypt("webhook", sealed, "7/1")).toThrow(UnsealError);
    expect(() => secrets.decrypt("soul-salt", sealed, "8/1")).toThrow(UnsealError);
  });

  it("does not open after any single bit of it changed", () => {
    const sealed = secrets.encrypt("soul-salt", PLAINTEXT);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => secrets.decrypt("soul-salt", changed)).toThrow(UnsealError);
    }
  });

  it("does not open when it is cut short", () => {
    const sealed = secrets.encrypt("soul-salt", PLAINTEXT);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => secrets.decrypt("soul-salt", sealed.subarray(0, length))).toThrow(UnsealError);
    }
  });

  it("never looks the same twice", () => {
    expect(secrets.encrypt("p", PLAINTEXT)).not.toEqual(secrets.encrypt("p", PLAINTEXT));
  });

  it("opens after rotation, but not once its key is removed", () => {
    const sealed = secrets.encrypt("p", PLAINTEXT);
    const rotated = createSecrets([v2, v1]);
    expect(rotated.decrypt("p", sealed)).toEqual(PLAINTEXT);
    expect(rotated.encrypt("p", PLAINTEXT)[0]).toBe(2);
    expect(() => createSecrets([v2]).decrypt("p", sealed)).toThrow(UnsealError);
  });
});

describe("an HMAC", () => {
  it("separates purposes, versions and the borders between parts", () => {
    const rotated = createSecrets([v2, v1]);
    const macs = [
      secrets.hmac("p", ["ab", "c"]),
      secrets.hmac("p", ["a", "bc"]),
      secrets.hmac("p", ["abc"]),
      secrets.hmac("q", ["ab", "c"]),
      rotated.hmac("p", ["ab", "c"]),
    ].map((mac) => mac.toString("hex"));
    expect(new Set(macs).size).toBe(macs.length);
    expect(rotated.hmac("p", ["ab", "c"], 1).toString("hex")).toBe(macs[0]);
  });
});

describe("an API key", () => {
  it.each(["live", "provisional"] as const)("of kind %s has form, checksum and hash", (kind) => {
    const key = generateApiKey(kind);
    expect(key).toMatch(new RegExp(`^svc_${kind}_[0-9A-Za-z]{49}$`));
    expect(parseApiKey(key)).toEqual({ kind, hash: hashApiKey(key) });
    expect(hashApiKey(key)).toHaveLength(32);
    expect(generateApiKey(kind)).not.toBe(key);
  });

  it("keeps its published checksum", () => {
    const key = `svc_live_${"0".repeat(43)}`;
    const known = `${key}dcJXDX`;
    expect(parseApiKey(known)?.kind).toBe("live");
  });

  it("is refused with any one character changed", () => {
    const key = generateApiKey("live");
    for (let index = 0; index < key.length; index += 1) {
      const other = key[index] === "x" ? "y" : "x";
      expect(parseApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBeNull();
    }
    for (const wrong of ["", `${key} `, key.slice(0, -1), key.replace("live", "provisional")]) {
      expect(parseApiKey(wrong)).toBeNull();
    }
  });
});
