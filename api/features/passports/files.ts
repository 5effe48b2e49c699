import { LRUCache } from "lru-cache";
import {
  parseRegistrationFile,
  type ReadRegistrationFile,
  storageIdIn,
  textOfDataUri,
} from "../../../protocol/index.ts";
import { bounded } from "../../kernel/bounded.ts";

/** Files at passports' URIs: untrusted. */
export interface RegistrationFiles {
  /**
   * The file's content; null when it cannot be read here or is invalid. Never rejects and never
   * waits long: a passport's controller chooses the URI, and must not be able to block its own
   * sign-in or this service.
   */
  read(uri: string): Promise<ReadRegistrationFile | null>;
}

export interface RegistrationFilesOptions {
  /** What permanent storage holds, checked against its id; null for nothing. */
  readonly stored: (id: string) => Promise<{ readonly data: Uint8Array } | null>;
  /** Milliseconds that one file may take. */
  readonly timeoutMs: number;
  /**
   * How many files are remembered. An id names one content for ever, so what is remembered is never
   * old.
   */
  readonly remembered: number;
}

/**
 * Reads files on permanent storage (`ar://`) and in data URIs (`data:`). Other URIs name untrusted
 * web servers, which a sign-in never contacts.
 */
export function createRegistrationFiles(options: RegistrationFilesOptions): RegistrationFiles {
  const { stored, timeoutMs, remembered } = options;
  const known = new LRUCache<string, ReadRegistrationFile>({ max: remembered });

  async function fromStorage(id: string): Promise<ReadRegistrationFile | null> {
    const hit = known.get(id);
    if (hit) return hit;
    const item = await bounded(
      timeoutMs,
      () => stored(id),
      () => new Error(`The registration file ${id} did not arrive within ${timeoutMs} ms.`),
    );
    if (item === null) return null;
    const file = parsed(new TextDecoder("utf-8", { fatal: true }).decode(item.data));
    if (file === null) return null;
    known.set(id, file);
    return file;
  }

  return {
    async read(uri) {
      try {
        const id = storageIdIn(uri);
        return id === null ? parsed(textOfDataUri(uri)) : await fromStorage(id);
      } catch {
        return null;
      }
    },
  };
}

function parsed(text: string | null): ReadRegistrationFile | null {
  return text === null ? null : parseRegistrationFile(text);
}
