import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The sealed bytes were altered, belong to another purpose or place, or to a master key this process does not have. */
export class UnsealError extends Error {
  override readonly name = "UnsealError";
}

/** One version of the master key: 32 bytes, version 1 to 255. */
export interface MasterKeyVersion {
  readonly version: number;
  readonly key: Uint8Array;
}

/** Everything the master key is used for. A purpose names one use, and never changes. */
export interface Secrets {
  /**
   * Seals `plaintext` as version (1 byte), nonce (12), ciphertext, tag (16). `boundTo` names the place it is kept (a row's key):
   * bytes moved to another place do not open.
   */
  encrypt(purpose: string, plaintext: Uint8Array, boundTo?: string): Buffer;
  /** @throws UnsealError */
  decrypt(purpose: string, sealed: Uint8Array, boundTo?: string): Buffer;
  /** HMAC-SHA-256 of the parts, each with its length, under the purpose's key of the current version or of `version`. */
  hmac(purpose: string, parts: readonly (string | Uint8Array)[], version?: number): Buffer;
  /** Versions of the master key, the current one first. */
  readonly versions: readonly number[];
}

/**
 * The first key encrypts new data; every key decrypts old data. Keys of different purposes reveal
 * nothing about each other.
 */
export function createSecrets(masterKeys: readonly MasterKeyVersion[]): Secrets {
  const current = masterKeys[0];
  if (current === undefined) throw new Error("There is no master key.");
  const byVersion = new Map(masterKeys.map(({ version, key }) => [version, key]));
  const derived = new Map<string, Buffer>();

  function keyFor(use: string, purpose: string, version: number): Buffer {
    const id = `${version}/${use}/${purpose}`;
    const known = derived.get(id);
    if (known !== undefined) return known;
    const master = byVersion.get(version);
    if (master === undefined)
      throw new UnsealError(`There is no master key of version ${version}.`);
    const key = Buffer.from(hkdfSync("sha256", master, "", `svc/${use}/${purpose}`, 32));
    derived.set(id, key);
    return key;
  }

  return {
    versions: masterKeys.map(({ version }) => version),

    encrypt(purpose, plaintext, boundTo = "") {
      const key = keyFor("encrypt", purpose, current.version);
      return Buffer.concat([
        Buffer.of(current.version),
        sealWith(key, plaintext, `${purpose}\0${boundTo}`),
      ]);
    },

    decrypt(purpose, sealed, boundTo = "") {
      const version = sealed[0];
      if (version === undefined) throw new UnsealError("There is nothing to open.");
      const key = keyFor("encrypt", purpose, version);
      return openWith(key, sealed.subarray(1), `${purpose}\0${boundTo}`);
    },

    hmac(purpose, parts, version = current.version) {
      const mac = createHmac("sha256", keyFor("hmac", purpose, version));
      for (const part of parts) {
        const bytes = typeof part === "string" ? Buffer.from(part, "utf8") : part;
        const length = Buffer.alloc(8);
        length.writeBigUInt64BE(BigInt(bytes.byteLength));
        mac.update(length).update(bytes);
      }
      return mac.digest();
    },
  };
}

/** AES-256-GCM under a 32-byte key: nonce (12 bytes), ciphertext, tag (16). `label` is authenticated, not contained. */
export function sealWith(key: Uint8Array, plaintext: Uint8Array, label: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(label, "utf8"));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Reverses `sealWith`.
 *
 * @throws UnsealError for another key or label, or a changed byte.
 */
export function openWith(key: Uint8Array, sealed: Uint8Array, label: string): Buffer {
  if (sealed.byteLength < NONCE_BYTES + TAG_BYTES)
    throw new UnsealError("The bytes are too short.");
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.byteLength - TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(label, "utf8"));
  decipher.setAuthTag(tag);
  try {
    const ciphertext = sealed.subarray(NONCE_BYTES, sealed.byteLength - TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    throw new UnsealError("The bytes do not open.");
  }
}
