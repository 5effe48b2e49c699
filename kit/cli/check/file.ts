import {
  type FileFacts,
  failed,
  get,
  JSON_ONLY,
  missingFile,
  type PassportId,
  readFileFacts,
  type SendProbe,
} from "../../../protocol/endpoints/index.ts";
import {
  REGISTRATION_FILE_LIMITS,
  type ReadRegistrationFile,
  textOfDataUri,
} from "../../../protocol/read-registration-file.ts";
import { storageIdIn } from "../../../protocol/storage-id.ts";
import {
  readStoredText,
  type StorageGateway,
  StorageUnavailableError,
} from "../../did/gateways.ts";

/** Where files are read whose address names no server, and no gateway was given. */
const PUBLIC_GATEWAYS = {
  ar: "https://arweave.net/raw/{id}",
  ipfs: "https://ipfs.io/ipfs/{id}",
} as const;

const TIMEOUT_MS = 15_000;

export interface FileQuestion {
  readonly uri: string;
  readonly passport: PassportId;
  /** Gateways of signed items. */
  readonly gateways: readonly string[];
  /** Where IPFS content is served, with `{id}` for its path. */
  readonly ipfs: string | undefined;
  readonly send: SendProbe;
}

export interface FoundFile {
  readonly facts: FileFacts;
  readonly file: ReadRegistrationFile | null;
  /** Where it was read; null where it was not. */
  readonly source: string | null;
}

/** Reads the registration file at a passport's URI, wherever it lies. */
export async function readFile(question: FileQuestion): Promise<FoundFile> {
  const { uri, passport } = question;
  if (uri === "") return { facts: missingFile("no_uri"), file: null, source: null };
  const found = await textAt(question);
  if (typeof found === "string") return { facts: missingFile(found), file: null, source: null };
  return { ...readFileFacts(found.text, passport), source: found.source };
}

type Unread = "unavailable" | "unsupported" | "invalid";

async function textAt(
  question: FileQuestion,
): Promise<{ readonly text: string; readonly source: string } | Unread> {
  const { uri, gateways, ipfs, send } = question;
  const storageId = storageIdIn(uri);
  if (storageId !== null) {
    const items = gateways.map((url): StorageGateway => ({ url, serves: "item" }));
    const content: StorageGateway = { url: PUBLIC_GATEWAYS.ar, serves: "content" };
    return stored(storageId, items.length > 0 ? items : [content]);
  }
  const path = ipfsPath(uri);
  if (path !== null) {
    return stored(path, [{ url: ipfs ?? PUBLIC_GATEWAYS.ipfs, serves: "content" }]);
  }
  if (/^data:/i.test(uri)) {
    const text = textOfDataUri(uri);
    return text === null ? "invalid" : { text, source: "the passport's URI itself" };
  }
  if (!/^https?:\/\//i.test(uri) || !URL.canParse(uri)) return "unsupported";
  const { outcome } = await send(get(uri, REGISTRATION_FILE_LIMITS.bytes, JSON_ONLY));
  if (failed(outcome)) return outcome.failed === "too_large" ? "invalid" : "unavailable";
  if (outcome.status !== 200) return "unavailable";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(outcome.body);
    return { text, source: new URL(uri).origin };
  } catch {
    return "invalid";
  }
}

async function stored(
  id: string,
  gateways: readonly StorageGateway[],
): Promise<{ readonly text: string; readonly source: string } | Unread> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: REGISTRATION_FILE_LIMITS.bytes };
  try {
    const { text, verified } = await readStoredText(id, { gateways, ...limits });
    return { text, source: verified ? "a gateway, checked" : "a gateway, which is trusted" };
  } catch (error) {
    if (error instanceof StorageUnavailableError) return "unavailable";
    throw error;
  }
}

/** The path below `/ipfs/` of an IPFS URI; null for any other. */
function ipfsPath(uri: string): string | null {
  return (
    /^ipfs:\/\/(?:ipfs\/)?([A-Za-z0-9]{40,100}(?:\/[A-Za-z0-9._~/-]{0,200})?)$/.exec(uri)?.[1] ??
    null
  );
}
