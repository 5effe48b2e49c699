import { z } from "zod";
import type { SignedItem } from "./ans104.ts";
import type { HttpAnswer, StorageHttp } from "./http.ts";
import { transferMs } from "./http.ts";
import type { EarlierTries, TryFailure, UploadFailure } from "./items.ts";

/** An upload attempt failed. */
export class UploadError extends Error implements TryFailure {
  override readonly name = "UploadError";
  constructor(
    readonly failure: UploadFailure,
    readonly outcome: TryFailure["outcome"],
    message: string,
    options?: ErrorOptions & { readonly retryAfterMs?: number | undefined },
  ) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
  /** The pause that the bundler asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

const MAX_RECEIPT_BYTES = 64 * 1024;

/**
 * The members of a receipt that are checked, or stored as evidence. Turbo adds `winc`, `owner`,
 * `dataCaches`, `fastFinalityIndexes`, Irys `block` and `validatorSignatures`.
 */
const Receipt = z.looseObject({
  id: z.string(),
  timestamp: z.number().optional(),
  version: z.string().optional(),
  deadlineHeight: z.number().optional(),
  public: z.string().optional(),
  signature: z.string().optional(),
});

export type Bundler = ReturnType<typeof createBundler>;

/**
 * A service that accepts signed ANS-104 items and writes them to Arweave, by the upload protocol that
 * Irys nodes and ArDrive's Turbo share.
 */
export function createBundler({
  url,
  http,
  timeoutMs,
}: {
  /** The upload address, path included. */
  readonly url: string;
  readonly http: StorageHttp;
  /** Time limit of one attempt in milliseconds, plus the time for its bytes. */
  readonly timeoutMs: number;
}) {
  /** Its host, for logs. */
  const name = new URL(url).host;
  return {
    name,
    /**
     * Uploads an item once.
     *
     * @param earlier Whether the bundler may have the item already: only then does an empty answer
     * mean that it has.
     * @returns the receipt, or `{repeated: true}` when the bundler has the item already and gives no
     * receipt.
     * @throws UploadError
     */
    async upload(
      { id, bytes }: SignedItem,
      earlier: EarlierTries,
      signal?: AbortSignal,
    ): Promise<object> {
      const answer = await http
        .send(url, {
          method: "POST",
          headers: { "content-type": "application/octet-stream" },
          body: bytes,
          maxBytes: MAX_RECEIPT_BYTES,
          timeoutMs: timeoutMs + transferMs(bytes.length),
          signal,
        })
        .catch((error: unknown) => {
          throw connectionError(name, error);
        });
      return receiptIn(answer, id, earlier);
    },
  };
}

/** Before any of the item was sent. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|.*_CERT.*|EPROTO)$/;

function connectionError(name: string, error: unknown): UploadError {
  const code = codeOf(error);
  return NO_CONNECTION.test(code)
    ? new UploadError("unreachable", "not_stored", `${name} cannot be reached (${code}).`, {
        cause: error,
      })
    : new UploadError("unavailable", "unknown", `${name} did not answer (${code}).`, {
        cause: error,
      });
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timeout";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

const ALREADY = /already (?:been )?(?:received|uploaded|exists?|stored)|data item exists/i;
const NO_BALANCE = /(?:insufficient|not enough) (?:balance|funds|credits?)/i;
const TOO_LARGE = /too (?:large|big)/i;
const AN_ID = /(?<![\w-])[\w-]{43}(?![\w-])/g;

function receiptIn(answer: HttpAnswer, id: string, earlier: EarlierTries): object {
  const { status } = answer;
  // A server that answers 202 without a body says why in the status line.
  const text = `${answer.statusText} ${answer.body.toString("utf8")}`.trim();
  if (status < 200 || status > 202) throw refusal(answer, text);

  const parsed = parsedJson(answer.body);
  if (parsed !== undefined && typeof parsed === "object" && parsed !== null) {
    const receipt = Receipt.safeParse(parsed);
    if (!receipt.success) throw wrongAnswer(`no receipt came with status ${status}`, text);
    if (receipt.data.id !== id) {
      throw wrongAnswer(`it was acknowledged as another item, ${shown(receipt.data.id)}`, "");
    }
    return receipt.data;
  }
  // For a repeated item Turbo answers 202 and Irys 201, both without a receipt. Turbo gives the
  // reason only in the status line, which proxies replace. An empty answer of any other server
  // proves nothing.
  const names = text.match(AN_ID) ?? [];
  const isSilent = answer.body.length === 0 && earlier === "open";
  const isRepeated = status > 200 && (ALREADY.test(text) || isSilent);
  if (!isRepeated || names.some((named) => named !== id)) {
    throw wrongAnswer(`no receipt came with status ${status}`, text);
  }
  return { repeated: true };
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The bundler took the item, with an unknown result. */
function wrongAnswer(what: string, text: string): UploadError {
  return new UploadError(
    "wrong_answer",
    "unknown",
    `The bundler's answer is wrong: ${what}${text === "" ? "" : ` (${shown(text)})`}.`,
  );
}

function refusal(answer: HttpAnswer, text: string): UploadError {
  const { status } = answer;
  const message = `The bundler answered ${status}: ${shown(text)}`;
  // Services answer an empty account with 402, and older ones with 400 or 401.
  if (status === 402 || (status < 500 && NO_BALANCE.test(text))) {
    return new UploadError("out_of_balance", "not_stored", message);
  }
  if (status === 413 || (status < 500 && TOO_LARGE.test(text))) {
    return new UploadError("too_large", "not_stored", message);
  }
  if (status === 429) {
    const seconds = Number(answer.header("retry-after"));
    return new UploadError("throttled", "not_stored", message, {
      retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined,
    });
  }
  if (status === 408 || status === 425 || status >= 500) {
    return new UploadError("unavailable", "unknown", message);
  }
  return new UploadError("refused", "not_stored", message);
}

const MAX_SHOWN = 160;

/** Text of an untrusted server for a log: one short, printable line. */
function shown(text: string): string {
  const line = text.replace(/[^\x20-\x7e]+/g, " ").trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
