import { createHash } from "node:crypto";
// The web build: the Node build loads an HTTP client that neither it nor this project installs.
import { createData, DataItem, EthereumSigner } from "@dha-team/arbundles/web";
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

/** Form of an item's id. */
export const ITEM_ID = /^[A-Za-z0-9_-]{43}$/;

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
  if (!valid) throw new InvalidItemError(`The bytes kept as ${id} are no correctly signed item.`);

  const item = new DataItem(bytes);
  const signatureId = createHash("sha256").update(item.rawSignature).digest("base64url");
  if (signatureId !== id) throw new InvalidItemError(`The item kept as ${id} is ${signatureId}.`);

  const contentType = item.tags.find(({ name }) => name === "Content-Type")?.value;
  return { data: item.rawData, contentType: contentType ?? "application/octet-stream" };
}
