import { readFile } from "node:fs/promises";
import { exportJWK, generateKeyPair } from "jose";
import { bytesToHex, type Hex, hexToBytes } from "viem";
import { describe, expect, it } from "vitest";
import {
  decryptDisclosure,
  type EncryptedDisclosure,
  encryptDisclosure,
  encryptedDisclosureIn,
  SECP256K1_SCHEME,
  UndecryptableDisclosureError,
} from "../../kit/disclosure/encryption.ts";
import { isSecp256k1Key } from "../../protocol/curves.ts";
import { type P256Jwk, publicKeys } from "../../protocol/index.ts";
import { disclosureEncryptionVectors as vectors } from "../protocol/vectors.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

describe("encryption to a secp256k1 key", () => {
  it("has the scheme of the vectors", () => {
    expect(SECP256K1_SCHEME).toBe(vectors.scheme);
  });

  it("has one of them in the documentation, part by part", async () => {
    const guide = await readFile(new URL("../../docs/disclosure.md", import.meta.url), "utf8");
    const [vector] = vectors.cases;
    const { name: _name, recipientPublicKeyUncompressed: _long, ...parts } = vector ?? { name: "" };
    expect(Object.keys(parts)).toHaveLength(10);
    for (const [part, value] of Object.entries(parts)) {
      expect(guide).toContain(`| \`${part}\` | \`${value}\` |`);
    }
  });

  it.each(vectors.cases)("gives the ciphertext of $name, and its payload back", async (vector) => {
    const { requestId, payload, recipientPrivateKey } = vector;
    const randomness = {
      ephemeralPrivateKey: hexToBytes(vector.ephemeralPrivateKey),
      nonce: hexToBytes(vector.nonce),
    };
    for (const publicKey of [vector.recipientPublicKey, vector.recipientPublicKeyUncompressed]) {
      expect(isSecp256k1Key(hexToBytes(publicKey))).toBe(true);
      const to = { kind: "secp256k1", publicKey } as const;
      const sealed = await encryptDisclosure(requestId, utf8(payload), to, randomness);
      expect(sealed).toEqual({
        requestId,
        encrypted: {
          scheme: vectors.scheme,
          ephemeralPublicKey: vector.ephemeralPublicKey,
          nonce: vector.nonce,
          ciphertext: vector.ciphertext,
        },
      });
      const opened = await decryptDisclosure(sealed, { secp256k1: recipientPrivateKey });
      expect(new TextDecoder().decode(opened)).toBe(payload);
    }
  });

  it("is undecryptable once any part was changed, and with another key", async () => {
    const [vector, other] = vectors.cases;
    if (vector === undefined || other === undefined) throw new Error("The vectors are incomplete.");
    const { requestId, payload } = vector;
    const to = { kind: "secp256k1", publicKey: vector.recipientPublicKey } as const;
    const sealed = await encryptDisclosure(requestId, utf8(payload), to);
    const secrets = { secp256k1: vector.recipientPrivateKey };
    expect(await decryptDisclosure(sealed, secrets)).toEqual(utf8(payload));
    const { encrypted } = sealed;
    if (encrypted.scheme === "jwe") throw new Error("Another scheme.");
    const changed = (part: object): EncryptedDisclosure => ({
      requestId,
      encrypted: { ...encrypted, ...part },
    });
    const flipped = (hex: Hex): Hex => {
      const bytes = hexToBytes(hex);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      return bytesToHex(bytes);
    };
    const wrong: [EncryptedDisclosure, typeof secrets | object][] = [
      [changed({ ciphertext: flipped(encrypted.ciphertext) }), secrets],
      [changed({ nonce: flipped(encrypted.nonce) }), secrets],
      [changed({ ephemeralPublicKey: other.ephemeralPublicKey }), secrets],
      [changed({ ephemeralPublicKey: `0x02${"0".repeat(63)}5` }), secrets],
      [changed({ ciphertext: "0x" }), secrets],
      [{ ...sealed, requestId: `${requestId}0` }, secrets],
      [sealed, { secp256k1: other.recipientPrivateKey }],
      [sealed, {}],
    ];
    for (const [content, keys] of wrong) {
      await expect(decryptDisclosure(content, keys)).rejects.toThrow(UndecryptableDisclosureError);
    }
  });

  it("never repeats a ciphertext", async () => {
    const publicKey = vectors.cases[0]?.recipientPublicKey as Hex;
    const seal = () => encryptDisclosure("r", utf8("same"), { kind: "secp256k1", publicKey });
    expect(await seal()).not.toEqual(await seal());
  });
});

describe("encryption to an agent key", () => {
  async function keys(use: "enc" | "sig" = "enc") {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const { kty, crv, x, y } = await exportJWK(publicKey);
    const [key] = publicKeys([{ kty, crv, x, y, use, exp: 2_000_000_000 }]);
    return { key: key as P256Jwk, agentKey: await exportJWK(privateKey) };
  }

  it("is a JWE that only the key's owner opens", async () => {
    const [{ key, agentKey }, other] = [await keys(), await keys()];
    const sealed = await encryptDisclosure("request", utf8("payload"), { kind: "agentKey", key });
    expect(sealed.encrypted.scheme).toBe("jwe");
    expect(await decryptDisclosure(sealed, { agentKey })).toEqual(utf8("payload"));
    for (const secrets of [{ agentKey: other.agentKey }, {}]) {
      await expect(decryptDisclosure(sealed, secrets)).rejects.toThrow(
        UndecryptableDisclosureError,
      );
    }
  });

  it("refuses a key for signatures", async () => {
    const { key } = await keys("sig");
    await expect(
      encryptDisclosure("request", utf8("payload"), { kind: "agentKey", key }),
    ).rejects.toThrow("This agent key is for signatures, not for encryption.");
  });
});

describe("an encrypted body", () => {
  const [vector] = vectors.cases;
  const encrypted = {
    scheme: vectors.scheme,
    ephemeralPublicKey: vector?.ephemeralPublicKey,
    nonce: vector?.nonce,
    ciphertext: vector?.ciphertext,
  };

  it.each([
    ["without its request", { encrypted }],
    ["with an unknown member", { requestId: "r", encrypted, more: 1 }],
    ["of another scheme", { requestId: "r", encrypted: { ...encrypted, scheme: "rot13" } }],
    ["with a short nonce", { requestId: "r", encrypted: { ...encrypted, nonce: "0x00" } }],
    [
      "with a long key",
      { requestId: "r", encrypted: { ...encrypted, ephemeralPublicKey: `0x${"02".repeat(34)}` } },
    ],
    ["with half a byte", { requestId: "r", encrypted: { ...encrypted, ciphertext: "0x0" } }],
    ["with a JWE that is no text", { requestId: "r", encrypted: { scheme: "jwe", jwe: 1 } }],
  ])("%s is not read", (_what, body) => {
    expect(encryptedDisclosureIn(body)).toBeNull();
  });

  it("is read as it was sent", () => {
    expect(encryptedDisclosureIn({ requestId: "r", encrypted })).toEqual({
      requestId: "r",
      encrypted,
    });
  });
});
