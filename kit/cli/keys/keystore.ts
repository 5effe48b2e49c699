import { createDecipheriv, pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { bytesToHex, concatBytes, type Hex, hexToBytes, isHex, keccak256 } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { isPlainObject, parseJsonStrict } from "../../../protocol/json.ts";
import { CommandError } from "../command.ts";

const LIMITS = { maxDepth: 5, maxBytes: 64 * 1024 } as const;
/** A file may ask for any amount of work: these bounds allow what wallets write. */
const MOST_SCRYPT_BYTES = 1024 * 1024 * 1024;
const MOST_ROUNDS = 10_000_000;

/** A keystore file in the form of Web3 Secret Storage, version 3. */
export interface Keystore {
  readonly address: Hex | null;
  readonly iv: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly mac: Uint8Array;
  readonly derive: (password: string) => Promise<Uint8Array>;
}

/** @throws CommandError that never repeats the content. */
export function parseKeystore(text: string, path: string): Keystore {
  const refused = (why: string) =>
    new CommandError(`${path} is not a keystore file: ${why}.`, "Give a Web3 Secret Storage file.");
  const json = jsonIn(text);
  if (!isPlainObject(json) || json.version !== 3) throw refused("version 3 is expected");
  const crypto = json.crypto ?? json.Crypto;
  if (!isPlainObject(crypto)) throw refused("the member crypto is missing");
  if (crypto.cipher !== "aes-128-ctr") throw refused("the cipher is not aes-128-ctr");
  const iv = bytesIn(isPlainObject(crypto.cipherparams) ? crypto.cipherparams.iv : null);
  const ciphertext = bytesIn(crypto.ciphertext);
  const mac = bytesIn(crypto.mac);
  if (iv?.length !== 16 || ciphertext?.length !== 32 || mac?.length !== 32) {
    throw refused("iv, ciphertext or mac have another length");
  }
  const derive = derivation(crypto.kdf, crypto.kdfparams);
  if (derive === null) throw refused("the key derivation is unknown, or asks for too much work");
  const address = bytesIn(json.address);
  return { iv, ciphertext, mac, derive, address: address === null ? null : bytesToHex(address) };
}

/** The private key. @throws CommandError for a wrong password, and a file that was changed. */
export async function openKeystore(keystore: Keystore, password: string): Promise<Hex> {
  const { iv, ciphertext, mac, derive, address } = keystore;
  const derived = await derive(password);
  const expected = keccak256(concatBytes([derived.subarray(16, 32), ciphertext]), "bytes");
  if (!timingSafeEqual(expected, mac)) {
    throw new CommandError("The password does not open the keystore file.", "Try again.");
  }
  const cipher = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), iv);
  const key = bytesToHex(concatBytes([cipher.update(ciphertext), cipher.final()]));
  if (address !== null && privateKeyToAddress(key).toLowerCase() !== address) {
    throw new CommandError("The keystore file names another account than its key's.");
  }
  return key;
}

function derivation(kdf: unknown, params: unknown): Keystore["derive"] | null {
  if (!isPlainObject(params) || params.dklen !== 32) return null;
  const salt = bytesIn(params.salt);
  if (salt === null) return null;
  if (kdf === "pbkdf2") {
    const { c } = params;
    if (params.prf !== "hmac-sha256" || !isCount(c, MOST_ROUNDS)) return null;
    return (password) => promisify(pbkdf2)(password, salt, c, 32, "sha256");
  }
  const { n, r, p } = params;
  if (kdf !== "scrypt" || !isCount(n, 2 ** 24) || !isCount(r, 64) || !isCount(p, 16)) return null;
  if ((n & (n - 1)) !== 0 || 128 * n * r > MOST_SCRYPT_BYTES) return null;
  const options = { N: n, r, p, maxmem: 2 * MOST_SCRYPT_BYTES };
  return (password) =>
    new Promise((resolve, reject) => {
      scrypt(password, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
    });
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most;
}

function bytesIn(value: unknown): Uint8Array | null {
  if (typeof value !== "string") return null;
  const hex = value.startsWith("0x") ? value : `0x${value}`;
  return isHex(hex) && hex.length % 2 === 0 ? hexToBytes(hex) : null;
}

function jsonIn(text: string): unknown {
  try {
    return parseJsonStrict(text, LIMITS);
  } catch {
    return null;
  }
}
