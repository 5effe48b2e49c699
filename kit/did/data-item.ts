import { base64urlnopad } from "@scure/base";
import { type Address, bytesToHex, hashMessage, recoverPublicKey } from "viem";
import { publicKeyToAddress } from "viem/utils";
import { concatBytes, utf8 } from "../../protocol/bytes.ts";

/** The bytes are not the requested item with a valid signature. */
export class UntrueItemError extends Error {
  override readonly name = "UntrueItemError";

  constructor(
    readonly id: string,
    reason: string,
  ) {
    super(`The bytes served as ${id} are not that item: ${reason}.`);
  }
}

const TYPE_BYTES = 2;
const SIGNATURE_BYTES = 65;
const OWNER_BYTES = 65;
const OPTION_BYTES = 32;
const COUNT_BYTES = 8;

/** ANS-104's number for signatures of Ethereum keys, which sign all items of this service. */
const ETHEREUM = 3;

/** The data of an ANS-104 item, and the account that signed it. */
export interface OpenedItem {
  readonly data: Uint8Array;
  readonly signer: Address;
}

/** The id of an item's bytes: the hash of its signature, which is not checked. */
export async function dataItemId(bytes: Uint8Array): Promise<string> {
  const { signature } = parsed("this item", bytes);
  return base64urlnopad.encode(await sha("SHA-256", signature));
}

/**
 * Opens an ANS-104 item, after checking that it has this id. The id is the hash of the signature.
 * The signature covers the data and the public key, so it is invalid for other data and other keys.
 *
 * @throws UntrueItemError
 */
export async function openSignedItem(id: string, bytes: Uint8Array): Promise<OpenedItem> {
  const item = parsed(id, bytes);
  if (base64urlnopad.encode(await sha("SHA-256", item.signature)) !== id) {
    throw new UntrueItemError(id, "its id is a different one");
  }
  const signed = await deepHash([
    ...["dataitem", "1", String(ETHEREUM)].map(utf8),
    ...[item.owner, item.target, item.anchor, item.tags, item.data],
  ]);
  const hash = hashMessage({ raw: signed });
  const signature = bytesToHex(item.signature);
  const owner = await recoverPublicKey({ hash, signature }).catch(() => null);
  if (owner !== bytesToHex(item.owner)) throw new UntrueItemError(id, "its signature is wrong");
  return { data: item.data, signer: publicKeyToAddress(owner) };
}

/**
 * The data of an item, opened as by {@link openSignedItem}.
 *
 * @throws UntrueItemError
 */
export async function openDataItem(id: string, bytes: Uint8Array): Promise<Uint8Array> {
  return (await openSignedItem(id, bytes)).data;
}

function parsed(id: string, bytes: Uint8Array) {
  let at = 0;
  const take = (length: number) => {
    if (at + length > bytes.length) throw new UntrueItemError(id, "it is too short");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const count = () => {
    const field = take(COUNT_BYTES);
    const value = new DataView(field.buffer, field.byteOffset, COUNT_BYTES).getBigUint64(0, true);
    // Longer lengths fail the bounds check below.
    return Number(value);
  };
  const option = () => {
    const [flag = 0] = take(1);
    if (flag > 1) throw new UntrueItemError(id, "a flag in it is neither 0 nor 1");
    return take(flag * OPTION_BYTES);
  };

  const [low, high] = take(TYPE_BYTES);
  if (low !== ETHEREUM || high !== 0)
    throw new UntrueItemError(id, "it is not signed by an Ethereum key");
  const signature = take(SIGNATURE_BYTES);
  const owner = take(OWNER_BYTES);
  const target = option();
  const anchor = option();
  count();
  const tags = take(count());
  return { signature, owner, target, anchor, tags, data: bytes.subarray(at) };
}

/**
 * Arweave's hash of a list. Every part and every length is hashed separately, so that no byte can
 * move between fields.
 */
async function deepHash(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  let chained = await sha("SHA-384", utf8(`list${parts.length}`));
  for (const part of parts) {
    const tag = await sha("SHA-384", utf8(`blob${part.length}`));
    const blob = await sha("SHA-384", concatBytes(tag, await sha("SHA-384", part)));
    chained = await sha("SHA-384", concatBytes(chained, blob));
  }
  return chained;
}

async function sha(algorithm: "SHA-256" | "SHA-384", bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, new Uint8Array(bytes)));
}
