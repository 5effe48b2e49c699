import { Agent, request as send, errors as undiciErrors } from "undici";
import type { RpcErrorType, Transport } from "viem";
import { createTransport, HttpRequestError, RpcRequestError, TimeoutError } from "viem";
import { readsBesideDatabase } from "../../kernel/database-alone.ts";
import type { NodeCircuit } from "./circuit.ts";

export interface NodeTransportOptions {
  /** Credentials in it are sent as basic authentication. */
  readonly url: string;
  /** Longest wait for one answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly retryCount: number;
  readonly retryDelay: number;
  /** Longest accepted answer; -1 for any. Default: 10 MiB. */
  readonly maxAnswerBytes?: number;
  /** Rejects requests at once while the node does not answer. */
  readonly circuit?: NodeCircuit | undefined;
}

/** Far above any answer that the API expects; a node that sends more is broken. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/**
 * JSON-RPC over HTTP, with viem's own errors. viem's transport builds a fetch with two requests, a
 * signal, an error and a stream for every call: for a sign-in, more work than all signing and
 * hashing.
 */
export function nodeTransport(options: NodeTransportOptions): Transport {
  const { timeoutMs: timeout, retryCount, retryDelay, circuit } = options;
  const { maxAnswerBytes: maxResponseSize = MAX_ANSWER_BYTES } = options;
  const { url, authorization } = addressOf(options.url);
  const headers = {
    "content-type": "application/json",
    ...(authorization === null ? {} : { authorization }),
  };
  const dispatcher = new Agent({
    connect: { timeout },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize,
  });
  let lastId = 0;

  async function ask(body: { readonly method: string; readonly params?: unknown }) {
    const text = JSON.stringify({ jsonrpc: "2.0", id: ++lastId, ...body });
    try {
      const answer = await send(url, { method: "POST", headers, body: text, dispatcher });
      const retryAfter = answer.headers["retry-after"];
      return { status: answer.statusCode, retryAfter, text: await answer.body.text() };
    } catch (cause) {
      if (isTimeout(cause)) throw new TimeoutError({ body, url });
      throw new HttpRequestError({ body, url, cause: cause as Error });
    }
  }

  async function answerTo(body: { readonly method: string; readonly params?: unknown }) {
    const { status, retryAfter, text } = await ask(body);
    const { error, result } = parsed(text);
    const isRpcError = error?.code !== undefined && error.message !== undefined;
    // Also with an error status: some nodes send one with every error.
    if (isRpcError) throw new RpcRequestError({ body, error, url });
    if (
      status < 200 ||
      status > 299 ||
      (error ?? undefined) !== undefined ||
      result === undefined
    ) {
      const headers =
        typeof retryAfter === "string" ? new Headers({ "retry-after": retryAfter }) : undefined;
      throw new HttpRequestError({ body, url, status, headers, details: text.slice(0, 200) });
    }
    return result;
  }

  return () =>
    createTransport({
      key: "http",
      name: "HTTP JSON-RPC",
      type: "http",
      retryCount,
      retryDelay,
      timeout,
      async request({ method, params }) {
        readsBesideDatabase();
        const body = { method, params };
        if (circuit === undefined) return answerTo(body);
        return circuit.run({ body, url }, () => answerTo(body));
      },
    });
}

interface Answer {
  readonly result?: never;
  /** Null beside a result, from some nodes. */
  readonly error?: RpcErrorType | null;
}

/** Empty when the body is not a JSON-RPC answer, such as a proxy's page. */
function parsed(text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? answer : {};
  } catch {
    return {};
  }
}

function addressOf(text: string): { readonly url: string; readonly authorization: string | null } {
  const url = new URL(text);
  if (url.username === "") return { url: url.href, authorization: null };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return { url: url.href, authorization };
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof undiciErrors.ConnectTimeoutError ||
    error instanceof undiciErrors.HeadersTimeoutError ||
    error instanceof undiciErrors.BodyTimeoutError
  );
}
