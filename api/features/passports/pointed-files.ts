import { REGISTRATION_FILE_LIMITS, storageIdIn, textOfDataUri } from "../../../protocol/index.ts";
import { bounded } from "../../kernel/bounded.ts";
import { OutboundError, type OutboundHttp } from "../../platform/outbound/ports.ts";

/** Why the file that a passport points at cannot be read. */
export type UnreadableFile =
  /** A later try may succeed. */
  | "unavailable"
  /** It is not text, too large, or missing. */
  | "unusable"
  /** The scheme of its URI is not supported. */
  | "unsupported_uri";

/** Texts at passports' URIs: untrusted. */
export interface PassportFiles {
  /** Never waits long, and never fetches from an address that is not public. */
  read(uri: string): Promise<{ readonly text: string } | { readonly refused: UnreadableFile }>;
}

export interface PassportFilesOptions {
  /** What permanent storage holds, checked against its id; null for nothing. */
  readonly stored: (id: string) => Promise<{ readonly data: Uint8Array } | null>;
  readonly http: OutboundHttp;
  /** Milliseconds that one file may take. */
  readonly timeoutMs: number;
}

/**
 * Reads files on permanent storage (`ar://`), in data URIs (`data:`) and on web servers
 * (`https://`). The owner chooses the URI, so servers are contacted only with the bounded client.
 */
export function createPassportFiles(options: PassportFilesOptions): PassportFiles {
  const { stored, http, timeoutMs } = options;

  async function bytesOf(uri: string): Promise<Uint8Array | UnreadableFile> {
    const id = storageIdIn(uri);
    if (id !== null) {
      const tooLate = () => new Error(`Storage did not answer within ${timeoutMs} ms.`);
      const item = await bounded(timeoutMs, () => stored(id), tooLate).catch(() => null);
      return item?.data ?? "unavailable";
    }
    if (uri.startsWith("data:")) return embedded(uri);
    if (!uri.startsWith("https://")) return "unsupported_uri";
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { status, body } = await http.request({
        method: "GET",
        url: uri,
        signal,
        headers: { accept: "application/json" },
        maxResponseBytes: REGISTRATION_FILE_LIMITS.bytes,
      });
      if (status === 200) return body;
      return status >= 500 || status === 429 ? "unavailable" : "unusable";
    } catch (error) {
      if (signal.aborted) return "unavailable";
      if (!(error instanceof OutboundError)) throw error;
      return PASSING_REASONS.has(error.reason) ? "unavailable" : "unusable";
    }
  }

  return {
    async read(uri) {
      const bytes = await bytesOf(uri);
      if (typeof bytes === "string") return { refused: bytes };
      try {
        return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
      } catch {
        return { refused: "unusable" };
      }
    },
  };
}

const PASSING_REASONS: ReadonlySet<OutboundError["reason"]> = new Set([
  "unresolvable",
  "timeout",
  "connection",
]);

function embedded(uri: string): Uint8Array | UnreadableFile {
  const text = textOfDataUri(uri);
  if (text !== null) return new TextEncoder().encode(text);
  return /^data:application\/json[;,]/i.test(uri) ? "unusable" : "unsupported_uri";
}
