import { createHash } from "node:crypto";
// The web build: the Node build loads an HTTP client that neither it nor this project installs.
import { createData, DataItem, EthereumSigner, SignatureConfig } from "@dha-team/arbundles/web";
import type { Address, Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";

/** What is to be kept for ever, in public. */
export interface Content {
  readonly data: Uint8Array;
  /** Media type, kept as the item's `Content-Type` tag. */
  readonly contentType: string;
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
   * Signs `content`. The same content always gives the same item: the signature is deterministic and there is no anchor, so
   * an interrupted upload repeats under one id.
   */
  sign(content: Content): Promise<SignedItem>;
}

/** @param privateKey The service's storage key (secp256k1); whoever has it can store items in the service's name. */
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
  const valid = await DataItem.verify(bytes).catch(() => false);
  if (!valid || !isCanonical(bytes))
    throw new InvalidItemError(`The bytes kept as ${id} are no correctly signed item.`);

  const item = new DataItem(bytes);
  const signatureId = createHash("sha256").update(item.rawSignature).digest("base64url");
  if (signatureId !== id) throw new InvalidItemError(`The item kept as ${id} is ${signatureId}.`);

  const contentType = item.tags.find(({ name }) => name === "Content-Type")?.value;
  return { data: item.rawData, contentType: contentType ?? "application/octet-stream" };
}

/** Where the parts of an item stand that an Ethereum key signed: type, signature and public key come before. */
const TARGET_FLAG = 2 + 65 + 65;
const OPTION_BYTES = 32;
const COUNT_BYTES = 8;

/**
 * Whether the bytes say what is signed in the one way `sign` writes it. The signature covers target, anchor, tags and data, but
 * not the two flags and the number of tags before them: with a tag count of zero an item would verify and have lost its type.
 */
function isCanonical(bytes: Buffer): boolean {
  if (bytes.readUInt16LE(0) !== SignatureConfig.ETHEREUM) return false;

  let at = TARGET_FLAG;
  for (let option = 0; option < 2; option += 1) {
    const flag = bytes.readUInt8(at);
    if (flag > 1) return false;
    at += 1 + flag * OPTION_BYTES;
  }
  const tagCount = bytes.readBigUInt64LE(at);
  const tagBytes = bytes.readBigUInt64LE(at + COUNT_BYTES);
  return (tagCount === 0n) === (tagBytes === 0n);
}
