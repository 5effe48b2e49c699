import { constants, createHash, createPublicKey, verify } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex, type Hex, hashMessage, hexToBytes, recoverPublicKey } from "viem";
import { privateKeyToAccount } from "viem/accounts";

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

/** A kind of key, by its number in ANS-104. */
interface KeyKind {
  readonly signatureBytes: number;
  readonly ownerBytes: number;
  /** Whether the key `owner` signed the message. May throw for one that is no key. */
  isSigned(message: Uint8Array, item: Pick<Item, "signature" | "owner">): Promise<boolean>;
}

const ETHEREUM = 3;

const ED25519_KIND: KeyKind = {
  signatureBytes: 64,
  ownerBytes: 32,
  isSigned: async (message, { signature, owner }) =>
    ed25519.verify(signature, message, owner, { zip215: false }),
};

/**
 * Wallets of these kinds write registration files. Other kinds of signatures do not occur there.
 */
const KEY_KINDS: Readonly<Record<number, KeyKind>> = {
  // Arweave.
  1: {
    signatureBytes: 512,
    ownerBytes: 512,
    async isSigned(message, { signature, owner }) {
      const jwk = { kty: "RSA", n: owner.toString("base64url"), e: "AQAB" };
      const key = {
        key: createPublicKey({ key: jwk, format: "jwk" }),
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_AUTO,
      };
      return verify("sha256", message, key, signature);
    },
  },
  2: ED25519_KIND,
  [ETHEREUM]: {
    signatureBytes: 65,
    ownerBytes: 65,
    // The key is recovered, not only verified: an id is the hash of the signature's last byte too,
    // which selects one of two keys.
    async isSigned(message, { signature, owner }) {
      const hash = hashMessage({ raw: message });
      const key = await recoverPublicKey({ hash, signature: bytesToHex(signature) });
      return key === bytesToHex(owner);
    },
  },
  // Solana.
  4: ED25519_KIND,
};

const TYPE_BYTES = 2;
const OPTION_BYTES = 32;
const COUNT_BYTES = 8;
/** ANS-104's own limit. */
const MAX_TAG_BYTES = 4096;

interface Tag {
  readonly name: string;
  readonly value: string;
}

/**
 * @param privateKey The service's storage key (secp256k1); its holder can store items in the
 * service's name.
 */
export function createItemSigner(privateKey: Hex) {
  const account = privateKeyToAccount(privateKey);
  const owner = Buffer.from(hexToBytes(account.publicKey));
  const none = Buffer.alloc(0);

  return {
    address: account.address,
    /**
     * Signs `content`. The same content always gives the same item: the signature is deterministic
     * and there is no anchor, so an interrupted upload repeats under one id.
     */
    async sign({ data, contentType }: Content): Promise<SignedItem> {
      const tags = encodedTags([{ name: "Content-Type", value: contentType }]);
      const message = signedMessage(ETHEREUM, { owner, target: none, anchor: none, tags, data });
      const signature = Buffer.from(
        hexToBytes(await account.signMessage({ message: { raw: message } })),
      );
      const type = Buffer.alloc(TYPE_BYTES);
      type.writeUInt16LE(ETHEREUM);
      const counts = Buffer.alloc(2 * COUNT_BYTES);
      counts.writeBigUInt64LE(1n);
      counts.writeBigUInt64LE(BigInt(tags.length), COUNT_BYTES);
      // Neither target nor anchor: two flags of zero.
      const bytes = Buffer.concat([type, signature, owner, Buffer.alloc(2), counts, tags, data]);
      return { id: idOf(signature), bytes };
    },
  };
}

export type ItemSigner = ReturnType<typeof createItemSigner>;

/**
 * The content of an item, after checking its signature and its id.
 *
 * @throws InvalidItemError
 */
export async function openItem({ id, bytes }: SignedItem): Promise<Content> {
  const item = parsed(bytes);
  const tags = item && decodedTags(item);
  const isSigned =
    item !== null &&
    tags !== null &&
    (await KEY_KINDS[item.type]?.isSigned(signedMessage(item.type, item), item).catch(() => false));
  if (!isSigned)
    throw new InvalidItemError(`The bytes stored as ${id} are not a correctly signed item.`);

  const signatureId = idOf(item.signature);
  if (signatureId !== id) throw new InvalidItemError(`The item kept as ${id} is ${signatureId}.`);

  const contentType = tags.find(({ name }) => name === "Content-Type")?.value;
  return { data: item.data, contentType: contentType ?? "application/octet-stream" };
}

