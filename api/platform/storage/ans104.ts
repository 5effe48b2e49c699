import { constants, createHash, createPublicKey, verify } from "node:crypto";
// The web build: the Node build loads an HTTP client that neither it nor this project installs.
import {
  createData,
  DataItem,
  deserializeTags,
  EthereumSigner,
  MAX_TAG_BYTES,
  SIG_CONFIG,
  SignatureConfig,
} from "@dha-team/arbundles/web";
import { type Address, bytesToHex, type Hex, hashMessage, recoverPublicKey } from "viem";
import { privateKeyToAddress } from "viem/accounts";

/** Content for permanent, public storage. */
export interface Content {
  readonly data: Uint8Array;
  /** Media type, kept as the item's `Content-Type` tag. */
  readonly contentType: string;
}

/** SHA-256 of the data alone: what most gateways serve under an item's id. */
export function dataHash(data: Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** A signed ANS-104 data item. */
export interface SignedItem {
  /** `ar://<id>`: SHA-256 of the signature, base64url. */
  readonly id: string;
  /** The whole item as uploaded. */
  readonly bytes: Buffer;
}

/** The bytes are not a correctly signed item, or not the item that was asked for. */
export class InvalidItemError extends Error {
  override readonly name = "InvalidItemError";
}

export interface ItemSigner {
  readonly address: Address;
  /**
   * Signs `content`. The same content always gives the same item: the signature is deterministic
   * and there is no anchor, so an interrupted upload repeats under one id.
   */
  sign(content: Content): Promise<SignedItem>;
}

/**
 * @param privateKey The service's storage key (secp256k1); its holder can store items in the
 * service's name.
 */
export function createItemSigner(privateKey: Hex): ItemSigner {
  const signer = new EthereumSigner(privateKey);

  return {
    address: privateKeyToAddress(privateKey),
    async sign({ data, contentType }) {
      const item = createData(data, signer, {
        tags: [{ name: "Content-Type", value: contentType }],
      });
      await item.sign(signer);
      return { id: item.id, bytes: item.getRaw() };
    },
  };
}

/**
 * The content of an item, after checking its signature and its id.
 *
 * @throws InvalidItemError
 */
export async function openItem({ id, bytes }: SignedItem): Promise<Content> {
  const valid = await isSigned(bytes).catch(() => false);
  if (!valid || !isCanonical(bytes))
    throw new InvalidItemError(`The bytes stored as ${id} are not a correctly signed item.`);

  const item = new DataItem(bytes);
  const signatureId = createHash("sha256").update(item.rawSignature).digest("base64url");
  if (signatureId !== id) throw new InvalidItemError(`The item kept as ${id} is ${signatureId}.`);

  const contentType = item.tags.find(({ name }) => name === "Content-Type")?.value;
  return { data: item.rawData, contentType: contentType ?? "application/octet-stream" };
}

async function isSigned(bytes: Buffer): Promise<boolean> {
  const type = bytes.length >= TYPE_BYTES ? bytes.readUInt16LE(0) : null;
  if (type === SignatureConfig.ARWEAVE) return isSignedByArweaveKey(bytes);
  if (!(await DataItem.verify(bytes))) return false;
  return type !== SignatureConfig.ETHEREUM || isRecoverable(bytes);
}

/**
 * The library ignores the last byte of an Ethereum key's signature, which selects one of two keys.
 * An id is the hash of that byte too: without this check an attacker could make 254 more items of
 * one signature, which verifiers that recover the key reject.
 */
async function isRecoverable(bytes: Buffer): Promise<boolean> {
  const item = new DataItem(bytes);
  const hash = hashMessage({ raw: await item.getSignatureData() });
  const key = await recoverPublicKey({ hash, signature: bytesToHex(item.rawSignature) });
  return key === bytesToHex(item.rawOwner);
}

/**
 * The library's web build does not check RSA signatures: it hands over the key in another form than
 * its own code expects.
 */
async function isSignedByArweaveKey(bytes: Buffer): Promise<boolean> {
  const tags = tagsAt(bytes);
  if (tags === null || tags.bytes > MAX_TAG_BYTES) return false;
  const tagBytes = bytes.subarray(tags.at, tags.at + tags.bytes);
  if (tags.count > 0 && deserializeTags(tagBytes).length !== tags.count) return false;

  const item = new DataItem(bytes);
  const jwk = { kty: "RSA", n: item.rawOwner.toString("base64url"), e: "AQAB" };
  const key = {
    key: createPublicKey({ key: jwk, format: "jwk" }),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_AUTO,
  };
  return verify("sha256", await item.getSignatureData(), key, item.rawSignature);
}

/**
 * Everything before an item's data; null for bytes that are too short or of an unknown type.
 * Nothing is verified: open the assembled item to check it.
 */
export function itemHeader(bytes: Buffer): Buffer | null {
  const tags = tagsAt(bytes);
  if (tags === null) return null;
  const end = tags.at + tags.bytes;
  return end <= bytes.length ? bytes.subarray(0, end) : null;
}

/**
 * Wallets of these kinds write registration files. Other kinds of signatures do not occur there.
 */
const SIGNATURES: ReadonlySet<number> = new Set([
  SignatureConfig.ARWEAVE,
  SignatureConfig.ED25519,
  SignatureConfig.ETHEREUM,
  SignatureConfig.SOLANA,
]);
const TYPE_BYTES = 2;
const OPTION_BYTES = 32;
const COUNT_BYTES = 8;

/**
 * Whether the item has exactly the encoding that `sign` writes. The signature covers target,
 * anchor, tags and data, but neither the two flags nor the number of tags: with a tag count of zero
 * an item would verify without its type.
 */
function isCanonical(bytes: Buffer): boolean {
  const tags = tagsAt(bytes);
  return tags !== null && (tags.count === 0) === (tags.bytes === 0);
}

/**
 * Number and length of an item's tags, and where they begin. Type, signature, public key and two
 * options come before.
 */
function tagsAt(bytes: Buffer): { at: number; count: number; bytes: number } | null {
  if (bytes.length < TYPE_BYTES) return null;
  const type = bytes.readUInt16LE(0);
  const lengths = SIG_CONFIG[type as SignatureConfig];
  if (!SIGNATURES.has(type) || lengths === undefined) return null;

  let at = TYPE_BYTES + lengths.sigLength + lengths.pubLength;
  for (let option = 0; option < 2; option += 1) {
    const flag = bytes[at];
    if (flag === undefined || flag > 1) return null;
    at += 1 + flag * OPTION_BYTES;
  }
  if (bytes.length < at + 2 * COUNT_BYTES) return null;
  const count = bytes.readBigUInt64LE(at);
  const length = bytes.readBigUInt64LE(at + COUNT_BYTES);
  // Far above the size of any item's tags, and exact as a number.
  if (count > 0xffffffffn || length > 0xffffffffn) return null;
  return { at: at + 2 * COUNT_BYTES, count: Number(count), bytes: Number(length) };
}
