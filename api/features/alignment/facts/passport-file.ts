import {
  REGISTRATION_FILE_LIMITS,
  storageIdIn,
  textOfDataUri,
} from "../../../../protocol/index.ts";
import type { ArchivedItem } from "../../../platform/storage/stored-content.ts";

/**
 * The text of the file at a passport's URI; null when it is neither on permanent storage nor in the
 * URI itself. Other servers are not asked: what they say can be different for every reader.
 *
 * @param storageUrl What this service's own form of a storage URI begins with.
 */
export function createPassportFileAt(
  inspect: (id: string) => Promise<ArchivedItem>,
  storageUrl: string,
) {
  /** @throws ApiError STORAGE_UNAVAILABLE */
  return async (uri: string): Promise<string | null> => {
    const own = uri.startsWith(storageUrl) ? `ar://${uri.slice(storageUrl.length)}` : uri;
    const id = storageIdIn(own);
    if (id === null) return textOfDataUri(uri);
    const item = await inspect(id);
    if (item.state !== "intact") return null;
    if (item.data.byteLength > REGISTRATION_FILE_LIMITS.bytes) return null;
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(item.data);
    } catch {
      return null;
    }
  };
}