/**
 * Everything before an item's data; null for bytes that are too short or of an unknown type.
 * Nothing is verified: open the assembled item to check it.
 */
export function itemHeader(bytes: Buffer): Buffer | null {
  const item = parsed(bytes);
  return item && bytes.subarray(0, bytes.length - item.data.length);
}

const idOf = (signature: Buffer) => createHash("sha256").update(signature).digest("base64url");

/** The parts of an item that its signature covers, and the signature. */
interface Item {
  readonly type: number;
  readonly signature: Buffer;
  readonly owner: Buffer;
  readonly target: Buffer;
  readonly anchor: Buffer;
  readonly tagCount: number;
  readonly tags: Buffer;
  readonly data: Buffer;
}

/** Null for bytes that are too short, or of an unknown type. Nothing is verified. */
function parsed(bytes: Buffer): Item | null {
  if (bytes.length < TYPE_BYTES) return null;
  const type = bytes.readUInt16LE(0);
  const kind = KEY_KINDS[type];
  if (kind === undefined) return null;

  let at = TYPE_BYTES;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const signature = take(kind.signatureBytes);
  const owner = take(kind.ownerBytes);
  const option = () => {
    const flag = bytes[at];
    if (flag === undefined || flag > 1) return null;
    at += 1;
    return take(flag * OPTION_BYTES);
  };
  const target = option();
  const anchor = target && option();
  if (target === null || anchor === null || bytes.length < at + 2 * COUNT_BYTES) return null;
  const count = take(COUNT_BYTES).readBigUInt64LE();
  const length = take(COUNT_BYTES).readBigUInt64LE();
  // Far above the size of any item's tags, and exact as a number.
  if (count > 0xffffffffn || length > BigInt(bytes.length - at)) return null;
  const tags = take(Number(length));
  return {
    type,
    signature,
    owner,
    target,
    anchor,
    tagCount: Number(count),
    tags,
    data: bytes.subarray(at),
  };
}

/**
 * Arweave's hash of the list of an item's parts. Every part and every length is hashed separately,
 * so that no byte can move between parts.
 */
function signedMessage(
  type: number,
  {
    owner,
    target,
    anchor,
    tags,
    data,
  }: Omit<Item, "type" | "signature" | "tagCount" | "data"> & { readonly data: Uint8Array },
): Buffer {
  const heads = ["dataitem", "1", String(type)].map((text) => Buffer.from(text));
  const parts = [...heads, owner, target, anchor, tags, data];
  return parts.reduce<Buffer>(
    (chained, part) => {
      const tag = sha384(Buffer.from(`blob${part.length}`));
      return sha384(chained, sha384(tag, sha384(part)));
    },
    sha384(Buffer.from(`list${parts.length}`)),
  );
}

function sha384(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha384");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Tags in the Avro encoding of ANS-104: one block with its number of tags, and an empty one. */
function encodedTags(tags: readonly Tag[]): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    return [encodedLong(bytes.length), bytes];
  };
  return Buffer.concat([
    encodedLong(tags.length),
    ...tags.flatMap(({ name, value }) => [...text(name), ...text(value)]),
    encodedLong(0),
  ]);
}

/** A number that is not negative, as Avro writes it: doubled, seven bits to a byte, lowest first. */
function encodedLong(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/**
 * The tags of an item; null when they are not in order or not as many as stated. The signature does
 * not cover that number: with one of zero an item would verify without its type.
 */
function decodedTags({ tags, tagCount }: Item): readonly Tag[] | null {
  if (tags.length > MAX_TAG_BYTES || (tags.length === 0) !== (tagCount === 0)) return null;
  let at = 0;
  const long = () => {
    let value = 0;
    for (let times = 1; at < tags.length; times *= 128) {
      const byte = tags[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * times;
      if (byte < 0x80) break;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const text = () => {
    const length = Math.max(long(), 0);
    at += length;
    return tags.toString("utf8", at - length, at);
  };
  const decoded: Tag[] = [];
  for (let count = long(); count !== 0; count = long()) {
    // A negative number of tags is followed by their length.
    if (count < 0) long();
    for (let left = Math.abs(count); left > 0; left -= 1) {
      decoded.push({ name: text(), value: text() });
      if (at > tags.length || decoded.length > tagCount) return null;
    }
  }
  return decoded.length === tagCount ? decoded : null;
}
