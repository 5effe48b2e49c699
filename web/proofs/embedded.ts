import { ApiError } from "../../api/kernel/errors.ts";

/** The part of permanent storage that proof pages read. */
export interface ArchiveReads {
  read(id: string): Promise<{ data: Uint8Array } | null>;
  readItem(id: string): Promise<Uint8Array | null>;
}

/** Most bytes of an item in a page. A larger one is downloaded, and chosen on `/verify`. */
const MAX_BYTES = 64 * 1024;

/** The bytes in base64 for a page; null for too many, and while storage does not answer. */
export async function embedded(read: () => Promise<Uint8Array | null>): Promise<string | null> {
  try {
    const bytes = await read();
    return bytes === null || bytes.length > MAX_BYTES
      ? null
      : Buffer.from(bytes).toString("base64");
  } catch (error) {
    if (error instanceof ApiError && error.type === "STORAGE_UNAVAILABLE") return null;
    throw error;
  }
}
