import { gcm } from "@noble/ciphers/aes.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { CompactEncrypt, compactDecrypt, importJWK, type JWK } from "jose";
import { bytesToHex, type Hex, hexToBytes, isHex } from "viem";
import type { P256Jwk } from "../../protocol/agent-keys.ts";
import { concatBytes, hmacSha256, utf8 } from "../../protocol/bytes.ts";
import { isPlainObject } from "../../protocol/json.ts";

/**
 * Encryption of a disclosure to a secp256k1 key:
 *   shared     = x coordinate of ephemeral private key * recipient's public key, 32 bytes
 *   key        = HKDF-SHA-256(ikm: shared, salt: ephemeral public key || recipient's public key,
 *                info: this scheme's name), 32 bytes; public keys compressed
 *   ciphertext = AES-256-GCM(key, nonce of 12 bytes, additional data: request id in UTF-8), with
 *                the tag of 16 bytes at its end
 */
export const SECP256K1_SCHEME = "svc-disclosure-secp256k1-v1";

/** Encryption to an agent's P-256 key: a compact JWE, ECDH-ES with A256GCM. */
export const JWE_SCHEME = "jwe";

const JWE_ALG = "ECDH-ES";
const JWE_ENC = "A256GCM";
const NONCE_BYTES = 12;

/** A payload in encrypted form, as it is sent. */
export interface EncryptedDisclosure {
  readonly requestId: string;
  readonly encrypted:
    | {
        readonly scheme: typeof SECP256K1_SCHEME;
        /** Compressed, 33 bytes. */
        readonly ephemeralPublicKey: Hex;
        readonly nonce: Hex;
        readonly ciphertext: Hex;
      }
    | { readonly scheme: typeof JWE_SCHEME; readonly jwe: string };
}

/** Whom a payload is encrypted to. */
export type DisclosureRecipient =
  /** `disclosurePublicKey` of the request. */
  | { readonly kind: "secp256k1"; readonly publicKey: Hex }
  /** A key of use `enc` that the chain names for the requesting agent: `checkedAgentKeys`. */
  | { readonly kind: "agentKey"; readonly key: P256Jwk };

/** The requester's private keys. */
export interface DisclosureSecrets {
  readonly secp256k1?: Hex | undefined;
  /** Private JWK of an agent key. */
  readonly agentKey?: JWK | undefined;
}

/** The content cannot be decrypted with these keys: it was changed, or encrypted to another key. */
export class UndecryptableDisclosureError extends Error {
  override readonly name = "UndecryptableDisclosureError";

  constructor() {
    super("The disclosure cannot be decrypted: it was changed, or encrypted to another key.");
  }
}

/** What a sender chooses at random. Only tests give it. */
export interface EncryptionRandomness {
  readonly ephemeralPrivateKey: Uint8Array;
  readonly nonce: Uint8Array;
}

/**
 * Encrypts a payload.
 *
 * @throws Error for a key that is no public key, or is not for encryption.
 */
export async function encryptDisclosure(
  requestId: string,
  payload: Uint8Array,
  recipient: DisclosureRecipient,
  randomness?: EncryptionRandomness,
): Promise<EncryptedDisclosure> {
  if (recipient.kind === "agentKey") {
    const { key } = recipient;
    if (key.use !== "enc") throw new Error("This agent key is for signatures, not for encryption.");
    const { kty, crv, x, y, kid } = key;
    const jwe = await new CompactEncrypt(payload)
      .setProtectedHeader({ alg: JWE_ALG, enc: JWE_ENC, kid })
      .encrypt(await importJWK({ kty, crv, x, y }, JWE_ALG));
    return { requestId, encrypted: { scheme: JWE_SCHEME, jwe } };
  }
  const { ephemeralPrivateKey, nonce } = randomness ?? {
    ephemeralPrivateKey: secp256k1.utils.randomSecretKey(),
    nonce: crypto.getRandomValues(new Uint8Array(NONCE_BYTES)),
  };
  const recipientKey = compressed(hexToBytes(recipient.publicKey));
  const ephemeralKey = secp256k1.getPublicKey(ephemeralPrivateKey, true);
  const key = contentKey(ephemeralPrivateKey, recipientKey, { ephemeralKey, recipientKey });
  return {
    requestId,
    encrypted: {
      scheme: SECP256K1_SCHEME,
      ephemeralPublicKey: bytesToHex(ephemeralKey),
      nonce: bytesToHex(nonce),
      ciphertext: bytesToHex(gcm(key, nonce, utf8(requestId)).encrypt(payload)),
    },
  };
}

