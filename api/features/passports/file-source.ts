import { isPlainObject, storageIdIn, textOfDataUri } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import { OutboundError } from "../../platform/outbound/ports.ts";
import { storedContent } from "../../platform/storage/stored-content.ts";
import type { LooseFile } from "./file-edit.ts";
import { MAX_FILE_BYTES } from "./file-edit.ts";

/**
 * The file at a passport's URI. Only for proven owners of the passport: they choose the address.
 */
export interface FileSource {
  /**
   * The file under a passport's URI; null when the URI is empty.
   *
   * @throws ApiError STORAGE_UNAVAILABLE when permanent storage does not have it now; INVALID_REQUEST with the URI when it cannot
   * be read, or is no registration file: what it holds would be lost with the next one.
   */
  read(uri: string): Promise<LooseFile | null>;
}

export interface FileSourceOptions {
  /** What permanent storage holds, checked against its id; null for nothing. */
  readonly stored: (id: string) => Promise<{ readonly data: Uint8Array } | null>;
  readonly http: Pick<OutboundHttp, "request">;
  /** What this service's own form of a storage URI begins with. */
  readonly storageUrl: string;
}

export function createFileSource(options: FileSourceOptions): FileSource {
  const { stored, http, storageUrl } = options;

  async function bytesOf(uri: string): Promise<Uint8Array> {
    const own = uri.startsWith(storageUrl) ? `ar://${uri.slice(storageUrl.length)}` : uri;
    const id = storageIdIn(own);
    if (id !== null) {
      return (await storedContent(stored, id, { agentUri: uri })).data;
    }
    const inline = textOfDataUri(uri);
    if (inline !== null) return new TextEncoder().encode(inline);
    const { status, body } = await http.request({
      method: "GET",
      url: uri,
      maxResponseBytes: MAX_FILE_BYTES,
      headers: { accept: "application/json" },
    });
    if (status !== 200) throw new OutboundError("protocol", status);
    return body;
  }

  return {
    async read(uri) {
      if (uri === "") return null;
      try {
        const bytes = await bytesOf(uri);
        // Before it is parsed: what permanent storage holds may be far larger than any such file.
        if (bytes.byteLength > MAX_FILE_BYTES) throw new RangeError("Too large.");
        const file: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
        if (!isPlainObject(file)) throw new TypeError("Not a JSON object.");
        return file;
      } catch (cause) {
        if (cause instanceof ApiError) throw cause;
        throw new ApiError("INVALID_REQUEST", {
          message:
            "What the passport points at now cannot be read, and its entries would be lost with a new file.",
          details: { agentUri: uri },
          cause,
        });
      }
    },
  };
}
