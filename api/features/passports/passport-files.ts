import { REGISTRATION_FILE_LIMITS, storageIdIn, textOfDataUri } from "../../../protocol/index.ts";
import { bounded } from "../../kernel/bounded.ts";
import { ApiError } from "../../kernel/errors.ts";
import { OutboundError, type OutboundHttp } from "../../platform/outbound/ports.ts";

/** Where a file may be read from: permanent storage, the URI itself (`data:`), or a web server (`https://`). */
export type FileOrigin = "storage" | "inline" | "web";

/**
 * For changes of a passport's file, which must not lose what its owner's server says. Anyone can
 * have such a change prepared, so the outbound rules and limits of requests bound what is fetched.
 */
export const ANYWHERE: readonly FileOrigin[] = ["storage", "inline", "web"];
/** For requests of strangers: an agent's controller must not make this service contact a server. */
export const WITHOUT_WEB: readonly FileOrigin[] = ["storage", "inline"];

/** Why the file that a passport points at cannot be read. */
export type UnreadableFile =
  /** A later try may succeed. Also for an item that permanent storage does not have yet. */
  | "unavailable"
  /** It is not text, too large, or missing on its server. */
  | "unusable"
  /** The scheme of its URI is not supported, or not one of the origins asked for. */
  | "unsupported_uri";

export type PassportFiles = ReturnType<typeof createPassportFiles>;

/** Reads the files that passports point at. The owner chooses the URI, so every step is bounded. */
export function createPassportFiles({
  stored,
  http,
  storageUrl,
  timeoutMs,
}: {
  /** What permanent storage holds, checked against its id; null for nothing. */
  readonly stored: (id: string) => Promise<{ readonly data: Uint8Array } | null>;
  readonly http: Pick<OutboundHttp, "request">;
  /** What this service's own form of a storage URI begins with. */
  readonly storageUrl: string;
  /** Milliseconds that one file may take. */
  readonly timeoutMs: number;
}) {
  async function fromStorage(id: string): Promise<Uint8Array | UnreadableFile> {
    const tooLate = () => new Error(`Storage did not answer within ${timeoutMs} ms.`);
    const item = await bounded(timeoutMs, () => stored(id), tooLate).catch(() => null);
    return item?.data ?? "unavailable";
  }

  async function fromServer(url: string): Promise<Uint8Array | UnreadableFile> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { status, body } = await http.request({
        method: "GET",
        url,
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

  async function bytesOf(
    uri: string,
    from: readonly FileOrigin[],
  ): Promise<Uint8Array | UnreadableFile> {
    const own = uri.startsWith(storageUrl) ? `ar://${uri.slice(storageUrl.length)}` : uri;
    const id = storageIdIn(own);
    const origin = originOf(uri, id);
    if (origin === null || !from.includes(origin)) return "unsupported_uri";
    if (id !== null) return fromStorage(id);
    return origin === "inline" ? embedded(uri) : fromServer(uri);
  }

  return {
    /** The text at a passport's URI, untrusted. Never waits long, and never fetches from an address that is not public. */
    async read(
      uri: string,
      from: readonly FileOrigin[],
    ): Promise<{ readonly text: string } | { readonly refused: UnreadableFile }> {
      const bytes = await bytesOf(uri, from);
      if (typeof bytes === "string") return { refused: bytes };
      // Permanent storage may hold far more than any such file: checked before the bytes are decoded.
      if (bytes.byteLength > REGISTRATION_FILE_LIMITS.bytes) return { refused: "unusable" };
      try {
        return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
      } catch {
        return { refused: "unusable" };
      }
    },
  };
}

/** The error for an owner whose passport points at a file that a new one would have to take over. */
export function unreadableFile(agentUri: string, why: UnreadableFile): ApiError {
  // A URI may be a whole file.
  const details = { agentUri: agentUri.slice(0, 256), reason: why };
  if (why === "unavailable") {
    return new ApiError("STORAGE_UNAVAILABLE", {
      message: "The passport's registration file does not answer now.",
      details,
    });
  }
  return new ApiError("INVALID_REQUEST", {
    message:
      "The passport's registration file cannot be read, and what it says is not overwritten. Let the passport point at a file that can.",
    details,
  });
}

const PASSING_REASONS: ReadonlySet<OutboundError["reason"]> = new Set([
  "unresolvable",
  "timeout",
  "connection",
]);

function originOf(uri: string, storageId: string | null): FileOrigin | null {
  if (storageId !== null) return "storage";
  if (/^data:/i.test(uri)) return "inline";
  return uri.startsWith("https://") ? "web" : null;
}

function embedded(uri: string): Uint8Array | UnreadableFile {
  const text = textOfDataUri(uri);
  if (text !== null) return new TextEncoder().encode(text);
  return /^data:application\/json[;,]/i.test(uri) ? "unusable" : "unsupported_uri";
}