/** @throws UndecryptableDisclosureError */
export async function decryptDisclosure(
  { requestId, encrypted }: EncryptedDisclosure,
  secrets: DisclosureSecrets,
): Promise<Uint8Array> {
  if (encrypted.scheme === JWE_SCHEME) return decryptJwe(encrypted.jwe, secrets.agentKey);
  if (secrets.secp256k1 === undefined) throw new UndecryptableDisclosureError();
  try {
    const privateKey = hexToBytes(secrets.secp256k1, { size: 32 });
    const ephemeralKey = hexToBytes(encrypted.ephemeralPublicKey);
    const recipientKey = secp256k1.getPublicKey(privateKey, true);
    const key = contentKey(privateKey, ephemeralKey, { ephemeralKey, recipientKey });
    const cipher = gcm(key, hexToBytes(encrypted.nonce), utf8(requestId));
    return cipher.decrypt(hexToBytes(encrypted.ciphertext));
  } catch {
    // The library's own errors differ by what was wrong, which only an attacker would use.
    throw new UndecryptableDisclosureError();
  }
}

async function decryptJwe(jwe: string, privateKey: JWK | undefined): Promise<Uint8Array> {
  if (privateKey === undefined) throw new UndecryptableDisclosureError();
  // A key of the agent's own that cannot be used is its mistake, not the sender's.
  const key = await importJWK(privateKey, JWE_ALG);
  try {
    const { plaintext } = await compactDecrypt(jwe, key, {
      keyManagementAlgorithms: [JWE_ALG],
      contentEncryptionAlgorithms: [JWE_ENC],
    });
    return plaintext;
  } catch {
    // Its sender is unknown so far, and a hostile header makes the library throw errors of many kinds.
    throw new UndecryptableDisclosureError();
  }
}

/** An encrypted payload in an object of a body; null when it has another form. */
export function encryptedDisclosureIn(
  object: Readonly<Record<string, unknown>>,
): EncryptedDisclosure | null {
  const { requestId, encrypted, ...rest } = object;
  if (typeof requestId !== "string" || !isPlainObject(encrypted)) return null;
  if (Object.keys(rest).length > 0) return null;
  const { scheme, ephemeralPublicKey, nonce, ciphertext, jwe } = encrypted;
  if (scheme === JWE_SCHEME) {
    return typeof jwe === "string" ? { requestId, encrypted: { scheme, jwe } } : null;
  }
  if (scheme !== SECP256K1_SCHEME) return null;
  if (!isBytes(ephemeralPublicKey, 33) || !isBytes(nonce, NONCE_BYTES) || !isBytes(ciphertext)) {
    return null;
  }
  return { requestId, encrypted: { scheme, ephemeralPublicKey, nonce, ciphertext } };
}

function isBytes(value: unknown, size?: number): value is Hex {
  if (!isHex(value, { strict: true }) || value.length % 2 !== 0) return false;
  return size === undefined || value.length === 2 + 2 * size;
}

function compressed(publicKey: Uint8Array): Uint8Array {
  return secp256k1.Point.fromBytes(publicKey).toBytes(true);
}

function contentKey(
  privateKey: Uint8Array,
  publicKey: Uint8Array,
  keys: { readonly ephemeralKey: Uint8Array; readonly recipientKey: Uint8Array },
): Uint8Array {
  // Its first byte says which of two points has this x coordinate.
  const shared = secp256k1.getSharedSecret(privateKey, publicKey, true).subarray(1);
  const extracted = hmacSha256(concatBytes(keys.ephemeralKey, keys.recipientKey), shared);
  // RFC 5869 for 32 bytes: one block.
  return hmacSha256(extracted, concatBytes(utf8(SECP256K1_SCHEME), Uint8Array.of(1)));
}
