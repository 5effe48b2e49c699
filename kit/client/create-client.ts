import createFetchClient from "openapi-fetch";
import { isConfidential } from "../../protocol/audience.ts";
import { ApiError } from "./api-error.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type {
  Answer,
  CallInput,
  CallOptions,
  Entry,
  InputOf,
  ListId,
  OperationId,
  ReadId,
} from "./operation-types.ts";
import { entriesOf, type PagesRow } from "./pages.ts";
import { send, type TransportOptions } from "./transport.ts";
import { repeatUntil, type WaitOptions } from "./wait-for.ts";

export interface ClientOptions extends Partial<TransportOptions> {
  /** Origin of the service: https, or http on a loopback address. */
  readonly service: string | URL;
  /** An agent's API key. */
  readonly apiKey?: string | undefined;
  /** An access token of the sign-in, instead of a key. */
  readonly token?: string | undefined;
}

/** An answer with its status and headers, such as `X-Svc-Block`. */
export interface FullAnswer<Id extends OperationId> {
  readonly data: Answer<Id>;
  readonly status: number;
  readonly headers: Headers;
}

/** Calls of all operations, by their id in the OpenAPI document. */
export interface BaseClient {
  /** Origin of the service. */
  readonly service: string;
  /**
   * Calls an operation. Reads, and requests with an idempotency key, are repeated while the service
   * cannot answer.
   *
   * @throws ApiError
   */
  call<Id extends OperationId>(id: Id, ...input: InputOf<Id>): Promise<Answer<Id>>;
  /** The same, with status and headers of the answer. */
  request<Id extends OperationId>(id: Id, ...input: InputOf<Id>): Promise<FullAnswer<Id>>;
  /**
   * All entries of a list. The next page is requested when its first entry is read, so leaving the
   * loop ends the requests.
   */
  pages<Id extends ListId>(
    id: Id,
    ...input: InputOf<Id> extends [input: CallInput<Id>]
      ? [input: CallInput<Id> & PageOptions]
      : [input?: CallInput<Id> & PageOptions]
  ): AsyncGenerator<Entry<Id>, void, undefined>;
  /** Repeats a read until its answer is the awaited one: for what a 202 has started. */
  waitFor<Id extends ReadId>(
    id: Id,
    input: CallInput<Id> & WaitOptions<Answer<Id>>,
  ): Promise<Answer<Id>>;
}

export interface PageOptions {
  /** The most pages that are requested; 1,000 by default. */
  readonly maxPages?: number | undefined;
}

/** A row of the generated table. */
interface Row {
  readonly method: string;
  readonly path: string;
  readonly keyed?: boolean;
  readonly body?: "form" | "bytes";
  readonly accept?: string;
  readonly binary?: boolean;
  readonly pages?: PagesRow;
}

