import { LRUCache } from "lru-cache";
import {
  parseRegistrationFile,
  type ReadRegistrationFile,
  storageIdIn,
} from "../../../protocol/index.ts";
import { type PassportFiles, WITHOUT_WEB } from "./passport-files.ts";

export type RegistrationFiles = ReturnType<typeof createRegistrationFiles>;

/**
 * Reads files on permanent storage and in data URIs. Other URIs name untrusted web servers, which
 * a sign-in never contacts.
 *
 * @param remembered How many stored files are remembered. An id names one content for ever, so what
 * is remembered is never old.
 */
export function createRegistrationFiles(files: PassportFiles, remembered: number) {
  const known = new LRUCache<string, ReadRegistrationFile>({ max: remembered });

  return {
    /**
     * The file's content, untrusted; null when it cannot be read here or is invalid. Never rejects and never
     * waits long: a passport's controller chooses the URI, and must not be able to block its own
     * sign-in or this service.
     */
    async read(uri: string): Promise<ReadRegistrationFile | null> {
      const hit = known.get(uri);
      if (hit) return hit;
      const file = await parsedFile(files, uri);
      if (file !== null && storageIdIn(uri) !== null) known.set(uri, file);
      return file;
    },
  };
}

async function parsedFile(files: PassportFiles, uri: string): Promise<ReadRegistrationFile | null> {
  try {
    const found = await files.read(uri, WITHOUT_WEB);
    return "refused" in found ? null : parseRegistrationFile(found.text);
  } catch {
    return null;
  }
}
