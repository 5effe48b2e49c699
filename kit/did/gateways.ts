import { type OpenedItem, openDataItem, openSignedItem } from "./data-item.ts";

/** A gateway that serves items of permanent storage. */
export interface StorageGateway {
  /** The item's URL, with `{id}` where its id belongs. */
  readonly url: string;
  /**
   * `item`: the whole signed ANS-104 item, which is checked, so that the gateway need not be
   * trusted. `content`: only its data, as Arweave gateways serve it. Nothing on chain proves it, so
   * the gateway is trusted.
   */
  readonly serves: "item" | "content";
}

export interface StoredText {
  readonly text: string;
  /** Whether the item's signature was checked. */
  readonly verified: boolean;
}

/** No gateway served the item intact. */
export class StorageUnavailableError extends Error {
  override readonly name = "StorageUnavailableError";

  constructor(
    readonly id: string,
    readonly attempts: readonly string[],
  ) {
    super(`No gateway serves ${id}: ${attempts.join("; ")}`);
  }
}

export interface GatewayOptions {
  readonly gateways: readonly StorageGateway[];
  /** Time limit for one gateway, in milliseconds. */
  readonly timeoutMs: number;
  /** Size limit of an item, in bytes. */
  readonly maxBytes: number;
}

/**
 * The text stored under `id`, from the first gateway that serves a valid item. Gateways that serve
 * whole items come first, because the others must be trusted.
 *
 * @throws StorageUnavailableError
 */
export async function readStoredText(id: string, options: GatewayOptions): Promise<StoredText> {
  const attempts: string[] = [];
  const checkedFirst = [...options.gateways].sort(
    (a, b) => Number(b.serves === "item") - Number(a.serves === "item"),
  );
  for (const { url, serves } of checkedFirst) {
    try {
      const bytes = await download(url.replaceAll("{id}", id), options);
      const data = serves === "item" ? await openDataItem(id, bytes) : bytes;
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
      return { text, verified: serves === "item" };
    } catch (error) {
      attempts.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new StorageUnavailableError(id, attempts);
}

/** The item stored under `id`, from the first gateway that serves it whole and intact.
 *
 * @throws StorageUnavailableError
 */
export async function readSignedItem(
  id: string,
  urls: readonly string[],
  options: Omit<GatewayOptions, "gateways">,
): Promise<OpenedItem> {
  const attempts: string[] = [];
  for (const url of urls) {
    try {
      return await openSignedItem(id, await download(url.replaceAll("{id}", id), options));
    } catch (error) {
      attempts.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new StorageUnavailableError(id, attempts);
}

async function download(
  url: string,
  options: Omit<GatewayOptions, "gateways">,
): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(options.timeoutMs) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    length += value.length;
    if (length > options.maxBytes) {
      await reader?.cancel();
      throw new Error(`it sent more than ${options.maxBytes} bytes`);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