/** The parts of any operation's input. */
interface AnyInput extends CallOptions, PageOptions {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

const DEFAULTS: Omit<TransportOptions, "fetch" | "lastWrite"> = {
  timeoutMs: 60_000,
  retries: 3,
  maxRetryDelayMs: 30_000,
  maxAnswerBytes: 16 * 1024 * 1024,
  random: Math.random,
  delay,
};

/** @throws ApiError INVALID_INPUT for an address that a credential must not be sent to. */
export function createBaseClient(options: ClientOptions): BaseClient {
  const { origin } = serviceUrl(options.service);
  const transport = transportOf(options);
  const authorization = authorizationOf(options);
  // Types come from the operation's id: this client only builds requests.
  const http = createFetchClient<Record<string, Record<string, never>>>({ baseUrl: origin });

  async function request(id: string, input: AnyInput = {}): Promise<FullAnswer<OperationId>> {
    const row = rowOf(id);
    assertPath(id, input.path);
    const attempt = {
      operation: id,
      repeatable: row.method === "GET" || row.keyed === true,
      signal: input.signal,
      timeoutMs: input.timeoutMs,
    };
    const headers = {
      accept: row.accept ?? "application/json",
      ...(authorization === undefined ? {} : { authorization }),
      ...(row.keyed ? { "idempotency-key": input.idempotencyKey ?? crypto.randomUUID() } : {}),
      ...(row.body === "bytes" ? { "content-type": "application/octet-stream" } : {}),
    };
    const init = {
      params: { path: input.path, query: input.query },
      body: input.body,
      headers,
      parseAs: "arrayBuffer",
      // A redirect would send the credential to another server.
      redirect: "error",
      ...(row.body === undefined ? {} : { bodySerializer: (body: unknown) => body }),
      fetch: (built: Request) => send(built, attempt, transport),
    };
    const { data, response } = (await http.request(
      row.method.toLowerCase() as never,
      row.path as never,
      init as never,
    )) as { readonly data: ArrayBuffer | undefined; readonly response: Response };
    const { status, headers: answered } = response;
    const content = { id, row, status, bytes: new Uint8Array(data ?? new ArrayBuffer()) };
    return { data: contentOf(content) as Answer<OperationId>, status, headers: answered };
  }

  const call = async (id: string, input?: AnyInput) => (await request(id, input)).data;

  const client = {
    service: origin,
    call,
    request,

    pages(id: string, { maxPages = 1_000, ...input }: AnyInput = {}) {
      const { pages } = rowOf(id);
      if (pages === undefined) throw invalid(id, "is not a list");
      const page = (query: Readonly<Record<string, unknown>>) => call(id, { ...input, query });
      return entriesOf({ operation: id, row: pages, query: input.query, maxPages, page });
    },

    waitFor(id: string, input: AnyInput & WaitOptions<unknown>) {
      const { until, onProgress, intervalMs, maxRequests, ...rest } = input;
      if (rowOf(id).method !== "GET") throw invalid(id, "does not only read");
      return repeatUntil(
        () => call(id, rest),
        { until, onProgress, intervalMs, maxRequests },
        { delay: (ms) => transport.delay(ms, rest.signal), operation: id },
      );
    },
  };
  return client as unknown as BaseClient;
}

function serviceUrl(service: string | URL): URL {
  if (!URL.canParse(String(service))) throw invalid(undefined, "The service's address is no URL.");
  const url = new URL(service);
  if (!isConfidential(url)) {
    throw invalid(undefined, "The service must be reached over https (http only on loopback).");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw invalid(undefined, "Pass the service's origin alone, such as https://svc.example.");
  }
  return url;
}

function transportOf(options: ClientOptions): TransportOptions {
  return {
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    retries: options.retries ?? DEFAULTS.retries,
    maxRetryDelayMs: options.maxRetryDelayMs ?? DEFAULTS.maxRetryDelayMs,
    maxAnswerBytes: options.maxAnswerBytes ?? DEFAULTS.maxAnswerBytes,
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    random: options.random ?? DEFAULTS.random,
    delay: options.delay ?? DEFAULTS.delay,
    lastWrite: options.lastWrite ?? { position: null },
  };
}

function authorizationOf({ apiKey, token }: ClientOptions): string | undefined {
  if (apiKey !== undefined && token !== undefined) {
    throw invalid(undefined, "Pass either apiKey or token.");
  }
  const credential = apiKey ?? token;
  return credential === undefined ? undefined : `Bearer ${credential}`;
}

function rowOf(id: string): Row {
  if (!Object.hasOwn(OPERATIONS, id)) throw invalid(id, "is not an operation of the service");
  return OPERATIONS[id as OperationId];
}

/** `.` and `..` would change the path, and an empty part names another operation. */
function assertPath(id: string, path: AnyInput["path"]): void {
  const { path: template } = rowOf(id);
  for (const [, name = ""] of template.matchAll(/\{([^}]+)\}/g)) {
    const value = path?.[name];
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || text === "" || text === "." || text === "..") {
      throw invalid(id, `needs a text or a number as path.${name}`);
    }
  }
}

function contentOf({
  id,
  row,
  status,
  bytes,
}: {
  readonly id: string;
  readonly row: Row;
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}): unknown {
  if (status === 204) return undefined;
  if (row.binary) return bytes;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    const message = "The answer is not JSON.";
    throw new ApiError("INVALID_ANSWER", message, { operation: id, status, cause });
  }
}

function invalid(operation: string | undefined, why: string): ApiError {
  const message = operation === undefined ? why : `${operation} ${why}.`;
  return new ApiError("INVALID_INPUT", message, { operation });
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
