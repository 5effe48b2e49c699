import { openDataItem } from "./data-item.ts";

/** Where items of permanent storage are read. */
export interface StorageGateway {
  /** The item's URL, with `{id}` where its id belongs. */
  readonly url: string;
  /**
   * `item`: the whole signed ANS-104 item, which is checked, so that the gateway need not be trusted. `content`: only what is in
   * it, as Arweave gateways serve it, which nothing on chain binds: the gateway's word is taken.
   */
  readonly serves: "item" | "content";
}

export interface StoredText {
  readonly text: string;
  /** Whether the item itself was checked. */
  readonly verified: boolean;
}

/** No gateway served the item as it is. */
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
  /** Milliseconds that one gateway may take. */
  readonly timeoutMs: number;
  /** Bytes of the largest item that is read. */
  readonly maxBytes: number;
}

/**
 * The text stored under `id`, from the first gateway that serves it truly. Those that serve whole items are asked before those
 * whose word must be taken.
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

async function download(url: string, options: GatewayOptions): Promise<Uint8Array> {
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
